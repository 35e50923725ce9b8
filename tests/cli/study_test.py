import csv
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py

from faying import BINARY, result, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROM = os.path.join(HERE, "..", "..", "data", "brake_reuss", "whole_joint.h5")

MODEL = """
[structure]
file = "whole_joint.h5"
static = { preload = 12845 }
damping = { ratio = 1e-4 }
[[joint]]
law = "iwan4"
parameters = { FS = 1.6e6, KT = 3e12, chi = -0.4, beta = 1e-2 }
patch = "all"
along = "tangential"
per = "area"
[[joint]]
law = "polynomial"
parameters = { k1 = 1e13 }
patch = "all"
along = "normal"
per = "area"
"""

STUDY = """
title = "Recovered"
variants = ["jenkins", "iwan4"]
[structure]
whole = "whole_joint.h5"
static = { preload = 12845 }
[measurement]
file = "backbones.csv"
points = 8
viscous = 1e-4
[[mode]]
mode = 1
[[mode]]
mode = 2
index = 3
fitted = false
[search]
method = "both"
population = 12
generations = 8
rays = 3
starts = 1
seed = 3
"""


def measured(folder):
    """Backbones of a known Iwan model, in backbones.csv"""
    rows = ["# virtual: made by faying backbone", "mode,amplitude,omega,zeta"]
    for number, index, top in (1, 1, 3e-4), (2, 3, 1e-4):
        r = result("backbone", "model.toml", "--mode", str(index), "--amplitudes", f"1e-6:{top}:20", cwd=folder)
        rows += [f"{number},{p['q']!r},{p['omega']!r},{p['zeta']!r}" for p in r["points"]]
    with open(os.path.join(folder, "backbones.csv"), "w") as f:
        f.write("\n".join(rows) + "\n")


def fronts(folder):
    """Every exported file with its bytes"""
    return {p.name: p.read_bytes() for p in sorted(pathlib.Path(folder).iterdir())}


class StudyCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        shutil.copy(ROM, os.path.join(cls.folder, "whole_joint.h5"))
        cls.write("model.toml", MODEL)
        cls.write("study.toml", STUDY)
        measured(cls.folder)
        cls.answer = result("study", "study.toml", "--out", "reference.db", "--threads", "1", cwd=cls.folder)
        cls.reference = fronts(cls.path("reference_fronts"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def write(cls, name, text):
        with open(cls.path(name), "w") as f:
            f.write(text)

    def complains(self, *words, about, file="study.toml", out):
        before = {p: p.read_bytes() for p in pathlib.Path(self.folder).glob(out)}
        status, text, err = run("study", file, "--out", out, *words, cwd=self.folder)
        self.assertEqual((status, text), (2, ""), err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(about, err)
        for p, content in before.items():
            self.assertEqual(p.read_bytes(), content)

    def test_the_law_that_made_the_data_is_first(self):
        self.assertEqual(self.answer["ranking"], ["iwan4", "jenkins"])
        self.assertTrue(self.answer["virtual"])
        iwan = next(v for v in self.answer["variants"] if v["name"] == "iwan4")
        least = [min(p["errors"][0][j] for p in iwan["front"]) for j in (0, 1)]
        self.assertLess(least[0], 1e-3)
        self.assertLess(least[1], 1e-2)
        # Nobody on a front dominates another, every point is certified, errors of the prediction are there.
        for v in self.answer["variants"]:
            ends = [p["errors"][0] for p in v["front"]]
            for a, b in zip(ends, ends[1:]):
                self.assertLess(a[0], b[0])
                self.assertGreater(a[1], b[1])
            self.assertTrue(all(p["residual"] < 1e-10 for p in v["front"]))
        self.assertIn("iwan4-knee.toml", self.reference)
        self.assertIn(b"virtual experiment", self.reference["ranking.csv"])

    def test_measurements_in_hdf5_and_mode_by_mode(self):
        with open(self.path("backbones.csv")) as f:
            rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
        with h5py.File(self.path("backbones.h5"), "w") as f:
            for name in rows[0]:
                f[f"measured/{name}"] = [float(row[name]) for row in rows]
        short = STUDY.replace('method = "both"', 'method = "nsga2"').replace("generations = 8", "generations = 2")
        for mode in "1", "2":
            with open(self.path(f"mode{mode}.csv"), "w") as f:
                f.write("amplitude,omega,zeta\n")
                f.writelines(f"{r['amplitude']},{r['omega']},{r['zeta']}\n" for r in rows if r["mode"] == mode)
        own = short.replace('file = "backbones.csv"\n', "")
        for mode in "1", "2":
            own = own.replace(f"mode = {mode}\n", f'mode = {mode}\nfile = "mode{mode}.csv"\n')
        fronts = []
        for ending, study in (("csv", short), ("h5", short.replace("backbones.csv", "backbones.h5")), ("own", own)):
            self.write(f"{ending}.toml", study)
            answer = result("study", f"{ending}.toml", cwd=self.folder)
            fronts.append([[(p["x"], p["errors"]) for p in v["front"]] for v in answer["variants"]])
            self.assertEqual(run("report", f"{ending}.db", "--out", f"{ending}.html", cwd=self.folder)[0], 0)
        self.assertEqual(fronts[1:], fronts[:1] * 2)
        self.write("twice.toml", own.replace("mode1.csv", "backbones.csv"))
        self.complains(about="backbones.csv has 2 modes", file="twice.toml", out="never.db")
        self.write("none.toml", own.replace('file = "mode1.csv"\n', ""))
        self.complains(about="'file' is missing", file="none.toml", out="never.db")

    def test_fronts_take_what_gradients_saw_on_the_way(self):
        rays = STUDY.replace('method = "both"', 'method = "boundary-intersection"').replace("rays = 3", "rays = 1")
        self.write("rays.toml", rays)
        for v in result("study", "rays.toml", cwd=self.folder)["variants"]:
            self.assertGreater(len(v["front"]), 3, v["name"])  # one ray and two ends

    def test_a_study_starts_from_an_earlier_one(self):
        short = STUDY.replace('method = "both"', 'method = "nsga2"').replace("generations = 8", "generations = 1")
        self.write("later.toml", 'from = "reference.db"\n' + short.replace("population = 12", "population = 200"))
        later = result("study", "later.toml", "--out", "later.db", cwd=self.folder)
        for v in self.answer["variants"]:
            new = next(w for w in later["variants"] if w["name"] == v["name"])
            for p in v["front"]:  # the first generation holds them: something is as good as each
                self.assertTrue(any(all(a <= b * (1 + 1e-6) for a, b in zip(q["errors"][0], p["errors"][0]))
                                    for q in new["front"]))
        self.write("prager.toml", 'from = "reference.db"\n' + STUDY.replace('["jenkins", "iwan4"]', '["prager"]'))
        self.complains(about="has no front of any variant of this study; it has those of: jenkins, iwan4",
                       file="prager.toml", out="never.db")

    def test_exported_model_gives_the_errors_of_its_point(self):
        knee = next(p for v in self.answer["variants"] if v["name"] == "iwan4" for p in v["front"] if "knee" in p["kind"])
        r = result("backbone", "reference_fronts/iwan4-knee.toml", "--mode", "1", "--at",
                   ",".join(repr(q) for q in knee["backbones"][0]["q"]), cwd=self.folder)
        for p, frequency in zip(r["points"], knee["backbones"][0]["frequency"]):
            self.assertAlmostEqual(p["omega"] / 6.283185307179586, frequency, delta=2e-5 * frequency)

    def test_loops_and_slip_are_those_of_the_backbone(self):
        """The page of the exported model draws the same loops under the same names, and the same map."""
        knee = next(p for v in self.answer["variants"] if v["name"] == "iwan4" for p in v["front"] if "knee" in p["kind"])
        result("backbone", "reference_fronts/iwan4-knee.toml", "--mode", "1", "--at", repr(knee["backbones"][0]["q"][-1]),
               "--plot", "knee.html", cwd=self.folder)
        page = pathlib.Path(self.path("knee.html")).read_text()
        (detail,) = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S).group(1))["details"]
        curves = {c["label"]: c for c in detail["panels"][0]["curves"]}
        self.assertEqual(len(knee["loops"]), 2)
        for loop in knee["loops"]:
            self.assertRegex(loop["joint"], r"^patch [1-5], (along|across)$")
            same = curves[loop["joint"]]
            for mine, drawn in (loop["u"], same["x"]), (loop["f"], same["y"]):
                size = max(map(abs, drawn))
                self.assertTrue(all(abs(a - b) <= 1e-4 * size for a, b in zip(mine, drawn, strict=True)))
        (slip,) = detail["maps"]
        self.assertEqual((slip["status"], len(slip["x"])), (knee["slip"]["status"], 5))
        for a, b in zip(knee["slip"]["slip"], slip["slip"], strict=True):
            self.assertAlmostEqual(a / b, 1, delta=1e-4)
        self.assertNotIn("pressure", knee["slip"])  # of a law that does not know it

    def test_contact_laws_have_loops_and_pressure(self):
        self.write("contact.toml", STUDY.replace('["jenkins", "iwan4"]', '["elastic-dry-friction"]').replace('"both"', '"nsga2"')
                   .replace("generations = 8", "generations = 2"))
        (v,) = result("study", "contact.toml", "--out", "contact.db", cwd=self.folder)["variants"]
        knee = next(p for p in v["front"] if "knee" in p["kind"])
        for loop in knee["loops"]:
            self.assertRegex(loop["joint"], r"^patch [1-5], (along|across)$")
            self.assertEqual(loop["closure_error"], 0)
            self.assertGreater(max(loop["u"]) - min(loop["u"]), 0)
        slip = knee["slip"]
        self.assertLessEqual(set(slip["status"]), {"stuck", "slipping", "open"})
        # Bolts press, three of them: what the sites carry at +q is near it.
        force = sum(p * a for p, a in zip(slip["pressure"], slip["area"], strict=True))
        self.assertAlmostEqual(force / (3 * 12845), 1, delta=0.2)

    def test_threads_and_ranks_give_the_same_bytes(self):
        def who(answer):
            return answer["timing"]["threads"], answer["timing"]["ranks"]

        self.assertEqual(who(self.answer), (1, 1))
        two = result("study", "study.toml", "--out", "two.db", "--threads", "2", cwd=self.folder)
        self.assertEqual(who(two), (2, 1))
        self.assertEqual(fronts(self.path("two_fronts")), self.reference)
        for ranks in 2, 4:
            answer = result("study", "study.toml", "--out", f"ranks{ranks}.db", cwd=self.folder, ranks=ranks)
            self.assertEqual(who(answer), (1, ranks))
            self.assertEqual(fronts(self.path(f"ranks{ranks}_fronts")), self.reference)

    def test_killed_and_resumed_gives_the_same_bytes(self):
        dice = random.Random(11)
        kills = 0
        command = [BINARY, "study", "study.toml", "--out", "killed.db", "--threads", "2"]
        while kills < 10:
            child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0.05, 0.4))
            child.send_signal(signal.SIGKILL)
            if child.wait() == -signal.SIGKILL:
                kills += 1
                continue
            self.assertEqual(child.returncode, 0)  # it was done before: compare, and begin anew
            self.assertEqual(fronts(self.path("killed_fronts")), self.reference)
            for p in pathlib.Path(self.folder).glob("killed.db*"):
                p.unlink()
        result("study", "study.toml", "--out", "killed.db", cwd=self.folder)
        self.assertEqual(fronts(self.path("killed_fronts")), self.reference)

    def test_interrupt_is_resumable(self):
        child = subprocess.Popen([BINARY, "study", "study.toml", "--out", "stopped.db"], cwd=self.folder, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.path.exists(self.path("stopped.db")):
            time.sleep(0.01)
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
        self.assertEqual((child.returncode, out), (130, ""))
        self.assertIn("run the same command again", err)
        result("study", "study.toml", "--out", "stopped.db", cwd=self.folder)
        self.assertEqual(fronts(self.path("stopped_fronts")), self.reference)

    def test_stores_that_cannot_be_used(self):
        shutil.copy(self.path("reference.db"), self.path("bad.db"))
        self.write("other.toml", STUDY.replace("seed = 3", "seed = 4"))
        self.complains(about="search/seed is 4 now and was 3", file="other.toml", out="bad.db")
        with open(self.path("bad.db"), "r+b") as f:
            f.seek(os.path.getsize(self.path("bad.db")) // 2)
            f.write(b"\xa5" * 6000)
        self.complains(about="is damaged", out="bad.db")
        self.write("text.db", "not a store")
        self.complains(about="not an SQLite file", out="text.db")
        lock = subprocess.Popen(["flock", self.path("held.db-writer"), "sleep", "30"])
        time.sleep(0.3)
        self.complains(about="in use by another study", out="held.db")
        lock.kill()
        lock.wait()

    def test_a_study_that_fails_before_its_first_evaluation_leaves_no_store(self):
        """Its store is made first (the study claims it), and goes again; one with evaluations of its own stays."""
        self.write("early.toml", STUDY.replace("index = 3", "index = 99"))  # no such mode: found out when the model is put together
        for command, text in (("study", "early.toml"), ("fit", "early_fit.toml")):
            if command == "fit":
                self.write(text, STUDY.replace("index = 3", "index = 99").replace(', "iwan4"', "").replace('"both"', '"nsga2"'))
            status, out, err = run(command, text, "--out", "early.db", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn("99 modes", err)
            self.assertEqual([p.name for p in pathlib.Path(self.folder).glob("early*") if p.suffix != ".toml"], [])
        shutil.copy(self.path("reference.db"), self.path("early.db"))
        before = pathlib.Path(self.path("early.db")).read_bytes()
        self.assertEqual(run("study", "early.toml", "--out", "early.db", cwd=self.folder)[0], 2)
        self.assertEqual(pathlib.Path(self.path("early.db")).read_bytes(), before)

    def test_a_disk_that_fills_up(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (150000, 150000))

        done = subprocess.run([BINARY, "study", "study.toml", "--out", "full.db"], cwd=self.folder, text=True,
                              capture_output=True, preexec_fn=small, restore_signals=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("disk", done.stderr.splitlines()[-1])
        result("study", "study.toml", "--out", "full.db", cwd=self.folder)
        self.assertEqual(fronts(self.path("full_fronts")), self.reference)

    def test_a_law_that_is_gone(self):
        shutil.copy(self.path("reference.db"), self.path("gone.db"))
        self.write("gone.toml", STUDY.replace('"jenkins", ', "") +
                   '[[variant]]\nname = "jenkins"\nlaw = "no-such-law"\n')
        self.complains(about="no-such-law", file="gone.toml", out="gone.db")

    def test_measured_points_are_compared_and_shown(self):
        """Without `points` errors are at the measured amplitudes; with it that is said, and raw points stay in the report."""
        with open(self.path("backbones.csv")) as f:
            rows = [row for row in csv.DictReader(line for line in f if not line.startswith("#"))]
        measured = [float(row["amplitude"]) for row in rows if row["mode"] == "1"]
        small = STUDY.replace("generations = 8", "generations = 2").replace('method = "both"', 'method = "nsga2"')
        self.write("measured.toml", small.replace("points = 8\n", ""))
        answer = result("study", "measured.toml", "--out", "measured.db", cwd=self.folder)
        self.assertEqual(answer["modes"][0]["compared"], {"amplitudes": "measured", "points": 20})
        self.assertEqual(answer["compared"], "errors at the measured amplitudes (mode 1: 20, mode 2: 20)")
        self.assertEqual(len(answer["variants"][0]["front"][0]["backbones"][0]["q"]), 20)
        self.assertEqual(self.answer["modes"][0]["compared"]["amplitudes"], "log-spaced")
        self.assertEqual(len(self.answer["modes"][0]["compared"]["amplitude"]), 8)
        self.assertIn("log-spaced amplitudes, interpolated", self.answer["compared"])
        for report in answer, self.answer:
            drawn = report["modes"][0]["measured"]["amplitude"]
            self.assertEqual(len(drawn), 20)
            for a, b in zip(drawn, measured):
                self.assertAlmostEqual(a / b, 1, places=5)
        status, text, err = run("study", "measured.toml", "--out", "measured.db", cwd=self.folder)
        self.assertIn("errors at the measured amplitudes (mode 1: 20, mode 2: 20)", text)
        # A store of the other choice is another study's.
        self.complains(about="belongs to another study", file="measured.toml", out="reference.db")

    def test_latin_1(self):
        """A comment in Latin-1, and file names that are not UTF-8."""
        small = STUDY.replace("generations = 8", "generations = 2").replace('method = "both"', 'method = "nsga2"')
        with open(self.path("backbones.csv"), "rb") as f, open(self.path("latin.csv"), "wb") as g:
            g.write(b"# Pr\xfcfstand\n" + f.read())
        self.write("latin.toml", small.replace("backbones.csv", "latin.csv").replace('title = "Recovered"\n', ""))
        name = os.fsencode(self.path("st")) + b"\xfc.toml"
        shutil.copy(os.fsencode(self.path("latin.toml")), name)
        done = subprocess.run([BINARY, "study", name, "--out", self.path("latin.db"), "--json"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout.decode())["result"]
        self.assertEqual((answer["title"], answer["inputs"][0]["name"]), ("st\u00fc", "st\u00fc.toml"))
        self.assertIn("Pr\u00fcfstand", answer["inputs"][-1]["text"])
        again = subprocess.run([BINARY, "study", name, "--out", self.path("latin.db"), "--json"], capture_output=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        loop = os.fsencode(self.path("l")) + b"\xfc.csv"
        with open(loop, "w") as f:
            f.write("u,f\n" + "".join(f"{math.sin(i / 10)!r},{math.sin(i / 10 + 0.1)!r}\n" for i in range(100)))
        done = subprocess.run([BINARY, "identify", loop, "--law", "jenkins", "--json"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        json.loads(done.stdout.decode())

    def test_amplitudes_that_vanish(self):
        with open(self.path("backbones.csv")) as f, open(self.path("tiny.csv"), "w") as g:
            g.write(f.read() + "1,1e-310,500,1e-4\n")
        self.write("tiny.toml", STUDY.replace("backbones.csv", "tiny.csv"))
        self.complains(about="amplitude 1e-310 must be positive, 1e-150 at least", file="tiny.toml", out="tiny.db")

    def test_bad_study_files(self):
        for old, new, about in (('"jenkins", ', '"jenkinz", ', "unknown variant 'jenkinz'"),
                                ("population = 12", "population = 11", "population must be even"),
                                ("points = 8", "points = 1", "points must be a whole number from 2"),
                                ("viscous = 1e-4", "viscous = -5", "viscous is -5; a damping ratio is in [0, 1)"),
                                ("viscous = 1e-4", "viscous = 1", "viscous is 1; a damping ratio is in [0, 1)"),
                                ("points = 8", 'points = "few"', "allowed are: measured"),
                                ("mode = 2", "mode = 7", "has no mode 7"),
                                ('method = "both"', 'method = "guess"', "allowed are: nsga2"),
                                ("whole_joint.h5", "nothing.h5", "there is no file 'nothing.h5'"),
                                ("seed = 3", "seeds = 3", "unknown key 'seeds'")):
            self.write("bad.toml", STUDY.replace(old, new))
            self.complains(about=about, file="bad.toml", out="never.db")
            self.assertFalse(os.path.exists(self.path("never.db")))


if __name__ == "__main__":
    unittest.main()
