"""Laws through Python: the command line's bits, derivatives, sums, and refusals."""

import copy
import pickle
import unittest

import numpy as np

import faying
from own_laws import Growing
from support import Test, command

IWAN = dict(FS=10, KT=1, chi=-0.5, beta=5)


def specimen(entry):
    """Parameters in bounds for any law of one displacement."""
    by_hand = {"iwan4": IWAN, "iwan5": {**IWAN, "theta": 0.6}, "iwan5-stiction": {**IWAN, "theta": 0.6},
               "iwan4-sliders": {**IWAN}, "bouc-wen": dict(A=3, alpha=0.8, beta=-0.3, n=1.5),
               "bouc-wen-masing": dict(A=3, eta=0.8, n=1.5), "valanis": dict(E0=2, Et=0.1, kappa=0.6, **{"lambda": 1.5}),
               "valanis-masing": dict(E0=2, Et=0.1, kappa=0.6, **{"lambda": 1.5}),
               "generalized-valanis": dict(E1=10, E2=20, a1=5)}
    if entry.key in by_hand:
        return by_hand[entry.key]
    values = {}
    for key, p in entry.parameters.items():
        if p.default is None:
            values[key] = 0.5 if p.upper <= 1 else 1.0
    return values


class SameBits(Test):
    """The module and the command line give the same bits, for every law of one displacement."""

    def test_paths_and_cycles(self):
        path, amplitudes = [0, 0.7, -0.4, 0.9, 0.1], [0.01, 0.3, 2.0]
        seen = 0
        for entry in faying.laws():
            if entry.components != 1:
                continue
            values = specimen(entry)
            words = [f"{k}={v!r}" for k, v in values.items()]
            law = faying.law(entry.key, values)
            told = command("loop", entry.key, *words, "--path", ",".join(map(repr, path)))
            told = told.get("laws", [told])[0]
            ours = law.follow(path)
            for name in ("u", "f", "tangent", "dissipated"):
                self.assert_same(getattr(ours, name), told[name])
            seen += 1
            if entry.claims["cut_tolerance"] == 0:
                with self.assertRaisesRegex(faying.BadInput, "has no steady cycle"):
                    law.cycle(amplitudes)
                continue
            told = command("loop", entry.key, *words, "--cycle", ",".join(map(repr, amplitudes)))["cycles"]
            ours = law.cycle(amplitudes)
            for name in ("amplitude", "dissipation", "secant", "harmonic_stiffness", "harmonic_damping"):
                self.assert_same(getattr(ours, name), [c[name] for c in told])
        self.assertGreaterEqual(seen, 20)

    def test_contact_path(self):
        told = command("loop", "elastic-dry-friction", "kt=1e6", "mu=0.3", "kn=1e7", "--path", "0:0:1e-6,5e-6:0:1e-6,0:2e-6:2e-6")
        ours = faying.law("elastic-dry-friction", kt=1e6, mu=0.3, kn=1e7).follow([[0, 0, 1e-6], [5e-6, 0, 1e-6], [0, 2e-6, 2e-6]])
        self.assertEqual(ours.tangent.shape, (3, 3, 3))
        self.assert_same(ours.f, told["f"])
        self.assert_same(ours.dissipated, told["dissipated"])

    def test_catalogue(self):
        told = {entry["key"]: entry for entry in command("laws")["laws"]}
        ours = {entry.key: entry for entry in faying.laws()}
        self.assertEqual(set(told), set(ours))
        for key, entry in told.items():
            for p in entry["parameters"]:
                same = [e.parameters[p["key"]] for e in faying.laws() if e.key == key and p["key"] in e.parameters]
                self.assertTrue(same, (key, p["key"]))
                self.assertEqual((same[0].unit, same[0].range, same[0].scale), (p["unit"], p["range"], p["scale"]))


