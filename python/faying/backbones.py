"""What analyses of a model return: modes, preloads, backbones, responses."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Mapping, Optional, Sequence

import numpy as np

from ._arrays import Numbers, numbers, text, whole
from .errors import Doubt, trusted
from .results import Result, finish, label, new_axes

MODAL = "m kg^(1/2)"


@dataclasses.dataclass(repr=False, eq=False)
class Modes(Result):
    """Linear modes, mass normalised: `shapes[:, r]` is mode r + 1. `about` says what the joints did."""

    units: ClassVar[Mapping[str, str]] = {"mode": "", "frequency": "Hz", "omega": "rad/s", "residual": ""}
    omega: Numbers
    shapes: Numbers
    residual: Numbers
    about: str
    contacts: int = 0
    touching: int = 0

    def _title(self) -> str:
        return f"Modes, joints {self.about}"

    @property
    def mode(self) -> Any:
        return np.arange(1, len(self.omega) + 1)

    @property
    def frequency(self) -> Numbers:
        """Hz."""
        return self.omega / (2 * np.pi)

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Shapes over the degrees of freedom."""
        axes = new_axes(axes)
        look = {"marker": "."} if len(self.shapes) <= 50 else {"marker": ",", "linestyle": ""}  # directions take turns in large models
        for r, shape in enumerate(self.shapes.T[:6]):
            axes.plot(shape, **{"label": f"{self.frequency[r]:.4g} Hz", **look, **kwargs})
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(frameon=False, labelcolor="linecolor", handlelength=0 if look["marker"] == "," else None)
        return finish(axes, "DOF", label("shape", "kg^(-1/2)"))


