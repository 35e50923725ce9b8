"""A stranger's hands: every public function and method with arguments of every wrong kind. What comes back is an answer or an
exception of ours that says what is wrong; nothing crashes, hangs or speaks of C++."""

import copy
import inspect
import os
import pickle
import signal
import sys
import tempfile
import threading
import unittest

import numpy as np

import faying
from fits_test import study_file
from measured_test import CALIBRATION, hit, write_backbone, write_sweep
from own_laws import Slider
from support import SOURCE, Test

NAN = float("nan")
WRONG = [None, "x", "", "a\0b", b"x", NAN, -np.inf, -1, 0, -2.5, 1e300, 10**30, True, 1j, lambda: 1, {"x": 1}, {1: "x"}, [], [[]], [NAN, 1.0],
         [1.0, [2.0, 3.0]], ["a", "b"], (1, 2, 3), np.array([]), np.zeros((2, 3, 4)), np.array("a"), np.array([None, 1]), np.array([1j, 2]), np.float32(2),
         np.arange(3, dtype=">f4"), np.datetime64("2020-01-01"), np.ma.array([1.0, 2.0], mask=[True, False]), np.array([3.0, 2.0, 1.0]), iter([1, 2])]
OURS = (faying.BadInput, faying.NotConverged, OSError)
PATIENCE = 100.0 if os.environ.get("FAYING_SANITIZED") else 30.0  # s a call may take
STIFFNESS = [[18.0, -9, 0], [-9, 18, -9], [0, -9, 9]]


def three_masses(law=None):
    model = faying.Model(10 * np.eye(3), STIFFNESS, 1e-2, static=[0, 0, 0.1])
    return model.add_joint(law or faying.law("jenkins", kt=1, fs=1), dofs=(1, 2), name="lap").add_output("tip", 2)


