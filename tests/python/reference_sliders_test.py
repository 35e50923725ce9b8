"""500 coupled sliders along ten windows of six loads ([S3] chapter 2, tests/reference/sliders_500.json)."""

import os
import tempfile
import unittest

import numpy as np

import faying
from paths import Sines
from support import ReferenceTest

POINTS = 50  # a window; turning points between them are found


class Sliders(ReferenceTest):
    file = "sliders_500"
    LOADS = {"2.1.1": Sines((0.4, 1), (1, 4.16753)), "2.1.4": Sines((1.5, 1), (1, 4.16753)), "2.1.5": Sines((1, 1), (3, 4.16753)),
             "2.2.1": Sines((1, 1), (1.5, np.pi / 4)), "2.2.4": Sines((1, 1), (1.5, 5 * np.pi / 4)), "2.2.6": Sines((1, 1), (1.5, 2 * np.pi))}

    def test_loads(self):
        self.assertEqual(set(self.data["cases"]), set(self.LOADS))
        with tempfile.TemporaryDirectory() as folder:
            net = os.path.join(folder, "net.toml")
            with open(net, "w") as file:
                file.write(f'[network]\ngenerator = "random"\nsize = {self.data["inputs"]["n"]}\nseed = 12345\n')
            for name, load in self.LOADS.items():
                windows = self.data["cases"][name]["windows"]
                self.assertEqual([w["k"] for w in windows], list(range(1, 11)))
                formula = "+".join(f"{a!r}*sin({w!r}*t)" for a, w in load.pairs)
                h = faying.network(net, signal=formula, time=f"0:{2 * np.pi * len(windows)!r}:{POINTS * len(windows) + 1}")
                at = POINTS * np.arange(len(windows) + 1)
                D = np.diff(h.dissipated[at])
                for ours, key, tolerance in ((h.f[at[1:]], "f", 1e-11), (h.xi[at[1:]], "xi", 1e-8), (h.stored[at[1:]], "PE", 1e-8),
                                             (D, "D", 1e-8), (D + np.diff(h.stored[at]), "W", 1e-8)):
                    self.assert_close(ours, [w[key] for w in windows], tolerance, 1e-11)
                self.assertEqual(h.slipping[at[1:]].tolist(), [w["slipping"] for w in windows])
            for key, value in self.data["checksum"].items():
                self.assert_close(h.data["checksum"][key], value, 1e-12)


if __name__ == "__main__":
    unittest.main()
