"""faying reduce as a user calls it: files that h5py and scipy open, two ranks, bad input."""

import os
import tempfile
import unittest

import h5py
import numpy
import scipy.io
import scipy.linalg

from faying import result, run
from lap_deck import lap_joint, write

WHOLE = """deck = "lap.inp"
units = "m, N, kg, s"
modes = 12
[interface]
first = "UPPER_LOW"
second = "LOWER_HIGH"
[whole_joint]
cuts = [0, 0.5, 1]
[[load]]
name = "pull"
forces = [{ set = "LOWER_ENDS", force = [0, 0, 1] }, { set = "UPPER_ENDS", force = [0, 0, -1] }]
[[output]]
name = "tip"
point = [0, 0.0127, 0]
direction = [0, 0, 1]
"""
FULL = WHOLE.replace("[whole_joint]\ncuts = [0, 0.5, 1]", "[full_joint]\nmesh = \"deck\"")


class Reduce(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        write(self.path("lap.inp"), lap_joint())

    def path(self, name):
        return os.path.join(self.folder, name)

    def reduce(self, text, out, **how):
        with open(self.path("reduce.toml"), "w") as f:
            f.write(text)
        return result("reduce", self.path("reduce.toml"), "--out", self.path(out), **how)

    def test_both_files_hold_the_same_model(self):
        got = self.reduce(WHOLE, "rom.h5")
        self.reduce(WHOLE, "rom.mat")
        self.assertEqual((got["dof"], got["rigid"], got["loose"]), (24, 6, 6))
        self.assertAlmostEqual(got["mass"], 2 * 0.42 * 0.0254 * 0.0127 * 7800, places=9)
        self.assertAlmostEqual(got["area"], 0.12 * 0.0254, places=12)
        mat = scipy.io.loadmat(self.path("rom.mat"), simplify_cells=True)
        with h5py.File(self.path("rom.h5")) as h5:
            for name in ("M", "K"):
                numpy.testing.assert_array_equal(h5[name][()], mat[name])
                numpy.testing.assert_array_equal(mat[name], mat[name].T)
        # Held modes are those of the reduced model with the patches held.
        k, m = mat["K"][12:, 12:], mat["M"][12:, 12:]
        omega = numpy.sqrt(scipy.linalg.eigh(k, m, eigvals_only=True))
        numpy.testing.assert_allclose(omega, got["fixed_interface_omega"], rtol=1e-10)

    def test_two_ranks_give_the_same(self):
        for text in (WHOLE, FULL):
            one, two = self.reduce(text, "one.mat"), self.reduce(text, "two.mat", ranks=2)
            numpy.testing.assert_allclose(two["fixed_interface_omega"], one["fixed_interface_omega"], rtol=1e-10)
            a, b = (scipy.io.loadmat(self.path(n), simplify_cells=True) for n in ("one.mat", "two.mat"))
            for name in ("M", "K"):
                self.assertLess(abs(a[name] - b[name]).max(), 1e-10 * abs(a[name]).max())

    def test_full_joint_held_is_the_tied_deck(self):
        write(self.path("tied.inp"), lap_joint() + ["*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH"])
        tied = result("modes", self.path("tied.inp"), "--count", "16")["omega"][6:]
        got = self.reduce(FULL, "rom.h5")
        numpy.testing.assert_allclose(got["fixed_interface_omega"][:10], tied, rtol=1e-8)
        self.assertEqual(got["elements"], 8 * 4)
        self.assertEqual(got["points"], 4 * 8 * 4)

    def test_patches_from_the_decks_surfaces(self):
        def half(name, surface, first, below):
            """A surface of those faces of another whose element is in the first columns along x."""
            lines = lap_joint()
            at = lines.index("*SURFACE, NAME=" + surface) + 1
            faces = []
            while not lines[at].startswith("*"):
                if ((int(lines[at].split(",")[0]) - first) % 28 < below):
                    faces.append(lines[at])
                at += 1
            return ["*SURFACE, NAME=" + name] + faces
        write(self.path("lap.inp"), lap_joint() + half("LOW_A", "LOWER_HIGH", 1, 24) + half("UP_A", "UPPER_LOW", 100001, 4))
        cut = self.reduce(WHOLE.replace("[0, 0.5, 1]", "[0, 0.5]"), "cut.h5")
        for surface in ('"LOW_A"', '"UP_A"', '["UP_A", "LOW_A"]'):
            named = self.reduce(WHOLE.replace("cuts = [0, 0.5, 1]", "") +
                                '[[patch]]\nname = "patch 1"\nsurface = %s\n' % surface, "named.h5")
            self.assertEqual(named["patches"], cut["patches"], surface)
            numpy.testing.assert_allclose(named["fixed_interface_omega"], cut["fixed_interface_omega"], rtol=1e-12)

    def test_a_coarser_interface_keeps_the_area(self):
        status, _, err = run("mesh", "lap-joint", "--size", "0.006", "--out", self.path("lap.inp"))
        self.assertEqual(status, 0, err)
        text = """deck = "lap.inp"
modes = 2
[interface]
first = "TOP_FACE"
second = "BOTTOM_FACE"
[full_joint]
mesh = "graded"
elements = 24
"""
        got = self.reduce(text, "rom.mat")
        self.assertFalse(got["elements"] == 0)
        self.assertAlmostEqual(got["points_area"] / got["area"], 1, delta=1e-10)

    def test_elements_and_weights_are_chosen(self):
        write(self.path("lap.inp"), lap_joint(kind="C3D8R"))
        soft, same = self.reduce(WHOLE, "a.h5"), self.reduce('element = "C3D8R=stiffness"\n' + WHOLE, "b.h5")
        self.assertEqual(soft["fixed_interface_omega"], same["fixed_interface_omega"])
        stiff = self.reduce('element = ["C3D8R=C3D8I"]\nweighting = "area"\n' + WHOLE, "c.h5")
        change = stiff["fixed_interface_omega"][0] / soft["fixed_interface_omega"][0] - 1
        self.assertGreater(change, 0.05)
        said = [c for c in soft["choices"] if c["instead"] == 'element = "C3D8R=enhanced"']
        self.assertAlmostEqual(said[0]["frequency_change"][0] / change, 1, delta=0.2)
        with open(self.path("reduce.toml"), "w") as f:
            f.write(WHOLE)
        line = result("reduce", self.path("reduce.toml"), "--out", self.path("d.h5"), "--element", "C3D8R=C3D8I")
        numpy.testing.assert_allclose(line["fixed_interface_omega"], stiff["fixed_interface_omega"], rtol=1e-12)

    def test_shapes_for_paraview(self):
        with open(self.path("reduce.toml"), "w") as f:
            f.write(WHOLE)
        status, _, err = run("reduce", self.path("reduce.toml"), "--out", self.path("r.h5"), "--vtk", self.path("r.vtu"))
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(os.path.getsize(self.path("r.vtu")) > 1000)
        self.assertTrue(os.path.getsize(self.path("r-interface.vtu")) > 1000)

    def test_bad_input(self):
        cases = [
            ("lap.inp", "gone.inp", "there is no deck"),
            ("UPPER_LOW", "UPPER_LOWER", "there is no surface 'UPPER_LOWER'; the deck has: LOWER_LOW"),
            ("UPPER_LOW", "UPPER_HIGH", "do not face each other"),
            ("UPPER_LOW", "LOWER_LOW", "do not meet"),
            ("modes = 12", "modes = -1", "modes must be a whole number from 0"),
            ("modes = 12", "modes = 5000", "modes"),
            ("cuts = [0, 0.5, 1]", "cuts = [0, 2]", "ascending fractions between 0 and 1"),
            ("cuts = [0, 0.5, 1]", "cut = 3", "unknown key 'cut'; allowed are: cuts, tied, free"),
            ("[whole_joint]\ncuts = [0, 0.5, 1]", "[full_joint]\nmesh = \"uniform\"\nelements = 200", "finer than the deck"),
            ("LOWER_ENDS", "NOWHERE", "no node set 'NOWHERE'"),
            ("[whole_joint]", "[joint]", "unknown key 'joint'"),
            ("point = [0, 0.0127, 0]", "point = [0, 100, 0]", "output 'tip': point (0, 100, 0) is 99.97 from the closest node"),
            ("name = \"tip\"", "name = 5", "name must be a text in quotes"),
            ("name = \"pull\"", "name = \" \"", "name must not be empty"),
            ("modes = 12", "modes = 12\nelement = 5", "element must be a text in quotes"),
            ("modes = 12", "modes = 12\nelement = \"C3D8I=C3D10\"", "bad.toml:4: element 'C3D8I=C3D10': C3D8I cannot be"),
            ("modes = 12", "modes = 12\nweighting = \"Area\"", "weighting 'Area' is unknown"),
            ("[[output]]", "[[output]]\nname = \"tip\"\npoint = [0, 0, 0]\ndirection = [0, 0, 1]\n[[output]]",
             "two of them are called 'tip'"),
            ("cuts = [0, 0.5, 1]", "[[patch]]\nname = \"a\"\nsurface = \"LOWER_LOW\"", "holds no face of the interface"),
            ("cuts = [0, 0.5, 1]", "[[patch]]\nname = \"a\"\nsurface = \"NONE\"", "there is no surface 'NONE'"),
            ("cuts = [0, 0.5, 1]", "cuts = [0, 0.5, 1]\ntied = [\"up\"]", "'up' is no motion of a patch"),
        ]
        for old, new, said in cases:
            with open(self.path("bad.toml"), "w") as f:
                f.write(WHOLE.replace(old, new, 1))
            status, out, err = run("reduce", self.path("bad.toml"), "--out", self.path("bad.h5"))
            self.assertEqual((status, out), (2, ""), (new, err))
            self.assertIn(said, err)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertFalse(os.path.exists(self.path("bad.h5")))
        with open(self.path("ok.toml"), "w") as f:
            f.write(WHOLE)
        for out in ("rom.txt", "no/such/rom.h5"):
            status, _, err = run("reduce", self.path("ok.toml"), "--out", self.path(out))
            self.assertEqual(status, 2, err)


if __name__ == "__main__":
    unittest.main()
