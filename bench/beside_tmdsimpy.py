#!/usr/bin/python3
"""beside_tmdsimpy.py: one nonlinear mode (EPMC) and one forced response (harmonic balance) by Faying and by tmdsimpy (Porter 2023).

PYTHONPATH leads to both. Two unit masses on springs, a Jenkins element from the second one to the ground: the system of tmdsimpy's own
tests, with their settings. Both take orders 0 to 3; tmdsimpy samples the force 1024 times per period, Faying takes it exactly.

Lines are those of the two functions that a user has to write. Seconds are processor time, the best of five. The error is that of every
point against tmdsimpy's own equations with 2^17 samples, solved from that point on: a judge that both accept.
"""

import inspect
import time

import numpy as np
import scipy.optimize

import faying
import tmdsimpy.utils.harmonic as hutils
from tmdsimpy.continuation import Continuation
from tmdsimpy.nlforces.vector_jenkins import VectorJenkins
from tmdsimpy.solvers import NonlinearSolver
from tmdsimpy.vibration_system import VibrationSystem

H = np.arange(4)
M, K = np.eye(2), np.array([[2.0, -1.0], [-1.0, 2.0]])


def mode_by_faying():
    model = faying.Model(M, K, 0.01 * M).add_joint(faying.law("jenkins", kt=0.25, fs=0.2), dofs=1)
    return model.backbone(1, np.geomspace(1e-2, 1e2, 75), method="epmc", harmonics=3)


def response_by_faying():
    model = faying.Model(M, K, 0.01 * M).add_joint(faying.law("jenkins", kt=0.25, fs=0.2), dofs=1)
    return model.response(0, 0.05, (0.8, 1.3), harmonics=3, stability=False)


def mode_by_tmdsimpy():
    system = VibrationSystem(M, K, ab=[0.01, 0])
    system.add_nl_force(VectorJenkins(np.array([[0.0, 1.0]]), np.array([[0.0], [1.0]]), 0.25, 0.2))
    solver = NonlinearSolver()
    squares, shapes = solver.eigs(K, M=M, subset_by_index=[0, 0])
    U = np.zeros(2 * hutils.Nhc(H))
    U[2:4] = shapes[:, 0]
    phase = np.zeros_like(U)
    phase[4:6] = 1
    start = np.hstack((U, np.sqrt(squares[0]), 0.01))
    X = solver.nsolve(lambda x: system.epmc_res(np.hstack((x, -2)), phase, H, Nt=1 << 10)[0:2], start, verbose=False)[0]
    start = np.hstack((X, -2))
    scales = hutils.harmonic_wise_conditioning(start, 2, H, delta=1e-3)
    settings = {"DynamicCtoP": True, "TargetNfev": 200, "MaxSteps": 2000, "dsmin": 0.001, "verbose": -1, "corrector": "Ortho"}
    steps = Continuation(solver, ds0=0.01, CtoP=scales, config=settings)
    return steps.continuation(lambda x: system.epmc_res(x, phase, H, Nt=1 << 10), start, -2, 2)


def response_by_tmdsimpy():
    system = VibrationSystem(M, K, ab=[0.01, 0])
    system.add_nl_force(VectorJenkins(np.array([[0.0, 1.0]]), np.array([[0.0], [1.0]]), 0.25, 0.2))
    solver = NonlinearSolver()
    force = np.zeros(2 * hutils.Nhc(H))
    force[2] = 0.05
    start = np.zeros(len(force) + 1)
    x = np.linalg.solve(K + np.diag([0, 0.25]) - 0.8**2 * M + 0.8j * system.C, force[2:4])
    start[2:6] = np.hstack((x.real, -x.imag))
    start[-1] = 0.8
    scales = hutils.harmonic_wise_conditioning(start, 2, H, delta=1e-3)
    settings = {"DynamicCtoP": True, "TargetNfev": 200, "MaxSteps": 2000, "dsmin": 0.001, "verbose": -1, "corrector": "Ortho"}
    steps = Continuation(solver, ds0=0.01, CtoP=scales, config=settings)
    return steps.continuation(lambda x: system.hbm_res(x, force, H, Nt=1 << 10), start, 0.8, 1.3)


