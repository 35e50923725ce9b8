"""Measurements through the module: numbers of the command line, densities that any sampler can drive, and what is wrong told."""

import math
import os
import tempfile
import unittest

import numpy as np
import scipy.optimize

import faying
from support import Test, command

CALIBRATION = """
title = "one slider"
[model]
laws = ["jenkins", "polynomial k3"]
[[record]]
file = "backbone.csv"
omega_error = 1e-4
zeta_error = 0.02
[sampling]
chains = 2
warmup = 200
draws = 200
[evidence]
draws = 400
[predict]
draws = 50
points = 5
"""


def hit(rate=4000, duration=2.0):
    """Two linear modes at two sensors, with noise."""
    t = np.arange(int(rate * duration)) / rate
    one = 20 * np.exp(-2e-3 * 2 * np.pi * 90 * t) * np.cos(2 * np.pi * 90 * t)
    two = 9 * np.exp(-1.5e-3 * 2 * np.pi * 410 * t) * np.cos(2 * np.pi * 410 * t + 1)
    noise = 0.01 * np.random.default_rng(3).normal(size=(2, len(t)))
    return t, {"tip": one + two + noise[0], "middle": 0.6 * one - 0.9 * two + noise[1]}


def slider(a, kt=0.02, fs=0.01, w0=500.0, zeta0=1e-3):
    """omega and zeta of a unit mass with a spring that slips."""
    x = fs / (kt * a)
    if x >= 1:
        return w0, zeta0
    theta = math.acos(1 - 2 * x)
    square = w0**2 * (1 - kt + kt / math.pi * (theta - 0.5 * math.sin(2 * theta)))
    return math.sqrt(square), zeta0 * w0 / math.sqrt(square) + 4 * fs * (a - fs / kt) * w0**2 / (2 * math.pi * square * a * a)


def write_backbone(path):
    draw = np.random.default_rng(5)
    with open(path, "w") as file:
        file.write("amplitude,omega,zeta\n")
        for a in np.geomspace(0.1, 5, 16):
            omega, zeta = slider(a)
            file.write(f"{a!r},{omega * math.exp(1e-4 * draw.normal())!r},{zeta * math.exp(0.02 * draw.normal())!r}\n")


def write_sweep(path):
    """A linear oscillator at one amplitude of acceleration, the phase off by a tenth."""
    with open(path, "w") as file:
        file.write("frequency,force,amplitude,phase\n")
        for f in np.arange(79.5, 81.01, 0.05):
            w, w0 = 2 * math.pi * f, 2 * math.pi * 80.2
            z = 1.9 * complex(w0 * w0 - w * w, 2 * 3e-3 * w0 * w0)
            file.write(f"{f!r},{abs(z) * 20 / w**2!r},20,{math.pi - math.atan2(z.imag, z.real) + 0.1!r}\n")


