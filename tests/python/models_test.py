"""Models through Python: the command line's bits, every way in, refusals."""

import os
import pickle
import tempfile
import unittest

import numpy as np
import scipy.io
import scipy.sparse

import faying
from own_laws import Breaking, Slider
from support import SOURCE, Test, command

IWAN = dict(FS=10, KT=1, chi=-0.5, beta=5)
THREE = os.path.join(SOURCE, "examples", "three_masses", "model.toml")
BEAM = os.path.join(SOURCE, "data", "brake_reuss", "whole_joint.h5")
STIFFNESS = [[18, -9, 0], [-9, 18, -9], [0, -9, 9]]


def three_masses(law=None, **kwargs):
    model = faying.Model(10 * np.eye(3), STIFFNESS, damping=1e-4, **kwargs)
    return model.add_joint(law or faying.law("iwan4", **IWAN), dofs=(1, 2), name="lap")


def beam():
    reduced = faying.Reduced.read(BEAM)
    model = reduced.model(static={"preload": 12845}, damping=1e-4)
    model.add_joint(faying.law("iwan4", FS=2e6, KT=1e12, chi=-0.3, beta=0.5), patches="all", along="tangential", per_area=True,
                    name="friction")
    return model.add_joint(faying.law("polynomial", k1=1e13), patches="all", along="normal", per_area=True, name="contact")


