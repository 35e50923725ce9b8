"""From measurements to laws: modes of hammer records, sweeps of a shaker, oscillators fitted to backbones, posteriors of laws.

>>> import numpy as np, faying
>>> t = np.arange(8000) / 4000
>>> x = 3 * np.exp(-0.9 * t) * np.cos(2 * np.pi * 90 * t) + 1e-4 * np.random.default_rng(1).normal(size=8000)
>>> found = faying.find_modes({"tip": x}, t)
>>> len(found), round(found[0].frequency_at_rest, 3), bool(abs(found[0].zeta / (0.9 / 565.49) - 1).max() < 0.05)
(1, 90.0, True)
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Optional, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, numbers, strings
from ._progress import progress_bar
from .errors import BadInput, NotConverged
from .models import PathLike
from .results import Result, finish, label, new_axes

Files = Union[PathLike, Sequence[PathLike]]


def _two_plots(result: Any, axes: Any, kwargs: Any) -> Any:
    both = new_axes(axes, 2)
    kwargs = {"marker": ".", "linestyle": "", **kwargs}
    both[0].semilogx(result.amplitude, result.omega / (2 * np.pi), **kwargs)
    both[1].loglog(result.amplitude, result.zeta, **kwargs)
    finish(both[0], "amplitude", label("frequency", "Hz"))
    finish(both[1], "amplitude", "damping ratio")
    return both


@dataclasses.dataclass(repr=False, eq=False)
class FoundMode(Result):
    """A mode of a hammer record against amplitude: by damped sines on the raw channels, and by band-pass (`_hilbert`).

    `remarks` are reasons for doubt, `trusted` whether they leave the numbers standing; `data` has shapes at the sensors,
    the backbone with bounds and all that the command prints.
    """

    units: ClassVar[Mapping[str, str]] = {"t": "s", "amplitude": "", "omega": "rad/s", "zeta": "", "omega_error": "rad/s",
                                          "zeta_error": "", "omega_hilbert": "rad/s", "zeta_hilbert": ""}
    t: Numbers
    amplitude: Numbers
    omega: Numbers
    zeta: Numbers
    omega_error: Numbers
    zeta_error: Numbers
    omega_hilbert: Numbers
    zeta_hilbert: Numbers
    frequency_at_rest: float
    band: Numbers
    trusted: bool
    remarks: list[dict[str, str]]
    data: dict[str, Any]

    def _title(self) -> str:
        return f"mode at {self.frequency_at_rest:.5g} Hz" + ("" if self.trusted else ", not trusted")

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude."""
        return _two_plots(self, axes, kwargs)


