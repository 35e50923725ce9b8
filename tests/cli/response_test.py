"""faying response and faying backbone --method epmc: harmonic balance as a user calls it."""

import math
import os
import tempfile
import unittest

from faying import result, run

OSCILLATOR = """
[structure]
mass = [[2]]
stiffness = [[5]]
damping = { ratio = 0.01 }
[[joint]]
law = "jenkins"
parameters = { kt = 3, fs = 1.2 }
dofs = [1]
"""


FRICTION_AND_SPRING = """
[structure]
mass = [[1, 0], [0, 2]]
stiffness = [[3, -1], [-1, 2]]
damping = [[0.06, -0.01], [-0.01, 0.04]]
[[joint]]
law = "jenkins"
parameters = { kt = 2, fs = 0.4 }
dofs = [2, 1]
[[joint]]
law = "polynomial"
parameters = { k1 = 0.5, k2 = 0.3, k3 = 0.8 }
dofs = [2]
"""


PRESSED = """
[structure]
mass = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
stiffness = [[1, 0, 0], [0, 1.5, 0], [0, 0, 4]]
damping = [[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]
static = [0, 0, 5]
[[joint]]
law = "elastic-dry-friction"
parameters = { kt = 2, mu = 0.3, kn = 10 }
dofs = [[1], [2], [3]]
"""

TWO_MASSES_ONE_SLIDER = """
[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[2, -1], [-1, 2]]
damping = [[0.02, 0], [0, 0.02]]
[[joint]]
law = "jenkins"
parameters = { kt = 5, fs = 1 }
dofs = [2]
"""

ROD = f"""
[structure]
mass = {[[float(i == j) for j in range(10)] for i in range(10)]}
stiffness = {[[(200.0 if i < 9 else 100.0) if i == j else -100.0 if abs(i - j) == 1 else 0.0 for j in range(10)] for i in range(10)]}
damping = {[[0.05 * (i == j) for j in range(10)] for i in range(10)]}
[[joint]]
law = "polynomial"
parameters = {{ k1 = 0, k2 = 30, k3 = 50 }}
dofs = [10]
"""


