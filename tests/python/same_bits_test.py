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

    def test_peaks_and_the_mode_alone(self):
        words = ["--force", "at=3,p=0.1", "--omega", "0.40:0.44", "--output", "tip", "--synthesis", "1"]
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model.toml")
            with open(THREE) as source, open(file, "w") as copy:
                copy.write(source.read() + '\n[[output]]\nname = "tip"\ndof = 3\n')
            told = command("response", file, *words)
            ours = faying.read_model(file).response(2, 0.1, (0.40, 0.44), outputs="tip", synthesis=1)
        self.assert_same(ours.peaks["tip"], [p["peak"] for p in told["points"]])
        self.assert_same(ours.synthesis["a"], told["synthesis"][0]["a"])
        for mine, theirs in zip(ours.data, told["points"]):
            self.assert_same(np.array(mine["multipliers"]), np.array(theirs["multipliers"]))

    def test_nonlinear_modes(self):
        told = command("backbone", THREE, "--method", "epmc", "--mode", "2", "--at", "1,30", "--harmonics", "3", "--derivatives")["points"]
        ours = self.model.backbone(2, [1, 30], method="epmc", harmonics=3, derivatives=True)
        for name in ("q", "omega", "zeta", "dissipation", "residual", "iterations"):
            self.assert_same(getattr(ours, name), [p[name] for p in told])
        self.assert_same(ours.harmonics, [np.array(p["harmonics"]).T for p in told])
        self.assert_same(ours.dissipation_by_joint, [p["dissipation_by_joint"] for p in told])
        self.assertEqual(ours.status, [p["status"] for p in told])
        for k, (joint, parameter) in enumerate(ours.derivatives["names"]):
            for of in ("omega", "zeta"):
                self.assert_same(ours.slope(of, joint, parameter), [p["derivatives"][k][of] for p in told])
        with self.assertRaisesRegex(faying.BadInput, "slope: of omega or zeta"):
            ours.slope("dissipation", *ours.derivatives["names"][0])

    def test_backbones(self):
        told = command("backbone", THREE, "--mode", "2", "--at", "1,30,400", "--derivatives")["points"]
        ours = self.model.backbone(2, [1, 30, 400], derivatives=True)
        for name in ("q", "omega", "zeta", "zeta_friction", "dissipation", "residual", "iterations", "masing_error"):
            self.assert_same(getattr(ours, name), [p[name] for p in told])
        self.assert_same(ours.shapes, [p["shape"] for p in told])
        self.assertEqual(ours.status, [p["status"] for p in told])
        for k, (joint, parameter) in enumerate(ours.derivatives["names"]):
            for of in ("omega", "zeta", "dissipation"):
                self.assert_same(ours.slope(of, joint, parameter), [p["derivatives"][k][of] for p in told])

    def test_time_histories(self):
        told = command("simulate", THREE, "--impulse", "at=2,p=30,omega=1.7", "--time", "40", "--dt", "0.05", "--sample", "10,40")
        ours = self.model.simulate(faying.Load(1, faying.half_sine(30, 1.7)), duration=40, step=0.05, samples=[10, 40])
        for name in ("u", "v", "joint_displacement", "joint_force"):
            self.assert_same(ours.samples[name], told[name])
        for name in ("energy", "steps", "reversals", "truncation"):
            self.assertEqual(ours.data[name], told[name])
        self.assertEqual((ours.energy_error, ours.energy_held), (told["energy"]["error"], told["energy"]["held"]))

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
