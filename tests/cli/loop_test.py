import csv
import math
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from faying import BINARY, result, run

JENKINS = ["loop", "jenkins", "kt=1", "fs=2"]
IWAN = ["iwan4", "FS=10", "KT=1", "chi=-0.5", "beta=5"]


class Laws(unittest.TestCase):
    def test_contract_keys_are_there(self):
        keys = {law["key"]: law for law in result("laws")["laws"]}
        contract = {
            "jenkins": "kt fs", "jenkins-prager": "kt fs kp", "prager": "fs kp", "elastic-dry-friction": "kt mu kn",
            "iwan4": "FS KT chi beta", "iwan5": "FS KT chi beta theta", "bouc-wen": "A alpha beta n",
            "valanis": "E0 Et lambda kappa", "generalized-valanis": "E1 E2 a1 a2", "two-state": "alpha sigma b1 b2 ks",
            "six-state": "", "pinched": "K0 theta_m beta eps", "reid": "k eta", "polynomial": "k1 k2 k3",
        }
        for key, parameters in contract.items():
            have = [p["key"] for p in keys[key]["parameters"]]
            for parameter in parameters.split():
                self.assertIn(parameter, have, key)

    def test_human_list_names_every_law(self):
        status, out, _ = run("laws")
        self.assertEqual(status, 0)
        for law in result("laws")["laws"]:
            self.assertIn(law["key"], out)


    def test_contact_laws_are_there_too(self):
        keys = {law["key"]: law["displacements"] for law in result("laws")["laws"]}
        self.assertEqual(keys["elastic-dry-friction"], 1)  # moved along a line, with un
        self.assertEqual(keys["elastic-dry-friction-decoupled"], 3)
        (law,) = result("laws", "elastic-dry-friction+kp")["laws"]
        self.assertEqual([p["key"] for p in law["parameters"]], ["kt", "mu", "kp", "kn"])


class Paths(unittest.TestCase):
    def test_jenkins_by_hand(self):
        r = result(*JENKINS, "--path", "0,3,-1,2")
        self.assertEqual(r["u"], [0, 3, -1, 2])
        self.assertEqual(r["f"], [0, 2, -2, 1])
        self.assertEqual(r["tangent"], [1, 0, 1, 1])
        self.assertEqual(r["dissipated"], [0, 2, 2, 2])

    def test_plus_kp_and_parallel(self):
        plain = result(*JENKINS, "--path", "0,3,-1,2")["f"]
        sprung = result("loop", "jenkins+kp", "kt=1", "fs=2", "kp=0.5", "--path", "0,3,-1,2")
        self.assertEqual(sprung["f"], [f + 0.5 * u for f, u in zip(plain, sprung["u"])])
        twice = result("loop", "jenkins+jenkins", "1.kt=1", "1.fs=2", "2.kt=1", "2.fs=2", "--path", "0,3,-1,2")
        self.assertEqual(twice["f"], [2 * f for f in plain])
        ignl = result("loop", "iwan4+polynomial", *IWAN[1:], "k1=0", "k3=2", "--path", "1,-1")
        iwan = result("loop", *IWAN, "--path", "1,-1")
        self.assertAlmostEqual(ignl["f"][1], iwan["f"][1] - 2, places=13)

    def test_six_state_is_driven_by_force(self):
        r = result("loop", "six-state", "--path", "0,0.1,1,-1")
        self.assertEqual(r["driven_by"], "force")
        self.assertEqual(r["f"], [0, 0.1, 1, -1])
        self.assertAlmostEqual(r["u"][1], 0, places=12)  # below the virgin stick half width 0.1132
        self.assertGreater(r["u"][2], 100)

    def test_contact_path(self):
        r = result("loop", "elastic-dry-friction", "kt=1", "mu=0.5", "kn=2", "--path", "0:0:1,3:4:1,3:4:-1,3:4:1")
        self.assertEqual(r["f"][0], [0, 0, 2])
        self.assertAlmostEqual(r["f"][1][0], 0.6, places=15)  # limit 1 along (3, 4)/5
        self.assertAlmostEqual(r["f"][1][1], 0.8, places=15)
        self.assertEqual(r["f"][2], [0, 0, 0])
        self.assertEqual(r["f"][3], [0, 0, 2])
        line = result("loop", "elastic-dry-friction", "kt=1", "mu=0.5", "kn=2", "un=1", "--path", "0,3,-3")
        self.assertEqual(line["f"], [0, 1, -1])

    def test_derivatives_match_differences(self):
        r = result("loop", *IWAN, "--path", "0,5,-5,3", "--derivatives")
        h = 1e-6
        up = result("loop", "iwan4", "FS=10", "KT=1", f"chi={-0.5 + h}", "beta=5", "--path", "0,5,-5,3")["f"]
        down = result("loop", "iwan4", "FS=10", "KT=1", f"chi={-0.5 - h}", "beta=5", "--path", "0,5,-5,3")["f"]
        for exact, a, b in zip(r["derivatives"]["chi"]["f"], up, down):
            self.assertAlmostEqual(exact, (a - b) / (2 * h), places=8)

    def test_velocity_terms_need_time(self):
        words = ["generalized-valanis", "E1=10", "E2=20", "a2=0.1"]
        status, _, err = run("loop", *words, "--path", "0,1")
        self.assertEqual(status, 2)
        self.assertIn("a2 multiplies velocity", err)
        fast = result("loop", *words, "--signal", "sin(20*t)", "--time", "0:1:2001")
        slow = result("loop", *words, "--signal", "sin(2*t)", "--time", "0:10:2001")
        self.assertGreater(abs(fast["f"][-1] - slow["f"][-1]), 1e-3)