@dataclasses.dataclass(repr=False, eq=False)
class Preload(Result):
    """Static equilibrium: `u` of every DOF; displacements and forces of the sites, by joint."""

    units: ClassVar[Mapping[str, str]] = {"dof": "", "u": "m"}
    u: Numbers
    residual: float
    iterations: int
    load_steps: int
    site_displacement: dict[str, Numbers]
    site_force: dict[str, Numbers]
    dofs: Sequence[str] = ()

    @property
    def dof(self) -> Any:
        return np.array(self.dofs) if len(self.dofs) else np.arange(len(self.u))

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Force against displacement of the sites, by joint."""
        axes = new_axes(axes)
        for name, displacement in self.site_displacement.items():
            axes.plot(displacement, self.site_force[name], **{"marker": ".", "linestyle": "", "label": name, **kwargs})
        axes.legend(frameon=False)
        return finish(axes, label("displacement of the site", "m"), label("force", "N"))


@dataclasses.dataclass(repr=False, eq=False)
class Backbone(Result):
    """A nonlinear mode against its amplitude q, one entry per point; NaN where it did not converge.

    `shapes` (points, DOF), `dissipation_by_joint` (points, joints). `derivatives`, where asked for, are arrays (points,)
    by joint and parameter: ``bones.slope("omega", "lap", "FS")``. `status` of each point is 'converged', 'not converged' or
    'masing does not hold'; `doubt` says why all of it is not to be trusted, and how far off it is. EPMC has `harmonics`
    (points, DOF, functions) of the `orders` instead of shapes, and `data`: all that the command prints, limit cycles of
    self-excited modes included.
    """

    units: ClassVar[Mapping[str, str]] = {"q": MODAL, "omega": "rad/s", "frequency": "Hz", "zeta": "", "dissipation": "J",
                                          "residual": ""}
    q: Numbers
    omega: Numbers
    zeta: Numbers
    dissipation: Numbers
    residual: Numbers
    converged: Any
    iterations: Numbers
    dissipation_by_joint: Numbers
    mode: int
    method: str
    joints: Sequence[str]
    status: list[str]
    doubt: Doubt
    framework: str = ""
    dissipation_route: str = ""
    zeta_friction: Optional[Numbers] = None
    zeta_viscous: Optional[Numbers] = None
    half_loops: Optional[Numbers] = None
    closure_error: Optional[Numbers] = None
    masing_error: Optional[Numbers] = None
    shapes: Optional[Numbers] = None
    derivatives: Optional[dict[str, Any]] = None
    reason: Sequence[str] = ()
    harmonics: Optional[Numbers] = None
    orders: Sequence[int] = ()
    neglected: float = 0.0
    branch: Optional[Numbers] = None
    data: Optional[dict[str, Any]] = None

    def _title(self) -> str:
        return f"Backbone of mode {self.mode} ({self.method}{', ' + self.framework if self.framework else ''})"

    @property
    def frequency(self) -> Numbers:
        """Hz."""
        return self.omega / (2 * np.pi)

    def raise_for_status(self) -> None:
        """NotConverged, with this result, unless every point can be trusted."""
        trusted(self, self.doubt, True)

    def slope(self, of: str, joint: str, parameter: str) -> Numbers:
        """Derivative of 'omega', 'zeta' or (not by EPMC) 'dissipation' to a parameter of a joint's law, at every point."""
        from .errors import BadInput

        if self.derivatives is None:
            raise BadInput("slope: ask for the backbone with derivatives=True")
        of, joint, parameter = text(of, "of"), text(joint, "joint"), text(parameter, "parameter")
        names = list(self.derivatives["names"])
        known = [name for name in self.derivatives if name != "names"]
        if (joint, parameter) not in names or of not in known:
            raise BadInput(f"slope: of {' or '.join(known)} to one of {names}, not of {of} to {(joint, parameter)}")
        column: Numbers = self.derivatives[of][:, names.index((joint, parameter))]
        return column

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude."""
        both = new_axes(axes, 2)
        good = self.converged
        kwargs = {"marker": ".", "label": f"mode {self.mode}", **kwargs}
        both[0].semilogx(self.q[good], self.frequency[good], **kwargs)
        both[1].loglog(self.q[good], self.zeta[good], **kwargs)
        finish(both[0], label("modal amplitude q", MODAL), label("frequency", "Hz"))
        finish(both[1], label("modal amplitude q", MODAL), "damping ratio")
        return both


@dataclasses.dataclass(repr=False, eq=False)
class Response(Result):
    """Forced vibration along a branch: `harmonics` (points, DOF, functions: mean, cos 1, sin 1, ..) of the `orders`.

    `a` is the mass norm of the first harmonic; the branch turns between a point with `turning_point` and the one before.
    `point_force` is p of every point (it varies where an amplitude is held, and along the force), `stability` 'stable',
    'unstable' or 'unknown', `bifurcation` the kind of one that was located there, `branch` 0 for the one from the first end.
    `peaks` are the greatest displacements of the outputs asked for, `synthesis` what the mode alone would do, `data` all that
    the command prints of every point, Floquet multipliers included.
    """

    units: ClassVar[Mapping[str, str]] = {"omega": "rad/s", "frequency": "Hz", "a": MODAL, "dissipation": "J", "residual": ""}
    omega: Numbers
    a: Numbers
    dissipation: Numbers
    residual: Numbers
    converged: Any
    iterations: Numbers
    dissipation_by_joint: Numbers
    harmonics: Numbers
    turning_point: Any
    orders: Sequence[int]
    force: float
    joints: Sequence[str]
    point_force: Numbers
    stability: Any
    bifurcation: Any
    branch: Any
    data: Sequence[dict[str, Any]]
    neglected: float = 0.0
    peaks: dict[str, Numbers] = dataclasses.field(default_factory=dict)
    synthesis: Optional[dict[str, Any]] = None

    def _title(self) -> str:
        return f"Response to {self.force:g} N"

    @property
    def frequency(self) -> Numbers:
        """Hz."""
        return self.omega / (2 * np.pi)

    def only(self, chosen: Any) -> Response:
        """Some of the points."""
        arrays = ("omega", "a", "dissipation", "residual", "converged", "iterations", "dissipation_by_joint", "harmonics",
                  "turning_point", "point_force", "stability", "bifurcation", "branch")
        kept = np.arange(len(self.omega))[chosen]
        return dataclasses.replace(self, **{name: getattr(self, name)[chosen] for name in arrays}, data=[self.data[k] for k in kept],
                                   peaks={name: peak[chosen] for name, peak in self.peaks.items()})

    def motion(self, row: Any, samples: int = 256) -> Numbers:
        """A period of row @ x at every point: (points, samples), time from 0 to 2 pi / omega."""
        t = np.linspace(0, 2 * np.pi, whole(samples, "samples", 1, 1_000_000), endpoint=False)
        direction = numbers(row, "row", shape=(self.harmonics.shape[1],))
        functions = []
        for k in self.orders:
            functions += [np.ones_like(t)] if k == 0 else [np.cos(k * t), np.sin(k * t)]
        moved: Numbers = np.einsum("pdf,d,fs->ps", self.harmonics, direction, np.array(functions))
        return moved

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Amplitude against frequency."""
        axes = new_axes(axes)
        for branch in np.unique(self.branch):
            of = self.branch == branch
            line = axes.semilogy(self.frequency[of], self.a[of], **{"label": f"{self.force:g} N" if branch == 0 else None, **kwargs})[0]
            lost = np.where(of & (self.stability == "unstable"), self.a, np.nan)
            if np.isfinite(lost).any():  # over the line, in the ground's colour: unstable parts look dashed
                axes.semilogy(self.frequency, lost, color=axes.get_facecolor(), linestyle=(0, (2, 3)), linewidth=line.get_linewidth() * 1.2)
        return finish(axes, label("frequency", "Hz"), label("amplitude a", MODAL))