class Values(Test):
    def test_scalar_and_array_amplitudes(self):
        law = faying.law("iwan4", **IWAN)
        one = law.cycle(2.0)
        self.assertIsInstance(one.dissipation, float)
        grid = law.cycle(np.array([[1.0, 2.0], [3.0, 4.0]]))
        self.assertEqual(grid.dissipation.shape, (2, 2))
        self.assertEqual(grid.dissipation[0, 1], one.dissipation)
        self.assertEqual(grid.loops.dtype.kind, "i")

    def test_derivatives_are_slopes(self):
        law = faying.law("iwan4+kp", **IWAN, kp=0.1)
        A = np.array([0.5, 5.0, 20.0])
        path = [0, 3.0, -1.0, 2.0]
        slopes, along = law.cycle_derivatives(A), law.follow_derivatives(path)
        self.assertEqual(list(slopes), list(law.parameters))
        for key, value in law.parameters.items():
            h = 1e-6 * abs(value)
            up, down = law.replace(**{key: value + h}), law.replace(**{key: value - h})
            self.assert_close(slopes[key].dissipation, (up.cycle(A).dissipation - down.cycle(A).dissipation) / (2 * h), 1e-6, 1e-7)
            self.assert_close(along[key].f, (up.follow(path).f - down.follow(path).f) / (2 * h), 1e-6, 1e-8)

    def test_sums_are_expressions(self):
        both = faying.law("jenkins", kt=1, fs=2) + faying.law("jenkins", kt=3, fs=1) + faying.law("polynomial", k1=0.5)
        named = faying.law("jenkins+jenkins+polynomial", {"1.kt": 1, "1.fs": 2, "2.kt": 3, "2.fs": 1, "k1": 0.5})
        self.assertEqual(both.name, named.name)
        self.assertEqual(dict(both.parameters), dict(named.parameters))
        path = [0, 1.0, -2.5, 4.0]
        self.assert_same(both.follow(path).f, named.follow(path).f)
        self.assertEqual(both.masing, named.masing)
        self.assertEqual(both.replace(**{"2.fs": 5}).parameters["2.fs"], 5.0)

    def test_sums_refuse_what_cannot_stand_in_parallel(self):
        with self.assertRaisesRegex(faying.BadInput, "driven by force"):
            faying.law("jenkins", kt=1, fs=2) + faying.law("six-state")
        with self.assertRaisesRegex(faying.BadInput, "stands alone"):
            faying.law("jenkins", kt=1, fs=2) + faying.law("elastic-dry-friction", kt=1, mu=0.3, kn=1)
        with self.assertRaises(TypeError):
            faying.law("jenkins", kt=1, fs=2) + 3

    def test_loops_close(self):
        loop = faying.law("iwan4", **IWAN).loop(5.0, points=100)
        self.assertEqual(len(loop.u), 201)
        self.assert_close(loop.f[0], loop.f[-1], 1e-12)
        area = np.sum(0.5 * (loop.f[1:] + loop.f[:-1]) * np.diff(loop.u))
        self.assert_close(area, faying.law("iwan4", **IWAN).cycle(5.0).dissipation, 2e-3)

    def test_parameters_are_a_mapping(self):
        parameters = faying.law("iwan4", **IWAN).parameters
        self.assertEqual(dict(parameters), {k: float(v) for k, v in IWAN.items()})
        self.assertEqual(parameters.info["FS"].unit, "N")
        self.assertEqual(parameters.info["chi"].range, "(-1, inf)")
        self.assertIn("<table>", parameters._repr_html_())

    def test_every_law_keeps_its_claims(self):
        checked = 0
        for entry in faying.laws():
            if entry.components != 1 or entry.drive == "force" or entry.claims["cut_tolerance"] == 0:
                continue
            self.assertEqual(faying.check_law(faying.law(entry.key, specimen(entry)), 1.0, walks=3, turns=6), [], entry.key)
            checked += 1
        self.assertGreaterEqual(checked, 15)


