"""Kills, and a disk that fills up, at every write: the old file or the new one, never half; and what is resumable goes on.

fault.c is preloaded and counts the calls that change files. FAYING_EFFORT=2 takes every call, not a spread of them."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import h5py
import numpy

from faying import BINARY, MPI, run
from lap_deck import lap_joint, write
from reduce_test import WHOLE
from study_test import MODEL, ROM, STUDY, fronts, measured

FAULT = os.environ.get("FAULT", "")
EVERY = float(os.environ.get("FAYING_EFFORT", "1")) > 1
HERE = os.path.dirname(os.path.abspath(__file__))
MASSES = os.path.join(HERE, "../../examples/three_masses/model.toml")
TINY = (STUDY.replace('["jenkins", "iwan4"]', '["jenkins"]').replace('"both"', '"nsga2"').replace("generations = 8", "generations = 2")
        .replace("population = 12", "population = 8").replace("points = 8", "points = 4"))


def struck(words, cwd, at, kind="kill", **env):
    """The command with a fault at its k-th call: (status, standard error, calls or None)"""
    count = os.path.join(cwd, "..", "count")
    if os.path.exists(count):
        os.remove(count)
    env = dict(MPI, LD_PRELOAD=FAULT, FAULT_AT=str(at), FAULT_KIND=kind, FAULT_UNDER=cwd, FAULT_COUNT=count, **env)
    done = subprocess.run([BINARY, *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    if not os.path.exists(count):
        return done.returncode, done.stderr, None
    with open(count) as f:
        return done.returncode, done.stderr, int(f.read())


def spread(calls, most):
    """All calls, or `most` of them from the first to the last."""
    if EVERY or calls <= most:
        return range(1, calls + 1)
    return sorted({1 + round(i * (calls - 1) / (most - 1)) for i in range(most)})


@unittest.skipUnless(FAULT, "not with sanitizers, which must be loaded first")
class Fault(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(os.path.realpath(scratch.name), "work")
        os.mkdir(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name, content):
        with open(self.path(name), "w") as f:
            f.write(content)

    def bytes(self, name):
        if not os.path.exists(self.path(name)):
            return None
        with open(self.path(name), "rb") as f:
            return f.read()

    def told(self, at, err, names):
        """One line that names the file that could not be written."""
        self.assertEqual(err.count("\n"), 1, (at, err))
        self.assertTrue(any(name in err for name in names), (at, err))
        self.assertNotIn("standard output", err)
        self.assertNotIn("should not happen", err)

    def old_or_new(self, words, outputs, most=100, **env):
        """Every output is as before or as after, with a kill or a full disk at any call."""
        inputs = set(os.listdir(self.folder)) - set(outputs)
        status, err, calls = struck(words, self.folder, 0, **env)
        self.assertEqual((status, err), (0, ""))
        self.assertGreaterEqual(calls, 3 * len(outputs))
        new = {name: self.bytes(name) for name in outputs}
        for old in (None, b"old"):
            for kind in "kill", "full":
                for at in spread(calls, most):
                    for name in set(os.listdir(self.folder)) - inputs:
                        os.remove(self.path(name))
                    for name in outputs if old else []:
                        with open(self.path(name), "wb") as f:
                            f.write(old)
                    status, err, _ = struck(words, self.folder, at, kind, **env)
                    for name in outputs:
                        self.assertIn(self.bytes(name), (old, new[name]), (name, kind, at))
                    left = set(os.listdir(self.folder)) - inputs - set(outputs)
                    if kind == "kill":
                        self.assertEqual(status, -signal.SIGKILL)
                        self.assertLessEqual(left, {name + ".part" for name in outputs}, (kind, at))
                    else:
                        self.assertEqual(status, 2, (at, err))
                        self.told(at, err, outputs)
                        self.assertEqual(left, set(), (kind, at))
        for name in outputs:
            self.text(name + ".part", "what a kill left")
        status, err, _ = struck(words, self.folder, 0, **env)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual({name: self.bytes(name) for name in outputs}, new)
        self.assertEqual(set(os.listdir(self.folder)) - inputs, set(outputs))  # nothing stays behind

    def test_texts_pictures_and_pages(self):
        law = ["loop", "jenkins", "kt=1", "fs=1", "--path", "0,2,-2,2", "--csv", "a.csv", "--plot"]
        self.old_or_new([*law, "a.svg"], ["a.csv", "a.svg"])
        self.old_or_new([*law, "a.html"], ["a.csv", "a.html"], most=3)
        self.old_or_new([*law, "a.svg"], ["a.csv", "a.svg"], FAULT_NAMES="1")

    def test_archives(self):
        t = numpy.arange(0, 4, 1e-3)
        numpy.savetxt(self.path("s.csv"), numpy.column_stack([t, numpy.exp(-t) * numpy.sin(60 * t)]), delimiter=",", header="t,a")
        for out in "e.mat", "e.h5", "e.csv":
            self.old_or_new(["envelope", "s.csv", "--out", out], [out])

    def test_decks_shapes_and_reductions(self):
        write(self.path("lap.inp"), lap_joint(cells=1))
        self.text("reduce.toml", WHOLE.replace("modes = 12", "modes = 2"))
        self.old_or_new(["deck", "flatten", "lap.inp", "--out", "flat.inp"], ["flat.inp"])
        self.old_or_new(["modes", "lap.inp", "--count", "14", "--vtk", "m.vtu"], ["m.vtu"], most=3)
        for out in "rom.h5", "rom.mat":
            self.old_or_new(["reduce", "reduce.toml", "--out", out, "--vtk", "r.vtu"], [out, "r.vtu", "r-interface.vtu"], most=5)

    def test_networks_responses_and_histories(self):
        self.text("net.toml", "[network]\nK = [[2, -1], [-1, 2]]\nmu = [1, 2]\nb = [1, 0.5]\n")
        self.text("s.csv", "t,u\n0,0\n1,1\n2,0\n")
        slow = ["quasistatic", MASSES, "--force", "at=3,p=1", "--path", "0,1,-1"]
        driven = ["response", MASSES, "--force", "at=3,p=1", "--at-omega", "0.3", "--harmonics", "1", "--no-stability"]
        for words, outputs in (
                (["network", "net.toml", "--path", "0,1,-1", "--out", "n.mat", "--csv", "n.csv"], ["n.mat", "n.csv"]),
                (["condense", "net.toml", "--states", "1", "--out", "law.toml"], ["law.toml"]),
                ([*slow, "--csv", "q.csv", "--plot", "q.svg"], ["q.csv", "q.svg"]),
                ([*driven, "--csv", "r.csv"], ["r.csv"]),
                (["convert", "s.csv", "c.h5"], ["c.h5"])):
            self.old_or_new(words, outputs, most=4)

    def record(self, name):
        with h5py.File(self.path(name)) as f:
            data = {}
            f.visititems(lambda key, item: data.update({key: item[()].tolist()}) if hasattr(item, "shape") else None)
            return data

    def test_a_record_goes_on(self):
        run_ = ["simulate", MASSES, "--free", "mode=2,q=5", "--time", "40", "--dt", "0.05", "--json", "--out"]
        status, whole, err = run(*run_, "whole.h5", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        expected = self.record("whole.h5")
        words = [*run_, "run.h5"]
        status, _, calls = struck(words, self.folder, 0)
        self.assertEqual(status, 0)
        self.assertGreater(calls, 8)
        for kind in "kill", "full":
            for at in spread(calls, 20):
                for old in (None, b"old"):
                    for name in glob.glob(self.path("run.h5*")):
                        os.remove(name)
                    if old:
                        with open(self.path("run.h5"), "wb") as f:
                            f.write(old)
                    status, err, _ = struck(words, self.folder, at, kind)
                    if self.bytes("run.h5") != old:
                        self.assertEqual(self.record("run.h5"), expected, (kind, at))
                    if kind == "kill":
                        self.assertEqual(status, -signal.SIGKILL)
                    else:
                        self.assertEqual(status, 2, (at, err))
                        self.told(at, err, ["run.h5"])
                    if old and not os.path.exists(self.path("run.h5.journal")):
                        continue  # killed before the record began: there is nothing but the old file
                    status, out, err = run(*words, "--resume", cwd=self.folder)
                    if old and status == 2:  # not even the journal's first words were written
                        self.assertEqual(self.bytes("run.h5"), old)
                        self.assertLessEqual(at, 2)
                        continue
                    self.assertEqual((status, out, err), (0, whole, ""), (kind, at))
                    self.assertEqual(self.record("run.h5"), expected, (kind, at))
                    self.assertEqual(glob.glob(self.path("run.h5?*")), [])

    def test_a_study_goes_on(self):
        shutil.copy(ROM, self.path("whole_joint.h5"))
        self.text("model.toml", MODEL)
        self.text("study.toml", TINY)
        measured(self.folder)
        words = ["study", "study.toml", "--out", "s.db", "--threads", "1"]
        status, err, calls = struck(words, self.folder, 0)
        self.assertEqual(status, 0, err)
        self.assertGreater(calls, 20)
        reference = fronts(self.path("s_fronts"))
        for kind in "kill", "full":
            for at in spread(calls, 14):
                for name in glob.glob(self.path("s.db*")):
                    os.remove(name)
                shutil.rmtree(self.path("s_fronts"))
                status, err, _ = struck(words, self.folder, at, kind)
                if kind == "kill":
                    self.assertEqual(status, -signal.SIGKILL, (at, err))
                elif status != 0:  # SQLite can do without a few of its writes
                    self.assertEqual(status, 2, (at, err))
                    self.told(at, "".join(err.splitlines(keepends=True)[-1:]), ["s.db", "s_fronts"])
                status, _, err = run(*words, cwd=self.folder)
                self.assertEqual(status, 0, (kind, at, err))
                self.assertEqual(fronts(self.path("s_fronts")), reference, (kind, at))
                self.assertEqual(glob.glob(self.path("s.db?*")), [])


if __name__ == "__main__":
    unittest.main()
