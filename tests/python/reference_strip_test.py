"""A flat clamped strip that bends far, solved by another program (tests/reference/geometric.json)."""

import os
import tempfile
import unittest

import numpy as np

import faying
from support import SOURCE, ReferenceTest

DECK = os.path.join(SOURCE, "tests", "reference", "decks", "flat.inp")
ORDERS = "3579"


class Strip(ReferenceTest):
    file, sections = "geometric", ("flat_clamped_strip", "tolerances")
    not_read = {"/tolerances/*": "wider than what is held here", "*/iters": "of the reference's solver",
                "*/u_center_x": "nothing, by symmetry: its rounding"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.strip = cls.data["flat_clamped_strip"]
        cls.points = cls.strip["static"]["S1"]
        cls.static = faying.sice(DECK, cls.column(cls.points, "q"), orders="3:9", taylor=9)
        cls.modes = faying.deck_modes(DECK, 6)

    @staticmethod
    def column(rows, name):
        return np.array([row[name] for row in rows])

    def test_inputs(self):
        E, nu, rho, chord, h, b = (self.strip[key] for key in ("E", "nu", "rho", "chord", "h", "thickness"))
        self.assert_close(self.modes.data["mass"], self.strip["mass"], 1e-12)
        self.assert_close(self.strip["mass"], rho * chord * h * b, 1e-12)
        self.assertEqual(self.strip["rise"], 0)
        # Bernoulli's beam in plane strain; clamps that hold the height of the section too make the strip 0.2 % stiffer.
        beam = 4.730041**2 / chord**2 * np.sqrt(E * h**2 / (12 * (1 - nu**2) * rho))
        self.assert_close(self.modes.omega[0], beam, 3e-3)

    def test_modes(self):
        # An assembled K loses 2e-7 of omega^2 on a mesh this thin; what sice says of mode 1 comes from strains, as the reference.
        self.assert_close(self.modes.frequency, self.strip["frequencies_hz"], 1e-7)
        self.assert_close(self.static.data["omega"] ** 2, self.strip["omega1_sq"], 1e-12)
        self.assert_close(np.abs(self.modes.shapes[:, 0]).max(), self.strip["phi1_center_y"], 1e-8)

    def test_static_points(self):
        for name, key, tolerance in (("alpha", "alpha", 1e-12), ("slope", "dalpha_dq", 1e-6), ("energy", "energy", 1e-11)):
            self.assert_close(getattr(self.static, name), self.column(self.points, key), tolerance)
        held = faying.sice(DECK, self.column(self.points, "w_center"), control="displacement", node=(self.strip["center_node"], 2), orders="3")
        for name in ("q", "alpha"):
            self.assert_close(getattr(held, name), self.column(self.points, name), 1e-12)

    def negligible(self, k, j):
        """Even coefficients are rounding, by symmetry: next to the load where q is greatest."""
        self.assertLess(abs(k) * max(self.column(self.points, "q")) ** j, 1e-12 * max(self.column(self.points, "alpha")))

    def test_exact_coefficients(self):
        for j, k in self.strip["ICE_taylor"].items():
            if int(j) % 2:
                self.assert_close(self.static.taylor[j], k, 1e-12)
            else:
                self.negligible(self.static.taylor[j], int(j))
                self.negligible(k, int(j))

    def test_fits(self):
        fits = self.strip["SICE_fits"]["S1"]
        self.assertEqual(set(fits), set(self.static.data["fits"]))
        for order, wanted in fits.items():
            ours = self.static.data["fits"][order]
            self.assert_close(ours["rms"] ** 2, wanted["J"], 1e-8)
            for j, k in wanted["k"].items():
                if int(j) % 2:
                    self.assert_close(ours["k"][j], k, 1e-9)
                else:
                    self.negligible(ours["k"][j], int(j))
                    self.negligible(k, int(j))

    def free_motion(self, order, amplitudes):
        """Of the reference's polynomial of that order."""
        k = self.strip["SICE_fits"]["S1"][order]["k"]
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "polynomial.toml")
            with open(model, "w") as file:
                file.write(f"[structure]\nmass = [[1]]\nstiffness = [[{self.strip['omega1_sq']!r}]]\n[[joint]]\nlaw = \"polynomial\"\n"
                           f"parameters = {{ k1 = 0, {', '.join(f'k{j} = {v!r}' for j, v in k.items())} }}\ndofs = [1]\n")
            return faying.nnm(model, amplitudes, harmonics=31)

    def test_free_motion_of_the_fits(self):
        for order in ORDERS:
            wanted = self.strip["NNM_of_fits"]["S1"][order]
            found = self.free_motion(order, self.column(wanted, "q_plus"))
            for name, key in (("omega", "omega"), ("frequency", "hz"), ("energy", "energy"), ("q_minus", "q_minus")):
                self.assert_close(getattr(found, name), self.column(wanted, key), 1e-12)
            for point, row in zip(found.data["points"], wanted):
                mean, *waves = point["harmonics"]
                about_mean = np.linalg.norm(waves) / np.sqrt(2)
                self.assert_close(mean, row["mean"], 0, 1e-14 * row["q_plus"])
                self.assert_close(about_mean, row["rms_about_mean"], 1e-11)
                self.assert_close(np.hypot(mean, about_mean), row["rms_about_zero"], 1e-11)

    def test_free_motion_of_the_mesh(self):
        wanted = self.strip["full_FE_NNM_HB_H9"]
        self.assertEqual(len(wanted), 11)
        found = faying.nnm(DECK, self.column(wanted, "q1"), harmonics=9, shapes=True)
        for name, key in (("omega", "omega"), ("frequency", "hz"), ("q_plus", "q_t0"), ("q_minus", "q_thalf"), ("energy", "energy")):
            self.assert_close(getattr(found, name), self.column(wanted, key), 1e-11)
        centre = np.abs(self.modes.shapes[:, 0]).argmax()
        for point, row in zip(found.data["points"], wanted):
            self.assert_close(point["harmonics"], row["q_harmonics"], 0, 1e-12 * row["q1"])
            waves = np.array(point["motion"])[:, centre]
            self.assert_close(waves.sum(), row["center_t0"], 1e-11)
            self.assert_close(waves @ (-1.0) ** np.arange(len(waves)), row["center_thalf"], 1e-11)

    def test_fits_beside_the_mesh(self):
        """How far they are off at the same tips; the reference compared them with its answer of seven harmonics."""
        wanted = self.strip["SICE_error_vs_full_FE"]
        mesh = faying.nnm(DECK, self.column(self.strip["full_FE_NNM_HB_H9"], "q1"), harmonics=7)
        for name, key in (("q_plus", "q_t0"), ("q_minus", "q_thalf"), ("frequency", "hz_full"), ("energy", "energy_full")):
            self.assert_close(getattr(mesh, name), self.column(wanted, key), 1e-11)
        for order in ORDERS:
            fit = self.free_motion(order, mesh.q_plus)
            self.assert_close(fit.q_minus, self.column(wanted, f"S1_o{order}_qminus"), 1e-11)
            self.assert_close(100 * (fit.omega / mesh.omega - 1), self.column(wanted, f"S1_o{order}_pct"), 0, 1e-9)


if __name__ == "__main__":
    unittest.main()
