"""A deck with a crack to a loop: faying mesh, reduce and quasistatic as a user calls them."""

import math
import os
import re
import tempfile
import unittest

from faying import result, run

REDUCE = """
deck = "plate.inp"
modes = 0
contact = "deck"
[[load]]
name = "x"
tractions = [{ surface = "RIGHT", traction = [1, 0, 0] }, { surface = "LEFT", traction = [-1, 0, 0] }]
[[load]]
name = "y"
tractions = [{ surface = "TOP", traction = [0, 1, 0] }, { surface = "BOTTOM", traction = [0, -1, 0] }]
"""
MODEL = """
[structure]
file = "plate.h5"
[[joint]]
name = "rub"
law = "elastic-dry-friction"
pair = "all"
"""


class Contact(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.write("reduce.toml", REDUCE)
        cls.write("model.toml", MODEL)
        # One crack of 1 mm at 30 degrees in the middle of 24 mm.
        cls.mesh = result("mesh", "cracked-plate", "side=0.024", "cracks=1", "shortest=1e-3", "longest=1e-3", "margin=0.012", "turn_low=30",
                          "turn_high=30", "mu_low=0.3", "mu_high=0.3", "tip=0.02", "middle=0.06", "growth=0.25", "--size", "3e-3", "--out", "plate.inp", cwd=cls.folder)
        cls.reduced = result("reduce", "reduce.toml", "--out", "plate.h5", cwd=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w") as file:
            file.write(text)

    def refused(self, *words, status=2):
        code, out, err = run(*words, cwd=self.folder)
        self.assertEqual(code, status, err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        return err

    def test_an_inclined_crack_rubs_away_what_the_formula_says(self):
        pair = self.reduced["pairs"][0]
        self.assertTrue(pair["matching"])
        self.assertLess(abs(pair["area"] / 1e-6 - 1), 0.1)  # without the shares of the tips
        # Compression along y: on the crack p0 = s cos^2, tau0 = s sin cos.
        s, turn, a, mu, t = 100e6, math.radians(30), 0.5e-3, 0.3, 1e-3
        p0, tau = s * math.cos(turn) ** 2, s * math.sin(turn) * math.cos(turn)
        found = result("quasistatic", "model.toml", "--force", f"load=y,p={-s}", "--path", "0.25,0.5,0.75,1,0.75,0.5,0.25,0", "--path-tolerance", "1e-5",
                       "--penalty-check", "--sites", cwd=self.folder)
        f = mu * p0
        formula = 2 * math.pi * a**2 * t / 210e9 * f * (tau - f) * tau / (tau + f)
        self.assertLess(abs(found["dissipated"][-1] / formula - 1), 0.015)  # the plate is 24 times the crack
        self.assertLess(found["penalty_effect"], 5e-3)
        middle = found["sites"][3][0]
        self.assertLess(abs(max(middle["pressure"]) / p0 - 1), 0.2)
        for p, q in zip(middle["pressure"], middle["traction"]):
            self.assertLessEqual(q, mu * p * (1 + 1e-9) + 1)
        # Work of the load is what friction took.
        load, way = found["load"], found["displacement"]
        work = sum((load[k] + load[k + 1]) / 2 * (way[k + 1] - way[k]) for k in range(len(load) - 1)) + load[0] * way[0] / 2
        self.assertLess(abs(work / found["dissipated"][-1] - 1), 0.3)  # trapezoids over eight points

    def test_tension_loses_nothing(self):
        found = result("quasistatic", "model.toml", "--force", "load=y,p=100e6", "--path", "0.5,1,0.5,0", cwd=self.folder)
        self.assertLess(max(found["dissipated"]), 1e-30)

    def test_the_sparse_solver_gives_the_same(self):
        made = result("reduce", "reduce.toml", "--solver", "sparse", "--out", "sparse.h5", cwd=self.folder)
        self.assertEqual((made["solver"], self.reduced["solver"]), ("sparse", "condensed"))
        self.assertAlmostEqual(made["pairs"][0]["penalty"] / self.reduced["pairs"][0]["penalty"], 1, 9)
        self.write("sparse.toml", MODEL.replace("plate.h5", "sparse.h5"))
        # Pressed and sheared, turned, opened and closed again.
        words = ["--force", "load=x,p=60e6", "--force", "load=y,p=-100e6", "--path", "0.5,1,0.2,-0.5,0.7,0", "--sites"]
        dense, sparse = (result("quasistatic", name, *words, cwd=self.folder) for name in ("model.toml", "sparse.toml"))
        self.assertEqual(sparse["status"], ["converged"] * 6)
        self.assertGreater(dense["dissipated"][-1], 0)
        for key in ("displacement", "dissipated"):
            largest = max(map(abs, dense[key]))
            for a, b in zip(dense[key], sparse[key]):
                self.assertLess(abs(a - b), 1e-8 * largest)
        for a, b in zip(dense["sites"][:-1], sparse["sites"][:-1]):  # without a load what touches is a matter of rounding
            self.assertEqual(a[0]["status"], b[0]["status"])
        self.assertIn("is not condensed", self.refused("modes", "sparse.toml"))
        self.assertIn("--solver: 'dense' is not known", self.refused("reduce", "reduce.toml", "--solver", "dense", "--out", "x.h5"))
        self.write("patch.toml", MODEL.replace("plate.h5", "sparse.h5").replace('pair = "all"', 'patch = "all"'))
        self.assertIn("takes contact laws on its pairs", self.refused("quasistatic", "patch.toml", "--force", "load=x", "--path", "1"))

    def test_one_line_for_what_is_wrong(self):
        self.assertIn("unknown load 'z'; allowed are: x, y", self.refused("quasistatic", "model.toml", "--force", "load=z", "--path", "1"))
        self.write("bad.toml", MODEL.replace('"all"', '"CRACK_7_A"'))
        self.assertIn("there is no contact pair 'CRACK_7_A'; allowed are: all, CRACK_1_A", self.refused("quasistatic", "bad.toml", "--force", "load=x", "--path", "1"))
        self.write("bad.toml", MODEL.replace('"elastic-dry-friction"', '"jenkins"\nparameters = { kt = 1, fs = 1 }'))
        self.assertIn("no contact law", self.refused("quasistatic", "bad.toml", "--force", "load=x", "--path", "1"))
        self.write("both.toml", REDUCE + '[[pair]]\nname = "p"\nfirst = "CRACK_1_A"\nsecond = "CRACK_1_B"\n')
        self.assertIn('contact = "deck" or [[pair]]', self.refused("reduce", "both.toml", "--out", "x.h5"))
        self.assertIn("no room for crack", self.refused("mesh", "cracked-plate", "cracks=3000", "--out", "x.inp"))
        self.assertIn("is no whole number", self.refused("mesh", "cracked-plate", "cracks=1.5", "--out", "x.inp"))
        self.assertIn("CPS6", self.refused("mesh", "cracked-plate", "--element", "C3D8", "--out", "x.inp"))

    def test_the_same_seed_gives_the_same_deck(self):
        words = ["mesh", "cracked-plate", "cracks=5", "seed=3", "tip=0.2", "middle=0.3", "--size", "2e-3", "--out"]
        for name in ("a.inp", "b.inp"):
            result(*words, name, cwd=self.folder)
        with open(os.path.join(self.folder, "a.inp")) as a, open(os.path.join(self.folder, "b.inp")) as b:
            first = a.read()
            self.assertEqual(first, b.read())
        self.assertEqual(len(re.findall(r"\*CONTACT PAIR", first)), 5)


if __name__ == "__main__":
    unittest.main()
