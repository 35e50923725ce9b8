"""Numbers as the library takes them: finite doubles in contiguous arrays of a known shape."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from .errors import BadInput

Numbers = npt.NDArray[np.float64]
PathLike = Union[str, "os.PathLike[str]"]


def numbers(given: Any, name: str, ndim: Optional[int] = None, shape: Optional[Sequence[Optional[int]]] = None,
            increasing: bool = False, finite: bool = True) -> Numbers:
    """An array of finite doubles; BadInput says what is wrong with `name`. Doubles that fit are not copied."""
    try:
        array = np.asarray(given)
        if array.dtype == object and array.size:  # whole numbers beyond 64 bits
            array = array.astype(np.float64) if all(isinstance(one, int) for one in array.ravel()) else array
    except (ValueError, OverflowError) as error:
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
    if finite and not np.isfinite(array).all() or np.isnan(array).any():
        where = np.argwhere(~np.isfinite(array))[0]
        raise BadInput(f"{name}: entry {', '.join(map(str, where)) or 0} is {array[tuple(where)]}; finite numbers are needed")
    if increasing and array.size > 1 and not (np.diff(array) > 0).all():
        raise BadInput(f"{name}: must increase")
    return array


def _dimensions(ndim: int) -> str:
    return {0: "one number is", 1: "a one-dimensional array is", 2: "a matrix is"}.get(ndim, f"{ndim} dimensions are")


def number(given: Any, name: str, finite: bool = True) -> float:
    """One number."""
    if isinstance(given, (str, bytes)):
        raise BadInput(f"{name} is no number: {given!r}")
    return float(numbers(given, name, 0, finite=finite))


def whole(given: Any, name: str, low: int = 0, high: int = 2**31 - 1) -> int:
    """A whole number from low to high; 3.0 is one."""
    try:
        value = operator.index(given)
    except TypeError:
        if not (isinstance(given, (float, np.floating)) and float(given).is_integer()):
            raise BadInput(f"{name}: a whole number is needed, not {given!r}") from None
        value = int(given)
    if not low <= value <= high:
        raise BadInput(f"{name}: a whole number from {low}{f' to {high}' if high < 2**31 - 1 else ''} is needed, not {value}")
    return value


def threads_of(given: Any) -> int:
    """How many threads; 0: as many as there are processors."""
    return whole(given, "threads", 0, 4096)


def text(given: Any, name: str) -> str:
    """A word or a name."""
    if not isinstance(given, str):
        raise BadInput(f"{name}: a name is needed, as a string, not {given!r}")
    return given


def objects(given: Any, name: str, kind: type, what: str) -> list[Any]:
    """A list of objects of one kind, from one or several."""
    try:
        listed = [given] if isinstance(given, kind) else list(given)
    except TypeError:
        listed = [None]
    if not all(isinstance(one, kind) for one in listed):
        raise BadInput(f"{name}: {what} is needed, or a list of them, not {given!r}")
    return listed


def one_of(given: Any, name: str, allowed: Sequence[Any]) -> None:
    """A word of those allowed; None where it is among them."""
    if not (given is None or isinstance(given, str)) or given not in allowed:
        raise BadInput(f"{name}: {given!r} is none of {', '.join(repr(one) for one in allowed if one is not None)}")


def mapping(given: Any, name: str) -> Mapping[Any, Any]:
    """Values by key; None has none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadInput(f"{name}: a mapping is needed, such as {{'kt': 1.0}}, not {given!r}")
    return given


def path_of(given: Any, name: str = "file") -> str:
    """The name of a file."""
    try:
        path = os.fsdecode(given)
    except TypeError:
        raise BadInput(f"{name}: the name of a file is needed, not {given!r}") from None
    if not path or "\0" in path:
        raise BadInput(f"{name}: {path!r} is no name of a file")
    return path


def paths_of(given: Any, name: str) -> list[str]:
    """One file or several."""
    if isinstance(given, (str, bytes, os.PathLike)):
        return [path_of(given, name)]
    try:
        listed = list(given)
    except TypeError:
        listed = []
    if not listed:
        raise BadInput(f"{name}: the name of a file or a list of them is needed, not {given!r}")
    return [path_of(one, name) for one in listed]


def single(given: Any) -> bool:
    """Whether it is one thing, not a list or an array of them."""
    return not (hasattr(given, "__iter__") or hasattr(given, "toarray")) or isinstance(given, (str, bytes)) or getattr(given, "ndim", 1) == 0


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
