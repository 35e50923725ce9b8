"""What laws tell of themselves and give back: parameters, histories, cycles, loops."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Optional

import numpy as np

from ._arrays import Numbers, number, one_of
from .results import Result, finish, label, new_axes


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is known of a parameter: its unit, what it means, and which values are allowed.

    Positive unless bounds are given. `search` is the usual range of a fit, per square metre of joint where the unit
    holds a force.

    >>> Parameter("N/m", "stiffness").range
    '(0, inf)'
    """

    unit: str = ""
    meaning: str = ""
    lower: float = 0.0
    upper: float = math.inf
    lower_open: bool = True
    upper_open: bool = True
    default: Optional[float] = None
    symbol: str = ""
    scale: str = "log"
    search: Optional[tuple[float, float]] = None
    key: str = ""

    def __post_init__(self) -> None:
        number(self.lower, "parameter: lower", finite=False)
        number(self.upper, "parameter: upper", finite=False)
        one_of(self.scale, f"parameter {self.key}: scale", ("log", "linear"))
        if self.scale == "log" and self.lower < 0:
            object.__setattr__(self, "scale", "linear")

    @property
    def range(self) -> str:
        """Allowed values: '(0, inf)'."""
        left, right = "([" [not self.lower_open], ")]"[not self.upper_open]
        return f"{left}{self.lower:g}, {self.upper:g}{right}"

    def _described(self, key: str) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "key": key, "symbol": self.symbol or key}


class Parameters(Mapping[str, float]):
    """Values by key; `info[key]` has unit, meaning and bounds of each."""

    def __init__(self, values: Mapping[str, float], info: Mapping[str, Parameter]) -> None:
        self._values = dict(values)
        self.info: Mapping[str, Parameter] = dict(info)

    def __getitem__(self, key: str) -> float:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Parameters({self._values})"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{key}</td><td>{value:.6g}</td><td>{self.info[key].unit or '-'}</td>"
                       f"<td>{self.info[key].range}</td><td>{self.info[key].meaning}</td></tr>"
                       for key, value in self._values.items())
        return f"<table><thead><tr><th>key</th><th>value</th><th>unit</th><th>range</th><th>meaning</th></tr></thead><tbody>{rows}</tbody></table>"


class ForceCurve(Result):
    """Force over displacement."""

    u: Numbers
    f: Numbers
    law: str

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Force against displacement."""
        axes = new_axes(axes)
        axes.plot(self.u, self.f, **{"label": self.law, **kwargs})
        return finish(axes, label("displacement u", "m"), label("force f", "N"))


@dataclasses.dataclass(repr=False, eq=False)
class History(ForceCurve):
    """A law's answer along a path, one entry per point; work and dissipated are totals since the start.

    For a law driven by force (`six-state`) `u` is the answer and `tangent` the compliance.
    """

    units: ClassVar[Mapping[str, str]] = {"u": "m", "f": "N", "tangent": "N/m", "work": "J", "dissipated": "J"}
    u: Numbers
    f: Numbers
    tangent: Numbers
    work: Numbers
    dissipated: Numbers
    law: str = ""

    def _title(self) -> str:
        return f"{self.law} along a path"


@dataclasses.dataclass(repr=False, eq=False)
class ContactHistory(History):
    """A contact law along (x, y, n) points: `u` and `f` are (points, 3), `tangent` (points, 3, 3)."""

    units: ClassVar[Mapping[str, str]] = {"x": "m", "y": "m", "n": "m", "fx": "N", "fy": "N", "fn": "N", "work": "J",
                                          "dissipated": "J"}

    def columns(self) -> dict[str, Numbers]:
        table = {name: self.u[:, i] for i, name in enumerate(("x", "y", "n"))}
        table.update({name: self.f[:, i] for i, name in enumerate(("fx", "fy", "fn"))})
        return {**table, "work": self.work, "dissipated": self.dissipated}

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Tangential force against tangential displacement, both directions."""
        axes = new_axes(axes)
        for i, name in enumerate(("x", "y")):
            axes.plot(self.u[:, i], self.f[:, i], label=f"{self.law}, {name}", **kwargs)
        axes.legend(frameon=False)
        return finish(axes, label("displacement", "m"), label("force", "N"))


@dataclasses.dataclass(repr=False, eq=False)
class Cycles(Result):
    """Steady cycling between -amplitude and +amplitude.

    Arrays have the shape of the amplitudes that were asked for. `residual` is by how much a loop fails to close,
    relative; `loops` how many were needed (0: a closed form). Loops that did not close are NaN and not `converged`.
    """

    units: ClassVar[Mapping[str, str]] = {"amplitude": "m", "dissipation": "J", "secant": "N/m", "harmonic_stiffness": "N/m",
                                          "harmonic_damping": "N/m", "residual": "", "loops": ""}
    amplitude: Numbers
    dissipation: Numbers
    secant: Numbers
    harmonic_stiffness: Numbers
    harmonic_damping: Numbers
    residual: Numbers
    loops: Any
    law: str = ""

    def _title(self) -> str:
        return f"{self.law}, steady cycles"

    @property
    def converged(self) -> Any:
        """Which loops closed."""
        return np.isfinite(self.dissipation)

    @property
    def damping_ratio(self) -> Numbers:
        """Of the element by itself: D/(2 pi secant A^2)."""
        return self.dissipation / (2 * np.pi * self.secant * self.amplitude**2)

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Dissipation, and harmonic stiffness, against amplitude."""
        both = new_axes(axes, 2)
        A = np.ravel(self.amplitude)
        both[0].loglog(A, np.ravel(self.dissipation), **{"label": self.law, **kwargs})
        both[1].semilogx(A, np.ravel(self.harmonic_stiffness), **{"label": self.law, **kwargs})
        finish(both[0], label("amplitude", "m"), label("dissipation per cycle", "J"))
        finish(both[1], label("amplitude", "m"), label("harmonic stiffness", "N/m"))
        return both


@dataclasses.dataclass(repr=False, eq=False)
class Loop(ForceCurve):
    """A steady loop, drawn densely at its tips: up from -amplitude, and back."""

    units: ClassVar[Mapping[str, str]] = {"u": "m", "f": "N"}
    u: Numbers
    f: Numbers
    law: str = ""

    def _title(self) -> str:
        return f"{self.law}, steady loop"
