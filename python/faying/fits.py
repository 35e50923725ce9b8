"""Fits: a law from a measured loop, a modal Iwan model from a backbone, studies, and posterior densities.

>>> import numpy as np, faying
>>> u = np.sin(np.linspace(0, 12, 400))
>>> measured = faying.law("jenkins", kt=3, fs=1.2).follow(u)
>>> found = faying.identify(measured.u, measured.f, "jenkins")
>>> bool(abs(found.parameters["fs"] - 1.2) < 1e-9)
True
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Optional, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, PathLike, number, numbers, objects, one_of, path_of, single, strings, text, threads_of, whole
from ._progress import progress_bar
from .backbones import MODAL
from .errors import BadInput, NotConverged
from .laws import Law, _floats, law
from .models import Model
from .results import Result, finish, label, new_axes


@dataclasses.dataclass(repr=False, eq=False)
class Identified(Result):
    """A law found in a loop. `other` is what the past of the record that was not taken gave."""

    units: ClassVar[Mapping[str, str]] = {"u": "m", "f": "N", "modelled": ""}
    law: Law
    parameters: dict[str, float]
    standard_errors: dict[str, float]
    rms: float
    relative_rms: float
    condition: float
    entangled: list[str]
    memory: str
    converged: bool
    iterations: int
    u: Numbers
    f: Numbers
    modelled: Numbers
    other: Optional[dict[str, Any]]

    def __repr__(self) -> str:
        found = ", ".join(f"{k}={v:.6g}" + (f" +- {self.standard_errors[k]:.2g}" if k in self.standard_errors else "")
                          for k, v in self.parameters.items())
        return f"<{self.law.name} identified, misfit {100 * self.relative_rms:.3g} %: {found}>"

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """The measured loop and the law's."""
        axes = new_axes(axes)
        axes.plot(self.u, self.f, ".", markersize=2, label="measured")
        driven = self.law.drive == "force"
        axes.plot(self.modelled if driven else self.u, self.f if driven else self.modelled, **{"label": self.law.name, **kwargs})
        axes.legend(frameon=False)
        return finish(axes, label("displacement u", "m"), label("force f", "N"))


def identify(u: Any, f: Any, law: str, *, t: Any = None, fixed: Optional[Mapping[str, float]] = None, free: Sequence[str] = (),
             start: Optional[Mapping[str, float]] = None, memory: str = "auto", passes: int = 3, iterations: int = 300,
             terms: Optional[Sequence[str]] = None, symmetric: bool = False, form: str = "integral", cut: Optional[float] = None,
             stride: Optional[int] = None, refine: bool = False, threads: int = 0, check: bool = True) -> Identified:
    """The parameters of a law, or of a sum such as 'iwan4+kp', from a measured loop.

    `fixed` are held, `free` names parameters with defaults that are to be found too. `memory` says what was before the
    record: 'virgin', 'steady', or 'auto' (both are tried). For generalized-valanis: `terms`, `symmetric`, `refine`, and
    `form`: 'integral' needs no slopes, 'spline' and 'differences' do, without points slower than `cut` of the greatest
    speed, differenced over `stride` samples either way.
    """
    one_of(memory, "memory", ("auto", "virgin", "steady"))
    one_of(form, "form", ("integral", "spline", "differences"))
    if cut is not None and form == "integral":
        raise BadInput("cut is of form 'differences' or 'spline'; the integral form uses whole branches")
    if stride is not None and form != "differences":
        raise BadInput("stride is of form 'differences'")
    x = numbers(u, "u", 1)
    y = numbers(f, "f", shape=x.shape)
    times = np.empty(0) if t is None else numbers(t, "t", shape=x.shape, increasing=True)
    options = dict(fixed=_floats("fixed", fixed), start=_floats("start", start), free=strings(free, "free"), memory=memory,
                   passes=whole(passes, "passes", 1), iterations=whole(iterations, "iterations", 1), threads=threads_of(threads), refine=bool(refine),
                   terms=None if terms is None else strings(terms, "terms"), symmetric=bool(symmetric), form=form,
                   cut=None if cut is None else number(cut, "cut"), stride=None if stride is None else whole(stride, "stride", 1))
    with progress_bar(f"identify {law}") as at:
        found = _faying.identify(x, y, times, text(law, "law"), options, at)
    answer = Identified(law=Law(law, found["parameters"]), u=x, f=y, **found)
    if check and not answer.converged:
        raise NotConverged(f"identify: {law} did not settle in {answer.iterations} iterations", answer.relative_rms, answer)
    return answer


