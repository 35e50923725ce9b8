"""Quasi-static histories; used by Model.quasistatic."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Mapping

import numpy as np

from . import _faying
from ._arrays import Numbers, number, numbers, whole
from .errors import BadInput, trusted
from .results import Result, finish, label, new_axes

if TYPE_CHECKING:
    from .models import Model


@dataclasses.dataclass(repr=False, eq=False)
class SlowHistory(Result):
    """A model taken slowly through loads: load and displacement of the first drive, energy dissipated so far.

    `x` (points, DOF) has every displacement of every point; `data` is all that the command prints: every drive, events,
    the closed loop.
    """

    units: ClassVar[Mapping[str, str]] = {"load": "N", "displacement": "m", "dissipated": "J", "residual": ""}
    load: Numbers
    displacement: Numbers
    dissipated: Numbers
    residual: Numbers
    x: Numbers
    data: dict[str, Any]

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Load against displacement, of every drive."""
        axes = new_axes(axes)
        for drive in self.data["drives"]:
            axes.plot(drive["displacement"], drive["load"], **{"label": drive["name"], **kwargs})
        axes.legend(frameon=False)
        return finish(axes, label("displacement", "m"), label("load", "N"))


def quasistatic(model: Model, forces: Mapping[Any, Any], displacements: Mapping[Any, Any], *, cycle: bool, points: int, closure: float,
                most_loops: int, path_tolerance: float, events: bool, sites: bool, check: bool) -> SlowHistory:
    """See Model.quasistatic."""
    drives: list[tuple[Numbers, str, str]] = []
    values: list[Numbers] = []
    for kind, given in (("force", forces), ("displacement", displacements)):
        for where, history in given.items():
            row = model._shape_of(np.array(where) if isinstance(where, tuple) else where)
            drives.append((row, kind, where if isinstance(where, str) else f"{kind} {len(drives) + 1}"))
            values.append(np.atleast_1d(numbers(history, f"values of {where!r}")))
    if not drives:
        raise BadInput("quasistatic: nothing moves: give forces or displacements")
    sizes = {len(column) for column in values}
    if len(sizes) != 1 or any(column.ndim != 1 for column in values):
        raise BadInput("quasistatic: every drive needs values of one length")
    if cycle and sizes != {1}:
        raise BadInput("quasistatic: with cycle=True each drive has one value, its amplitude")
    if cycle:  # loops between shares 1 and -1 of rows as large as the amplitudes
        if any(column[0] <= 0 for column in values):
            raise BadInput("quasistatic: amplitudes must be positive")
        scales, columns = [float(column[0]) for column in values], []
    else:
        scales, columns = [1.0] * len(values), values
    options = dict(points=whole(points, "points", 1, 100_000), closure=number(closure, "closure"), most_loops=whole(most_loops, "most_loops", 1, 100_000),
                   path_tolerance=number(path_tolerance, "path_tolerance"), events=bool(events), sites=bool(sites))
    if not (options["closure"] > 0 and options["path_tolerance"] > 0):
        raise BadInput("quasistatic: closure and path_tolerance must be positive")
    data, _, doubt, x = _faying.quasistatic(model._handle, drives, scales, columns, 1.0 if cycle else 0.0, options)
    answer = SlowHistory(load=data["load"], displacement=data["displacement"], dissipated=data["dissipated"], residual=data["residual"],
                         x=x, data=data)
    return trusted(answer, doubt, check)
