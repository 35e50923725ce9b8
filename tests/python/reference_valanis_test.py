"""Oscillators with Valanis joints, and laws found again from their loops ([S4], tests/reference/generalized_valanis.json)."""

import unittest

import numpy as np
from scipy.integrate import solve_ivp

import faying
from support import ReferenceTest

OMEGA = 9.85
PERIOD = 2 * np.pi / OMEGA
E0, ET, KAPPA, ALPHA0 = 3000, 100, 0.1, 1
LINEAR = faying.law("valanis", {"E0": E0, "Et": ET, "kappa": KAPPA, "lambda": E0 / (ALPHA0 * (1 - KAPPA * ET / E0))})
FIRST = faying.law("generalized-valanis", E1=10, E2=20, a1=5)
# 1e4 (5 x + 3 e^x v), e^x to x^3/6: the next term is 1e-12 of the rest.
THIRD = faying.law("generalized-valanis", E1=30, E2=500, a1=5e4, a2=3e4, a4=3e4, a7=1.5e4, a11=5e3)


class Simulated:
    """m x'' + k x + f = sin(omega t) from rest, m = 1, k = 100, by the module."""

    def __init__(self, law, cycles):
        self.model = faying.Model([[1.0]], [[100.0]]).add_joint(law, dofs=0)
        self.start = cycles * PERIOD

    def at(self, t):
        """x, v, f and the joint's work at times after the last cycle to settle."""
        run = self.model.simulate(faying.Load(0, faying.sine(1, OMEGA)), u=[0.0], duration=self.start + 2.01 * PERIOD, step=PERIOD / 50,
                                  method="events", tolerance=1e-13, samples=self.start + np.asarray(t))
        return tuple(run.samples[name][:, 0] for name in ("u", "v", "joint_force")) + (run.samples["joint_work"],)

    def turns(self):
        """When it turns in the next cycle: between samples, then by Newton."""
        t = np.linspace(0, PERIOD, 2001)
        v = self.at(t)[1]
        i = np.nonzero(v[:-1] * v[1:] < 0)[0]
        t = t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i])
        for _ in range(2):
            x, v, f, _ = self.at(t)
            t = t - v / (np.sin(OMEGA * t) - 100 * x - f)
        return t


class Integrated:
    """A law that depends on the pace is for paths, not for models: the motion by scipy, what the law says along it by the module.

    Pieces of constant speed are of second order, so two step lengths give the limit.
    """

    def __init__(self, cycles):
        self.start = cycles * PERIOD
        self.pieces, end = [], self.start + 2.01 * PERIOD
        t, y, s = 0.0, np.zeros(3), 1
        while t < end:
            piece = self._to_reversal(t, end, y, s)
            self.pieces.append(piece)
            t, y, s = piece.t[-1], piece.y[:, -1] * [1, 0, 1], -s
        self.ends = np.array([piece.t[-1] for piece in self.pieces])

    @staticmethod
    def _to_reversal(begin, end, y, s):
        rate = lambda t, y: [y[1], np.sin(OMEGA * t) - 100 * y[0] - y[2],
                             (30 + s * (5e4 * y[0] + 3e4 * np.exp(y[0]) * y[1] - 500 * y[2])) * y[1]]
        turned = lambda t, y: y[1]
        turned.terminal, turned.direction = True, -s
        return solve_ivp(rate, (begin, end), y, "DOP853", events=turned, rtol=1e-12, atol=1e-14, dense_output=True)

    def turns(self):
        return self.ends[(self.ends > self.start) & (self.ends <= self.start + PERIOD)] - self.start

    def at(self, t, steps=4000, forgotten=8):
        """As Simulated.at; the law has forgotten its past after those periods."""
        wanted = self.start + np.asarray(t)
        regular = self.start + PERIOD * np.arange(-forgotten * steps, 2 * steps + 1) / steps
        coarse = np.sort(np.concatenate([regular, wanted, self.ends[(self.ends > regular[0]) & (self.ends < regular[-1])]]))
        coarse = coarse[np.r_[True, np.diff(coarse) > 1e-11]]
        fine = np.sort(np.r_[coarse, (coarse[1:] + coarse[:-1]) / 2])
        along = [THIRD.follow(self._motion(times)[0], times) for times in (coarse, fine)]
        i = np.searchsorted(coarse, wanted - 1e-10)
        f, work = ((4 * getattr(along[1], name)[::2] - getattr(along[0], name))[i] / 3 for name in ("f", "work"))
        return *self._motion(wanted), f, work

    def _motion(self, t):
        pieces = np.searchsorted(self.ends, t)
        return np.concatenate([self.pieces[k].sol(t[pieces == k])[:2] for k in np.unique(pieces)], axis=1)