@dataclasses.dataclass(repr=False, eq=False)
class ModalIwan(Result):
    """One mode as an oscillator with a spring, a dashpot and an Iwan element."""

    units: ClassVar[Mapping[str, str]] = {"q": MODAL, "omega": "rad/s", "zeta": ""}
    parameters: dict[str, float]
    standard_errors: dict[str, float]
    start: dict[str, float]
    omega_rms: float
    zeta_rms: float
    iterations: int
    converged: bool
    macroslip: float
    q: Numbers
    omega: Numbers
    zeta: Numbers
    stiffness: str = "harmonic"

    def __repr__(self) -> str:
        found = ", ".join(f"{k}={v:.5g}" for k, v in self.parameters.items())
        return f"<Modal Iwan model: {found}>"

    def at(self, q: Any) -> tuple[Numbers, Numbers]:
        """omega and zeta of the model at modal amplitudes."""
        amplitudes = numbers(q, "q")
        omega, zeta = _faying.modal_iwan_at(self.parameters, amplitudes.ravel(), self.stiffness)
        return omega.reshape(amplitudes.shape), zeta.reshape(amplitudes.shape)

    def model(self) -> Model:
        """A unit mass with that element, to be simulated."""
        p = self.parameters
        omega0 = np.sqrt(p["k_infinity"] + p["KT"])
        one = Model([[1.0]], [[p["k_infinity"]]], [[2 * p["zeta0"] * omega0]])
        return one.add_joint(law("iwan4", FS=p["FS"], KT=p["KT"], chi=p["chi"], beta=p["beta"]), dofs=0, name="iwan")

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """The points and the model's curves."""
        both = new_axes(axes, 2)
        q = np.geomspace(self.q.min(), self.q.max(), 200)
        omega, zeta = self.at(q)
        both[0].semilogx(self.q, self.omega / (2 * np.pi), ".", q, omega / (2 * np.pi), "-", **kwargs)
        both[1].loglog(self.q, self.zeta, ".", q, zeta, "-", **kwargs)
        finish(both[0], label("modal amplitude q", MODAL), label("frequency", "Hz"))
        finish(both[1], label("modal amplitude q", MODAL), "damping ratio")
        return both


def fit_modal_iwan(q: Any, omega: Any, zeta: Any, *, omega_error: Any = None, zeta_error: Any = None, stiffness: str = "harmonic",
                   robust: bool = True, zeta0: float = 0.0, check: bool = True) -> ModalIwan:
    """A modal Iwan model from amplitude, frequency (rad/s) and damping of one mode.

    Errors are relative standard errors of the points, where known. `zeta0` is held where it is given.
    """
    one_of(stiffness, "stiffness", ("harmonic", "secant"))
    a = numbers(q, "q", 1)
    w, z = numbers(omega, "omega", shape=a.shape), numbers(zeta, "zeta", shape=a.shape)
    if (a <= 0).any() or (w <= 0).any():
        raise BadInput("fit_modal_iwan: q and omega must be positive")
    errors = [np.empty(0) if e is None else np.full(a.shape, number(e, name)) if single(e) else numbers(e, name, shape=a.shape)
              for e, name in ((omega_error, "omega_error"), (zeta_error, "zeta_error"))]
    if any((e <= 0).any() for e in errors):
        raise BadInput("fit_modal_iwan: errors must be positive")
    found = _faying.fit_modal_iwan(a, w, z, errors[0], errors[1], stiffness, bool(robust), number(zeta0, "zeta0"))
    answer = ModalIwan(**found, q=a, omega=w, zeta=z, stiffness=stiffness)
    if check and not answer.converged:
        raise NotConverged(f"modal Iwan fit did not settle in {answer.iterations} iterations", answer.zeta_rms, answer)
    return answer


