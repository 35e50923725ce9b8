"""faying sice, nnm and ignl as a user calls them."""

import json
import math
import os
import subprocess
import tempfile
import unittest

from faying import result, run

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
DECKS = os.path.join(ROOT, "tests", "reference", "decks")
FLAT = os.path.join(DECKS, "flat.inp")
PANEL = os.path.join(ROOT, "examples", "panel")
with open(os.path.join(ROOT, "tests", "reference", "geometric.json")) as file:
    REFERENCE = json.load(file)["flat_clamped_strip"]
with open(os.path.join(ROOT, "tests", "reference", "ignl_sdof.json")) as file:
    SDOF = json.load(file)

DUFFING = """
[structure]
mass = [[1]]
stiffness = [[{}]]
[[joint]]
law = "polynomial"
parameters = {{ k1 = 0, {} }}
dofs = [1]
"""


class Geometric(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w") as file:
                file.write(text)
        return path

    def close(self, a, b, tolerance):
        self.assertLess(abs(a / b - 1), tolerance, (a, b))

    def test_sice_of_a_deck(self):
        points = REFERENCE["static"]["S1"]
        csv, page = self.path("p.csv"), self.path("p.html")
        r = result("sice", FLAT, "--mode", "1", "--orders", "3:7", "--taylor", "5", "--at",
                   ",".join(repr(p["q"]) for p in points), "--csv", csv, "--plot", page)
        self.close(r["omega"], 2 * math.pi * REFERENCE["frequencies_hz"][0], 1e-8)
        for j, tolerance in ("1", 1e-9), ("3", 1e-7), ("5", 1e-6):
            self.close(r["taylor"][j], REFERENCE["ICE_taylor"][j], tolerance)
        for ours, theirs in zip(r["points"], points):
            self.assertEqual(ours["status"], "converged")
            self.assertEqual(ours["q"], theirs["q"])
            self.close(ours["alpha"], theirs["alpha"], 1e-7)
        for order in "357":
            for j, k in REFERENCE["SICE_fits"]["S1"][order]["k"].items():
                if int(j) % 2 == 1:
                    self.close(r["fits"][order]["k"][j], k, 1e-5 if int(order) <= 5 else 1e-3)
            self.close(r["fits"][order]["rms"] ** 2, REFERENCE["SICE_fits"]["S1"][order]["J"], 1e-3)
        self.assertEqual(r["folds"], [])
        with open(csv) as file:
            self.assertEqual(len(file.readlines()), 1 + len(points))
        self.assertGreater(os.path.getsize(page), 10000)

    def test_nnm_of_polynomials_and_of_the_deck(self):
        for order in "359":
            k = REFERENCE["SICE_fits"]["S1"][order]["k"]
            model = self.path("duffing.toml", DUFFING.format(
                repr(REFERENCE["omega1_sq"]), ", ".join(f"k{j} = {v!r}" for j, v in k.items())))
            expected = REFERENCE["NNM_of_fits"]["S1"][order]
            points = result("nnm", model, "--at", ",".join(repr(p["q_plus"]) for p in expected))["points"]
            for ours, theirs in zip(points, expected):
                self.close(ours["omega"], theirs["omega"], 1e-10)
                self.close(ours["energy"], theirs["energy"], 1e-10)
                self.close(ours["q_minus"], theirs["q_minus"], 1e-10)
                self.assertTrue(ours["stable"])
        expected = [p for p in REFERENCE["full_FE_NNM_HB_H9"] if p["q1"] in (2e-4, 4e-4)]
        points = result("nnm", FLAT, "--at", "2e-4,4e-4", "--harmonics", "9", "--order", "7")["points"]
        for ours, theirs in zip(points, expected):
            self.close(ours["omega"], theirs["omega"], 1e-7)
            self.close(ours["q_plus"], theirs["q_t0"], 1e-7)
            self.close(ours["harmonics"][3], theirs["q_harmonics"][3], 1e-5)
            self.assertLess(abs(ours["condensed"]["error_percent"]), 0.1)

    def test_methods_agree_on_a_model(self):
        model = self.path("two.toml", """
[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[3, -1], [-1, 2]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k2 = 0.1, k3 = 0.5 }
dofs = [1]
""")
        shot = result("nnm", model, "--method", "shooting", "--at", "0.8")["points"][0]
        balanced = result("nnm", model, "--method", "harmonic-balance", "--harmonics", "15", "--at",
                          "0.79,0.8,0.81")["points"]
        # omega against q+ of the balanced ones, a parabola through three points
        x, y = [p["q_plus"] for p in balanced], [p["omega"] for p in balanced]
        at = sum(y[i] * math.prod((0.8 - x[j]) / (x[i] - x[j]) for j in range(3) if j != i) for i in range(3))
        self.close(at, shot["omega"], 1e-7)
        self.assertTrue(shot["stable"])

    def test_ignl_of_the_oscillator(self):
        expected = SDOF["closed_form"]
        points = result("ignl", os.path.join(ROOT, "examples", "panel", "sdof.toml"), "--at",
                        ",".join(repr(p["q"]) for p in expected))["points"]
        for ours, theirs in zip(points, expected):
            self.close(ours["omega_gnl"], theirs["omega_gnl"], 1e-10)
            self.close(ours["omega"], theirs["omega_ignl"], 1e-9)
            self.close(ours["stiffness_loss"], theirs["dK_hnl"], 1e-6)
            self.close(ours["zeta"]["eq32"], theirs["zeta_ignl"], 1e-6)
            for name in "dissipation_masing_positive", "dissipation_masing_negative", "dissipation_loop":
                self.close(ours[name], theirs["D"], 1e-5)
        peaks = SDOF["K3=5.396e+10"]["peak_table"]
        points = result("ignl", os.path.join(ROOT, "examples", "panel", "sdof.toml"), "--at",
                        ",".join(repr(p["q"]) for p in sorted(peaks, key=lambda p: p["q"])))["points"]
        for ours, theirs in zip(points, sorted(peaks, key=lambda p: p["q"])):
            self.close(ours["zeta"]["tangent"], theirs["zeta_tangent_formula"], 3e-5)
            self.close(ours["zeta"]["tangent"], theirs["zeta"], 1.2e-3)
            self.close(ours["omega"], theirs["omega"], 8e-4)

    def test_bad_input(self):
        model = self.path("m.toml", DUFFING.format("1", "k3 = 1"))
        with open(FLAT) as file:
            flat = file.read()
        reduced = self.path("reduced.inp", flat.replace("TYPE=CPE8", "TYPE=CPE8R"))
        mean = self.path("mean.inp", "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPE4R,ELSET=E\n1,1,2,3,4\n"
                         "*MATERIAL,NAME=M\n*ELASTIC\n1,0.3\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n1\n"
                         "*BOUNDARY\n1,1,2\n4,1,2\n")
        free = self.path("free.inp", flat.split("*BOUNDARY")[0])
        self.assertEqual(run("sice", reduced, "--taylor", "3")[0], 0)
        for words, says in [
            (("sice", mean, "--taylor", "3"), "CPE4R"),
            (("sice", free, "--taylor", "3"), "free to move"),
            (("sice", FLAT, "--at", "1e-4,2e-4", "--orders", "2:7"), "2 points"),
            (("sice", FLAT, "--mode", "100000", "--taylor", "3"), "no mode"),
            (("sice", FLAT, "--range", "x"), "--range"),
            (("sice", FLAT, "--range", "5x"), "'5x' is not a number"),
            (("sice", FLAT, "--range", "1:2:4294967298"), "N from 2 to 1e5"),
            (("sice", FLAT, "--range", "-1e308:1e308:5"), "LO < HI"),
            (("sice", FLAT, "--orders", "1:3"), "--orders"),
            (("sice", FLAT, "--orders", "3x"), "2 <= LO <= HI <= 15"),
            (("sice", FLAT, "--orders", "2:4294967299"), "2 <= LO <= HI <= 15"),
            (("nnm", model, "--at", "-1"), "above zero"),
            (("nnm", model, "--at", "1e-300"), "amplitude = 1e-300 is not in [1e-150, 1e+150]"),
            (("sice", model, "--at", "1e-320"), "is not in [1e-150, 1e+150]"),
            (("sice", model, "--at", ""), "--at: is empty"),
            (("sice", model, "--mode", "0", "--at", "1"), "--mode: 0 is not above zero"),
            (("ignl", model, "--at", "1"), "no friction"),
            (("ignl", os.path.join(ROOT, "examples", "panel", "sdof.toml")), "--at"),
            (("nnm", os.path.join(ROOT, "examples", "panel", "sdof.toml"), "--at", "1e-3"), "friction"),
        ]:
            status, out, err = run(*words)
            self.assertEqual(status, 2, (words, err))
            self.assertEqual(out, "")
            self.assertEqual(len(err.strip().splitlines()), 1, err)
            self.assertIn(says, err)

    def test_two_modes_together_stand_in_a_model(self):
        rom = self.path("modes.toml")
        r = result("sice", FLAT, "--modes", "1,3", "--taylor", "7", "--out", rom)
        self.assertEqual(r["coupled"]["modes"], [1, 3])
        self.close(4 * r["coupled"]["potential"]["v40"], REFERENCE["ICE_taylor"]["3"], 1e-7)
        whole = [p for p in REFERENCE["full_FE_NNM_HB_H9"] if p["q1"] <= 5e-4]
        self.assertGreaterEqual(len(whole), 2)
        points = result("nnm", rom, "--mode", "1", "--at", ",".join(repr(p["q1"]) for p in whole))["points"]
        for ours, theirs in zip(points, whole):
            self.close(ours["omega"], theirs["omega"], 1e-6)
        status, _, err = run("sice", FLAT, "--modes", "1")
        self.assertEqual((status, len(err.strip().splitlines())), (2, 1), err)
        for words, says in [(("--modes", "1,1"), "twice"), (("--modes", "1,2,3,4"), "two or three"),
                            (("--modes", "1,2", "--taylor", "9"), "7"), (("--out", rom), "--modes"),
                            (("--modes", "1,2", "--at", "1e-4"), "--at")]:
            status, out, err = run("sice", FLAT, *words)
            self.assertEqual((status, out, len(err.strip().splitlines())), (2, "", 1), err)
            self.assertIn(says, err)

    def test_bad_files_of_decks_with_contact(self):
        with open(os.path.join(PANEL, "panel.toml")) as file:
            good = file.read()
        for name in "panel.inp", "panel_contact.csv":
            os.symlink(os.path.abspath(os.path.join(PANEL, name)), self.path(name))
        for old, new, says in [
            ("hold = [[443, 1]]", "hold = [[443, 1.5]]", "1.5 is no direction; allowed are 1, 2 and 3"),
            ("hold = [[443, 1]]", "hold = [[1e300, 1]]", "1e+300 is no label of a node"),
            ("slope = 1.1", "slope = 1.1\nnormal = [0, 1]", "either normal or slope"),
            ("kn = 1e14", "kn = 1e14\narea = 1e-6", "either area or areas"),
            ('deck = "panel.inp"', 'deck = "panel.inp"\ndamping = { ratio = -0.1 }', "damping ratio -0.1 is not in [0, 1)"),
            ('deck = "panel.inp"', 'deck = "panel.inp"\ndamping = { ratio = 0, x = 1 }', "unknown key 'x'"),
            ("[preload]", "[prelaod]", "unknown key 'prelaod'"),
        ]:
            self.assertIn(old, good)
            self.path("panel.toml", good.replace(old, new, 1))
            status, out, err = run("ignl", "panel.toml", "--at", "1e-4", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (new, err))
            self.assertIn("panel.toml:", err)
            self.assertIn(says, err)

    def test_a_deck_with_contact_of_its_own(self):
        deck = self.path("panel.inp")
        status, _, err = run("mesh", "panel", "--size", "3e-3", "coarse=1e-2", "--out", deck)
        self.assertEqual(status, 0, err)
        whole = result("sice", deck, "--taylor", "2")
        # Bolts press the blades on the panel and the panel on the pillars: twice 2 x 12 mm x 20.68 MPa, a little inclined.
        self.close(whole["preload"]["normal_force"], 4 * 0.012 * 20.68e6, 2e-3)
        self.assertGreater(whole["preload"]["passes"], 1)
        self.assertLess(abs(whole["frequency"] - 118.12), 8)  # published
        self.assertGreater(whole["taylor"]["2"], 0)  # bent upwards, it stiffens when it is bent further
        # Loops are traced though sites open, and friction of blades and pillars is all they lose.
        slip = result("ignl", deck, "--at", "1.2e-3", "--grid", "6", "--loop-steps", "10")["points"][0]
        self.assertEqual((slip["status"], slip["dissipation_used"]), ("converged", "loop"))
        self.close(slip["dissipation_loop"], slip["dissipation_friction"], 0.1)
        self.assertGreater(slip["dissipation_masing_positive"], 3 * slip["dissipation_loop"])
        self.assertLess(slip["loop_closure"], 1e-3)
        contact = "".join('[[contact]]\nfirst = "%s"\nsecond = "%s"\nkn = 1e14\nkt = 1e14\nmu = 0.6\n' % pair for side in ("LEFT", "RIGHT") for pair in
                          (("PANEL_%s_LOWER" % side, side + "_PILLAR_TOP"), (side + "_BLADE_LOWER", "PANEL_%s_UPPER" % side)))
        model = self.path("panel.toml", '[structure]\ndeck = "panel.inp"\n' + contact)
        again = result("sice", model, "--taylor", "2")
        self.close(again["omega"], whole["omega"], 1e-12)
        for old, new, says in [("PANEL_LEFT_LOWER", "NOBODY", "NOBODY"), ("mu = 0.6", "mu = -1", "mu must not be negative"),
                               ('second = "LEFT_PILLAR_TOP"\n', "", "second")]:
            bad = self.path("bad.toml", '[structure]\ndeck = "panel.inp"\n' + contact.replace(old, new, 1))
            status, out, err = run("sice", bad, "--taylor", "2")
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(says, err)

    def test_other_controls(self):
        points = [p for p in REFERENCE["static"]["S1"] if p["alpha"] > 0][::3]
        loads = result("sice", FLAT, "--control", "load", "--at", ",".join(repr(p["alpha"]) for p in points))
        self.assertEqual(loads["control"], "load")
        for ours, theirs in zip(loads["points"], points):
            self.close(ours["q"], theirs["q"], 1e-7)
            self.assertEqual(ours["asked"], theirs["alpha"])
        moved = result("sice", FLAT, "--control", "displacement", "--node", str(REFERENCE["center_node"]) + ",2", "--at",
                       ",".join(repr(p["w_center"]) for p in points))
        for ours, theirs in zip(moved["points"], points):
            self.close(ours["alpha"], theirs["alpha"], 1e-7)
        # Softening, alpha = q - q^3: load control ends before the limit point at 0.3849 and keeps what it has.
        soft = self.path("soft.toml", DUFFING.format("1", "k3 = -1"))
        status, out, err = run("sice", soft, "--control", "load", "--at", "0.2,0.3,0.4", "--json")
        self.assertEqual(status, 3)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        self.assertIn("load 0.4 was not reached; the last point is", err)
        answer = json.loads(out)["result"]["points"]
        self.assertEqual([p["status"] for p in answer], ["converged", "converged", "not converged"])
        self.assertIsNone(answer[2]["q"])
        around = result("sice", soft, "--control", "arc-length", "--at", "0.5,1,1.5")
        self.assertGreater(around["points"][2]["q"], 1)  # past the limit point, to loads of the other sign
        for p in around["points"]:
            self.assertAlmostEqual(p["alpha"], p["q"] - p["q"] ** 3, 9)
        self.close(around["folds"][0]["q"], 3 ** -0.5, 1e-8)
        for words, says in [(("--control", "load"), "--at"), (("--control", "displacement", "--at", "1"), "--node"),
                            (("--node", "1", "--at", "1"), "--control displacement"),
                            (("--control", "displacement", "--node", "7", "--at", "1"), "degrees of freedom"),
                            (("--control", "displacement", "--node", "1,2", "--at", "1"), "degrees of freedom")]:
            status, out, err = run("sice", soft, *words)
            self.assertEqual((status, out, len(err.strip().splitlines())), (2, "", 1), err)
            self.assertIn(says, err)

    def test_resonances_and_stability(self):
        # The third harmonic goes over the second mode (3.098 rad/s) where the first has stiffened to 1.033.
        model = self.path("resonant.toml", """
[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[1, 0], [0, 9.6]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 0.5 }
dofs = [1]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 0.02 }
dofs = [1, 2]
""")
        points = result("nnm", model, "--method", "harmonic-balance", "--range", "0.05:1:20")["points"]
        passed = [p for p in points if "passed" in p]
        self.assertEqual(len(passed), 1)
        one = passed[0]["passed"][0]
        self.assertEqual((one["harmonic"], one["mode"]), (3, 2))
        low, high = [next(p["omega"] for p in points if abs(p["harmonics"][1] / one[k] - 1) < 1e-9) for k in ("from", "to")]
        self.assertLess(low * 3, 9.62 ** 0.5 * 1.01)
        self.assertGreater(high * 3, 9.6 ** 0.5 * 0.99)
        self.assertTrue(all(p["stable"] is not None and p["multiplier"] >= 1 - 1e-6 for p in points))
        # Two masses that push each other apart: in step, with k3 < 0 between them, the motion turns unstable.
        pair = self.path("pair.toml", """
[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[1, 0], [0, 1]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0.02, k3 = 0 }
dofs = [1, 2]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 1 }
dofs = [1]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 1 }
dofs = [2]
""")
        for method in "shooting", "harmonic-balance":  # out of step it localises once 3/4 k3 a^2 outgrows the spring
            points = result("nnm", pair, "--mode", "2", "--method", method, "--at", "0.05,0.6")["points"]
            self.assertEqual([p["stable"] for p in points], [True, False], method)

    def test_a_tongue_that_turns_back(self):
        # Modes 1, 3 and 5 of a curved strip: the third harmonic leads a tongue away, which turns back at 1.75e-3.
        subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "examples", "bending", "decks.py"), self.folder], check=True)
        rom = self.path("modes.toml")
        result("sice", self.path("strip.inp"), "--modes", "1,3,5", "--taylor", "5", "--out", rom)
        points = result("nnm", rom, "--method", "harmonic-balance", "--harmonics", "7", "--range", "2e-4:2e-3:10")["points"]
        for p in points:
            q = p["harmonics"][1]
            self.assertEqual("another branch" in p.get("note", ""), abs(q / 1.8e-3 - 1) < 1e-6, q)

    def test_a_preload_that_snaps_through(self):
        deck = self.path("strip.inp")
        subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "examples", "bending", "decks.py"), self.folder], check=True)
        with open(deck) as file:
            strip = file.read()
        top = next(line.split(",")[0] for line in strip.splitlines() if line.count(",") == 2 and "1.500000000000e-01, 3." in line)
        loaded = self.path("loaded.inp")
        for load, status in (-800, 0), (-2000, 3):
            with open(loaded, "w") as file:
                file.write(strip + "*STEP, NLGEOM\n*STATIC\n*CLOAD\n%s, 2, %d\n*END STEP\n" % (top, load))
            done, out, err = run("sice", loaded, "--taylor", "2")
            self.assertEqual(done, status, err)
        self.assertEqual((out, err.count("\n")), ("", 1))
        self.assertIn("equilibrium is lost at 0.6", err)

    def test_friction_as_an_iwan_model(self):
        r = result("ignl", os.path.join(PANEL, "sdof.toml"), "--at", "1e-4,1e-3,4e-3", "--no-loops", "--iwan")
        self.close(r["iwan"]["chi"], -0.8, 1e-6)
        self.assertFalse(r["iwan"]["macroslip"])
        for p in r["points"]:
            self.close(p["dissipation_iwan"], p["dissipation_masing_positive"], 1e-4)
            # Nothing opens here: what the load does beyond a stuck spring is stored by the sliders and lost.
            self.assertLess(p["opening_work"]["positive"], 0)
            self.assertGreater(p["friction_loss"]["positive"], 0)
            self.close(p["friction_loss"]["positive"], p["friction_loss"]["negative"], 1e-9)
        with open(os.path.join(PANEL, "sdof.toml")) as file:  # sliders all slip at 5.3e-4 with a hundredth of the force
            weak = self.path("weak.toml", file.read().replace("FS = 10000", "FS = 100"))
        r = result("ignl", weak, "--range", "1e-4:4e-3:40", "--no-loops", "--iwan")
        self.assertTrue(r["iwan"]["macroslip"])
        for key, value in (("FS", 100), ("KT", 2.632e5), ("chi", -0.8), ("beta", 2)):
            self.close(r["iwan"][key], value, 0.02)

    def test_a_mode_that_runs_away_keeps_the_points_before(self):
        model = self.path("soft.toml", DUFFING.format("1", "k3 = -1"))
        status, out, err = run("nnm", model, "--at", "0.5,1.5", "--json")
        self.assertEqual(status, 3, err)
        points = json.loads(out)["result"]["points"]
        self.assertEqual([p["status"] for p in points], ["converged", "not converged"])


if __name__ == "__main__":
    unittest.main()
