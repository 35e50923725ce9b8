"""faying preload and modes about it: what the joint does at rest, and the files that show it."""

import csv
import math
import pathlib
import struct
import sys
import tempfile
import unittest

from faying import result, run

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "web"))
from browser import require_passed

PRELOAD = 12845
CONTACT = f"""
[structure]
file = "{(HERE / '../../data/brake_reuss/whole_joint.h5').resolve()}"
static = {{ preload = {PRELOAD} }}
[[joint]]
name = "lap"
law = "elastic-dry-friction"
parameters = {{ kt = 3e12, mu = 0.01, kn = 1e13 }}
patch = "all"
per = "area"
"""
# Two masses against ground: one pressed, one pulled off.
PLAIN = """
[structure]
mass = [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]
stiffness = [[1,0,0,0,0,0],[0,2,0,0,0,0],[0,0,3,0,0,0],[0,0,0,4.1,0,0],[0,0,0,0,5.3,0],[0,0,0,0,0,6.7]]
static = [0, 0, 2, 0, 0, -1]
[[joint]]
name = "feet, both"
law = "elastic-dry-friction"
parameters = { kt = 5, mu = 0.4, kn = 10 }
dofs = [[1], [2], [3], [4], [5], [6]]
"""


class PreloadTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, text):
        (self.folder / "model.toml").write_text(text)

    def answer(self, *words):
        return result(words[0], "model.toml", *words[1:], cwd=self.folder)

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_modes_start_where_backbones_do(self):
        self.write(CONTACT)
        modes = self.answer("modes", "--count", "3")
        self.assertEqual((modes["about"], modes["joints"], modes["contact"]["sites"]), ("preload", "preloaded", 5))
        stuck = self.answer("modes", "--count", "3", "--about", "stuck")
        slipping = self.answer("modes", "--count", "3", "--about", "slipping")
        self.assertEqual((stuck["about"], slipping["about"]), ("stuck", "slipping"))
        self.assertEqual(self.answer("modes", "--count", "3", "--slip")["omega"], slipping["omega"])
        for mode in (1, 2, 3):
            point = self.answer("backbone", "--mode", str(mode), "--at", "1e-7")["points"][0]
            self.assertAlmostEqual(modes["omega"][mode - 1] / point["omega"], 1, places=8)
            self.assertAlmostEqual(modes["frequency"][mode - 1], modes["omega"][mode - 1] / (2 * math.pi), places=9)
            self.assertAlmostEqual(point["frequency"], point["omega"] / (2 * math.pi), places=9)
        self.assertGreater(stuck["omega"][0], 1.1 * modes["omega"][0])
        self.assertEqual(self.answer("modes", "--count", "1", "--prestress", "conservative")["about"], "preload")

        # Nothing is preloaded, or the joints do not care: as ever, and it says so.
        self.write(CONTACT.replace(f"static = {{ preload = {PRELOAD} }}", ""))
        self.assertEqual(self.answer("modes", "--count", "3")["omega"], stuck["omega"])
        self.assertEqual(self.answer("modes", "--count", "3")["about"], "stuck")
        for words, expected in ((["--about", "preload"], "no static load"), (["--about", "held"], "--about")):
            status, out, err = run("modes", "model.toml", *words, cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(expected, err)
        self.write(CONTACT.replace(f"preload = {PRELOAD}", f"preload = -{PRELOAD}"))
        status, out, err = run("modes", "model.toml", cwd=self.folder)
        self.assertEqual((status, out), (3, ""), err)
        self.assertIn("opens the joint completely", err)

    def test_units(self):
        self.write(CONTACT)
        both = self.answer("modes", "--count", "1")
        for words, label, value in ([], "frequency / Hz", both["frequency"][0]), (["--unit", "rad/s"], "omega / (rad/s)", both["omega"][0]):
            status, out, err = run("modes", "model.toml", "--count", "1", *words, cwd=self.folder)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("about the preload", out)
            self.assertIn(label, out)
            self.assertAlmostEqual(float(out.splitlines()[-1].split()[1]) / value, 1, places=8)
            status, out, err = run("backbone", "model.toml", "--at", "1e-7,2e-7", "--plot", "b.svg", "--csv", "b.csv", *words, cwd=self.folder)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(label, out.splitlines()[0])
            self.assertAlmostEqual(float(out.splitlines()[1].split()[1]) / value, 1, places=7)
            self.assertIn(label, (self.folder / "b.svg").read_text())
            (first, _) = self.rows("b.csv")  # both, whatever is shown
            self.assertAlmostEqual(float(first["omega"]) / both["omega"][0], 1, places=7)
            self.assertAlmostEqual(float(first["frequency"]) / both["frequency"][0], 1, places=7)
        status, _, err = run("modes", "model.toml", "--unit", "kHz", cwd=self.folder)
        self.assertEqual((status, err.count("\n")), (2, 1), err)

    def test_bolts_press_the_joint(self):
        self.write(CONTACT)
        answer = self.answer("preload", "--csv", "sites.csv", "--dofs", "dofs.csv", "--vtk", "sites.vtu")
        (contact,) = answer["contact"]
        self.assertEqual((contact["joint"], contact["pressure_unit"], len(contact["site"])), ("lap", "Pa", 5))
        # What three bolts press with, the patches carry.
        force = sum(p * a for p, a in zip(contact["pressure"], contact["area"]))
        self.assertAlmostEqual(force / (3 * PRELOAD), 1, places=6)
        for gap, pressure, status in zip(contact["gap"], contact["pressure"], contact["status"]):
            self.assertGreaterEqual(gap, 0)
            self.assertEqual((gap > 0, pressure > 0), (status == "open", status != "open"))
        self.assertEqual(len(set(contact["x"])), 5)
        self.assertEqual(len(answer["dofs"]), len(answer["u"]))
        sites = self.rows("sites.csv")
        for key in ("x", "y", "z", "area", "pressure", "gap", "slip"):
            self.assertEqual([float(row[key]) for row in sites], contact[key])
        self.assertEqual([row["site"] for row in sites], contact["site"])
        self.assertEqual([(row["dof"], float(row["u"])) for row in self.rows("dofs.csv")], list(zip(answer["dofs"], answer["u"])))
        self.points_in_vtk(contact)

    def points_in_vtk(self, contact):
        data = (self.folder / "sites.vtu").read_bytes()
        head, body = data.split(b'<AppendedData encoding="raw">\n_', 1)
        self.assertIn(b'NumberOfPoints="5" NumberOfCells="5"', head)

        def array(name):
            line = next(line for line in head.splitlines() if b'Name="' + name + b'"' in line)
            at = int(line.split(b'offset="')[1].split(b'"')[0])
            (size,) = struct.unpack_from("<Q", body, at)
            return struct.unpack_from(f"<{size // 8}d", body, at + 8)

        self.assertEqual(list(array(b"pressure")), contact["pressure"])
        self.assertEqual(list(array(b"Points"))[0::3], contact["x"])

    def test_maps(self):
        self.write(CONTACT)
        status, _, err = run("preload", "model.toml", "--plot", "page.html", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        require_passed("preload_page.js", self.folder / "page.html")
        self.assertEqual(run("preload", "model.toml", "--plot", "picture.svg", cwd=self.folder)[0], 0)
        self.assertIn("pressure / Pa", (self.folder / "picture.svg").read_text())

    def test_without_places(self):
        self.write(PLAIN)
        (contact,) = self.answer("preload", "--csv", "sites.csv")["contact"]
        self.assertEqual(contact["status"], ["stuck", "open"])
        self.assertAlmostEqual(contact["gap"][1], 1 / 6.7, places=12)
        self.assertAlmostEqual(contact["pressure"][0], 20 / 13, places=12)
        self.assertEqual(contact["pressure_unit"], "N")
        self.assertNotIn("x", contact)
        rows = self.rows("sites.csv")
        self.assertEqual([(row["joint"], row["site"], row["x"]) for row in rows], [("feet, both", "1", ""), ("feet, both", "2", "")])
        self.assertAlmostEqual(float(rows[1]["u3"]), -1 / 6.7, places=12)
        for option, name in (("--plot", "p.html"), ("--vtk", "p.vtu")):
            status, out, err = run("preload", "model.toml", option, name, "--csv", "left.csv", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn("where its sites are", err)
            self.assertFalse((self.folder / "left.csv").exists())


if __name__ == "__main__":
    unittest.main()
