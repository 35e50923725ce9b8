"""What analyses of a model return: modes, preloads, backbones, responses."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Mapping, Optional, Sequence

import numpy as np

from ._arrays import Numbers
from .errors import NotConverged
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
        for r, shape in enumerate(self.shapes.T[:6]):
            axes.plot(shape, label=f"{self.frequency[r]:.4g} Hz", **kwargs)
        axes.legend(frameon=False)
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


@dataclasses.dataclass(repr=False, eq=False)
class Backbone(Result):
    """A nonlinear mode against its amplitude q, one entry per point; NaN where it did not converge.

    `shapes` (points, DOF), `dissipation_by_joint` (points, joints). `derivatives`, where asked for, are arrays (points,)
    by joint and parameter: ``bones.slope("omega", "lap", "FS")``. EPMC has `harmonics` (points, DOF, functions) of the
    `orders` instead of shapes.
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
    framework: str = ""
    dissipation_route: str = ""
    zeta_friction: Optional[Numbers] = None
    zeta_viscous: Optional[Numbers] = None
    half_loops: Optional[Numbers] = None
    closure_error: Optional[Numbers] = None
    masing_error: Optional[Numbers] = None
    masing_tolerance: float = float("inf")
    shapes: Optional[Numbers] = None
    derivatives: Optional[dict[str, Any]] = None
    reason: Sequence[str] = ()
    harmonics: Optional[Numbers] = None
    orders: Sequence[int] = ()
    neglected: float = 0.0
    doubt: str = ""

    def _title(self) -> str:
        return f"Backbone of mode {self.mode} ({self.method}{', ' + self.framework if self.framework else ''})"

    @property
    def frequency(self) -> Numbers:
        """Hz."""
        return self.omega / (2 * np.pi)

    @property
    def status(self) -> list[str]:
        """Of each point: converged, not converged, or 'masing does not hold'."""
        breaks = self._breaks_masing()
        return ["not converged" if not c else "masing does not hold" if b else "converged" for c, b in zip(self.converged, breaks)]

    def _breaks_masing(self) -> Any:
        if self.masing_error is None:
            return np.zeros(len(self.q), dtype=bool)
        return self.converged & (np.nan_to_num(self.masing_error) > self.masing_tolerance)

    def raise_for_status(self) -> None:
        """NotConverged, with this result, unless every point can be trusted."""
        if self.doubt:
            raise NotConverged(self.doubt, float(np.nanmax(self.residual)) if len(self.q) else float("nan"), self)
        if not self.converged.all():
            i = int(np.argmin(self.converged))
            why = f": {self.reason[i]}" if len(self.reason) else ""
            raise NotConverged(f"backbone: mode {self.mode} did not converge at q = {self.q[i]:g}{why}", float(self.residual[i]), self)
        if self._breaks_masing().any() and self.masing_error is not None:
            i = int(np.nanargmax(self.masing_error))
            raise NotConverged(f"backbone: Masing's rule does not hold where contact opens or its pressure varies: mode {self.mode}, "
                               f"up to {self.masing_error[i]:.2g} of the damping at q = {self.q[i]:g}; use framework='loops'",
                               float("nan"), self)

    def slope(self, of: str, joint: str, parameter: str) -> Numbers:
        """Derivative of 'omega', 'zeta' or 'dissipation' to a parameter of a joint's law, at every point."""
        from .errors import BadInput

        if self.derivatives is None:
            raise BadInput("slope: ask for the backbone with derivatives=True")
        names = list(self.derivatives["names"])
        if (joint, parameter) not in names or of not in ("omega", "zeta", "dissipation"):
            raise BadInput(f"slope: of omega, zeta or dissipation to one of {names}, not of {of} to {(joint, parameter)}")
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
    neglected: float = 0.0

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
        return dataclasses.replace(self, **{name: getattr(self, name)[chosen] for name in arrays})

    def motion(self, row: Any, samples: int = 256) -> Numbers:
        """A period of row @ x at every point: (points, samples), time from 0 to 2 pi / omega."""
        t = np.linspace(0, 2 * np.pi, samples, endpoint=False)
        functions = []
        for k in self.orders:
            functions += [np.ones_like(t)] if k == 0 else [np.cos(k * t), np.sin(k * t)]
        moved: Numbers = np.einsum("pdf,d,fs->ps", self.harmonics, np.asarray(row, dtype=float), np.array(functions))
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
