import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from math import pi

import faying
from faying import result, run


class Meshes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def mesh(self, *words, name="deck.inp"):
        return result("mesh", *words, "--out", name, cwd=self.folder)

    def shown(self, name="deck.inp"):
        status, out, err = run("deck", "show", name, "--json", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)["result"]

    def frequencies(self, count, name="deck.inp"):
        return [w / (2 * pi) for w in result("modes", name, "--count", str(count), cwd=self.folder)["omega"]]

    def surfaces(self, shown):
        return {s["name"]: s for s in shown["surfaces"]}

    def test_brake_reuss_is_the_published_beam(self):
        for size in ("0.008", "0.004"):
            made = self.mesh("brake-reuss", "--size", size)
            self.assertAlmostEqual(made["mass"] / 3.70, 1, delta=0.01)
            self.assertAlmostEqual(made["faying_area"] / 2.918e-3, 1, delta=0.02)
        shown = self.shown()
        self.assertEqual((shown["notes"], shown["untied"], shown["inside_out"]), ([], [], 0))
        self.assertAlmostEqual(shown["mass"], made["mass"], delta=1e-9)
        self.assertEqual(shown["units"][:2], "SI")
        surfaces = self.surfaces(shown)
        for side in ("TOP", "BOTTOM"):  # five patches make up each face, cut at (0 1 3 5 7 8)/8 of the lap
            areas = [surfaces[f"{side}_PATCH_{k}"]["area"] for k in range(1, 6)]
            self.assertAlmostEqual(sum(areas), surfaces[side + "_FACE"]["area"], delta=1e-12)
            self.assertAlmostEqual(areas[0], 0.015 * 0.0254, delta=1e-12)
        sets = {s["name"] for s in shown["node_sets"]}
        self.assertTrue({"ACCEL", "IMPACT", "BOLT_1_PIN_HEAD", "BOLT_3_PIN_NUT"} <= sets)

    def test_default_brake_reuss_has_about_a_hundred_thousand_dof(self):
        self.assertAlmostEqual(self.mesh("brake-reuss")["dof"], 1e5, delta=1.5e4)

    def test_brake_reuss_stuck_and_open(self):
        # All of the lap tied is stiffer than the assembled beam (first bending 150 to 180 Hz), and softer than one
        # piece of steel (251 Hz by beam theory).
        self.mesh("brake-reuss", "--size", "0.008", "--tied")
        stuck = self.frequencies(8)
        self.assertTrue(all(f < 0.01 for f in stuck[:6]), stuck)
        self.assertTrue(180 < stuck[6] < 225, stuck)
        # Open: the halves separate freely along the bolts, and only so.
        self.mesh("brake-reuss", "--size", "0.008")
        free = self.frequencies(9)
        self.assertTrue(all(f < 0.01 for f in free[:7]) and free[7] > 10, free)

    def test_the_bolt_boxes_tied_give_the_published_frequencies(self):
        self.mesh("brake-reuss", "--size", "0.008", "--element", "C3D20R")
        path = os.path.join(self.folder, "deck.inp")
        with open(path, "a") as f:
            for k in (2, 3, 4):
                f.write(f"*TIE, NAME=S{k}\nTOP_PATCH_{k}, BOTTOM_PATCH_{k}\n")
        stuck = self.frequencies(9)
        self.assertTrue(150 < stuck[6] < 180, stuck)
        self.assertTrue(560 < stuck[8] < 610, stuck)

    def test_beam_is_a_beam(self):
        made = self.mesh("beam", "length=1", "width=0.02", "height=0.01", "--size", "0.005", "--element", "C3D20R")
        self.assertAlmostEqual(made["mass"], 1 * 0.02 * 0.01 * 7850, delta=1e-9)
        bending = 22.3733 / (2 * pi) * (200e9 / 7850) ** 0.5 * 0.01 / 12**0.5
        self.assertAlmostEqual(self.frequencies(7)[6] / bending, 1, delta=2e-3)  # shear and rotary inertia: 1e-3

    def test_sumali(self):
        made = self.mesh("sumali")
        self.assertEqual(made["elements"], 2 * 640)  # as in [S2] 3.2
        self.assertAlmostEqual(made["mass"], 2 * 0.508 * 0.0508 * 0.00635 * 8000, delta=1e-9)
        self.assertAlmostEqual(made["faying_area"], 0.3556 * 0.0508, delta=1e-12)
        for k in range(1, 5):
            for side in ("TOP", "BOTTOM"):
                self.assertAlmostEqual(self.surfaces(self.shown())[f"{side}_PATCH_{k}"]["area"], 0.0254**2, delta=1e-12)
        self.assertEqual(sum(f < 0.01 for f in self.frequencies(14)), 12)  # two free beams

    def test_every_element_has_the_same_mass_and_area(self):
        for bolts in ("1", "2"):
            for element in ("C3D8", "C3D8I", "C3D8R", "C3D20", "C3D20R", "C3D4", "C3D10"):
                made = self.mesh("lap-joint", "bolts=" + bolts, "--size", "0.005", "--element", element)
                hole = pi / 4 * 0.0112**2
                self.assertAlmostEqual(made["faying_area"] / (0.06 * 0.04 - int(bolts) * hole), 1, delta=3e-3)
                shown = self.shown()
                self.assertEqual((shown["notes"], shown["untied"], shown["inside_out"]), ([], [], 0), element)
                self.assertEqual([t["type"] for t in shown["elements"]], [element])

    @unittest.skipUnless(shutil.which("ccx"), "no ccx")
    def test_ccx_agrees(self):
        self.mesh("lap-joint", "--size", "0.006", "--element", "C3D8", "--tied")
        ours = self.frequencies(10)
        status, _, err = run("deck", "flatten", "deck.inp", "--out", "flat.inp", "--frequency", "10", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        done = subprocess.run(["ccx", "-i", "flat"], cwd=self.folder, capture_output=True, text=True, timeout=110)
        self.assertNotIn("*ERROR", done.stdout)
        with open(os.path.join(self.folder, "flat.dat")) as f:
            rows = re.findall(r"^ +(\d+) +(\S+) +(\S+) +(\S+) +(\S+)$", f.read(), re.M)
        theirs = [float(row[3]) for row in rows[:10]]
        for a, b in zip(ours[6:], theirs[6:]):
            self.assertAlmostEqual(a / b, 1, delta=2e-6)  # ccx prints seven digits

    def test_the_same_deck_every_time(self):
        texts = []
        for name in ("a.inp", "b.inp"):
            self.mesh("lap-joint", "--size", "0.006", name=name)
            with open(os.path.join(self.folder, name)) as f:
                texts.append(f.read())
        self.assertEqual(*texts)

    def test_help_names_dimensions_with_units(self):
        _, out, _ = run("mesh", "brake-reuss", "--help")
        for text in ("preload", "12845", "washer_thickness", "kg/m3", "Example:", "--tied"):
            self.assertIn(text, out)

    def test_bad_requests(self):
        for words, expected in [
            (["beam", "width=-1"], "parameter 'width' = -1 is outside [1e-06, 1e+06]"),
            (["beam", "length=1e-300"], "parameter 'length' = 1e-300 is outside [1e-06, 1e+06]"),
            (["beam", "--element", ""], "--element"),
            (["beam", "wide=1"], "unknown parameter 'wide'; allowed are: length width height"),
            (["beam", "width"], "'width' must be key=value"),
            (["beam", "--size", "0"], "--size"),
            (["beam", "--size", "nan"], "--size"),
            (["beam", "--tied"], "no joint to tie"),
            (["brake-reuss", "hole=0.02"], "hole < head is needed"),
            (["brake-reuss", "spacing=0.05"], "room for the bolts"),
            (["brake-reuss", "lap=0.8"], "lap < length is needed"),
            (["brake-reuss", "--element", "S4"], "allowed are C3D8, C3D8I"),
            (["lap-joint", "bolts=1.5"], "bolts = 1 or bolts = 2"),
            (["lap-joint", "contact=1", "shanks=1", "--size", "0.01"], "two layers of elements in a plate"),
            (["lap-joint", "shanks=1"], "shanks = 1 with contact = 1"),
            (["sumali", "patch=0.1"], "patch < width"),
            (["tower"], "tower: is not a geometry; allowed are: brake-reuss, sumali, lap-joint, beam"),
        ]:
            status, out, err = run("mesh", *words, "--out", "x.inp", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertIn(expected, err)
            self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("--out is required", run("mesh", "beam")[2])

    def test_without_gmsh_says_what_to_install(self):
        with unittest.mock.patch.dict(faying.MPI, PATH=self.folder):
            status, _, err = run("mesh", "beam", "--out", "x.inp", cwd=self.folder)
        self.assertEqual(status, 2)
        self.assertIn("install the Debian package gmsh", err)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
