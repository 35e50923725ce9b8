"""Long runs that are stopped by Ctrl-C or killed go on with the same call, to the same bits: simulations on disk."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import faying
from support import Test

SAMPLES = [7.0, 2999.99]
COLUMNS = ("t", "u", "v", "q", "joint_displacement", "joint_force", "kinetic", "strain", "joint_work", "joint_dissipated", "viscous",
           "input", "missing")


def run(out=None, resume=False, method="newmark", duration=3000.0, **more):
    """Three masses in noise, twenty seconds of it per second of ours."""
    model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], damping=1e-4)
    model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")
    load = faying.Load(1, faying.noise(5.0, (0.1, 2.0), lines=400))
    return model.simulate([load], v=[0, 0.1, 0], duration=duration, step=0.02 if method == "newmark" else 0.5, every=20 if method == "newmark" else 1,
                          method=method, samples=[s for s in SAMPLES if s <= duration], out=out, resume=resume, **more)


def stopped(path, how, method):
    """Another process makes the record until a signal ends it."""
    code = f"import resume_test as t\nt.run({path!r}, method={method!r})"
    process = subprocess.Popen([sys.executable, "-B", "-c", code], cwd=os.path.dirname(os.path.abspath(__file__)), stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while process.poll() is None and not os.path.exists(path + ".journal") and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.3)  # on the way
    process.send_signal(how)
    return process, process.communicate(timeout=60)[1]


class Simulations(Test):
    def assert_same_runs(self, got, wanted):
        for name in COLUMNS:
            self.assert_same(getattr(got, name), getattr(wanted, name))
            if name in wanted.samples:
                self.assert_same(got.samples[name], wanted.samples[name])
        for key in ("steps", "reversals", "energy", "notes", "u", "t"):
            np.testing.assert_equal(got.data[key], wanted.data[key])

    def test_ctrl_c_and_kill(self):
        for method in ("newmark", "events"):
            whole = run(method=method)
            self.assertEqual(set(whole.samples), set(COLUMNS))
            for how in (signal.SIGINT, signal.SIGKILL):
                with self.subTest(f"{method}, {how.name}"), tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "run.h5")
                    process, told = stopped(path, how, method)
                    self.assertNotEqual(process.returncode, 0, "ended before it was stopped")
                    if how == signal.SIGINT:
                        self.assertIn("KeyboardInterrupt", told)
                    self.assert_same_runs(run(path, resume=True, method=method), whole)
                    self.assert_same_runs(run(path, resume=True, method=method), whole)  # finished: read

    def test_again_and_again(self):
        """Stopped three times on the way, here by itself, it still gives the same bits."""
        whole = run(duration=400.0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            for _ in range(3):
                with self.assertRaises(KeyboardInterrupt):
                    threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
                    run(path, resume=True, duration=400.0)
                    time.sleep(1)  # it ended before the signal came
            self.assert_same_runs(run(path, resume=True, duration=400.0), whole)

    def test_a_record_of_something_else(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            run(path, duration=10.0)
            with self.assertRaisesRegex(faying.BadInput, "another model, load or setting"):
                run(path, resume=True, duration=20.0)
            model = faying.Model([[1.0]], [[1.0]])
            for more, pattern in ((dict(out=path, u=[2.0]), "another model"), (dict(u=[1.0]), "needs out"),
                                  (dict(out=path[:-3] + ".mat", u=[1.0]), r"must end in \.h5"),
                                  (dict(out=os.path.join(folder, "none", "run.h5"), u=[1.0]), "none")):
                with self.subTest(pattern), self.assertRaisesRegex((faying.BadInput, OSError), pattern):
                    model.simulate(duration=1, step=0.1, resume=True, **more)

    def test_what_was_given_tells_records_apart(self):
        model = faying.Model([[1.0]], [[1.0]])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            given = dict(duration=1.0, step=0.1, out=path, resume=True)
            model.simulate(u=[1.0], **given)
            for other in (dict(v=[1.0]), dict(u=[1.0 + 1e-15]), dict(u=[1.0], energy=False),
                          dict(loads=faying.Load(0, faying.sine(1, 1)), u=[1.0])):
                with self.assertRaisesRegex(faying.BadInput, "another model, load or setting"):
                    model.simulate(**other, **given)
            self.assertEqual(len(model.simulate(u=[1.0], **given)), 11)


if __name__ == "__main__":
    unittest.main()
