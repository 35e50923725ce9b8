"""What becomes of files: none is lost, none is overwritten that should not be, and what failed is named."""

import glob
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from faying import BINARY, MPI, result, run
from lap_deck import lap_joint, write
from reduce_test import WHOLE
from study_test import MODEL, ROM, STUDY, fronts, measured

LOOP = ["loop", "jenkins", "kt=1", "fs=1", "--path", "0,2,-2,2"]


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name, content):
        with open(self.path(name), "w") as f:
            f.write(content)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def refused(self, *words, about):
        before = {name: os.lstat(self.path(name)).st_mtime_ns for name in os.listdir(self.folder)}
        status, out, err = run(*words, cwd=self.folder)
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        self.assertIn(about, err)
        self.assertEqual({name: os.lstat(self.path(name)).st_mtime_ns for name in os.listdir(self.folder)}, before)


class Files(Folder):
    def test_an_output_that_is_an_input_is_refused(self):
        self.text("loop.csv", "u,f\n" + "".join(f"{u},{f}\n" for u, f in ((0, 0), (1, 1), (2, 1), (1, 0), (0, -1), (-1, -1), (0, 0))))
        os.symlink("loop.csv", self.path("link.csv"))
        os.link(self.path("loop.csv"), self.path("hard.csv"))
        for other in "loop.csv", "./loop.csv", "link.csv", "hard.csv":
            self.refused("identify", "loop.csv", "--law", "jenkins", "--csv", other, about="is also the input")

    def test_an_output_that_an_input_file_names_is_refused(self):
        write(self.path("lap.inp"), lap_joint(cells=1))
        self.text("reduce.toml", WHOLE.replace("modes = 12", "modes = 2"))
        self.refused("reduce", "reduce.toml", "--out", "rom.h5", "--vtk", "lap.inp", about="lap.inp: is an input of this command")
        self.text("main.inp", "*INCLUDE, INPUT=lap.inp\n")
        self.refused("deck", "flatten", "main.inp", "--out", "lap.inp", about="lap.inp: is an input of this command")
        shutil.copy(ROM, self.path("whole_joint.h5"))
        self.text("model.toml", MODEL)
        self.refused("simulate", "model.toml", "--free", "mode=1,q=1e-5", "--time", "1e-3", "--dt", "1e-5", "--out", "whole_joint.h5",
                     about="whole_joint.h5: is an input of this command")

    def test_two_outputs_of_one_name_are_refused(self):
        os.symlink("b.svg", self.path("a.svg"))
        self.refused(*LOOP, "--csv", "x.svg", "--plot", "./x.svg", about="two results need two files")
        self.refused(*LOOP, "--csv", "a.svg", "--plot", "b.svg", about="two results need two files")
        self.assertEqual(run(*LOOP, "--csv", "/dev/null", "--plot", "c.svg", cwd=self.folder)[0], 0)

    def test_what_a_kill_left_is_removed(self):
        self.text("a.csv.part", "half")
        self.assertEqual(run(*LOOP, "--csv", "a.csv", cwd=self.folder)[0], 0)
        self.assertEqual(os.listdir(self.folder), ["a.csv"])

    def test_a_limit_on_the_size_of_files_is_an_error(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

        self.text("a.svg", "old")
        done = subprocess.run([BINARY, *LOOP, "--plot", "a.svg"], cwd=self.folder, capture_output=True, text=True, preexec_fn=small)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr, "faying: a.svg: cannot be written: File too large\n")
        self.assertEqual(self.read("a.svg"), "old")
        self.assertEqual(os.listdir(self.folder), ["a.svg"])

    def test_standard_streams(self):
        def call(words, **how):
            return subprocess.run([BINARY, *words], cwd=self.folder, env=MPI, text=True, **how)

        with open("/dev/full", "w") as full:
            for words in LOOP, ["--help"], ["laws", "--json"]:
                done = call(words, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), (words, done.stderr))
                self.assertIn("standard output: No space left", done.stderr)
            self.assertEqual(call(["loop", "nonsense"], stdout=subprocess.PIPE, stderr=full).returncode, 2)
        reader, writer = os.pipe()
        os.close(reader)
        done = call(["laws"], stdout=writer, stderr=subprocess.PIPE)  # as `| head` leaves it
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))
        # Closed: no file that is opened takes their place.
        closed = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", BINARY, *LOOP, "--csv", "a.csv"], cwd=self.folder, env=MPI)
        self.assertEqual(closed.returncode, 2)  # the result could not be printed ..
        status, _, _ = run(*LOOP, "--csv", "b.csv", cwd=self.folder)
        self.assertEqual((status, self.read("a.csv")), (0, self.read("b.csv")))  # .. but was written


