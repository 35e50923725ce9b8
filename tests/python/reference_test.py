"""Every number of tests/reference that a law, a structure or a network has to give, through Python.

`laws_test` and `models_test` hold the closed forms of laws and the backbones of three masses; here is the rest.
"""

import math
import os
import tempfile
import unittest

import numpy as np
from scipy.optimize import brentq

import faying
from support import SOURCE, Test, reference

DECKS = os.path.join(SOURCE, "tests", "reference", "decks")
SDOF = os.path.join(SOURCE, "examples", "panel", "sdof.toml")


def sines(*pairs):
    """u(t) and its rate, of amplitudes and frequencies."""
    return (lambda t: sum(a * np.sin(w * t) for a, w in pairs)), (lambda t: sum(a * w * np.cos(w * t) for a, w in pairs))


def turning_times(rate, begin, end, grid=4001):
    t = np.linspace(begin, end, grid)
    sign = np.sign(rate(t))
    return [brentq(rate, t[i], t[i + 1], xtol=1e-15, rtol=8.9e-16) for i in np.nonzero(sign[:-1] * sign[1:] < 0)[0]]


def along(law, motion, stops):
    """The law's history at the stops, straight from turning point to turning point."""
    u, rate = motion
    times, at, begin = [], [], 0.0
    for stop in stops:
        times += [*turning_times(rate, begin, stop), stop]
        at.append(len(times) - 1)
        begin = stop
    return law.follow(u(np.array(times))), np.array(at)