class FoundModes:
    """The modes of a record, by frequency; `other_lines` of its spectrum are none, `remarks` are about the whole record."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.unit: str = data["unit"]
        self.reference: str = data["reference"]
        self.remarks: list[dict[str, str]] = data["remarks"]
        self.other_lines: list[dict[str, Any]] = data["other_lines"]
        self.modes = [FoundMode(**{key: np.atleast_1d(m[key]) for key in FoundMode.units}, frequency_at_rest=m["frequency"],
                                band=m["band"], trusted=m["trusted"], remarks=m["remarks"], data=m) for m in data["modes"]]

    def __len__(self) -> int:
        return len(self.modes)

    def __getitem__(self, index: int) -> FoundMode:
        return self.modes[index]

    def __iter__(self) -> Iterator[FoundMode]:
        return iter(self.modes)

    def near(self, hertz: float) -> FoundMode:
        """The mode nearest to a frequency."""
        return min(self.modes, key=lambda mode: abs(mode.frequency_at_rest - hertz))

    def __repr__(self) -> str:
        return f"<modes of a record at {', '.join('%.5g' % m.frequency_at_rest for m in self.modes)} Hz>"


def find_modes(record: Union[PathLike, Sequence[PathLike], Mapping[str, Any]], t: Any = None, *, frequencies: Sequence[float] = (), channel: str = "",
               start: float = -np.inf, end: float = np.inf, scale: float = 1.0, rate: float = 0.0, units: str = "",
               quantity: str = "", as_: str = "", points: int = 40) -> FoundModes:
    """All modes of a hammer record of several sensors, without hand tuning (`faying envelope --modes auto`).

    `record` is a file, or several files of hits of one structure, or channels by name with their common times `t`. `frequencies` (Hz) asks for modes near them only;
    amplitudes are those of `channel` (the first). Units, quantities and times to leave out are for files, as the command has them.
    """
    wanted = [float(f) for f in frequencies]
    if not isinstance(record, Mapping):
        given = {"rate": float(rate), "channel": channel, "frequencies": wanted, "start": float(start), "end": float(end),
                 "scale": float(scale), "units": units, "quantity": quantity, "as": as_, "points": int(points)}
        records = [record] if isinstance(record, (str, os.PathLike)) else record
        return FoundModes(_faying.modes_of_files([os.fspath(r) for r in records], given))
    if units or quantity or as_ or rate or scale != 1 or np.isfinite([start, end]).any():
        raise BadInput("find_modes: units, quantity, as_, rate, scale, start and end are for files; arrays are taken as they are")
    if t is None or not record:
        raise BadInput("find_modes: channels by name, and their times t, are needed")
    times = numbers(t, "t", 1, increasing=True)
    if len(times) < 2:
        raise BadInput("find_modes: t needs two times or more")
    step = float(times[-1] - times[0]) / (len(times) - 1)
    if np.abs(np.diff(times) - step).max() > 1e-3 * step:
        raise BadInput("find_modes: t must be evenly spaced")
    if channel and channel not in record:
        raise BadInput(f"find_modes: no channel '{channel}'; there are: {', '.join(record)}")
    values = [numbers(x, name, shape=times.shape) for name, x in record.items()]
    return FoundModes(_faying.modes_of_arrays(float(times[0]), step, list(record), values, channel or next(iter(record)), wanted, int(points)))


@dataclasses.dataclass(repr=False, eq=False)
class ForcedBackbone(Result):
    """A backbone from sweeps of a shaker: by the line of the dynamic stiffness, with what phase and magnitude alone would say as bounds."""

    units: ClassVar[Mapping[str, str]] = {"amplitude": "", "omega": "rad/s", "zeta": "", "omega_low": "rad/s", "omega_high": "rad/s",
                                          "zeta_low": "", "zeta_high": "", "phase_offset": "rad", "mass": "kg"}
    amplitude: Numbers
    omega: Numbers
    zeta: Numbers
    omega_low: Numbers
    omega_high: Numbers
    zeta_low: Numbers
    zeta_high: Numbers
    phase_offset: Numbers
    mass: Numbers
    held: list[str]
    unit: str
    data: dict[str, Any]

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude."""
        return _two_plots(self, axes, kwargs)


