"""Laws written in Python: checked, in cycles, with derivatives, by name, and wrong in every way that comes to mind."""

import gc
import pickle
import unittest
import weakref

import numpy as np

import faying
from own_laws import Slider, Softening
from support import Test

PATH = [0, 3.0, -0.7, 2.5, -4.0, 0.3]


class OwnLaw(Test):
    def test_equals_the_library_s(self):
        ours, theirs = Slider(k=1, fs=2), faying.law("jenkins", kt=1, fs=2)
        a, b = ours.follow(PATH), theirs.follow(PATH)
        for name in ("f", "tangent", "work", "dissipated"):
            self.assert_close(getattr(a, name), getattr(b, name), 1e-14, 1e-14)
        A = np.array([1.0, 2.5, 6.0])
        a, b = ours.cycle(A), theirs.cycle(A)
        self.assert_close(a.dissipation, b.dissipation, 1e-13, 1e-13)
        self.assert_close(a.harmonic_stiffness, b.harmonic_stiffness, 1e-11)
        self.assertEqual(ours.macroslip, 2.0)

    def test_derivatives_by_differences_are_labelled(self):
        ours, theirs = Slider(k=1, fs=2), faying.law("jenkins", kt=1, fs=2)
        self.assertEqual((ours.derivatives, theirs.derivatives), ("differences", "exact"))
        a, b = ours.follow_derivatives(PATH), theirs.follow_derivatives(PATH)
        self.assert_close(a["k"].f, b["kt"].f, 1e-8, 1e-9)
        self.assert_close(a["fs"].dissipated, b["fs"].dissipated, 1e-8, 1e-9)
        self.assert_close(ours.cycle_derivatives(5.0)["fs"].dissipation, theirs.cycle_derivatives(5.0)["fs"].dissipation, 1e-8)

    def test_in_parallel(self):
        both = Slider(k=1, fs=2) + faying.law("polynomial", k1=0.1, k3=0.01)
        theirs = faying.law("jenkins+polynomial", kt=1, fs=2, k1=0.1, k3=0.01)
        self.assertEqual(both.name, "slider+polynomial")
        self.assertEqual(list(both.parameters)[:2], ["k", "fs"])
        self.assert_close(both.follow(PATH).f, theirs.follow(PATH).f, 1e-14)
        self.assertEqual(both.replace(fs=3).parameters["fs"], 3)
        twice = Slider(k=1, fs=2) + Slider(k=2, fs=1)
        self.assertEqual(list(twice.parameters), ["1.k", "1.fs", "2.k", "2.fs"])

    def test_check_law_finds_what_is_broken(self):
        self.assertEqual(faying.check_law(Slider(k=1, fs=2), 5, walks=4), [])
        broken = {finding.invariant for finding in faying.check_law(Softening(k=1), 1.0, walks=4)}
        self.assertIn("odd symmetry", broken)
        self.assertIn("tangent is the slope of the force", broken)

    def test_by_name(self):
        faying.register(Slider)
        faying.register(Slider)  # a cell run twice
        named = faying.law("slider+kp", k=1, fs=2, kp=0.5)
        self.assert_close(named.follow(PATH).f, faying.law("jenkins+kp", kt=1, fs=2, kp=0.5).follow(PATH).f, 1e-14)
        self.assertIn("slider", [entry.key for entry in faying.laws()])
        with self.assertRaisesRegex(faying.BadInput, "outside"):
            faying.law("slider", k=1, fs=-1)

        class Jenkins(Slider):
            key = "jenkins"
        with self.assertRaisesRegex(faying.BadInput, "there is a law 'jenkins' already"):
            faying.register(Jenkins)

    def test_objects(self):
        slider = Slider(k=1, fs=2)
        self.assertEqual(repr(slider), "<slider: k=1, fs=2>")
        for law in (slider, slider + faying.law("jenkins", kt=1, fs=1)):
            self.assertEqual(pickle.loads(pickle.dumps(law)), law)
        self.assertEqual(slider.replace(fs=3).fs, 3.0)

    def test_nothing_is_held_for_ever(self):
        slider = Slider(k=1, fs=2)
        handle = weakref.ref(slider)
        slider.follow(PATH)
        del slider
        gc.collect()
        self.assertIsNone(handle())

    def test_many_sites_are_one_call(self):
        calls = []

        class Counting(Slider):
            key = "counting"

            def step(self, u, z):
                calls.append(len(u))
                return super().step(u, z)
        model = faying.Model(mass=np.eye(8), stiffness=np.eye(8))
        model.add_joint(Counting(k=1, fs=2), rows=np.eye(8))
        model.backbone(1, [0.1, 1.0])
        self.assertEqual(max(calls), 8)
        self.assertLess(calls.count(1), 5)


class Wrong(Test):
    def test_classes(self):
        for body, pattern in ((dict(), "needs a `key`"), (dict(key="a", memory=-1), "memory"),
                              (dict(key="a", memory=2, virgin=(1,)), "virgin"), (dict(key="a", table={"k": 3}), "must be a faying.Parameter"),
                              (dict(key="a", table={"step": faying.Parameter()}), "cannot be called 'step'")):
            with self.assertRaisesRegex(faying.BadInput, pattern):
                type("Bad", (faying.PythonLaw,), body)

    def law(self, step, memory=1):
        return type("Own", (faying.PythonLaw,), {"key": "own", "memory": memory, "step": step})()

    def test_steps(self):
        def raises(self, u, z):
            raise ZeroDivisionError("in my law")
        with self.assertRaisesRegex(ZeroDivisionError, "in my law"):
            self.law(raises).follow([0, 1])
        with self.assertRaises(NotImplementedError):
            type("Own", (faying.PythonLaw,), {"key": "own"})().follow([0, 1])
        with self.assertRaisesRegex(TypeError, "step must return faying.Step"):
            self.law(lambda self, u, z: u).follow([0, 1])
        with self.assertRaisesRegex(ValueError, r"force of shape \(3,\); \(1,\) is needed"):
            self.law(lambda self, u, z: (np.zeros(3), u, u, u, z)).follow([0, 1])
        with self.assertRaisesRegex(ValueError, "could not convert"):
            self.law(lambda self, u, z: ("a", u, u, u, z)).follow([0, 1])
        with self.assertRaisesRegex(faying.BadInput, "overflows"):
            self.law(lambda self, u, z: (u * np.nan, u, u, u, z)).follow([0, 1])
        with self.assertRaisesRegex(faying.BadInput, "not with me"):
            def refuses(self, u, z):
                raise faying.BadInput("own: not with me")
            self.law(refuses).follow([0, 1])

    def test_a_law_that_raises_inside_a_solver(self):
        class Late(Slider):
            key = "late"

            def step(self, u, z):
                if np.any(np.abs(u) > 1.0):
                    raise ArithmeticError("too far")
                return super().step(u, z)
        model = faying.Model(mass=[[1.0]], stiffness=[[1.0]])
        model.add_joint(Late(k=1, fs=0.1), dofs=[0])
        self.assertEqual(len(model.backbone(1, [0.01, 0.1])), 2)
        with self.assertRaisesRegex(ArithmeticError, "too far"):
            model.backbone(1, [0.01, 10.0])


if __name__ == "__main__":
    unittest.main()