def every_call(folder):
    """(name, function, arguments that are right) of the whole module; each argument is then made wrong."""
    law, model = faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), three_masses()
    sine = np.sin(np.linspace(0, 4 * np.pi, 161))
    t = np.arange(0, 2, 1 / 400)
    ring = np.exp(-0.01 * 2 * np.pi * 20 * t) * np.cos(2 * np.pi * 20 * t)
    rings = faying.envelope(t, ring)
    times, channels = hit(duration=0.5)
    at = lambda name: os.path.join(folder, name)
    with open(at("net.toml"), "w") as file:
        file.write("[network]\nK = [[2, -1], [-1, 2]]\nmu = [0.5, 1]\nb = [1, 0]\n")
    with open(at("model.toml"), "w") as file:
        file.write("[structure]\nmass = [[1]]\nstiffness = [[1]]\n")
    with open(at("calibrate.toml"), "w") as file:
        file.write(CALIBRATION.replace(", \"polynomial k3\"", ""))
    write_backbone(at("backbone.csv"))
    write_sweep(at("sweep.csv"))
    sdof, flat = os.path.join(SOURCE, "examples/panel/sdof.toml"), os.path.join(SOURCE, "tests/reference/decks/flat.inp")
    beam = faying.Reduced.read(os.path.join(SOURCE, "data/brake_reuss/whole_joint.h5"))
    pad = faying.law("jenkins", kt=1e9, fs=1e6)
    q = np.geomspace(0.1, 5, 4)
    one = faying.Model([[1.0]], [[9.0]]).add_joint(law, dofs=0, name="lap")
    truth = one.backbone(1, q)
    unknown = [faying.Unknown("lap", "FS", 1, 100)]
    task = faying.Calibration(one, unknown, omega_error=1e-3, zeta_error=0.05).measured(1, q, truth.omega, truth.zeta)
    iwan = faying.fit_modal_iwan(np.geomspace(1e-2, 3, 30), *_oscillator())
    posterior = faying.Posterior(at("calibrate.toml"), "jenkins")
    bones, response = model.backbone(1, [1.0, 2.0], derivatives=True), model.response(2, 0.01, (0.40, 0.45), at=[0.42])
    calls = [
        ("law", lambda name, parameters: faying.law(name, parameters), dict(name="jenkins", parameters={"kt": 1, "fs": 1})), ("law.replace", law.replace, dict(FS=11)),
        ("follow", law.follow, dict(path=[0, 1, -1], times=[0, 1, 2])), ("follow_derivatives", law.follow_derivatives, dict(path=[0, 1, -1], times=None)),
        ("cycle", law.cycle, dict(amplitude=[1, 2], tolerance=1e-13, most_loops=100)), ("cycle_derivatives", law.cycle_derivatives, dict(amplitude=1.0)),
        ("loop", law.loop, dict(amplitude=1.0, points=20)), ("+", law.__add__, dict(other=pad)), ("==", law.__eq__, dict(other=pad)),
        ("check_law", faying.check_law, dict(law=law, amplitude=1.0, walks=1, turns=3, seed=1)), ("register", faying.register, dict(cls=Slider)),
        ("own law", lambda parameters: Slider(parameters), dict(parameters={"k": 1, "fs": 1})), ("Parameter", faying.Parameter, dict(scale="log", lower=0.0)),
        ("Model", faying.Model, dict(mass=np.eye(2), stiffness=np.eye(2), damping=0.01, static=[0, 1], dofs=["a", "b"])),
        ("read", faying.read_model, dict(path=at("model.toml"))), ("add_output", model.copy().add_output, dict(name="end", dof=1, row=None)),
        ("add_joint", lambda **given: model.copy().add_joint(**given), dict(law=law, dofs=[(0, 1), 2], weight=1.0, name="more")),
        ("add_joint rows", lambda **given: model.copy().add_joint(**given), dict(law=law, rows=np.eye(3), weight=[1, 2, 3])),
        ("replace", lambda laws: model.replace(laws), dict(laws={"lap": law})), ("replace by parameters", model.replace, dict(lap={"fs": 2})),
        ("modes", model.modes, dict(count=2, about="stuck", friction="active")), ("preload", model.preload, dict(friction="active", tolerance=1e-10)),
        ("backbone", model.backbone, dict(mode=1, amplitudes=[1, 2], method="rqnma", framework="masing", dissipation="local", prestress="active",
                                          amplitude_of="displacement", output="tip", tolerance=1e-10, most_loops=10, quadrature=12)),
        ("epmc", model.backbone, dict(mode=1, amplitudes=[1, 2], method="epmc", harmonics=3, samples=0)),
        ("response", model.response, dict(shape=2, force=0.01, omega=(0.40, 0.45), at=[0.42], harmonics=1, samples=0, hold=None, isolas=0, outputs=["tip"],
                                          synthesis=0)),
        ("hold", lambda **given: model.response(2, 0.01, (0.40, 0.45), hold=tuple(given.values())), dict(where="tip", quantity="displacement", size=0.1)),
        ("resonance", model.resonance, dict(shape=2, forces=(0.01, 0.02), mode=1, at=[0.015], superharmonic=1, omega=None, harmonics=1, samples=0)),
        ("quasistatic", model.quasistatic, dict(forces={2: [0, 1, -1]}, displacements={}, points=5, closure=1e-8, most_loops=5, path_tolerance=1e-8)),
        ("quasistatic force", lambda where, values: model.quasistatic({where: values}) if _hashes(where) else None, dict(where=2, values=[0, 1, -1])),
        ("simulate", model.simulate, dict(loads=[faying.Load(2, faying.sine(1, 1))], duration=1.0, step=0.1, u=[0, 0, 1], v=[0, 0, 0], method="newmark", every=1,
                                          tolerance=None, spectral_radius=0.9, modes=0, samples=[0.5], energy_tolerance=0.5, out=None)),
        ("Load", lambda **given: model.simulate(faying.Load(**given), duration=1, step=0.1), dict(shape="tip", history=faying.sine(1, 1))),
        ("mode_load", model.mode_load, dict(mode=1)), ("base_load", model.base_load, dict(rigid=[1, 1, 1])),
        ("half_sine", faying.half_sine, dict(amplitude=1.0, omega=1.0)), ("sine", faying.sine, dict(amplitude=1.0, omega=1.0, phase=0.0, duration=1.0)),
        ("chirp", faying.chirp, dict(amplitude=1.0, start=1.0, end=2.0, duration=1.0)), ("noise", faying.noise, dict(level=1.0, omega=(1, 2), lines=5, seed=1)),
        ("tabulated", faying.tabulated, dict(times=[0, 1], values=[0, 1])),
        ("envelope", faying.envelope, dict(t=t, x=ring, method="hilbert", band=(10, 30), order=4, segments=0, drop_start=0.04, drop_end=0.04,
                                           quantity="velocity", as_quantity="velocity")),
        ("merge", faying.merge, dict(envelopes=[rings, rings], points=5)),
        ("modal_coordinate", faying.modal_coordinate, dict(t=t, channels=[ring, ring], shapes=[[1], [1]], mode=1)),
        ("identify", faying.identify, dict(u=sine, f=faying.law("jenkins", kt=4, fs=1).follow(sine).f, law="jenkins", t=None, fixed={"kt": 4}, free=(), start={},
                                           memory="virgin", passes=1, iterations=50, terms=None, threads=1)),
        ("fit_modal_iwan", faying.fit_modal_iwan, dict(q=np.geomspace(1e-2, 3, 30), omega=_oscillator()[0], zeta=_oscillator()[1], omega_error=1e-3,
                                                       zeta_error=None, stiffness="harmonic", zeta0=0.0)),
        ("modal iwan at", iwan.at, dict(q=[0.1, 1.0])), ("find_modes", faying.find_modes, dict(record=channels, t=times, frequencies=[], channel="", points=5)),
        ("find_modes of files", faying.find_modes, dict(record=at("none.csv"), start=0.0, end=1.0, scale=1.0, rate=0.0, units="", quantity="", as_="")),
        ("sweeps", faying.sweeps, dict(files=at("sweep.csv"), units="m/s^2", quantity="", as_="", scale=1.0, levels=3)),
        ("modal_fit", faying.modal_fit, dict(file=at("backbone.csv"), laws=["jenkins"], mode=0, curves="harmonic", fixed={}, folds=2, starts=2, threads=1)),
        ("Posterior", faying.Posterior, dict(file=at("calibrate.toml"), law="jenkins")), ("log_density", posterior.log_density, dict(theta=posterior.start())),
        ("values", posterior.values, dict(theta=posterior.start())), ("gradient", posterior.log_density_gradient, dict(theta=posterior.start())),
        ("Calibration", faying.Calibration, dict(model=one, unknowns=unknown, omega_error=1e-3, zeta_error=0.05, method="rqnma")),
        ("Unknown", lambda **given: faying.Calibration(one, [faying.Unknown(**given)], omega_error=1e-3, zeta_error=0.05),
         dict(joint="lap", parameter="FS", low=1, high=100, scale="log")),
        ("measured", lambda **given: copy.deepcopy(task).measured(**given), dict(mode=1, q=q, omega=truth.omega, zeta=truth.zeta)),
        ("calibration density", task.log_density_gradient, dict(theta=[np.log(10.0)])), ("model_at", task.model_at, dict(theta=[np.log(10.0)])),
        ("network", faying.network, dict(file=at("net.toml"), path=[0, 1, -1], times=[0, 1, 2], method="events")),
        ("network by signal", faying.network, dict(file=at("net.toml"), signal="sin(t)", time="0:1:5")),
        ("condense", faying.condense, dict(file=at("net.toml"), states=2, seed=1, tests=["sin(t)"], time="0:6:40", rivals=())),
        ("ignl", faying.ignl, dict(file=sdof, amplitudes=[1e-4, 1e-3], mode=1, order=7, loop_steps=5, grid=0, elements=(), weighting="")),
        ("sice", faying.sice, dict(file=flat, amplitudes=[1e-4], mode=1, orders="3", taylor=0, elements=(), weighting="")),
        ("nnm", faying.nnm, dict(file=sdof, amplitudes=[1e-4], mode=1, method="auto", harmonics=3, order=0, elements=(), weighting="")),
        ("deck_modes", faying.deck_modes, dict(file=flat, count=2, elements=(), weighting="")),
        ("mesh", faying.mesh, dict(name="nothing", out=at("mesh.inp"), size=0.1, element="", length=1.0)),
        ("Reduced.read", faying.Reduced.read, dict(path=at("none.h5"))), ("Reduced.reduce", faying.Reduced.reduce, dict(path=at("none.toml"))),
        ("write", beam.write, dict(path=at("again.h5"))), ("Reduced.model", beam.model, dict(static={"preload": 1.0}, damping=0.0)),
        ("patches", lambda **given: beam.model().add_joint(pad, **given), dict(patches="all", along="tangential", name="pad")),
        ("read_study", faying.read_study, dict(store=at("none.db"))), ("study", faying.study, dict(path=at("none.toml"), out=at("none.db"), threads=1)),
        ("calibrate", faying.calibrate, dict(file=at("none.toml"), out=at("none.db"), threads=1)),
        ("report", faying.report, dict(store=at("none.db"), out=at("none.html"), title="")),
        ("slope", bones.slope, dict(of="omega", joint="lap", parameter="fs")), ("motion", response.motion, dict(row=[0, 0, 1], samples=8)),
        ("write few states", faying.condense(at("net.toml"), 2, check=False).write, dict(path=at("law.toml"))),
    ]
    return calls


