"""Laws: what a joint does.

>>> import faying
>>> iwan = faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
>>> iwan.parameters["FS"], iwan.parameters.info["FS"].unit
(10.0, 'N')
>>> iwan.follow([0, 1, -0.5]).f.round(6).tolist()
[0.0, 0.966873, -0.490094]
>>> faying.law("jenkins", kt=1, fs=2).cycle([1, 4]).dissipation.tolist()
[0.0, 16.0]
>>> (iwan + faying.law("polynomial", k3=0.1)).name
'iwan4+polynomial'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Optional

import numpy as np

from . import _faying
from ._arrays import Numbers, mapping, number, numbers, text, whole
from .errors import BadInput, NotConverged
from .law_results import ContactHistory, Cycles, History, Loop, Parameter, Parameters


class Law:
    """A law with its parameters. Make one with `faying.law(name, ..)`, or write your own as a `PythonLaw`."""

    def __init__(self, name: str, parameters: Optional[Mapping[str, float]] = None, /, **more: float) -> None:
        text(name, "law")
        self._handle = _faying.Law(name, _floats(name, {**mapping(parameters, "parameters"), **more}))
        self._summands: tuple[Law, ...] = ()

    @classmethod
    def _of(cls, handle: _faying.Law, summands: tuple[Law, ...] = ()) -> Law:
        law = object.__new__(Law)
        law._handle = handle
        law._summands = summands
        return law

    @property
    def name(self) -> str:
        """Its key, or those of laws in parallel joined by '+'."""
        return self._handle.name

    @property
    def parameters(self) -> Parameters:
        """Values by key; `.info` has units and bounds."""
        table = self._handle.parameters
        return Parameters({p["key"]: v for p, v in zip(table, self._handle.values)}, {p["key"]: Parameter(**p) for p in table})

    @property
    def components(self) -> int:
        """Displacements it reads at a site: 1, or 3 for a contact law."""
        return self._handle.components

    @property
    def drive(self) -> str:
        """What is prescribed: 'displacement' or 'force'."""
        return self._handle.drive

    @property
    def masing(self) -> bool:
        """Whether branches are the virgin curve doubled."""
        return self._handle.masing

    @property
    def elastic(self) -> bool:
        """Whether no part of it is hysteretic."""
        return self._handle.elastic

    @property
    def macroslip(self) -> Optional[float]:
        """Displacement beyond which every hysteretic part slips; None where there is no such point."""
        return self._handle.macroslip

    @property
    def derivatives(self) -> str:
        """How derivatives come about: 'exact' (dual numbers) or 'differences'."""
        return self._handle.derivatives

    def replace(self, **parameters: float) -> Law:
        """The same law with some parameters changed.

        >>> law("jenkins", kt=1, fs=2).replace(fs=3).parameters["fs"]
        3.0
        """
        return type(self)._remade(self, {**self.parameters, **parameters})

    def _remade(self, values: Mapping[str, float]) -> Law:
        if not self._summands:
            return Law(self.name, values)
        _known(self.name, values, self.parameters)
        parts, own = [], dict(values)
        keys = list(own)
        for part in self._summands:
            bare, keys = keys[:len(part.parameters)], keys[len(part.parameters):]
            parts.append(part._remade({k: own[n] for k, n in zip(part.parameters, bare)}))
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def follow(self, path: Any, times: Any = None) -> Any:
        """Force, tangent and energies along a path of displacements (forces for a law driven by force).

        Straight between the points, however far apart they are. A contact law takes (x, y, n) rows. `times` are for
        laws that depend on the pace.

        >>> law("jenkins", kt=1, fs=2).follow([0, 3, -1, 2]).f.tolist()
        [0.0, 2.0, -2.0, 1.0]
        """
        if self.components == 3:
            points = numbers(path, "path", shape=(None, 3))
            return ContactHistory(**self._handle.follow_contact(points), law=self.name)
        points = numbers(path, "path", 1)
        return History(**self._handle.follow(points, _times(times, points)), law=self.name)

    def follow_derivatives(self, path: Any, times: Any = None) -> dict[str, History]:
        """Derivatives of every answer along a path to each parameter, by its key.

        >>> law("jenkins", kt=1, fs=2).follow_derivatives([1, 3])["fs"].f.tolist()
        [0.0, 1.0]
        """
        points = numbers(path, "path", 1)
        every = self._handle.follow_derivatives(points, _times(times, points))
        return {key: History(**one, law=f"d {self.name} / d {key}") for key, one in zip(self.parameters, every)}

    def cycle(self, amplitude: Any, *, tolerance: float = 1e-13, most_loops: int = 10000, check: bool = True) -> Cycles:
        """Steady cycling at one amplitude or an array of them.

        >>> law("iwan4", FS=10, KT=1, chi=-0.5, beta=5).cycle(1e-3).dissipation
        8.380...e-10
        """
        amplitudes = numbers(amplitude, "amplitude")
        if self.components == 3:
            raise BadInput(f"{self.name}: a contact law has no steady cycle along one displacement without its normal approach 'un'")
        columns = self._handle.cycle(amplitudes.ravel(), number(tolerance, "tolerance"), whole(most_loops, "most_loops", 1))
        failure = columns.pop("failure")
        cycles = Cycles(**_shaped(columns, amplitudes), law=self.name)
        if failure and check:
            raise NotConverged(failure, float(np.max(np.ravel(cycles.residual)[~np.ravel(cycles.converged)])), cycles)
        return cycles

    def cycle_derivatives(self, amplitude: Any, *, tolerance: float = 1e-13, most_loops: int = 10000) -> dict[str, Cycles]:
        """Derivatives of steady cycles to each parameter, by its key.

        >>> law("jenkins", kt=1, fs=2).cycle_derivatives(4.0)["fs"].dissipation     # D = 4 fs (A - fs/kt)
        0.0
        """
        amplitudes = numbers(amplitude, "amplitude")
        every = self._handle.cycle_derivatives(amplitudes.ravel(), number(tolerance, "tolerance"), whole(most_loops, "most_loops", 1))
        return {key: Cycles(**_shaped(one, amplitudes), law=f"d {self.name} / d {key}") for key, one in zip(self.parameters, every)}

    def loop(self, amplitude: float, points: int = 200) -> Loop:
        """The steady loop at an amplitude, `points` per branch."""
        count = whole(points, "points", 1, 10_000_000)
        A = number(amplitude, "amplitude")
        if A <= 0:
            raise BadInput(f"amplitude: {A:g} is not in (0, inf)")
        return Loop(**self._handle.loop(A, count), law=self.name)

    def __add__(self, other: Law) -> Law:
        """Both in parallel."""
        if not isinstance(other, Law):
            return NotImplemented
        return Law._of(self._handle + other._handle, (*(self._summands or (self,)), *(other._summands or (other,))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Law):
            return NotImplemented
        return self.name == other.name and list(self._handle.values) == list(other._handle.values)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self._handle.values)))

    def __reduce__(self) -> Any:
        if self._summands:
            return _sum_of, (self._summands,)
        return Law, (self.name, dict(self.parameters))

    def __repr__(self) -> str:
        listed = ", ".join(f"{key}={value:g}" for key, value in self.parameters.items())
        return f"<{self.name}: {listed}>" if listed else f"<{self.name}>"

    def _repr_html_(self) -> str:
        return f"<b>{self.name}</b>{self.parameters._repr_html_()}"


def law(name: str, parameters: Optional[Mapping[str, float]] = None, /, **more: float) -> Law:
    """A law by name, as `faying laws` lists them; names joined by '+' stand in parallel, `+kp` adds a spring.

    Parameters are keywords, or a mapping where their keys are no words of Python.

    >>> law("jenkins+jenkins", {"1.kt": 1, "1.fs": 2, "2.kt": 3, "2.fs": 4})
    <jenkins+jenkins: 1.kt=1, 1.fs=2, 2.kt=3, 2.fs=4>
    """
    return Law(name, parameters, **more)


@dataclasses.dataclass(frozen=True)
class LawInfo:
    """An entry of the catalogue."""

    key: str
    title: str
    source: str
    components: int
    drive: str
    claims: Mapping[str, Any]
    parameters: Mapping[str, Parameter]


def laws() -> list[LawInfo]:
    """Every law there is, with its parameters. A contact law may be there twice: on three displacements, and along a line.

    >>> [entry.key for entry in laws()][:2]
    ['jenkins', 'jenkins-prager']
    """
    entries = []
    for entry in _faying.catalogue():
        entry["parameters"] = {p["key"]: Parameter(**p) for p in entry["parameters"]}
        entries.append(LawInfo(**entry))
    return entries


class Finding(NamedTuple):
    """An invariant that a law breaks, and how."""

    invariant: str
    evidence: str


def check_law(law: Law, amplitude: float = 1.0, *, walks: int = 20, turns: int = 12, seed: int = 1) -> list[Finding]:
    """Which invariants a law breaks of those it claims, on random walks within an amplitude; an empty list is good.

    >>> check_law(law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), amplitude=20)
    []
    """
    if not isinstance(law, Law):
        raise BadInput(f"check_law: a law is needed, not {law!r}")
    size = number(amplitude, "amplitude")
    if size <= 0:
        raise BadInput(f"amplitude: {size:g} is not in (0, inf)")
    return [Finding(*one) for one in law._handle.check(size, whole(walks, "walks", 1), whole(turns, "turns", 1), whole(seed, "seed"))]


class Step(NamedTuple):
    """What a law of your own answers: arrays with an entry per site, `next` with a row per site."""

    force: Any
    tangent: Any
    work: Any
    dissipated: Any
    next: Any


class PythonLaw(Law):
    """A law written in Python. Derive from it, name the parameters, and write `step`.

    `step(u, z)` answers for straight ways of all sites at once: `u` (sites,) is where they go, `z` (sites, memory) what
    they remember. It returns a `Step`: force, tangent, the work done and the energy dissipated since the start, and what
    is remembered next. It must not change `z`, and must answer for ways of any length.

    With ``components = 3`` it is a contact law on (x, y, n), n positive when the faces close: `u` and the force are
    (sites, 3), the tangent (sites, 3, 3).

    >>> import numpy as np, faying
    >>> class Slider(faying.PythonLaw):
    ...     key = "slider"                                  # a spring in series with friction
    ...     table = {"k": faying.Parameter("N/m", "stiffness"), "fs": faying.Parameter("N", "slip force")}
    ...     memory = 4                                      # u, f, work, dissipated
    ...     masing = return_point = True
    ...     def step(self, u, z):
    ...         u0, f0, work, lost = z.T
    ...         trial = f0 + self.k * (u - u0)
    ...         f = np.clip(trial, -self.fs, self.fs)
    ...         slip = (trial - f) / self.k
    ...         lost = lost + f * slip
    ...         work = work + (f * f - f0 * f0) / (2 * self.k) + f * slip
    ...         tangent = np.where(trial == f, self.k, 0.0)
    ...         return faying.Step(f, tangent, work, lost, np.column_stack([u, f, work, lost]))
    >>> slider = Slider(k=1, fs=2)
    >>> faying.check_law(slider, amplitude=5)
    []
    >>> slider.cycle(4.0).dissipation == faying.law("jenkins", kt=1, fs=2).cycle(4.0).dissipation
    True
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    source: ClassVar[str] = ""
    table: ClassVar[Mapping[str, Parameter]] = {}
    components: ClassVar[int] = 1  # type: ignore[assignment]
    memory: ClassVar[int] = 0
    """Numbers that a site remembers."""
    virgin: ClassVar[Optional[tuple[float, ...]]] = None
    """What it remembers at the start; zeros unless given."""
    odd: ClassVar[bool] = True
    return_point: ClassVar[bool] = False
    masing: ClassVar[bool] = False  # type: ignore[assignment]
    dissipative: ClassVar[bool] = True
    continuous: ClassVar[bool] = True
    elastic: ClassVar[bool] = False  # type: ignore[assignment]
    linear: ClassVar[bool] = False
    cut_tolerance: ClassVar[float] = 1e-12

    def __init__(self, parameters: Optional[Mapping[str, float]] = None, /, **more: float) -> None:
        values = _faying.checked_values(self.key, type(self)._described(), _floats(self.key, {**mapping(parameters, "parameters"), **more}))
        self._take(values)
        self._handle = _faying.Law.from_python(type(self)._about(values))
        self._summands = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.key or not isinstance(cls.key, str):
            raise BadInput(f"{cls.__name__}: a law of your own needs a `key`, the word it is called by")
        if cls.components not in (1, 3):
            raise BadInput(f"{cls.key}: `components` is 1, or 3 for a contact law, not {cls.components!r}")
        if not isinstance(cls.memory, int) or cls.memory < 0:
            raise BadInput(f"{cls.key}: `memory` is how many numbers a site remembers, not {cls.memory!r}")
        if cls.virgin is not None and len(cls.virgin) != cls.memory:
            raise BadInput(f"{cls.key}: `virgin` must have {cls.memory} numbers, as `memory` says")
        for name, entry in cls.table.items():
            if not isinstance(entry, Parameter):
                raise BadInput(f"{cls.key}: parameter '{name}' must be a faying.Parameter, not {entry!r}")
            if not name.isidentifier() or hasattr(PythonLaw, name):
                raise BadInput(f"{cls.key}: a parameter cannot be called '{name}'")

    def step(self, u: Any, z: Any) -> Step:
        """Write this one."""
        raise NotImplementedError(f"{type(self).__name__}: write step(self, u, z), which returns a faying.Step")

    def find_macroslip(self) -> Optional[float]:
        """Displacement beyond which all of it slips, where there is one; override it if so."""
        return None

    def _take(self, values: list[float]) -> None:
        for key, value in zip(self.table, values):
            object.__setattr__(self, key, value)

    @classmethod
    def _twin(cls, values: list[float]) -> PythonLaw:
        """What the library holds: parameters and `step` without the handle, which would hold it in turn."""
        twin = object.__new__(cls)
        twin._take(values)
        return twin

    @classmethod
    def _described(cls) -> list[dict[str, Any]]:
        return [entry._described(name) for name, entry in cls.table.items()]

    @classmethod
    def _about(cls, values: Optional[list[float]]) -> dict[str, Any]:
        """What the library is told of the law, with parameters or, to be found by name, without."""
        twin = cls._twin(values or [])
        claims = {name: getattr(cls, name) for name in
                  ("odd", "return_point", "masing", "dissipative", "continuous", "elastic", "cut_tolerance")}
        return {"key": cls.key, "title": cls.title or cls.key, "source": cls.source, "parameters": cls._described(), "components": cls.components,
                "claims": claims, "virgin": [float(x) for x in cls.virgin or (0.0,) * cls.memory], "values": values or [],
                "macroslip": None if values is None else twin.find_macroslip(), "linear": cls.linear, "twin": twin, "remake": cls._twin, "again": False}

    def _step(self, u: Numbers, z: Numbers) -> list[Numbers]:
        """`step` with its answer checked; called by the library."""
        answer = self.step(u, z)
        try:
            force, tangent, work, dissipated, after = answer
        except (TypeError, ValueError):
            raise TypeError(f"{self.key}: step must return faying.Step(force, tangent, work, dissipated, next), "
                            f"not {type(answer).__name__}") from None
        square = u.shape if self.components == 1 else (*u.shape, 3)
        shapes = {"force": (force, u.shape), "tangent": (tangent, square), "work": (work, u.shape[:1]),
                  "dissipated": (dissipated, u.shape[:1]), "next": (after, (len(u), self.memory))}
        return [_entries(self.key, name, value, shape) for name, (value, shape) in shapes.items()]

    def _remade(self, values: Mapping[str, float]) -> Law:
        return type(self)(values)

    def __reduce__(self) -> Any:
        return type(self), (dict(self.parameters),)


