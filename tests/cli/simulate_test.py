import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

import h5py

from faying import BINARY, result, run

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../examples/three_masses/model.toml")


CONTACT = """[structure]
file = "%s"
static = { preload = 12845 }
damping = { ratio = 2e-4 }
[[joint]]
law = "elastic-dry-friction"
parameters = { kt = 4e12, mu = 0.5, kn = 1e13 }
patch = "all"
per = "area"
"""


BEAM = """[structure]
file = "%s"
damping = { ratio = 2e-4 }
[[joint]]
law = "iwan4"
parameters = { FS = 3e5, KT = 1e12, chi = -0.5, beta = 1 }
patch = "all"
along = "tangential"
per = "area"
[[joint]]
law = "polynomial"
parameters = { k1 = 1e13 }
patch = "all"
along = "normal"
per = "area"
"""


class Simulate(unittest.TestCase):
    def test_states_of_the_reference(self):
        with open(os.path.join(HERE, "../reference/three_mass.json")) as f:
            states = json.load(f)["states"]["impact_mass2_p30"]["continuum_converged"]
        r = result("simulate", MODEL, "--impulse", "at=2,p=30,pulse=3", "--time", "100", "--dt", "1", "--method", "events",
                   "--tolerance", "1e-12", "--sample", "10,100", "--coordinates", "modal")
        self.assertEqual(r["t"], [10, 100])
        for got, time_ in zip(r["q"], ("10", "100")):
            for a, b in zip(got, states[time_]["q"]):
                self.assertAlmostEqual(abs(a), abs(b), places=8)
        self.assertLess(r["energy"]["error"], 1e-9)
        self.assertGreater(r["reversals"], 20)

    def test_physical_states_and_methods_agree(self):
        words = ["simulate", MODEL, "--free", "u=1;0;-1,v=0;0.5;0", "--time", "5", "--dt", "0.002"]
        exact = result(*words, "--method", "events")
        self.assertEqual(exact["t"], [5])
        for method in (["--method", "newmark"], ["--method", "alpha"], ["--method", "exponential"],
                       ["--method", "newmark", "--adaptive", "--tolerance", "1e-9"]):
            for a, b in zip(result(*words, *method)["u"][0], exact["u"][0]):
                self.assertAlmostEqual(a, b, places=4)

    def test_every_load_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "f.csv"), "w") as f:
                f.write("t,f\n0,0\n1,2\n3,0\n")
            with open(os.path.join(folder, "psd.csv"), "w") as f:
                f.write("omega,level\n0.1,0\n1,0.5\n3,0.2\n")
            for load in (["--impulse", "mode=2,p=9,shape=slip"], ["--sine", "at=1,p=1,omega=1.2"], ["--chirp", "base=1,p=1,from=0.1,to=2,duration=8"],
                         ["--random", "at=3,level=0.5,from=0.1,to=3,seed=4"], ["--table", "at=1,file=f.csv,scale=2"],
                         ["--random", "at=3,file=psd.csv,seed=4"], ["--sine", "base=1;1;0,p=1,omega=1"],
                         ["--impulse", "at=1,p=1,omega=2", "--sine", "at=2,p=1,omega=1"]):
                status, out, err = run("simulate", MODEL, *load, "--time", "10", "--dt", "0.05", "--json", "--csv", "r.csv", "--plot", "r.svg",
                                       cwd=folder)
                self.assertEqual((status, err), (0, ""), load)
                self.assertGreater(max(abs(x) for x in json.loads(out)["result"]["u"][0]), 1e-3)

    def test_interrupted_record_is_resumed_bit_for_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["simulate", MODEL, "--random", "at=2,level=5,from=0.1,to=2,lines=400", "--time", "3000", "--dt", "0.02", "--every", "20",
                     "--sample", "7,2999.99"]
            status, whole, _ = run(*words, "--out", "whole.h5", "--csv", "whole.csv", "--json", cwd=folder)
            self.assertEqual(status, 0)
            process = subprocess.Popen([BINARY, *words, "--out", "parts.h5"], cwd=folder, stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not os.path.exists(os.path.join(folder, "parts.h5.journal")):
                time.sleep(0.01)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            err = process.communicate()[1]
            self.assertEqual(process.returncode, 130, err)
            self.assertIn("--resume goes on", err)
            for _ in range(2):  # the second finds it finished
                status, out, err = run(*words, "--out", "parts.h5", "--resume", "--csv", "parts.csv", "--json", cwd=folder)
                self.assertEqual((status, out, err), (0, whole, ""))
                with open(os.path.join(folder, "whole.csv")) as a, open(os.path.join(folder, "parts.csv")) as b:
                    self.assertEqual(a.read(), b.read())
            # The records say the same of a band of the first mode.
            band = ["--channel", "q1", "--band", "0.05:0.09", "--order", "2", "--segments", "12"]
            whole, parts = (run("envelope", name, *band, "--json", cwd=folder) for name in ("whole.h5", "parts.h5"))
            self.assertEqual(whole, parts)
            status, _, err = run(*words, "--tolerance", "1e-9", "--out", "parts.h5", "--resume", cwd=folder)
            self.assertEqual(status, 2)
            self.assertIn("another model, load or setting", err)

    def test_ring_down_to_backbone(self):
        """A record goes straight into `faying envelope`: mode 2 alone, against the quasi-static backbone."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("simulate", MODEL, "--impulse", "mode=2,p=9", "--method", "events", "--tolerance", "1e-9", "--time", "1500",
                                 "--dt", "0.25", "--out", "r.h5", cwd=folder)[0], 0)
            e = result("envelope", os.path.join(folder, "r.h5"), "--channel", "q_velocity2", "--from", "3", "--quantity", "velocity", "--as",
                       "displacement")
            q = ",".join(repr(x) for x in sorted(e["amplitude"]))
            b = result("backbone", MODEL, "--mode", "2", "--at", q)["points"]
            for p, omega, zeta in zip(b, e["omega"][::-1], e["zeta"][::-1]):
                self.assertAlmostEqual(p["omega"] / omega, 1, places=3)
                self.assertAlmostEqual(p["zeta"] / zeta, 1, delta=0.02)

    def test_contact_on_patches(self):
        """Dry friction with pressure on the patches of a reduced beam: at rest under its bolts, then struck."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "beam.toml")
            with open(model, "w") as f:
                f.write(CONTACT % os.path.join(HERE, "../../data/brake_reuss/whole_joint.h5"))
            rest = result("simulate", model, "--preload", "--time", "1e-3", "--dt", "4e-6")
            static = result("simulate", model, "--preload", "--time", "4e-6", "--dt", "4e-6")
            pressed = max(rest["joint_force"][0][2::3])
            self.assertGreater(pressed, 1000)
            for a, b in zip(rest["joint_force"][0], static["joint_force"][0]):
                self.assertAlmostEqual(a / pressed, b / pressed, places=9)
            self.assertEqual(rest["energy"]["joint_dissipated"], 0)
            hit = ["--preload", "--impulse", "output=hammer,p=300,omega=6000", "--time", "2e-3", "--dt", "2e-6"]
            struck = result("simulate", model, *hit)
            self.assertGreater(struck["energy"]["joint_dissipated"], 1e-6)
            self.assertLess(abs(struck["energy"]["error"]), 1e-3)
            force = struck["joint_force"][0]
            for x, y, n in zip(force[0::3], force[1::3], force[2::3]):
                self.assertLessEqual((x * x + y * y) ** 0.5, 0.5 * n + 1e-9)
            status, out, err = run("simulate", model, *hit, "--method", "events")
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
            self.assertIn("use newmark or alpha", err)

    def test_released_in_a_mode_about_the_preload(self):
        """Bolts leave two of five contact patches open: the mode about that rest (148 Hz, stuck 184) comes back mirrored after half its period."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "beam.toml")
            with open(model, "w") as f:
                f.write(CONTACT % os.path.join(HERE, "../../data/brake_reuss/whole_joint.h5"))
            modes = result("modes", model, "--count", "1")
            self.assertEqual(modes["about"], "preload")
            half = 0.5 / modes["frequency"][0]
            rest = result("preload", model)["u"]
            q = 1e-7
            end = result("simulate", model, "--preload", "--free", f"mode=1,q={q}", "--time", repr(half), "--dt", repr(half / 800))["u"][0]
            moved = [(a - b) / q for a, b in zip(end, rest)]
            largest = max(map(abs, modes["shapes"][0]))
            for x, phi in zip(moved, modes["shapes"][0]):
                self.assertAlmostEqual(x / largest, -phi / largest, places=2)

    def test_few_modes_keep_the_joint(self):
        """A stiff joint in two of three modes: its own static shape is the third."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "stiff.toml")
            with open(MODEL) as f, open(model, "w") as g:
                g.write(f.read().replace("KT = 1,", "KT = 100,"))
            words = ["simulate", model, "--free", "mode=2,q=20", "--time", "50", "--dt", "0.02"]
            whole, two, one = (result(*words, "--modes", n) for n in ("3", "2", "1"))
            self.assertEqual(two["u"], whole["u"])
            self.assertEqual(two["truncation"]["left_out"], 0)
            self.assertEqual([one["truncation"][k] for k in ("modes", "static_shapes", "left_out")], [1, 1, 1])
            self.assertGreater(one["truncation"]["motion_error"], 0.5)  # it was released in mode 2
            self.assertIn("modes left out would have moved the joints", one["notes"][-1])
            status, out, err = run(*words, "--modes", "1")
            self.assertEqual(status, 0)
            self.assertIn("1 stuck modes and 1 static shapes; the 1 modes left out would have moved", out)
            self.assertIn("faying: note: the 1 modes left out", err)

    def test_beam_in_few_modes(self):
        """The Brake-Reuss beam, 10 modes and 10 static shapes of 43: damping within the error that is told."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "beam.toml")
            with open(model, "w") as f:
                f.write(BEAM % os.path.join(HERE, "../../data/brake_reuss/whole_joint.h5"))
            words = ["simulate", model, "--impulse", "output=hammer,p=300,omega=3000", "--time", "0.02", "--dt", "2e-6"]
            whole, few = result(*words), result(*words, "--modes", "10")
            told = few["truncation"]
            self.assertEqual([told[k] for k in ("modes", "static_shapes", "left_out")], [10, 10, 23])
            self.assertGreater(told["joint_error"], 0.001)
            self.assertLess(told["joint_error"], 0.05)
            lost = few["energy"]["joint_dissipated"] / whole["energy"]["joint_dissipated"]
            self.assertLess(abs(lost - 1), 0.01)  # 10 modes by themselves dissipate a quarter less
            self.assertEqual(len(few["labels"]["u"]), 43)
            self.assertIn(", along", few["labels"]["joint"][0])

    def test_an_energy_balance_that_does_not_close_is_flagged(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(MODEL) as f, open(os.path.join(folder, "stiff.toml"), "w") as g:
                g.write(f.read().replace("KT = 1,", "KT = 100,"))
            words = ["simulate", "stiff.toml", "--impulse", "at=2,p=30,omega=1.7", "--time", "100"]
            status, out, err = run(*words, "--dt", "0.3", "--csv", "r.csv", "--json", cwd=folder)
            self.assertEqual((status, err.count("\n")), (3, 2), err)
            r = json.loads(out)["result"]
            self.assertFalse(r["energy"]["held"])
            self.assertGreater(r["energy"]["error"], 0.01)
            self.assertIn("--dt 0.3 s is too long for joint 'joint 1', site 1", r["notes"][0])
            self.assertIn("faying: note: " + r["notes"][0], err)
            self.assertIn("the energy balance is off by", err)
            self.assertTrue(os.path.exists(os.path.join(folder, "r.csv")))
            step = "%g" % r["energy"]["step_that_would_do"]
            status, out, err = run(*words, "--dt", step, "--json", cwd=folder)
            self.assertEqual((status, err), (0, ""))
            fine = json.loads(out)["result"]
            self.assertTrue(fine["energy"]["held"])
            self.assertEqual(fine["notes"], [])
            self.assertEqual(run(*words, "--dt", "0.3", "--energy-tolerance", "1", cwd=folder)[0], 0)

    def test_columns_say_what_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(MODEL) as f, open(os.path.join(folder, "m.toml"), "w") as g:
                g.write(f.read() + '[[output]]\nname = "tip"\ndof = 3\n[[output]]\nname = "gap"\nrow = [0, -1, 1]\n')
            words = ["simulate", "m.toml", "--free", "u=1;0;-1", "--time", "60", "--dt", "0.05", "--csv", "r.csv"]
            status, out, _ = run(*words, cwd=folder)
            self.assertEqual(status, 0)
            self.assertRegex(out, r"u3 .* tip\n")
            with open(os.path.join(folder, "r.csv")) as f:
                lines = f.read().split("\n")
            self.assertEqual(lines[:3], ["# t in s, u in m, v in m/s; outputs in m and m/s", "# u3: tip",
                                         "t,u1,u2,u3,v1,v2,v3,tip,gap,tip_velocity,gap_velocity"])
            row = [float(x) for x in lines[10].split(",")]
            self.assertEqual(row[7], row[3])
            self.assertAlmostEqual(row[8], row[3] - row[2], places=14)
            self.assertEqual(run("envelope", "r.csv", "--channel", "gap", "--json", cwd=folder)[0], 0)
            r = json.loads(run(*words, "--json", cwd=folder)[1])["result"]
            self.assertEqual(r["labels"], {"u": ["u1", "u2", "tip"], "joint": ["joint 'joint 1', site 1"]})
            self.assertEqual(r["units"]["u"], "m")
            self.assertEqual(r["outputs"]["tip"][0], r["u"][0][2])
            r = json.loads(run(*words, "--json", "--coordinates", "modal", "--modes", "1", cwd=folder)[1])["result"]
            self.assertRegex(r["labels"]["q"][0], "stuck mode 1, .* Hz")
            self.assertRegex(r["labels"]["q"][1], "static shape 1, .* Hz")

    def test_the_record_says_what_its_columns_are(self):
        """The labels of --json, as text data sets beside the tables; also in a record that was resumed."""
        with tempfile.TemporaryDirectory() as folder:
            with open(MODEL) as f, open(os.path.join(folder, "m.toml"), "w") as g:
                g.write(f.read() + '[[output]]\nname = "tip µ"\ndof = 3\n')
            words = ["simulate", "m.toml", "--free", "u=1;0;-1", "--time", "6", "--dt", "0.05", "--out", "r.h5", "--json"]
            physical, modal = (json.loads(run(*words, "--coordinates", c, *more, cwd=folder)[1])["result"]["labels"]
                               for c, more in (("physical", []), ("modal", ["--resume"])))
            with h5py.File(os.path.join(folder, "r.h5")) as f:
                labels = {name: list(f["labels"][name].asstr()) for name in f["labels"]}
                for name, columns in labels.items():
                    self.assertEqual(f[name].shape[1] if f[name].ndim == 2 else 1, len(columns), name)
            self.assertEqual(labels["u"], ["u1", "u2", "tip µ"])
            self.assertEqual(labels["u"], physical["u"])
            self.assertEqual(labels["v"], ["v1", "v2", "tip µ"])
            self.assertEqual(labels["q"], modal["q"])
            self.assertEqual(labels["q_velocity"], modal["q"])
            self.assertEqual(labels["joint_displacement"], physical["joint"])
            self.assertEqual(labels["joint_force"], physical["joint"])
            self.assertEqual(labels["energy"][:2], ["kinetic", "strain"])

    def test_bad_input(self):
        base = ["simulate", MODEL, "--time", "1", "--dt", "0.1"]
        for words, expected in [
            ([], "nothing moves"),
            (["--impulse", "at=4,p=1,omega=1"], "DOF 4 does not exist; allowed are 1 to 3"),
            (["--impulse", "at=1,p=1"], "pulse=MODE"),
            (["--impulse", "p=1,omega=1"], "exactly one of at=DOF"),
            (["--impulse", "at=1,omega=1"], "'p' is missing"),
            (["--impulse", "at=1,p=1,omega=1,x=2"], "unknown key 'x'; allowed are"),
            (["--impulse", "at=1.5,p=1,omega=1"], "must be a whole number"),
            (["--impulse", "at=1,p=one,omega=1"], "'one' is not a number"),
            (["--free", "u=1;2"], "u and v need 3 numbers"),
            (["--free", "mode=9,q=1"], "there is no mode 9"),
            (["--free", "mode=1,q=1", "--method", "rk4"], "allowed are newmark, alpha, exponential, events"),
            (["--free", "mode=1,q=1", "--sample", "2"], "samples within the duration"),
            (["--free", "mode=1,q=1", "--tolerance", "0"], "0 < tolerance < 1"),
            (["--free", "mode=1,q=1", "--energy-tolerance", "0"], "tolerance of the energy balance > 0"),
            (["--free", "mode=1,q=1", "--modes", "4"], "4 modes asked for; allowed are 1 to 3"),
            (["--free", "mode=1,q=1", "--resume"], "needs --out"),
            (["--free", "mode=1,q=1", "--out", "x.mat"], "must end in .h5"),
            (["--table", "at=1,file=nowhere.csv"], "nowhere.csv"),
        ]:
            with tempfile.TemporaryDirectory() as folder:
                status, out, err = run(*base, *words, cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn(expected, err)
                self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
