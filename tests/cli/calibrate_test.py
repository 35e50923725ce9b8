"""faying calibrate: single modes and whole joints; stopped and taken up again; bad files."""
import json
import math
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from faying import BINARY, MPI, result, run
from study_test import ROM

PLAN = """
title = "one beam"
[model]
laws = ["jenkins", "polynomial k3"]
[[record]]
file = "a.csv"
omega_error = 1e-4
zeta_error = 0.02
[[record]]
file = "b.csv"
omega_error = 1e-4
zeta_error = 0.02
[sampling]
warmup = 300
draws = 400
[evidence]
draws = 1000
[predict]
draws = 100
points = 9
"""


def slider(a, kt=0.02, fs=0.01, w0=500., zeta0=1e-3):
    """omega and zeta of a unit mass with a slider: amplitude over fs/kt as in the book."""
    x = fs / (kt * a)
    if x >= 1:
        return w0, zeta0
    theta = math.acos(1 - 2 * x)
    k = kt / math.pi * (theta - 0.5 * math.sin(2 * theta))
    square = w0 ** 2 * (1 - kt + k)
    loss = 4 * fs * (a - fs / kt) * w0 ** 2
    return math.sqrt(square), zeta0 * w0 / math.sqrt(square) + loss / (2 * math.pi * square * a * a)


