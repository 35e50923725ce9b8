"""Nonlinear modes and forced responses by harmonic balance; used by the methods of Model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, numbers
from .backbones import Backbone, Response
from .errors import BadInput, NotConverged

if TYPE_CHECKING:
    from .models import Model


def orders_of(harmonics: Any) -> Union[str, list[int]]:
    """What the library takes: 'auto', or a list of orders."""
    if isinstance(harmonics, str):
        if harmonics.split(":")[0] != "auto":
            raise BadInput(f"harmonics: an order, a list of orders, 'auto' or 'auto:1e-4', not {harmonics!r}")
        return harmonics
    orders = list(range(int(harmonics) + 1)) if np.ndim(harmonics) == 0 else [int(k) for k in harmonics]
    if not all(0 <= k <= 500 for k in orders) or not orders:
        raise BadInput("harmonics: orders from 0 to 500")
    return orders


def epmc(model: Model, mode: int, amplitudes: Numbers, harmonics: Any, samples: int, amplitude_of: str, output: Optional[str],
         derivatives: bool) -> Backbone:
    """A nonlinear mode by the extended periodic motion concept."""
    points = _faying.epmc(model._handle, int(mode), amplitudes, orders_of(harmonics), int(samples), amplitude_of, output or "",
                          bool(derivatives))
    points["q"] = points.pop("a")
    points["converged"] = np.array(points["converged"], dtype=bool)
    doubt, neglected = points.pop("doubt"), points.pop("neglected")
    return Backbone(**points, mode=mode, method="epmc", joints=model._joint_names(), doubt=doubt, neglected=neglected)


def _asked(at: Any) -> Numbers:
    wanted = np.empty(0) if at is None else np.atleast_1d(numbers(at, "at"))
    if (wanted <= 0).any():
        raise BadInput("at: must be positive")
    return wanted


def _options(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = dict(along="frequency", at=np.empty(0), only_asked=False, hold=None, omega=0.0, phase_mode=0, superharmonic=1,
                                 both_ends=False, isolas=False)
    return {**plain, **given}


def _responses(model: Model, shape: Numbers, levels: Numbers, options: dict[str, Any], check: bool) -> list[Response]:
    told = _faying.response(model._handle, shape, levels, options)
    answers = []
    for level in told["levels"]:
        level.pop("zeta")
        for name, kind in (("converged", bool), ("turning_point", bool), ("branch", int), ("stability", str), ("bifurcation", str)):
            level[name] = np.array(level[name], dtype=kind)
        answers.append(Response(**level, joints=model._joint_names()))
    if check and told["doubt"]:
        last = answers[-1] if answers else None
        residual = float(last.residual[-1]) if last is not None and len(last) else float("nan")
        raise NotConverged(told["doubt"], residual, answers[0] if len(answers) == 1 else answers)
    return answers


def response(model: Model, shape: Any, force: Any, omega: Optional[tuple[float, float]], *, at: Any, harmonics: Any, samples: int,
             stability: bool, hold: Optional[tuple[Any, str, float]], both_ends: bool, isolas: int, check: bool) -> Any:
    """See Model.response."""
    wanted = _asked(at)
    if omega is None and not wanted.size:
        raise BadInput("response: give omega=(low, high), at=[..], or both")
    ends = np.array([0.9 * wanted.min(), 1.1 * wanted.max()]) if omega is None else numbers(omega, "omega", shape=(2,))
    if not (ends > 0).all() or ends[0] == ends[1]:
        raise BadInput("omega: two different positive frequencies are needed")
    levels = numbers(force, "force")
    if levels.ndim > 1 or not levels.size or (levels <= 0).any():
        raise BadInput("force: a positive number or several are needed")
    held = None
    if hold is not None:
        if levels.size > 1:
            raise BadInput("hold: finds the force; give one only")
        row, quantity, amplitude = hold
        if quantity not in ("displacement", "acceleration") or not amplitude > 0:
            raise BadInput("hold: (where, 'displacement' or 'acceleration', an amplitude above zero)")
        held = (model._shape_of(row), float(amplitude), quantity == "acceleration")
    options = _options(range=(float(ends[0]), float(ends[1])), at=wanted, only_asked=omega is None, hold=held, both_ends=bool(both_ends),
                       isolas=isolas > 0, phase_mode=int(isolas), harmonics=orders_of(harmonics), samples=int(samples),
                       stability=bool(stability))
    answers = _responses(model, model._shape_of(shape), np.atleast_1d(levels), options, check)
    return answers if levels.ndim else answers[0]


def resonance(model: Model, shape: Any, forces: tuple[float, float], mode: int, *, at: Any, superharmonic: int, omega: Optional[float],
              harmonics: Any, samples: int, stability: bool, check: bool) -> Response:
    """See Model.resonance."""
    ends = numbers(forces, "forces", shape=(2,))
    if not (ends > 0).all() or ends[0] == ends[1]:
        raise BadInput("forces: two different positive numbers are needed")
    if superharmonic < 1:
        raise BadInput(f"superharmonic: an order from 1, not {superharmonic}")
    options = _options(along="force", range=(float(ends[0]), float(ends[1])), at=_asked(at), phase_mode=0 if omega is not None else int(mode),
                       omega=float(omega or 0.0), superharmonic=int(superharmonic), harmonics=orders_of(harmonics), samples=int(samples),
                       stability=bool(stability))
    return _responses(model, model._shape_of(shape), ends[:1], options, check)[0]
