import json
import os
import tempfile
import unittest

import h5py

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
        self.assertEqual(modes["about"], "stuck")
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
            ("damping   = { ratio = 1e-4 }", "damping = [[-5,0,0],[0,0,0],[0,0,0]]",
             "damping must be positive semidefinite: it feeds energy in (its smallest eigenvalue over the mass matrix, 2 zeta omega of that motion, is -0.5 1/s)"),
            ("damping   = { ratio = 1e-4 }", "damping = [[0,1,0],[-1,0,0],[0,0,0]]", "damping is not symmetric"),
            ("damping   = { ratio = 1e-4 }", "damping = { ratio = -0.11 }", "damping ratio -0.11 is not in [0, 1)"),
            ("dofs =", "name = 5\ndofs =", "name must be a text in quotes"),
            ("dofs =", 'name = ""\ndofs =', "name must not be empty"),
            ("dofs =", 'name = "a"\ndofs = 3\n[[joint]]\nname = "a"\nlaw = "jenkins"\nparameters = { kt = 1, fs = 1 }\ndofs =',
             "there are two joints named 'a'; every joint needs a name of its own"),
            ("dofs =", 'dofs = 3\n[[joint]]\nname = "joint 1"\nlaw = "jenkins"\nparameters = { kt = 1, fs = 1 }\ndofs =',
             "there are two joints named 'joint 1'"),
            ("dofs = [2, 3]", 'dofs = [2, 3]\n[[output]]\nname = "tip"\ndof = 3\n[[output]]\nname = "tip"\ndof = 2',
             "there are two outputs named 'tip'"),
            ("dofs = [2, 3]", "dofs = [2, 3]\n[[output]]\nname = 7\ndof = 3", "name must be a text in quotes"),
            ("dofs = [2, 3]", 'dofs = [2, 3]\n[[output]]\nname = "tip"\nrow = [1, 0]', "row has 2 numbers; expected 3"),
            ("[0, -9, 9]]", "[0, -9, 9], [0, 0, 0]]", "stiffness is 4 x 3; it must be square"),
            ("[[joint]]", "static = [1, 2]\n[[joint]]", "static has 2 entries; expected 3 like mass"),
            ("damping   = { ratio = 1e-4 }", "damping = [[1]]", "damping is 1 x 1; expected 3 x 3 like mass"),
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

    def test_the_wrong_matrix_is_named(self):
        for structure, expected in [
            ("mass = [[1,0],[0,1]]\nstiffness = [[1]]", "stiffness is 1 x 1; expected 2 x 2 like mass"),
            # Two against one: it is the mass that is wrong.
            ("mass = [[1,0],[0,1]]\nstiffness = [[1]]\nstatic = [1]", "model.toml:2: mass is 2 x 2; expected 1 x 1 like stiffness"),
            ("mass = [[1,0],[0,1]]\nstiffness = [[1,0],[0,1]]\ndamping = [[1]]", "model.toml:4: damping is 1 x 1; expected 2 x 2 like mass"),
            ("mass = [[1,0]]\nstiffness = [[1]]", "mass is 1 x 2; it must be square"),
        ]:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "model.toml"), "w") as f:
                    f.write("[structure]\n" + structure + "\n")
                status, out, err = run("modes", "model.toml", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(expected, err)

    def test_bad_reduced_models(self):
        reduced = os.path.abspath(os.path.join(HERE, "../../data/brake_reuss/whole_joint.h5"))
        start = f'[structure]\nfile = "{reduced}"\n'
        joint = '[[joint]]\nlaw = "jenkins"\nparameters = { kt = 1, fs = 1 }\nalong = "t1"\n'
        with h5py.File(reduced) as f:
            size, patch = f["M"].shape[0], [name.decode() if isinstance(name, bytes) else str(name) for name in f["patches/name"][()]][0]
        for text, expected in [
            (start + joint + f'patch = ["{patch}", "{patch}"]', f"patch '{patch}' is given twice"),
            (start + joint + f'patch = ["all", "{patch}"]', f"patch '{patch}' is given twice"),
            (start + joint + "interface = 5", "interface must be true or false"),
            (start + "damping = [[1]]", f"damping is 1 x 1; expected {size} x {size} like M of "),
            (start + joint + 'patch = "all"\nname = 5', "name must be a text in quotes"),
        ]:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "model.toml"), "w") as f:
                    f.write(text)
                status, out, err = run("modes", "model.toml", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(expected, err)

    def test_bad_requests(self):
        for words, expected in [
            (["backbone", MODEL, "--mode", "4", "--at", "1"], "there is no mode 4; allowed are 1 to 3"),
            (["backbone", MODEL, "--at", "0"], "amplitude 0 is not in [1e-150, 1e+150]"),
            (["backbone", MODEL, "--at", "-1"], "amplitude -1 is not in [1e-150, 1e+150]"),
            (["backbone", MODEL, "--amplitudes", "1:0.1:5"], "0 < LO < HI"),
            (["backbone", MODEL], "give either --amplitudes"),
            (["modes", MODEL, "--count", "9"], "allowed are 1 to 3"),
            (["modes", "nowhere.toml"], "there is no such file"),
            (["modes", "nowhere.inp", "--about", "stuck"], "--about: is for model files"),
            (["modes", "nowhere.inp", "--slip"], "--slip: is for model files"),
            (["modes", MODEL, "--slip", "--about", "stuck"], "--about"),
        ]:
            status, out, err = run(*words)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(expected, err)


if __name__ == "__main__":
    unittest.main()