class Studies(Folder):
    """A study and what can happen to its store."""

    @classmethod
    def setUpClass(cls):
        cls.inputs = tempfile.mkdtemp()
        shutil.copy(ROM, os.path.join(cls.inputs, "whole_joint.h5"))
        for name, text in (("model.toml", MODEL), ("study.toml", STUDY.replace("generations = 8", "generations = 3"))):
            with open(os.path.join(cls.inputs, name), "w") as f:
                f.write(text)
        measured(cls.inputs)
        result("study", "study.toml", "--out", "reference.db", cwd=cls.inputs)
        cls.reference = fronts(os.path.join(cls.inputs, "reference_fronts"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.inputs)

    def setUp(self):
        super().setUp()
        for name in os.listdir(self.inputs):
            if not name.startswith("reference"):
                shutil.copy(os.path.join(self.inputs, name), self.folder)

    def study(self, out="s.db", **how):
        return subprocess.run([BINARY, "study", "study.toml", "--out", out], cwd=self.folder, env=MPI, text=True, **how)

    def test_standard_error_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(self.study(stdout=subprocess.DEVNULL, stderr=full).returncode, 0)
        self.assertEqual(fronts(self.path("s_fronts")), self.reference)
        reader, writer = os.pipe()
        os.close(reader)
        self.assertEqual(self.study("t.db", stdout=subprocess.DEVNULL, stderr=writer).returncode, 0)
        os.close(writer)
        subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", BINARY, "study", "study.toml", "--out", "u.db"], cwd=self.folder, env=MPI,
                       stdout=subprocess.DEVNULL, check=True)
        for name in "t_fronts", "u_fronts":
            self.assertEqual(fronts(self.path(name)), self.reference)
        self.assertEqual(glob.glob(self.path("*.db?*")), [])

    def test_names_that_are_no_files(self):
        for name in ":memory:", "file:x.db", "file::memory:?cache=shared":
            self.refused("study", "study.toml", "--out", name, about="would be lost")

    def test_one_writer_whatever_the_store_is_called(self):
        os.symlink("real.db", self.path("link.db"))
        lock = subprocess.Popen(["flock", self.path("real.db-writer"), "sleep", "30"])
        time.sleep(0.3)
        self.refused("study", "study.toml", "--out", "link.db", about="in use by another study")
        lock.kill()
        lock.wait()
        shutil.copy(os.path.join(self.inputs, "reference.db"), self.path("a.db"))
        os.link(self.path("a.db"), self.path("b.db"))
        self.refused("study", "study.toml", "--out", "b.db", about="hard link")

    def test_bad_input_leaves_no_store(self):
        self.text("s_fronts", "a file")
        self.refused("study", "study.toml", "--out", "s.db", about="is a file; a folder is needed")
        self.text("other.db", "no store")
        self.refused("study", "study.toml", "--out", "other.db", about="not an SQLite file")

    def test_a_store_that_another_program_edited(self):
        for sql, row in (("UPDATE evaluation SET objectives = '[0.1,0.2]' WHERE id = 5", "evaluation 5"),
                         ("UPDATE text SET text = replace(text, 'Recovered', 'Invented') WHERE key = 'head'", "'head'")):
            shutil.copy(os.path.join(self.inputs, "reference.db"), self.path("e.db"))
            with sqlite3.connect(self.path("e.db")) as store:
                store.execute(sql)
            store.close()
            for words in (["study", "study.toml", "--out", "e.db"], ["report", "e.db", "--out", "r.html"]):
                status, out, err = run(*words, cwd=self.folder)
                self.assertEqual((status, out), (2, ""))
                self.assertIn(f"is damaged: {row} is not what was written", err)

    def test_a_store_that_is_lost_or_changed_under_a_study(self):
        def removed():
            os.remove(self.path("long.db"))

        def edited():
            store = sqlite3.connect(self.path("long.db"), timeout=10)
            store.execute("UPDATE evaluation SET wall_time = wall_time + 1 WHERE id = 1")
            store.commit()
            store.close()

        self.text("long.toml", STUDY.replace("generations = 8", "generations = 2000"))
        for change, about in (removed, "was deleted or replaced while the study was running"), (edited, "was changed by another program"):
            child = subprocess.Popen([BINARY, "study", "long.toml", "--out", "long.db"], cwd=self.folder, env=MPI, text=True,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                time.sleep(0.1)
                try:
                    store = sqlite3.connect(f"file:{self.path('long.db')}?mode=ro", uri=True)
                    rows = store.execute("SELECT count(*) FROM evaluation").fetchone()[0]
                    store.close()
                    if rows > 0:
                        break
                except sqlite3.OperationalError:
                    pass
            change()
            err = child.communicate(timeout=60)[1]
            self.assertEqual(child.returncode, 2, err)
            self.assertIn(about, err)
            for name in glob.glob(self.path("long.db*")):
                os.remove(name)

    def test_a_store_of_the_format_before_is_taken_up(self):
        shutil.copy(os.path.join(self.inputs, "reference.db"), self.path("old.db"))
        store = sqlite3.connect(self.path("old.db"))
        for table in "text", "evaluation":
            store.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
        store.execute("DELETE FROM text WHERE key = 'head'")  # a kill between its two first writes left it so
        store.execute("PRAGMA user_version = 2")
        store.commit()
        store.close()
        self.assertEqual(self.study("old.db", stdout=subprocess.DEVNULL).returncode, 0)
        self.assertEqual(fronts(self.path("old_fronts")), self.reference)
        self.assertEqual(run("report", "old.db", "--out", "r.html", cwd=self.folder)[0], 0)


if __name__ == "__main__":
    unittest.main()
