"""faying modal-fit: any law in an oscillator, ranked; and modal-iwan on microslip data."""
import json
import math
import os
import tempfile
import unittest

from faying import result, run

FORCED = ((5, 80.368, .153), (20, 80.189, .198), (30, 80.190, .238), (40, 80.130, .300), (50, 80.280, .381), (60, 80.384, .458),
          (70, 80.472, .551), (80, 80.530, .635))  # m/s^2, Hz, %: a Brake-Reuss beam, response held (Chen and others 2022)


def backbone(folder, name, rows, scale=1):
    with open(os.path.join(folder, name), "w") as f:
        f.write("amplitude,frequency,zeta\n" + "".join(f"{a * scale!r},{w!r},{z / 100!r}\n" for a, w, z in rows))


class ModalFit(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def test_units_do_not_matter(self):
        found = []
        for k, scale in enumerate((1, 1e-6)):
            backbone(self.folder, f"{k}.csv", FORCED, scale)
            found.append(result("modal-fit", f"{k}.csv", "--law", "jenkins+polynomial k3", cwd=self.folder)["fits"][0])
        self.assertAlmostEqual(found[0]["omega_rms"] / found[1]["omega_rms"], 1, places=4)
        self.assertAlmostEqual(found[0]["model"]["k3"] / (found[1]["model"]["k3"] * 1e-12), 1, places=3)
        self.assertAlmostEqual(found[0]["model"]["fs"] / (found[1]["model"]["fs"] * 1e6), 1, places=3)

    def test_turn_up(self):
        backbone(self.folder, "forced.csv", FORCED)
        r = result("modal-fit", "forced.csv", "--law", "iwan4", "--compare", "jenkins", "valanis", "iwan4+polynomial", "--terms", "k3",
                   "--csv", "t.csv", "--plot", "p.html", cwd=self.folder)
        self.assertAlmostEqual(r["rise"]["to_omega"] / (2 * math.pi), 80.530, places=3)
        for fit in r["fits"]:
            hardens = "polynomial" in fit["law"]
            self.assertEqual(fit["misfit"]["flag"], not hardens, fit["law"])
            if hardens:
                self.assertGreater(fit["parameters"]["k3"]["low"], 0)
            else:
                self.assertIn("friction cannot", " ".join(fit["notes"]))
        self.assertEqual(r["fits"][0]["law"], "iwan4+polynomial k3")  # by held-out error
        self.assertTrue({"t.csv", "p.html"} <= set(os.listdir(self.folder)))
        status, out, _ = run("modal-fit", "forced.csv", "--law", "iwan4", cwd=self.folder)
        self.assertEqual(status, 0)
        self.assertIn("put a hardening spring beside the law", out)

    def test_modal_iwan_in_microslip(self):
        """Amplitudes in m/s2, no macroslip: it ends, nothing but the answer is printed, and FS has a lower bound only."""
        rows = [(a, 80.6 - 0.02 * a ** 0.6, 0.13 + 0.02 * a ** 0.55) for a in (10 ** (-0.5 + 0.1 * k) for k in range(20))]
        rows = [(a, w * (1 + 1e-6 * math.sin(7 * k * k)), z * (1 + 3e-3 * math.sin(5 * k * k))) for k, (a, w, z) in enumerate(rows)]
        found = []
        for k, scale in enumerate((1, 1e-6)):
            with open(os.path.join(self.folder, f"m{k}.csv"), "w") as f:
                f.write("amplitude,omega,zeta\n" + "".join(f"{a * scale!r},{2 * math.pi * w!r},{z / 100!r}\n" for a, w, z in rows))
            status, out, err = run("modal-iwan", f"m{k}.csv", "--json", cwd=self.folder)
            self.assertEqual((status, err), (0, ""))
            found.append(json.loads(out)["result"])
        bounds = {b["key"]: b for b in found[0]["not_determined"]}
        self.assertIn("FS", bounds)
        self.assertGreater(bounds["FS"]["low"], 0)
        self.assertAlmostEqual(found[0]["zeta_rms"] / found[1]["zeta_rms"], 1, places=3)
        self.assertIn("not determined by these points: ", run("modal-iwan", "m0.csv", cwd=self.folder)[1])

    def test_bad_input(self):
        backbone(self.folder, "forced.csv", FORCED)
        backbone(self.folder, "few.csv", FORCED[:3])
        with open(os.path.join(self.folder, "bad.csv"), "w") as f:
            f.write("amplitude,zeta\n1,2\n")
        for words, expected in ((["forced.csv"], "give a law"), (["forced.csv", "--law", "none"], "unknown law 'none'"),
                                (["forced.csv", "--law", "iwan4+polynomial k2"], "k2' is no odd term"), (["few.csv", "--law", "iwan4"], "too few for"),
                                (["forced.csv", "--law", "iwan4", "--mode", "2"], "has no mode 2"), (["bad.csv", "--law", "iwan4"], "no column 'omega'"),
                                (["forced.csv", "--law", "iwan4", "--fix", "no=1"], "has no parameter 'no'"),
                                (["forced.csv", "--law", "iwan4", "--curves", "x"], "allowed are quasi-static, harmonic, simulated"),
                                (["forced.csv", "--law", "elastic-dry-friction"], "is a contact law")):
            status, out, err = run("modal-fit", *words, cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertIn(expected, err)


if __name__ == "__main__":
    unittest.main()
