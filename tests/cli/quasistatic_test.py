"""faying quasistatic as a user calls it: an oscillator with one slider, in closed form, and what is refused."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from faying import result, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "web"))
from browser import require_passed

OSCILLATOR = """
[structure]
mass = [[2]]
stiffness = [[5]]
[[joint]]
name = "slider"
law = "jenkins"
parameters = { kt = 3, fs = 1.2 }
dofs = [1]
[[output]]
name = "tip"
dof = 1
"""
# Stuck up to x = 0.4, F = 3.2; then F = 5 x + 1.2.


class Quasistatic(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("model.toml", OSCILLATOR)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def go(self, *words):
        return result("quasistatic", "model.toml", *words, cwd=self.folder)

    def refused(self, *words, status=2):
        code, out, err = run("quasistatic", *words, cwd=self.folder)
        self.assertEqual(code, status, err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        return err

    def reduce_joint(self, direction):
        """A lap joint that rubs: its bolt's load, and the displacement of the tip."""
        self.write("joint.toml", f"""deck = "joint.inp"
modes = 0
contact = "deck"
[[load]]
name = "BOLT_1"
forces = [{{ set = "BOLT_1_PIN_HEAD", force = [0, 0, -1] }}, {{ set = "BOLT_1_PIN_NUT", force = [0, 0, 1] }}]
[[output]]
name = "P"
set = "ACCEL"
direction = {direction}
""")
        self.assertEqual(run("reduce", "joint.toml", "--out", "joint.h5", cwd=self.folder)[0], 0)

    def all_close(self, found, expected, digits=11):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, digits)

    def test_a_path_of_force_and_the_same_of_displacement(self):
        by_force = self.go("--force", "output=tip,p=6.2", "--path", "0.5,1,-1,1", "--events")
        self.all_close(by_force["displacement"], [3.1 / 8, 1, -1, 1])
        self.all_close(by_force["dissipated"], [0, 0.72, 2.16, 3.6])
        self.all_close(by_force["outputs"]["tip"], by_force["displacement"])
        self.assertEqual(by_force["status"], ["converged"] * 4)
        begins = [e for e in by_force["events"] if e["to"] == "slipping"]
        self.assertAlmostEqual(3.1 + begins[0]["share"] * 3.1, 3.2, 7)
        by_way = self.go("--displace", "at=1,u=1", "--path", "0.3875,1,-1,1")
        self.all_close(by_way["reaction"], [3.1, 6.2, -6.2, 6.2])
        self.all_close(by_way["dissipated"], by_force["dissipated"])

    def test_signals_land_on_their_turning_points_and_histories_are_columns(self):
        signal = self.go("--force", "at=1,p=6.2", "--signal", "sin(t)", "--time", "0:6.283185307179586:9")
        self.assertEqual(len(signal["t"]), 9)
        self.assertAlmostEqual(signal["dissipated"][-1], 0.72 + 1.44, 9)  # reversals are met, though no sample need be one
        self.write("two.csv", "t,a,b\n0,0.5,0.25\n1,1,-0.5\n")
        both = self.go("--load", "at=1,p=2", "--force", "output=tip,p=4", "--history", "two.csv")
        self.all_close([d["load"][1] for d in both["drives"]], [2, -2])
        self.all_close(both["displacement"], [2 / 8, 0])

    def test_a_cycle_closes_and_a_page_shows_it(self):
        loop = self.go("--force", "at=1", "--cycle", "6.2", "--points", "5", "--plot", "loop.html", "--csv", "loop.csv")
        self.assertTrue(loop["loop"]["closed"])
        self.assertAlmostEqual(loop["loop"]["dissipation"], 2.88, 10)
        self.assertEqual(len(loop["load"]), 11)
        with open(os.path.join(self.folder, "loop.html")) as file:
            figure = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', file.read(), re.S).group(1))
        self.all_close(figure["panels"][0]["curves"][0]["x"], loop["displacement"])
        with open(os.path.join(self.folder, "loop.csv")) as file:
            self.assertEqual(len(file.read().splitlines()), 12)

    def test_a_lap_joint_tightened_and_bent(self):
        """Heads carry the bolt's tension, plates as much; locked, the tension changes by what the lock says, and the loop closes with a loss."""
        run_ok = lambda *w: self.assertEqual(run(*w, cwd=self.folder)[0], 0, w)
        run_ok("mesh", "lap-joint", "contact=1", "reach=0.02", "lap=0.06", "--size", "0.012", "--element", "C3D8I", "--out", "joint.inp")
        self.write("joint.toml", """deck = "joint.inp"
modes = 0
contact = "deck"
[[load]]
name = "BOLT_1"
forces = [{ set = "BOLT_1_PIN_HEAD", force = [0, 0, -1] }, { set = "BOLT_1_PIN_NUT", force = [0, 0, 1] }]
[[output]]
name = "P"
set = "ACCEL"
direction = [0, 0, 1]
""")
        run_ok("reduce", "joint.toml", "--out", "joint.h5")
        self.write("model.toml", """[structure]
file = "joint.h5"
static = { BOLT_1 = 20000 }
[[joint]]
name = "plates"
law = "elastic-dry-friction"
pair = "TOP_FACE"
[[joint]]
name = "head"
law = "elastic-dry-friction"
pair = "BOLT_1_UNDER_HEAD"
[[joint]]
name = "nut"
law = "elastic-dry-friction"
pair = "BOLT_1_UNDER_NUT"
""")
        r = self.go("--lock", "load=BOLT_1", "--displace", "output=P,u=5e-4", "--path", "0,1,-1,1", "--path-tolerance", "0.05", "--sites")
        bolt = r["drives"][1]
        self.assertEqual(bolt["kind"], "locked")
        self.assertEqual(len(set(round(x, 12) for x in bolt["displacement"])), 1)
        for k in (0, 1, 3):
            normal = {s["joint"]: sum(p * a for p, a in zip(s["pressure"], s["area"])) for s in r["sites"][k]}
            # The head carries the tension, the plates that less what pulls at P: equilibrium of the bolt and of the upper plate
            self.assertAlmostEqual(normal["head"] / (20000 + bolt["load"][k]), 1, places=6)
            self.assertAlmostEqual(normal["plates"] / (normal["head"] - r["drives"][0]["load"][k]), 1, places=6)
        self.assertGreater(r["dissipated"][3], r["dissipated"][1])
        self.assertGreater(abs(bolt["load"][1]), 1)

    def test_a_shank_bears_on_its_holes_when_the_clearance_is_used_up(self):
        """Pulled along, plates and heads slide at 2 mu F, the 0.6 mm of both holes; then the shank carries what is more."""
        self.assertEqual(run("mesh", "lap-joint", "contact=1", "shanks=1", "reach=0.02", "lap=0.06", "thickness=0.012", "--size", "0.006", "--out", "joint.inp", cwd=self.folder)[0], 0)
        self.reduce_joint("[1, 0, 0]")
        self.write("model.toml", '[structure]\nfile = "joint.h5"\nstatic = { BOLT_1 = 5000 }\n[[joint]]\nname = "rub"\nlaw = "elastic-dry-friction"\npair = "all"\n')
        r = self.go("--displace", "output=P,u=1e-3", "--path", "0.2,1.18,1.3", "--path-tolerance", "0.1", "--sites", "--plot", "slide.html")
        for k in (0, 1):
            self.assertAlmostEqual(r["reaction"][k] / (2 * 0.15 * 5000), 1, places=6)
        bears = [{s["joint"].split(": ")[-1]: sum(p * a for p, a in zip(s["pressure"], s["area"])) for s in sites} for sites in r["sites"]]
        self.assertLess(bears[1]["BOLT_1_SHANK_TOP"], 1e-6)  # N: a site beside the clearance may touch by rounding
        self.assertGreater(bears[2]["BOLT_1_SHANK_TOP"], 3000)
        self.assertGreater(r["reaction"][2], 4000)
        require_passed("history_page.js", os.path.join(self.folder, "slide.html"))

    def test_a_series_needs_a_name_and_its_own_shapes(self):
        self.assertIn(".pvd is needed", self.refused("model.toml", "--force", "at=1", "--path", "1", "--vtk", "x.vtu"))
        self.assertIn("goes with --vtk", self.refused("model.toml", "--force", "at=1", "--path", "1", "--shapes", "x.h5"))
        self.assertIn("no joint of the model knows", self.refused("model.toml", "--force", "at=1", "--path", "1", "--vtk", "x.pvd"))
        self.assertEqual([f for f in os.listdir(self.folder) if f.startswith("x")], [])

    @unittest.skipUnless(shutil.which("ccx"), "no ccx")
    def test_ccx_agrees_on_a_lap_joint(self):
        """Node to face, the same penalty, C3D8: the same sites and laws. ccx 2.20 finds no increment after a turn, so the tip only goes one way."""
        self.assertEqual(run("mesh", "lap-joint", "contact=1", "reach=0.02", "lap=0.06", "thickness=0.012", "--size", "0.012", "--element", "C3D8", "--out", "joint.inp", cwd=self.folder)[0], 0)
        self.reduce_joint("[0, 0, 1]")
        self.write("model.toml", """[structure]
file = "joint.h5"
static = { BOLT_1 = 20000 }
[[joint]]
name = "rub"
law = "elastic-dry-friction"
pair = "all"
parameters = { kn = 1e14, kt = 1e14 }
""")
        ours = self.go("--displace", "output=P,u=2e-4", "--path", "0,0.5,1", "--path-tolerance", "1e-3")["reaction"]
        with open(os.path.join(self.folder, "joint.inp")) as file:
            deck = file.read()
        deck = re.sub(r"\*FRICTION\n(\S+)\n", r"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1.e14, 1.e3\n*FRICTION\n\1, 1.e14\n", deck)
        deck = deck.replace(", SMALL SLIDING", ", TYPE=NODE TO SURFACE, SMALL SLIDING")
        for k, tip in enumerate([0, 1e-4, 2e-4]):
            pulls = "*CLOAD\nBOLT_1_PIN_HEAD, 3, -20000\nBOLT_1_PIN_NUT, 3, 20000\n" if k == 0 else ""
            deck += f"*STEP, INC=200\n*STATIC\n1., 1.\n{pulls}*BOUNDARY\nACCEL, 3, 3, {tip}\n*NODE PRINT, NSET=ACCEL\nRF\n*END STEP\n"
        self.write("other.inp", deck)
        subprocess.run(["ccx", "-i", "other"], cwd=self.folder, capture_output=True, timeout=600)
        with open(os.path.join(self.folder, "other.dat")) as file:
            rows = re.findall(r"time +(\S+)\n\n +\d+ +\S+ +\S+ +(\S+)", file.read())
        theirs = {float(t): float(f) for t, f in rows}
        for k, found in enumerate(ours):
            self.assertAlmostEqual(found, theirs[k + 1.0], delta=2e-3 * abs(ours[-1]))

    def test_bad_input_is_one_line(self):
        self.assertIn("--force", self.refused("model.toml", "--path", "1"))
        self.assertIn("no static force", self.refused("model.toml", "--force", "at=1", "--lock", "at=1", "--path", "1"))
        self.assertIn("--lock: give one of", self.refused("model.toml", "--force", "at=1", "--lock", "u=1", "--path", "1"))
        self.assertIn("exactly one", self.refused("model.toml", "--force", "at=1", "--path", "1", "--cycle", "1"))
        self.assertIn("--force: DOF 2 does not exist", self.refused("model.toml", "--force", "at=2", "--path", "1"))
        self.assertIn("--displace", self.refused("model.toml", "--displace", "u=1", "--path", "1"))
        self.assertIn("prescribed", self.refused("model.toml", "--displace", "at=1", "--displace", "output=tip", "--path", "1"))
        self.write("short.csv", "a,b,c\n1,2,3\n")
        self.assertIn("3 columns", self.refused("model.toml", "--force", "at=1", "--history", "short.csv"))
        self.write("loose.toml", OSCILLATOR.replace("[[5]]", "[[0]]"))
        self.assertIn("no equilibrium", self.refused("loose.toml", "--force", "at=1", "--path", "1,2,0", status=3))


if __name__ == "__main__":
    unittest.main()
