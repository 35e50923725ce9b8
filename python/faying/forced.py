"""Nonlinear modes and forced responses by harmonic balance; used by the methods of Model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _faying
from ._arrays import Numbers, number, numbers, one_of, single, strings, whole
from .backbones import Backbone, Response
from .errors import BadInput, trusted

if TYPE_CHECKING:
    from .models import Model


def orders_of(harmonics: Any) -> Union[str, list[int]]:
    """What the library takes: 'auto', or a list of orders."""
    if isinstance(harmonics, str):
        if harmonics.split(":")[0] != "auto":
            raise BadInput(f"harmonics: an order, a list of orders, 'auto' or 'auto:1e-4', not {harmonics!r}")
        return harmonics
    orders = list(range(whole(harmonics, "harmonics", 0, 500) + 1) if single(harmonics) else harmonics)
    if not orders:
        raise BadInput("harmonics: give an order")
    return [whole(k, "harmonics", 0, 500) for k in orders]


def epmc(model: Model, mode: int, amplitudes: Numbers, harmonics: Any, samples: int, amplitude_of: str, output: Optional[str],
         derivatives: bool) -> Backbone:
    """A nonlinear mode by the extended periodic motion concept."""
    data, _, doubt = _faying.epmc(model._handle, whole(mode, "mode", 1), amplitudes, orders_of(harmonics), whole(samples, "samples"), amplitude_of, output or "",
                                  bool(derivatives))
    points, joints = data["points"], model._joint_names()
    slopes: Optional[dict[str, Any]] = None
    if derivatives:
        names = [(d["joint"], d["parameter"]) for d in next((p["derivatives"] for p in points if "derivatives" in p), [])]
        slopes = {"names": names, **{of: _columns(points, len(names), lambda p: [d[of] for d in p["derivatives"]])
                                     for of in ("omega", "zeta")}}
    return Backbone(**_motions(data, points, model), q=_column(points, "q"), zeta=_column(points, "zeta"), mode=mode, method="epmc",
                    joints=joints, status=[p["status"] for p in points], doubt=doubt, derivatives=slopes, data=data)


def _column(points: Sequence[dict[str, Any]], name: str) -> Numbers:
    """One number of every point; NaN where it has none, as those that did not converge."""
    return np.array([p.get(name, np.nan) for p in points], dtype=float)


def _columns(points: Sequence[dict[str, Any]], count: int, read: Any) -> Numbers:
    return np.array([read(p) if p["status"] == "converged" else np.full(count, np.nan) for p in points], dtype=float).reshape(-1, count)


def _motions(data: dict[str, Any], points: Sequence[dict[str, Any]], model: Model) -> dict[str, Any]:
    """What modes and responses by harmonic balance share."""
    orders = [int(k) for k in data["orders"]]
    functions = sum(1 if k == 0 else 2 for k in orders)
    harmonics = np.full((len(points), model.size, functions), np.nan)
    for k, p in enumerate(points):
        if "harmonics" in p:
            harmonics[k] = np.array(p["harmonics"]).T
    return dict(omega=_column(points, "omega"), dissipation=_column(points, "dissipation"), residual=_column(points, "residual"),
                iterations=_column(points, "iterations"), converged=np.array([p["status"] == "converged" for p in points], dtype=bool),
                dissipation_by_joint=_columns(points, len(model._joint_names()), lambda p: p["dissipation_by_joint"]),
                harmonics=harmonics, orders=orders, neglected=float(data.get("neglected", 0.0)))


def _asked(at: Any) -> Numbers:
    wanted = np.empty(0) if at is None else np.atleast_1d(numbers(at, "at"))
    if (wanted <= 0).any():
        raise BadInput("at: must be positive")
    return wanted


def _options(**given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = dict(along="frequency", at=np.empty(0), only_asked=False, hold=None, omega=0.0, phase_mode=0, superharmonic=1,
                                 both_ends=False, isolas=False, exact_orbits=False, outputs=[], synthesis=0)
    return {**plain, **given}


def _responses(model: Model, shape: Numbers, levels: Numbers, options: dict[str, Any], check: bool) -> list[Response]:
    data, counts, doubt = _faying.response(model._handle, shape, levels, options)
    answers, first = [], 0
    for level, count in enumerate(counts):
        points = data["points"][first:first + count]
        first += count
        stable = {True: "stable", False: "unstable", None: "unknown"}
        answers.append(Response(
            **_motions(data, points, model), a=_column(points, "a"), force=float(levels[level]), joints=model._joint_names(),
            point_force=_column(points, "force"), turning_point=np.array([p["turning_point"] for p in points], dtype=bool),
            stability=np.array([stable[p.get("stable")] for p in points], dtype=str), branch=np.array([p["branch"] for p in points], dtype=int),
            bifurcation=np.array([p.get("bifurcation", "none") for p in points], dtype=str), data=points,
            peaks={name: np.array([p.get("peaks", {}).get(name, np.nan) for p in points]) for name in options["outputs"]},
            synthesis=data["synthesis"][level] if "synthesis" in data else None))
    trusted(answers[0] if len(answers) == 1 else answers, doubt, check)
    return answers


def response(model: Model, shape: Any, force: Any, omega: Optional[tuple[float, float]], *, at: Any, harmonics: Any, samples: int,
             stability: bool, hold: Optional[tuple[Any, str, float]], both_ends: bool, isolas: int, outputs: Any,
             synthesis: int, exact_orbits: bool, check: bool) -> Any:
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
        if not (isinstance(hold, (tuple, list)) and len(hold) == 3) or not isinstance(hold[1], str):
            raise BadInput("hold: (where, 'displacement' or 'acceleration', an amplitude above zero)")
        one_of(hold[1], "hold", ("displacement", "acceleration"))
        row, quantity, amplitude = hold[0], hold[1], number(hold[2], "hold: amplitude")
        if not amplitude > 0:
            raise BadInput(f"hold: an amplitude above zero is needed, not {amplitude:g}")
        held = (model._shape_of(row), amplitude, quantity == "acceleration")
    options = _options(range=(float(ends[0]), float(ends[1])), at=wanted, only_asked=omega is None, hold=held, both_ends=bool(both_ends),
                       isolas=whole(isolas, "isolas") > 0, phase_mode=int(isolas), harmonics=orders_of(harmonics), samples=whole(samples, "samples"),
                       stability=bool(stability), outputs=strings(outputs, "outputs"), synthesis=whole(synthesis, "synthesis"),
                       exact_orbits=bool(exact_orbits))
    answers = _responses(model, model._shape_of(shape), np.atleast_1d(levels), options, check)
    return answers if levels.ndim else answers[0]


def resonance(model: Model, shape: Any, forces: tuple[float, float], mode: int, *, at: Any, superharmonic: int, omega: Optional[float],
              harmonics: Any, samples: int, stability: bool, check: bool) -> Response:
    """See Model.resonance."""
    ends = numbers(forces, "forces", shape=(2,))
    if not (ends > 0).all() or ends[0] == ends[1]:
        raise BadInput("forces: two different positive numbers are needed")
    options = _options(along="force", range=(float(ends[0]), float(ends[1])), at=_asked(at), phase_mode=0 if omega is not None else whole(mode, "mode", 1),
                       omega=0.0 if omega is None else number(omega, "omega"), superharmonic=whole(superharmonic, "superharmonic", 1),
                       harmonics=orders_of(harmonics), samples=whole(samples, "samples"),
                       stability=bool(stability))
    return _responses(model, model._shape_of(shape), ends[:1], options, check)[0]
