import csv
import math
import os
import random
import tempfile
import unittest

from faying import result, run


def write(path, rows, header="t,x"):
    with open(path, "w") as f:
        f.write(header + "\n")
        for row in rows:
            f.write(",".join(repr(x) for x in row) + "\n")


def linear(amplitude=2.0, omega=600.0, zeta=0.004, rate=5000.0, n=6000, noise=0.0, seed=1):
    r = random.Random(seed)
    wd = omega * math.sqrt(1 - zeta * zeta)
    return [(i / rate, amplitude * math.exp(-zeta * omega * i / rate) * math.cos(wd * i / rate + 0.4) + r.gauss(0, noise))
            for i in range(n)]


class Envelope(unittest.TestCase):
    def test_both_methods_on_a_linear_mode(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "a.csv")
            write(file, linear())
            for method, follows in (("hilbert", "fundamental"), ("peaks", "peak")):
                r = result("envelope", file, "--method", method)
                self.assertEqual(r["follows"], follows)
                self.assertEqual(len(r["t"]), len(r["zeta"]))
                for t, a, w, z in zip(r["t"], r["amplitude"], r["omega"], r["zeta"]):
                    self.assertAlmostEqual(a / (2 * math.exp(-2.4 * t)), 1, places=3)
                    self.assertAlmostEqual(w / 600, 1, places=4)
                    self.assertAlmostEqual(z / 0.004, 1, delta=0.01)
            self.assertEqual(result("envelope", file, "--method", "peaks", "--band", "80:110")["follows"], "fundamental")
            half = result("envelope", file, "--quantity", "acceleration", "--as", "displacement", "--scale", "0.5")
            self.assertAlmostEqual(half["amplitude"][0] * 600**2 / (math.exp(-2.4 * half["t"][0])), 1, places=3)

    def test_records_merge_with_bounds(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for k, amplitude in enumerate((1.0, 0.5, 0.2)):
                files.append(os.path.join(folder, f"{k}.csv"))
                write(files[-1], linear(amplitude, noise=amplitude * 0.007, seed=k))
            r = result("envelope", *files, "--band", "75:115", "--order", "2", "--points", "20", "--csv",
                       os.path.join(folder, "b.csv"), "--plot", os.path.join(folder, "b.html"))
            b = r["backbone"]
            self.assertEqual(len(r["records"]), 3)
            self.assertEqual(len(b["amplitude"]), 20)
            inside = sum(lo <= 0.004 <= hi for lo, hi in zip(b["zeta_mean_low"], b["zeta_mean_high"]))
            self.assertGreater(inside, 14)
            for mean, wide in zip(b["omega_mean_high"], b["omega_observation_high"]):
                self.assertGreater(wide, mean)
            with open(os.path.join(folder, "b.csv")) as f:
                rows = list(csv.DictReader(f))
            self.assertEqual([float(row["amplitude"]) for row in rows], b["amplitude"])

    def test_modal_filter(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = linear(1.0, 600), linear(0.5, 1500, 0.002)
            file, shapes = os.path.join(folder, "v.csv"), os.path.join(folder, "s.csv")
            write(file, [(t, 0.7 * x + 0.6 * y, 0.9 * x - 0.8 * y) for (t, x), (_, y) in zip(a, b)], "t,v1,v2")
            write(shapes, [(0.7, 0.6), (0.9, -0.8)], "mode1,mode2")
            for mode, omega in ((1, 600), (2, 1500)):
                r = result("envelope", file, "--shapes", shapes, "--mode", str(mode))
                self.assertAlmostEqual(r["omega"][3] / omega, 1, places=4)

    def test_bad_input(self):
        good = linear(n=2000)
        uneven = list(good)
        uneven[700] = (uneven[700][0] + 0.0001, uneven[700][1])
        cases = [
            (uneven, [], "is not sampled evenly: sample 701"),
            (good[:300] + [(good[300][0], float("nan"))] + good[301:], [], ":302:"),
            (good, ["--band", "90:2600"], "Nyquist frequency, 2500 Hz"),
            (good, ["--band", "0:100"], "must lie between 0"),
            (good, ["--band", "90"], "must be LOW:HIGH"),
            (good[:120], [], "shorter than three periods"),
            (good, ["--from", "0.39"], "shorter than three periods"),
            (good, ["--from", "5"], "only 0 samples"),
            (good, ["--method", "fft"], "allowed are hilbert, peaks"),
            (good, ["--channel", "y"], "has no channel 'y'; there are: x"),
            (good, ["--time", "s"], "has no column 's'"),
            (good, ["--mode", "1"], "--shapes and --mode go together"),
            (good, ["--as", "velocity"], "--as: needs --quantity"),
            (good, ["--quantity", "force"], "allowed are displacement"),
            (good, ["--segments", "1"], "segments = 0"),
            (good, ["--plot", "x.png"], "must end in .html"),
            (good, ["--band", "94:96", "--order", "20"], "too short for this band"),
        ]
        for rows, words, expected in cases:
            with tempfile.TemporaryDirectory() as folder:
                write(os.path.join(folder, "a.csv"), rows)
                status, out, err = run("envelope", "a.csv", *words, "--csv", "out.csv", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn(expected, err)
                self.assertEqual(os.listdir(folder), ["a.csv"])


if __name__ == "__main__":
    unittest.main()
