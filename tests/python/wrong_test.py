"""What is wrong comes out as an exception that says so, from every analysis: shapes, NaN, types, laws that raise, stores that are none."""

import os
import sqlite3
import tempfile
import threading
import unittest

import numpy as np

import faying
from own_laws import Slider
from support import SOURCE, Test

K = [[18, -9, 0], [-9, 18, -9], [0, -9, 9]]


class Late(Slider):
    """Raises beyond a displacement of 1."""

    key = "late"

    def step(self, u, z):
        if np.any(np.abs(u) > 1.0):
            raise ArithmeticError("too far")
        return super().step(u, z)


class NotANumber(Slider):
    key = "nan-law"

    def step(self, u, z):
        s = super().step(u, z)
        return s._replace(force=np.where(np.abs(u) > 1, np.nan, s.force))


class Contact(faying.PythonLaw):
    """Linear contact with Coulomb friction of constant limit, on (x, y, n)."""

    key = "own-contact"
    components = 3
    table = {"kt": faying.Parameter("N/m", "tangential stiffness"), "kn": faying.Parameter("N/m", "normal stiffness"),
             "fs": faying.Parameter("N", "slip force")}
    memory = 6  # where, traction, work, dissipated

    def step(self, u, z):
        where, held, work, lost = z[:, :2], z[:, 2:4], z[:, 4], z[:, 5]
        trial = held + self.kt * (u[:, :2] - where)
        size = np.linalg.norm(trial, axis=1)
        slips = size > self.fs
        direction = trial / np.where(size > 0, size, 1)[:, None]
        traction = np.where(slips[:, None], self.fs * direction, trial)
        slip = np.where(slips, (size - self.fs) / self.kt, 0.0)
        lost = lost + self.fs * slip
        normal = self.kn * u[:, 2]
        force = np.column_stack([traction, normal])
        tangent = np.zeros((len(u), 3, 3))
        turned = np.eye(2) - direction[:, :, None] * direction[:, None, :]
        share = np.where(slips, self.fs / np.where(size > 0, size, 1), 1.0)
        tangent[:, :2, :2] = self.kt * np.where(slips[:, None, None], share[:, None, None] * turned, np.eye(2))
        tangent[:, 2, 2] = self.kn
        work = lost + (traction**2).sum(axis=1) / (2 * self.kt) + 0.5 * self.kn * u[:, 2] ** 2
        return faying.Step(force, tangent, work, lost, np.column_stack([u[:, :2], traction, work, lost]))


def three_masses(law):
    return faying.Model(10 * np.eye(3), K, damping=1e-2).add_joint(law, dofs=(1, 2), name="lap")


class LawsThatRaise(Test):
    def test_in_every_solver(self):
        model = three_masses(Late(k=1, fs=0.1))
        far = 100.0
        ways = {"backbone": lambda: model.backbone(1, [0.01, far]),
                "loops": lambda: model.backbone(1, [0.01, far], framework="loops"),
                "derivatives": lambda: model.backbone(1, [0.01, far], derivatives=True),
                "epmc": lambda: model.backbone(1, [0.01, far], method="epmc", samples=64),
                "response": lambda: model.response(2, 50.0, (0.3, 0.6), samples=64),
                "simulate": lambda: model.simulate(u=[0, 0, 20], duration=20, step=0.05),
                "quasistatic": lambda: model.quasistatic({2: [0, 100]}),
                "cycle": lambda: model.joints[0].law.cycle(5.0),
                "check": lambda: faying.check_law(model.joints[0].law, 5.0)}
        for name, way in ways.items():
            with self.subTest(name), self.assertRaisesRegex(ArithmeticError, "too far"):
                way()
        self.assertEqual(len(model.backbone(1, [0.01])), 1)  # and it still works

    def test_numbers_that_are_none(self):
        model = three_masses(NotANumber(k=1, fs=0.1))
        for way in (lambda: model.backbone(1, [0.01, 100.0]), lambda: model.simulate(u=[0, 0, 20], duration=20, step=0.05),
                    lambda: model.joints[0].law.follow([0, 2.0])):
            with self.assertRaises((faying.NotConverged, faying.BadInput)):
                way()

    def test_in_other_threads(self):
        model, caught = three_masses(Late(k=1, fs=0.1)), []

        def work():
            try:
                model.backbone(1, [0.01, 100.0])
            except ArithmeticError as error:
                caught.append(str(error))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(caught, ["too far"] * 4)

    def test_interrupted_law(self):
        class Interrupting(Slider):
            key = "interrupting"

            def step(self, u, z):
                raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            Interrupting(k=1, fs=1).follow([0, 1])