class Signals(unittest.TestCase):
    def test_appendix_f_work_per_period_from_coarse_samples(self):
        """[S3] Appendix F: turning points between samples are found, so 41 samples per period are enough."""
        words = ["loop", "bouc-wen", "A=1", "alpha=0.8", "beta=-0.2", "n=1"]
        r = result(*words, "--signal", "sin(2*pi*t)+0.6*sin(8*pi*t)", "--time", "0:12:481")
        self.assertAlmostEqual(r["work"][480] - r["work"][440], 2.112391396476473, places=9)

    def test_history_file_is_the_path(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "h.csv")
            with open(file, "w") as f:
                f.write("t,u\n0,0\n1,3\n2,-1\n3,2\n")
            self.assertEqual(result(*JENKINS, "--history", file)["f"], [0, 2, -2, 1])


class Cycles(unittest.TestCase):
    def test_closed_forms(self):
        r = result(*JENKINS, "--cycle", "1,4,20")
        self.assertEqual([c["dissipation"] for c in r["cycles"]], [0, 16, 144])
        self.assertAlmostEqual(r["cycles"][1]["harmonic_stiffness"], 0.5, places=14)
        self.assertAlmostEqual(r["cycles"][1]["harmonic_damping"], 16 / (math.pi * 16), places=14)
        self.assertEqual({c["status"] for c in r["cycles"]}, {"converged"})

    def test_small_amplitude_closes_without_ten_thousand_loops(self):
        """Bouc-Wen at 1e-6 of its knee: D = (2/3) c... checked against the cubic limit 4/3 alpha A A^3."""
        r = result("loop", "bouc-wen", "A=1", "alpha=1", "beta=0", "n=1", "--cycle", "1e-6")
        c = r["cycles"][0]
        self.assertLess(c["residual"], 1e-10)
        self.assertAlmostEqual(c["dissipation"] / (4 / 3 * 1e-18), 1, places=5)