class Laws(Test):
    def test_numbers_of_the_iwan_law(self):
        data = reference("laws")["iwan4_S2"]
        law = faying.law("iwan4", **data["params"])
        u, chi = 1.0, data["params"]["chi"]
        c = (data["params"]["KT"] * u - law.follow([u]).f[0]) / u ** (chi + 2)
        self.assert_close(c, data["c"], 1e-13)
        self.assert_close(c * (chi + 1) * (chi + 2), data["R"], 1e-13)
        self.assert_close(law.follow([data["phimax"] * (1 - 1e-13)]).tangent[0], data["S"], 1e-12)

    def test_asymptote_of_valanis(self):
        data = reference("laws")["valanis"]
        law = faying.law("valanis", {key: data[key] for key in ("E0", "Et", "lambda", "kappa")})
        self.assert_close(law.follow([100.0]).f[0] - data["Et"] * 100, data["asymptote_offset"], 1e-12)

    def test_six_states(self):
        data = reference("low_dimensional")["six_state"]
        law = faying.law("six-state")
        half = data["virgin_stick_halfwidth_f"]
        self.assertEqual(law.follow([half * (1 - 1e-12)]).u[0], 0)
        self.assertNotEqual(law.follow([half * (1 + 1e-9)]).dissipated[0], 0)
        for name, pairs in {"2.1.1": ((0.4, 1), (1, 4.16753)), "2.1.2": ((1, 1), (0.4, 4.16753)), "2.2.1": ((1, 1), (1.5, np.pi / 4))}.items():
            rows = data["cases"][name]
            self.assertEqual(len(rows), 10)
            h, at = along(law, sines(*pairs), [row["t"] for row in rows])
            self.assert_close(h.u[at], [row["xi"] for row in rows], 1e-9)
            self.assert_close(np.diff(h.work[at], prepend=0), [row["W"] for row in rows], 1e-9)
            self.assert_close(np.diff(h.dissipated[at], prepend=0), [row["D"] for row in rows], 1e-9)

    def test_chapter_3(self):
        data = reference("low_dimensional")["chapter3"]
        motion = sines((0.6748, 1), (0.2887, 6.5581))
        two = data["twostate_alpha_0.0008"]
        values = dict(alpha=1 / 500, sigma=two["sigma"], mu=two["mubar"], b1=two["rotated_b"][0], b2=two["rotated_b"][1])
        for law, rows in ((faying.law("equal-sliders", k=1, phi_max=1, count=500), data["full500"]["exact_at_integer_t"]),
                          (faying.law("two-state", values), two["rows"])):
            h, at = along(law, motion, range(1, 13))
            for name, column in (("f", h.f), ("W", h.work), ("D", h.dissipated)):
                self.assert_close(column[at], [rows[str(t)][name] for t in range(1, 13)], 0, 1e-9)
        increments = faying.law("two-state-increment", values)
        self.assertEqual(len(two["rows"]["incmap"]), 3)
        for dt, row in two["rows"]["incmap"].items():
            n = round(12 / float(dt))
            self.assert_close(increments.follow(motion[0](12.0 * np.arange(1, n + 1) / n)).f[-1], row["f12"], 0, 1e-9)

    def test_appendix_f(self):
        data = reference("low_dimensional")["appendix_F"]["per_cycle_k1_to_12"]
        laws = {"BW": faying.law("bouc-wen", A=1, alpha=0.8, beta=-0.2, n=1),
                "two_state": faying.law("two-state", mu=1, sigma=0.1524, alpha=3.3311, b1=1.1334, b2=1.4232, ks=0.2942)}
        for case, pairs in (("single", ((1, 2 * np.pi),)), ("two", ((1, 2 * np.pi), (0.6, 8 * np.pi)))):
            for key, law in laws.items():
                h, at = along(law, sines(*pairs), range(1, 13))
                self.assert_close(np.diff(h.work[at], prepend=0), data[case][key], 1e-11)

    def test_saturation_and_pinching(self):
        data = reference("low_dimensional")["saturation_and_pinched"]
        for name, alpha, sigma in (("sat_al3.3311_sig0.1524", 3.3311, 0.1524), ("sat_al0.6667_sig0.0625", 2 / 3, 1 / 16),
                                   ("sat_al0.5000_sig0.4900", 0.5, 0.49)):
            law = faying.law("two-state", alpha=alpha, sigma=sigma, b1=data[name]["b1"], b2=data[name]["b2"])
            self.assert_close(law.follow([60.0]).f[0], data[name]["f_u60"], 0, 2e-12)
        for name, K0, eps, xm in (("pinched_K0_4_thm_2_beta_1.8_eps_0.0001_xm_1", 4, 1e-4, 1),
                                  ("pinched_K0_0.5_thm_2_beta_1.8_eps_0.0001_xm_1", 0.5, 1e-4, 1),
                                  ("pinched_K0_4_thm_2_beta_1.8_eps_0.0001_xm_0.01", 4, 1e-4, 0.01),
                                  ("pinched_K0_1.5_thm_2_beta_1.8_eps_1e-08_xm_2", 1.5, 1e-8, 2)):
            law = faying.law("pinched", K0=K0, theta_m=2, beta=1.8, eps=eps)
            self.assert_close(law.cycle(xm).dissipation, data[name]["D_steady"], 1e-9)

    def test_generalized_valanis(self):
        data = reference("generalized_valanis")
        row, law = data["ex1"], faying.law("generalized-valanis", E1=10, E2=20, a1=5)
        h = law.follow(np.tile([row["xmax"], row["xmin"]], 200))
        self.assert_close(h.f[-2:], [row["F_at_xmax"], row["F_at_xmin"]], 1e-9)
        self.assert_close(h.work[-1] - h.work[-3], row["D_per_cycle"], 1e-9)
        # Found again from a loop.
        exact = data["identification"]["ex1"]["id_exact_deriv"]
        u = data["ex1"]["xmax"] * np.sin(np.linspace(0, 8 * np.pi, 4001))
        found = faying.identify(u, law.follow(u).f, "generalized-valanis", terms=["a1"], refine=True).parameters
        for key, name in (("E1", "E1"), ("E2", "E2"), ("a1", "alpha")):
            self.assert_close(found[key], exact[name], 1e-6)


    def test_oscillator_of_table_1(self):
        row = reference("generalized_valanis")["valanis_linear_caseI"]
        E0, Et, kappa, alpha0 = 3000, 100, 0.1, 1
        joint = faying.law("valanis", {"E0": E0, "Et": Et, "kappa": kappa, "lambda": E0 / (alpha0 * (1 - kappa * Et / E0))})
        model = faying.Model([[1.0]], [[100.0]]).add_joint(joint, dofs=0)
        period = 2 * np.pi / 9.85
        run = model.simulate(faying.Load(0, faying.sine(1, 9.85)), u=[0.0], duration=row["cycles"] * period, step=period / 200, method="events",
                             tolerance=1e-10)
        last = run.t > (row["cycles"] - 1.0001) * period
        self.assert_close(run.u[last].max(), row["xmax"], 1e-4)
        work = np.interp([(row["cycles"] - 1) * period, row["cycles"] * period], run.t, run.joint_work)
        self.assert_close(work[1] - work[0], row["D_per_cycle"], 1e-4)


