"""Ring-downs and fits through Python: the command line's bits, truth found again, refusals, Ctrl-C."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import numpy as np

import faying
from own_laws import Slider
from support import SOURCE, Test, command

HIT = os.path.join(SOURCE, "data", "brake_reuss_virtual", "hit_5.csv")


def write_csv(path, **columns):
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="", fmt="%.17g")


def ring_down(zeta=0.004, hertz=30.0, rate=1500, seconds=6):
    t = np.arange(0, seconds, 1 / rate)
    omega = 2 * np.pi * hertz
    return t, np.exp(-zeta * omega * t) * np.cos(omega * np.sqrt(1 - zeta**2) * t)


class Envelopes(Test):
    def test_same_bits(self):
        t, x = ring_down()
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "ring.csv")
            write_csv(file, t=t, x=x)
            for words, options in (([], {}), (["--method", "peaks"], dict(method="peaks")), (["--band", "20:40"], dict(band=(20, 40))),
                                   (["--quantity", "acceleration", "--as", "displacement"],
                                    dict(quantity="acceleration", as_quantity="displacement"))):
                told, ours = command("envelope", file, *words), faying.envelope(t, x, **options)
                for name in ("t", "amplitude", "omega", "zeta"):
                    self.assert_same(getattr(ours, name), told[name])

    def test_truth(self):
        found = faying.envelope(*ring_down(0.004))
        self.assert_close(found.zeta, 0.004, 1e-4)
        self.assert_close(found.frequency, 30.0, 1e-5)

    def test_merged(self):
        dice = np.random.default_rng(1)
        records = []
        for _ in range(3):
            t, x = ring_down()
            records.append(faying.envelope(t, x + 1e-3 * dice.standard_normal(len(x))))
        merged = faying.merge(records, points=20)
        self.assertEqual(len(merged), 20)
        self.assertTrue((merged.zeta_mean_low <= merged.zeta).all() and (merged.zeta <= merged.zeta_mean_high).all())

    def test_modal_coordinate(self):
        t, a = ring_down(hertz=20)
        _, b = ring_down(hertz=50)
        shapes = np.array([[1.0, 0.5], [0.3, -1.0], [0.2, 0.7]])
        self.assert_close(faying.modal_coordinate(t, shapes @ np.array([a, b]), shapes, 2), b, 1e-10, 1e-12)

    def test_refusals(self):
        t, x = ring_down()
        for pattern, args, options in (("method", (t, x), dict(method="wavelet")), ("shape", (t, x[:-1]), {}),
                                       ("increase|even", (t[::-1], x), {}), ("three periods|period", (t[:20], x[:20]), {}),
                                       ("needs quantity", (t, x), dict(as_quantity="velocity"))):
            with self.assertRaisesRegex(faying.BadInput, pattern):
                faying.envelope(*args, **options)


class Identification(Test):
    def loop(self, law):
        return law.follow(np.sin(np.linspace(0, 4 * np.pi, 161)))

    def test_same_bits(self):
        loop = self.loop(faying.law("iwan4", FS=1, KT=4, chi=-0.4, beta=0.5))
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "loop.csv")
            write_csv(file, u=loop.u, f=loop.f)
            told, ours = command("identify", file, "--law", "jenkins-prager"), faying.identify(loop.u, loop.f, "jenkins-prager")
            self.assertEqual(ours.parameters, told["parameters"])
            self.assertEqual(ours.standard_errors, told["standard_errors"])
            self.assertEqual(ours.rms, told["rms"])

    def test_a_law_of_one_s_own(self):
        faying.register(Slider)
        loop = self.loop(Slider(k=3, fs=1.2))
        found = faying.identify(loop.u, loop.f, "slider", start=dict(k=2, fs=1), iterations=50, memory="virgin")
        self.assert_close(found.parameters["fs"], 1.2, 1e-6)
        self.assertIn("slider identified", repr(found))

    def test_modal_iwan(self):
        truth = dict(k_infinity=9.0, zeta0=1e-3, FS=1.0, KT=1.0, chi=-0.5, beta=0.5)
        start = faying.ModalIwan(parameters=truth, standard_errors={}, start={}, omega_rms=0, zeta_rms=0, iterations=0, converged=True,
                                 macroslip=1, q=np.ones(1), omega=np.ones(1), zeta=np.ones(1))
        q = np.geomspace(1e-2, 3, 40)
        omega, zeta = start.at(q)
        found = faying.fit_modal_iwan(q, omega, zeta)
        for key, value in truth.items():
            self.assert_close(found.parameters[key], value, 1e-4)
        bones = found.model().backbone(1, q, method="epmc", harmonics=1)
        self.assert_close(bones.omega, omega, 1e-6)  # the curves are those of the first harmonic


class Calibrations(Test):
    def test_gradient_is_the_slope(self):
        model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], 1e-4)
        model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")
        q = np.geomspace(1, 100, 8)
        task = faying.Calibration(model, [faying.Unknown("lap", "FS", 1, 100), faying.Unknown("lap", "chi", -0.9, -0.1, "linear")],
                                  omega_error=1e-4, zeta_error=0.05)
        for mode in (1, 2):
            truth = model.backbone(mode, q)
            task.measured(mode, q, truth.omega, truth.zeta)
        theta = np.array([np.log(12.0), -0.45])
        density, gradient = task.log_density_gradient(theta)
        for k in range(2):
            h = np.zeros(2)
            h[k] = 1e-6
            self.assert_close(gradient[k], (task.log_density(theta + h) - task.log_density(theta - h)) / 2e-6, 1e-5)
        self.assertEqual(density, task.log_density(theta))
        self.assertEqual(task.log_density([np.log(200.0), -0.45]), -np.inf)
        from scipy.optimize import minimize
        best = minimize(lambda x: tuple(-y for y in task.log_density_gradient(x)), theta, jac=True, bounds=task.bounds)
        self.assert_close(best.x, [np.log(10.0), -0.5], 1e-4)


STUDY = """
title = "a small study"
variants = ["iwan4", "jenkins"]
[structure]
whole = "{beam}"
static = {{ preload = 12845 }}
[measurement]
file = "{data}"
points = 4
[[mode]]
mode = 1
index = 1
name = "first"
fitted = true
[search]
method = "nsga2"
population = 8
generations = {generations}
pooled = 2
front = 4
"""


def study_file(folder, generations=3):
    file = os.path.join(folder, "study.toml")
    with open(file, "w") as f:
        f.write(STUDY.format(beam=os.path.join(SOURCE, "data/brake_reuss/whole_joint.h5"),
                             data=os.path.join(SOURCE, "data/brake_reuss_virtual/backbones.csv"), generations=generations))
    return file


class Studies(Test):
    def test_same_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            file = study_file(folder)
            ours = faying.study(file, os.path.join(folder, "ours.db"))
            told = command("study", file, "--out", os.path.join(folder, "told.db"), cwd=folder)
            self.assertEqual(ours.ranking, told["ranking"])
            for name in ours.ranking:
                x, errors = ours.front(name)
                wanted = next(v for v in told["variants"] if v["name"] == name)["front"]
                self.assert_same(np.column_stack(list(x.values())), [p["x"] for p in wanted])
                self.assertEqual(errors.shape[0], len(wanted))
            again = faying.read_study(os.path.join(folder, "ours.db"))
            self.assertEqual(again.ranking, ours.ranking)
            with self.assertRaises(faying.BadInput):
                faying.read_study(file)

    def test_ctrl_c(self):
        """Stopped by Ctrl-C, what was evaluated is in the store, from which the same call would go on."""
        with tempfile.TemporaryDirectory() as folder:
            file, store = study_file(folder, generations=20000), os.path.join(folder, "stopped.db")
            code = textwrap.dedent(f"""
                import faying
                print("ready", flush=True)
                try:
                    faying.study({file!r}, {store!r}, threads=1)
                except KeyboardInterrupt:
                    print("stopped", flush=True)
            """)
            process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline().strip(), "ready")
            end = time.monotonic() + 60  # a busy machine takes its time to begin
            while not (os.path.exists(store) and os.path.getsize(store) > 0) and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            self.assertIn("stopped", out)
            self.assertGreater(os.path.getsize(store), 0)


class Interrupts(Test):
    def test_a_simulation_ends_at_once(self):
        code = textwrap.dedent("""
            import time, faying, numpy as np
            model = faying.Model(np.eye(2), [[2, -1], [-1, 2]])
            model.add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
            print("ready", flush=True)
            try:
                model.simulate(u=[3, 0], duration=1e6, step=1e-3, every=100000)
            except KeyboardInterrupt:
                print("stopped", flush=True)
            print(len(model.backbone(1, [1.0])), flush=True)         # and everything still works
        """)
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(out.split(), ["stopped", "1"])

    def test_other_threads_go_on(self):
        """The interpreter's lock is free while an analysis runs."""
        import threading
        model = faying.Model(np.eye(2), [[2, -1], [-1, 2]])
        model.add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
        turns, done = [0], threading.Event()

        def count():
            while not done.is_set():
                turns[0] += 1
                time.sleep(0.001)
        counter = threading.Thread(target=count)
        counter.start()
        model.simulate(u=[3, 0], duration=500, step=1e-3, every=1000)
        done.set()
        counter.join()
        self.assertGreater(turns[0], 20)


if __name__ == "__main__":
    unittest.main()
