"""Nothing but the command line and the files it names decides what a run does, and hostile ones end in one line
(docs/trust.md)."""

import json
import os
import pty
import resource
import signal
import stat
import subprocess
import tempfile
import time
import unittest

from faying import BINARY, run

MODEL = """[structure]
mass = [[10,0],[0,10]]
stiffness = [[18,-9],[-9,9]]
[[joint]]
law = "jenkins"
parameters = { kt = 1, fs = 2 }
dofs = [1, 2]
"""


def folder():
    return tempfile.TemporaryDirectory(prefix="trust-")


def save(path, text):
    with open(path, "w") as file:
        file.write(text)


def content(path):
    with open(path) as file:
        return file.read()


def limited():
    """2 GB of address space would do for every refusal; PETSc's libraries alone take one."""
    resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000, 6_000_000_000))


class Refusals(unittest.TestCase):
    def refused(self, *words, says, cwd=None, seconds=20):
        begun = time.time()
        done = subprocess.run([BINARY, *words], capture_output=True, cwd=cwd, timeout=120, preexec_fn=limited)
        error = done.stderr.decode()
        self.assertEqual(done.returncode, 2, error)
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.startswith("faying: "), error)
        self.assertIn(says, error)
        self.assertLess(time.time() - begun, seconds)
        return error

    def test_devices_and_endless_lines(self):
        for words in (["loop", "jenkins", "kt=1", "fs=1", "--history", "/dev/zero"], ["modes", "/dev/zero"],
                      ["reduce", "/dev/zero", "--out", "x.h5"], ["deck", "show", "/dev/zero"],
                      ["identify", "/dev/urandom", "--law", "jenkins"], ["envelope", "/dev/zero"]):
            with self.subTest(words=words), folder() as here:
                self.refused(*words, says=": is a device", cwd=here)
                self.assertEqual(os.listdir(here), [])
        with folder() as here:
            with open(here + "/long.csv", "wb") as file:
                for _ in range(20):
                    file.write(b"1," * 5_000_000)
            self.refused("identify", "long.csv", "--law", "jenkins", says="long.csv:1: is a line of more than", cwd=here)
            os.rename(here + "/long.csv", here + "/long.inp")
            self.refused("deck", "show", "long.inp", says="long.inp:1: is a line of more than", cwd=here)

    def test_nested_files(self):
        with folder() as here:
            files = {"a.toml": ".".join(["a"] * 200_000) + " = 1", "b.toml": "[" + ".".join(["a"] * 200_000) + "]",
                     "c.toml": "a = " + "[" * 200_000}
            for name, text in files.items():
                save(f"{here}/{name}", text)
                self.refused("modes", name, says=name, cwd=here)
            head = '{"format":1,"title":"x","virtual":true,"modes":[{"mode":1,"fitted":true,"measured":{"amplitude":[],' \
                   '"frequency":[],"damping":[]}}],"variants":[],"x":'
            save(here + "/deep.json", head + "[" * 300_000 + "]" * 300_000 + "}")
            self.refused("report", "deep.json", "--out", "x.html", says="deep.json: is nested more than 64 deep", cwd=here)

    def test_huge_counts(self):
        with folder() as here:
            save(here + "/m.toml", MODEL)
            save(here + "/loop.csv", "u,f\n0,0\n1,1\n2,1\n" + "1,0\n0,-1\n-2,-1\n-1,0\n0,1\n2,1\n" * 3)
            self.refused("identify", "loop.csv", "--law", "jenkins", "--passes", "1000000000", says="passes <= 1000",
                         cwd=here)
            self.refused("loop", "jenkins", "kt=1", "fs=1", "--signal", "sin(t)", "--time", "0:1:1e12",
                         says="from 2 to 1e7")
            self.refused("backbone", "m.toml", "--amplitudes", "1e-3:1:1e9", says="N from 2 to 1e5", cwd=here)
            self.refused("simulate", "m.toml", "--free", "mode=1,q=1", "--time", "1e8", "--dt", "1e-3", says="steps",
                         cwd=here)
            self.refused("simulate", "m.toml", "--free", "mode=1,q=1", "--time", "1e5", "--dt", "1e-3", "--csv", "x.csv",
                         says="rows", cwd=here)
            self.refused("mesh", "beam", "--size", "1e-9", "--out", "x.inp", says="a size of", cwd=here)
            self.refused("mesh", "brake-reuss", "--size", "1e-4", "--out", "x.inp", says="a larger size is needed",
                         cwd=here)
            self.assertEqual(sorted(os.listdir(here)), ["loop.csv", "m.toml"])

    def test_numbers_are_finite_and_keys_of_their_kind(self):
        with folder() as here:
            save(here + "/m.toml", MODEL)
            simulate = ["simulate", "m.toml", "--free", "mode=1,q=1"]
            for value in ("nan", "inf", "-inf", "1e999", "NAN"):
                self.refused(*simulate, "--time", value, "--dt", "0.1", says="finite", cwd=here)
                self.refused(*simulate, "--time", "1", "--dt", "0.1", "--rho", value, says="finite", cwd=here)
                self.refused("mesh", "beam", "--size", value, "--out", "x.inp", says="number", cwd=here)
                self.refused("envelope", "x.csv", "--scale", value, says="finite", cwd=here)
                self.refused("backbone", "m.toml", "--amplitudes", f"1e-3:{value}:5", says="LO:HI:N", cwd=here)
                self.refused("backbone", "m.toml", "--at", value, says="number", cwd=here)
                self.refused("loop", "jenkins", f"kt={value}", "fs=1", "--cycle", "1", says="kt", cwd=here)
            wrong = {'name = 5\nlaw = "jenkins"': "m.toml:5: name must be a text in quotes; it is a number",
                     "law = 5": "m.toml:5: law must be a text in quotes; it is a number",
                     'law = "jenkins"\ndofs = true': "dofs must be a finite number; it is true or false",
                     'name = "a\\u001b[31mb"\nlaw = "jenkins"': "m.toml:5: name must be a text of one line"}
            for lines, says in wrong.items():
                text = MODEL.split("[[joint]]")[0] + "[[joint]]\n" + lines + "\nparameters = { kt = 1, fs = 2 }\n"
                save(here + "/m.toml", text if "dofs" in lines else text + "dofs = [1, 2]\n")
                self.refused("modes", "m.toml", says=says, cwd=here)
            save(here + "/m.toml", "structure = 5\n")
            self.refused("modes", "m.toml", says="m.toml:1: structure must be a table", cwd=here)

    def test_formulas_give_nothing_a_value(self):
        for formula in ("t=5", "t=t+1", "sin(t),cos(t)"):
            self.refused("loop", "jenkins", "kt=1", "fs=1", "--signal", formula, "--time", "0:1:5",
                         says=f"formula '{formula}'")