class Networks(Test):
    def test_five_hundred_sliders(self):
        data = reference("sliders_500")
        pairs = {"2.1.1": ((0.4, 1), (1, 4.16753)), "2.1.4": ((1.5, 1), (1, 4.16753)), "2.1.5": ((1, 1), (3, 4.16753)),
                 "2.2.1": ((1, 1), (1.5, np.pi / 4)), "2.2.4": ((1, 1), (1.5, 5 * np.pi / 4)), "2.2.6": ((1, 1), (1.5, 2 * np.pi))}
        self.assertEqual(set(data["cases"]), set(pairs))
        with tempfile.TemporaryDirectory() as folder:
            net = os.path.join(folder, "net.toml")
            with open(net, "w") as file:
                file.write('[network]\ngenerator = "random"\nsize = 500\nseed = 12345\n')
            for name, case in data["cases"].items():
                windows = case["windows"]
                formula = "+".join(f"{a}*sin({w!r}*t)" for a, w in pairs[name])
                h = faying.network(net, signal=formula, time=f"0:{2 * math.pi * len(windows)!r}:{50 * len(windows) + 1}")
                at = 50 * np.arange(1, len(windows) + 1)
                for ours, key, tolerance in ((h.f[at], "f", 1e-11), (h.xi[at], "xi", 1e-8), (h.stored[at], "PE", 1e-8),
                                             (np.diff(h.dissipated[np.r_[0, at]]), "D", 1e-8)):
                    self.assert_close(ours, [w[key] for w in windows], tolerance, 1e-11)
                self.assertEqual(h.slipping[at].tolist(), [w["slipping"] for w in windows])
            for key, value in data["checksum"].items():
                self.assert_close(h.data["checksum"][key], value, 1e-12)


class Bending(Test):
    def setUp(self):
        self.strip = reference("geometric")["flat_clamped_strip"]
        self.deck = os.path.join(DECKS, "flat.inp")

    def test_strip(self):
        points = self.strip["static"]["S1"]
        found = faying.sice(self.deck, [p["q"] for p in points], orders="3:7", taylor=5)
        self.assert_close(found.data["omega"] ** 2, self.strip["omega1_sq"], 1e-8)
        self.assert_close(found.alpha, [p["alpha"] for p in points], 1e-7)
        for j, tolerance in (("1", 1e-9), ("3", 1e-7), ("5", 1e-6)):
            self.assert_close(found.taylor[j], self.strip["ICE_taylor"][j], tolerance)
        self.assert_close(faying.deck_modes(self.deck, 6).frequency, self.strip["frequencies_hz"], 1e-7)

    def test_polynomials_fitted_to_the_strip(self):
        points = self.strip["static"]["S1"]
        found = faying.sice(self.deck, [p["q"] for p in points], orders="3:9")
        for order, wanted in self.strip["SICE_fits"]["S1"].items():
            ours = found.data["fits"][order]["k"]
            for j, k in wanted["k"].items():
                if int(j) % 2 and int(order) <= 5:  # even ones are rounding: the strip is symmetric
                    self.assert_close(ours[j], k, 1e-5)

    def test_free_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "duffing.toml")
            for order in "3579":
                k = self.strip["SICE_fits"]["S1"][order]["k"]
                with open(model, "w") as file:
                    file.write(f"[structure]\nmass = [[1]]\nstiffness = [[{self.strip['omega1_sq']!r}]]\n[[joint]]\nlaw = \"polynomial\"\n"
                               f"parameters = {{ k1 = 0, {', '.join(f'k{j} = {v!r}' for j, v in k.items())} }}\ndofs = [1]\n")
                wanted = self.strip["NNM_of_fits"]["S1"][order]
                found = faying.nnm(model, [p["q_plus"] for p in wanted])
                for name in ("omega", "energy", "q_minus"):
                    self.assert_close(getattr(found, name), [p[name] for p in wanted], 1e-10)
        wanted = [p for p in self.strip["full_FE_NNM_HB_H9"] if p["q1"] in (2e-4, 4e-4)]
        found = faying.nnm(self.deck, [2e-4, 4e-4], harmonics=9)
        self.assert_close(found.omega, [p["omega"] for p in wanted], 1e-7)

    def test_oscillator_with_friction(self):
        data = reference("ignl_sdof")
        rows = data["closed_form"]
        found = faying.ignl(SDOF, [r["q"] for r in rows])
        self.assert_close(found.omega, [r["omega_ignl"] for r in rows], 1e-9)
        self.assert_close(found.zeta_eq32, [r["zeta_ignl"] for r in rows], 1e-6)
        self.assert_close(found.dissipation_loop, [r["D"] for r in rows], 1e-5)
        peaks = sorted(data["K3=5.396e+10"]["peak_table"], key=lambda r: r["q"])
        found = faying.ignl(SDOF, [r["q"] for r in peaks])
        self.assert_close(found.zeta_tangent, [r["zeta_tangent_formula"] for r in peaks], 3e-5)
        self.assert_close(found.omega, [r["ignl_omega"] for r in peaks], 1e-8)

    def test_ring_down_of_the_oscillator(self):
        data = reference("ignl_sdof")["K3=5.396e+10"]
        model = faying.read_model(SDOF)
        self.assert_close(model.quasistatic({0: [0, data["Fmax_static"]]}).displacement[-1], data["X0"], 1e-9)
        times = [float(t) for t in data["state_u_v"]]
        run = model.simulate(u=[data["X0"]], duration=times[-1], step=1e-3, method="events", samples=times)
        for i, t in enumerate(times):
            wanted = data["state_u_v"][[k for k in data["state_u_v"] if float(k) == t][0]]
            self.assert_close([run.samples["u"][i][0], run.samples["v"][i][0]], wanted, 1e-6)