class OwnContact(Test):
    def test_equals_the_library_s(self):
        ours, theirs = Contact(kt=2.0, kn=5.0, fs=0.3), faying.law("jenkins-2d", kt=2.0, kn=5.0, fs=0.3)
        self.assertEqual(ours.components, 3)
        dice = np.random.default_rng(2)
        path = np.cumsum(0.2 * dice.standard_normal((40, 3)), axis=0)
        a, b = ours.follow(path), theirs.follow(path)
        self.assert_close(a.f[:, 2], b.f[:, 2], 1e-12)
        self.assert_close(np.linalg.norm(a.f[:, :2], axis=1).max(), 0.3, 1e-9)
        straight = np.column_stack([[0, 0.5, -0.2, 0.7], [0, 0, 0, 0], [0.1, 0.1, 0.1, 0.1]])
        a, b = ours.follow(straight), theirs.follow(straight)
        for name in ("f", "dissipated"):
            self.assert_close(getattr(a, name), getattr(b, name), 1e-10, 1e-12)

    def test_in_a_structure(self):
        M, stiffness = np.eye(3), np.diag([4.0, 5.0, 6.0])
        bones = []
        for law in (Contact(kt=2.0, kn=5.0, fs=0.3), faying.law("jenkins-2d", kt=2.0, kn=5.0, fs=0.3)):
            model = faying.Model(M, stiffness, static=[0, 0, 1.0]).add_joint(law, rows=np.eye(3), name="pad")
            self.assert_close(model.modes(about="stuck").omega, np.sqrt([6.0, 7.0, 11.0]), 1e-9)
            bones.append(model.backbone(1, [0.05, 0.1], framework="loops"))
        self.assert_close(bones[0].omega, bones[1].omega, 1e-8)
        self.assert_close(bones[0].dissipation, bones[1].dissipation, 1e-6, 1e-12)

    def test_wrong_shapes(self):
        class Bad(Contact):
            key = "bad-contact"

            def step(self, u, z):
                return super().step(u, z)._replace(force=np.zeros((len(u), 2)))
        with self.assertRaisesRegex(ValueError, r"force of shape \(1, 2\); \(1, 3\) is needed"):
            Bad(kt=1, kn=1, fs=1).follow([[0, 0, 0], [1, 0, 0]])
        with self.assertRaisesRegex(faying.BadInput, "components"):
            type("Odd", (faying.PythonLaw,), {"key": "odd", "components": 2})


