"""Numbers as the library takes them: finite doubles in contiguous arrays of a known shape."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from .errors import BadInput

Numbers = npt.NDArray[np.float64]


def numbers(given: Any, name: str, ndim: Optional[int] = None, shape: Optional[Sequence[Optional[int]]] = None,
            increasing: bool = False) -> Numbers:
    """An array of finite doubles; BadInput says what is wrong with `name`. Doubles that fit are not copied."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise BadInput(f"{name}: is not an array of numbers: {error}") from None
    if array.dtype.kind not in "iufb":
        what = "complex" if array.dtype.kind == "c" else f"of type {array.dtype}"
        raise BadInput(f"{name}: real numbers are needed, not an array that is {what}")
    array = np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array.astype(np.float64)
    if shape is not None:
        ndim = len(shape)
    if ndim is not None and array.ndim != ndim:
        raise BadInput(f"{name}: {_dimensions(ndim)} needed, not an array of shape {array.shape}")
    if shape is not None and any(s is not None and s != n for s, n in zip(shape, array.shape)):
        wanted = ", ".join("any" if s is None else str(s) for s in shape)
        raise BadInput(f"{name}: an array of shape ({wanted}) is needed, not {array.shape}")
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        raise BadInput(f"{name}: entry {', '.join(map(str, where)) or 0} is {array[tuple(where)]}; finite numbers are needed")
    if increasing and array.size > 1 and not (np.diff(array) > 0).all():
        raise BadInput(f"{name}: must increase")
    return array


def _dimensions(ndim: int) -> str:
    return {0: "one number is", 1: "a one-dimensional array is", 2: "a matrix is"}.get(ndim, f"{ndim} dimensions are")


def matrix(given: Any, name: str, shape: Optional[Sequence[Optional[int]]] = None) -> Numbers:
    """A dense matrix, from a dense or sparse one."""
    if hasattr(given, "toarray"):
        given = given.toarray()
    return numbers(given, name, shape=shape if shape is not None else (None, None))


def strings(given: Any, name: str) -> list[str]:
    """A list of strings, from one or several."""
    if isinstance(given, str):
        return [given]
    try:
        listed = list(given)
    except TypeError:
        raise BadInput(f"{name}: a name or a list of names is needed, not {given!r}") from None
    if not all(isinstance(one, str) for one in listed):
        raise BadInput(f"{name}: names are needed, not {given!r}")
    return listed