class Response(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(self.folder, "model.toml")
        with open(self.model, "w") as file:
            file.write(OSCILLATOR)

    def test_one_harmonic_fulfils_the_closed_form(self):
        points = result("response", self.model, "--force", "at=1,p=0.4", "--at-omega", "1.7,1.9", "--harmonics", "0,1")["points"]
        self.assertEqual([p["omega"] for p in points], [1.7, 1.9])
        for p in points:
            self.assertEqual(p["status"], "converged")
            mean, cosine, sine = (h[0] for h in p["harmonics"])
            u = math.hypot(cosine, sine)
            slips = 3 * u > 1.2
            t = math.acos(1 - 2 * 1.2 / (3 * u)) if slips else math.pi
            stiffness = 3 / math.pi * (t - math.sin(t) * math.cos(t))
            loss = 4 * 1.2 * (u - 0.4) / (math.pi * u * u) if slips else 0.0
            w, damping = p["omega"], 2 * 0.01 * math.sqrt(8 / 2) * 2
            force = u * math.hypot(5 + stiffness - 2 * w * w, damping * w + loss)
            self.assertAlmostEqual(force, 0.4, delta=1e-9)
            self.assertAlmostEqual(mean, 0, delta=1e-12)

    def test_levels_go_to_a_table_and_a_page(self):
        csv, page = os.path.join(self.folder, "r.csv"), os.path.join(self.folder, "r.html")
        points = result("response", self.model, "--force", "at=1,p=0.1;1", "--omega", "1:3", "--csv", csv, "--plot", page)["points"]
        self.assertEqual({p["force"] for p in points}, {0.1, 1.0})
        with open(csv) as file:
            self.assertEqual(len(file.readlines()), 1 + len(points))
        self.assertGreater(os.path.getsize(page), 10000)

    def test_modes(self):
        points = result("backbone", self.model, "--method", "epmc", "--harmonics", "0,1", "--mode", "1", "--at", "0.1,2")["points"]
        self.assertAlmostEqual(points[0]["omega"], 2, delta=1e-12)  # stuck
        self.assertAlmostEqual(points[0]["zeta"], 0.01, delta=1e-12)
        self.assertLess(points[1]["omega"], 1.9)
        self.assertGreater(points[1]["zeta"], 0.02)

    def test_stability_is_told(self):
        points = result("response", self.model, "--force", "at=1,p=0.4", "--at-omega", "1.7", "--harmonics", "7")["points"]
        p = points[0]
        self.assertIs(p["stable"], True)
        self.assertEqual(p["stability_of"], "exact orbit")
        self.assertLess(p["orbit_residual"], 1e-9)
        self.assertLess(p["orbit_distance"], 0.05)
        self.assertGreater(p["forgotten"], 0)  # the slider's state
        largest = max(math.hypot(*m) for m in p["multipliers"])
        self.assertLess(largest, 1)
        p = result("response", self.model, "--force", "at=1,p=0.4", "--at-omega", "1.7", "--no-stability")["points"][0]
        self.assertNotIn("stable", p)
        self.write(TWO_MASSES_ONE_SLIDER)
        p = result("response", self.model, "--force", "at=1,p=2", "--at-omega", "0.5", "--stability-modes", "1")["points"][0]
        self.assertIsNone(p["stable"])
        self.assertIn("--stability-modes", p["stability_reason"])

    def test_stability_with_contact(self):
        self.write(PRESSED)
        points = result("response", self.model, "--force", "at=1,p=0.5", "--omega", "1.2:1.8", "--harmonics", "3")["points"]
        self.assertEqual({(p["stable"], p["stability_of"]) for p in points}, {(True, "exact orbit")})

    def test_corners_where_sliders_slip_cost_few_points(self):
        """Two masses, a slider between them and a lopsided spring: a corner wherever slip begins or ends."""
        with open(self.model, "w") as file:
            file.write(FRICTION_AND_SPRING)
        for harmonics in ("3", "7"):
            points = result("response", self.model, "--force", "at=1,p=0.5", "--omega", "0.5:3", "--harmonics", harmonics,
                            "--no-stability")["points"]
            self.assertEqual(points[-1]["omega"], 3)
            self.assertEqual(sum(p["turning_point"] for p in points), 2)
            self.assertLessEqual(len(points), 150)
            self.assertLess(max(p["residual"] for p in points), 1e-10)

    def write(self, text):
        with open(self.model, "w") as file:
            file.write(text)

    def test_contact_just_beyond_what_friction_holds(self):
        """Slip far shorter than any grid of the period: every branch goes through, and sampling tends to it."""
        self.write(PRESSED)
        for force in ("0.03", "0.05"):
            words = ("response", self.model, "--force", f"at=1,p={force}", "--omega", "1:2.2", "--harmonics", "3", "--no-stability")
            points = result(*words)["points"]
            self.assertEqual(points[-1]["omega"], 2.2)
            self.assertLessEqual(len(points), 150)
            self.assertEqual({p["status"] for p in points}, {"converged"})
        peak = max(points, key=lambda p: p["a"])
        at = ("response", self.model, "--force", "at=1,p=0.05", "--at-omega", repr(peak["omega"]), "--harmonics", "3", "--no-stability")
        exact, sampled = result(*at)["points"][-1], result(*at, "--samples", "1024")["points"][-1]
        self.assertAlmostEqual(exact["a"], sampled["a"], delta=1e-3 * exact["a"])

    def test_a_gap_that_closes_or_does_not(self):
        text = PRESSED.replace("static = [0, 0, 5]\n", "") + "gap = 0.05\n"
        self.write(text)
        at = ("--at-omega", "1.2", "--harmonics", "5", "--no-stability")
        linear = 1 / math.hypot(4 - 1.2**2, 0.02 * 1.2)
        free = result("response", self.model, "--force", "at=3,p=0.1", *at)["points"][-1]
        self.assertLess(0.1 * linear, 0.05)
        self.assertAlmostEqual(free["a"], 0.1 * linear, delta=1e-12)
        met = result("response", self.model, "--force", "at=3,p=0.5", *at)["points"][-1]
        self.assertEqual(met["status"], "converged")
        self.assertLess(met["harmonics"][0][2], -1e-3)  # it is pushed away
        self.write(text.replace("gap = 0.05", "gap = [0.05, 0.1]"))
        status, _, err = run("response", self.model, "--force", "at=3,p=0.1", *at)
        self.assertEqual(status, 2)
        self.assertIn("gap is of contact laws", err)
        self.write(OSCILLATOR + "gap = 0.1\n")
        self.assertEqual(run("response", self.model, "--force", "at=1,p=0.1", *at)[0], 2)

    def test_corners_at_which_a_branch_turns_back(self):
        """A second slip begins within a period: the branch turns by more than a right angle there."""
        self.write(TWO_MASSES_ONE_SLIDER)
        for orders in ("3", "7", "11"):
            points = result("response", self.model, "--force", "at=1,p=2", "--omega", "0.4:3", "--harmonics", orders, "--no-stability")["points"]
            self.assertEqual(points[-1]["omega"], 3)
            self.assertLessEqual(len(points), 150)

    def test_modes_of_a_slider_under_a_static_force(self):
        """First it slips one way only until nothing is left of the static force: a corner. Then the force is forgotten."""
        model = "[structure]\nmass = [[1]]\nstiffness = [[1]]\nstatic = [%g]\n[[joint]]\nlaw = \"jenkins\"\nparameters = { kt = 5, fs = 1 }\ndofs = [1]\n"
        answers = []
        for static in (0.3, 0):
            self.write(model % static)
            answers.append(result("backbone", self.model, "--method", "epmc", "--harmonics", "0,1", "--mode", "1", "--amplitudes", "0.01:100:21")["points"])
        for p, free in zip(*answers):
            self.assertEqual(p["status"], "converged")
            self.assertAlmostEqual(p["omega"], free["omega"], delta=1e-9)
            self.assertAlmostEqual(p["zeta"], free["zeta"], delta=1e-9)

    def test_a_branch_that_returns_to_where_it_began_is_not_the_only_one(self):
        """The first frequency lies on a superharmonic resonance, whose branch leads back to it."""
        self.write(ROD)
        points = result("response", self.model, "--force", "at=10,p=2", "--omega", "0.8:3", "--harmonics", "9", "--no-stability")["points"]
        self.assertEqual({p["branch"] for p in points}, {0, 1})
        first = [p["omega"] for p in points if p["branch"] == 0]
        self.assertEqual((first[0], first[-1]), (0.8, 0.8))
        self.assertEqual({min(p["omega"] for p in points if p["branch"] == 1), max(p["omega"] for p in points)}, {0.8, 3})

    def test_amplitude_that_no_force_holds(self):
        with open(self.model, "w") as file:
            file.write(FRICTION_AND_SPRING)
        status, out, err = run("response", self.model, "--force", "at=1,p=0.5", "--omega", "0.5:3", "--hold", "displacement=1e9,at=2")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("no force was found that holds 1e+09", err)

    def test_amplitude_held(self):
        points = result("response", self.model, "--force", "at=1,p=1", "--hold", "displacement=0.5,at=1", "--omega", "1.2:2.6",
                        "--harmonics", "3", "--no-stability")["points"]
        for p in points:
            cosine, sine = p["harmonics"][1][0], p["harmonics"][2][0]
            self.assertAlmostEqual(math.hypot(cosine, sine), 0.5, delta=1e-9)
        self.assertLess(min(abs(p["force"]) for p in points), 0.5 * abs(points[0]["force"]))

    def test_phase_resonance(self):
        points = result("response", self.model, "--force", "at=1,p=0.3", "--force-range", "0.02:1", "--phase-resonance", "1",
                        "--harmonics", "3", "--no-stability")["points"]
        self.assertIn(0.3, [p["force"] for p in points])
        for p in points:
            self.assertAlmostEqual(p["harmonics"][1][0], 0, delta=1e-9 * p["a"])

    def test_derivatives_of_modes(self):
        points = result("backbone", self.model, "--method", "epmc", "--harmonics", "0,1", "--mode", "1", "--at", "2",
                        "--derivatives")["points"]
        keys = [d["parameter"] for d in points[0]["derivatives"]]
        self.assertEqual(keys, ["kt", "fs"])

    def test_self_excited(self):
        with open(self.model, "w") as file:
            file.write(OSCILLATOR.replace("damping = { ratio = 0.01 }", "damping = [[-0.1]]\nself_excited = true"))
        answer = result("backbone", self.model, "--method", "epmc", "--harmonics", "1", "--mode", "1", "--amplitudes", "0.3:40:12")
        self.assertLess(answer["points"][0]["zeta"], 0)  # stuck: nothing holds it back
        self.assertEqual([c["stable"] for c in answer["limit_cycles"]], [True, False])
        for c in answer["limit_cycles"]:
            u = c["q"] / math.sqrt(2)
            self.assertAlmostEqual(4 * 1.2 * (u - 0.4) / (math.pi * u * u), 0.1 * c["omega"], delta=1e-9)
        found = result("response", self.model, "--force", "at=1,p=0.5", "--omega", "1:3", "--harmonics", "1", "--isolas", "1", "--no-stability")
        self.assertEqual({p["branch"] for p in found["points"]}, {0, 1})
        with open(self.model, "w") as file:
            file.write(OSCILLATOR.replace("damping = { ratio = 0.01 }", "damping = [[-0.1]]"))
        status, _, told = run("modes", self.model)
        self.assertEqual(status, 2)
        self.assertIn("feeds energy in", told)

    def test_bad_input(self):
        for words, about in (
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--hold", "velocity=1,at=1"), "allowed are: displacement"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--hold", "displacement=1,at=2"), "allowed are 1 to 1"),
            (("response", self.model, "--force", "at=1,p=1;2", "--omega", "1:2", "--hold", "displacement=1,at=1"), "without levels"),
            (("response", self.model, "--force", "at=1,p=1", "--force-range", "1:2"), "--phase-resonance MODE"),
            (("response", self.model, "--force", "at=1,p=1", "--force-range", "1:2", "--phase-resonance", "3"), "no mode 3"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--phase-resonance", "1"), "--force-range LO:HI"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--check", "--no-stability"), "does not go with"),
            (("response", self.model, "--force", "at=1,p=0", "--omega", "1:2"), "p = 0 is not above zero"),
            (("response", self.model, "--force", "at=1,p=1e-300", "--omega", "1:2"), "p = 1e-300 is not in [1e-150, 1e+150]"),
            (("response", self.model, "--force", "at=1,p=1;2;1", "--omega", "1:2"), "given twice"),
            (("response", self.model, "--force", "at=1,p=" + ";".join(str(i) for i in range(1, 1002)), "--omega", "1:2"), "at most 1000"),
            (("response", self.model, "--force", "at=1,p=1", "--force-range", "1e-300:1e300", "--at-omega", "1"), "1e-300 is not in"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:1e300"), "1e+300 is not in"),
            (("response", self.model, "--force", "at=1,p=1", "--at-omega", "1e-300"), "omega = 1e-300 is not in"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--hold", "displacement=1e300,at=1"), "amplitude = 1e+300 is not in"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:nan"), "two different positive numbers"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2x"), "two different positive numbers"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--samples", "1048576"), "65536"),
            (("response", self.model, "--force", "at=1,p=1"), "give --omega LO:HI"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "0:2"), "two different positive numbers"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--at-omega", "3"), "outside --omega"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--harmonics", "0,2"), "first harmonic"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--harmonics", "7", "--samples", "8"), "at least 16"),
            (("backbone", self.model, "--at", "1", "--harmonics", "3"), "go with --method epmc"),
            (("backbone", self.model, "--at", "1e-300", "--method", "epmc"), "1e-300 is not in [1e-150, 1e+150]"),
            (("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--isolas", "0"), "--isolas: 0 is not above zero"),
            (("response", "", "--force", "at=1,p=1", "--omega", "1:2"), "model: is empty"),
            (("backbone", self.model, "--at", "1", "--method", "epmc", "--framework", "loops"), "does not go with"),
        ):
            status, _, told = run(*words)
            self.assertEqual(status, 2, words)
            self.assertIn(about, told)
            self.assertEqual(told.count("\n"), 1)

    def test_harmonics_are_chosen_until_they_are_enough(self):
        coarse, fine = (result("backbone", self.model, "--method", "epmc", "--at", "0.5,2", "--harmonics", h) for h in ("auto:0.05", "auto:1e-3"))
        for found, tolerance in ((coarse, 0.05), (fine, 1e-3)):
            self.assertLessEqual(found["neglected"], tolerance)
            self.assertTrue(all(k % 2 for k in found["orders"][1:]), found["orders"])
        self.assertGreater(len(fine["orders"]), len(coarse["orders"]))
        self.assertEqual(len(fine["points"][0]["harmonics"]), 2 * len(fine["orders"]) - 1)
        for bad in ("auto:0", "auto:", "auto:x"):
            status, out, err = run("response", self.model, "--force", "at=1,p=1", "--omega", "1:2", "--harmonics", bad)
            self.assertEqual((status, out, len(err.splitlines())), (2, "", 1), bad)

    def test_a_mode_alone_gives_nearly_the_response(self):
        found = result("response", self.model, "--force", "at=1,p=0.5;2", "--omega", "1:2.5", "--synthesis", "1", "--harmonics", "1", "--no-stability")
        self.assertEqual([s["force"] for s in found["synthesis"]], [0.5, 2])
        for s in found["synthesis"]:  # with one harmonic of one mass there is nothing else
            self.assertTrue(s["complete"])
            top = max(p["a"] for p in found["points"] if p["force"] == s["force"])
            self.assertGreater(s["peak"]["a"] / top, 1 - 1e-3)
            self.assertLess(s["peak"]["a"] / top, 1.02)

    def test_a_superharmonic_is_followed_along_force(self):
        with open(self.model, "w") as file:
            file.write(OSCILLATOR.replace('"jenkins"', '"polynomial"').replace("kt = 3, fs = 1.2", "k1 = 0, k3 = 3"))
        points = result("response", self.model, "--force", "at=1,p=1", "--force-range", "0.5:2", "--phase-resonance", "1", "--superharmonic", "3",
                        "--harmonics", "1,3", "--no-stability")["points"]
        for p in points:
            first, third = (complex(p["harmonics"][i][0], p["harmonics"][i + 1][0]) for i in (0, 2))
            drive = first**3
            self.assertLess(abs((drive * third.conjugate()).real), 1e-9 * abs(drive) * abs(third))
        status, _, err = run("response", self.model, "--force", "at=1,p=1", "--force-range", "1:2", "--at-omega", "1", "--superharmonic", "3")
        self.assertEqual((status, len(err.splitlines())), (2, 1))


if __name__ == "__main__":
    unittest.main()