class Measured(Test):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        write_backbone(self.path("backbone.csv"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_modes_of_a_record(self):
        t, channels = hit()
        with open(self.path("hit.csv"), "w") as file:
            file.write("t,tip,middle\ns,m/s^2,m/s^2\n")
            for row in zip(t, *channels.values()):
                file.write(",".join(repr(float(v)) for v in row) + "\n")
        told, ours, arrays = command("envelope", self.path("hit.csv"), "--modes", "auto"), faying.find_modes(self.path("hit.csv")), faying.find_modes(channels, t)
        self.assertEqual((len(ours), ours.unit, ours.reference), (len(told["modes"]), "m/s^2", told["reference"]))
        self.assertEqual(len(arrays), 2)
        for k, (hertz, zeta) in enumerate(((90, 2e-3), (410, 1.5e-3))):
            for name in ("amplitude", "omega", "zeta", "omega_error"):
                self.assert_same(getattr(ours[k], name), told["modes"][k][name])
            mode = arrays.near(hertz)
            self.assertLess(abs(mode.frequency_at_rest / hertz - 1), 1e-4)
            self.assertTrue((abs(mode.zeta - zeta) < 0.01 * zeta + 4 * mode.zeta_error).all())
            self.assertTrue(mode.trusted)
        self.assertEqual(len(faying.find_modes(channels, t, frequencies=[410])), 1)
        ours[0].plot()
        for wrong in (lambda: faying.find_modes(channels), lambda: faying.find_modes({}, t), lambda: faying.find_modes(channels, t[:-1]),
                      lambda: faying.find_modes(channels, t**1.01), lambda: faying.find_modes(channels, t, channel="end"),
                      lambda: faying.find_modes(channels, t, units="g"), lambda: faying.find_modes(self.path("gone.csv")),
                      lambda: faying.find_modes(self.path("hit.csv"), quantity="force")):
            self.assertRaises(faying.BadInput, wrong)

    def test_sweeps(self):
        write_sweep(self.path("sweep.csv"))
        told, ours = command("envelope", self.path("sweep.csv"), "--sweeps", "--units", "m/s^2")["points"], faying.sweeps(self.path("sweep.csv"), units="m/s^2")
        for name in ("amplitude", "omega", "zeta", "phase_offset", "mass"):
            self.assert_same(getattr(ours, name), [p[name] for p in told])
        self.assertAlmostEqual(ours.zeta[0], 3e-3, places=7)
        self.assertRaises(faying.BadInput, lambda: faying.sweeps(self.path("sweep.csv")))

    def test_modal_fits(self):
        told = command("modal-fit", self.path("backbone.csv"), "--compare", "jenkins", "polynomial k3")
        ours = faying.modal_fit(self.path("backbone.csv"), ["jenkins", "polynomial k3"])
        self.assertEqual([fit["law"] for fit in ours.fits], [fit["law"] for fit in told["fits"]])
        self.assertEqual(ours[0]["law"], "jenkins")
        self.assertEqual(ours["jenkins"]["parameters"], told["fits"][0]["parameters"])
        ours.plot()
        self.assertRaises(KeyError, lambda: ours["iwan4"])
        self.assertRaises(faying.BadInput, lambda: faying.modal_fit(self.path("backbone.csv"), []))
        self.assertRaises(faying.BadInput, lambda: faying.modal_fit(self.path("backbone.csv"), "jenkins", curves="wavy"))

    def test_posteriors(self):
        with open(self.path("calibrate.toml"), "w") as file:
            file.write(CALIBRATION)
        density = faying.Posterior(self.path("calibrate.toml"), "jenkins")
        at = density.start() + 0.05
        value, gradient = density.log_density_gradient(at)
        self.assertEqual(value, density.log_density(at))
        for k in range(len(density)):
            step = np.zeros(len(density))
            step[k] = 1e-4
            slope = (density.log_density(at + step) - density.log_density(at - step)) / 2e-4
            self.assertAlmostEqual(gradient[k], slope, delta=1e-4 * (1 + abs(slope)))
        # Any optimiser can drive it.
        best = scipy.optimize.minimize(lambda z: tuple(-x for x in density.log_density_gradient(z)), at, jac=True, method="BFGS")
        self.assertGreater(-best.fun, value)
        found = density.values(best.x)
        self.assertEqual(list(found), density.keys)
        # So few draws are not enough, and it says so.
        told, ours = command("calibrate", self.path("calibrate.toml"), status=3), faying.calibrate(self.path("calibrate.toml"), self.path("ours.db"), check=False)
        self.assertEqual(ours.laws[0]["law"], "jenkins")
        for mine, theirs in zip(ours.laws, told["laws"]):
            self.assertEqual((mine["law"], mine["probability"]), (theirs["law"], theirs["probability"]))
        for key, parameter in told["laws"][0]["parameters"].items():
            draws = ours.draws["jenkins"][key]
            self.assertEqual(draws.shape, (2, 200))
            self.assertAlmostEqual(draws.mean() / parameter["mean"], 1, places=10)
            spread = parameter["deviation"] + 1e-12 * abs(parameter["mean"])
            self.assertLess(abs(found[key] - parameter["mean"]), 5 * spread, key)
        self.assertRaises(faying.BadInput, lambda: faying.Posterior(self.path("calibrate.toml"), "iwan4"))
        self.assertRaises(faying.BadInput, lambda: density.log_density([0.0]))
        self.assertRaises(faying.BadInput, lambda: faying.calibrate(self.path("gone.toml")))


if __name__ == "__main__":
    unittest.main()
