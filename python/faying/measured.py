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
from ._arrays import Numbers, PathLike, number, numbers, path_of, paths_of, strings, text, threads_of, whole
from ._progress import progress_bar
from .errors import BadInput, trusted
from .laws import _floats
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


class FoundModes(Result):
    """The modes of a record, by frequency; `other_lines` of its spectrum are none, `remarks` are about the whole record."""

    units: ClassVar[Mapping[str, str]] = {"frequency": "Hz", "low": "Hz", "high": "Hz", "points": "", "trusted": ""}

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.unit: str = data["unit"]
        self.reference: str = data["reference"]
        self.remarks: list[dict[str, str]] = data["remarks"]
        self.other_lines: list[dict[str, Any]] = data["other_lines"]
        self.modes = [FoundMode(**{key: np.atleast_1d(m[key]) for key in FoundMode.units}, frequency_at_rest=m["frequency"],
                                band=m["band"], trusted=m["trusted"], remarks=m["remarks"], data=m) for m in data["modes"]]

    @property
    def frequency(self) -> Numbers:
        """At rest, of every mode, in Hz; `low` and `high` are the ends of its band."""
        return np.array([mode.frequency_at_rest for mode in self.modes])

    @property
    def low(self) -> Numbers:
        return np.array([mode.band[0] for mode in self.modes])

    @property
    def high(self) -> Numbers:
        return np.array([mode.band[1] for mode in self.modes])

    @property
    def points(self) -> Any:
        """How many amplitudes each has."""
        return np.array([len(mode) for mode in self.modes])

    @property
    def trusted(self) -> Any:
        return np.array([mode.trusted for mode in self.modes])

    def __getitem__(self, index: int) -> FoundMode:
        return self.modes[index]

    def __iter__(self) -> Iterator[FoundMode]:
        return iter(self.modes)

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency over that at rest, and damping, against amplitude; faint where a mode is not trusted."""
        both = new_axes(axes, 2)
        for mode in self.modes:
            look = {"marker": ".", "linestyle": "", "alpha": 1.0 if mode.trusted else 0.3, "label": f"{mode.frequency_at_rest:.4g} Hz", **kwargs}
            both[0].semilogx(mode.amplitude, mode.omega / (2 * np.pi * mode.frequency_at_rest), **look)
            both[1].loglog(mode.amplitude, mode.zeta, **look)
        finish(both[0], label(f"amplitude of {self.reference}", self.unit), "frequency over that at rest")
        finish(both[1], label(f"amplitude of {self.reference}", self.unit), "damping ratio")
        both[0].legend(frameon=False, fontsize="small")
        return both

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
    wanted = numbers(frequencies, "frequencies", 1).tolist()
    text(channel, "channel")
    if not isinstance(record, Mapping):
        given = {"rate": number(rate, "rate"), "channel": channel, "frequencies": wanted,
                 "start": number(start, "start", finite=False), "end": number(end, "end", finite=False), "scale": number(scale, "scale"),
                 "units": text(units, "units"), "quantity": text(quantity, "quantity"), "as": text(as_, "as_"), "points": whole(points, "points", 1)}
        return FoundModes(_faying.modes_of_files(paths_of(record, "record"), given))
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
    return FoundModes(_faying.modes_of_arrays(float(times[0]), step, list(record), values, channel or next(iter(record)), wanted, whole(points, "points", 1)))


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
    """A backbone from force- and response-controlled sweeps (`faying envelope --sweeps`): frequency, force, amplitude and phase.

    >>> import numpy as np, faying, tempfile, os
    >>> folder = tempfile.TemporaryDirectory()
    >>> hertz = np.arange(79.5, 81, 0.05)                        # an oscillator of 1.9 kg at 80.2 Hz, 20 m/s^2 held
    >>> w, w0 = 2 * np.pi * hertz, 2 * np.pi * 80.2
    >>> stiffness = 1.9 * (w0**2 - w**2 + 2j * 3e-3 * w0**2)
    >>> table = np.column_stack([hertz, abs(stiffness) * 20 / w**2, np.full(len(w), 20.0), np.pi - np.angle(stiffness)])
    >>> file = os.path.join(folder.name, "sweep.csv")
    >>> np.savetxt(file, table, delimiter=",", header="frequency,force,amplitude,phase", comments="")
    >>> found = faying.sweeps(file, units="m/s^2")
    >>> (found.omega / 2 / np.pi).round(2).tolist(), found.zeta.round(4).tolist(), found.mass.round(3).tolist()
    ([80.2], [0.003], [1.9])
    """
    data = _faying.sweeps(paths_of(files, "files"), {"units": text(units, "units"), "quantity": text(quantity, "quantity"), "as": text(as_, "as_"),
                                  "scale": number(scale, "scale"), "levels": whole(levels, "levels", 1)})
    columns = {key: np.array([p[key] for p in data["points"]], dtype=float) for key in ForcedBackbone.units}
    return ForcedBackbone(**columns, held=[p["held"] for p in data["points"]], unit=data["unit"], data=data)


class ModalFits(Result):
    """Laws of an oscillator fitted to one measured backbone, best first by the error of points that a fit has not seen.

    `fits[0]` or `fits["iwan4"]` is all that the command prints of a fit; `curves` are the measured points and every law's.
    """

    units: ClassVar[Mapping[str, str]] = {"law": "", "score": "", "omega_rms": "", "zeta_rms": "", "aic": "", "bic": ""}

    def __init__(self, data: dict[str, Any], curves: dict[str, Numbers]) -> None:
        self.data = data
        self.fits: list[dict[str, Any]] = data["fits"]
        self.curves = curves

    @property
    def law(self) -> Any:
        return np.array([fit["law"] for fit in self.fits], dtype=object)

    @property
    def score(self) -> Numbers:
        """Error of points that a fit has not seen, over their scatter; laws are ranked by it."""
        return np.array([fit["held_out"]["score"] for fit in self.fits], dtype=float)

    @property
    def omega_rms(self) -> Numbers:
        return self._of("omega_rms")

    @property
    def zeta_rms(self) -> Numbers:
        return self._of("zeta_rms")

    @property
    def aic(self) -> Numbers:
        return self._of("aic")

    @property
    def bic(self) -> Numbers:
        return self._of("bic")

    def _of(self, key: str) -> Numbers:
        return np.array([fit[key] for fit in self.fits], dtype=float)

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
        a = self.curves["amplitude"]
        order = np.argsort(a)
        for axis, key, factor in ((both[0], "omega", 1 / (2 * np.pi)), (both[1], "zeta", 1.0)):
            axis.semilogx(a, self.curves[key] * factor, "k.", label="measured")
            for fit in self.fits:
                name = f"{key} {fit['law']}"
                if name in self.curves:
                    axis.semilogx(a[order], self.curves[name][order] * factor, label=fit["law"], **kwargs)
            axis.legend(frameon=False, fontsize="small")
        finish(both[0], "amplitude", label("frequency", "Hz"))
        finish(both[1], "amplitude", "damping ratio")
        return both


def modal_fit(file: PathLike, laws: Union[str, Sequence[str]], *, mode: int = 0, curves: str = "harmonic",
              fixed: Optional[Mapping[str, float]] = None, folds: int = 5, starts: int = 150, threads: int = 0, check: bool = True) -> ModalFits:
    """Oscillators with any law ("iwan4", "bouc-wen", "iwan4+polynomial k3,k5") fitted to a measured backbone and ranked (`faying modal-fit`).

    `file` is a backbone as `faying envelope --out` writes it. `curves` is 'harmonic', 'quasi-static' or 'simulated'.

    >>> import faying
    >>> fits = faying.modal_fit("examples/measured_laws/forced.csv", ["jenkins", "iwan4"], starts=40)
    >>> fits.law.tolist(), len(fits["iwan4"]["parameters"])
    (['iwan4', 'jenkins'], 6)
    """
    wanted = strings(laws, "laws")
    if not wanted:
        raise BadInput("modal_fit: give a law")
    given = {"mode": whole(mode, "mode"), "curves": text(curves, "curves"), "fixed": _floats("fixed", fixed), "folds": whole(folds, "folds"),
             "starts": whole(starts, "starts", 1), "threads": threads_of(threads)}
    with progress_bar("modal_fit") as at:
        data, columns, doubt = _faying.modal_fit(path_of(file), wanted, given, at)
    return trusted(ModalFits(data, columns), doubt, check)


class Calibrated(Result):
    """Posteriors of laws, the most probable first. `draws[law][parameter]` are arrays of chains x draws."""

    units: ClassVar[Mapping[str, str]] = {"law": "", "probability": "", "log_evidence": "", "rhat": "", "effective": "", "divergences": ""}

    def __init__(self, data: dict[str, Any], draws: dict[str, dict[str, Numbers]], store: str) -> None:
        self.data = data
        self.laws: list[dict[str, Any]] = data["laws"]
        self.draws = draws
        self.store = store

    @property
    def law(self) -> Any:
        return np.array([one["law"] for one in self.laws], dtype=object)

    @property
    def probability(self) -> Numbers:
        """Among these laws."""
        return self._of("probability")

    @property
    def log_evidence(self) -> Numbers:
        """Natural logarithm, by bridge sampling."""
        return np.array([one["evidence"]["bridge"]["value"] for one in self.laws], dtype=float)

    @property
    def rhat(self) -> Numbers:
        return self._of("rhat")

    @property
    def effective(self) -> Numbers:
        """The least number of effective draws."""
        return self._of("effective")

    @property
    def divergences(self) -> Numbers:
        return self._of("divergences")

    def _of(self, key: str) -> Numbers:
        return np.array([one.get(key, np.nan) for one in self.laws], dtype=float)

    def __repr__(self) -> str:
        told = ", ".join(f"{one['law']} {100 * one['probability']:.3g} %" for one in self.laws)
        return f"<calibrated: {told}>"

    def plot(self, axes: Any = None, law: Optional[str] = None, **kwargs: Any) -> Any:
        """Posterior density of every parameter of a law, the most probable one by default."""
        draws = self.draws[law if law is not None else self.laws[0]["law"]]
        each = np.atleast_1d(np.asarray(new_axes(axes, len(draws)), dtype=object))
        for one, (key, values) in zip(each, draws.items()):
            one.hist(np.ravel(values), **{"bins": 40, "density": True, "histtype": "step", **kwargs})
            finish(one, key, "posterior density")
        return each


def calibrate(file: PathLike, out: Optional[PathLike] = None, *, threads: int = 0, check: bool = True) -> Calibrated:
    """Posteriors of laws given measured backbones (`faying calibrate`): a calibration or study file.

    Draws are kept in `out` (default: the file's name with .calibration.db). Ctrl-C ends it as KeyboardInterrupt; the same call goes on
    where it was. ``calibrate("examples/measured_laws/calibrate.toml")`` takes some minutes: `draws["iwan4"]["chi"]` are then chains x draws.
    """
    source = path_of(file)
    store = os.path.splitext(source)[0] + ".calibration.db" if out is None else path_of(out, "out")
    with progress_bar("calibrate") as at:
        data, draws, doubt = _faying.calibrate(source, store, threads_of(threads), at)
    return trusted(Calibrated(data, draws, store), doubt, check)


class Posterior:
    """The posterior density of one law of a calibration or study file with its exact gradient, for PyMC, emcee, scipy or samplers of one's own.

    theta are coordinates in which all of space is allowed; `values(theta)` are the parameters in the units of the data, by key:
    the law's, then those of the errors.

    >>> import faying
    >>> posterior = faying.Posterior("examples/measured_laws/calibrate.toml", "jenkins")
    >>> theta = posterior.start()
    >>> density, gradient = posterior.log_density_gradient(theta)
    >>> gradient.shape == (len(posterior),) and density == posterior.log_density(theta)
    True
    """

    def __init__(self, file: PathLike, law: str) -> None:
        self._file = os.path.abspath(path_of(file))
        self._posterior = _faying.Posterior(self._file, text(law, "law"))
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

    def __reduce__(self) -> Any:
        return Posterior, (self._file, self.law)  # the file is read again

    def __repr__(self) -> str:
        return f"<posterior of {self.law}: {', '.join(self.keys)}>"
