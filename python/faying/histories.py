"""Time histories, and frequency and damping read out of ring-downs.

>>> import numpy as np, faying
>>> t = np.arange(0, 2, 1e-3)
>>> ring = np.exp(-0.01 * 2 * np.pi * 20 * t) * np.cos(2 * np.pi * 20 * t)
>>> found = faying.envelope(t, ring)
>>> bool(abs(found.zeta - 0.01).max() < 1e-4)
True
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING, Any, ClassVar, Mapping, Optional, Sequence, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, matrix, number, numbers, objects, one_of, whole
from .errors import BadInput, spoken, trusted
from .results import Result, finish, label, new_axes

if TYPE_CHECKING:
    from .models import Model

HISTORIES = ("half_sine", "sine", "chirp", "random", "flat_random", "tabulated")
QUANTITIES = ("displacement", "velocity", "acceleration")


@dataclasses.dataclass(frozen=True, eq=False)
class Load:
    """What drives a structure: a force on every DOF, times a function of time. See `half_sine` and the others."""

    shape: Any
    """A DOF (from 0), the name of an output, or a force on every DOF."""
    history: tuple[Any, ...]


def half_sine(amplitude: float, omega: float) -> tuple[Any, ...]:
    """amplitude sin(omega t) for half a period: a hammer."""
    return ("half_sine", number(amplitude, "amplitude"), number(omega, "omega"))


def sine(amplitude: float, omega: float, phase: float = 0.0, duration: float = np.inf) -> tuple[Any, ...]:
    """amplitude sin(omega t + phase) for as long as said."""
    return ("sine", number(amplitude, "amplitude"), number(omega, "omega"), number(phase, "phase"), number(duration, "duration", finite=False))


def chirp(amplitude: float, start: float, end: float, duration: float) -> tuple[Any, ...]:
    """A sine whose frequency (rad/s) goes linearly from one to the other."""
    return ("chirp", number(amplitude, "amplitude"), number(start, "start"), number(end, "end"), number(duration, "duration"))


def noise(level: Any, omega: Any, *, lines: int = 500, seed: int = 1) -> tuple[Any, ...]:
    """Gaussian noise of a one-sided spectral density (unit^2 s/rad): one level between omega = (low, high), or one per frequency."""
    frequencies = numbers(omega, "omega", 1, increasing=True)
    drawn = whole(lines, "lines", 1, 1_000_000), whole(seed, "seed", 0, 2**63 - 1)
    levels = numbers(level, "level")
    if levels.ndim == 0:
        if len(frequencies) != 2:
            raise BadInput("noise: one level goes with omega=(low, high)")
        return ("flat_random", number(level, "level"), float(frequencies[0]), float(frequencies[1]), *drawn)
    return ("random", frequencies, numbers(levels, "level", shape=frequencies.shape), *drawn)


def tabulated(times: Any, values: Any) -> tuple[Any, ...]:
    """Straight lines between samples, nothing outside."""
    t = numbers(times, "times", 1, increasing=True)
    return ("tabulated", t, numbers(values, "values", shape=t.shape))


@dataclasses.dataclass(repr=False, eq=False)
class Simulation(Result):
    """A time history, one row per recorded instant.

    `u`, `v` (times, DOF), `q` (times, modes kept), `joint_displacement` and `joint_force` (times, all joints' rows), and the
    energies. `samples` has the same at the times that were asked for. `data` is what the command prints: how the run went
    (steps, reversals, energy balance, frequencies, modes left out, notes).
    """

    units: ClassVar[Mapping[str, str]] = {"t": "s", "kinetic": "J", "strain": "J", "joint_work": "J", "joint_dissipated": "J",
                                          "viscous": "J", "input": "J", "missing": "J"}
    t: Numbers
    u: Numbers
    v: Numbers
    q: Numbers
    joint_displacement: Numbers
    joint_force: Numbers
    kinetic: Numbers
    strain: Numbers
    joint_work: Numbers
    joint_dissipated: Numbers
    viscous: Numbers
    input: Numbers
    missing: Numbers
    samples: dict[str, Numbers]
    data: dict[str, Any]

    @property
    def energy_error(self) -> float:
        """The greatest energy that nobody accounts for, over the greatest of the motion."""
        return float(self.data["energy"]["error"])

    @property
    def energy_held(self) -> bool:
        """Whether that is within the tolerance."""
        return bool(self.data["energy"]["held"])

    @property
    def notes(self) -> list[str]:
        """What one should know of the step, and of modes left out."""
        return list(self.data["notes"])

    def _title(self) -> str:
        return f"Simulation, {self.u.shape[1]} DOF"

    def plot(self, axes: Any = None, dofs: Optional[Sequence[int]] = None, **kwargs: Any) -> Any:
        """Displacements against time, of some or the first degrees of freedom."""
        axes = new_axes(axes)
        for dof in dofs if dofs is not None else range(min(3, self.u.shape[1])):
            axes.plot(self.t, self.u[:, dof], **{"label": f"DOF {dof}", "linewidth": 0.8, **kwargs})
        axes.legend(frameon=False)
        return finish(axes, label("time t", "s"), label("displacement", "m"))


def simulated(model: Model, loads: Union[Load, Sequence[Load]], duration: float, step: float, u: Any, v: Any, preloaded: bool,
              options: dict[str, Any], progress: Any, check: bool) -> Simulation:
    """Used by Model.simulate."""
    listed = objects(loads, "loads", Load, "faying.Load(shape, history)")
    for load in listed:
        if not (isinstance(load.history, tuple) and load.history and isinstance(load.history[0], str) and load.history[0] in HISTORIES):
            raise BadInput(f"Load: history: faying.half_sine(..), sine, chirp, noise or tabulated is needed, not {load.history!r}")
    given = [(model._shape_of(load.shape), load.history) for load in listed]
    start = [np.empty(0) if x is None else numbers(x, name, shape=(model.size,)) for x, name in ((u, "u"), (v, "v"))]
    if not given and u is None and v is None and not preloaded:
        raise BadInput("simulate: nothing moves: give loads, u or v")
    options = {**options, "duration": number(duration, "duration"), "step": number(step, "step"),
               "given": _known_by(given, start, preloaded, options["energy"]) if options["out"] else ""}
    data, record, at_samples, doubt = _faying.simulate(model._handle, given, start[0], start[1], bool(preloaded), options, progress)
    if data is None:  # a step did not converge: what came before it
        data = {"energy": {"error": float("nan"), "held": False}, "notes": [doubt[0]]}
    data["notes"] = [spoken(note) for note in data["notes"]]
    return trusted(Simulation(**record, samples=at_samples, data=data), doubt, check)


def _known_by(*given: Any) -> str:
    """What tells loads and a start from others, so that a record goes on with its own only."""
    def words(one: Any) -> str:
        if isinstance(one, (list, tuple)):
            return f"[{','.join(map(words, one))}]"
        return one.tobytes().hex() if isinstance(one, np.ndarray) else repr(one)

    return hashlib.sha256(words(given).encode()).hexdigest()


@dataclasses.dataclass(repr=False, eq=False)
class Envelope(Result):
    """Frequency and damping against amplitude, from one ring-down. `follows` says what the amplitude is that of."""

    units: ClassVar[Mapping[str, str]] = {"t": "s", "amplitude": "", "omega": "rad/s", "frequency": "Hz", "zeta": ""}
    t: Numbers
    amplitude: Numbers
    omega: Numbers
    omega_damped: Numbers
    zeta: Numbers
    omega_error: Numbers
    zeta_error: Numbers
    follows: str
    scatter: float
    dropped_segments: int

    @property
    def frequency(self) -> Numbers:
        """Hz."""
        return self.omega / (2 * np.pi)

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude."""
        both = new_axes(axes, 2)
        kwargs = {"marker": ".", "linestyle": "", **kwargs}
        both[0].semilogx(self.amplitude, self.frequency, **kwargs)
        both[1].loglog(self.amplitude, self.zeta, **kwargs)
        finish(both[0], f"amplitude ({self.follows})", label("frequency", "Hz"))
        finish(both[1], f"amplitude ({self.follows})", "damping ratio")
        return both


@dataclasses.dataclass(repr=False, eq=False)
class MergedBackbone(Result):
    """Several ring-downs as one curve, with 95 % bounds of the curve (mean) and of one measurement (observation)."""

    units: ClassVar[Mapping[str, str]] = {"amplitude": "", "omega": "rad/s", "zeta": "", "omega_mean_low": "rad/s",
                                          "omega_mean_high": "rad/s", "zeta_mean_low": "", "zeta_mean_high": ""}
    amplitude: Numbers
    omega: Numbers
    zeta: Numbers
    omega_mean_low: Numbers
    omega_mean_high: Numbers
    zeta_mean_low: Numbers
    zeta_mean_high: Numbers
    omega_observation_low: Numbers
    omega_observation_high: Numbers
    zeta_observation_low: Numbers
    zeta_observation_high: Numbers

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude, with their bounds."""
        both = new_axes(axes, 2)
        hertz = 1 / (2 * np.pi)
        for one, name, scale in ((both[0], "omega", hertz), (both[1], "zeta", 1.0)):
            one.plot(self.amplitude, scale * getattr(self, name), **kwargs)
            for kind, alpha in (("observation", 0.15), ("mean", 0.3)):
                one.fill_between(self.amplitude, scale * getattr(self, f"{name}_{kind}_low"),
                                 scale * getattr(self, f"{name}_{kind}_high"), alpha=alpha, linewidth=0)
            one.set_xscale("log")
        both[1].set_yscale("log")
        finish(both[0], "amplitude", label("frequency", "Hz"))
        finish(both[1], "amplitude", "damping ratio")
        return both


def envelope(t: Any, x: Any, *, method: str = "hilbert", band: Optional[tuple[float, float]] = None, order: int = 4,
             segments: int = 0, drop_start: float = 0.04, drop_end: float = 0.04, quantity: Optional[str] = None,
             as_quantity: Optional[str] = None) -> Envelope:
    """Frequency and damping of a ring-down against its amplitude.

    `band` (low, high) in Hz is a zero-phase Butterworth band-pass before. `quantity` is what was recorded
    ('displacement', 'velocity', 'acceleration'), `as_quantity` what the amplitude is to be given as.
    """
    one_of(method, "method", ("hilbert", "peaks"))
    for given in (quantity, as_quantity):
        one_of(given, "quantity", (None, *QUANTITIES))
    if as_quantity and not quantity:
        raise BadInput("as_quantity: needs quantity, what was recorded")
    times = numbers(t, "t", 1)
    edges = None if band is None else tuple(float(x) for x in numbers(band, "band", shape=(2,)))
    options = dict(method=method, band=edges, order=whole(order, "order", 1), segments=whole(segments, "segments"), drop_start=number(drop_start, "drop_start"),
                   drop_end=number(drop_end, "drop_end"), quantity=quantity or "", **{"as": as_quantity or quantity or ""})
    return Envelope(**_faying.envelope(times, numbers(x, "x", shape=times.shape), options))


def merge(envelopes: Sequence[Envelope], points: int = 50) -> MergedBackbone:
    """Several ring-downs as one backbone: Gaussian-process regression over log amplitude."""
    listed = objects(envelopes, "merge", Envelope, "an envelope")
    if not listed:
        raise BadInput("merge: an envelope is needed")
    columns = ("t", "amplitude", "omega", "zeta", "omega_error", "zeta_error")
    return MergedBackbone(**_faying.merged_backbone([{name: getattr(one, name) for name in columns} for one in listed], whole(points, "points", 2)))


def modal_coordinate(t: Any, channels: Any, shapes: Any, mode: int) -> Numbers:
    """The coordinate of one mode (from 1): least squares of the channels (channels, times) on shapes (channels, modes)."""
    times = numbers(t, "t", 1)
    x = matrix(channels, "channels", (None, len(times)))
    phi = matrix(shapes, "shapes", (len(x), None))
    return _faying.modal_coordinate(times, x, phi, whole(mode, "mode", 1, phi.shape[1]))