def _oscillator():
    q = np.geomspace(1e-2, 3, 30)
    model = faying.Model([[1.0]], [[9.0]], 1e-3).add_joint(faying.law("iwan4", FS=1, KT=1, chi=-0.5, beta=0.5), dofs=0)
    mode = model.backbone(1, q, method="epmc", harmonics=1)
    return mode.omega, mode.zeta


def _hashes(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


class Patience:
    """Ctrl-C after a while: a call that hangs ends, and is found."""

    def __enter__(self):
        self._timer = threading.Timer(PATIENCE, os.kill, (os.getpid(), signal.SIGINT))
        self._timer.start()

    def __exit__(self, *_):
        self._timer.cancel()


def tried(function, given):
    """None, or what a stranger would not understand."""
    try:
        with Patience():
            function(**given)
    except OURS as error:
        if not str(error) or "C++" in str(error):
            return f"{type(error).__name__}: {error}"
    except KeyboardInterrupt:
        return "hangs"
    except Exception as error:  # noqa: BLE001 that is what is looked for
        return f"{type(error).__name__}: {error}"
    return None


class Stranger(Test):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.calls = every_call(cls.folder.name)
        cls.directory = os.getcwd()
        os.chdir(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls.directory)
        cls.folder.cleanup()

    def test_wrong_arguments(self):
        found = []
        for name, function, right in self.calls:
            for key in right:
                for wrong in WRONG:
                    if isinstance(wrong, type(iter([]))):
                        wrong = iter([1, 2])  # anew for each
                    told = tried(function, {**right, key: wrong})
                    if told:
                        found.append(f"{name}({key}={wrong!r}): {told.splitlines()[0][:160]}")
                        if os.environ.get("TOLD") and not any(one.startswith(f"{name}({key}=") for one in found[:-1]):
                            print(found[-1], flush=True)  # the first of each, also where a later one crashes
        self.assertFalse(found, f"{len(found)}:\n" + "\n".join(found[:100]))

    def test_arrays_of_other_kinds_are_the_same(self):
        """float32 and integers, strides, Fortran order, read-only, byte order: the answer is that of doubles."""
        model, law = three_masses(), faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
        whole = np.array([0.0, 1, -1, 2])
        read_only = whole.copy()
        read_only.setflags(write=False)
        kinds = [whole.astype(np.float32), whole.astype(int), whole.astype(">f8"), np.repeat(whole, 2)[::2], whole[::-1].copy()[::-1], read_only, whole.tolist(),
                 np.asfortranarray(np.column_stack([whole, whole]))[:, 0]]
        for kind in kinds:
            self.assert_same(law.follow(kind).f, law.follow(whole).f)
            self.assert_same(model.quasistatic({2: kind}).displacement, model.quasistatic({2: whole}).displacement)
        for kind in (np.array(STIFFNESS, order="F"), np.array(STIFFNESS, dtype=np.float32), np.array(STIFFNESS, dtype=int), np.array(STIFFNESS).T,
                     np.repeat(np.array(STIFFNESS), 2, axis=0)[::2], np.matrix(STIFFNESS)):
            self.assert_same(faying.Model(np.eye(3), kind).modes().omega, faying.Model(np.eye(3), STIFFNESS).modes().omega)

    def test_everything_public_is_documented(self):
        for name in faying.__all__:
            value = getattr(faying, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                self.assertTrue(inspect.getdoc(value), name)
                for key, method in vars(value).items() if inspect.isclass(value) else ():
                    if inspect.isfunction(method) and not key.startswith("_"):
                        self.assertTrue(inspect.getdoc(getattr(value, key)), f"{name}.{key}")


class Objects(Test):
    def test_models_are_the_same_again(self):
        """Pickled and copied: joints on patches with their names, normals, gaps and loads too."""
        beam = faying.Reduced.read(os.path.join(SOURCE, "data/brake_reuss/whole_joint.h5"))
        again = pickle.loads(pickle.dumps(beam))
        self.assert_same(again.stiffness, beam.stiffness)
        self.assertEqual(again.patches, beam.patches)
        model = beam.model(static={"preload": 12845})
        model.add_joint(faying.law("iwan4", FS=2e6, KT=1e12, chi=-0.3, beta=0.5), patches="all", along="tangential", per_area=True, name="friction")
        model.add_joint(faying.law("polynomial", k1=1e13), patches="all", along="normal", per_area=True, name="contact")
        wanted = model.backbone(1, [1e-4, 1e-3])
        for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            self.assertEqual(repr(other), repr(model))
            self.assertEqual([joint.site_names for joint in other.joints], [joint.site_names for joint in model.joints])
            self.assertEqual(list(other.loads), list(model.loads))
            self.assert_same(other.backbone(1, [1e-4, 1e-3]).omega, wanted.omega)
            other.add_joint(faying.law("jenkins", kt=1e9, fs=1e6), patches="all", along="tangential", per_area=True, name="more")  # patches are known
        self.assertEqual(len(model.joints), 2)

    def test_posteriors_and_calibrations(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "calibrate.toml")
            write_backbone(os.path.join(folder, "backbone.csv"))
            with open(path, "w") as file:
                file.write(CALIBRATION)
            posterior = faying.Posterior(path, "jenkins")
            again = pickle.loads(pickle.dumps(posterior))
            self.assertEqual(again.log_density(posterior.start()), posterior.log_density(posterior.start()))
        model = faying.Model([[1.0]], [[9.0]]).add_joint(faying.law("jenkins", kt=1, fs=1), dofs=0, name="lap")
        task = faying.Calibration(model, [faying.Unknown("lap", "fs", 0.1, 10)], omega_error=1e-3, zeta_error=0.05).measured(1, [3.0], [3.1], [0.01])
        for other in (pickle.loads(pickle.dumps(task)), copy.deepcopy(task)):
            self.assertEqual(other.log_density([0.1]), task.log_density([0.1]))

    def test_exceptions(self):
        with self.assertRaises(faying.NotConverged) as caught:
            three_masses().simulate(u=[0, 0, 20], duration=20, step=2.0, energy_tolerance=1e-9)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.residual), (str(caught.exception), caught.exception.residual))
        self.assert_same(again.result.u, caught.exception.result.u)