class ThreeMasses(Test):
    def setUp(self):
        self.data = reference("three_mass")
        self.model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], 1e-4)
        self.model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")

    def test_modes(self):
        shapes = self.model.modes(about="stuck").shapes
        wanted = np.array(self.data["Phi0_columns_by_row"])
        self.assert_close(np.abs(shapes), np.abs(wanted), 1e-12)
        slip = self.model.modes(about="slipping")
        self.assert_close(np.abs(slip.shapes), np.abs(self.data["Phi_inf"]), 1e-12)
        self.assert_close(slip.omega**2, self.data["Kinf_hat_omega_inf_sq"], 1e-12)
        stuck = self.model.modes(about="stuck").omega
        self.assert_close(stuck**2 - slip.omega**2, self.data["KT_hat"], 1e-9)

    def test_states_of_both_hits(self):
        shapes = self.model.modes(about="stuck").shapes
        for name, shape in (("impact_mass2_p30", [0, 1, 0]), ("selective_mode2_p9_phi02", None)):
            case = self.data["states"][name]
            force = np.array(case["force_vec"])
            run = self.model.simulate(faying.Load(force, faying.half_sine(1, case["omega_pulse"])), duration=4000, step=1, method="events",
                                      samples=[10, 100, 1000, 4000])
            for i, t in enumerate(("10", "100", "1000", "4000")):
                wanted = case["continuum_converged"][t]
                for ours, key in ((run.samples["q"][i], "q"), (shapes.T @ (10 * run.samples["v"][i]), "qdot")):
                    scale = np.max(np.abs(wanted[key]))
                    self.assert_close(np.abs(ours), np.abs(wanted[key]), 1e-6, 1e-6 * scale)

    def test_one_harmonic(self):
        """EPMC with one harmonic, beside the reference's, which leaves out what friction does to the shape."""
        for row in self.data["rqnma"]:
            bones = self.model.backbone(row["mode"], [row["q"]], method="epmc", harmonics=[1])
            self.assert_close(bones.omega, row["omega_hb1"], 1e-4)
            self.assert_close(bones.dissipation, row["D_hb1"], 2e-3)

    def test_backbone_of_microslip(self):
        rows = self.data["procedure_I_microslip"]
        self.assertEqual(len(rows), 9)
        for row in rows:
            order = np.argsort(row["q"])
            bones = self.model.backbone(row["mode"], np.array(row["q"])[order])
            # What a ring-down shows, by Hilbert: segments of a decaying record.
            self.assert_close(bones.omega, np.array(row["omega"])[order], 2e-4)
            self.assert_close(bones.zeta, np.array(row["zeta"])[order], 0.12)


if __name__ == "__main__":
    unittest.main()