def lines(function):
    return sum(1 for line in inspect.getsource(function).splitlines()[1:] if line.strip())


def seconds(function):
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        function()
        best = min(best, time.process_time() - begin)
    return best


def judge():
    system = VibrationSystem(M, K, ab=[0.01, 0])
    system.add_nl_force(VectorJenkins(np.array([[0.0, 1.0]]), np.array([[0.0], [1.0]]), 0.25, 0.2))
    return system


def root(equations, start):
    found = scipy.optimize.root(equations, start, jac=True, method="hybr", options={"xtol": 1e-13})
    x = found.x
    for _ in range(3):  # to rounding
        r, slope = equations(x)
        x = x - np.linalg.solve(slope, r)
    return x


def mode_errors(points):
    """Of omega and zeta, relative, the worst of some points: rows of harmonics of the unit mode, omega, 2 zeta omega, log10 a."""
    system, phase = judge(), np.zeros(2 * hutils.Nhc(H))
    phase[4:6] = 1
    worst = [0.0, 0.0]
    for x in points[::5]:
        exact = root(lambda y: system.epmc_res(np.hstack((y, x[-1])), phase, H, Nt=1 << 17)[0:2], x[:-1])
        zeta, wanted = x[-2] / (2 * x[-3]), exact[-1] / (2 * exact[-2])
        worst = [max(worst[0], abs(x[-3] / exact[-2] - 1)), max(worst[1], abs(zeta / wanted - 1))]
    return worst


def response_error(points):
    """Of the first harmonic, over its size, the worst of some points: rows of harmonics and omega."""
    system, force = judge(), np.zeros(2 * hutils.Nhc(H))
    force[2] = 0.05
    worst = 0.0
    for x in points[::len(points) // 8]:
        exact = root(lambda y: system.hbm_res(np.hstack((y, x[-1])), force, H, Nt=1 << 17)[0:2], x[:-1])
        worst = max(worst, np.linalg.norm(x[2:6] - exact[2:6]) / np.linalg.norm(exact[2:6]))
    return worst


def as_rows(harmonics):
    """(points, DOF, functions) as tmdsimpy stacks them: all DOF of a function, then of the next."""
    return harmonics.transpose(0, 2, 1).reshape(len(harmonics), -1)


def main():
    bones = mode_by_faying()
    unit = bones.harmonics.copy()
    unit[:, :, 1:] /= bones.q[:, None, None]
    ours = np.column_stack([as_rows(unit), bones.omega, 2 * bones.zeta * bones.omega, np.log10(bones.q)])
    theirs = mode_by_tmdsimpy()
    print("| case | code | lines | points | s | error |\n|---|---|---|---|---|---|")
    for name, function, points in (("Faying", mode_by_faying, ours), ("tmdsimpy", mode_by_tmdsimpy, theirs)):
        omega, zeta = mode_errors(points)
        print(f"| mode 1 by EPMC, a from 1e-2 to 1e2 | {name} | {lines(function)} | {len(points)} | {seconds(function):.3g} | omega {omega:.1e}, zeta {zeta:.1e} |")
    swept = response_by_faying()
    ours, theirs = np.column_stack([as_rows(swept.harmonics), swept.omega]), response_by_tmdsimpy()
    for name, function, points in (("Faying", response_by_faying, ours), ("tmdsimpy", response_by_tmdsimpy, theirs)):
        print(f"| response to 0.05 N, 0.8 to 1.3 rad/s | {name} | {lines(function)} | {len(points)} | {seconds(function):.3g} | {response_error(points):.1e} |")


if __name__ == "__main__":
    main()
