"""Decks: linear modes of a finite element model as it stands in its file."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

from . import _faying
from ._arrays import PathLike, number, path_of, strings, text, whole
from .backbones import Modes


@dataclasses.dataclass(repr=False, eq=False)
class DeckModes(Modes):
    """Linear modes of a deck, rigid motions first; `data` is all that the command prints, notes on the deck included."""

    rigid: int = 0
    data: dict[str, Any] = dataclasses.field(default_factory=dict)

    def _title(self) -> str:
        return f"Modes of a deck, {len(self.shapes)} DOF, {self.rigid} rigid motions"


def mesh(name: str, out: PathLike, *, size: Optional[float] = None, element: str = "", tied: bool = False, **dimensions: float) -> dict[str, Any]:
    """Writes the deck of a built-in structure with bolted joints, 'brake-reuss' or 'sumali' (`faying mesh`; needs Gmsh).

    `size` is that of elements at the joint; dimensions are keywords, as ``faying mesh NAME --help`` lists them. Returns what the
    command prints: nodes, elements, mass.
    """
    return dict(_faying.mesh(text(name, "name"), path_of(out, "out"), None if size is None else number(size, "size"),
                             text(element, "element"), bool(tied), {key: number(value, key) for key, value in dimensions.items()}))


def deck_modes(file: PathLike, count: int = 0, *, elements: Sequence[str] = (), weighting: str = "") -> DeckModes:
    """Linear modes of a deck (.inp), ties and couplings as it has them; 16 unless `count` says otherwise.

    `elements` ("C3D8R=C3D8I") and `weighting` are choices about its elements and couplings.
    """
    made = _faying.deck_modes(path_of(file), whole(count, "count"), strings(elements, "elements"), text(weighting, "weighting"))
    return DeckModes(omega=made["omega"], shapes=made["shapes"], residual=made["residual"], about="as in the deck", rigid=int(made["rigid"]),
                     data=made["told"])
