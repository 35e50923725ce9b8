"""What can go wrong."""

from __future__ import annotations

import re
from typing import Any, TypeVar

Answer = TypeVar("Answer")
Doubt = tuple[str, float]
"""Why an answer is not to be trusted, empty where it is, and how far off it is."""


class BadInput(ValueError):
    """Something given cannot be used. The message says what, and what is allowed.

    >>> import faying
    >>> faying.law("jenkins", kt=1, fs=-2)
    Traceback (most recent call last):
    faying.errors.BadInput: jenkins: parameter 'fs' = -2 is outside (0, inf)
    """


class NotConverged(RuntimeError):
    """A solver stopped short of its tolerance.

    `residual` is how far it got (NaN where there is none), and `result` what did converge: the same object that would
    have been returned, its points marked. Functions that take `check` return it instead with ``check=False``.
    """

    def __init__(self, message: str, residual: float = float("nan"), result: Any = None) -> None:
        super().__init__(message, residual, result)
        self.residual = residual
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


def trusted(answer: Answer, doubt: Doubt, check: bool) -> Answer:
    """The answer, unless there are doubts and it is to be checked."""
    why, residual = doubt
    if check and why:
        raise NotConverged(why, residual, answer)
    return answer


_NAMES = {"dt": "step", "rho": "spectral_radius", "time": "duration", "at": "amplitudes"}


def spoken(message: str) -> str:
    """The library's messages name options of the command line; here they have the names of arguments.

    >>> spoken("--energy-tolerance is missed; --dt 0.1 would do")
    'energy_tolerance is missed; step=0.1 would do'
    """
    def argument(found: re.Match[str]) -> str:
        name = _NAMES.get(found[1], found[1].replace("-", "_"))
        return name if found[2] is None else f"{name}={found[2]}"

    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)(?: (-?\d[\d.e+-]*))?", argument, message)