_registered: dict[str, type[PythonLaw]] = {}


def register(cls: type[PythonLaw]) -> type[PythonLaw]:
    """From here on the law is found by its key: in model files, studies, `faying.law` and `identify`. A decorator too.

    Registered again under the same key (a cell run twice), the new class takes the place of the old one.
    """
    if not (isinstance(cls, type) and issubclass(cls, PythonLaw) and cls is not PythonLaw):
        raise BadInput(f"register: a class derived from faying.PythonLaw is needed, not {cls!r}")
    _faying.register_law({**cls._about(None), "again": cls.key in _registered}, cls._about)
    _registered[cls.key] = cls
    return cls


def _entries(key: str, name: str, value: Any, shape: tuple[int, ...]) -> Numbers:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape:
        try:
            array = np.broadcast_to(array, shape)
        except ValueError:
            raise ValueError(f"{key}: step returned {name} of shape {array.shape}; {shape} is needed") from None
    return np.ascontiguousarray(array)


def _floats(owner: str, given: Optional[Mapping[str, Any]]) -> dict[str, float]:
    return {str(key): number(value, f"{owner}: parameter '{key}'", finite=False) for key, value in mapping(given, owner).items()}


def _known(owner: str, given: Mapping[str, float], allowed: Mapping[str, float]) -> None:
    for key in given:
        if key not in allowed:
            raise BadInput(f"{owner}: unknown parameter '{key}'; allowed are: {', '.join(allowed)}")


def _times(times: Any, points: Numbers) -> Numbers:
    if times is None:
        return np.empty(0)
    return numbers(times, "times", shape=points.shape, increasing=True)


def _shaped(columns: dict[str, Any], like: Numbers) -> dict[str, Any]:
    if like.ndim == 0:
        return {name: float(values[0]) if name != "loops" else int(values[0]) for name, values in columns.items()}
    return {name: values.reshape(like.shape) for name, values in columns.items()}


def _sum_of(parts: tuple[Law, ...]) -> Law:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
