import csv
import json
import math
import os
import pty
import random
import subprocess
import tempfile
import unittest

from faying import BINARY, result, run


def loop(law, words, folder, noise=0.0, amplitude=1.0, cycles=2, first=False):
    """A loop as `faying loop` follows it, its turning points among the samples, in loop.csv; noise on the first point
    too if asked"""
    file = os.path.join(folder, "loop.csv")
    r = result("loop", law, *words, "--signal", f"{amplitude}*sin(2*pi*t)", "--time",
               f"0:{cycles}:{cycles * 100 + 1}")
    dice = random.Random(3)
    with open(file, "w") as f:
        f.write("u,f\n")
        for i, (u, force) in enumerate(zip(r["u"], r["f"])):
            f.write(f"{u!r},{force + (dice.gauss(0, noise) if i or first else 0)!r}\n")
    return file


class Identify(unittest.TestCase):
    def test_round_trip(self):
        with tempfile.TemporaryDirectory() as folder:
            file = loop("iwan4", ["FS=1", "KT=4", "chi=-0.4", "beta=0.5"], folder)
            r = result("identify", file, "--law", "iwan4")
            for key, value in {"FS": 1, "KT": 4, "chi": -0.4, "beta": 0.5}.items():
                self.assertAlmostEqual(r["parameters"][key] / value, 1, places=5)
            self.assertLess(r["rms"], 1e-7)
            self.assertGreater(r["condition"], 1)
            self.assertEqual(r["followed"], "virgin")

    def test_noise_files_and_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            file = loop("jenkins-prager", ["kt=4", "fs=1", "kp=0.5"], folder, noise=0.02)
            out, page = os.path.join(folder, "model.csv"), os.path.join(folder, "fit.html")
            r = result("identify", file, "--law", "jenkins-prager", "--csv", out, "--plot", page, "--threads", "1")
            self.assertEqual(r, result("identify", file, "--law", "jenkins-prager", "--threads", "2"))
            self.assertAlmostEqual(r["rms"], 0.02, delta=0.003)
            for key, value in {"kt": 4, "fs": 1, "kp": 0.5}.items():
                self.assertLess(abs(r["parameters"][key] - value), 5 * r["standard_errors"][key])
            with open(out) as f:
                rows = list(csv.DictReader(f))
            rms = math.sqrt(sum((float(x["f"]) - float(x["f_model"])) ** 2 for x in rows) / len(rows))
            self.assertAlmostEqual(rms, r["rms"], places=12)
            self.assertGreater(os.path.getsize(page), 10000)

    def test_fixed_and_free(self):
        with tempfile.TemporaryDirectory() as folder:
            file = loop("bouc-wen", ["A=2", "alpha=1.5", "beta=0", "n=1.5"], folder)
            r = result("identify", file, "--law", "bouc-wen", "--free", "n", "--fix", "beta=0")
            self.assertAlmostEqual(r["parameters"]["n"], 1.5, places=5)
            self.assertEqual(r["parameters"]["beta"], 0)
            self.assertNotIn("beta", r["standard_errors"])

    def test_generalized_valanis_by_slopes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "loop.csv")
            r = result("loop", "generalized-valanis", "E1=10", "E2=20", "a1=40", "a1_down=15", "--signal",
                       "0.2*sin(2*pi*t)", "--time", "0:3:3001")
            with open(file, "w") as f:
                f.write("u,f,t\n")
                for u, force, t in list(zip(r["u"], r["f"], r["t"]))[1000:]:
                    f.write(f"{u!r},{force!r},{t!r}\n")
            r = result("identify", file, "--law", "generalized-valanis")
            for key, value in {"E1": 10, "E2": 20, "a1": 40, "E1_down": 10, "E2_down": 20, "a1_down": 15}.items():
                self.assertAlmostEqual(r["parameters"][key] / value, 1, delta=0.02)
            self.assertEqual(r["followed"], "steady")

    def test_terms_by_cross_validation(self):
        """Coarse, noisy, turns missed: the terms, and the law within its errors; the text says how they were chosen."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "loop.csv")
            r = result("loop", "generalized-valanis", "E1=10", "E2=20", "a1=30", "a6=4000", "--signal",
                       "0.2*sin(2*pi*t)", "--time", "0:3:9601")
            dice = random.Random(7)
            with open(file, "w") as f:
                f.write("u,f,t\n")
                for u, force, t in list(zip(r["u"], r["f"], r["t"]))[3205::16]:
                    f.write(f"{u!r},{force + dice.gauss(0, 0.002)!r},{t!r}\n")
            words = ["identify", file, "--law", "generalized-valanis", "--terms", "auto", "--symmetric"]
            r = result(*words)
            self.assertEqual(r["branches"]["form"], "integral")
            self.assertEqual(r["branches"]["rising"]["terms"], ["a1", "a6"])
            errors = [step["error"] for step in r["branches"]["rising"]["path"]]
            self.assertLess(errors[2], 0.5 * errors[0])
            for key, value in {"E1": 10, "E2": 20, "a1": 30, "a6": 4000}.items():
                self.assertLess(abs(r["parameters"][key] - value), 4 * r["standard_errors"][key])
            self.assertIn("terms: a1 a6; cross-validated error", run(*words)[1])
            self.assertEqual(r, result(*words, "--threads", "1"))

    def test_laws_compared_on_loops_held_out(self):
        """The law the loops came from is first, by a loop it has not seen; errors are recomputed here from the table."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for amplitude in (0.3, 1.5, 0.8):
                os.rename(loop("bouc-wen", ["A=2", "alpha=1.5", "beta=0.5", "n=1"], folder, noise=0.002,
                               amplitude=amplitude), os.path.join(folder, f"{amplitude}.csv"))
                files.append(os.path.join(folder, f"{amplitude}.csv"))
            out, page = os.path.join(folder, "laws.csv"), os.path.join(folder, "laws.html")
            words = ["identify", *files[:2], "--hold-out", files[2], "--compare", "jenkins", "bouc-wen", "--memory",
                     "virgin"]
            r = result(*words, "--csv", out, "--plot", page)
            self.assertEqual(r["ranked_by"], "held_out_relative_rms")
            self.assertEqual([law["law"] for law in r["compared"]], ["bouc-wen", "jenkins"])
            best, worst = r["compared"]
            self.assertLess(best["held_out_relative_rms"], 0.01)
            self.assertGreater(worst["held_out_relative_rms"], 0.03)
            self.assertLess(best["bic"], worst["bic"])
            self.assertEqual([l["held_out"] for l in best["loops"]], [False, False, True])
            with open(out) as f:
                rows = list(csv.DictReader(f))
            for law in r["compared"]:
                errors = [(float(x["f " + law["law"]]) - float(x["f"]), float(x["f"])) for x in rows]
                fitted = [e for e, x in zip(errors, rows) if x["loop"] != "3"]
                held = [e for e, x in zip(errors, rows) if x["loop"] == "3"]
                n, k = len(fitted), len(law["standard_errors"]) + 1
                share = sum(e * e for e, _ in fitted) / sum(f * f for _, f in fitted)
                self.assertAlmostEqual(law["aic"], n * math.log(share) + 2 * k, places=6)
                self.assertAlmostEqual(law["bic"], n * math.log(share) + k * math.log(n), places=6)
                self.assertAlmostEqual(law["held_out_relative_rms"],
                                       math.sqrt(sum(e * e for e, _ in held) / sum(f * f for _, f in held)), places=9)
            self.assertGreater(os.path.getsize(page), 10000)
            self.assertIn("law, best first (held out)", run(*words)[1])

    def test_past_is_the_one_that_fits(self):
        """Noise on the first point of a virgin record; text and JSON say what the other past gave."""
        with tempfile.TemporaryDirectory() as folder:
            file = loop("bouc-wen", ["A=4", "alpha=3", "beta=0", "n=1"], folder, noise=0.02, cycles=1, first=True)
            words = ["identify", file, "--law", "bouc-wen", "--fix", "beta=0"]
            r = result(*words)
            self.assertEqual(r["followed"], "virgin")
            self.assertLess(abs(r["parameters"]["alpha"] - 3), 4 * r["standard_errors"]["alpha"])
            memory = r["memory"]
            self.assertEqual((memory["decided_by"], memory["other"]["followed"]), ("misfit", "steady"))
            self.assertAlmostEqual(memory["misfit_ratio"], memory["other"]["rms"] / r["rms"])
            self.assertGreater(memory["misfit_ratio"], 1.5)
            status, out, err = run(*words)
            self.assertIn("followed from the virgin state (both were tried; as a steady loop the misfit is", out)
            forced = result(*words, "--memory", "steady")
            self.assertEqual((forced["followed"], forced["memory"]["decided_by"]), ("steady", "option"))
            self.assertAlmostEqual(forced["rms"] / memory["other"]["rms"], 1, places=2)

    def test_all_in_json(self):
        with tempfile.TemporaryDirectory() as folder:
            r = result("identify", loop("jenkins", ["kt=4", "fs=1"], folder, noise=0.01), "--law", "jenkins", "--fix",
                       "fs=1")
            self.assertEqual((r["units"], r["fixed"], r["rms_unit"]), ({"kt": "N/m", "fs": "N"}, ["fs"], "N"))
            self.assertEqual((r["converged"], r["driven_by"], len(r["modelled"])), (True, "u", r["points"]))
            self.assertGreater(r["iterations"], 0)

    def test_not_settled_is_kept_and_marked(self):
        with tempfile.TemporaryDirectory() as folder:
            file = loop("iwan4", ["FS=1", "KT=4", "chi=-0.4", "beta=0.5"], folder, noise=0.01)
            words = ["identify", file, "--law", "iwan4", "--iterations", "1", "--memory", "virgin"]
            status, out, err = run(*words, "--json", "--csv", os.path.join(folder, "out.csv"))
            self.assertEqual(status, 3, err)
            self.assertFalse(json.loads(out)["result"]["converged"])
            self.assertTrue(os.path.exists(os.path.join(folder, "out.csv")))
            self.assertIn("NOT CONVERGED", run(*words)[1])

    def test_progress_on_a_terminal(self):
        """Anything over two seconds says how much is left."""
        with tempfile.TemporaryDirectory() as folder:
            file = loop("bouc-wen", ["A=2", "alpha=1.5", "beta=0", "n=1.5"], folder, noise=0.02, cycles=8)
            master, slave = pty.openpty()
            child = subprocess.Popen([BINARY, "identify", file, "--law", "bouc-wen", "--free", "n"], stderr=slave,
                                     stdout=subprocess.DEVNULL)
            os.close(slave)
            seen = b""
            while b"left" not in seen:
                try:
                    seen += os.read(master, 1000)
                except OSError:  # it has ended
                    break
            child.kill()
            child.wait()
            os.close(master)
            self.assertRegex(seen.decode(), r"identify bouc-wen \[#* *\] +\d+ %  \d+ (s|min).* left")

    def test_human(self):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = run("identify", loop("jenkins", ["kt=4", "fs=1"], folder), "--law", "jenkins")
            self.assertEqual((status, err), (0, ""))
            self.assertIn("followed from the virgin state", out)
            self.assertIn("standard error", out)

    def test_bad_input(self):
        good = "u,f\n" + "".join(f"{math.sin(i / 10)!r},{math.sin(i / 10 + 0.1)!r}\n" for i in range(100))
        cases = [
            (good, ["--law", "iwan"], "unknown law 'iwan'"),
            (good, ["--law", "jenkins", "--fix", "FS=1"], "'FS' is not a parameter of jenkins; allowed are: kt fs"),
            (good, ["--law", "jenkins", "--fix", "kt=-1"], "kt = -1 is outside (0, inf)"),
            (good, ["--law", "jenkins", "--fix", "kt"], "must be key=value"),
            (good, ["--law", "jenkins", "--free", "x"], "'x' is not a parameter"),
            (good, ["--law", "jenkins", "--memory", "no"], "allowed are auto, virgin, steady"),
            (good, ["--law", "jenkins", "--passes", "1000000000"], "violates 1 <= passes <= 1000"),
            (good, ["--law", "six-state"], "no parameter of six-state is left"),
            (good, ["--law", "generalized-valanis", "--terms", "b1"], "allowed are a1 to a20"),
            (good, ["--law", "generalized-valanis", "--terms", "a2"], "has no times; a2 multiplies velocity"),
            (good, ["--law", "jenkins", "--plot", "x.png"], "must end in .html"),
            (good, ["--law", "generalized-valanis", "--stride", "3"], "is of --form differences"),
            (good, ["--law", "generalized-valanis", "--form", "no"], "allowed are integral, spline, differences"),
            (good, ["--law", "generalized-valanis", "--terms", "a1,a1"], "'a1' is there twice"),
            (good, ["--compare", "jenkins", "jenkins"], "'jenkins' is there twice"),
            (good, ["--compare", "jenkins", "valanis", "--fix", "FS=1"], "'FS' is a parameter of none of the laws"),
            (good, [], "give a law with --law, or several with --compare"),
            ("u,g\n1,2\n", ["--law", "jenkins"], "there are: u, g"),
            ("u,f\n0,0\n1,1\n0,0\n", ["--law", "jenkins"], "has 3 points"),
            ("u,f\n" + "".join(f"{i},{i}\n" for i in range(20)), ["--law", "jenkins"], "never turns"),
            ("u,f\n" + "".join(f"{1e-310 * math.sin(i)!r},{math.cos(i)!r}\n" for i in range(30)), ["--law", "jenkins"],
             "the greatest displacement is 1e-310; choose units"),
            ("u,f\n" + "".join(f"{math.sin(i)!r},{1e-200 * math.cos(i)!r}\n" for i in range(30)), ["--law", "jenkins"],
             "the greatest force is 1e-200; choose units"),
            ("u,f\n1,nan\n", ["--law", "jenkins"], ":2:"),
            ("u,f\n" + "".join(f"{i % 5},0\n" for i in range(20)), ["--law", "jenkins"], "force is zero"),
        ]
        for text, words, expected in cases:
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "a.csv"), "w") as f:
                    f.write(text)
                status, out, err = run("identify", "a.csv", *words, "--csv", "out.csv", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
                self.assertIn(expected, err)
                self.assertEqual(os.listdir(folder), ["a.csv"])


if __name__ == "__main__":
    unittest.main()
