"""Every result: a line that says what it is, a table in notebooks, pickling, pictures with units, pandas and xarray, progress bars."""

import fcntl
import importlib.util
import os
import pickle
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import numpy as np

import faying
from faying.results import Result
from fits_test import study_file
from measured_test import CALIBRATION, hit, write_backbone, write_sweep
from support import SOURCE, Test

HAS = {name: importlib.util.find_spec(name) is not None for name in ("pandas", "xarray", "tqdm")}
for missing in (name for name, there in HAS.items() if not there):
    print(f"SKIPPED: {missing} is not installed (apt-get install python3-{missing})", file=sys.stderr)


def every_result(folder):
    """One of each kind, small."""
    iwan = faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
    model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], 1e-3, static=[0, 0, 0.1]).add_joint(iwan, dofs=(1, 2), name="lap")
    q = np.geomspace(1, 100, 6)
    bones = model.backbone(1, q)
    t = np.arange(0, 6, 1 / 1500)
    ring = np.exp(-0.004 * 2 * np.pi * 30 * t) * np.cos(2 * np.pi * 30 * t)
    sine = np.sin(np.linspace(0, 4 * np.pi, 161))
    net = os.path.join(folder, "net.toml")
    with open(net, "w") as file:
        file.write("[network]\nK = [[2, -1], [-1, 2]]\nmu = [0.5, 1]\nb = [1, 0]\n")
    sdof, flat = os.path.join(SOURCE, "examples", "panel", "sdof.toml"), os.path.join(SOURCE, "tests/reference/decks/flat.inp")
    times, channels = hit(duration=1.0)
    found = faying.find_modes(channels, times)
    write_backbone(os.path.join(folder, "backbone.csv"))
    write_sweep(os.path.join(folder, "sweep.csv"))
    with open(os.path.join(folder, "calibrate.toml"), "w") as file:
        file.write(CALIBRATION.replace(", \"polynomial k3\"", ""))
    envelope = faying.envelope(t, ring)
    one = faying.Model([[1.0]], [[9.0]], 1e-3).add_joint(faying.law("iwan4", FS=1, KT=1, chi=-0.5, beta=0.5), dofs=0)
    amplitudes = np.geomspace(1e-2, 3, 40)
    mode = one.backbone(1, amplitudes, method="epmc", harmonics=1)
    modal = faying.fit_modal_iwan(amplitudes, mode.omega, mode.zeta)
    return [iwan.follow([0, 1, -1]), iwan.cycle([1, 2, 3]), iwan.loop(5), faying.law("elastic-dry-friction", kt=1, mu=0.3, kn=1).follow(np.eye(3)),
            model.modes(), model.preload(), bones, model.backbone(1, q, method="epmc"), model.response(2, 0.01, (0.40, 0.45)),
            model.simulate(u=[1, 0, 0], duration=50, step=0.1), model.quasistatic({2: [0, 3, -3]}), envelope, faying.merge([envelope, envelope], points=10),
            faying.identify(sine, faying.law("jenkins", kt=4, fs=1).follow(sine).f, "jenkins"), modal,
            faying.network(net, [0, 1, 3, -2]), faying.condense(net, 2, check=False), faying.ignl(sdof, [1e-4, 1e-3]), faying.deck_modes(flat, 3),
            faying.sice(flat, [1e-4, 1e-3], orders="3", check=False), faying.nnm(flat, [1e-4, 2e-4], harmonics=3, check=False), found, found[0],
            faying.sweeps(os.path.join(folder, "sweep.csv"), units="m/s^2"),
            faying.modal_fit(os.path.join(folder, "backbone.csv"), ["jenkins"], starts=10),
            faying.calibrate(os.path.join(folder, "calibrate.toml"), check=False), faying.study(study_file(folder, generations=1), os.path.join(folder, "study.db"))]


def kinds(of=Result):
    """Every class of results that users see."""
    return {of.__name__, *(name for kind in of.__subclasses__() for name in kinds(kind))} & set(faying.__all__)


class EveryResult(Test):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.all = every_result(folder)

    def test_none_is_left_out(self):
        self.assertEqual({type(one).__name__ for one in self.all}, kinds())

    def test_says_what_it_is(self):
        for one in self.all:
            with self.subTest(type(one).__name__):
                self.assertRegex(repr(one), r"^<.+>$")
                self.assertNotIn("object at 0x", repr(one))
                page = one._repr_html_()
                self.assertIn("<table>", page)
                self.assertGreaterEqual(page.count("<tr>"), 2)
                for name, column in one.columns().items():
                    self.assertEqual(len(column), len(one), name)

    def test_pickles(self):
        for one in self.all:
            with self.subTest(type(one).__name__):
                again = pickle.loads(pickle.dumps(one))
                self.assertEqual(repr(again), repr(one))
                for name, column in one.columns().items():
                    np.testing.assert_array_equal(again.columns()[name], column)

    def test_pictures_have_units(self):
        import matplotlib.pyplot as plt
        for one in self.all:
            with self.subTest(type(one).__name__):
                for axes in np.atleast_1d(np.asarray(one.plot(), dtype=object)).ravel():
                    self.assertTrue(axes.get_xlabel() and axes.get_ylabel())
                    self.assertTrue(axes.lines or axes.patches or axes.collections)
                if os.environ.get("PICTURES"):  # to be looked at
                    np.atleast_1d(np.asarray(axes, dtype=object))[0].figure.savefig(os.path.join(os.environ["PICTURES"], type(one).__name__ + ".png"))
                plt.close("all")

    @unittest.skipUnless(HAS["pandas"], "no pandas here")
    def test_pandas(self):
        for one in self.all:
            with self.subTest(type(one).__name__):
                frame = one.to_pandas()
                self.assertEqual(list(frame.columns), list(one.columns()))
                self.assertEqual(set(frame.attrs["units"]), set(one.units))
                for name, column in one.columns().items():
                    np.testing.assert_array_equal(frame[name].to_numpy(), column)

    @unittest.skipUnless(HAS["xarray"], "no xarray here")
    def test_xarray(self):
        for one in self.all:
            with self.subTest(type(one).__name__):
                data = one.to_xarray()
                for name, column in one.columns().items():
                    np.testing.assert_array_equal(data[name].values, column)
                    self.assertEqual(data[name].attrs["units"], one.units[name])


class Bars(Test):
    @unittest.skipUnless(HAS["tqdm"], "no tqdm here")
    def test_a_bar_on_a_terminal(self):
        """Work beyond two seconds shows a bar with the time left; shorter work shows nothing."""
        code = ("import faying, numpy as np; m = faying.Model(np.eye(2), [[2, -1], [-1, 2]]).add_joint(faying.law('jenkins', kt=1, fs=1), dofs=0); "
                "m.simulate(u=[3, 0], duration={}, step=1e-3, every=1000)")
        for duration, shown in ((1, False), (100_000, True)):
            leader, follower = pty.openpty()
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            process = subprocess.Popen([sys.executable, "-c", code.format(duration)], stderr=follower, stdout=subprocess.DEVNULL)
            os.close(follower)
            told, end = b"", time.monotonic() + 100
            while time.monotonic() < end and not (shown and b"left" in told):
                ready, _, _ = select.select([leader], [], [], 0.2)
                try:
                    told += os.read(leader, 4096) if ready else b""
                except OSError:
                    break
                if not ready and process.poll() is not None:
                    break
            process.kill()
            process.wait()
            os.close(leader)
            self.assertEqual(b"simulate" in told and b"left" in told, shown, told)


if __name__ == "__main__":
    unittest.main()
