"""faying network and faying condense, as a user calls them."""

import csv
import json
import math
import os
import tempfile
import unittest

import h5py
import numpy
import scipy.io

from faying import result, run

REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference")
RANDOM = '[network]\ngenerator = "random"\nsize = {}\nseed = {}\n'
SMALL = '[network]\nK = [[2, -1], [-1, 2]]\nmu = [0.5, 1]\nb = [1, 0]\n'


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def refused(self, *words):
        status, out, err = run(*words)
        self.assertEqual((status, out), (2, ""), err)
        self.assertEqual(err.count("\n"), 1, err)
        return err


class Network(Case):
    def test_thesis_windows(self):
        with open(os.path.join(REFERENCE, "sliders_500.json")) as file:
            reference = json.load(file)
        net = self.write("net.toml", RANDOM.format(500, 12345))
        r = result("network", net, "--signal", "0.4*sin(t)+sin(4.16753*t)", "--time", f"0:{4 * math.pi!r}:101")
        for name, value in reference["checksum"].items():
            self.assertAlmostEqual(r["checksum"][name] / value, 1, delta=1e-12)
        for k in (0, 1):
            window = reference["cases"]["2.1.1"]["windows"][k]
            end, begin = 50 * (k + 1), 50 * k
            self.assertAlmostEqual(r["f"][end] / window["f"], 1, delta=1e-12)
            self.assertAlmostEqual(r["xi"][end] / window["xi"], 1, delta=1e-9)
            D = r["dissipated"][end] - r["dissipated"][begin]
            self.assertAlmostEqual(D / window["D"], 1, delta=1e-9)
            self.assertAlmostEqual(r["stored"][end] / window["PE"], 1, delta=1e-9)
            self.assertAlmostEqual((r["work"][end] - r["work"][begin]) / window["W"], 1, delta=1e-9)
            self.assertEqual(r["slipping"][end], window["slipping"])
        self.assertLess(r["energy_balance"], 1e-12)
        self.assertGreater(r["events"], 1000)

    def test_by_hand(self):
        # Slider 1 slips from f = 0.5; slider 2 from x1 = 1, f = 2.5.
        r = result("network", self.write("net.toml", SMALL), "--path", "0,0.5,1.5,2.5,4,3.5")
        self.assertEqual(r["f"], [0, 0.5, 1.5, 2.5, 4, 3.5])
        want = [0, 0, 0.5, 1, 2, 2]
        for got, x in zip(r["xi"], want):
            self.assertAlmostEqual(got, x, places=13)
        self.assertEqual(r["slipping"], [0, 1, 1, 2, 2, 0])
        # x = (2, 1/2): 2 x1^2/2 ... = (2*4 - 2*1 + 2/4)/2
        self.assertAlmostEqual(r["stored"][4], 3.25, places=12)
        self.assertAlmostEqual(r["dissipated"][4], 0.5 * 2 + 1 * 0.5, places=12)
        self.assertAlmostEqual(r["work"][4], 3.25 + 1.5, places=12)

    def test_files_of_others(self):
        rng = numpy.random.default_rng(3)
        n = 9
        a = rng.standard_normal((n, n))
        K, mu, b = a @ a.T + numpy.eye(n), rng.uniform(0.1, 1, n), rng.standard_normal(n)
        scipy.io.savemat(self.path("net.mat"), {"K": K, "mu": mu, "b": b})
        scipy.io.savemat(self.path("diagonal.mat"), {"K": K, "mu": numpy.diag(mu), "b": b.reshape(-1, 1)})
        with h5py.File(self.path("net.h5"), "w") as file:
            file["K"], file["mu"], file["b"] = K, mu, b
        answers = []
        for name in ("net.mat", "diagonal.mat", "net.h5"):
            net = self.write("net.toml", f'[network]\nfile = "{name}"\n')
            answers.append(result("network", net, "--path", "1,-2,3,-1")["xi"])
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])
        wrong = b[:-1]
        scipy.io.savemat(self.path("net.mat"), {"K": K, "mu": mu, "b": wrong})
        net = self.write("net.toml", '[network]\nfile = "net.mat"\n')
        self.assertIn("b has 8 entries", self.refused("network", net, "--path", "1"))

    def test_methods_agree(self):
        net = self.write("net.toml", RANDOM.format(20, 3))
        exact = result("network", net, "--path", "1,-2,0.5,3")
        self.assertEqual(exact["method"], "events")
        for method in ("lemke", "newton", "gauss-seidel"):
            other = result("network", net, "--path", "1,-2,0.5,3", "--method", method)
            for name in ("xi", "dissipated", "stored"):
                for got, want in zip(other[name], exact[name]):
                    self.assertAlmostEqual(got, want, delta=1e-10 * (1 + abs(want)))
        self.assertIn("gauss-seidel", self.refused("network", net, "--path", "1", "--method", "simplex"))

    def test_chapter_three(self):
        with open(os.path.join(REFERENCE, "low_dimensional.json")) as file:
            rows = json.load(file)["chapter3"]["full500"]["exact_at_integer_t"]
        net = self.write("net.toml", '[network]\ngenerator = "parallel"\nsize = 500\nmu0 = 0.002\n')
        r = result("network", net, "--signal", "0.6748*sin(t)+0.2887*sin(6.5581*t)", "--time", "0:12:121")
        self.assertEqual((r["driven_by"], r["method"]), ("displacement", "plays"))
        for t, row in rows.items():
            i = 10 * int(t)
            for mine, theirs in (("u", "u"), ("f", "f"), ("work", "W"), ("dissipated", "D")):
                self.assertAlmostEqual(r[mine][i], row[theirs], delta=1e-11)

    def test_tables_and_pictures(self):
        net = self.write("net.toml", RANDOM.format(30, 1))
        self.write("force.csv", "t,f\n0,0\n1,1.5\n2,-1\n3,2\n")
        r = result("network", net, "--history", self.path("force.csv"), "--csv", self.path("out.csv"), "--plot",
                   self.path("out.html"))
        self.assertEqual(r["f"], [0, 1.5, -1, 2])
        with open(self.path("out.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["xi"]) for row in rows], r["xi"])
        self.assertEqual([int(row["slipping"]) for row in rows], r["slipping"])
        with open(self.path("out.html")) as file:
            self.assertIn("which sliders slip when", file.read())
        status, out, _ = run("network", net, "--path", "1,-1")
        self.assertEqual(status, 0)
        self.assertIn("30 sliders", out)

    def test_bad_input(self):
        def net(text):
            return self.write("bad.toml", "[network]\n" + text)
        ways = ["--path", "1,2"]
        for text, because in (
                ("K = [[1, 2], [2, 1]]\nmu = [1, 1]\nb = [1, 1]\n", "not positive definite"),
                ("K = [[1, -1], [-1, 1]]\nmu = [1, 1]\nb = [1, 1]\n", "not positive definite"),
                ("K = [[2, 1], [0, 2]]\nmu = [1, 1]\nb = [1, 1]\n", "not symmetric"),
                ("K = [[2, 0], [0, 2]]\nmu = [1, -1]\nb = [1, 1]\n", "negative"),
                ("K = [[2, 0], [0, 2]]\nmu = [1, 1]\nb = [1, 1, 1]\n", "b has 3 entries"),
                ("K = [[2, 0], [0, 2]]\nmu = [1, 1]\n", "b (driven by force)"),
                ('generator = "crystal"\nsize = 3\n', "random, parallel, chain, mesh"),
                ('generator = "crystal"\nsize = 3\nseed = 1\n', "random, parallel, chain, mesh"),
                ('generator = "random"\nsize = 0\nseed = 1\n', "size"),
                ('generator = "chain"\nsize = 3\nseed = 1\n', "seed"),
                ('file = "nothing.mat"\n', "nothing.mat"),
                ("", "exactly one")):
            self.assertIn(because, self.refused("network", net(text), *ways), text)
        slides = net("K = [[1, -1], [-1, 1]]\nmu = [1, 0.5]\nb = [1, 0]\nmay_slide = true\n")
        self.assertEqual(result("network", slides, "--path", "1.4")["slipping"], [1])
        self.assertIn("no equilibrium", self.refused("network", slides, "--path", "1.4,1.6"))
        good = self.write("net.toml", SMALL)
        self.refused("network", good)
        self.refused("network", good, "--path", "1", "--signal", "t", "--time", "0:1:2")
        self.refused("network", good, "--signal", "t")
        self.refused("network", good, "--path", "1:2:3")
        self.refused("network", good, "--path", "1,x", "--out", self.path("left.mat"))
        self.assertFalse(os.path.exists(self.path("left.mat")))
        self.assertIn("no folder", self.refused("network", good, "--path", "1", "--csv", "nowhere/out.csv"))


class LawFiles(Case):
    def test_a_network_is_a_law(self):
        net = self.write("net.toml", SMALL + "through = 3\n")
        r = result("network", net, "--path", "0.4,2,-1")
        h = result("loop", net, "--path", "0.4,2,-1")
        for mine, other in zip(r["f"], h["f"]):
            self.assertAlmostEqual(mine, other, places=12)
        doubled = result("loop", net + "+kp", "kp=0.5", "force_scale=2", "--path", "0.4,2,-1")
        for mine, other, u in zip(r["f"], doubled["f"], r["u"]):
            self.assertAlmostEqual(2 * mine + 0.5 * u, other, places=12)
        (cycle,) = result("loop", net, "--cycle", "2")["cycles"]
        self.assertGreater(cycle["dissipation"], 0)

    def test_in_a_structure(self):
        self.write("net.toml", SMALL + "through = 3\n")
        model = self.write("model.toml", '[structure]\nmass = [[1]]\nstiffness = [[2]]\n'
                                         '[[joint]]\nlaw = "net.toml"\ndofs = 1\n')
        r = result("backbone", model, "--mode", "1", "--at", "0.01,1,10", "--framework", "loops")
        omegas = [p["omega"] for p in r["points"]]
        self.assertAlmostEqual(omegas[0], math.sqrt(2 + 3), places=6)  # stuck: nothing but the spring
        self.assertTrue(omegas[0] > omegas[1] > omegas[2])
        for point in r["points"]:
            self.assertIn(point["status"], ("converged", "ok"))

    def test_identified(self):
        net = self.write("net.toml", SMALL + "through = 3\n")
        path = "1,-1,2,-2,1.5,-0.5,2"
        points = []
        at = 0.0
        for end in (float(x) for x in path.split(",")):
            points += [at + (end - at) * k / 20 for k in range(1, 21)]
            at = end
        h = result("loop", net, "force_scale=2.5", "displacement_scale=0.8", "--path",
                   "0," + ",".join(map(repr, points)))
        with open(self.path("loop.csv"), "w") as file:
            file.write("u,f\n" + "".join(f"{u!r},{f!r}\n" for u, f in zip(h["u"], h["f"])))
        r = result("identify", self.path("loop.csv"), "--law", net, "--free", "force_scale,displacement_scale")
        self.assertAlmostEqual(r["parameters"]["force_scale"], 2.5, delta=1e-4)
        self.assertAlmostEqual(r["parameters"]["displacement_scale"], 0.8, delta=1e-4)


    def test_joints_of_a_model(self):
        self.write("model.toml", "[structure]\nmass = [[1, 0], [0, 1]]\nstiffness = [[3, -1], [-1, 1.5]]\n"
                                 '[[joint]]\nlaw = "jenkins"\nparameters = { kt = 2, fs = 0.4 }\ndofs = 1\n'
                                 '[[joint]]\nlaw = "jenkins+kp"\nparameters = { kt = 1, fs = 0.3, kp = 0.1 }\n'
                                 "dofs = [1, 2]\n")
        net = self.write("net.toml", '[network]\nmodel = "model.toml"\ndof = 2\n')
        r = result("network", net, "--path", "0.1,2,-1,1.5")
        self.assertEqual((r["sliders"], r["driven_by"]), (2, "displacement"))
        forced = self.write("forced.toml", '[network]\nmodel = "model.toml"\ndof = 2\ndrive = "force"\n')
        q = result("quasistatic", self.path("model.toml"), "--force", "at=2", "--path", ",".join(map(repr, r["f"])))
        for mine, theirs in zip(r["u"], q["displacement"]):
            self.assertAlmostEqual(mine, theirs if not isinstance(theirs, list) else theirs[-1], delta=1e-9)
        x = result("network", forced, "--path", ",".join(map(repr, r["f"])))
        for mine, theirs in zip(r["dissipated"], x["dissipated"]):
            self.assertAlmostEqual(mine, theirs, delta=1e-11)
        # a single mass with it: the backbone of the mode, as the structure has it while it sticks
        self.write("mode.toml", '[network]\nmodel = "model.toml"\nmode = 1\n')
        one = self.write("one.toml", '[structure]\nmass = [[1]]\nstiffness = [[0]]\n'
                                     '[[joint]]\nlaw = "mode.toml"\ndofs = 1\n')
        small = result("backbone", one, "--mode", "1", "--at", "0.01", "--framework", "loops")["points"][0]
        whole = result("modes", self.path("model.toml"))
        self.assertAlmostEqual(small["omega"], whole["omega"][0], places=6)
        for text, because in (("mode = 1\ndof = 1\n", "exactly one"), ("", "exactly one"), ("dof = 7\n", "7"),
                              ('dof = 1\nalong = "t3"\n', "both, t1, t2"), ('output = "tip"\n', "tip")):
            bad = self.write("bad.toml", '[network]\nmodel = "model.toml"\n' + text)
            self.assertIn(because, self.refused("network", bad, "--path", "1"), text)

    def test_slip_by_formula(self):
        text = ('law = "m-state"\nset = "ellipsoid"\nK = [[0.6666666667, 0], [0, 0.6666666667]]\n'
                "A = [[0.0625, 0], [0, 1]]\ng = [0.4868644956, 0.6554613868]\nk0 = 1\n")
        exact = self.write("exact.toml", text)
        formula = self.write("formula.toml", text + 'slip = "formula"\n')
        path = "0,1,-0.5,0.7,2,-2"
        known = result("loop", "two-state", "alpha=0.6666666667", "sigma=0.0625", "b1=0.4868644956", "b2=0.6554613868",
                       "--path", path)
        a, b = result("loop", exact, "--path", path), result("loop", formula, "--path", path)
        for i, want in enumerate(known["f"]):
            self.assertAlmostEqual(a["f"][i], want, places=11)
            self.assertAlmostEqual(b["f"][i], want, delta=0.03)
        bad = self.write("bad.toml", text + 'slip = "guess"\n')
        self.assertIn("exact, formula", self.refused("loop", bad, "--path", "1"))


class Condense(Case):
    def test_law_and_errors(self):
        net = self.write("net.toml", RANDOM.format(40, 9))
        law = self.path("law.toml")
        r = result("condense", net, "--states", "2", "--out", law)
        self.assertEqual((r["states"], r["set"], len(r["law"]["mu"]), len(r["law"]["b"])), (2, "polytope", 12, 2))
        self.assertGreater(len(r["test"]), 3)
        self.assertLess(r["worst"]["force"], 0.1)
        for error in r["training"] + r["test"]:
            self.assertEqual({"history", "force", "dissipation", "tangent", "peak_load"}, set(error))
        h = result("loop", law, "--path", "0.5,-0.5,1")
        self.assertEqual(h["driven_by"], "force")
        again = result("condense", net, "--states", "2", "--threads", "1")
        self.assertEqual(r["law"], again["law"])

    def test_histories_without_dissipation_have_no_error_of_it(self):
        stiff = SMALL.replace("mu = [0.5, 1]\nb = [1, 0]", "mu = [1, 2]\nb = [1, 0.5]")
        status, out, _ = run("condense", self.write("net.toml", stiff), "--states", "1")
        self.assertEqual(status, 0)
        self.assertNotIn("nan", out)
        self.assertRegex(out, r"\n +0\.00 +- +")  # nothing slips

    def test_ellipsoid_and_tests_of_ones_own(self):
        net = self.write("net.toml", RANDOM.format(40, 2))
        for basis in ("svd", "reversal", "greedy"):
            r = result("condense", net, "--states", "3", "--basis", basis, "--fit", "absolute", "--load", "2", "--test",
                       "sin(t)+0.5*sin(3.3*t)", "--time", "0:6.283185307179586:101")
            self.assertEqual((r["set"], r["basis"], r["fit"]), ("ellipsoid", basis, "absolute"))
            self.assertEqual(len(r["test"]), 1)
            self.assertEqual(len(r["law"]["A"]), 3)
            self.assertEqual(len(r["by_formula"]["test"]), 1)

    def test_polytope(self):
        net = self.write("net.toml", RANDOM.format(80, 3))
        law = self.path("law.toml")
        box = result("condense", net, "--states", "2", "--set", "box")
        self.assertEqual((box["set"], len(box["law"]["mu"])), ("box", 2))
        r = result("condense", net, "--states", "2", "--set", "polytope", "--facets", "6", "--out", law)
        self.assertEqual((r["set"], len(r["law"]["C"]), len(r["law"]["mu"]), len(r["law"]["b"])), ("polytope", 6, 6, 2))
        self.assertLess(r["residual"], 0.9 * box["residual"])  # more thresholds at as many states
        h = result("loop", law, "--path", "0.5,-0.5,1")
        self.assertEqual(h["driven_by"], "force")
        again = result("condense", net, "--states", "2", "--facets", "6", "--rival", law)
        self.assertEqual(again["law"], r["law"])
        self.assertEqual(again["rivals"][0]["worst"], again["worst"])  # the file is the law
        self.assertEqual(len(result("condense", net, "--states", "2", "--set", "polytope", "--facets", "3")["law"]["C"]), 3)
        self.assertIn("facets", self.refused("condense", net, "--states", "2", "--set", "polytope", "--facets", "1"))
        self.assertIn("polytope", self.refused("condense", net, "--states", "2", "--set", "box", "--facets", "4"))
        text = 'law = "m-state"\nset = "polytope"\nK = [[1, 0], [0, 1]]\nb = [1, 1]\n'
        for rest, because in (("C = [[1, 0], [0, 1], [1, 1]]\nmu = [1, 1]\n", "mu has 2 entries"),
                              ("C = [[1, 0]]\nmu = [1]\n", "independent"),
                              ("C = [[1, 0, 0], [0, 1, 0]]\nmu = [1, 1]\n", "columns"),
                              ("mu = [1, 1]\n", "C")):
            bad = self.write("bad.toml", text + rest)
            self.assertIn(because, self.refused("loop", bad, "--path", "1"), rest)

    def test_bad_input(self):
        net = self.write("net.toml", RANDOM.format(10, 2))
        self.assertIn("more than", self.refused("condense", net, "--states", "11"))
        self.assertIn("states", self.refused("condense", net, "--states", "0"))
        self.assertIn("--seed", self.refused("condense", net, "--states", "2", "--seed", "-1"))
        self.assertIn("box, polytope, ellipsoid", self.refused("condense", net, "--states", "2", "--set", "star"))
        self.assertIn("ellipsoid", self.refused("condense", net, "--states", "2", "--set", "box", "--basis", "svd"))
        self.assertIn(".toml", self.refused("condense", net, "--states", "2", "--out", self.path("law.json")))
        for curve in "5:1", "1:2x", "1:4294967298", "0:2", "1:41":
            self.assertIn("1 <= LO <= HI <= 40", self.refused("condense", net, "--states", "2", "--curve", curve))
        self.assertIn("from", self.refused("condense", net, "--states", "2", "--load", "1", "--from", "2"))
        self.assertIn("--curve", self.refused("condense", net, "--states", "2", "--curve", "1:11"))
        self.assertIn("nothing slips", self.refused("condense", self.write("stiff.toml", SMALL), "--states", "1", "--load", "0.1"))

    def test_curve_and_loops(self):
        net = self.write("net.toml", RANDOM.format(30, 5))
        law = self.path("two.toml")
        result("condense", net, "--states", "2", "--out", law)
        r = result("condense", net, "--states", "2", "--curve", "1:3", "--rival", law, "--plot", self.path("error.html"))
        self.assertEqual([p["states"] for p in r["curve"]], [1, 2, 3])
        self.assertEqual(r["rivals"][0]["worst"], r["worst"])  # the law itself, read back
        self.assertLess(r["curve"][2]["force"], r["curve"][0]["force"])
        with open(self.path("error.html")) as file:
            self.assertIn("turning points at random", file.read())


if __name__ == "__main__":
    unittest.main()