class WrongArrays(Test):
    def test_every_analysis(self):
        model = three_masses(faying.law("jenkins", kt=1, fs=1))
        nan = float("nan")
        for pattern, way in (("nan", lambda: faying.Model([[nan]], [[1.0]])), ("shape|square|matrix", lambda: faying.Model(np.eye(2), np.eye(3))),
                             ("matrix", lambda: faying.Model(np.eye(2)[0], np.eye(2))), ("real numbers", lambda: faying.Model([["a"]], [[1]])),
                             ("complex", lambda: faying.Model(np.eye(2) * 1j, np.eye(2))), ("positive|definite|mass", lambda: faying.Model([[-1.0]], [[1.0]])),
                             ("nan", lambda: model.backbone(1, [nan])), ("one-dimensional", lambda: model.backbone(1, [[1, 2], [3, 4]])),
                             ("harmonics", lambda: model.backbone(1, [1], method="epmc", harmonics="many")),
                             ("force", lambda: model.response(2, -1.0, (0.3, 0.6))), ("force", lambda: model.response(2, nan, (0.3, 0.6))),
                             ("omega", lambda: model.response(2, 1.0, (0.3, 0.3))), ("is no DOF", lambda: model.response(9, 1.0, (0.3, 0.6))),
                             ("shape", lambda: model.response([1, 2], 1.0, (0.3, 0.6))), ("hold", lambda: model.response(2, 1.0, (0.3, 0.6), hold=(2, "speed", 1))),
                             ("shape", lambda: model.simulate(u=[1, 2], duration=1, step=0.1)), ("nan", lambda: model.simulate(u=[nan, 0, 0], duration=1, step=0.1)),
                             ("one length", lambda: model.quasistatic({0: [0, 1], 1: [0, 1, 2]})), ("nothing moves", lambda: model.quasistatic()),
                             ("mapping", lambda: model.quasistatic([1, 2])), ("forces", lambda: model.resonance(2, (1.0, 1.0))),
                             ("path", lambda: faying.network("nowhere.toml")), ("nowhere", lambda: faying.network("nowhere.toml", [0, 1])),
                             ("amplitudes", lambda: faying.ignl("nowhere.toml", [0.0])), ("nowhere", lambda: faying.nnm("nowhere.toml", [1.0])),
                             ("nowhere", lambda: faying.deck_modes("nowhere.inp")), ("taylor", lambda: faying.sice("nowhere.inp", taylor=99)),
                             ("points", lambda: faying.identify([0, 1], [0, 1], "jenkins")), ("entry 3 is nan", lambda: faying.identify(np.arange(9), [0, 1, 2, nan] + [1] * 5, "jenkins")),
                             ("whole branches", lambda: faying.identify(np.arange(9), np.arange(9), "generalized-valanis", cut=0.1)),
                             ("stride is of", lambda: faying.identify(np.arange(9), np.arange(9), "generalized-valanis", form="spline", stride=1)),
                             ("form: .slopes. is none", lambda: faying.identify(np.arange(9), np.arange(9), "generalized-valanis", form="slopes"))):
            with self.subTest(pattern), self.assertRaisesRegex((faying.BadInput, OSError), pattern):
                way()

    def test_other_types_of_numbers(self):
        law = faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
        wanted = law.follow([0, 1, -1]).f
        for given in (np.array([0, 1, -1], dtype=np.float32), np.array([0, 1, -1], dtype=np.int8), [True, 1, -1][1:] and (0, 1, -1),
                      np.array([0, 9, 1, 9, -1, 9])[::2], np.array([0, 1, -1], dtype=">f8")):
            self.assert_same(law.follow(given).f, wanted)


class Stores(Test):
    def test_what_is_no_store(self):
        with tempfile.TemporaryDirectory() as folder:
            empty, other, gone = (os.path.join(folder, name) for name in ("empty.db", "other.db", "gone.db"))
            open(empty, "w").close()
            with sqlite3.connect(other) as database:
                database.execute("create table t (a)")
            for path in (empty, other, gone, folder):
                with self.assertRaises((faying.BadInput, OSError)):
                    faying.read_study(path)
            with self.assertRaises((faying.BadInput, OSError)):
                faying.study(os.path.join(SOURCE, "examples", "tutorial", "fit.toml"), os.path.join(folder, "no", "such", "folder.db"))

    def test_a_store_in_use(self):
        """Another process holds it: it says so, and nothing is lost."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "held.db")
            with sqlite3.connect(path) as database:
                database.execute("create table t (a)")
                database.commit()
                database.execute("begin exclusive")
                with self.assertRaises((faying.BadInput, OSError, RuntimeError)):
                    faying.read_study(path)


if __name__ == "__main__":
    unittest.main()
