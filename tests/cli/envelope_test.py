import csv
import json
import math
import os
import random
import re
import struct
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


def write_mat(path, variables):
    """MATLAB version 5, uncompressed: {name: rows of numbers}."""
    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)

    with open(path, "wb") as f:
        f.write(b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM")
        for name, rows in variables.items():
            numbers = [row[c] for c in range(len(rows[0])) for row in rows]
            f.write(element(14, element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", len(rows), len(rows[0])))
                            + element(1, name.encode()) + element(9, struct.pack(f"<{len(numbers)}d", *numbers))))


class Envelope(unittest.TestCase):
    def test_records_as_instruments_write_them(self):
        record = linear()
        other = [(t, 0.1 * math.cos(3000 * t)) for t, _ in record]
        texts = {
            "comma.csv": "time;acc\r\ns;m/s^2\r\n" + "".join(f"{t:.6f};{x:.9g}\r\n".replace(".", ",") for t, x in record),
            "tab.txt": "# hammer 3\nTitle\nt\tx\n" + "".join(f"{t:.6f}\t{x:.9g}\n" for t, x in record),
            "ms.csv": "Time (ms),x\n" + "".join(f"{1e3 * t:.6f},{x:.9g}\n" for t, x in record),
            "units.csv": "t,x,\nms,g,\n" + "".join(f"{1e3 * t:.6f},{x:.9g},\n" for t, x in record),
            "blanks.dat": "% two columns\n" + "".join(f"  {t:.6e}  {x:.9e}\n" for t, x in record),
        }
        mats = {
            "columns.mat": {"t": [[t] for t, _ in record], "x": [[x] for _, x in record]},
            "rows.mat": {"time": [[t for t, _ in record]], "x": [[x for _, x in record]]},
            "mixed.mat": {"t": [[t for t, _ in record]], "x": [[x] for _, x in record]},
        }
        both = {"t": [[t] for t, _ in record], "x": [[a, b] for (_, a), (_, b) in zip(record, other)]}
        cases = [[name] for name in (*texts, *mats)] + [
            ["both.mat", "--channel", "x1"], ["turned.mat", "--channel", "1"], ["rate.mat"], ["rate.mat", "--rate", "5000"],
            ["alone.txt", "--rate", "5000"], ["rounded.csv", "--rate", "5000"], ["two.csv", "--rate", "5000", "--channel", "x"]]
        with tempfile.TemporaryDirectory() as folder:
            at = lambda name: os.path.join(folder, name)
            texts["alone.txt"] = "".join(f"{x:.9g}\n" for _, x in record)
            texts["rounded.csv"] = "t,x\n" + "".join(f"{t:.3f},{x:.9g}\n" for t, x in record)
            texts["two.csv"] = "x,y\n" + "".join(f"{a:.9g},{b:.9g}\n" for (_, a), (_, b) in zip(record, other))
            for name, text in texts.items():
                with open(at(name), "w", newline="") as f:
                    f.write(text)
            for name, variables in mats.items():
                write_mat(at(name), variables)
            write_mat(at("both.mat"), both)
            write_mat(at("turned.mat"), {"t": both["t"], "x": [list(row) for row in zip(*both["x"])]})
            write_mat(at("rate.mat"), {"x": [[x] for _, x in record], "fs": [[5000.0]]})
            write_mat(at("bare.mat"), {"x": [[x] for _, x in record]})
            for words in cases:
                r = result("envelope", at(words[0]), *words[1:])
                self.assertAlmostEqual(r["omega"][2] / 600, 1, places=5, msg=words)
                self.assertAlmostEqual(r["zeta"][2] / 0.004, 1, places=3, msg=words)
            for words, expected in ((["alone.txt"], "or --rate"), (["bare.mat"], "has no variable t or time"),
                                    (["both.mat"], "has 2 channels; choose with --channel one of: x1, x2"),
                                    (["rounded.csv"], "time must increase"), (["columns.mat", "--time", "u"], "there are: t, x")):
                status, out, err = run("envelope", *words, cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn(expected, err)

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
            # Pages show Hz unless told.
            for words, label, curve, value in (([], "frequency / Hz", "frequency", 600 / (2 * math.pi)),
                                               (["--unit", "rad/s"], "omega / (rad/s)", "omega", 600)):
                page = os.path.join(folder, "unit.html")
                status, out, err = run("envelope", *files, "--band", "75:115", "--order", "2", "--points", "20", "--plot", page, *words)
                self.assertEqual((status, err), (0, ""))
                self.assertIn(label, out)
                with open(page) as f:
                    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', f.read(), re.S).group(1)
                panel = json.loads(data)["panels"][0]
                self.assertEqual(panel["y"]["label"], label)
                merged = next(c for c in panel["curves"] if c["label"] == curve)
                self.assertAlmostEqual(merged["y"][10] / value, 1, places=2)

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
            (good, ["--rate", "0"], "--rate: 0 must be"),
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