class Terminal(unittest.TestCase):
    def test_control_characters_do_not_reach_it(self):
        evil = "\x1b]0;owned\x07\x1b[31mb\nfaying: fine"
        with folder() as here:
            for words in (["modes", evil + ".toml"], [evil], ["modes", "m.toml", "--" + evil], ["modes", "d.inp"],
                          ["backbone", "m.toml", "--at", evil]):
                save(here + "/d.inp", "*NODE\n1, 0, 0, \x1b[31mx\n")
                save(here + "/m.toml", MODEL)
                status, out, err = run(*words, cwd=here)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertNotIn("\x1b", err)
                self.assertNotIn("\x07", err)

    def test_names_of_decks_are_shown_and_not_obeyed(self):
        with folder() as here:
            evil, odd = "A\x1b[31mB", "M\x9bC"
            save(here + "/d.inp", f"*NODE, NSET={evil}\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET={evil}\n"
                 f"1,1,2,3,4\n*MATERIAL, NAME={odd}\n*ELASTIC\n1, 0.3\n*SOLID SECTION, ELSET={evil}, MATERIAL={odd}\n")
            status, out, err = run("deck", "show", "d.inp", cwd=here)
            self.assertEqual(status, 0, err)
            self.assertIn("\\u001b[31m", out)
            for text in (out, err):
                self.assertNotIn("\x1b", text)
                self.assertNotIn("\x9b", text)
            raw = run("deck", "show", "d.inp", "--json", cwd=here)[1]
            self.assertNotIn("\x9b", raw)
            self.assertIn(evil, str(json.loads(raw)).replace("\\x1b", "\x1b"))  # JSON says what the deck says

    def test_json_on_a_terminal_is_the_same(self):
        with folder() as here:
            save(here + "/m.toml", MODEL)
            piped = run("modes", "m.toml", "--json", cwd=here)[1]
            main, side = pty.openpty()
            process = subprocess.Popen([BINARY, "modes", "m.toml", "--json"], stdout=side, stderr=side, cwd=here)
            os.close(side)
            seen = b""
            try:
                while chunk := os.read(main, 4096):
                    seen += chunk
            except OSError:
                pass
            process.wait()
            self.assertEqual(json.loads(seen), json.loads(piped))


