"""Structures held together by joints, and what can be asked of them.

>>> import numpy as np, faying
>>> model = faying.Model(mass=10 * np.eye(3), stiffness=[[18, -9, 0], [-9, 18, -9], [0, -9, 9]], damping=1e-4)
>>> model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")
<Model: 3 DOF, 1 joint: lap (iwan4)>
>>> model.modes().omega.round(6).tolist()
[0.42447, 1.215684, 1.744115]
>>> bones = model.backbone(1, [0.1, 1, 10])
>>> bones.converged.all()
True

Degrees of freedom count from 0, as arrays do; modes from 1, as people do.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, PathLike, mapping, matrix, number, numbers, one_of, path_of, single, strings, text, whole
from ._progress import progress_bar
from .backbones import Backbone, Modes, Preload, Response
from .errors import BadInput
from .forced import epmc, resonance, response
from .histories import Load, Simulation, simulated
from .laws import Law
from .reduced import Reduced
from .slow import SlowHistory, quasistatic


@dataclasses.dataclass(frozen=True, eq=False)
class Joint:
    """A joint of a model: `rows` @ x are the displacements of its sites, `weight` multiplies a site's force."""

    name: str
    law: Law
    rows: Numbers
    weight: Numbers
    site_names: Sequence[str]

    @property
    def sites(self) -> int:
        """How many."""
        return len(self.weight)

    def __repr__(self) -> str:
        return f"<Joint {self.name}: {self.law.name}, {self.sites} site{'s' * (self.sites != 1)}>"


