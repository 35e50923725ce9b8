"""What analyses return: arrays by name, with units, tables and pictures.

Every result has its numbers as attributes, a one-line `repr`, a table in notebooks, `to_pandas()` and `to_xarray()`
where those packages are installed, and `plot()` with matplotlib. Results can be pickled.
"""

from __future__ import annotations

import html
from typing import Any, ClassVar, Mapping, Optional

import numpy as np

from ._arrays import Numbers


class Result:
    """Base of all results."""

    units: ClassVar[Mapping[str, str]] = {}
    """Unit of each column; an empty one is a number without unit."""

    def columns(self) -> dict[str, Numbers]:
        """The table of this result: one-dimensional arrays of one length, by name."""
        table = {}
        for name in self.units:
            value = getattr(self, name)
            if value is not None:
                table[name] = np.atleast_1d(np.asarray(value)).ravel()
        return table

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the columns; its `attrs["units"]` are their units."""
        import pandas

        frame = pandas.DataFrame(self.columns())
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self) -> Any:
        """An xarray.Dataset along the first column; every variable has its unit."""
        import xarray

        table = self.columns()
        index = next(iter(table))
        variables = {name: (index, values, {"units": self.units[name]}) for name, values in table.items()}
        return xarray.Dataset(variables).set_coords(index)

    def _title(self) -> str:
        return type(self).__name__

    def __len__(self) -> int:
        return len(next(iter(self.columns().values()), ()))

    def __repr__(self) -> str:
        ends = []
        for name, values in list(self.columns().items())[:4]:
            unit = f" {self.units[name]}" if self.units[name] else ""
            span = f"{_short(values[0])}" if len(values) == 1 else f"{_short(values[0])} .. {_short(values[-1])}" if len(values) else "-"
            ends.append(f"{name} {span}{unit}")
        return f"<{self._title()}, {len(self)} points: {', '.join(ends)}>"

    def _repr_html_(self) -> str:
        table = self.columns()
        head = "".join(f"<th>{html.escape(n)}{_in_unit(self.units[n])}</th>" for n in table)
        count = len(self)
        shown: list[Optional[int]] = list(range(count)) if count <= 12 else [*range(6), None, *range(count - 5, count)]
        rows = "".join(
            f"<tr>{''.join('<td>&hellip;</td>' for _ in table)}</tr>" if i is None else
            f"<tr>{''.join(f'<td>{_short(v[i])}</td>' for v in table.values())}</tr>" for i in shown)
        return f"<table><caption>{html.escape(self._title())}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def _in_unit(unit: str) -> str:
    return f" / {html.escape(unit)}" if unit else ""


def label(name: str, unit: str) -> str:
    """An axis label: quantity over unit, as standards want it."""
    if not unit:
        return name
    return f"{name} / ({unit})" if "/" in unit or " " in unit else f"{name} / {unit}"


def new_axes(axes: Any, count: int = 1, **kwargs: Any) -> Any:
    """Axes to draw into: those given, or new ones in a figure of their own, side by side, four to a row."""
    if axes is not None:
        given = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
        if len(given) != count:
            from .errors import BadInput

            raise BadInput(f"axes: {count} needed, {len(given)} given")
        return given[0] if count == 1 else given
    import matplotlib.pyplot as pyplot

    columns = min(count, 4)
    rows = -(-count // columns)
    _, made = pyplot.subplots(rows, columns, figsize=(4.8 * columns, 3.6 * rows), layout="constrained", **kwargs)
    if count == 1:
        return made
    for unused in made.ravel()[count:]:
        unused.remove()
    return made.ravel()[:count]


def finish(axes: Any, x: str, y: str) -> Any:
    """Labels and a light grid."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, linewidth=0.4, alpha=0.5)
    return axes
