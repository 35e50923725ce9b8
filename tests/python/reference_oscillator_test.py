"""An oscillator with a cubic spring and an Iwan joint ([S1], tests/reference/ignl_sdof.json)."""

import os
import tempfile
import unittest

import numpy as np

import faying
from support import SOURCE, ReferenceTest

FILE = os.path.join(SOURCE, "examples", "panel", "sdof.toml")


class Oscillator(ReferenceTest):
    file = "ignl_sdof"

    def setUp(self):
        self.ring = self.data["K3=5.396e+10"]
        self.model = faying.read_model(FILE)
        self.iwan, self.cubic = (joint.law for joint in self.model.joints)
        self.assertEqual(self.cubic.parameters["k3"], self.ring["K3"])
        self.stiffness = self.model.stiffness[0, 0]
        self.zeta0, self.omega0 = self.model.damping, self.model.modes().omega[0]

    def column(self, rows, name):
        return np.array([row[name] for row in rows])

    def test_closed_form(self):
        rows = self.data["closed_form"]
        q = self.column(rows, "q")
        found = faying.ignl(FILE, q)
        self.assert_close([point["omega_gnl"] for point in found.data["points"]], self.column(rows, "omega_gnl"), 1e-13)
        self.assert_close(found.omega, self.column(rows, "omega_ignl"), 1e-13)
        self.assert_close(found.zeta_eq32, self.column(rows, "zeta_ignl"), 1e-12)
        self.assert_close(found.dissipation_loop, self.column(rows, "D"), 1e-12)
        self.assert_close(found.dissipation_masing_positive, self.column(rows, "D"), 2e-8)  # Int theta dq on the grid
        cycles = self.iwan.cycle(q)
        self.assert_close(cycles.dissipation, self.column(rows, "D"), 1e-13)
        self.assert_close(cycles.secant - self.iwan.parameters["KT"], self.column(rows, "dK_hnl"), 1e-12)

    def test_free_motion_without_friction(self):
        """The shares of the first and third harmonic; the reference has them at q = 4.02e-3."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "duffing.toml")
            with open(file, "w") as f:
                f.write(f"[structure]\nmass = [[1]]\nstiffness = [[{self.omega0**2!r}]]\n[[joint]]\nlaw = \"polynomial\"\n"
                        f"parameters = {{ k1 = 0, k3 = {self.ring['K3']!r} }}\ndofs = [1]\n")
            found = faying.nnm(file, [4e-3, 4.02e-3, 5e-3], harmonics=15)
        shares = [np.array(point["harmonics"]) / point["q_plus"] for point in found.data["points"]]
        self.assert_close(shares[1][1], self.data["duffing"]["a1_over_q"], 1e-12)
        self.assert_close(shares[1][3], self.data["duffing"]["a3_over_q"], 1e-11)
        self.assert_close([share.sum() for share in shares], 1, 1e-11)

    def run_down(self, model, times, **options):
        return model.simulate(u=[self.ring["X0"]], duration=2.01, samples=times, energy=False, **options).samples

    def events(self, times):
        return self.run_down(self.model, times, step=1e-3, method="events", tolerance=1e-13)

    def test_first_state(self):
        slow = self.model.quasistatic({0: [0, self.ring["Fmax_static"]]})
        self.assert_close(slow.displacement[-1], self.ring["X0"], 1e-12)

    def test_states(self):
        wanted = self.ring["state_u_v"]
        found = self.events(sorted(map(float, wanted)))
        for i, t in enumerate(sorted(wanted, key=float)):
            self.assert_close(found["u"][i, 0], wanted[t][0], 1e-8)
            self.assert_close(found["v"][i, 0], wanted[t][1], 1e-7)  # small: it turns near t = 1

    def test_states_of_sliders(self):
        """A million steps: 3e-8 is what their rounding adds up to, where v is small."""
        model = self.model.replace({"joint 1": faying.law("iwan4-sliders", self.iwan.parameters, count=100, ratio=1.2)})
        wanted = {t: state for t, state in self.ring["newmark_N100_geom1p2_dt1e-6"].items() if t != "note"}
        found = model.simulate(u=[self.ring["X0"]], duration=1.0, step=1e-6, every=1000, energy=False,
                               samples=sorted(map(float, wanted))).samples
        for i, t in enumerate(sorted(wanted, key=float)):
            self.assert_close(found["u"][i, 0], wanted[t][0], 1e-9)
            self.assert_close(found["v"][i, 0], wanted[t][1], 1e-7)

    def reversals(self):
        """When and where it turns, from X0 on: between samples, then by Newton."""
        t = np.linspace(0, 2, 20001)[1:]
        v = self.events(t)["v"][:, 0]
        i = np.nonzero(v[:-1] * v[1:] < 0)[0]
        t = t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i])
        for _ in range(3):
            found = self.events(t)
            u, v = found["u"][:, 0], found["v"][:, 0]
            t = t + v / (self.stiffness * u + found["joint_force"].sum(axis=1))
        return np.r_[0, t], np.r_[self.ring["X0"], self.events(t)["u"][:, 0]]

    def of_peaks(self, t, x, n):
        """Amplitude, frequency and damping of the n-th peak, from the ones before and after."""
        decrement = np.log(x[n - 1] / x[n + 1])
        return np.abs(x[n]), 2 * np.pi / (t[n + 1] - t[n - 1]), decrement / np.hypot(2 * np.pi, decrement)

    def predicted(self, q, measured, **options):
        """IGNL at those amplitudes, in their order."""
        order = np.argsort(q)
        found = faying.ignl(FILE, q[order], **options)
        back = np.argsort(order)
        gnl = np.array([point["omega_gnl"] for point in found.data["points"]])[back]
        omega, eq32, tangent = (getattr(found, name)[back] for name in ("omega", "zeta_eq32", "zeta_tangent"))
        # In the viscous part of the tangent form the reference has the measured frequency, where ours has the predicted one.
        slope = self.stiffness + self.ring["K3"] * q**2 + np.array([self.iwan.follow([each]).tangent[0] for each in q])
        return gnl, omega, eq32, tangent + self.zeta0 * self.omega0 * (measured - omega) / slope

    def test_peaks(self):
        t, x = self.reversals()
        for n, (time, place) in self.ring["reversals_t_x"].items():
            self.assert_close(t[int(n)], time, 1e-10, 1e-15)
            self.assert_close(x[int(n)], place, 1e-9)
        rows = self.ring["peak_table"]
        found = self.of_peaks(t, x, self.column(rows, "n"))
        for ours, name, tolerance in zip(found, ("q", "omega", "zeta"), (1e-9, 1e-8, 1e-7)):
            self.assert_close(ours, self.column(rows, name), tolerance)
        for ours, name in zip(self.predicted(*found[:2]), ("omega_gnl", "ignl_omega", "ignl_zeta_eq32", "zeta_tangent_formula")):
            self.assert_close(ours, self.column(rows, name), 1e-10)  # as the amplitudes

        # The greatest errors are of all peaks. Dissipation by Masing's rule, which holds: 1e-8.
        q, omega, zeta = self.of_peaks(t, x, np.arange(1, len(t) - 1))
        _, frequency, eq32, tangent = self.predicted(q, omega, loops=False)
        self.assert_close(100 * np.abs(frequency / omega - 1).max(), self.ring["max_freq_err_pct"], 1e-7)
        damping = 100 * (eq32 / zeta - 1)
        self.assert_close(damping[0], self.ring["damp_err_pct_top"], 1e-7)
        self.assert_close([damping.min(), damping.max()], self.ring["damp_err_pct_range"], 1e-7)
        self.assert_close(100 * np.abs(tangent / zeta - 1).max(), self.ring["tangent_formula_max_err_pct"], 1e-6)


if __name__ == "__main__":
    unittest.main()
