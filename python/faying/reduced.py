"""Structures reduced to their joints."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional

from . import _faying
from ._arrays import Numbers, PathLike, mapping, number, path_of
from ._progress import progress_bar

if TYPE_CHECKING:
    from .models import Model


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
        return cls(_faying.Reduced.read(path_of(path, "path")))

    @classmethod
    def reduce(cls, path: PathLike) -> Reduced:
        """Reduces the deck that a reduction file (TOML) names, as `faying reduce` does."""
        with progress_bar("reduce") as at:
            return cls(_faying.Reduced.reduce(path_of(path, "path"), at))

    def write(self, path: PathLike) -> None:
        """To .h5 or .mat; read again it is the same to the last bit."""
        self._handle.write(path_of(path, "path"))

    def model(self, static: Optional[Mapping[str, float]] = None, damping: float = 0.0) -> Model:
        """The structure without joints; `static` are factors of the loads it names, such as newtons per bolt."""
        from .models import Model

        factors = {str(name): number(value, f"static: {name}") for name, value in mapping(static, "static").items()}
        return Model._of(self._handle.model(factors, number(damping, "damping")), [], self)

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "reduced.h5")
            self.write(file)
            return _rebuilt, (file.read_bytes(),)

    def __repr__(self) -> str:
        points = f", {len(self.points)} quadrature points" if len(self.points) else ""
        return f"<Reduced: {len(self.mass)} DOF, {len(self.patches)} patches{points}, loads: {', '.join(self.loads) or 'none'}>"


def _rebuilt(content: bytes) -> Reduced:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "reduced.h5")
        file.write_bytes(content)
        return Reduced.read(file)
