"""Records of several sensors to the backbones of all modes (envelope --modes), and sweeps (envelope --sweeps): synthetic ones with known
truth, bad ones, and the public measurements of a Brake-Reuss beam where they are (FAYING_MEASURED names the folder)."""

import csv
import math
import os
import pathlib
import sys
import tempfile
import unittest

import numpy
import scipy.io
import scipy.signal

from faying import result, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MEASURED = pathlib.Path(os.environ.get("FAYING_MEASURED", ROOT.parent / "shared/data/brake_reuss_measured"))
# SOURCE.md of that folder: amplitude at accelerometer 1 / (m/s2), frequency / Hz, damping ratio / %.
HAMMER = {
    1: ([1, 5, 10, 20, 28], [80.583, 80.498, 80.459, 80.432, 80.372], [0.141, 0.163, 0.181, 0.212, 0.251], 0.01, 0.03),
    2: ([1, 5, 10, 20, 30], [297.691, 297.666, 297.646, 297.609, 297.512], [0.097, 0.101, 0.105, 0.114, 0.142], 0.02, 0.06),
}
SHAKER = ([5, 20, 30, 40, 50, 60, 70, 80], [80.368, 80.189, 80.190, 80.130, 80.280, 80.384, 80.472, 80.530],
          [0.153, 0.198, 0.238, 0.300, 0.381, 0.458, 0.551, 0.635])


def ring(rate=5000, duration=2.0, noise=0.02, seed=1, quiet=0.01):
    """Two modes at two sensors: damping 0.2 % + 0.03 % sqrt(amplitude) at 90 Hz, and a linear one at 410 Hz."""
    n, step = int(duration * rate), 1 / rate / 4
    a, theta, first = 20.0, 0.4, []
    for i in range(4 * n):
        if i % 4 == 0:
            first.append(a * math.cos(theta))
        w, z = 2 * math.pi * 90, 2e-3 + 3e-4 * math.sqrt(a)
        a, theta = a * math.exp(-z * w * step), theta + w * step
    t = numpy.arange(n) / rate
    second = 9 * numpy.exp(-1.5e-3 * 2 * math.pi * 410 * t) * numpy.cos(2 * math.pi * 410 * t + 1)
    r = numpy.random.default_rng(seed)
    silent = numpy.zeros(int(quiet * rate))
    x = numpy.array([numpy.r_[silent, numpy.array(first) + second], numpy.r_[silent, 0.6 * numpy.array(first) - 0.9 * second]])
    return numpy.arange(x.shape[1]) / rate - quiet, x + noise * r.normal(size=x.shape)


def write_record(path, t, x, header="t,tip,middle", units=None):
    with open(path, "w") as f:
        f.write(header + "\n" + (units + "\n" if units else ""))
        for row in zip(t, *x):
            f.write(",".join("%.10g" % v for v in row) + "\n")


def mode_near(found, hertz):
    return min(found["modes"], key=lambda m: abs(m["frequency"] - hertz))


def at_amplitudes(mode, amplitudes):
    """Frequency and damping at amplitudes that were reached."""
    order = numpy.argsort(mode["amplitude"])
    a = numpy.log(numpy.array(mode["amplitude"])[order])
    inside = [x for x in amplitudes if a[0] <= math.log(x) <= a[-1]]
    at = numpy.log(inside)
    return inside, numpy.interp(at, a, numpy.array(mode["omega"])[order]) / (2 * math.pi), numpy.interp(at, a, numpy.array(mode["zeta"])[order])