class SameBits(Test):
    def test_modes(self):
        for about in ("stuck", "slipping"):
            told, ours = command("modes", THREE, "--about", about), faying.read_model(THREE).modes(about=about)
            self.assert_same(ours.omega, told["omega"])
            self.assert_same(ours.shapes.T, told["shapes"])
            self.assert_same(ours.frequency, told["frequency"])

    def test_backbones(self):
        q = np.array([0.1, 1.0, 30.0, 200.0])
        for words, options in (([], {}), (["--method", "qsma"], dict(method="qsma")), (["--framework", "loops"], dict(framework="loops")),
                               (["--dissipation", "modal"], dict(dissipation="modal"))):
            told = command("backbone", THREE, "--mode", "2", "--at", ",".join(map(repr, q)), *words)["points"]
            ours = faying.read_model(THREE).backbone(2, q, **options)
            for name in ("q", "omega", "zeta", "zeta_friction", "dissipation", "residual"):
                self.assert_same(getattr(ours, name), [p[name] for p in told])
            self.assert_same(ours.shapes, [p["shape"] for p in told])
        made = three_masses().backbone(2, q)
        self.assert_same(made.omega, faying.read_model(THREE).backbone(2, q).omega)

    def test_derivatives(self):
        told = command("backbone", THREE, "--at", "1,30", "--derivatives")["points"]
        ours = faying.read_model(THREE).backbone(1, [1, 30], derivatives=True)
        seen = 0
        for i, point in enumerate(told):
            for entry in point["derivatives"]:
                self.assertEqual(ours.slope("omega", entry["joint"], entry["parameter"])[i], entry["omega"])
                self.assertEqual(ours.slope("zeta", entry["joint"], entry["parameter"])[i], entry["zeta"])
                seen += 1
        self.assertEqual(seen, 8)

    def test_epmc_and_response(self):
        told = command("backbone", THREE, "--method", "epmc", "--harmonics", "3", "--at", "1,30")["points"]
        ours = faying.read_model(THREE).backbone(1, [1, 30], method="epmc", harmonics=3)
        for name in ("omega", "zeta", "dissipation"):
            self.assert_same(getattr(ours, name), [p[name] for p in told])
        self.assert_same(np.swapaxes(ours.harmonics, 1, 2), [p["harmonics"] for p in told])
        told = command("response", THREE, "--force", "at=3,p=0.5", "--omega", "0.40:0.45", "--harmonics", "3")["points"]
        ours = faying.read_model(THREE).response(2, 0.5, (0.40, 0.45), harmonics=3)
        self.assertGreater(len(told), 10)
        for name in ("omega", "a", "dissipation", "residual"):
            self.assert_same(getattr(ours, name), [p[name] for p in told])

    def test_beam(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model.toml")
            with open(os.path.join(SOURCE, "examples", "brake_reuss", "model.toml")) as f:
                text = f.read().replace("whole_joint.h5", BEAM)
            with open(file, "w") as f:
                f.write(text)
            q = [1e-5, 1e-3]
            told = command("backbone", file, "--at", ",".join(map(repr, q)))["points"]
            for model in (faying.read_model(file), beam()):
                ours = model.backbone(1, q)
                self.assert_same(ours.omega, [p["omega"] for p in told])
                self.assert_same(ours.zeta, [p["zeta"] for p in told])
            told, ours = command("preload", file), beam().preload()
            self.assert_same(ours.u, told["u"])
            self.assert_same(ours.site_displacement["friction"], told["sites"]["friction"])

    def test_simulation(self):
        told = command("simulate", THREE, "--impulse", "at=2,p=30,omega=1.7", "--time", "20", "--dt", "0.02", "--sample", "10,20")
        ours = faying.read_model(THREE).simulate(faying.Load(1, faying.half_sine(30, 1.7)), duration=20, step=0.02, samples=[10, 20])
        self.assert_same(ours.samples["t"], told["t"])
        self.assert_same(ours.samples["u"], told["u"] if "u" in told else told["displacement"])


class WaysIn(Test):
    def test_dense_sparse_and_files(self):
        dense = three_masses()
        sparse = faying.Model(scipy.sparse.csc_matrix(10 * np.eye(3)), scipy.sparse.coo_matrix(STIFFNESS), 1e-4)
        sparse.add_joint(faying.law("iwan4", **IWAN), rows=scipy.sparse.csr_matrix([[0, -1.0, 1.0]]), name="lap")
        self.assert_same(sparse.backbone(1, [1, 10]).omega, dense.backbone(1, [1, 10]).omega)
        with tempfile.TemporaryDirectory() as folder:
            scipy.io.savemat(os.path.join(folder, "m.mat"), {"M": 10 * np.eye(3), "K": np.array(STIFFNESS, dtype=float)})
            with open(os.path.join(folder, "model.toml"), "w") as f:
                f.write('[structure]\nfile = "m.mat"\nmass = "M"\nstiffness = "K"\n[[joint]]\nlaw = "jenkins"\n'
                        'parameters = { kt = 1, fs = 2 }\ndofs = [2, 3]\n')
            read = faying.Model.read(os.path.join(folder, "model.toml"))
            self.assert_same(read.stiffness, STIFFNESS)
            self.assertEqual(read.joints[0].law, faying.law("jenkins", kt=1, fs=2))

    def test_damping_matrix_and_outputs(self):
        model = faying.Model(np.eye(2), [[2, -1], [-1, 2]], damping=0.01 * np.eye(2)).add_output("tip", 1).add_output("sum", row=[1, 1])
        self.assert_same(model.damping, 0.01 * np.eye(2))
        self.assertEqual(list(model.outputs), ["tip", "sum"])
        model.add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
        bones = model.backbone(1, [1e-3, 0.5], amplitude_of="displacement", output="tip")
        self.assert_close(bones.q * np.abs(bones.shapes[:, 1]), [1e-3, 0.5], 1e-9)

    def test_reduced_models_go_round(self):
        reduced = faying.Reduced.read(BEAM)
        self.assertIn("preload", reduced.loads)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("again.h5", "again.mat"):
                file = os.path.join(folder, name)
                reduced.write(file)
                again = faying.Reduced.read(file)
                self.assert_same(again.stiffness, reduced.stiffness)
                self.assertEqual(again.patches, reduced.patches)

    def test_copies_and_parameters(self):
        model = three_masses()
        softer = model.replace(lap={"FS": 5})
        self.assertEqual((model.joints[0].law.parameters["FS"], softer.joints[0].law.parameters["FS"]), (10, 5))
        self.assertLess(softer.backbone(1, [100]).omega, model.backbone(1, [100]).omega)
        other = model.copy().add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0)
        self.assertEqual((len(model.joints), len(other.joints)), (1, 2))
        again = pickle.loads(pickle.dumps(model.add_output("tip", 2)))
        self.assert_same(again.backbone(1, [1]).omega, model.backbone(1, [1]).omega)
        self.assertEqual(repr(again), "<Model: 3 DOF, 1 joint: lap (iwan4)>")


class OwnLaws(Test):
    """A law written in Python, in every analysis of a model."""

    def setUp(self):
        self.ours, self.theirs = three_masses(Slider(k=1, fs=2)), three_masses(faying.law("jenkins", kt=1, fs=2))

    def test_backbones(self):
        q = [1, 30, 120]
        for options in (dict(), dict(method="qsma"), dict(framework="loops"), dict(dissipation="modal")):
            a, b = self.ours.backbone(1, q, **options), self.theirs.backbone(1, q, **options)
            self.assert_close(a.omega, b.omega, 1e-11)
            self.assert_close(a.dissipation, b.dissipation, 1e-8, 1e-12)
        a, b = (m.backbone(1, q, derivatives=True) for m in (self.ours, self.theirs))
        self.assert_close(a.slope("omega", "lap", "fs"), b.slope("omega", "lap", "fs"), 1e-5, 1e-12)

    def test_harmonic_balance(self):
        a, b = (m.backbone(1, [100], method="epmc", harmonics=1, samples=32) for m in (self.ours, self.theirs))
        self.assert_close(a.omega, b.omega, 1e-9)

    def test_simulation(self):
        a, b = (m.simulate(faying.Load(1, faying.half_sine(30, 1.7)), duration=5, step=0.05) for m in (self.ours, self.theirs))
        self.assert_close(a.u, b.u, 1e-9, 1e-9)

    def test_by_name_in_a_file(self):
        faying.register(Slider)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model.toml")
            with open(THREE) as f:
                text = f.read().replace('"iwan4"', '"slider"').replace("FS = 10, KT = 1, chi = -0.5, beta = 5", "k = 1, fs = 2")
            with open(file, "w") as f:
                f.write(text)
            self.assert_close(faying.read_model(file).backbone(1, [30]).omega, self.theirs.backbone(1, [30]).omega, 1e-11)


