"""faying backbone: amplitudes of an output, what a click on the page shows, and what it refuses."""

import json
import pathlib
import sys
import tempfile
import unittest

from faying import result, run

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "web"))
from browser import require_passed

MASSES = (HERE / "../../examples/three_masses/model.toml").read_text()
CONTACT = f"""
[structure]
file = "{(HERE / '../../data/brake_reuss/whole_joint.h5').resolve()}"
static = {{ preload = 12845 }}
[[joint]]
name = "lap"
law = "elastic-dry-friction"
parameters = {{ kt = 3e12, mu = 0.01, kn = 1e13 }}
patch = "all"
per = "area"
"""
FOLDING = """
[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[1.4768623352, -0.1], [-0.1, 1.5]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0.5, k3 = -1.8502738927, k5 = 0.7907154977 }
dofs = 1
"""


class BackboneTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, text):
        (self.folder / "model.toml").write_text(text)

    def test_a_mode_is_one_curve_however_far_apart_its_amplitudes(self):
        # Sites that all slip at once bend the branch sharply: a long step may end on another one.
        for kt, mu, kn in ((4.19749e13, 1.81885, 2.05764e12), (3e12, 0.01, 1e13)):
            text = CONTACT.replace('"elastic-dry-friction"', '"elastic-dry-friction-decoupled"')
            self.write(text.replace("kt = 3e12, mu = 0.01, kn = 1e13", f"kt = {kt}, mu = {mu}, kn = {kn}"))
            found = {}
            for count in (20, 58):
                at = ",".join(repr(1e-5 * 1000 ** (i / (count - 1))) for i in range(count))
                found[count] = result("backbone", "model.toml", "--method", "epmc", "--mode", "1", "--harmonics", "3", "--at", at,
                                      cwd=self.folder)["points"]
            for one, other in zip(found[20], found[58][::3]):
                self.assertEqual((one["status"], other["status"]), ("converged", "converged"))
                for key in ("omega", "zeta"):
                    self.assertAlmostEqual(one[key], other[key], delta=1e-8 * abs(other[key]) + 1e-12)

    def backbone(self, *words):
        return result("backbone", "model.toml", *words, cwd=self.folder)["points"]

    def refused(self, status, expected, *words):
        got, out, err = run("backbone", "model.toml", *words, "--json", "--csv", "left.csv", cwd=self.folder)
        self.assertEqual((got, err.count("\n")), (status, 1), err)
        self.assertIn(expected, err)
        if status == 2:
            self.assertEqual((out, (self.folder / "left.csv").exists()), ("", False))

    def test_folds(self):
        """A branch that turns back in q: one point per amplitude, or with --folds every point, along the branch."""
        self.write(FOLDING)
        words = ("--at", "0.6,0.8,1,1.3")
        self.assertEqual([p["q"] for p in self.backbone(*words)], [0.6, 0.8, 1, 1.3])
        points = self.backbone(*words, "--folds")
        self.assertEqual([(p["q"], p["branch"]) for p in points],
                         [(0.6, 0), (0.8, 0), (1, 0), (1, 1), (0.8, 1), (0.8, 2), (1, 2), (1.3, 2)])
        self.assertEqual(len({round(p["omega"], 6) for p in points if p["q"] == 0.8}), 3)
        self.refused(2, "--folds", *words, "--folds", "--method", "epmc")

    def test_a_law_driven_by_force(self):
        """It stands at a joint behind a spring."""
        six = MASSES.replace('"iwan4"', '"six-state"')
        start = six.index("parameters = {")
        end = six.index("}", start) + 1
        self.write(six[:start] + "parameters = { ks = 1 }" + six[end:])
        points = self.backbone("--mode", "2", "--at", "0.01,3")
        self.assertGreater(points[1]["zeta_friction"], points[0]["zeta_friction"])
        self.write(six[:start] + six[end:])
        self.refused(2, "it needs the stiffness 'ks' of a spring in series", "--at", "1")

    def test_where_masings_rule_does_not_hold(self):
        """Contact that opens: numbers are kept and marked, their residuals are residuals, and loops have the answer."""
        self.write(CONTACT)
        words = ("--framework", "masing", "--at", "1e-5,1e-3,1e-2")
        self.refused(3, "Masing's rule does not hold", *words)
        status, out, _ = run("backbone", "model.toml", *words, "--json", cwd=self.folder)
        points = json.loads(out)["result"]["points"]
        self.assertEqual((status, [p["status"] for p in points]), (3, ["converged"] + 2 * ["masing does not hold"]))
        for p in points:
            self.assertLess(p["residual"], 1e-10)
            self.assertEqual(p["masing_error"] > 0.1, p["status"] != "converged")
        for how in ("local", "modal"):
            loops = self.backbone("--framework", "loops", "--dissipation", how, "--at", "1e-3,1e-2", "--quadrature", "80")
            self.assertEqual([p["status"] for p in loops], 2 * ["converged"])
            # sites cut straight from reversal to reversal would lose 18 % and 99 % less
            self.assertAlmostEqual(loops[0]["dissipation"] / 0.01652, 1, delta=0.01)
            self.assertAlmostEqual(loops[1]["dissipation"] / 0.1472, 1, delta=0.01)

    def test_amplitudes_whose_squares_are_no_normal_numbers(self):
        self.write(MASSES + '\n[[output]]\nname = "third"\ndof = 3\n')
        for amplitude in ("1e-300", "1e-320", "1e200"):
            self.refused(2, "is not in [1e-150, 1e+150]", "--at", amplitude)
            self.refused(2, "is not in [1e-150, 1e+150]", "--at", amplitude, "--output", "third", "--amplitude-of",
                         "displacement")
        self.refused(2, "HI/LO finite", "--amplitudes", "1e-310:1:5")

    def test_amplitudes_of_an_output(self):
        self.write(MASSES + '\n[[output]]\nname = "third"\ndof = 3\n')
        for of in ("displacement", "acceleration"):
            points = self.backbone("--output", "third", "--amplitude-of", of, "--at", "0.01,3", "--mode", "2")
            again = self.backbone("--mode", "2", "--at", ",".join(repr(p["q"]) for p in points))
            for wanted, p, direct in zip((0.01, 3), points, again):
                self.assertAlmostEqual(p[of] / wanted, 1, places=9)
                self.assertAlmostEqual(abs(p["shape"][2]) * p["q"] / p["displacement"], 1, places=12)
                self.assertAlmostEqual(p["acceleration"] / (p["displacement"] * p["omega"] ** 2), 1, places=12)
                self.assertAlmostEqual(p["omega"] / direct["omega"], 1, places=12)
        status, _, err = run("backbone", "model.toml", "--output", "third", "--amplitudes", "0.1:10:3", "--csv", "b.csv",
                             cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        self.assertTrue((self.folder / "b.csv").read_text().splitlines()[0].endswith("displacement,acceleration"))
        self.refused(2, "unknown output 'tip'; allowed are: third", "--output", "tip", "--at", "1")
        self.refused(2, "displacement needs --output", "--amplitude-of", "displacement", "--at", "1")
        self.refused(2, "amplitude 0 is not in [1e-150, 1e+150]", "--output", "third", "--amplitude-of", "acceleration", "--at", "0")
        self.refused(2, "must ascend", "--output", "third", "--amplitude-of", "displacement", "--at", "2,1")

    def page(self, maps, *words):
        status, _, err = run("backbone", "model.toml", *words, "--plot", "page.html", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        require_passed("backbone_page.js", self.folder / "page.html", maps)

    def test_clicks_show_loops(self):
        self.write(MASSES)
        self.page(0, "--mode", "2", "--amplitudes", "0.1:100:9")

    def test_clicks_show_slip_maps(self):
        self.write(CONTACT)
        words = ["--amplitudes", "1e-4:1e-2:7"]
        self.page(1, *words)
        for p in self.backbone(*words):
            (contact,) = p["contact"]
            self.assertEqual((contact["joint"], len(contact["status"])), ("lap", 5))
            self.assertLessEqual(set(contact["status"]), {"stuck", "slipping", "open"})
            self.assertTrue(all(pressure >= 0 for pressure in contact["pressure"]))
            sliding = {"slipping", "open"} & set(contact["status"])  # what opens on one side may slip on the other
            self.assertTrue(sliding if p["dissipation"] > 1e-12 else "slipping" not in contact["status"])
            self.assertTrue(all(slip > 0 for slip in contact["slip"]))
            self.assertTrue(all((gap > 0) == (pressure == 0) for gap, pressure in zip(contact["gap"], contact["pressure"])))
            self.assertEqual([len(contact[key]) for key in ("site", "x", "y", "z", "area", "gap", "closure_error")], 7 * [5])

    def test_what_does_not_converge_or_makes_no_sense(self):
        self.write(CONTACT.replace("12845", "-12845"))
        self.refused(3, "opens the joint completely", "--at", "1e-3")
        self.write(CONTACT.replace("12845", "12845, bolts = 1"))
        self.refused(2, "there is no load 'bolts'; allowed are: preload", "--at", "1e-3")
        self.write(CONTACT.replace('"all"', '"nowhere"'))
        self.refused(2, "nowhere", "--at", "1e-3")
        self.write(MASSES.replace("mass      = [[10", "mass      = [[-10"))
        self.refused(2, "mass is not positive definite", "--at", "1")
        self.write(MASSES.replace("dofs = [2, 3]", "dofs = [2, 9]"))
        self.refused(2, "DOF 9 does not exist; allowed are 1 to 3", "--at", "1")
        self.write(MASSES)
        self.refused(2, "there is no mode 7", "--mode", "7", "--at", "1")
        self.refused(2, "amplitude -1", "--at", "-1")
        self.write(CONTACT)
        self.refused(3, "Masing's rule does not hold", "--framework", "masing", "--dissipation", "local", "--at", "1e-3")


if __name__ == "__main__":
    unittest.main()