class Files(unittest.TestCase):
    def test_csv_and_plots(self):
        with tempfile.TemporaryDirectory() as folder:
            status, _, err = run(*JENKINS, "--path", "0,3,-1,2", "--csv", "a.csv", "--plot", "a.html", cwd=folder)
            self.assertEqual((status, err), (0, ""))
            with open(os.path.join(folder, "a.csv")) as f:
                rows = list(csv.DictReader(f))
            self.assertEqual([float(row["f"]) for row in rows], [0, 2, -2, 1])
            with open(os.path.join(folder, "a.html")) as f:
                page = f.read()
            self.assertIn("jenkins", page)
            self.assertNotIn("http://", page.replace("http://www.w3.org", ""))
            self.assertEqual(run("loop", *IWAN, "--cycle", "1,10", "--plot", "b.svg", cwd=folder)[0], 0)
            self.assertEqual(sorted(os.listdir(folder)), ["a.csv", "a.html", "b.svg"])

    def test_both_files_or_neither(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "taken.html"))
            for way in (["--path", "0,1"], ["--cycle", "1"]):
                status, out, err = run(*JENKINS, *way, "--csv", "a.csv", "--plot", "taken.html", cwd=folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertIn("taken.html: cannot be written", err)
                self.assertEqual(os.listdir(folder), ["taken.html"])
            status, _, err = run(*JENKINS, "--path", "0,1", "--csv", "a.html", "--plot", "./a.html", cwd=folder)
            self.assertEqual((status, os.listdir(folder)), (2, ["taken.html"]))
            self.assertIn("two results need two files", err)

    def test_named_columns_in_any_order(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "h.csv")
            with open(file, "w") as f:
                f.write("u,t\n0,0\n3,1\n-1,2\n")
            r = result(*JENKINS, "--history", file)
            self.assertEqual((r["t"], r["u"]), ([0, 1, 2], [0, 3, -1]))

    def test_derivatives_in_text_and_table(self):
        words = ["loop", "jenkins-prager", "kt=1", "fs=2", "kp=0.5", "--derivatives"]
        _, out, _ = run(*words, "--path", "3")
        self.assertEqual([line.split()[:2] for line in out.splitlines()[3:]], [["d/dkt", "0"], ["d/dfs", "1"], ["d/dkp", "3"]])
        with tempfile.TemporaryDirectory() as folder:
            for way, columns in ((["--path", "3"], {"df/dkt": 0, "df/dfs": 1, "df/dkp": 3, "dwork/dkp": 4.5}),
                                 (["--cycle", "3"], {"dsecant/dkp": 1, "dsecant/dfs": 1 / 3, "ddissipation/dfs": 4 * (3 - 4)})):
                self.assertEqual(run(*words, *way, "--csv", "d.csv", cwd=folder)[0], 0)
                with open(os.path.join(folder, "d.csv")) as f:
                    row = next(csv.DictReader(f))
                for name, value in columns.items():
                    self.assertAlmostEqual(float(row[name]), value, places=12, msg=name)

    def test_force_driven_laws_say_so(self):
        r = result("loop", "six-state", "--cycle", "1")
        self.assertEqual(r["driven_by"], "force")
        _, out, _ = run("loop", "six-state", "--cycle", "1")
        self.assertIn("amplitude / N", out)
        self.assertIn("secant / (m/N)", out)
        _, out, _ = run("loop", "six-state", "--path", "0,1")
        self.assertIn("f / N (given)", out)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("loop", "six-state", "--path", "0,1", "--plot", "a.svg", cwd=folder)[0], 0)
            with open(os.path.join(folder, "a.svg")) as f:
                page = f.read()
            self.assertIn("(given)", page)
            self.assertIn("(answer)", page)

    def test_compare_overlays(self):
        r = result("loop", "--compare", "jenkins:kt=1,fs=2", "jenkins:kt=2,fs=2", "--path", "0,1")
        self.assertEqual([law["f"][1] for law in r["laws"]], [1, 2])


