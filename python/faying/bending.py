"""Structures that bend far: condensed onto one mode, in free motion, and with friction beside it.

They are decks (.inp) or model files (.toml), as `faying sice`, `faying nnm` and `faying ignl` take them.

>>> import faying
>>> friction = faying.ignl("examples/panel/sdof.toml", [1e-4, 1e-3])
>>> friction.omega.round(3).tolist()
[611.819, 634.048]
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Mapping, Optional, Sequence, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, PathLike, numbers, path_of, strings, text, whole
from .errors import BadInput, trusted
from .results import Result, finish, label, new_axes


@dataclasses.dataclass(repr=False, eq=False)
class Condensed(Result):
    """A structure held along one mode: the force alpha at modal amplitude q; `data` has the fits and all that the command prints."""

    units: ClassVar[Mapping[str, str]] = {"q": "m kg^(1/2)", "alpha": "N kg^(-1/2)", "slope": "rad^2/s^2", "energy": "J", "residual": ""}
    q: Numbers
    alpha: Numbers
    slope: Numbers
    energy: Numbers
    residual: Numbers
    data: dict[str, Any]

    @property
    def taylor(self) -> Optional[dict[str, Any]]:
        """Exact coefficients about rest, where they were asked for."""
        found = self.data.get("taylor")
        return dict(found) if found is not None else None

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Force against amplitude."""
        axes = new_axes(axes)
        order = np.argsort(self.q)
        axes.plot(self.q[order], self.alpha[order], **{"marker": ".", **kwargs})
        return finish(axes, label("modal amplitude q", "m kg^(1/2)"), label("force alpha", "N kg^(-1/2)"))


@dataclasses.dataclass(repr=False, eq=False)
class FreeMotion(Result):
    """A nonlinear normal mode against amplitude; `data` has harmonics and all that the command prints."""

    units: ClassVar[Mapping[str, str]] = {"q_plus": "m kg^(1/2)", "q_minus": "m kg^(1/2)", "omega": "rad/s", "frequency": "Hz",
                                          "energy": "J", "residual": ""}
    q_plus: Numbers
    q_minus: Numbers
    omega: Numbers
    frequency: Numbers
    energy: Numbers
    residual: Numbers
    data: dict[str, Any]

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency against energy."""
        axes = new_axes(axes)
        axes.semilogx(self.energy, self.frequency, **{"marker": ".", **kwargs})
        return finish(axes, label("energy", "J"), label("frequency", "Hz"))


@dataclasses.dataclass(repr=False, eq=False)
class BentFriction(Result):
    """Frequency and damping of friction beside geometric stiffness; `data` has the curves and all that the command prints."""

    units: ClassVar[Mapping[str, str]] = {"q": "m kg^(1/2)", "omega": "rad/s", "frequency": "Hz", "zeta_tangent": "", "zeta_eq32": "",
                                          "dissipation_masing_positive": "J", "dissipation_masing_negative": "J",
                                          "dissipation_loop": "J"}
    q: Numbers
    omega: Numbers
    frequency: Numbers
    zeta_tangent: Numbers
    zeta_eq32: Numbers
    dissipation_masing_positive: Numbers
    dissipation_masing_negative: Numbers
    dissipation_loop: Numbers
    data: dict[str, Any]

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Frequency and damping against amplitude."""
        both = new_axes(axes, 2)
        both[0].semilogx(self.q, self.frequency, **{"marker": ".", **kwargs})
        both[1].loglog(self.q, self.zeta_tangent, **{"marker": ".", **kwargs})
        finish(both[0], label("modal amplitude q", "m kg^(1/2)"), label("frequency", "Hz"))
        finish(both[1], label("modal amplitude q", "m kg^(1/2)"), "damping ratio")
        return both


def _answer(kind: Any, told: tuple[Any, ...], check: bool) -> Any:
    data, table, doubt = told
    return trusted(kind(**{name: table[name] for name in kind.units}, data=data), doubt, check)


