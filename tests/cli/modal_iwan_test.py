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