class Objects(Test):
    def test_pickle_and_copy(self):
        law = faying.law("iwan4", **IWAN)
        for one in (law, law + faying.law("polynomial", k1=0, k3=0.1)):
            for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
                self.assertEqual(again, one)
                self.assertEqual(hash(again), hash(one))
        history = pickle.loads(pickle.dumps(law.follow([0, 1])))
        self.assert_same(history.f, law.follow([0, 1]).f)
        error = pickle.loads(pickle.dumps(faying.NotConverged("no", 0.5, history)))
        self.assertEqual((str(error), error.residual, len(error.result)), ("no", 0.5, 2))

    def test_they_say_what_they_are(self):
        law = faying.law("iwan4", **IWAN)
        self.assertEqual(repr(law), "<iwan4: FS=10, KT=1, chi=-0.5, beta=5>")
        self.assertRegex(repr(law.follow([0, 1, 2])), r"<iwan4 along a path, 3 points: u 0 .. 2 m, f 0 .. ")
        self.assertIn("<caption>iwan4, steady cycles</caption>", law.cycle(np.linspace(1, 2, 50))._repr_html_())

    def test_pictures(self):
        import matplotlib
        matplotlib.use("Agg")
        law = faying.law("iwan4", **IWAN)
        axes = law.loop(5).plot()
        self.assertEqual(axes.get_xlabel(), "displacement u / m")
        law.follow([0, 1, -1]).plot(axes)
        self.assertEqual(len(axes.lines), 2)
        self.assertEqual(law.cycle([1, 2, 3]).plot()[1].get_ylabel(), "harmonic stiffness / (N/m)")

    def test_tables(self):
        cycles = faying.law("iwan4", **IWAN).cycle([1, 2, 3])
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.assertEqual(list(cycles.columns())[:2], ["amplitude", "dissipation"])
        else:
            frame = cycles.to_pandas()
            self.assertEqual(frame.attrs["units"]["secant"], "N/m")
            self.assert_same(frame["dissipation"], cycles.dissipation)

    def test_arrays_are_not_copied_where_avoidable(self):
        from faying._arrays import numbers
        given = np.linspace(0, 1, 10)
        self.assertIs(numbers(given, "u"), given)
        history = faying.law("iwan4", **IWAN).follow(given)
        self.assertIsNotNone(history.f.base)  # the library's own memory


class Refusals(Test):
    def refused(self, pattern, call, *args, **kwargs):
        with self.assertRaisesRegex(faying.BadInput, pattern):
            call(*args, **kwargs)

    def test_bad_input_is_a_value_error(self):
        self.assertTrue(issubclass(faying.BadInput, ValueError))

    def test_wrong_names_and_values(self):
        self.refused("unknown law 'iwan9'; allowed are", faying.law, "iwan9")
        self.refused("unknown", faying.law, "jenkins", kt=1, fs=2, mu=3)
        self.refused("fs", faying.law, "jenkins", kt=1)
        self.refused(r"'fs' = -2 is outside \(0, inf\)", faying.law, "jenkins", kt=1, fs=-2)
        self.refused("is no number", faying.law, "jenkins", kt=1, fs="two")
        self.refused("a name is needed", faying.law, 3)

    def test_wrong_arrays(self):
        law = faying.law("jenkins", kt=1, fs=2)
        self.refused("one-dimensional", law.follow, [[0, 1], [2, 3]])
        self.refused("entry 1 is nan", law.follow, [0, np.nan])
        self.refused("complex", law.follow, np.array([1j, 2]))
        self.refused("real numbers are needed", law.follow, ["a", "b"])
        self.refused("is not in", law.cycle, [1.0, -1.0])
        self.refused("shape", law.follow, [0, 1], times=[0, 1, 2])
        self.refused("must increase", law.follow, [0, 1], times=[1, 0])
        self.refused(r"shape \(any, 3\)", faying.law("elastic-dry-friction", kt=1, mu=0.3, kn=1).follow, [[0, 1]])
        self.refused("tolerance", law.cycle, 1.0, tolerance=1)
        self.refused("whole number", law.loop, 1.0, points=0)
        self.assertEqual(len(law.follow([])), 0)

    def test_loops_that_do_not_close(self):
        law = Growing(k=1, fs=0.5, wear=0.1)
        with self.assertRaisesRegex(faying.NotConverged, "growing: the loop at amplitude 2 did not close") as caught:
            law.cycle([0.1, 2.0], most_loops=20)
        partial = caught.exception.result
        self.assertEqual(partial.converged.tolist(), [True, False])
        self.assertTrue(np.isnan(partial.secant[1]) and caught.exception.residual > 1e-6)
        again = law.cycle([0.1, 2.0], most_loops=20, check=False)
        self.assert_same(again.converged, partial.converged)


if __name__ == "__main__":
    unittest.main()
