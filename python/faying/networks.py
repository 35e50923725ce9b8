"""Networks of sliders along load histories, and laws of few states made of them."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Mapping, Optional, Sequence

import numpy as np

from . import _faying
from ._arrays import Numbers, PathLike, numbers, path_of, single, strings, text, whole
from .errors import BadInput, trusted
from .results import Result, finish, label, new_axes


@dataclasses.dataclass(repr=False, eq=False)
class NetworkHistory(Result):
    """A network along a history: load f, answer xi, energies, how many sliders slip; `data` is all that the command prints."""

    units: ClassVar[Mapping[str, str]] = {"f": "N", "xi": "m", "dissipated": "J", "stored": "J", "slipping": ""}
    f: Numbers
    xi: Numbers
    dissipated: Numbers
    stored: Numbers
    slipping: Numbers
    data: dict[str, Any]

    def _title(self) -> str:
        return f"Network of {self.data['sliders']} sliders"

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Load against answer."""
        axes = new_axes(axes)
        axes.plot(self.xi, self.f, **kwargs)
        return finish(axes, label("xi", "m"), label("load f", "N"))


@dataclasses.dataclass(repr=False, eq=False)
class FewStates(Result):
    """A law of few states made of a network, with what is lost on histories that it was not made for.

    `text` is the law file, which `write` puts where a law's name can be; `data` is all that the command prints.
    """

    units: ClassVar[Mapping[str, str]] = {"history": "", "force": "", "dissipation": "", "tangent": ""}
    data: dict[str, Any]
    text: str

    @property
    def history(self) -> Any:
        """Which histories were tried."""
        return np.array([one["history"] for one in self.data["test"]], dtype=object)

    @property
    def force(self) -> Numbers:
        """Relative error on each history; so are `dissipation` and `tangent`."""
        return self._of("force")

    @property
    def dissipation(self) -> Numbers:
        return self._of("dissipation")

    @property
    def tangent(self) -> Numbers:
        return self._of("tangent")

    def _of(self, key: str) -> Numbers:
        return np.array([one[key] for one in self.data["test"]], dtype=float)

    def plot(self, axes: Any = None, **kwargs: Any) -> Any:
        """Errors on the histories tried."""
        axes = new_axes(axes)
        for key in ("force", "dissipation", "tangent"):
            axes.semilogy(np.arange(1, len(self) + 1), self._of(key), **{"marker": "o", "linestyle": "", "label": key, **kwargs})
        axes.legend(frameon=False)
        return finish(axes, "history", "relative error")

    def write(self, path: PathLike) -> None:
        """To a .toml file that stands wherever a law's name does."""
        name = path_of(path, "path")
        if not name.endswith(".toml"):
            raise BadInput(f"write: '{name}' must end in .toml: that is how a law file is known")
        with open(name, "w") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        worst = self.data["worst"]
        return (f"<Law of {self.data['states']} states for {self.data['sliders']} sliders, worst errors: force {worst['force']:.2g}, "
                f"dissipation {worst['dissipation']:.2g}>")


def network(file: PathLike, path: Any = None, *, times: Any = None, signal: Optional[str] = None, time: str = "",
            method: str = "events") -> NetworkHistory:
    """A network file (TOML) along a path of loads, or a formula in t (`signal`) at times "START:STOP:COUNT" (`time`).

    >>> import faying, tempfile, os
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = os.path.join(folder.name, "network.toml")
    >>> with open(file, "w") as two:
    ...     _ = two.write("[network]\\nK = [[2, -1], [-1, 2]]\\nmu = [0.5, 1]\\nb = [1, 0]\\n")
    >>> faying.network(file, [0, 1, 3, -2]).dissipated.round(6).tolist()
    [0.0, 0.125, 0.833333, 1.833333]
    """
    text(time, "time"), text(signal or "" if single(signal) else signal, "signal")
    if (path is None) == (signal is None) or (signal is None) != (time == ""):
        raise BadInput("network: give a path, or signal and time together")
    points = np.empty(0) if path is None else numbers(path, "path", 1)
    known = np.empty(0) if times is None else numbers(times, "times", shape=points.shape, increasing=True)
    data = _faying.network(path_of(file), points, known, signal or "", time, text(method, "method"))
    return NetworkHistory(**{name: data[name] for name in NetworkHistory.units}, data=data)


def condense(file: PathLike, states: int, *, seed: int = 1, tests: Sequence[str] = (), time: str = "", rivals: Sequence[str] = (),
             check: bool = True) -> FewStates:
    """A network as a law of few states, with what is lost on histories it has not seen (`tests` are formulas in t).

    ``few = condense("network.toml", 6)``; ``few.write("six.toml")``; then ``faying.law("six.toml")`` is that law.
    """
    options = dict(seed=whole(seed, "seed"), tests=strings(tests, "tests"), time=text(time, "time"), rivals=strings(rivals, "rivals"))
    data, law_file, doubt = _faying.condense(path_of(file), whole(states, "states", 1), options)
    return trusted(FewStates(data, law_file), doubt, check)
