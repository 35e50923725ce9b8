"""faying experiment: a coarse beam, its full joint, two hits."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from faying import BINARY, result, run

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE / "../../examples/brake_reuss"


def small_joint():
    return (EXAMPLE / "fine_joint.toml").read_text().replace("elements = 200", "").replace("modes = 60", "modes = 12").replace("graded", "deck")


def small_experiment():
    text = (EXAMPLE / "experiment.toml").read_text()
    for old, new in (("hits = 7", "hits = 2"), ("force = [20, 1000]", "force = [100, 1000]"), ("duration = 1.5", "duration = 0.2"),
                     ("step = 5e-6", "step = 1e-4"), ("every = 10", "every = 1"), ("points = 30", "points = 8")):
        assert old in text, old
        text = text.replace(old, new)
    return text


class Experiment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        result("mesh", "brake-reuss", "--size", "0.01", "--out", "beam.inp", cwd=cls.folder)
        cls.write("fine_joint.toml", small_joint())
        result("reduce", "fine_joint.toml", "--out", "fine_joint.h5", cwd=cls.folder)
        cls.text = small_experiment()
        cls.write("experiment.toml", cls.text)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def write(cls, name, text):
        (pathlib.Path(cls.folder) / name).write_text(text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def bytes(self, name):
        return pathlib.Path(self.path(name)).read_bytes()

    def test_joints_soften_and_dissipate_the_same_on_any_number_of_threads(self):
        r = result("experiment", "experiment.toml", "--out", "one.csv", "--raw", "hit.csv", "--raw-hit", "2", "--threads", "1", cwd=self.folder)
        result("experiment", "experiment.toml", "--out", "two.csv", "--threads", "2", cwd=self.folder)
        self.assertEqual(self.bytes("one.csv"), self.bytes("two.csv"))
        self.assertTrue(self.bytes("one.csv").startswith(b"# virtual experiment"))
        self.assertTrue(self.bytes("hit.csv").startswith(b"# virtual experiment"))
        self.assertTrue(r["virtual"])
        first = r["modes"][0]
        self.assertLess(first["omega"][-1], first["omega"][0])
        self.assertGreater(first["zeta"][-1], 2e-4)

    def test_goes_on_with_the_hits_it_has(self):
        command = [BINARY, "experiment", "experiment.toml", "--store", "hits", "--out", "kept.csv", "--threads", "1"]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE)
        while process.poll() is None and not os.path.exists(self.path("hits/hit_1.h5")):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        message = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 130, message)
        self.assertIn("the same command goes on", message)
        self.assertFalse(os.path.exists(self.path("kept.csv")))
        kept = os.stat(self.path("hits/hit_1.h5")).st_mtime_ns
        result(*command[1:], cwd=self.folder)
        self.assertEqual(os.stat(self.path("hits/hit_1.h5")).st_mtime_ns, kept)
        result("experiment", "experiment.toml", "--out", "whole.csv", cwd=self.folder)
        self.assertEqual(self.bytes("kept.csv"), self.bytes("whole.csv"))
        # A record of the store is one like any other.
        r = result("envelope", "hits/hit_2.h5", "--band", "140:215", "--channel", "acceleration", cwd=self.folder)
        self.assertGreater(len(r["omega"]), 1)

    def test_another_experiment_does_not_take_them(self):
        self.write("other.toml", self.text.replace("seed = 7", "seed = 8"))
        result("experiment", "experiment.toml", "--store", "mixed", "--out", "a.csv", cwd=self.folder)
        result("experiment", "other.toml", "--store", "mixed", "--out", "b.csv", cwd=self.folder)
        self.assertNotEqual(self.bytes("a.csv"), self.bytes("b.csv"))

    def test_missing_folders_are_told_before_anything_is_struck(self):
        for words in (["--out", "no/x.csv"], ["--out", "x.csv", "--raw", "no/hit.csv"]):
            code, _, err = run("experiment", "experiment.toml", "--store", "unused", *words, cwd=self.folder)
            self.assertEqual(code, 2, err)
            self.assertIn("its folder does not exist", err)
            self.assertFalse(os.path.exists(self.path("unused")))

    def test_bad_input(self):
        shutil.copy(HERE / "../../data/brake_reuss/whole_joint.h5", self.path("whole_joint.h5"))
        for old, new, expected in (("fine_joint.h5", "no.h5", "there is no file"),
                                   ("fine_joint.h5", "whole_joint.h5", "has no interface nodes"),
                                   ("kt = 3e13", "kt = -1", "kt must be above 0"),
                                   ("mu = 0.4", "sliders = 8", "sliders"),
                                   ('output = "hammer"', 'output = "nail"', "nail"),
                                   ("band = [520, 650]", "band = [520, 65000]", "band must be")):
            self.assertIn(old, self.text)
            self.write("bad.toml", self.text.replace(old, new))
            code, _, err = run("experiment", "bad.toml", "--out", "bad.csv", cwd=self.folder)
            self.assertEqual(code, 2, err)
            self.assertIn(expected, err)
            self.assertEqual(len(err.strip().splitlines()), 1)
            self.assertFalse(os.path.exists(self.path("bad.csv")))


if __name__ == "__main__":
    unittest.main()