class Environment(unittest.TestCase):
    def test_start_up_files_and_variables_change_nothing(self):
        with folder() as here:
            status, _, err = run("mesh", "beam", "--size", "0.02", "--out", "b.inp", cwd=here)
            self.assertEqual(status, 0, err)
            plain = run("modes", "b.inp", "--count", "8", "--json", cwd=here)
            self.assertEqual(plain[0], 0, plain[2])
            spoil = f"-log_view :{here}/spoiled\n-options_view\n-eps_max_it 1\n-mat_mumps_icntl_4 3\n"
            for name in (".petscrc", "petscrc"):
                save(f"{here}/{name}", spoil)
            os.makedirs(here + "/.openmpi/components")
            save(here + "/.openmpi/mca-params.conf", "btl = nothing\n")
            os.makedirs(here + "/.pmix")
            save(here + "/.pmix/mca-params.conf", "gds = nothing\n")
            for name in (".gmshrc", ".gmsh-options"):
                save(f"{here}/{name}", "Mesh.ElementOrder = 2;\nMesh.MeshSizeFactor = 7;\n")
            environment = dict(
                os.environ, HOME=here, GMSH_HOME=here, PETSC_OPTIONS=spoil.replace("\n", " "), OPENBLAS_NUM_THREADS="7", OPENBLAS_VERBOSE="2",
                OPENBLAS_CORETYPE="Prescott", OMP_NUM_THREADS="7", OMPI_MCA_btl="nothing", HDF5_PLUGIN_PATH=here,
                HDF5_DRIVER="nothing", HWLOC_XMLFILE="/nowhere", GLOG_logtostderr="1", PMIX_MCA_gds="nothing")
            before = sorted(os.listdir(here))
            words = [BINARY, "modes", "b.inp", "--count", "8", "--json"]
            spoiled = subprocess.run(words, capture_output=True, text=True, cwd=here, timeout=120, env=environment)
            self.assertEqual(spoiled.stderr, "")
            self.assertEqual(spoiled.stdout, plain[1])  # to the last bit
            words = [BINARY, "mesh", "beam", "--size", "0.02", "--out", "c.inp"]
            subprocess.run(words, capture_output=True, cwd=here, timeout=120, env=environment, check=True)
            self.assertEqual(content(here + "/b.inp"), content(here + "/c.inp"))
            self.assertEqual(sorted(os.listdir(here)), sorted(before + ["c.inp"]))


class Children(unittest.TestCase):
    def test_they_end_with_us_whatever_the_signal_and_so_do_their_folders(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(signal=number), folder() as here:
                os.makedirs(here + "/bin")
                os.makedirs(here + "/tmp")
                with open(here + "/bin/gmsh", "w") as program:  # one that starts another, and takes for ever
                    program.write(f"#!/bin/sh\nsleep 600 &\necho $$ $! > {here}/pids.part\nmv {here}/pids.part {here}/pids\n"
                                  "sleep 600\n")
                os.chmod(here + "/bin/gmsh", stat.S_IRWXU)
                environment = dict(os.environ, PATH=here + "/bin:" + os.environ["PATH"], TMPDIR=here + "/tmp")
                process = subprocess.Popen([BINARY, "mesh", "beam", "--out", "x.inp"], cwd=here, env=environment,
                                           stderr=subprocess.PIPE)
                self.wait_for(lambda: os.path.exists(here + "/pids"))
                self.assertEqual(len(os.listdir(here + "/tmp")), 1)
                process.send_signal(number)
                process.communicate(timeout=10)  # nobody holds its standard error open
                for child in content(here + "/pids").split():
                    self.wait_for(lambda: not self.runs(child))
                self.wait_for(lambda: os.listdir(here + "/tmp") == [])
                self.assertFalse(os.path.exists(here + "/x.inp"))

    def wait_for(self, held):
        for _ in range(500):
            if held():
                return
            time.sleep(0.02)
        self.fail("it did not happen within 10 s")

    @staticmethod
    def runs(child):
        try:
            return content(f"/proc/{child}/stat").split(")")[-1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False


if __name__ == "__main__":
    unittest.main()
