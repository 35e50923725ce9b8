"""Closed forms and paths of single laws (tests/reference/laws.json)."""

import unittest

import numpy as np

import faying
from support import ReferenceTest


class Laws(ReferenceTest):
    file = "laws"

    def test_iwan4(self):
        data = self.data["iwan4_S2"]
        law = faying.law("iwan4", **data["params"])
        phimax, chi = data["phimax"], data["params"]["chi"]
        self.assert_close(law.macroslip, phimax, 1e-14)
        c = (data["params"]["KT"] - law.follow([1.0]).f[0]) / 1.0 ** (chi + 2)
        self.assert_close(c, data["c"], 1e-13)
        self.assert_close(c * (chi + 1) * (chi + 2), data["R"], 1e-13)
        self.assert_close(law.follow([phimax * (1 - 1e-13)]).tangent[0], data["S"], 1e-12)
        rows = data["table"]
        self.assertEqual(len(rows), 5)
        A = np.array([row["A"] for row in rows])
        self.assert_close(A, [phimax * row["A_over_phimax"] for row in rows], 1e-15)
        cycles = law.cycle(A)
        for name, ours in (("K_secant", cycles.secant), ("D_cycle", cycles.dissipation),
                           ("K_first_harmonic", cycles.harmonic_stiffness), ("zeta_elem_D_over_2piKsecA2", cycles.damping_ratio)):
            self.assert_close(ours, [row[name] for row in rows], 1e-12)
        for row in rows:
            first = law.follow([row["A"]])
            self.assert_close(first.f[0], row["F_monotonic"], 1e-12)
            self.assert_close(first.tangent[0], row["K_tangent"], 0, 1e-12)

    def test_jenkins(self):
        data = self.data["jenkins"]
        rows = data["table"]
        self.assertEqual(len(rows), 5)
        cycles = faying.law("jenkins", **data["params"]).cycle([row["A"] for row in rows])
        self.assert_close(cycles.dissipation, [row["D"] for row in rows], 1e-12, 1e-12)
        self.assert_close(cycles.harmonic_stiffness, [row["K_first_harmonic"] for row in rows], 1e-12)

    def test_bouc_wen(self):
        data = self.data["bouc_wen_n1"]
        law = faying.law("bouc-wen", A=data["A"], alpha=data["alpha"], beta=data["beta"], n=1)
        self.assert_close(law.follow(data["path"]).f, data["n1_eq12"], 0, 3e-10)  # the reference's integrator

    def test_valanis(self):
        data = self.data["valanis"]
        law = faying.law("valanis", {key: data[key] for key in ("E0", "Et", "lambda", "kappa")})
        self.assertEqual(len(data["monotonic"]), 3)
        for u, f in data["monotonic"].items():
            self.assert_close(law.follow([float(u)]).f[0], f, 1e-12)
        self.assert_close(law.follow(data["path"]).f, data["cyclic"], 0, 1e-10)
        offset = law.follow([100.0]).f[0] - data["Et"] * 100
        self.assert_close(offset, data["asymptote_offset"], 1e-12)
        stuck = law.follow([0.0]).tangent[0]
        self.assert_close(stuck * offset / (stuck - data["Et"]), data["sigma0_eq17"], 1e-12)  # where both lines meet


if __name__ == "__main__":
    unittest.main()