def _amplitudes(given: Any) -> Numbers:
    values = np.empty(0) if given is None else np.atleast_1d(numbers(given, "amplitudes"))
    if values.ndim != 1 or (values == 0).any():
        raise BadInput("amplitudes: a one-dimensional array without zeros is needed")
    return values


def sice(file: PathLike, amplitudes: Any = None, *, mode: int = 1, orders: str = "", taylor: int = 0, control: str = "amplitude",
         node: Union[int, Sequence[int]] = (), elements: Sequence[str] = (), weighting: str = "", check: bool = True) -> Condensed:
    """A structure condensed onto one mode (from 1) at amplitudes of either sign; `taylor` asks for exact coefficients up to that order.

    `orders` are the polynomials fitted, "2:7". With `control` the amplitudes are not q but 'load' alpha, 'arc-length' of the path, or
    the 'displacement' from rest of a `node`: its label and direction (1 to 3) in a deck, a degree of freedom (from 1) in a model file.
    `elements` ("C3D8R=C3D8I") and `weighting` are choices about a deck.

    >>> import faying
    >>> faying.sice("tests/reference/decks/flat.inp", [1e-4, 2e-4, 4e-4, 8e-4], orders="3").alpha.round(2).tolist()
    [34.29, 69.06, 141.85, 313.34]
    """
    told = _faying.sice(path_of(file), whole(mode, "mode", 1), _amplitudes(amplitudes), strings(elements, "elements"),
                        text(weighting, "weighting"), text(orders, "orders"), whole(taylor, "taylor", 0, 25), text(control, "control"),
                        [whole(each, "node", 1) for each in np.atleast_1d(numbers(node, "node"))])
    answer: Condensed = _answer(Condensed, told, check)
    return answer


def nnm(file: PathLike, amplitudes: Any, *, mode: int = 1, method: str = "auto", harmonics: int = 9, order: int = 0, shapes: bool = False,
        elements: Sequence[str] = (), weighting: str = "", check: bool = True) -> FreeMotion:
    """Nonlinear normal modes: free motion of a polynomial, a model or a whole mesh against amplitude.

    `method` is 'auto', 'quadrature', 'harmonic-balance' or 'shooting'; `order` sets a condensed mode beside it.

    >>> import faying
    >>> faying.nnm("tests/reference/decks/flat.inp", [2e-4], harmonics=5).frequency.round(2).tolist()
    [93.42]
    """
    if whole(order, "order", 0, 15) == 1:
        raise BadInput("order: 0 for none, or from 2 to 15, not 1")
    told = _faying.nnm(path_of(file), whole(mode, "mode", 1), _amplitudes(amplitudes), strings(elements, "elements"),
                       text(weighting, "weighting"), text(method, "method"), whole(harmonics, "harmonics", 1, 99), whole(order, "order"),
                       bool(shapes))
    answer: FreeMotion = _answer(FreeMotion, told, check)
    return answer


def ignl(file: PathLike, amplitudes: Any, *, mode: int = 1, order: int = 7, loops: bool = True, loop_steps: int = 20, grid: int = 0,
         curves: bool = False, elements: Sequence[str] = (), weighting: str = "", check: bool = True) -> BentFriction:
    """Friction beside geometric stiffness: frequency and damping at ascending amplitudes, loops traced unless told otherwise."""
    values = _amplitudes(amplitudes)
    if not values.size:
        raise BadInput("ignl: give amplitudes")
    if whole(grid, "grid", 0, 100_000) == 1:
        raise BadInput("grid: 0 for the law's own, or from 2 to 1e5, not 1")
    told = _faying.ignl(path_of(file), whole(mode, "mode", 1), values, strings(elements, "elements"), text(weighting, "weighting"),
                        whole(order, "order", 3, 9), bool(loops), whole(loop_steps, "loop_steps", 1, 100_000), whole(grid, "grid"),
                        bool(curves))
    answer: BentFriction = _answer(BentFriction, told, check)
    return answer
