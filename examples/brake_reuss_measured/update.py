#!/usr/bin/env python3
"""What is not documented of the measured beam, from the linear limit of its modes: Young's modulus (over the density that makes the
mass), stiffnesses of the joint along and across the faying surface per area, and how much of the lap holds.

update.py HAMMER.json WHOLE_JOINT.h5 OUT.json. The reduced model is made with the Young's modulus of its deck, E; at s E a joint of
stiffness k gives sqrt(s) times the frequencies of a joint of k/s at E, so that the deck is not meshed again for every try."""

import itertools
import json
import os
import subprocess
import sys
import tempfile

import numpy
import scipy.optimize

FAYING = os.environ["FAYING"]
MODEL = """[structure]
file = "%s"
[[joint]]
law = "polynomial"
parameters = { k1 = %.17g }
patch = %s
along = "tangential"
per = "area"
[[joint]]
law = "polynomial"
parameters = { k1 = %.17g }
patch = %s
along = "normal"
per = "area"
"""
EXTENT = {"whole lap": '"all"', "around the bolts": '["patch 2", "patch 3", "patch 4"]'}


def frequencies(rom, extent, tangential, normal):
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as f:
        f.write(MODEL % (os.path.abspath(rom), tangential, EXTENT[extent], normal, EXTENT[extent]))
    try:
        done = subprocess.run([FAYING, "modes", f.name, "--count", "14", "--json"], capture_output=True, text=True)
    finally:
        os.unlink(f.name)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return numpy.array(json.loads(done.stdout)["result"]["omega"]) / (2 * numpy.pi)


def matched(model, measured):
    """The model's frequencies that are nearest to the measured ones in order (no two to one), by least squares of the logarithms."""
    logs, wanted = numpy.log(model), numpy.log(measured)
    best = min(itertools.combinations(range(len(model)), len(measured)), key=lambda c: numpy.sum((logs[list(c)] - wanted) ** 2))
    return list(best)


def main(hammer, rom, out):
    with open(hammer) as f:
        modes = [m for m in json.load(f)["result"]["modes"] if m["trusted"] and m["frequency"] < 1000]
    measured = numpy.array([m["frequency"] for m in modes])
    answers = []
    for extent in EXTENT:
        def misfit(p):
            model = numpy.exp(0.5 * p[0]) * frequencies(rom, extent, numpy.exp(p[1] - p[0]), numpy.exp(p[2] - p[0]))
            return numpy.log(model[matched(model, measured)] / measured)

        starts = [misfit_start for misfit_start in ([0, numpy.log(3e11), numpy.log(1e13)], [0, numpy.log(3e12), numpy.log(1e12)])]
        tries = [scipy.optimize.least_squares(misfit, p, diff_step=1e-3, max_nfev=25, bounds=([-0.5, 20, 20], [0.5, 38, 38])) for p in starts]
        best = min(tries, key=lambda t: t.cost)
        left, spare = misfit(best.x), max(1, len(measured) - 3)
        # Scatter of the residuals is model error, not noise: the spread it stands for is what the update can claim.
        covariance = numpy.linalg.pinv(best.jac.T @ best.jac) * (left @ left) / spare
        model = measured * numpy.exp(left)
        answers.append({"extent": extent, "patch": EXTENT[extent], "young_factor": float(numpy.exp(best.x[0])), "tangential": float(numpy.exp(best.x[1])),
                        "normal": float(numpy.exp(best.x[2])), "log_spread": [float(x) for x in numpy.sqrt(numpy.diag(covariance))],
                        "measured": measured.tolist(), "model": model.tolist(), "rms": float(numpy.sqrt(numpy.mean(left**2)))})
        print("%s: E x %.3f, %.3g and %.3g N/m3 along and across, rms %.2f %%" % (extent, numpy.exp(best.x[0]), numpy.exp(best.x[1]), numpy.exp(best.x[2]), 100 * answers[-1]["rms"]))
        for f, g in zip(measured, model):
            print("  measured %9.3f Hz, model %9.3f Hz, %+.2f %%" % (f, g, 100 * (g / f - 1)))
    with open(out, "w") as f:
        json.dump({"answers": answers, "best": min(range(len(answers)), key=lambda k: answers[k]["rms"])}, f, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