def sweeps(files: Files, *, units: str = "", quantity: str = "", as_: str = "", scale: float = 1.0, levels: int = 20) -> ForcedBackbone:
    """A backbone from force- and response-controlled sweeps (`faying envelope --sweeps`): frequency, force, amplitude and phase."""
    names = [os.fspath(f) for f in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    data = _faying.sweeps(names, {"units": units, "quantity": quantity, "as": as_, "scale": float(scale), "levels": int(levels)})
    columns = {key: np.array([p[key] for p in data["points"]], dtype=float) for key in ForcedBackbone.units}
    return ForcedBackbone(**columns, held=[p["held"] for p in data["points"]], unit=data["unit"], data=data)


class ModalFits:
    """Laws of an oscillator fitted to one measured backbone, best first by the error of points that a fit has not seen."""

    def __init__(self, data: dict[str, Any], columns: dict[str, Numbers]) -> None:
        self.data = data
        self.fits: list[dict[str, Any]] = data["fits"]
        self.columns = columns

    def __len__(self) -> int:
        return len(self.fits)

    def __getitem__(self, law: Union[int, str]) -> dict[str, Any]:
        if isinstance(law, int):
            return self.fits[law]
        for fit in self.fits:
            if fit["law"] == law:
                return fit
        raise KeyError(law)

    def __repr__(self) -> str:
        return f"<{len(self)} laws fitted to a backbone, best first: {', '.join(fit['law'] for fit in self.fits)}>"

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """The measured backbone and every law's."""
        both = new_axes(axes, 2)
        a = self.columns["amplitude"]
        order = np.argsort(a)
        for axis, key, factor in ((both[0], "omega", 1 / (2 * np.pi)), (both[1], "zeta", 1.0)):
            axis.semilogx(a, self.columns[key] * factor, "k.", label="measured")
            for fit in self.fits:
                name = f"{key} {fit['law']}"
                if name in self.columns:
                    axis.semilogx(a[order], self.columns[name][order] * factor, label=fit["law"], **kwargs)
            axis.legend(fontsize="small")
        finish(both[0], "amplitude", label("frequency", "Hz"))
        finish(both[1], "amplitude", "damping ratio")
        return both


def modal_fit(file: PathLike, laws: Union[str, Sequence[str]], *, mode: int = 0, curves: str = "harmonic",
              fixed: Optional[Mapping[str, float]] = None, folds: int = 5, starts: int = 150, threads: int = 0, check: bool = True) -> ModalFits:
    """Oscillators with any law ("iwan4", "bouc-wen", "iwan4+polynomial k3,k5") fitted to a measured backbone and ranked (`faying modal-fit`).

    `file` is a backbone as `faying envelope --out` writes it. `curves` is 'harmonic', 'quasi-static' or 'simulated'.
    """
    wanted = [laws] if isinstance(laws, str) else strings(laws, "laws")
    if not wanted:
        raise BadInput("modal_fit: give a law")
    given = {"mode": int(mode), "curves": curves, "fixed": {k: float(v) for k, v in (fixed or {}).items()}, "folds": int(folds),
             "starts": int(starts), "threads": int(threads)}
    with progress_bar("modal_fit") as at:
        data, columns, why = _faying.modal_fit(os.fspath(file), wanted, given, at)
    found = ModalFits(data, columns)
    if check and why:
        raise NotConverged(why, float("nan"), found)
    return found


class Calibrated:
    """Posteriors of laws, the most probable first. `draws[law][parameter]` are arrays of chains x draws."""

    def __init__(self, data: dict[str, Any], draws: dict[str, dict[str, Numbers]], store: str) -> None:
        self.data = data
        self.laws: list[dict[str, Any]] = data["laws"]
        self.draws = draws
        self.store = store

    def __repr__(self) -> str:
        told = ", ".join(f"{one['law']} {100 * one['probability']:.3g} %" for one in self.laws)
        return f"<calibrated: {told}>"


def calibrate(file: PathLike, out: Optional[PathLike] = None, *, threads: int = 0, check: bool = True) -> Calibrated:
    """Posteriors of laws given measured backbones (`faying calibrate`): a calibration or study file; goes on with the store `out` where it was."""
    source = os.fspath(file)
    store = os.path.splitext(source)[0] + ".calibration.db" if out is None else os.fspath(out)
    with progress_bar("calibrate") as at:
        data, draws, why = _faying.calibrate(source, store, int(threads), at)
    found = Calibrated(data, draws, store)
    if check and why:
        raise NotConverged(why, float("nan"), found)
    return found


class Posterior:
    """The posterior density of one law of a calibration or study file with its exact gradient, for PyMC, emcee, scipy or samplers of one's own.

    theta are coordinates in which all of space is allowed; `values(theta)` are the parameters in the units of the data, by key:
    the law's, then those of the errors.
    """

    def __init__(self, file: PathLike, law: str) -> None:
        self._posterior = _faying.Posterior(os.fspath(file), law)
        self.law = law
        self.keys: list[str] = self._posterior.keys

    def __len__(self) -> int:
        return len(self.keys)

    def start(self) -> Numbers:
        """Near the greatest density."""
        return self._posterior.start()

    def values(self, theta: Any) -> dict[str, float]:
        """The parameters that theta stands for."""
        return dict(zip(self.keys, self._posterior.values(numbers(theta, "theta", shape=(len(self.keys),))).tolist()))

    def log_density(self, theta: Any) -> float:
        """Natural logarithm, prior included; -inf where the model has no answer."""
        return self._posterior.log_density(numbers(theta, "theta", shape=(len(self.keys),)))

    def log_density_gradient(self, theta: Any) -> tuple[float, Numbers]:
        """The same with its gradient to theta."""
        density, gradient = self._posterior.log_density_gradient(numbers(theta, "theta", shape=(len(self.keys),)))
        return density, gradient

    def __repr__(self) -> str:
        return f"<posterior of {self.law}: {', '.join(self.keys)}>"