class Calibrate(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)
        draw = random.Random(2)
        for name, offset in (("a", 0.03), ("b", -0.04)):
            with open(os.path.join(self.folder, name + ".csv"), "w") as f:
                f.write("amplitude,omega,zeta\n")
                for k in range(12):
                    a = 0.2 * 20 ** (k / 11) * (1 if name == "a" else 1.1)
                    w, z = slider(a)
                    f.write(f"{a!r},{w * (1 + draw.gauss(0, 1e-4))!r},{z * math.exp(offset + draw.gauss(0, 0.02))!r}\n")
        self.write("plan.toml", PLAN)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)

    def test_single_mode(self):
        status, out, err = run("calibrate", "plan.toml", "--json", "--csv", "d.csv", "--plot", "p.html", cwd=self.folder)
        self.assertIn(status, (0, 3), err)  # 3: too few draws for four hundred effective ones; all is shown in either case
        r = json.loads(out)["result"]
        best, other = r["laws"]
        self.assertEqual((best["law"], other["law"]), ("jenkins", "polynomial k3"))
        self.assertGreater(best["evidence"]["bridge"]["value"] - other["evidence"]["bridge"]["value"], 10)
        self.assertTrue(best["evidence"]["agree"])
        self.assertFalse(best["misfit"]["flag"])
        self.assertTrue(other["misfit"]["flag"])  # a spring does not damp
        force = best["parameters"]["fs"]  # unit amplitude / s^2
        self.assertLess(force["low"], 0.01 * 500 ** 2)
        self.assertGreater(force["high"], 0.01 * 500 ** 2)
        self.assertGreater(best["parameters"]["zeta test scatter"]["median"], 0.01)
        self.assertEqual(len(best["bands"][0]["omega"]["low"]), 9)
        self.assertTrue({"d.csv", "p.html", "plan.calibration.db"} <= set(os.listdir(self.folder)))
        # From the store, on another number of threads: the same to the bit.
        again = json.loads(run("calibrate", "plan.toml", "--json", "--threads", "1", cwd=self.folder)[1])["result"]
        self.assertEqual(again, r)
        self.write("plan.toml", PLAN.replace("draws = 400", "draws = 500"))
        status, out, err = run("calibrate", "plan.toml", cwd=self.folder)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("another calibration", err)

    def answer(self, *words, ranks=None):
        """Of one run, without how long it took."""
        status, out, err = run("calibrate", "plan.toml", "--json", *words, cwd=self.folder, ranks=ranks)
        self.assertIn(status, (0, 3), err)
        return self.timeless(out)

    @staticmethod
    def timeless(out):
        r = json.loads(out)["result"]
        for law in r["laws"]:
            law.pop("seconds")
        return r

    def test_the_same_bits_on_threads_and_ranks(self):
        one = self.answer("--threads", "1", "--out", "one.db")
        self.assertEqual(self.answer("--threads", "3", "--out", "three.db"), one)
        self.assertEqual(self.answer("--out", "ranks.db", ranks=2), one)
        self.assertEqual(self.answer("--out", "ranks.db"), one)  # rank 0 kept the chains of all
        self.write("plan.toml", PLAN.replace("draws = 400", "draws = 4", 1))
        status, out, err = run("calibrate", "plan.toml", cwd=self.folder, ranks=2)
        self.assertEqual((status, out, err.count("whole number from 100")), (2, "", 1), err)

    def test_stopped_or_killed_and_resumed(self):
        self.write("plan.toml", PLAN.replace('"jenkins", "polynomial k3"', '"jenkins"'))
        once = self.answer("--out", "once.db")
        for name, end, launcher in (("stopped", signal.SIGINT, []), ("killed", signal.SIGKILL, []),
                                    ("ranks", signal.SIGINT, ["mpirun", "-n", "2"])):
            command = [*launcher, BINARY, "calibrate", "plan.toml", "--json", "--out", name + ".db"]
            for _ in range(20):
                process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=MPI)
                time.sleep(1.5)
                process.send_signal(end)
                out, _ = process.communicate()
                if process.returncode in (0, 3):
                    break
            else:
                out = run("calibrate", "plan.toml", "--json", "--out", name + ".db", cwd=self.folder)[1]
            with self.subTest(name):
                self.assertEqual(self.timeless(out), once)

    def test_joint(self):
        """A whole joint of a study: the truth is within its posterior, and the other mode is predicted."""
        shutil.copy(ROM, os.path.join(self.folder, "whole_joint.h5"))
        self.write("model.toml", """
[structure]
file = "whole_joint.h5"
static = { preload = 12845 }
damping = { ratio = 1e-4 }
[[joint]]
law = "jenkins"
parameters = { kt = 2e12, fs = 1e6 }
patch = "all"
along = "tangential"
per = "area"
[[joint]]
law = "polynomial"
parameters = { k1 = 1e13 }
patch = "all"
along = "normal"
per = "area"
""")
        text = "mode,amplitude,omega,zeta\n"
        for mode in (1, 2):
            r = result("backbone", "model.toml", "--mode", "13"[mode - 1], "--amplitudes", "1e-6:1e-3:8", cwd=self.folder)
            for p in r["points"]:
                text += f"{mode},{p['q']!r},{p['omega']!r},{p['zeta']!r}\n"
        self.write("beam.csv", text)
        self.write("study.toml", """
variants = ["jenkins"]
[structure]
whole = "whole_joint.h5"
static = { preload = 12845 }
[measurement]
file = "beam.csv"
viscous = 1e-4
[[mode]]
mode = 1
[[mode]]
mode = 2
index = 3
fitted = false
[calibrate.errors]
omega_error = 1e-4
zeta_error = 0.05
[calibrate.sampling]
warmup = 150
draws = 150
[calibrate.evidence]
draws = 200
[calibrate.predict]
draws = 40
""")
        status, out, err = run("calibrate", "study.toml", "--json", cwd=self.folder)
        self.assertIn(status, (0, 3), err)
        law = json.loads(out)["result"]["laws"][0]
        self.assertEqual(law["problem"], "")
        for key, truth in (("kt", 2e12), ("fs", 1e6)):
            p = law["parameters"][key]
            self.assertTrue(p["low"] * 0.9 < truth < p["high"] * 1.1, (key, p))
        self.assertEqual([b["fitted"] for b in law["bands"]], [True, False])
        self.assertGreater(law["bands"][1]["covered"], 0.8)

    def test_bad_files(self):
        for old, new, expected in [('"a.csv"', '"no.csv"', "there is no file 'no.csv'"), ("[model]", "[modle]", "unknown key 'modle'"),
                                   ('"jenkins"', '"nothing"', "unknown law 'nothing'"), ("draws = 400", "draws = 4", "whole number from 100"),
                                   ('"b.csv"', '"a.csv"', "record 'a' is given twice"), ("zeta_error = 0.02", "", "give both"),
                                   ("[predict]", '[[prior]]\nkey = "no"\nrange = [1, 2]\n[predict]', "has a parameter 'no'"),
                                   ("points = 9", "points = 9\namplitudes = [2, 1]", "[least, greatest]")]:
            self.write("plan.toml", PLAN.replace(old, new, 1))
            status, out, err = run("calibrate", "plan.toml", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (old, err))
            self.assertIn(expected, err)
            self.assertNotIn("plan.calibration.db", os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main()
