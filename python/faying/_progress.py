"""A progress bar where there is tqdm, on a terminal or in a notebook; else nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Optional


@contextlib.contextmanager
def progress_bar(label: str) -> Iterator[Optional[Callable[..., None]]]:
    """A function that takes the share done, 0 to 1, and perhaps what is being done; None without tqdm or a reader."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    if not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        yield None
        return
    # Anything below two seconds needs no bar.
    with tqdm(total=1.0, desc=label, delay=2, bar_format="{desc} {percentage:3.0f}%|{bar}| {remaining} left", leave=False) as bar:
        def at(share: float, doing: str = "") -> None:
            if doing:
                bar.set_description(f"{label}: {doing}", refresh=False)
            bar.update(share - bar.n)
        yield at