class Threads(Test):
    def test_a_model_that_changes_meanwhile(self):
        """Analyses in some threads while another adds joints and outputs: each answer is that of some state of the model."""
        model, answers, errors = three_masses(), [], []
        allowed = set()
        for joints in range(6):
            other = three_masses()
            for k in range(joints):
                other.add_joint(faying.law("jenkins", kt=1e-3, fs=1), dofs=0, name=f"more {k}")
            allowed.add(other.backbone(1, [1.0, 2.0]).omega.tobytes())

        def ask():
            try:
                for _ in range(30):
                    answers.append(model.backbone(1, [1.0, 2.0]).omega.tobytes())
            except Exception as error:  # noqa: BLE001 told below
                errors.append(error)
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for k in range(5):
            model.add_joint(faying.law("jenkins", kt=1e-3, fs=1), dofs=0, name=f"more {k}")
            model.add_output(f"output {k}", 0)
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertLessEqual(set(answers), allowed)

    def test_files_from_several(self):
        """HDF5 and SQLite, one file or database per thread."""
        beam, errors = faying.Reduced.read(os.path.join(SOURCE, "data/brake_reuss/whole_joint.h5")), []

        def work(folder, k):
            try:
                for i in range(3):
                    path = os.path.join(folder, f"{k}.h5")
                    beam.write(path)
                    assert (faying.Reduced.read(path).stiffness == beam.stiffness).all()
                    record = os.path.join(folder, f"record {k} {i}.h5")
                    run = three_masses().simulate(u=[1, 0, 0], duration=5, step=0.01, out=record)
                    assert (three_masses().simulate(u=[1, 0, 0], duration=5, step=0.01, out=record, resume=True).u == run.u).all()
            except Exception as error:  # noqa: BLE001 told below
                errors.append(error)
        with tempfile.TemporaryDirectory() as folder:
            threads = [threading.Thread(target=work, args=(folder, k)) for k in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