class Model:
    """M x'' + C x' + K x + joints = static force + f(t).

    `mass`, `stiffness` and `damping` are dense or scipy.sparse matrices; `damping` may be a number, the viscous ratio of
    every stuck mode. `static` is a force on every DOF that preloads the joints.
    """

    def __init__(self, mass: Any, stiffness: Any, damping: Any = 0.0, static: Any = None,
                 dofs: Optional[Sequence[str]] = None) -> None:
        M = matrix(mass, "mass")
        n = len(M)
        K = matrix(stiffness, "stiffness", (n, n))
        ratio, C = 0.0, np.empty((0, 0))
        if single(damping):
            ratio = number(damping, "damping")
        else:
            C = matrix(damping, "damping", (n, n))
        force = np.empty(0) if static is None else numbers(static, "static", shape=(n,))
        names = [] if dofs is None else strings(dofs, "dofs")
        if names and len(names) != n:
            raise BadInput(f"dofs: {n} names are needed, {len(names)} given")
        self._take(_faying.Model(M, K, ratio, C, force, names), [], None)

    def _take(self, handle: _faying.Model, laws: list[Law], reduced: Optional[Reduced]) -> None:
        self._handle = handle
        self._laws = laws
        self._reduced = reduced

    @classmethod
    def _of(cls, handle: _faying.Model, laws: Optional[list[Law]] = None, reduced: Optional[Reduced] = None) -> Model:
        model = object.__new__(cls)
        model._take(handle, [Law._of(one) for one in handle.laws] if laws is None else laws, reduced)
        return model

    @classmethod
    def read(cls, path: PathLike) -> Model:
        """A model file (TOML), as the command line takes it; matrices in .mat, .h5 or .mtx files beside it."""
        return cls._of(_faying.Model.read(path_of(path, "path")))

    @property
    def size(self) -> int:
        """Degrees of freedom."""
        return self._handle.size

    @property
    def mass(self) -> Numbers:
        return self._handle.mass

    @property
    def stiffness(self) -> Numbers:
        return self._handle.stiffness

    @property
    def damping(self) -> Any:
        """The matrix, or the ratio of every stuck mode."""
        C = self._handle.damping
        return C if C.size else self._handle.damping_ratio

    @property
    def static(self) -> Optional[Numbers]:
        """The static force, where there is one."""
        force = self._handle.static_force
        return force if force.size else None

    @property
    def dofs(self) -> list[str]:
        """What each degree of freedom is, where that is known."""
        return self._handle.dofs

    @property
    def joints(self) -> list[Joint]:
        return [Joint(d["name"], law, d["rows"], d["weight"], d["site_names"]) for d, law in zip(self._handle.joints, self._laws)]

    @property
    def outputs(self) -> dict[str, Numbers]:
        """Displacements one looks at, by name: row @ x."""
        return dict(self._handle.outputs)

    @property
    def loads(self) -> dict[str, Numbers]:
        """Forces on every DOF that have a name: those of a reduced model's file."""
        return dict(self._handle.loads)

    def add_joint(self, law: Law, dofs: Any = None, *, rows: Any = None, patches: Any = None, along: str = "",
                  per_area: bool = False, interface: bool = False, weight: Any = None, name: Optional[str] = None) -> Model:
        """Puts a law at one site or several; returns the model.

        `dofs` is one DOF (against ground), a pair (acts on x[b] - x[a]), or a list of such sites; `rows` are the sites'
        rows as a matrix, three per site for a contact law. On a reduced model: `patches` ("all", a name or several)
        with `along` and `per_area`, or ``interface=True`` for every quadrature point of a full joint.
        """
        if not isinstance(law, Law):
            raise BadInput(f"add_joint: a law is needed, not {law!r}")
        called = text(name, "name") if name is not None else f"joint {len(self._laws) + 1}"
        ways = [way for way, given in (("dofs", dofs is not None), ("rows", rows is not None), ("patches", patches is not None),
                                       ("interface", interface)) if given]
        if len(ways) != 1:
            raise BadInput("add_joint: give exactly one of dofs, rows, patches and interface=True")
        if ways[0] in ("patches", "interface"):
            if self._reduced is None:
                raise BadInput(f"add_joint: {ways[0]} belong to models made by Reduced.model()")
            if weight is not None:
                raise BadInput("add_joint: patches and interfaces have weights of their own")
            handle = self._reduced._handle
            if interface:
                self._handle.add_joint_on_interface(handle, called, law._handle, text(along, "along"))
            else:
                self._handle.add_joint_on_patches(handle, called, law._handle, strings(patches, "patches"), text(along, "along"), bool(per_area))
        else:
            B = matrix(rows, "rows", (None, self.size)) if rows is not None else self._rows_of(dofs, law)
            sites = len(B) // law.components
            w = np.ones(sites) if weight is None else numbers(weight, "weight")
            w = np.full(sites, w) if w.ndim == 0 else numbers(w, "weight", shape=(sites,))
            if (w <= 0).any():
                raise BadInput("weight: must be positive")
            self._handle.add_joint(called, law._handle, B, np.ascontiguousarray(w))
        self._laws.append(law)
        return self

    def _rows_of(self, dofs: Any, law: Law) -> Numbers:
        listed = [dofs] if single(dofs) else list(dofs)
        sites = [listed] if all(map(single, listed)) else [[one] if single(one) else list(one) for one in listed]
        B = np.zeros((len(sites), self.size))
        for row, site in zip(B, sites):
            if len(site) not in (1, 2):
                raise BadInput(f"dofs: a site has one DOF (against ground) or two, not {len(site)}; several sites are a list of them")
            for i, dof in enumerate(site):
                row[self._dof(dof)] += 1.0 if i + 1 == len(site) else -1.0
            if not row.any():
                raise BadInput("dofs: the two of a site must differ")
        if len(B) % law.components:
            raise BadInput(f"dofs: {law.name} is a contact law and needs three rows per site")
        return B

    def _dof(self, given: Any) -> int:
        if not (isinstance(given, (int, np.integer)) and 0 <= given < self.size):
            raise BadInput(f"dof: {given!r} is no DOF; allowed are 0 to {self.size - 1}")
        return int(given)

    def add_output(self, name: str, dof: Optional[int] = None, *, row: Any = None) -> Model:
        """Names a displacement to look at: a DOF, or row @ x."""
        if (dof is None) == (row is None):
            raise BadInput("add_output: give either dof or row")
        if row is None:
            row = self._shape_of(self._dof(dof))
        self._handle.add_output(text(name, "name"), numbers(row, "row", shape=(self.size,)))
        return self

    def copy(self) -> Model:
        """Another model, so far the same."""
        return Model._of(self._handle.copy(), list(self._laws), self._reduced)

    def replace(self, laws: Optional[Mapping[str, Law]] = None, /, **parameters: Mapping[str, float]) -> Model:
        """Another model whose joints have other laws, or other parameters: ``model.replace(lap={"FS": 12})``.

        What solvers make of the structure is shared, so that a fit pays for it once.
        """
        named = {name: i for i, name in enumerate(self._joint_names())}
        changed = list(self._laws)
        wanted: dict[str, Union[Law, Mapping[str, float]]] = {**mapping(laws, "laws"), **parameters}
        for name, law in wanted.items():
            if name not in named:
                raise BadInput(f"replace: there is no joint '{name}'; allowed are: {', '.join(named)}")
            i = named[name]
            changed[i] = law if isinstance(law, Law) else changed[i].replace(**{str(key): value for key, value in mapping(law, name).items()})
        return Model._of(self._handle.with_laws([law._handle for law in changed]), changed, self._reduced)

    # analyses

    def modes(self, count: Optional[int] = None, *, about: str = "preload", friction: str = "active") -> Modes:
        """Linear modes about the preload, or with joints 'stuck' or 'slipping'."""
        one_of(about, "about", ("preload", "stuck", "slipping"))
        one_of(friction, "friction", FRICTION)
        asked = 0 if count is None else whole(count, "count", 1, self.size)
        return Modes(**_faying.linear_modes(self._handle, asked, about, friction))

    def preload(self, *, friction: str = "active", tolerance: float = 1e-10) -> Preload:
        """Static equilibrium of structure and joints under the static force."""
        one_of(friction, "friction", FRICTION)
        if self.static is None:
            raise BadInput("preload: the model has no static force")
        answer = _faying.preload(self._handle, friction, number(tolerance, "tolerance"))
        names = self._joint_names()
        for key in ("site_displacement", "site_force"):
            answer[key] = dict(zip(names, answer[key]))
        return Preload(**answer, dofs=self.dofs)

    def backbone(self, mode: int, amplitudes: Any, *, method: str = "rqnma", framework: Optional[str] = None,
                 dissipation: Optional[str] = None, prestress: str = "active", amplitude_of: str = "modal",
                 output: Optional[str] = None, harmonics: Any = 3, samples: int = 0, tolerance: float = 1e-10,
                 most_loops: int = 100, quadrature: int = 12, close_loops: bool = True, folds: bool = False, derivatives: bool = False,
                 shapes: bool = True, check: bool = True) -> Backbone:
        """Frequency and damping of a nonlinear mode (from 1) against amplitude.

        `method` is 'rqnma', 'qsma' or 'epmc' (harmonic balance, with `harmonics` and `samples`). `framework` 'masing' or
        'loops' and `dissipation` 'local' or 'modal' follow from the laws unless given. `amplitude_of` says what the
        amplitudes are: 'modal' q, or 'displacement' or 'acceleration' of an `output`. Where the branch turns back in q, `folds`
        gives all points at an amplitude (more points than amplitudes). Points that do not converge raise
        NotConverged, which has the others; with ``check=False`` they are returned, marked.
        """
        one_of(method, "method", ("rqnma", "qsma", "epmc"))
        one_of(framework, "framework", (None, "masing", "loops"))
        one_of(dissipation, "dissipation", (None, "local", "modal"))
        one_of(prestress, "prestress", FRICTION)
        one_of(amplitude_of, "amplitude_of", ("modal", "displacement", "acceleration"))
        q = np.atleast_1d(numbers(amplitudes, "amplitudes"))
        if q.ndim != 1:
            raise BadInput(f"amplitudes: a one-dimensional array is needed, not {q.shape}")
        if (amplitude_of == "modal") != (output is None):
            raise BadInput("output and amplitude_of='displacement' or 'acceleration' go together")
        if method == "epmc":
            if framework or dissipation or prestress != "active" or folds:
                raise BadInput("method='epmc' does not go with framework, dissipation, prestress and folds")
            bones = epmc(self, mode, q, harmonics, samples, amplitude_of, output, derivatives)
        else:
            more = dict(tolerance=number(tolerance, "tolerance"), most_loops=whole(most_loops, "most_loops", 1),
                        quadrature=whole(quadrature, "quadrature", 1), close_loops=bool(close_loops), folds=bool(folds),
                        derivatives=bool(derivatives), shapes=bool(shapes))
            words = [method, framework or "", dissipation or "", prestress, amplitude_of, text("" if output is None else output, "output")]
            points = _faying.backbone(self._handle, whole(mode, "mode", 1), q, words, more)
            bones = Backbone(**points, mode=mode, method=method, joints=self._joint_names())
        if check:
            bones.raise_for_status()
        return bones

    def response(self, shape: Any, force: Any, omega: Optional[tuple[float, float]] = None, *, at: Any = None, harmonics: Any = 3,
                 samples: int = 0, stability: bool = True, hold: Optional[tuple[Any, str, float]] = None, both_ends: bool = False,
                 isolas: int = 0, outputs: Any = (), synthesis: int = 0, exact_orbits: bool = False, check: bool = True) -> Any:
        """Forced vibration, p f cos(omega t), from one frequency (rad/s) to another through turning points.

        `shape` f is a DOF, the name of an output, or a force on every DOF; `force` is p, or several, which give a list of
        responses. Frequencies in `at` are met exactly; without `omega` only those are returned. `harmonics` is the highest
        order, a list of orders, or 'auto' ('auto:1e-4': what may be neglected of the joints' forces). `hold` keeps the
        amplitude of a motion and finds the force: ("tip", "displacement", 1e-3). `both_ends` also comes from the other end,
        `isolas` looks for branches that reach neither, through the phase resonances of that mode. `outputs` are names of outputs
        whose greatest displacements are wanted (`peaks`), `synthesis` a mode whose oscillator alone is to be set beside it, and
        with `exact_orbits` every point must have an exact orbit next to it.
        """
        return response(self, shape, force, omega, at=at, harmonics=harmonics, samples=samples, stability=stability, hold=hold,
                        both_ends=both_ends, isolas=isolas, outputs=outputs, synthesis=synthesis, exact_orbits=exact_orbits, check=check)

    def resonance(self, shape: Any, forces: tuple[float, float], mode: int = 1, *, at: Any = None, superharmonic: int = 1,
                  omega: Optional[float] = None, harmonics: Any = 3, samples: int = 0, stability: bool = False,
                  check: bool = True) -> Response:
        """Forced vibration along the force, from one p to another: at phase resonance of a mode, or of a superharmonic of
        it, or at one frequency `omega`; forces in `at` are met exactly."""
        return resonance(self, shape, forces, mode, at=at, superharmonic=superharmonic, omega=omega, harmonics=harmonics,
                         samples=samples, stability=stability, check=check)

    def quasistatic(self, forces: Any = None, displacements: Any = None, *, cycle: bool = False, points: int = 40,
                    closure: float = 1e-8, most_loops: int = 50, path_tolerance: float = 1e-8, events: bool = False,
                    sites: bool = False, check: bool = True) -> SlowHistory:
        """The model taken slowly through loads and prescribed displacements, after its static force.

        `forces` and `displacements` are mappings from a DOF, the name of an output, or a tuple (a row of all DOF) to the
        values it goes through, straight from one to the next, all of one length:
        ``model.quasistatic({2: [0, 30, -30, 30]})``. With ``cycle=True`` each has one value, between which and its
        negative loops are made until they close.

        >>> import faying
        >>> model = faying.Model([[1.0]], [[1.0]]).add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
        >>> slow = model.quasistatic({0: [0, 3, -3]})
        >>> slow.displacement.round(6).tolist(), slow.dissipated.round(6).tolist()
        ([0.0, 2.0, -2.0], [0.0, 1.0, 3.0])
        """
        return quasistatic(self, mapping(forces, "forces"), mapping(displacements, "displacements"), cycle=cycle, points=points, closure=closure,
                           most_loops=most_loops, path_tolerance=path_tolerance, events=events, sites=sites, check=check)

    def simulate(self, loads: Union[Load, Sequence[Load]] = (), *, duration: float, step: float, u: Any = None, v: Any = None,
                 preloaded: bool = False, method: str = "newmark", every: int = 1, adaptive: bool = False,
                 tolerance: Optional[float] = None, spectral_radius: float = 0.9, modes: int = 0, samples: Any = (),
                 energy: bool = True, energy_tolerance: float = 0.01, out: Optional[PathLike] = None, resume: bool = False,
                 check: bool = True) -> Simulation:
        """A time history under loads, from displacements `u` and velocities `v`, or from the preloaded state.

        `method` is 'newmark', 'alpha', 'exponential' or 'events' (lands on every reversal, to the tolerance). Energy that
        nobody accounts for raises NotConverged, which has the history; with ``check=False`` it is returned, marked.

        `out` keeps the history in an .h5 file while it is made (`faying simulate --out`), saved once a second. After Ctrl-C
        or a kill the same call with ``resume=True`` goes on from there, and returns the whole history with the bits of a run
        that was never stopped; where nothing was kept yet it begins.

        >>> import faying, os, tempfile
        >>> model = faying.Model([[1.0]], [[1.0]]).add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     record = os.path.join(folder, "ring.h5")
        ...     first = model.simulate(u=[3], duration=10, step=0.01, out=record)
        ...     again = model.simulate(u=[3], duration=10, step=0.01, out=record, resume=True)    # finished: only read
        >>> bool((first.u == again.u).all())
        True
        """
        one_of(method, "method", ("newmark", "alpha", "exponential", "events"))
        wanted = numbers([samples] if single(samples) else samples, "samples", 1, increasing=True)
        options = dict(method=method, every=whole(every, "every", 1), adaptive=bool(adaptive), modes=whole(modes, "modes"),
                       tolerance=None if tolerance is None else number(tolerance, "tolerance"), energy=bool(energy),
                       spectral_radius=number(spectral_radius, "spectral_radius"),
                       energy_tolerance=number(energy_tolerance, "energy_tolerance"), samples=wanted.tolist(),
                       out="" if out is None else path_of(out, "out"), resume=bool(resume))
        with progress_bar("simulate") as at:
            return simulated(self, loads, duration, step, u, v, preloaded, options, at, check)

    def mode_load(self, mode: int, *, slipping: bool = False) -> Numbers:
        """M phi of a mode (from 1), joints stuck or slipping: a load that moves this mode alone while it is linear."""
        return _faying.mode_load(self._handle, whole(mode, "mode", 1), bool(slipping))

    def base_load(self, rigid: Any) -> Numbers:
        """-M r: the load of a base that accelerates along the rigid motion r."""
        return _faying.base_load(self._handle, numbers(rigid, "rigid", shape=(self.size,)))

    def _shape_of(self, shape: Any) -> Numbers:
        if isinstance(shape, str):
            named = {**self.loads, **self.outputs}
            if shape not in named:
                raise BadInput(f"shape: unknown output or load '{shape}'; allowed are: {', '.join(named) or 'none'}")
            return named[shape]
        if isinstance(shape, (int, np.integer)):
            return np.eye(1, self.size, self._dof(shape))[0]
        return numbers(shape, "shape", shape=(self.size,))

    def _joint_names(self) -> list[str]:
        return self._handle.joint_names

    def __copy__(self) -> Model:
        return self.copy()

    def __reduce__(self) -> Any:
        return _rebuilt, (self._handle.state(), self._laws, self._reduced)

    def __repr__(self) -> str:
        listed = ", ".join(f"{name} ({law.name})" for name, law in zip(self._joint_names(), self._laws))
        count = len(self._laws)
        return f"<Model: {self.size} DOF, {count or 'no'} joint{'s' * (count != 1)}{': ' + listed if listed else ''}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{j.name}</td><td>{j.law.name}</td><td>{j.sites}</td>"
                       f"<td>{', '.join(f'{k} = {v:.6g}' for k, v in j.law.parameters.items())}</td></tr>" for j in self.joints)
        return (f"<table><caption>Model, {self.size} DOF</caption><thead><tr><th>joint</th><th>law</th><th>sites</th>"
                f"<th>parameters</th></tr></thead><tbody>{rows}</tbody></table>")


FRICTION = ("active", "conservative", "linear")


def read_model(path: PathLike) -> Model:
    """A model file (TOML): the same as `Model.read`."""
    return Model.read(path)


def _rebuilt(state: dict[str, Any], laws: list[Law], reduced: Optional[Reduced]) -> Model:
    return Model._of(_faying.Model.of_state(state, [law._handle for law in laws]), list(laws), reduced)