class BadInput(unittest.TestCase):
    def check(self, expected, *words):
        with tempfile.TemporaryDirectory() as folder:
            status, out, err = run(*words, cwd=folder)
            self.assertEqual(status, 2, words)
            self.assertEqual(out, "", words)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(expected, err)
            self.assertEqual(os.listdir(folder), [], words)

    def test_laws_and_parameters(self):
        self.check("unknown law 'jenkin'; allowed are: jenkins,", "loop", "jenkin", "--path", "0,1")
        self.check("unknown parameter 'ks'; allowed are: kt fs", "loop", "jenkins", "kt=1", "ks=2", "--path", "0,1")
        self.check("parameter 'fs' (slip force, N) is missing; allowed range (0, inf)", "loop", "jenkins", "kt=1", "--path", "0")
        self.check("parameter 'kt' = -1 is outside (0, inf)", "loop", "jenkins", "kt=-1", "fs=2", "--path", "0,1")
        self.check("parameter 'kt' = nan is outside (0, inf)", "loop", "jenkins", "kt=nan", "fs=2", "--path", "0,1")
        self.check("'abc' is not a number", "loop", "jenkins", "kt=abc", "fs=2", "--path", "0,1")
        self.check("'kt' is given twice", "loop", "jenkins", "kt=1", "kt=2", "fs=2", "--path", "0,1")
        self.check("must be key=value", "loop", "jenkins", "kt", "--path", "0,1")
        self.check("|beta| <= alpha", "loop", "bouc-wen", "A=1", "alpha=1", "beta=2", "--path", "0,1")
        for law in ("valanis", "valanis-masing"):
            self.check("Et < E0", "loop", law, "E0=1", "Et=1", "lambda=1", "kappa=0", "--path", "0,1")
        self.check("driven by force", "loop", "six-state+kp", "kp=1", "--path", "0,1")

    def test_paths(self):
        self.check("exactly one of", *JENKINS)
        self.check("exactly one of", *JENKINS, "--path", "0,1", "--cycle", "1")
        self.check("'x' is not a number", *JENKINS, "--path", "0,x")
        self.check("'' is not a number", *JENKINS, "--path", "0,,1")
        self.check("'inf' is not a finite number", *JENKINS, "--path", "0,inf")
        self.check("cycle amplitude -1 is not in (0, inf)", *JENKINS, "--cycle", "-1")
        self.check("cycle amplitude 0 is not in (0, inf)", *JENKINS, "--cycle", "0")
        self.check("go together", *JENKINS, "--signal", "sin(t)")
        self.check("START:STOP:COUNT", *JENKINS, "--signal", "sin(t)", "--time", "0:1")
        self.check("whole number", *JENKINS, "--signal", "sin(t)", "--time", "0:1:1.5")
        self.check("formula 'sin(', character", *JENKINS, "--signal", "sin(", "--time", "0:1:11")
        for formula, says in (("t=5", "would give a value"), ("t=t+1", "would give a value"), ("sin(t),cos(t)", "it has 2 values"), ("nan", "nan")):
            self.check(says, *JENKINS, "--signal", formula, "--time", "0:1:11")
        self.check("is not finite at 0", *JENKINS, "--signal", "1/t", "--time", "0:1:11")
        self.check("must be x:y:n", "loop", "jenkins-2d", "kt=1", "fs=1", "kn=1", "--path", "0:1,1:1:1")
        self.check("contact laws are", "loop", "iwan4", "FS=1", "KT=1", "chi=0", "beta=0", "--path", "0:1:1")
        self.check("must end in .html", *JENKINS, "--path", "0,1", "--plot", "x.png")
        self.check("there is no folder", *JENKINS, "--path", "0,1", "--csv", "nowhere/x.csv")
        self.check("driven by force, the other by displacement", "loop", "--compare", "jenkins:kt=1,fs=2", "six-state", "--path", "0,1")

    def test_numbers_too_large(self):
        self.check("jenkins: the answer at point 1e+300 overflows", "loop", "jenkins", "kt=1e300", "fs=1e300", "--path", "0,1e300")
        self.check("jenkins: the answer at amplitude 1e+300 overflows", "loop", "jenkins", "kt=1e300", "fs=1e300", "--cycle", "1e300")
        self.check("overflows", "loop", "jenkins-2d", "kt=1e300", "fs=1e300", "kn=1", "--path", "1e300:0:0")
        self.check("needs a whole count", "loop", "equal-sliders", "k=1", "phi_max=1", "count=2.5", "--path", "1")

    def test_blanks_between_numbers(self):
        self.assertEqual(result(*JENKINS, "--path", "0, 3,-1 ,2")["f"], [0, 2, -2, 1])

    def test_history_files(self):
        for content, expected in [("", "has no numbers"), ("u\n", "but no numbers"), ("t,u\n0,0\n1,abc\n", ":3:"), ("1\nnan\n", ":2:"),
                                  ("0,0\n1\n", ":2:"), ("0,0\n0,1\n", "time must increase"), ("1,2,3\n", "columns")]:
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                file.write(content)
                file.flush()
                status, out, err = run(*JENKINS, "--history", file.name)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (content, err))
                self.assertIn(expected, err)
        self.check("no/such.csv", *JENKINS, "--history", "no/such.csv")

    def test_unknown_option_and_help(self):
        self.check("--nonsense", *JENKINS, "--nonsense")
        status, out, _ = run("loop", "--help")
        self.assertEqual(status, 0)
        self.assertIn("faying loop jenkins kt=1 fs=2 --path 0,3,-1,2", out)
        self.assertEqual(run()[0], 2)
        self.check("unknown command 'loops'; allowed are: laws, loop,", "loops")
        self.check("--threads", *JENKINS, "--path", "1", "--threads", "0")
        self.assertLess(len(run(*JENKINS, "--path", "1", "--threads", "x")[2]), 120)

    def test_normal_approach_is_asked_for(self):
        self.check("x:y:n points carry it themselves", "loop", "elastic-dry-friction", "kt=1", "mu=1", "kn=1", "--path", "0,1")

    def test_full_disk_is_noticed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BINARY, "laws"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


class Interrupt(unittest.TestCase):
    def test_status_130_and_nothing_left(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["iwan4-sliders", "FS=1", "KT=1", "chi=0", "beta=0", "count=100000", "--csv", "x.csv"]
            amplitudes = ",".join(str(1 + 1e-4 * i) for i in range(3000))
            process = subprocess.Popen([BINARY, "loop", *words, "--cycle", amplitudes], cwd=folder, stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            self.assertEqual((process.wait(60), os.listdir(folder)), (130, []))


class Help(unittest.TestCase):
    """Every example of every --help runs as it is printed."""

    def test_examples(self):
        repository = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        for command in ("laws", "loop", "modes", "backbone"):
            status, out, _ = run(command, "--help")
            self.assertEqual(status, 0)
            examples = re.findall(r"^ +faying (.*)$", out, re.M)
            self.assertTrue(examples, command)
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(os.path.join(repository, "examples"), os.path.join(folder, "examples"))
                for example in examples:
                    if ".inp" in example:  # a deck of the user's own
                        continue
                    status, _, err = run(*shlex.split(example), cwd=folder)
                    self.assertEqual((status, err), (0, ""), example)


if __name__ == "__main__":
    unittest.main()