class Modes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        cls.t, cls.x = ring()
        write_record(os.path.join(cls.folder, "hit.csv"), cls.t, cls.x, units="s,m/s^2,m/s^2")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_two_modes_in_every_format(self):
        t, x = self.t, self.x
        write_record(os.path.join(self.folder, "in_g.csv"), t, x / 9.80665, units="s,g,g")
        scipy.io.savemat(os.path.join(self.folder, "struct.mat"),
                         {"data": {"run": {"time": t, "tip": x[0], "middle": x[1], "units": "s, m/s^2"}}})
        for file in ("hit.csv", "in_g.csv", "struct.mat"):
            r = result("envelope", file, "--modes", "auto", cwd=self.folder)
            self.assertEqual((r["unit"], len(r["modes"])), ("m/s^2", 2), file)
            for m, hertz in zip(r["modes"], (90, 410)):
                self.assertAlmostEqual(m["frequency"] / hertz, 1, places=4)
                self.assertTrue(m["trusted"], m["remarks"])
                for a, z, e in zip(m["amplitude"], m["zeta"], m["zeta_error"]):
                    truth = 2e-3 + 3e-4 * math.sqrt(a) if hertz == 90 else 1.5e-3
                    self.assertAlmostEqual(z / truth, 1, delta=0.02 + 4 * e / z, msg=(file, hertz, a))
            shape = next(v for k, v in r["modes"][1]["shape"].items() if k.endswith("middle"))
            self.assertAlmostEqual(shape[1], -0.9, delta=0.02)

    def test_tables_pages_and_other_sensors(self):
        r = result("envelope", "hit.csv", "--modes", "auto", "--channel", "middle", "--out", "b.csv", "--plot", "b.html", cwd=self.folder)
        self.assertEqual(r["reference"], "middle")
        with open(os.path.join(self.folder, "b.csv")) as f:
            rows = [row for row in csv.DictReader(f)]
        self.assertEqual({row["mode"] for row in rows if row["mode"].strip().isdigit()}, {"1", "2"})
        status, out, err = run("modal-iwan", "b.csv", "--help", cwd=self.folder)
        self.assertEqual(status, 0, err)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "b.html")), 10000)
        one = result("envelope", "hit.csv", "--modes", "410", cwd=self.folder)
        self.assertEqual(len(one["modes"]), 1)
        shown = run("envelope", "hit.csv", "--modes", "auto", cwd=self.folder)[1]
        self.assertRegex(shown, r"mode 2: (409\.9|410)")

    def test_units_are_asked_for_and_checked(self):
        write_record(os.path.join(self.folder, "bare.csv"), self.t, self.x)
        self.assertIn("give them with --units", run("envelope", "bare.csv", "--modes", "auto", cwd=self.folder)[1])
        self.assertEqual(result("envelope", "bare.csv", "--modes", "auto", "--units", "mm/s", cwd=self.folder)["unit"], "m/s")

    def check(self, words, hits=1, channels=2, unit="as recorded"):
        r = result("envelope", *words, "--modes", "auto", cwd=self.folder)
        self.assertEqual((len(r["ring_downs"]), len(r["channels"]), r["unit"]), (hits, channels, unit), (words, r["channels"]))
        m = mode_near(r, 90)
        self.assertAlmostEqual(m["frequency"] / 90, 1, places=4)
        for a, z, e in zip(m["amplitude"], m["zeta"], m["zeta_error"]):
            a /= 9.80665 if unit == "g" else 1
            self.assertAlmostEqual(z / (2e-3 + 3e-4 * math.sqrt(a)), 1, delta=0.03 + 4 * e / z, msg=(words, a))
        return r

    def test_layouts_of_files(self):
        """As people and instruments lay records out: no option is needed."""
        t, x = self.t, self.x
        at = lambda name: os.path.join(self.folder, name)
        sampled = {"fs": 5000.0, "y": x}
        steady = {"Xmesh": numpy.linspace(0, 1, 7), "Peaks": {"Time": numpy.tile(numpy.arange(5.0), (2, 1))}}
        for name, content in {
                "rows": {"Time": t[None, :], "acc": x}, "vector": {"tvec": t, "tip": x[0], "middle": x[1]},
                "suffix": {"data": {"TimeACC": t, "AccACC": x, **steady}}, "milli": {"time_ms": 1e3 * t, "acc": x.T},
                "rate": sampled, "step": {"run": {"dt": 1 / 5000, "y": x.T}}, "first": {"data": numpy.column_stack([t, x.T])},
                "rising": {"abscissa": t, "a": x[0], "b": x[1]}, "counted": {"n": numpy.arange(len(t)), "time": t, "a": x[0], "b": x[1]},
                "dead": {"time": t, "a": 0 * t, "b": x[0], "c": x[1]},
                "hammer": {"time": t, "ch1": numpy.where(abs(t) < 1e-3, 200.0, 0), "ch2": x[0], "ch3": x[1]}}.items():
            scipy.io.savemat(at(name + ".mat"), content)
            with self.subTest(name):
                self.check([name + ".mat"])
        scipy.io.savemat(at("named.mat"), {"data": {"TimeA": t, "A": x, "Units": {"TimeA": "s", "A": "m/s^2", "X": "mm"}}})
        self.check(["named.mat"], unit="m/s^2")
        # Two devices in one file: the longer record is taken, and the other one named.
        scipy.io.savemat(at("two.mat"), {"d": {"TimeA": t, "A": x, "TimeB": t[::4], "B": numpy.ones((3, len(t[::4])))}})
        self.assertIn("--time d.TimeB", self.check(["two.mat"])["notes"][0])

    def test_hdf5_of_instruments(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        t, x = self.t, self.x
        at = lambda name: os.path.join(self.folder, name)
        with h5py.File(at("waveform.h5"), "w") as f:  # a group of channels with their increments, as TDMS files are turned to HDF5
            for k in range(2):
                d = f.create_dataset("Untitled/ai%d" % k, data=x[k])
                d.attrs["wf_increment"], d.attrs["unit_string"] = 1 / 5000, "m/s^2"
        with h5py.File(at("rate.h5"), "w") as f:
            f.attrs["sampling_rate"] = 5000
            f.create_dataset("data", data=x.T).attrs["units"] = "m/s^2"
        with h5py.File(at("table.h5"), "w") as f:
            rows = numpy.zeros(len(t), dtype=[("time", "f8"), ("tip", "f4"), ("middle", "f4")])
            rows["time"], rows["tip"], rows["middle"] = t, *x
            f.create_dataset("table", data=rows).attrs["units"] = "m/s^2"
        with h5py.File(at("sensors.h5"), "w") as f:
            for k in range(2):
                g = f.create_group("Channel%d" % (k + 1))
                g.attrs["unit"] = "m/s^2"
                g["time"], g["values"] = t, x[k]
        for name in ("waveform", "rate", "sensors"):
            with self.subTest(name):
                self.check([name + ".h5"], unit="m/s^2")
        self.check(["table.h5"])

    def test_hits_of_several_records(self):
        t, x = self.t, self.x
        at = lambda name: os.path.join(self.folder, name)
        _, again = ring(seed=5)
        write_record(at("again.csv"), t, again)
        write_record(at("slow.csv"), t[::2], x[:, ::2])
        write_record(at("other.csv"), t, x, "t,left,right")
        write_record(at("bare.csv"), t, x)
        hits = numpy.array([(t, *x), (t, *again)], dtype=[(k, "O") for k in ("time", "tip", "middle")])
        scipy.io.savemat(at("array.mat"), {"hit": hits})
        one = result("envelope", "bare.csv", "--modes", "90", cwd=self.folder)
        for words in (["bare.csv", "again.csv"], ["array.mat"]):
            r = self.check(words, hits=2)
            m = mode_near(r, 90)
            self.assertEqual(set(m["hit"]), {1, 2})
            self.assertGreater(len(m["t"]), 1.5 * len(one["modes"][0]["t"]))
            self.assertLess(max(m["t"]), t[-1])  # each by its own clock
            self.assertEqual(len({p["record"] for p in r["ring_downs"]}), 2)
        for words, message in ((["bare.csv", "slow.csv"], "2500 samples per second"), (["bare.csv", "other.csv"], "has channels left, right")):
            status, out, err = run("envelope", *words, "--modes", "auto", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(message, err)

    def test_clicks_of_the_joint_are_no_hits(self):
        """A burst of a millisecond at every turn of the motion, on one sensor alone."""
        t, x = self.t, self.x[:1].copy()
        r = numpy.random.default_rng(4)
        for start in numpy.arange(0.2, 1.2, 1 / 90):
            inside = (t >= start) & (t < start + 1e-3)
            x[0, inside] += 0.5 * r.normal(size=inside.sum())
        write_record(os.path.join(self.folder, "clicks.csv"), t, x, "t,tip")
        self.assertEqual(len(result("envelope", "clicks.csv", "--modes", "90", cwd=self.folder)["ring_downs"]), 1)

    def test_bad_input(self):
        clipped = numpy.clip(self.x, -0.05, 0.05)
        write_record(os.path.join(self.folder, "clipped.csv"), self.t, clipped)
        scipy.io.savemat(os.path.join(self.folder, "timeless.mat"), {"d": {"tip": self.x[0]}})
        r = numpy.random.default_rng(2)
        write_record(os.path.join(self.folder, "noise.csv"), self.t, r.normal(size=self.x.shape))
        for words, message in ((["clipped.csv", "--modes", "auto"], "is clipped at"),
                               (["hit.csv", "--modes", "auto", "--units", "g"], "as the file says, not in g"),
                               (["hit.csv", "--modes", "auto", "--units", "furlong"], "no unit of motion"),
                               (["hit.csv", "--modes", "auto", "--quantity", "velocity"], "is acceleration (m/s^2), not velocity"),
                               (["hit.csv", "--modes", "700"], "has no mode near 700 Hz"),
                               (["noise.csv", "--modes", "auto"], "no mode"),
                               (["timeless.mat", "--modes", "auto"], "has no variable t or time"),
                               (["hit.csv", "--modes", "auto", "--channel", "left"], "there are: tip, middle"),
                               (["hit.csv", "--modes", "auto", "--mode", "7"], "allowed are 1 to 2"),
                               (["hit.csv", "--modes", "auto", "--band", "1:2"], "chooses its own bands")):
            status, out, err = run("envelope", *words, cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertIn(message, err)


class Sweeps(unittest.TestCase):
    @staticmethod
    def rows(amplitude=20.0, offset=0.1, zeta=3e-3):
        rows = []
        for f in numpy.arange(79.5, 81.01, 0.05):
            w, w0 = 2 * math.pi * f, 2 * math.pi * 80.2
            z = 1.9 * complex(w0 * w0 - w * w, 2 * zeta * w0 * w0)
            rows.append((f, abs(z) * amplitude / w**2, amplitude, math.pi - math.atan2(z.imag, z.real) + offset))
        return rows

    def write(self, path, rows, header="frequency,force,amplitude,phase"):
        with open(path, "w") as f:
            f.write(header + "\n" + "".join(",".join("%.12g" % x for x in row) + "\n" for row in rows))

    def test_tables_and_struct_arrays(self):
        with tempfile.TemporaryDirectory() as folder:
            at = lambda name: os.path.join(folder, name)
            self.write(at("s.csv"), self.rows())
            degrees = [(f, p, a, math.degrees(phase)) for f, p, a, phase in self.rows()]
            self.write(at("deg.csv"), degrees)
            fields = numpy.array([self.rows(a) for a in (5.0, 20.0)])
            kind = [(name, "O") for name in ("frequency", "force", "amplitude", "phase", "units")]
            array = numpy.array([(*[s[:, k] for k in range(4)], "Hz, N, m/s^2, rad") for s in fields], dtype=kind)
            scipy.io.savemat(at("fr.mat"), {"FRdata": {"ResponseControl": array}})
            for words, count in ((["s.csv", "--units", "m/s^2"], 1), (["deg.csv", "--units", "m/s^2"], 1), (["fr.mat"], 2)):
                r = result("envelope", *words, "--sweeps", "--out", "b.csv", "--plot", "b.svg", cwd=folder)
                self.assertEqual(len(r["points"]), count)
                for p in r["points"]:
                    self.assertAlmostEqual(p["omega"] / (2 * math.pi), 80.2, places=6)
                    self.assertAlmostEqual(p["zeta"] / 3e-3, 1, places=5)
                    self.assertAlmostEqual(p["phase_offset"], 0.1, places=5)
            # A test at phase resonance: the mass from a sweep beside it, or given.
            m = result("envelope", "s.csv", "--units", "m/s^2", "--sweeps", cwd=folder)["points"][0]["mass"]
            w0 = 2 * math.pi * 80.2
            locked = [(80.2, 2 * 3e-3 * m * a, a, math.pi / 2) for a in (3.0, 8.0, 30.0)]  # of acceleration: a quarter turn ahead
            self.write(at("locked.csv"), locked)
            for words in (["locked.csv", "s.csv"], ["locked.csv", "--mass", repr(m)]):
                r = result("envelope", *words, "--units", "m/s^2", "--sweeps", cwd=folder)
                found = [p for p in r["points"] if p["held"] == "phase"]
                self.assertEqual([p["amplitude"] for p in found], [3, 8, 30])
                for p in found:
                    self.assertAlmostEqual(p["omega"] / w0, 1, places=6)
                    self.assertAlmostEqual(p["zeta"] / 3e-3, 1, places=4)
            status, out, err = run("envelope", "locked.csv", "--units", "m/s^2", "--sweeps", cwd=folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))
            self.assertIn("give --mass", err)
            phaseless = [row[:3] for row in self.rows()]
            swapped, twice = self.rows(), self.rows()
            swapped[3], swapped[4] = swapped[4], swapped[3]
            twice[6] = twice[5]
            self.write(at("phaseless.csv"), phaseless, "frequency,force,amplitude")
            self.write(at("swapped.csv"), swapped)
            self.write(at("twice.csv"), twice)
            self.write(at("off.csv"), [(f + 4, p, a, 3.1) for f, p, a, _ in self.rows()])
            for words, message in ((["phaseless.csv"], "has no phase"), (["swapped.csv"], "must all rise"), (["twice.csv"], "have the same frequency"),
                                   (["off.csv"], "has no resonance"), (["s.csv", "--units", "N"], "no unit of motion")):
                extra = [] if "--units" in words else ["--units", "m/s^2"]
                status, out, err = run("envelope", *words, *extra, "--sweeps", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn(message, err)
            status, out, err = run("envelope", "s.csv", "--sweeps", cwd=folder)
            self.assertEqual((status, err.count("\n")), (2, 1))
            self.assertIn("give --units", err)


@unittest.skipUnless((MEASURED / "HammerImpact.mat").exists(), "NO MEASUREMENTS in %s: set FAYING_MEASURED" % MEASURED)
class BrakeReuss(unittest.TestCase):
    def check_hammer(self, file, cwd=None, lowest=0):
        """All amplitudes of the table, from `lowest` up in mode 1."""
        r = result("envelope", str(file), "--modes", "auto", cwd=cwd)
        for number, (amplitudes, hertz, zeta, within, share) in HAMMER.items():
            mode = mode_near(r, hertz[0])
            self.assertTrue(mode["trusted"], mode["remarks"])
            inside, f, z = at_amplitudes(mode, amplitudes)
            self.assertEqual(inside, [a for a in amplitudes if number == 2 or a >= lowest], (file, number, mode["amplitude"]))
            for a, found, damping in zip(inside, f, z):
                k = amplitudes.index(a)
                self.assertAlmostEqual(found, hertz[k], delta=within, msg=(file, number, a))
                self.assertAlmostEqual(100 * damping / zeta[k], 1, delta=share, msg=(file, number, a))
        return r

    def test_hammer(self):
        r = self.check_hammer(MEASURED / "HammerImpact.mat")
        self.assertEqual((r["unit"], r["reference"]), ("m/s^2", "HIdata.acc1"))
        third, fifth = mode_near(r, 845.75), mode_near(r, 1526.8)
        for a, w, z in zip(third["amplitude"], third["omega"], third["zeta"]):
            if 8 <= a <= 35:
                self.assertAlmostEqual(w / (2 * math.pi), 845.75, delta=0.3)
                self.assertAlmostEqual(100 * z / 0.25, 1, delta=0.1)
        inside, f, z = at_amplitudes(fifth, [2, 20, 60, 100])
        for a, found, damping in zip(inside, f, z):
            self.assertAlmostEqual(found, {2: 1526.85, 20: 1526.84, 60: 1526.73, 100: 1526.56}[a], delta=0.1)
            self.assertAlmostEqual(100 * damping / {2: 0.099, 20: 0.114, 60: 0.115, 100: 0.111}[a], 1, delta=0.06)
        for pair in (580.5, 1765):
            mode = mode_near(r, pair)
            self.assertLess(abs(mode["frequency"] - pair), 10)
            self.assertFalse(mode["trusted"])
            self.assertIn("beating", [x["doubt"] for x in mode["remarks"]])
        sums = [x["frequency"] for x in r["other_lines"] if x["combination"]]
        self.assertTrue(any(abs(f - 1607) < 3 for f in sums), sums)

    def test_one_sensor_alone(self):
        """The joint clicks at every turn of the motion; one hit all the same."""
        data = scipy.io.loadmat(MEASURED / "HammerImpact.mat", squeeze_me=True, struct_as_record=False)["HIdata"]
        with tempfile.TemporaryDirectory() as folder:
            scipy.io.savemat(os.path.join(folder, "one.mat"), {"t": data.time, "acc1": data.acc1, "units": "s, m/s^2"})
            self.assertEqual(len(self.check_hammer("one.mat", cwd=folder)["ring_downs"]), 1)

    def test_hammer_cut_resampled_and_with_noise(self):
        data = scipy.io.loadmat(MEASURED / "HammerImpact.mat", squeeze_me=True, struct_as_record=False)["HIdata"]
        t, x = data.time, numpy.array([data.acc1, data.acc2, data.acc3])
        r = numpy.random.default_rng(1)
        variants = {
            "cut.mat": (t[t < 2.99], x[:, t < 2.99]),
            "slow.mat": (t[0] + numpy.arange(25600) / 5000, scipy.signal.resample_poly(x, 25, 64, axis=1)),
            "noisy.mat": (t, x + r.normal(size=x.shape) * x.std(axis=1)[:, None] / 100),
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, (time, values) in variants.items():
                scipy.io.savemat(os.path.join(folder, name), {"HIdata": {"time": time, "acc1": values[0], "acc2": values[1], "acc3": values[2], "units": "s, m/s^2"}})
                with self.subTest(name):
                    self.check_hammer(name, cwd=folder, lowest=3 if name == "cut.mat" else 0)  # 2.3 m/s2 is left after 3 s

    def test_sweeps(self):
        r = result("envelope", str(MEASURED / "ForcedFrequencyResponses.mat"), "--sweeps")
        held = [p for p in r["points"] if p["held"] == "response"]
        self.assertEqual(len(held), 8)
        for p, a, hertz, zeta in zip(held, *SHAKER):
            self.assertAlmostEqual(p["amplitude"] / a, 1, delta=0.02)
            self.assertAlmostEqual(p["omega"] / (2 * math.pi), hertz, delta=0.02, msg=a)
            self.assertAlmostEqual(100 * p["zeta"] / zeta, 1, delta=0.05, msg=a)
            self.assertTrue(0.015 < abs(p["phase_offset"]) < 0.17)
        self.assertGreaterEqual(len([p for p in r["points"] if p["held"] == "force"]), 4)


if __name__ == "__main__":
    if not (MEASURED / "HammerImpact.mat").exists():
        print("SKIPPED: no measurements in %s; FAYING_MEASURED names another folder" % MEASURED, file=sys.stderr)
    unittest.main()
