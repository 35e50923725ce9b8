"""What the command line prints, to the bit, of analyses that laws_test, models_test and fits_test do not compare."""

import os
import tempfile
import unittest

import numpy as np

import faying
from support import SOURCE, Test, command

THREE = os.path.join(SOURCE, "examples", "three_masses", "model.toml")
SDOF = os.path.join(SOURCE, "examples", "panel", "sdof.toml")
DECK = os.path.join(SOURCE, "tests", "reference", "decks", "flat.inp")


class SameBits(Test):
    def setUp(self):
        self.model = faying.read_model(THREE)

    def test_responses(self):
        told = command("response", THREE, "--force", "at=3,p=0.1;0.5", "--omega", "0.40:0.44", "--harmonics", "3")["points"]
        ours = self.model.response(2, [0.1, 0.5], (0.40, 0.44), harmonics=3)
        self.assertEqual([one.force for one in ours], [0.1, 0.5])
        for name in ("omega", "a", "dissipation", "residual"):
            self.assert_same(np.concatenate([getattr(one, name) for one in ours]), [p[name] for p in told])
        stable = [{True: "stable", False: "unstable", None: "unknown"}[p["stable"]] for p in told]
        self.assertEqual(np.concatenate([one.stability for one in ours]).tolist(), stable)

    def test_held_amplitude(self):
        told = command("response", THREE, "--force", "at=3,p=1", "--hold", "displacement=1,at=3", "--omega", "0.40:0.44")["points"]
        ours = self.model.response(2, 1.0, (0.40, 0.44), hold=(2, "displacement", 1.0))
        self.assert_same(ours.point_force, [p["force"] for p in told])
        self.assert_same(ours.omega, [p["omega"] for p in told])

    def test_phase_resonance(self):
        told = command("response", THREE, "--force", "at=3,p=0.2", "--force-range", "0.05:0.5", "--phase-resonance", "1", "--no-stability")["points"]
        ours = self.model.resonance(2, (0.05, 0.5), 1, at=[0.2])
        for name, key in (("point_force", "force"), ("omega", "omega"), ("a", "a")):
            self.assert_same(getattr(ours, name), [p[key] for p in told])

    def test_enough_harmonics(self):
        told = command("backbone", THREE, "--method", "epmc", "--mode", "1", "--at", "1,50", "--harmonics", "auto:0.02")
        ours = self.model.backbone(1, [1, 50], method="epmc", harmonics="auto:0.02")
        self.assertEqual(list(ours.orders), told["orders"])
        self.assert_same(ours.omega, [p["omega"] for p in told["points"]])
        self.assert_same(ours.zeta, [p["zeta"] for p in told["points"]])

    def test_slow_histories(self):
        told = command("quasistatic", THREE, "--force", "at=3,p=1", "--path", "0,8,-8,8", "--events")
        ours = self.model.quasistatic({2: [0, 8, -8, 8]}, events=True)
        for name in ("load", "displacement", "dissipated"):
            self.assert_same(getattr(ours, name), told[name])
        self.assertEqual(len(ours.data["events"]), len(told["events"]))
        self.assertEqual(ours.x.shape, (4, 3))
        told = command("quasistatic", THREE, "--force", "at=3,p=8", "--cycle", "1")
        ours = self.model.quasistatic({2: 8.0}, cycle=True)
        self.assertEqual(ours.data["loop"]["dissipation"], told["loop"]["dissipation"])

    def test_bending(self):
        at = "1e-4,1e-3"
        told, ours = command("ignl", SDOF, "--at", at)["points"], faying.ignl(SDOF, [1e-4, 1e-3])
        self.assert_same(ours.omega, [p["omega"] for p in told])
        self.assert_same(ours.zeta_tangent, [p["zeta"]["tangent"] for p in told])
        told, ours = command("sice", DECK, "--at", at, "--orders", "3"), faying.sice(DECK, [1e-4, 1e-3], orders="3", check=False)
        self.assert_same(ours.alpha, [p["alpha"] for p in told["points"]])
        told, ours = command("nnm", DECK, "--at", "2e-4", "--harmonics", "5")["points"], faying.nnm(DECK, [2e-4], harmonics=5)
        self.assert_same(ours.omega, [p["omega"] for p in told])
        told, ours = command("modes", DECK, "--count", "4"), faying.deck_modes(DECK, 4)
        self.assert_same(ours.omega, told["omega"])

    def test_networks(self):
        with tempfile.TemporaryDirectory() as folder:
            net = os.path.join(folder, "net.toml")
            with open(net, "w") as file:
                file.write('[network]\ngenerator = "random"\nsize = 40\nseed = 3\n')
            told, ours = command("network", net, "--path", "0,3,-2,2.5"), faying.network(net, [0, 3, -2, 2.5])
            for name in ("f", "xi", "dissipated", "stored", "slipping"):
                self.assert_same(getattr(ours, name), told[name])
            law = os.path.join(folder, "law.toml")
            told = command("condense", net, "--states", "3", "--out", os.path.join(folder, "told.toml"))
            few = faying.condense(net, 3)
            self.assertEqual(few.data["worst"], told["worst"])
            few.write(law)
            with open(law) as ours_file, open(os.path.join(folder, "told.toml")) as told_file:
                self.assertEqual(ours_file.read(), told_file.read())
            self.assertEqual(len(faying.law(law).follow([0, 1, -1])), 3)


if __name__ == "__main__":
    unittest.main()