class Valanis(ReferenceTest):
    file = "generalized_valanis"
    not_read = {"*closure": "of the reference's own loop", "*/tol_check_rel": "the reference with another tolerance"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        data, found = cls.data, cls.data["identification"]
        cls.linear = Simulated(LINEAR, data["valanis_linear_caseI"]["cycles"])
        cls.first, cls.first_again = (Simulated(FIRST, cycles) for cycles in (data["ex1"]["cycles"], found["ex1"]["ncyc"]))
        cls.third = Integrated(data["ex3"]["cycles"])
        assert found["ex3"]["ncyc"] == data["ex3"]["cycles"]

    def expect_tips(self, oscillator, row, tolerance):
        turns = oscillator.turns()
        x, v, f, _ = oscillator.at(turns)
        self.assert_close(v, 0, 0, 1e-11)  # t itself has 6e-14 s, accelerations reach 20
        for tip, key in ((np.argmax(x), "max"), (np.argmin(x), "min")):
            self.assert_close([x[tip], f[tip]], [row["x" + key], row["F_at_x" + key]], tolerance)
        return len(turns)

    def expect_loop(self, oscillator, row, tolerance):
        self.assertEqual(self.expect_tips(oscillator, row, tolerance), row["turning_points_in_cycle"])
        x, v, f, work = oscillator.at([0, PERIOD])
        for i in (0, 1):
            self.assert_close([x[i], v[i], f[i]], [row[key + "_at_cycle_end"] for key in "xvF"], tolerance)
        self.assert_close(work[1] - work[0], row["D_per_cycle"], tolerance)

    def test_loops(self):
        self.expect_loop(self.linear, self.data["valanis_linear_caseI"], 2e-9)  # the reference is good to 1e-9 here
        self.expect_loop(self.first, self.data["ex1"], 2e-10)
        self.expect_loop(self.third, self.data["ex3"], 1e-10)

    def test_steady_cycle(self):
        row = self.data["ex1"]
        cycle = FIRST.cycle(row["xmax"])
        self.assert_close(cycle.secant * row["xmax"], row["F_at_xmax"], 1e-11)
        self.assert_close(cycle.dissipation, row["D_per_cycle"], 1e-11)

    def test_first_example_found_again(self):
        self.expect_found_again(self.first_again, self.data["identification"]["ex1"], {"E1": 10, "alpha": 5, "E2": 20},
                                columns=lambda x, v, f: [np.ones_like(x), x, -f], slope=lambda x, v, f: 10 + 5 * x - 20 * f)

    def test_third_example_found_again(self):
        truth = {"E1": 30, "a1": 5e4, "a2": 3e4, "a3": 3e4, "E2": 500}
        self.expect_found_again(self.third, self.data["identification"]["ex3"], truth,
                                columns=lambda x, v, f: [np.ones_like(x), x, v, x * v, -f],
                                slope=lambda x, v, f: 30 + 5e4 * x + 3e4 * np.exp(x) * v - 500 * f)

    def expect_found_again(self, oscillator, data, truth, columns, slope):
        """[S4] 2.3, as the paper and the reference do it: least squares of df/dx on the rising branches of two periods."""
        self.expect_tips(oscillator, data, 1e-10)
        truth, names = np.array(list(truth.values()), dtype=float), list(truth)

        def found(x, v, f, slopes, cut):
            rising = v > cut * v.max()
            terms = np.array(columns(x, v, f))[:, rising].T
            size = np.linalg.norm(terms, axis=0)
            return np.linalg.lstsq(terms / size, slopes[rising], rcond=None)[0] / size, np.linalg.cond(terms / size)

        x, v, f, _ = oscillator.at(2 * PERIOD * np.arange(40001) / 40000)
        self.assert_close(np.sum((f[1:] + f[:-1]) * np.diff(x)) / 2, 2 * data["D_trapz"], 1e-9)
        parameters, condition = found(x, v, f, slope(x, v, f), 0)
        self.assert_close(condition, data["cond_scaled_H"], 1e-9)
        self.assert_close(parameters, [data["id_exact_deriv"][name] for name in names], 1e-10)
        for dt, tolerance in ((1e-4, 1e-3), (1e-3, 2e-5), (2e-3, 2e-5), (5e-3, 2e-5)):
            x, v, f, _ = oscillator.at(np.arange(0, 2 * PERIOD, dt))
            differenced = (f[2:] - f[:-2]) / (x[2:] - x[:-2])  # over reversals too: that is what spoils it where nothing is cut
            for cut in (0, 0.1):
                theirs = np.array([data[f"id_grad_dt{dt:g}_trim{cut:g}"][name] for name in names])
                parameters, _ = found(x[1:-1], v[1:-1], f[1:-1], differenced, cut)
                # The errors of the differences themselves, not only what they are added to.
                self.assert_close((parameters - truth) / (theirs - truth), 1, tolerance)

    def test_differences_by_the_module(self):
        """The same where the reversals are cut; where they are not, the module does not difference over them."""
        data = self.data["identification"]["ex1"]
        for dt in (1e-4, 1e-3, 2e-3, 5e-3):
            t = np.arange(0, 2 * PERIOD, dt)
            x, _, f, _ = self.first_again.at(t)
            found = faying.identify(x, f, "generalized-valanis", t=t, terms=["a1"], memory="steady", form="differences", cut=0.1, stride=1).parameters
            theirs = data[f"id_grad_dt{dt:g}_trim0.1"]
            for key, name in (("E1", "E1"), ("E2", "E2"), ("a1", "alpha")):
                self.assert_close(found[key], theirs[name], 1e-9)

    def test_without_slopes_the_same_samples_give_the_law(self):
        """Where differences give E2 = -60 for 20."""
        exact = self.data["identification"]["ex1"]["id_exact_deriv"]
        x, v, f, _ = self.first_again.at(np.arange(0, 2 * PERIOD, 5e-3))
        found = faying.identify(x, f, "generalized-valanis", terms=["a1"], symmetric=True, memory="steady").parameters
        for key, name in (("E1", "E1"), ("E2", "E2"), ("a1", "alpha")):
            self.assert_close(found[key], exact[name], 1e-6)


if __name__ == "__main__":
    unittest.main()
