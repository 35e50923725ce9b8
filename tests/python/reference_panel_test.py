"""A panel on slipping supports, solved by another program (tests/reference/geometric.json)."""

import os
import unittest

import numpy as np

import faying
from support import SOURCE, ReferenceTest

PANEL = os.path.join(SOURCE, "examples", "panel", "panel.toml")
CONTACT = os.path.join(SOURCE, "examples", "panel", "panel_contact.csv")
CENTRE = 443, 2


class Panel(ReferenceTest):
    file, sections = "geometric", ("slipping_panel",)
    not_read = {"*/preload/contact/*/T": "nothing, without friction: its rounding", "*/preload/left_tangential": "the same"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.panel = cls.data["slipping_panel"]
        cls.stuck = faying.sice(PANEL, cls.column(cls.panel["A_tied"], "q"), orders="3:5")
        cls.preload = cls.stuck.data["preload"]

    @staticmethod
    def column(rows, name):
        return np.array([row[name] for row in rows])

    def test_contact_areas(self):
        """Those that the example reads are the reference's."""
        given = np.loadtxt(CONTACT, delimiter=",")
        rows = self.panel["preload"]["contact"]
        self.assertEqual(len(rows), self.preload["sites"])
        order = np.argsort(given[:, 0])
        for name, column in (("node", 0), ("x", 1), ("area", 2)):
            self.assert_close(given[order, column], self.column(sorted(rows, key=lambda row: row["node"]), name), 1e-11, 1e-15)

    def test_preload(self):
        wanted = self.panel["preload"]
        self.assert_close(self.preload["largest_displacement"], wanted["center_y"], 1e-11)
        self.assert_close(self.preload["normal_force"], wanted["sum_normal"], 1e-11)
        self.assertEqual(self.preload["closed"], wanted["closed"])
        # Node by node the module does not tell it.
        normal = self.column(wanted["contact"], "N")
        self.assert_close(normal.sum(), self.preload["normal_force"], 1e-11)
        self.assertEqual(np.count_nonzero(normal), self.preload["closed"])

    def test_modes(self):
        self.assert_close(self.stuck.data["frequencies"], self.panel["frequencies_hz"], 1e-7)  # only the first is refined
        w = 1e-7
        found = faying.sice(PANEL, [w, -w], control="displacement", node=CENTRE, orders="3", check=False)
        self.assert_close(2 * w / (found.q[0] - found.q[1]), self.panel["phi1_center_y"], 2e-9)

    def test_stuck(self):
        rows = self.panel["A_tied"]
        self.assertEqual(len(rows), 20)
        self.assert_close(self.stuck.alpha, self.column(rows, "alpha"), 1e-9)
        held = faying.sice(PANEL, self.column(rows, "dw_center"), control="displacement", node=CENTRE, orders="3:5")
        self.assert_close(held.q, self.column(rows, "q"), 1e-9)
        curve = faying.ignl(PANEL, -self.column(rows, "q"), order=5, grid=len(rows), loops=False, curves=True, check=False).data["negative"]
        self.assert_close(curve["normal_stuck"], self.column(rows, "sum_normal"), 1e-9)
        self.assertEqual({(row["closed"], row["slipping"]) for row in rows}, {(self.preload["closed"], 0)})  # that is what tied means

    def test_slipping(self):
        rows = self.panel["C_pos"]
        self.assertEqual(len(rows), 20)
        q = self.column(rows, "q")
        found = faying.ignl(PANEL, q, order=5, grid=len(q), loops=False, curves=True, check=False)  # Masing's rule does not hold here
        self.assert_close(self.column(found.data["points"], "alpha_slip"), self.column(rows, "alpha"), 1e-9)
        curve = found.data["positive"]
        self.assert_close(curve["q"], q, 1e-12)
        self.assert_close(curve["normal_slip"], self.column(rows, "sum_normal"), 1e-9)
        # Ours is that of the node which moves most in the mode, beside the centre.
        self.assert_close(curve["displacement_slip"], self.column(rows, "dw_center"), 2e-5)
        for name in ("closed", "slipping"):
            self.assertEqual(list(curve[name]), self.column(rows, name).tolist())

    def test_loop(self):
        wanted = self.panel["loop"][0]
        found = faying.ignl(PANEL, [wanted["q"]], order=5, grid=20, loop_steps=20)
        D = wanted["D_trapezoid_of_alpha_dq"]
        self.assert_close(found.dissipation_loop, D, 1e-9)
        tip = found.data["points"][0]
        self.assert_close(tip["alpha_slip"], wanted["alpha_at_plus_first"], 1e-9)
        self.assertLess(tip["loop_closure"], 1e-11)
        self.assert_close(wanted["alpha_at_plus_second"], tip["alpha_slip"], 1e-9)
        # The way out is ours point by point; what comes after it has that area and those ends.
        q, alpha = np.array(wanted["path"]).T
        out = faying.ignl(PANEL, q[:20], order=5, grid=20, loops=False, check=False)
        self.assert_close(self.column(out.data["points"], "alpha_slip"), alpha[:20], 1e-8)
        self.assert_close(np.sum((alpha[20:] + alpha[19:-1]) * np.diff(q[19:])) / 2, D, 1e-12)
        self.assert_close([tip["alpha_minus"], alpha[59]], wanted["alpha_at_minus"], 1e-8)


if __name__ == "__main__":
    unittest.main()
