"""faying fit by harmonic balance: studies whose modes are EPMC's, and parameters from measured forced responses."""

import math
import os
import shutil
import tempfile
import unittest

from faying import result, run
from study_test import MODEL as BEAM
from study_test import ROM

MASSES = """
[structure]
mass = [[10,0,0],[0,10,0],[0,0,10]]
stiffness = [[18,-9,0],[-9,18,-9],[0,-9,9]]
damping = { ratio = 0.005 }
[[joint]]
name = "lap"
law = "jenkins"
parameters = { kt = %g, fs = %g }
dofs = [2, 3]
[[output]]
name = "tip"
dof = 3
"""

FIT = """
model = "start.toml"
harmonics = 3
[[response]]
file = "sweep.csv"
force = "at=1"
output = "tip"
[[parameter]]
joint = "lap"
key = "kt"
range = [0.2, 50]
[[parameter]]
joint = 1
key = "fs"
range = [0.05, 50]
"""

EPMC = """
method = "epmc"
harmonics = [0, 1, 3]
title = "By harmonic balance"
variants = ["jenkins"]
[structure]
whole = "whole_joint.h5"
static = { preload = 12845 }
[measurement]
file = "backbones.csv"
viscous = 1e-4
[[mode]]
mode = 1
[search]
method = "boundary-intersection"
rays = 1
starts = 1
tries = 1
rounds = 0
evaluations = 10
seed = 3
"""


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder, name), "w") as f:
            f.write(text)

    def complains(self, text, about):
        self.write("bad.toml", text)
        status, out, err = run("fit", "bad.toml", cwd=self.folder)
        self.assertEqual((status, out), (2, ""), err)
        self.assertIn(about, err)
        self.assertEqual(err.count("\n"), 1, err)


class ResponseFit(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("truth.toml", MASSES % (2, 3))
        cls.write("start.toml", MASSES % (6, 1))
        cls.write("fit.toml", FIT)
        rows = ["frequency,force,amplitude,phase"]
        for force in 0.5, 3:
            answer = result("response", "truth.toml", "--force", "at=1,p=%g" % force, "--at-omega",
                            "0.36,0.4,0.43,0.45,0.47,0.5,0.55", "--harmonics", "3", "--no-stability", cwd=cls.folder)
            for p in answer["points"]:
                c, s = p["harmonics"][1][2], p["harmonics"][2][2]
                rows.append("%r,%r,%r,%r" % (p["omega"] / (2 * math.pi), force, math.hypot(c, s), math.atan2(s, c)))
        cls.write("sweep.csv", "\n".join(rows) + "\n")

    def test_parameters_that_made_the_data_come_back(self):
        answer = result("fit", "fit.toml", "--out", "points.csv", cwd=self.folder)
        found = {p["key"]: p for p in answer["parameters"]}
        self.assertAlmostEqual(found["kt"]["value"], 2, delta=2e-6)
        self.assertAlmostEqual(found["fs"]["value"], 3, delta=3e-6)
        self.assertEqual((found["kt"]["start"], found["fs"]["start"]), (6, 1))
        self.assertLess(answer["amplitude_rms"], 1e-7)
        self.assertLess(answer["phase_rms"], 1e-7)
        self.assertEqual(len(answer["points"]), 14)
        with open(os.path.join(self.folder, "points.csv")) as f:
            self.assertTrue(f.readline().startswith("omega,force,amplitude"))
        status, text, _ = run("fit", "fit.toml", cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertIn("amplitudes within", text)

    def test_amplitudes_alone_are_enough(self):
        with open(os.path.join(self.folder, "sweep.csv")) as f:
            lines = [line.rsplit(",", 1)[0] for line in f]
        self.write("amplitudes.csv", "\n".join(lines) + "\n")
        self.write("alone.toml", FIT.replace("sweep.csv", "amplitudes.csv"))
        answer = result("fit", "alone.toml", cwd=self.folder)
        self.assertIsNone(answer["phase_rms"])
        self.assertAlmostEqual(answer["parameters"][0]["value"], 2, delta=2e-5)

    def test_bad_files(self):
        self.complains(FIT.replace('"kt"', '"ky"'), "no parameter 'ky'")
        self.complains(FIT.replace("[0.2, 50]", "[0.2, 5]"), "outside of the range")
        self.complains(FIT.replace('"lap"', '"lip"'), "no joint 'lip'")
        self.complains(FIT.replace("sweep.csv", "none.csv"), "there is no file 'none.csv'")
        self.complains(FIT.replace('output = "tip"', ""), "give one of output")
        self.complains(FIT.replace("harmonics = 3", "harmonics = [0, 3]"), "first harmonic")
        self.write("empty.csv", "omega,force\n1,1\n")
        self.complains(FIT.replace("sweep.csv", "empty.csv"), "no column 'amplitude'")


class EpmcStudy(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shutil.copy(ROM, os.path.join(cls.folder, "whole_joint.h5"))
        law = BEAM.replace('law = "iwan4"', 'law = "jenkins"').replace(
            "FS = 1.6e6, KT = 3e12, chi = -0.4, beta = 1e-2", "fs = 1.7e5, kt = 5e13")
        cls.write("model.toml", law)
        answer = result("backbone", "model.toml", "--mode", "1", "--amplitudes", "1e-5:2e-4:2", "--method", "epmc",
                        "--harmonics", "0,1,3", cwd=cls.folder)
        rows = ["mode,amplitude,omega,zeta"] + ["1,%r,%r,%r" % (p["q"], p["omega"], p["zeta"]) for p in answer["points"]]
        cls.write("backbones.csv", "\n".join(rows) + "\n")
        cls.write("fit.toml", EPMC)

    def test_a_fit_by_harmonic_balance_with_gradients(self):
        answer = result("fit", "fit.toml", "--out", "fit.db", cwd=self.folder)
        variant = answer["variants"][0]
        self.assertEqual(variant["framework"], "epmc")
        self.assertGreater(len(variant["front"]), 0)
        self.assertEqual(variant["counts"]["failed"], 0)
        with open(os.path.join(self.folder, "fit_fronts", "jenkins-utopia.toml")) as f:
            self.assertIn("--method epmc --harmonics 0,1,3", f.read())

    def test_bad_keys(self):
        self.complains(EPMC.replace('method = "epmc"', 'method = "rqnma"', 1), "goes with method")
        self.complains(EPMC.replace("[0, 1, 3]", "[0, 3]"), "first harmonic")
        self.complains(EPMC.replace("[0, 1, 3]", "[0, 1, 3]\nsamples = 4"), "do not carry harmonic 3")
        self.complains(EPMC.replace('"epmc"', '"shooting"'), "allowed are")


if __name__ == "__main__":
    unittest.main()
