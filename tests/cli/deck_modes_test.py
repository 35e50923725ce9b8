"""faying modes on decks: against CalculiX on the flattened deck, against itself on two ranks, and for ParaView."""

import os
import re
import subprocess
import tempfile
import unittest

import meshio

from faying import result, run
from lap_deck import lap_joint, write

FREQUENCY = ["*STEP", "*FREQUENCY", "16", "*END STEP"]

def tied_and_coupled():
    """A tie, a distributing and a kinematic coupling, and an equation between their reference nodes. (No point masses on
    these: ccx 2.20 gives wrong modes for them.)"""
    return lap_joint(kind="C3D8") + [
        "*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH",
        "*NODE, NSET=R", "900001, -0.05, 0.0127, 0.00635", "900002, 0.8, 0.02, 0.03",
        "*NSET, NSET=LEFT", "1, 30, 59, 88, 117, 146", "*SURFACE, TYPE=NODE, NAME=LEFT_S", "LEFT, 1.0",
        "*COUPLING, CONSTRAINT NAME=D, REF NODE=900001, SURFACE=LEFT_S", "*DISTRIBUTING", "1, 6",
        "*NSET, NSET=RIGHT", "100029, 100058, 100174", "*SURFACE, TYPE=NODE, NAME=RIGHT_S", "RIGHT, 1.0",
        "*COUPLING, CONSTRAINT NAME=K, REF NODE=900002, SURFACE=RIGHT_S", "*KINEMATIC", "1, 3",
        "*EQUATION", "2", "900001, 1, 1.0, 900002, 1, -1.0"]


def swinging_mass():
    """A point mass that a line of three nodes carries: it swings about them for nothing."""
    return lap_joint(kind="C3D8") + [
        "*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH", "*NODE", "900002, 0.8, 0.02, 0.03",
        "*ELEMENT, TYPE=MASS, ELSET=M", "900002, 900002", "*MASS, ELSET=M", "0.3",
        "*NSET, NSET=RIGHT", "100029, 100058, 100087", "*SURFACE, TYPE=NODE, NAME=RIGHT_S", "RIGHT, 1.0",
        "*COUPLING, CONSTRAINT NAME=K, REF NODE=900002, SURFACE=RIGHT_S", "*KINEMATIC", "1, 3"]


class DeckModes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_a_tied_and_coupled_deck_equals_calculix(self):
        write(self.path("deck.inp"), tied_and_coupled())
        ours = result("modes", self.path("deck.inp"), "--count", "16")
        rigid = ours["rigid"]  # the equation holds the turns
        self.assertLess(max(ours["residual"]), 1e-6)
        status, _, err = run("deck", "flatten", self.path("deck.inp"), "--out", self.path("flat.inp"))
        self.assertEqual(status, 0, err)
        with open(self.path("flat.inp"), "a") as f:
            f.write("\n".join(FREQUENCY) + "\n")
        subprocess.run(["ccx", "-i", "flat"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, OMP_NUM_THREADS="1"))
        with open(self.path("flat.dat")) as f:
            theirs = [float(line.split()[2]) for line in f if re.match(r"^ +\d+( +-?[\d.]+E[+-]\d+){4} *$", line)][:16]
        self.assertEqual(len(theirs), 16)
        for a, b in zip(ours["omega"][rigid:], theirs[rigid:]):
            self.assertAlmostEqual(a / b, 1, delta=1e-6)

    def test_two_ranks_give_the_same(self):
        write(self.path("deck.inp"), tied_and_coupled())
        one = result("modes", self.path("deck.inp"), "--count", "12")["omega"]
        two = result("modes", self.path("deck.inp"), "--count", "12", ranks=2)["omega"]
        for a, b in zip(one, two):
            self.assertLessEqual(abs(a - b), 1e-10 * max(one))

    def test_shapes_open_in_another_reader(self):
        write(self.path("deck.inp"), lap_joint() + ["*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH"])
        got = result("modes", self.path("deck.inp"), "--count", "8", "--vtk", self.path("m.vtu"))
        mesh = meshio.read(self.path("m.vtu"))
        self.assertEqual([(c.type, len(c.data)) for c in mesh.cells], [("hexahedron", 2 * 28 * 4 * 2)])
        self.assertEqual(len(mesh.point_data), 8)
        # The first rigid motion is one: distances between nodes do not change.
        u = mesh.point_data[list(mesh.point_data)[0]]
        x, y, du = mesh.points[0], mesh.points[-1], u[0] - u[-1]
        self.assertAlmostEqual(float((x - y) @ du), 0, places=9)
        self.assertEqual(got["rigid"], 6)

    def test_hinges_and_loose_parts_are_zero_modes(self):
        write(self.path("hinge.inp"), swinging_mass())
        got = result("modes", self.path("hinge.inp"), "--count", "10")
        self.assertEqual(got["rigid"], 7)
        self.assertGreater(got["omega"][7], 100)

    def test_bad_decks(self):
        write(self.path("loose.inp"), lap_joint())
        self.assertEqual(result("modes", self.path("loose.inp"), "--count", "14")["rigid"], 12)
        lines = lap_joint()
        write(self.path("cut.inp"), lines[:40] + ["17, 0.1"] + lines[-7:])
        write(self.path("set.inp"), lines + ["*BOUNDARY", "NOWHERE, 1, 3"])
        write(self.path("empty.inp"), ["*HEADING"])
        for name in ("cut.inp", "set.inp", "empty.inp", "missing.inp"):
            status, out, err = run("modes", self.path(name), "--vtk", self.path("x.vtu"))
            self.assertEqual((status, out), (2, ""), name)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertFalse(os.path.exists(self.path("x.vtu")))
        status, _, err = run("modes", self.path("loose.inp"), "--count", "99999")
        self.assertEqual(status, 2)
        self.assertIn("degrees of freedom", err)


if __name__ == "__main__":
    unittest.main()