class Refusals(Test):
    def refused(self, pattern, call, *args, **kwargs):
        with self.assertRaisesRegex(faying.BadInput, pattern):
            call(*args, **kwargs)

    def test_matrices(self):
        self.refused("a matrix is needed|shape", faying.Model, [1, 2], np.eye(2))
        self.refused("shape", faying.Model, np.eye(2), np.eye(3))
        self.refused("entry 0, 1 is nan", faying.Model, [[1, np.nan], [0, 1]], np.eye(2))
        self.refused("not positive definite", faying.Model, -np.eye(2), np.eye(2))
        self.refused("symmetric", faying.Model, np.eye(2), [[1, 2], [0, 1]])
        self.refused("damping", faying.Model, np.eye(2), np.eye(2), damping=2.0)
        self.refused("complex", faying.Model, 1j * np.eye(2), np.eye(2))
        self.refused("static", faying.Model, np.eye(2), np.eye(2), static=[1, 2, 3])

    def test_joints(self):
        model, law = faying.Model(np.eye(3), np.eye(3)), faying.law("jenkins", kt=1, fs=1)
        self.refused("a law is needed", model.add_joint, "jenkins", dofs=0)
        self.refused("exactly one of", model.add_joint, law)
        self.refused("allowed are 0 to 2", model.add_joint, law, dofs=3)
        self.refused("must differ", model.add_joint, law, dofs=(1, 1))
        self.refused("one DOF", model.add_joint, law, dofs=(0, 1, 2))
        self.refused("shape", model.add_joint, law, rows=[[1, 0]])
        self.refused("belong to models made by Reduced", model.add_joint, law, patches="all")
        self.refused("must be positive", model.add_joint, law, dofs=0, weight=-1)
        model.add_joint(law, dofs=0, name="a")
        self.refused("another joint", model.add_joint, law, dofs=1, name="a")
        self.refused("no joint 'b'", model.replace, b={"fs": 2})
        self.assertEqual(len(model.joints), 1)

    def test_analyses(self):
        model = three_masses()
        self.refused("method", model.backbone, 1, [1], method="nnm")
        self.refused("amplitudes|ascending|order", model.backbone, 1, [2, 1])
        self.refused("mode", model.backbone, 9, [1])
        self.refused("go together", model.backbone, 1, [1], output="tip")
        self.refused("does not go with", model.backbone, 1, [1], method="epmc", framework="loops")
        self.refused("no static force", model.preload)
        self.refused("omega=", model.response, 2, 1.0)
        self.refused("nothing moves", model.simulate, duration=1, step=0.1)
        self.refused("duration|step", model.simulate, u=[1, 0, 0], duration=1, step=2)
        self.refused("is no DOF", model.simulate, faying.Load(7, faying.half_sine(1, 1)), duration=1, step=0.1)
        self.refused("model.toml|not", faying.read_model, "nowhere/model.toml")

    def test_not_converged_has_the_rest(self):
        model = three_masses()
        with self.assertRaises(faying.NotConverged) as caught:
            model.simulate(u=[30, 0, 0], duration=50, step=2.0, energy_tolerance=1e-6)
        self.assertGreater(len(caught.exception.result), 10)
        self.assertIn("step=", str(caught.exception))
        kept = model.simulate(u=[30, 0, 0], duration=50, step=2.0, energy_tolerance=1e-6, check=False)
        self.assertFalse(kept.energy_held)
        with self.assertRaises(faying.NotConverged) as caught:
            three_masses(Breaking(k=1, fs=0.5)).backbone(1, [1, 100])
        bones = caught.exception.result
        self.assertEqual(bones.status, ["converged", "not converged"])
        self.assertTrue(np.isfinite(bones.omega[0]) and np.isnan(bones.omega[1]))


if __name__ == "__main__":
    unittest.main()
