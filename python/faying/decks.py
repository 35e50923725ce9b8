"""Decks: linear modes of a finite element model as it stands in its file."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Sequence, Union

from . import _faying
from ._arrays import strings
from .backbones import Modes
from .errors import BadInput

PathLike = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(repr=False, eq=False)
class DeckModes(Modes):
    """Linear modes of a deck, rigid motions first; `data` is all that the command prints, notes on the deck included."""

    rigid: int = 0
    data: dict[str, Any] = dataclasses.field(default_factory=dict)

    def _title(self) -> str:
        return f"Modes of a deck, {len(self.shapes)} DOF, {self.rigid} rigid motions"


def deck_modes(file: PathLike, count: int = 0, *, elements: Sequence[str] = (), weighting: str = "") -> DeckModes:
    """Linear modes of a deck (.inp), ties and couplings as it has them; 16 unless `count` says otherwise.

    `elements` ("C3D8R=C3D8I") and `weighting` are choices about its elements and couplings.
    """
    if count < 0:
        raise BadInput(f"count: a number of modes from 1, or 0 for 16, not {count}")
    made = _faying.deck_modes(os.fspath(file), int(count), strings(elements, "elements"), weighting)
    return DeckModes(omega=made["omega"], shapes=made["shapes"], residual=made["residual"], about="as in the deck", rigid=int(made["rigid"]),
                     data=made["told"])
