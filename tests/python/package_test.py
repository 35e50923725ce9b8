"""What is handed out works: the installed module, the wheel in a fresh environment, `python3 -m faying`."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import BINARY, SOURCE

BUILD = Path(os.environ["BUILD"])
PROGRAM = ("import faying, numpy; law = faying.law('iwan4', FS=10, KT=1, chi=-0.5, beta=5); print(faying.__file__); "
           "m = faying.Model(numpy.eye(1), numpy.eye(1)).add_joint(law, dofs=0); print(m.backbone(1, [1.0]).omega[0])")


def run(*words, **options):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment.update(options.pop("env", {}))
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, env=environment, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class CommandLine(unittest.TestCase):
    def test_python_m_faying_is_the_command_line(self):
        here = [sys.executable, "-m", "faying", "laws", "iwan4", "--json"]
        ours = subprocess.run(here, capture_output=True, text=True, timeout=60)
        theirs = subprocess.run([BINARY, "laws", "iwan4", "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(ours.stdout, theirs.stdout)
        refused = subprocess.run([sys.executable, "-m", "faying", "loop"], capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)


class Wheel(unittest.TestCase):
    def test_in_a_fresh_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            out = run(sys.executable, os.path.join(SOURCE, "python", "make_wheel"), BUILD, folder)
            wheel = next(Path(folder).glob("*.whl"))
            self.assertIn("shared libraries inside", out)
            run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", f"{folder}/env")  # numpy is the system's
            python = f"{folder}/env/bin/python"
            run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", wheel)
            told = run(python, "-c", PROGRAM, cwd=folder).split()
            self.assertTrue(told[0].startswith(folder), told)
            self.assertTrue(0.9 < float(told[1]) < 2)
            self.assertIn("iwan4", run(f"{folder}/env/bin/faying", "laws", cwd=folder))
            # its own libraries, not the system's
            maps = run(python, "-c", "import faying; print([l for l in open('/proc/self/maps') if 'libfmt' in l][:1])", cwd=folder)
            self.assertIn(f"{folder}/env", maps)


class WithoutPetsc(unittest.TestCase):
    def test_all_but_decks_and_sparse_matrices(self):
        name = re.search(rb"libslepc_real[.]so[.][0-9.]+", Path(BINARY).read_bytes())[0].decode()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, name).touch()  # found first, and no library
            without = {**os.environ, "LD_LIBRARY_PATH": folder}
            told = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=without, timeout=60)
            self.assertEqual(told.returncode, 0, told.stderr)
            deck = os.path.join(SOURCE, "tests", "reference", "decks", "flat.inp")
            refused = subprocess.run([BINARY, "modes", deck], capture_output=True, text=True, env=without, timeout=60)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("decks, sparse matrices and many processes need PETSc", refused.stderr)
            self.assertEqual(refused.stderr.count("\n"), 1, refused.stderr)
            self.assertEqual(subprocess.run([BINARY, "modes", deck], capture_output=True, timeout=60).returncode, 0)

    def test_is_not_loaded_where_it_is_not_needed(self):
        loaded = run(sys.executable, "-c", PROGRAM + "; print(any('petsc' in l or 'libmpi' in l for l in open('/proc/self/maps')))",
                     env={"PYTHONPATH": os.environ["PYTHONPATH"]}).split()
        self.assertEqual(loaded[-1], "False")


class Installed(unittest.TestCase):
    def test_below_a_prefix(self):
        with tempfile.TemporaryDirectory() as folder:
            run("cmake", "--install", BUILD, "--prefix", folder, "--component", "python")
            run("cmake", "-E", "make_directory", f"{folder}/bin")
            run("cmake", "-E", "copy", BINARY, f"{folder}/bin/faying")
            path = {"PYTHONPATH": f"{folder}/lib/python3/dist-packages"}
            told = run(sys.executable, "-c", PROGRAM, cwd=folder, env=path).split()
            self.assertTrue(told[0].startswith(folder), told)
            self.assertIn("iwan4", run(sys.executable, "-m", "faying", "laws", cwd=folder, env=path))


if __name__ == "__main__":
    unittest.main()
