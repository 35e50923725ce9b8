"""What can go wrong."""

from __future__ import annotations

from typing import Any


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
