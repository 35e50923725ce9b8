import os
import tempfile
import unittest

from faying import result, run

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../examples/three_masses/model.toml")
STUDY = """
model = "model.toml"
[ring_down]
duration = 800
dt = 0.2
segments = 12
tolerance = 1e-7
[[mode]]
number = 2
slip = [3000, 400]
stuck = [20, 3]
[impact]
dofs = [1]
p = [3]
pulse = 3
"""


def folder_with(text):
    folder = tempfile.TemporaryDirectory()
    with open(MODEL) as f, open(os.path.join(folder.name, "model.toml"), "w") as g:
        g.write(f.read())
    with open(os.path.join(folder.name, "study.toml"), "w") as g:
        g.write(text)
    return folder


class ModalIwan(unittest.TestCase):
    def test_study(self):
        with folder_with(STUDY) as folder:
            words = ["modal-iwan", "study.toml", "--store", "runs", "--csv", "t.csv", "--plot", "p.html"]
            r = result(*words, cwd=folder)
            mode = r["modes"][0]
            self.assertAlmostEqual(mode["parameters"]["Kinf"] / mode["omega_infinity"] ** 2, 1, places=2)
            self.assertEqual(r["comparisons"][0]["regime"], "microslip")
            self.assertGreater(r["comparisons"][0]["mean_ratio"], 1)
            self.assertEqual(len(os.listdir(os.path.join(folder, "runs"))), 9)
            self.assertEqual(result(*words, "--threads", "1", cwd=folder), r)  # from the store, to the bit
            status, out, _ = run("modal-iwan", "study.toml", "--store", "runs", cwd=folder)
            self.assertEqual(status, 0)
            self.assertIn("Modal Iwan models", out)

    def test_measured_points(self):
        """The envelope of a simulated ring-down of one oscillator gives its own parameters back."""
        model = ('[structure]\nmass = [[1]]\nstiffness = [[1.4]]\ndamping = { ratio = 1e-3 }\n[[joint]]\nlaw = "iwan4"\n'
                 'parameters = { FS = 3, KT = 0.08, chi = -0.5, beta = 5 }\ndofs = 1\n')
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.toml"), "w") as f:
                f.write(model)
            starts = (2000, 400, 60, 10, 1)  # nothing is measured between 1 and 5: the bounds there are wide, and must not count
            for k, q in enumerate(starts):
                self.assertEqual(run("simulate", "m.toml", "--free", f"mode=1,q={q}", "--time", "600", "--dt", "0.1", "--method", "events",
                                     "--tolerance", "1e-8", "--coordinates", "modal", "--csv", f"{k}.csv", cwd=folder)[0], 0)
            status, _, err = run("envelope", *(f"{k}.csv" for k in range(5)), "--channel", "q1", "--points", "80", "--segments", "30",
                                 "--csv", "b.csv", cwd=folder)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual(run("envelope", *(f"{k}.csv" for k in range(5)), "--channel", "q1", "--points", "80", "--segments", "30",
                                 "--out", "b.h5", cwd=folder)[0], 0)
            self.assertEqual(result("modal-iwan", "b.h5", cwd=folder)["parameters"], result("modal-iwan", "b.csv", cwd=folder)["parameters"])
            for words in ([], ["--loss", "squares"]):
                r = result("modal-iwan", "b.csv", "--csv", "f.csv", "--plot", "f.svg", *words, cwd=folder)
                for key, value in (("Kinf", 1.4), ("KT", 0.08), ("chi", -0.5), ("FS", 3), ("zeta0", 1e-3), ("beta", 5)):
                    self.assertAlmostEqual(r["parameters"][key], value, delta=0.03 * abs(value), msg=(key, words))
            for words, expected in ((["--zeta0", "0"], "--zeta0: 0 is not above zero"), (["--loss", "huber"], "allowed are cauchy, squares"),
                                    (["--store", "s"], "--store: goes with a study")):
                status, out, err = run("modal-iwan", "b.csv", *words, cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(expected, err)
            with open(os.path.join(folder, "x.csv"), "w") as f:
                f.write("q,omega\n1,2\n")
            self.assertIn("has no column 'zeta'", run("modal-iwan", "x.csv", cwd=folder)[2])

    def test_points_of_no_iwan_joint(self):
        """Nothing slips, or it hardens: one line, and nothing written."""
        amplitudes = [10 ** (-3 + 0.3 * k) for k in range(12)]
        with tempfile.TemporaryDirectory() as folder:
            for rise, expected, message in ((0, 2, "nothing slips, so there is no Iwan model of it"), (0.01, 2, "p.csv: ")):
                with open(os.path.join(folder, "p.csv"), "w") as f:
                    f.write("q,omega,zeta\n" + "".join("%r,%r,0.001\n" % (q, 10 + rise * q) for q in amplitudes))
                status, out, err = run("modal-iwan", "p.csv", "--csv", "out.csv", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (expected, "", 1), err)
                self.assertIn(message, err)
                self.assertNotIn("out.csv", os.listdir(folder))

    def test_bad_studies(self):
        for old, new, expected in [("number = 2", "number = 4", "there is no mode 4"), ("dt = 0.2", "dt = 0", "0 < step"),
                                   ("pulse = 3", "puls = 3", "unknown key 'puls'"), ("duration = 800", "", "'duration' is missing"),
                                   ("[20, 3]", "[20, -3]", "levels p > 0"), ("dofs = [1]", "dofs = [7]", "DOF 7 does not exist"),
                                   ('"model.toml"', '"no.toml"', "no such file"), ("[impact]", "[impact", "study.toml:")]:
            with folder_with(STUDY.replace(old, new)) as folder:
                status, out, err = run("modal-iwan", "study.toml", "--csv", "t.csv", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(expected, err)
                self.assertNotIn("t.csv", os.listdir(folder))


if __name__ == "__main__":
    unittest.main()