@dataclasses.dataclass(repr=False, eq=False)
class StudyResult(Result):
    """What a study gave: `ranking` names the variants, best first; `data` is all of it, as the report page reads it."""

    units: ClassVar[Mapping[str, str]] = {"variant": "", "score": ""}
    data: dict[str, Any]
    store: str

    def _title(self) -> str:
        return str(self.data.get("title", "Study"))

    @property
    def ranking(self) -> list[str]:
        return list(self.data["ranking"])

    @property
    def variant(self) -> Any:
        return np.array(self.ranking, dtype=object)

    @property
    def score(self) -> Numbers:
        """Area not dominated, of each variant of the ranking."""
        return np.array([self._of(name)["score"] for name in self.ranking], dtype=float)

    def _of(self, name: str) -> dict[str, Any]:
        for variant in self.data["variants"]:
            if variant["name"] == name:
                return dict(variant)
        raise BadInput(f"there is no variant '{name}'; allowed are: {', '.join(v['name'] for v in self.data['variants'])}")

    def front(self, name: str) -> tuple[dict[str, Numbers], Numbers]:
        """Parameters of the front's points by key, and their errors (points, modes, 2: frequency, damping)."""
        variant = self._of(name)
        points = variant["front"]
        x = np.array([p["x"] for p in points], dtype=float).reshape(len(points), len(variant["parameters"]))
        nothing = [np.nan, np.nan]
        errors = np.array([[e if e is not None else nothing for e in p["errors"]] for p in points], dtype=float)
        return {p["key"]: x[:, i] for i, p in enumerate(variant["parameters"])}, errors

    def plot(self, axes: Any = None, mode: int = 0, **kwargs: Any) -> Any:
        """Fronts of all variants: error of damping against error of frequency, of one of the study's modes (from 0)."""
        axes = new_axes(axes)
        for name in self.ranking:
            _, errors = self.front(name)
            if len(errors):
                axes.loglog(errors[:, mode, 0], errors[:, mode, 1], ".", **{"label": name, **kwargs})
        axes.legend(frameon=False, fontsize="small")
        return finish(axes, "error of frequency", "error of damping")


def study(path: PathLike, out: Optional[PathLike] = None, *, threads: int = 0) -> StudyResult:
    """Runs a study file (TOML), or goes on with it: evaluations are kept in `out` (default: the file's name with .db).

    Ctrl-C ends it as KeyboardInterrupt; the same call goes on where it was. A fit file is a study of one variant.
    """
    source = path_of(path, "path")
    store = path_of(out, "out") if out is not None else Path(source).stem + ".db"
    with progress_bar("study") as at:
        told = _faying.run_study(source, store, threads_of(threads), at)
    return StudyResult(json.loads(told), store)


def read_study(store: PathLike) -> StudyResult:
    """What is in the store of a study, finished or not."""
    name = path_of(store, "store")
    return StudyResult(json.loads(_faying.read_store(name)), name)


def report(store: PathLike, out: PathLike = "report.html", *, title: str = "") -> dict[str, Any]:
    """The page of a study (`faying report`): ranking, fronts, backbones, loops, in one file; .json: the same as data.

    Returns what the command prints: how many variants and points there are, how large the file is.
    """
    return dict(_faying.write_report(path_of(store, "store"), path_of(out, "out"), text(title, "title")))


class Unknown(NamedTuple):
    """A parameter that a calibration is after: of a joint's law, between two values."""

    joint: str
    parameter: str
    low: float
    high: float
    scale: str = "log"


