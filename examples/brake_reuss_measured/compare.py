#!/usr/bin/env python3
"""What the laws fitted to mode 1 of the hammer record say of the rest: other modes of the hammer record, and the shaker's tests.

compare.py HAMMER.json SHAKER.json FRONTS ForcedFrequencyResponses.mat: tables in Markdown on standard output, all numbers measured or computed."""

import glob
import json
import math
import os
import subprocess
import sys

import numpy
import scipy.io

FAYING = os.environ["FAYING"]


def result(*words):
    done = subprocess.run([FAYING, *words, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["result"]


def backbone(model, mode, output, amplitudes):
    """Frequencies / Hz and damping at accelerations of an output."""
    points = result("backbone", model, "--mode", str(mode), "--output", output, "--amplitude-of", "acceleration", "--at",
                    ",".join("%.8g" % a for a in amplitudes))["points"]
    return numpy.array([p["omega"] for p in points]) / (2 * math.pi), numpy.array([p["zeta"] for p in points])


def hammer_modes(hammer, models):
    """Modes 2 and 5 bend in the plane of the lap: the accelerometers hardly see them, the model's not at all."""
    print("\nHammer, at accelerometer 1: model less measurement, frequency / % and damping / % (rms over the amplitudes)\n")
    print("| mode | measured / Hz | amplitudes | " + " | ".join(models) + " |\n|---|---|---|" + "---|" * len(models))
    for number, index in ((1, 1), (3, 3), (6, 6)):
        mode = hammer["modes"][number - 1]
        a, f, z = (numpy.array(mode[k]) for k in ("amplitude", "omega", "zeta"))
        order = numpy.argsort(a)[:: max(1, len(a) // 8)]
        a, f, z = a[order], f[order] / (2 * math.pi), z[order]
        cells = []
        for path in models.values():
            g, y = backbone(path, index, "acc1", a)
            cells.append("%+.2f, %.0f" % (100 * numpy.mean(g / f - 1), 100 * math.sqrt(numpy.mean((y / z - 1) ** 2))))
        name = "%d%s" % (number, "" if mode["trusted"] else " (not trusted)") + (", fitted" if number == 1 else "")
        print("| %s | %.3f | %.3g to %.3g | %s |" % (name, mode["frequency"], a.min(), a.max(), " | ".join(cells)))


def shaker_held(shaker, models):
    print("\nShaker, response held, at accelerometer 3: frequency / Hz and damping / %\n")
    print("| amplitude | measured | " + " | ".join(models) + " |\n|---|---|" + "---|" * len(models))
    held = [p for p in shaker["points"] if p["held"] == "response"]
    said = {name: backbone(path, 1, "acc3", [p["amplitude"] for p in held]) for name, path in models.items()}
    for k, p in enumerate(held):
        print("| %.1f | %.3f, %.3f (%.3f to %.3f) | %s |" % (p["amplitude"], p["omega"] / (2 * math.pi), 100 * p["zeta"], 100 * p["zeta_low"], 100 * p["zeta_high"],
              " | ".join("%.3f, %.3f" % (f[k], 100 * z[k]) for f, z in said.values())))


def shaker_peaks(file, models):
    print("\nShaker, force held: the peak at accelerometer 3, m/s2 at Hz\n")
    print("| force there / N | measured | " + " | ".join(models) + " |\n|---|---|" + "---|" * len(models))
    sweeps = scipy.io.loadmat(file, squeeze_me=True, struct_as_record=False)["FRdata"].ForceControl
    peaks = [(s.force[k], s.amplitude[k], s.frequency[k]) for s in sweeps for k in [int(numpy.argmax(s.amplitude))]]
    said = {}
    for name, path in models.items():
        forces = ";".join("%.6g" % p[0] for p in peaks)
        points = result("response", path, "--force", "output=acc3,p=" + forces, "--force-range", "%g:%g" % (0.5 * peaks[0][0], 1.5 * peaks[-1][0]),
                        "--phase-resonance", "1", "--no-stability", "--harmonics", "1", "--output", "acc3")["points"]
        said[name] = [min(points, key=lambda q: abs(q["force"] - p[0])) for p in peaks]
    for k, (force, amplitude, frequency) in enumerate(peaks):
        print("| %.3f | %.1f at %.2f | %s |" % (force, amplitude, frequency, " | ".join("%.1f at %.2f" % (q[k]["peak"] * q[k]["omega"] ** 2, q[k]["frequency"]) for q in said.values())))


def scatter(hammer, shaker):
    """The same mode by hammer and by shaker, at amplitudes of accelerometer 3 that both reached: what tests differ by."""
    mode = hammer["modes"][0]
    ratio = abs(numpy.array(mode["shape"]["HIdata.acc3"]))
    a, z, f = numpy.array(mode["amplitude"]) * ratio, numpy.array(mode["zeta"]), numpy.array(mode["omega"]) / (2 * math.pi)
    order = numpy.argsort(a)
    print("\nHammer and shaker at one amplitude of accelerometer 3\n\n| m/s2 | held | hammer | shaker | damping differs by / % |\n|---|---|---|---|---|")
    for p in shaker["points"]:
        if a.min() <= p["amplitude"] <= a.max():
            f0, z0 = numpy.interp(p["amplitude"], a[order], f[order]), numpy.interp(p["amplitude"], a[order], z[order])
            print("| %.1f | %s | %.3f, %.3f | %.3f, %.3f | %+.0f |" % (p["amplitude"], p["held"], f0, 100 * z0, p["omega"] / (2 * math.pi), 100 * p["zeta"], 100 * (p["zeta"] / z0 - 1)))


def main(hammer, shaker, fronts, file):
    with open(hammer) as f:
        hammer = json.load(f)["result"]
    with open(shaker) as f:
        shaker = json.load(f)["result"]
    models = {os.path.basename(p)[: -len("-utopia.toml")]: p for p in sorted(glob.glob(os.path.join(fronts, "*-utopia.toml")))}
    hammer_modes(hammer, models)
    shaker_held(shaker, models)
    shaker_peaks(file, models)
    scatter(hammer, shaker)


if __name__ == "__main__":
    main(*sys.argv[1:])
