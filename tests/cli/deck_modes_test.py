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


def joined_shanks():
    """Two bars held together by a bolt: distributing couplings on their faying surfaces, whose reference nodes are joined
    DOF by DOF through node sets."""
    return lap_joint(kind="C3D8") + [
        "*NODE", "900001, 0.36, 0.0127, 0.0127", "900002, 0.36, 0.0127, 0.0127",
        "*NSET, NSET=BSHANK1", "900001", "*NSET, NSET=NSHANK1", "900002",
        "*COUPLING, CONSTRAINT NAME=B, REF NODE=BSHANK1, SURFACE=LOWER_HIGH",
        "*DISTRIBUTING, WEIGHTING METHOD=UNIFORM, COUPLING=STRUCTURAL",
        "*COUPLING, CONSTRAINT NAME=N, REF NODE=NSHANK1, SURFACE=UPPER_LOW",
        "*DISTRIBUTING, WEIGHTING METHOD=UNIFORM, COUPLING=STRUCTURAL"] + [
        line for dof in range(1, 7)
        for line in ("*EQUATION", "2", "BSHANK1, %d, 1." % dof, "NSHANK1, %d, -1." % dof)]


class DeckModes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_tied_and_coupled_decks_equal_calculix(self):
        self.equals_calculix(tied_and_coupled())  # the equation holds the turns

    def test_couplings_joined_by_equations_equal_calculix(self):
        self.assertEqual(self.equals_calculix(joined_shanks()), 6)

    def equals_calculix(self, deck):
        write(self.path("deck.inp"), deck)
        ours = result("modes", self.path("deck.inp"), "--count", "16")
        rigid = ours["rigid"]
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
        return rigid

    def modes(self, *options):
        return result("modes", self.path("deck.inp"), "--count", "10", *options)

    def estimate(self, got, instead):
        """Changes of frequency that the run says another choice would make."""
        found = [c for c in got["choices"] if c["instead"] == instead]
        self.assertEqual(len(found), 1, got["choices"])
        return found[0]["frequency_change"]

    def test_weights_of_couplings(self):
        write(self.path("deck.inp"), joined_shanks())
        uniform, area = self.modes(), self.modes("--weighting", "area")
        self.assertEqual(self.modes("--weighting", "uniform")["omega"], uniform["omega"])
        change = [b / a - 1 for a, b in zip(uniform["omega"][6:], area["omega"][6:])]
        self.assertGreater(max(map(abs, change)), 1e-3)
        # Estimates are upper bounds, and close.
        for told, real in zip(self.estimate(uniform, 'weighting = "area"'), change):
            self.assertTrue(real - 1e-6 <= told <= real + 1e-3, (told, real))
        status, out, err = run("modes", self.path("deck.inp"), "--weighting", "mass")
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        self.assertIn("allowed are deck, uniform, area", err)

    def test_hourglass_control_and_other_elements(self):
        tie = ["*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH"]
        write(self.path("deck.inp"), lap_joint(kind="C3D8R") + tie)
        soft, enhanced = self.modes(), self.modes("--element", "C3D8R=enhanced")
        other = self.modes("--element", "C3D8R=C3D8I")
        change = [b / a - 1 for a, b in zip(soft["omega"][6:], enhanced["omega"][6:])]
        self.assertGreater(change[0], 0.05)  # two elements through the thickness
        for a, b in zip(enhanced["omega"][6:], other["omega"][6:]):
            self.assertAlmostEqual(a / b, 1, delta=1e-8)  # the same element on boxes
        # Estimates are upper bounds, and close.
        for told, real in zip(self.estimate(soft, 'element = "C3D8R=enhanced"'), change):
            self.assertTrue(real - 1e-6 <= told <= real + 5e-3, (told, real))
        self.assertIn("C3D8R are taken as C3D8I", other["choices"][0]["text"])
        # What the deck says itself.
        lines = [line + ", CONTROLS=EC" if line.startswith("*SOLID SECTION") else line
                 for line in lap_joint(kind="C3D8R") + tie]
        write(self.path("deck.inp"), ["*SECTION CONTROLS, NAME=EC, HOURGLASS=ENHANCED", "1., 1., 1."] + lines)
        self.assertEqual(self.modes()["omega"], enhanced["omega"])
        self.assertEqual(self.modes("--element", "C3D8R=stiffness")["omega"], soft["omega"])

    def test_bad_choices(self):
        write(self.path("deck.inp"), lap_joint(kind="C3D8R") + ["*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH"])
        for words, said in [(["--element", "C3D8R"], "TYPE=FORMULATION"),
                            (["--element", ""], "TYPE=FORMULATION"),
                            (["--element", "C3D8R=C3D10"], "allowed are C3D8, C3D8I, stiffness, enhanced"),
                            (["--element", "B31=C3D8"], "'B31' is no type that is assembled"),
                            (["--element", "C3D20=C3D20R"], "the deck has no elements of type C3D20")]:
            status, out, err = run("modes", self.path("deck.inp"), *words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(said, err)

    def test_everything_said_is_in_text_json_and_stderr(self):
        lines = lap_joint(kind="C3D8R") + ["*TIE, NAME=T, POSITION TOLERANCE=1e-3", "LOWER_ALL, UPPER_LOW",
                                           "*SURFACE, NAME=LOWER_ALL", "LOWER, S2", "*FANCY PHYSICS", "1, 2"]
        write(self.path("deck.inp"), lines)
        status, out, err = run("modes", self.path("deck.inp"), "--count", "8")
        self.assertEqual(status, 0, err)
        got = self.modes()
        status, _, err_json = run("modes", self.path("deck.inp"), "--count", "8", "--json")
        for said in ("FANCY PHYSICS", "hourglass control", "tie slaves have no master"):
            for text in (out, err, err_json):
                self.assertIn(said, text)
        self.assertTrue(any("FANCY" in n["text"].upper() for n in got["notes"]), got["notes"])
        self.assertTrue(any("hourglass" in c["text"] for c in got["choices"]))
        self.assertEqual(len(got["untied_slaves"]), got["untied"])
        self.assertGreater(got["untied"], 0)

    def test_fewer_modes_than_rigid_motions_are_said(self):
        write(self.path("loose.inp"), lap_joint())
        got = result("modes", self.path("loose.inp"), "--count", "8")
        self.assertEqual((got["rigid"], len(got["omega"])), (12, 8))
        self.assertLess(max(got["residual"]), 1e-9)
        self.assertTrue(any("ask for more than 12" in n["text"] for n in got["notes"]), got["notes"])

    def test_numbers_that_cannot_be(self):
        lines = lap_joint() + ["*TIE, NAME=T", "UPPER_LOW, LOWER_HIGH"]
        first = lines.index("*NODE") + 1
        for bad, said in [(lines[:first] + ["1, 1e300, 0, 0"] + lines[first + 1:], "coordinate of 1e+300"),
                          ([line.replace("2e11", "1e300") for line in lines], "elastic constant of 1e+300"),
                          ([line.replace("2e11", "1e-300") for line in lines], "Young's modulus 1e-300"),
                          ([line.replace("7800", "1e300") for line in lines], "density of 1e+300"),
                          ([line for line in lines if line not in ("*DENSITY", "7800")], "has no mass")]:
            write(self.path("deck.inp"), bad)
            status, out, err = run("modes", self.path("deck.inp"))
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(said, err)
            self.assertIn("deck.inp", err)

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