class Calibration:
    """The posterior density of joint parameters, given measured backbones; with its gradient, for samplers and optimisers.

    ln omega and ln zeta of every measured point have independent Gaussian errors, `omega_error` and `zeta_error`
    (relative). The prior is flat between the bounds of each unknown, on its scale. theta are the unknowns as they are
    searched: the logarithm of a parameter where its scale is 'log'.

    >>> import numpy as np, faying
    >>> model = faying.Model(np.eye(1), [[9.0]])
    >>> _ = model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=0, name="lap")
    >>> q = np.geomspace(0.1, 5, 6)
    >>> truth = model.backbone(1, q)
    >>> task = faying.Calibration(model, [faying.Unknown("lap", "FS", 1, 100)], omega_error=1e-3, zeta_error=0.05)
    >>> _ = task.measured(1, q, truth.omega, truth.zeta)
    >>> density, gradient = task.log_density_gradient([np.log(12.0)])
    >>> bool(density < task.log_density([np.log(10.0)]) and gradient[0] < 0)
    True
    """

    def __init__(self, model: Model, unknowns: Sequence[Unknown], *, omega_error: float, zeta_error: float,
                 method: str = "rqnma") -> None:
        if not isinstance(model, Model):
            raise BadInput(f"calibration: a model is needed, not {model!r}")
        self.model = model
        self.unknowns = objects(unknowns, "calibration", Unknown, "a faying.Unknown")
        self.method = method
        self.omega_error, self.zeta_error = number(omega_error, "omega_error"), number(zeta_error, "zeta_error")
        if not (self.omega_error > 0 and self.zeta_error > 0):
            raise BadInput("calibration: omega_error and zeta_error must be positive")
        one_of(method, "method", ("rqnma", "qsma"))
        laws = {joint.name: joint.law for joint in model.joints}
        for one in self.unknowns:
            one_of(one.scale, "Unknown: scale", ("log", "linear"))
            text(one.joint, "Unknown: joint")
            text(one.parameter, "Unknown: parameter")
            number(one.low, "Unknown: low")
            number(one.high, "Unknown: high")
            if one.joint not in laws or one.parameter not in laws[one.joint].parameters:
                raise BadInput(f"calibration: no parameter '{one.parameter}' at a joint '{one.joint}'")
            if not one.low < one.high or (one.scale == "log" and one.low <= 0):
                raise BadInput(f"calibration: bounds of {one.parameter}: {one.low} to {one.high} on a {one.scale} scale")
        self._data: list[tuple[int, Numbers, Numbers, Numbers]] = []

    def measured(self, mode: int, q: Any, omega: Any, zeta: Any) -> Calibration:
        """Adds a measured mode: modal amplitudes, rad/s, damping ratio."""
        a = numbers(q, "q", 1, increasing=True)
        w, z = numbers(omega, "omega", shape=a.shape), numbers(zeta, "zeta", shape=a.shape)
        if (w <= 0).any() or (z <= 0).any():
            raise BadInput("measured: omega and zeta must be positive")
        self._data.append((whole(mode, "mode", 1), a, w, z))
        return self

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """Of theta."""
        return [(np.log(one.low), np.log(one.high)) if one.scale == "log" else (one.low, one.high) for one in self.unknowns]

    def parameters(self, theta: Any) -> dict[tuple[str, str], float]:
        """The parameters that theta stands for, by joint and key."""
        x = numbers(theta, "theta", shape=(len(self.unknowns),))
        return {(one.joint, one.parameter): float(np.exp(t)) if one.scale == "log" else float(t) for one, t in zip(self.unknowns, x)}

    def model_at(self, theta: Any) -> Model:
        """The model with these parameters."""
        changes: dict[str, dict[str, float]] = {}
        for (joint, key), value in self.parameters(theta).items():
            changes.setdefault(joint, {})[key] = value
        named = {joint.name: joint.law for joint in self.model.joints}
        return self.model.replace({name: named[name].replace(**values) for name, values in changes.items()})

    def log_density(self, theta: Any) -> float:
        """Of the posterior, up to a constant; -inf outside the bounds and where the backbone does not converge."""
        return self._evaluated(theta, False)[0]

    def log_density_gradient(self, theta: Any) -> tuple[float, Numbers]:
        """The same with its gradient to theta, exact to the solver's tolerance (zeros where the density is -inf)."""
        return self._evaluated(theta, True)

    def _evaluated(self, theta: Any, slopes: bool) -> tuple[float, Numbers]:
        x = numbers(theta, "theta", shape=(len(self.unknowns),))
        gradient = np.zeros(len(x))
        nothing = (float("-inf"), np.zeros(len(x)))
        if not self._data:
            raise BadInput("calibration: nothing was measured; see measured()")
        if any(not low <= t <= high for t, (low, high) in zip(x, self.bounds)):
            return nothing
        model, values = self.model_at(x), self.parameters(x)
        total = 0.0
        for mode, q, omega, zeta in self._data:
            bones = model.backbone(mode, q, method=self.method, derivatives=slopes, shapes=False, check=False)
            if not bones.converged.all() or (bones.zeta <= 0).any():
                return nothing
            off_omega = np.log(bones.omega / omega) / self.omega_error
            off_zeta = np.log(bones.zeta / zeta) / self.zeta_error
            total -= 0.5 * float(off_omega @ off_omega + off_zeta @ off_zeta)
            for k, one in enumerate(self.unknowns if slopes else ()):
                per_theta = values[(one.joint, one.parameter)] if one.scale == "log" else 1.0
                d_omega = bones.slope("omega", one.joint, one.parameter) * per_theta / bones.omega
                d_zeta = bones.slope("zeta", one.joint, one.parameter) * per_theta / bones.zeta
                gradient[k] -= float(off_omega @ d_omega) / self.omega_error + float(off_zeta @ d_zeta) / self.zeta_error
        return total, gradient
