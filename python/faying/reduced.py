"""Structures reduced to their joints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Mapping, Optional, Union

from . import _faying
from ._arrays import Numbers, numbers
from ._progress import progress_bar

if TYPE_CHECKING:
    from .models import Model

PathLike = Union[str, "os.PathLike[str]"]


class Reduced:
    """A structure reduced to its joints: from a file (.h5, .mat), or from a deck by a reduction file."""

    def __init__(self, handle: _faying.Reduced) -> None:
        self._handle = handle
        about = handle.describe()
        self.mass: Numbers = about["mass"]
        self.stiffness: Numbers = about["stiffness"]
        self.dofs: list[str] = about["dofs"]
        self.loads: dict[str, Numbers] = about["loads"]
        self.patches: dict[str, float] = dict(about["patches"])
        self.points: Numbers = about["points"]
        self.outputs: dict[str, Numbers] = dict(about["outputs"])
        self.provenance: dict[str, str] = about["provenance"]

    @classmethod
    def read(cls, path: PathLike) -> Reduced:
        """A file that `faying reduce` or `write` made."""
        return cls(_faying.Reduced.read(os.fspath(path)))

    @classmethod
    def reduce(cls, path: PathLike) -> Reduced:
        """Reduces the deck that a reduction file (TOML) names, as `faying reduce` does."""
        with progress_bar("reduce") as at:
            return cls(_faying.Reduced.reduce(os.fspath(path), at))

    def write(self, path: PathLike) -> None:
        """To .h5 or .mat; read again it is the same to the last bit."""
        self._handle.write(os.fspath(path))

    def model(self, static: Optional[Mapping[str, float]] = None, damping: float = 0.0) -> Model:
        """The structure without joints; `static` are factors of the loads it names, such as newtons per bolt."""
        from .models import Model

        factors = {str(name): float(value) for name, value in (static or {}).items()}
        return Model._of(self._handle.model(factors, float(numbers(damping, "damping", 0))), [], self)

    def __repr__(self) -> str:
        points = f", {len(self.points)} quadrature points" if len(self.points) else ""
        return f"<Reduced: {len(self.mass)} DOF, {len(self.patches)} patches{points}, loads: {', '.join(self.loads) or 'none'}>"
