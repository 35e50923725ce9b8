import json
import os
import tempfile
import unittest

from faying import result, run

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../examples/three_masses/model.toml")
GOOD = open(MODEL).read()


class Models(unittest.TestCase):
    def test_modes_and_backbone(self):
        with open(os.path.join(HERE, "../reference/three_mass.json")) as f:
            data = json.load(f)
        modes = result("modes", MODEL)
        for got, want in zip(modes["omega"], data["omega0"]):
            self.assertAlmostEqual(got / want, 1, places=12)
        self.assertEqual(len(result("modes", MODEL, "--count", "2", "--slip")["omega"]), 2)
        row = data["rqnma"][0]
        point = result("backbone", MODEL, "--mode", str(row["mode"]), "--at", str(row["q"]))["points"][0]
        self.assertAlmostEqual(point["omega"] / row["omega_rqnma"], 1, places=11)
        self.assertEqual(point["status"], "converged")
        self.assertEqual(len(result("backbone", MODEL, "--amplitudes", "0.1:100:5")["points"]), 5)

    def test_routes_agree(self):
        points = {}
        for words in (["--framework", "masing"], ["--framework", "loops"], ["--dissipation", "modal"]):
            points[words[1]] = result("backbone", MODEL, "--mode", "2", "--at", "1,5", *words)["points"]
        for a, b, c in zip(points["masing"], points["loops"], points["modal"]):
            self.assertAlmostEqual(a["omega"] / b["omega"], 1, places=11)
            self.assertAlmostEqual(a["zeta"] / b["zeta"], 1, places=9)
            self.assertAlmostEqual(a["zeta"] / c["zeta"], 1, places=6)
        qsma = result("backbone", MODEL, "--mode", "2", "--at", "1e-6", "--method", "qsma")
        self.assertEqual(qsma["method"], "qsma")
        self.assertAlmostEqual(qsma["points"][0]["omega"] / 1.2156841452833735, 1, places=5)
        seeds = result("backbone", MODEL, "--at", "1", "--derivatives")["points"][0]["derivatives"]
        self.assertEqual([d["parameter"] for d in seeds], ["FS", "KT", "chi", "beta"])

    def test_preload(self):
        loaded = GOOD.replace("[[joint]]", "static = [1, 2, 3]\n[[joint]]", 1)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "model.toml"), "w") as f:
                f.write(loaded)
            answer = result("preload", os.path.join(folder, "model.toml"))
            self.assertLess(answer["residual"], 1e-12)
            # Ground holds the sum of the loads through the first spring, k = 9.
            self.assertAlmostEqual(answer["u"][0], 6 / 9, places=12)
        status, _, err = run("preload", MODEL)
        self.assertEqual(status, 2)
        self.assertIn("no static load", err)

    def test_plot_and_table(self):
        with tempfile.TemporaryDirectory() as folder:
            status, _, err = run("backbone", MODEL, "--mode", "2", "--amplitudes", "0.1:100:9", "--plot", "b.html", "--csv",
                                 "b.csv", cwd=folder)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(sorted(os.listdir(folder)), ["b.csv", "b.html"])

    def test_bad_models(self):
        cases = [
            ("mass      = [[10", "mass      = [[-10", "mass is not positive definite"),
            ("[-9, 18, -9]", "[-8, 18, -9]", "stiffness is not symmetric: entry (2,1) = -8"),
            ("[0, -9, 9]]", "[0, -9]]", "row 3 of stiffness has 2 numbers"),
            ("[0, -9, 9]]", "[0, -9, nan]]", "must be a finite number"),
            ("dofs = [2, 3]", "dofs = [2, 4]", "DOF 4 does not exist; allowed are 1 to 3"),
            ("dofs = [2, 3]", "dofs = [2, 2]", "must differ"),
            ("FS = 10, ", "", "parameter 'FS'"),
            ('"iwan4"', '"iwan"', "unknown law 'iwan'"),
            ("dofs =", "dof =", "unknown key 'dof'"),
            ("[structure]", "[structure", "model.toml:2"),
            ("stiffness =", "stiff =", "unknown key 'stiff'"),
        ]
        for old, new, expected in cases:
            with tempfile.TemporaryDirectory() as folder:
                self.assertIn(old, GOOD)
                with open(os.path.join(folder, "model.toml"), "w") as f:
                    f.write(GOOD.replace(old, new))
                status, out, err = run("modes", "model.toml", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(expected, err)
                self.assertIn("model.toml:", err)

    def test_bad_requests(self):
        for words, expected in [
            (["backbone", MODEL, "--mode", "4", "--at", "1"], "there is no mode 4; allowed are 1 to 3"),
            (["backbone", MODEL, "--at", "0"], "amplitude 0 is not in [1e-150, 1e+150]"),
            (["backbone", MODEL, "--at", "-1"], "amplitude -1 is not in [1e-150, 1e+150]"),
            (["backbone", MODEL, "--amplitudes", "1:0.1:5"], "0 < LO < HI"),
            (["backbone", MODEL], "give either --amplitudes"),
            (["modes", MODEL, "--count", "9"], "allowed are 1 to 3"),
            (["modes", "nowhere.toml"], "there is no such file"),
        ]:
            status, out, err = run(*words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(expected, err)


if __name__ == "__main__":
    unittest.main()
