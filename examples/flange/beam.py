"""Two Euler-Bernoulli halves, clamped at one end, joined at L/2 by springs k_w and k_theta, with M and J on either side ([S4] 4.2; its compatibility conditions are
misprinted, corrected in the equations sheet): as a model for faying, and k_theta, M, J from measured frequencies."""
import json
import os
import pathlib
import subprocess
import sys

import numpy

FAYING = os.environ.get("FAYING", str(pathlib.Path(__file__).resolve().parents[2] / "build/bin/faying"))
PRINTED = dict(kw=3.33e8, ktheta=22089.0, M=0.06912, J=16.011e-5)  # Tables 6 and 7
CHOSEN = dict(EI=567.77, rhoA=5.5979, L=0.39746)  # not printed; one of several possibilities


def faying(*words, cwd):
    done = subprocess.run([FAYING, *map(str, words), "--json"], capture_output=True, text=True, cwd=cwd)
    if not done.stdout:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return json.loads(done.stdout)["result"]


def halves(EI, rhoA, L, elements):
    """Stiffness and mass with cubic shapes. Unknowns w, w' of nodes 1 .. n of the clamped half, then of nodes 0 .. n of the free one; the two ends that meet."""
    h = L / 2 / elements
    k = EI / h**3 * numpy.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h], [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
    m = rhoA * h / 420 * numpy.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h], [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])
    n = 4 * elements + 2
    K, M = numpy.zeros((n + 2, n + 2)), numpy.zeros((n + 2, n + 2))  # two rows too many: the clamped node
    for e in range(2 * elements):
        at = 2 * e + (2 if e >= elements else 0)
        K[at : at + 4, at : at + 4] += k
        M[at : at + 4, at : at + 4] += m
    end = 2 * elements - 2  # of the clamped half, without its clamped node
    return K[2:, 2:], M[2:, 2:], end, end + 2


def write(path, beam, joint=None, elements=16, damping=None):
    """The model; `joint` is the law between the two ends' w (text of a table), else a spring k_w. Returns the two w's, from 1."""
    K, M, one, two = halves(beam["EI"], beam["rhoA"], beam["L"], elements)
    for w in (one, two):
        M[w, w] += beam["M"]
        M[w + 1, w + 1] += beam["J"]
    rows = lambda a: "[" + ",\n".join("[" + ", ".join(f"{x:.17g}" for x in row) + "]" for row in a) + "]"
    law = joint or f'law = "polynomial"\nparameters = {{ k1 = {beam["kw"]:.17g} }}'
    pathlib.Path(path).write_text(
        f"[structure]\nmass = {rows(M)}\nstiffness = {rows(K)}\n" + (f"damping = {{ ratio = {damping} }}\n" if damping else "")
        + f'[[joint]]\nname = "slide"\n{law}\ndofs = [{one + 1}, {two + 1}]\n'
        + f'[[joint]]\nname = "turn"\nlaw = "polynomial"\nparameters = {{ k1 = {beam["ktheta"]:.17g} }}\ndofs = [{one + 2}, {two + 2}]\n')
    return one + 1, two + 1


def modes(folder, beam, count=3):
    """Frequencies in Hz and shapes (unit modal mass), a row a mode."""
    one, two = write(folder / "beam.toml", beam)
    found = faying("modes", "beam.toml", "--count", count, cwd=folder)
    return numpy.array(found["omega"]) / (2 * numpy.pi), numpy.array(found["shapes"]), one - 1, two - 1


def identify(folder, beam, measured, free=("ktheta", "M", "J"), most=60):
    """Parameters in `free` from frequencies in Hz by the sensitivities of the eigenvalues, d omega^2/dk = (relative displacement)^2, d omega^2/dM = -omega^2 (displacement)^2,
    in the logarithms of all (Levenberg and Marquardt). Also the frequencies reached, and the condition of the sensitivities there."""
    beam, measured, damping = dict(beam), numpy.array(measured), 1e-3
    found, shapes, one, two = modes(folder, beam, len(measured))
    for _ in range(most):
        omega2 = (2 * numpy.pi * found) ** 2
        per = {"kw": (shapes[:, one] - shapes[:, two]) ** 2, "ktheta": (shapes[:, one + 1] - shapes[:, two + 1]) ** 2,
               "M": -omega2 * (shapes[:, one] ** 2 + shapes[:, two] ** 2), "J": -omega2 * (shapes[:, one + 1] ** 2 + shapes[:, two + 1] ** 2)}
        sensitivity = numpy.stack([per[key] * beam[key] / (2 * omega2) for key in free], 1)  # d ln f / d ln p
        error = numpy.log(measured / found)
        square = sensitivity.T @ sensitivity
        while damping < 1e6:
            step = numpy.linalg.solve(square + damping * numpy.diag(numpy.diag(square)), sensitivity.T @ error)
            trial = {**beam, **{key: beam[key] * numpy.exp(s) for key, s in zip(free, step)}}
            if max(abs(step)) < 3:
                now = modes(folder, trial, len(measured))
                if numpy.linalg.norm(numpy.log(measured / now[0])) < numpy.linalg.norm(error):
                    break
            damping *= 10
        else:
            break
        damping /= 30
        beam, (found, shapes, one, two) = trial, now
        if max(abs(step)) < 1e-9:
            break
    return {key: float(beam[key]) for key in free}, found, float(numpy.linalg.cond(sensitivity))
