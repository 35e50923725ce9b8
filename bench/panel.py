#!/usr/bin/python3
"""The panel of [S1] by stages, in seconds of processor time, against the times it prints (7 processors of an i7-4790K); and
how the condensation of a C3D20R plate grows with its degrees of freedom.

    bench/panel.py [build/bin/faying]
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FAYING = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/bin/faying")
PANEL = os.path.join(ROOT, "examples/panel/panel.toml")


def timed(*words):
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    start = spent()
    done = subprocess.run([FAYING, *words, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return spent() - start, json.loads(done.stdout)["result"]


def plate(path, n):
    """A clamped plate 0.3 x 0.3 x 0.002 m, n x n x 1 elements C3D20R."""
    place, nodes, elements = {}, [], []

    def node(i, j, k):
        if (i, j, k) not in place:
            nodes.append((0.3 * i / (2 * n), 0.3 * j / (2 * n), 0.002 * k / 2))
            place[i, j, k] = len(nodes)
        return place[i, j, k]
    for a in range(0, 2 * n, 2):
        for b in range(0, 2 * n, 2):
            corners = [(a, b), (a + 2, b), (a + 2, b + 2), (a, b + 2)]
            middles = [(a + 1, b), (a + 2, b + 1), (a + 1, b + 2), (a, b + 1)]
            elements.append([node(*p, 0) for p in corners] + [node(*p, 2) for p in corners] + [node(*p, 0) for p in middles] +
                            [node(*p, 2) for p in middles] + [node(*p, 1) for p in corners])
    edge = [v for (i, j, k), v in place.items() if i in (0, 2 * n) or j in (0, 2 * n)]
    with open(path, "w") as file:
        file.write("*NODE\n" + "".join("%d, %.12e, %.12e, %.12e\n" % (i + 1, *x) for i, x in enumerate(nodes)))
        file.write("*ELEMENT, TYPE=C3D20R, ELSET=E\n")
        for i, e in enumerate(elements):
            words = [str(w) for w in [i + 1, *e]]
            file.write(", ".join(words[:11]) + ",\n" + ", ".join(words[11:]) + "\n")
        file.write("*MATERIAL, NAME=S\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n*SOLID SECTION, ELSET=E, MATERIAL=S\n"
                   "*NSET, NSET=EDGE\n" + "".join("%d,\n" % e for e in edge) + "*BOUNDARY\nEDGE, 1, 3\n")
    return 3 * (len(nodes) - len(edge))


def main():
    print("%-58s %10s %12s" % ("stage", "s", "published s"))
    preload, _ = timed("sice", PANEL, "--taylor", "1")
    print("%-58s %10.2f %12s" % ("preload and modes", preload, "3915"))
    a, _ = timed("sice", PANEL, "--range", "-3.6e-3:-9e-5:40", "--orders", "3:7")
    b, _ = timed("sice", PANEL, "--range", "9e-5:3.6e-3:40", "--orders", "3:7")
    print("%-58s %10.2f %12s" % ("A: stuck, -q, 40 points", a - preload, "2069"))
    print("%-58s %10.2f %12s" % ("B: stuck, +q, 40 points", b - preload, "1009"))
    c, _ = timed("ignl", PANEL, "--at", "3.6e-3", "--loop-steps", "20")
    print("%-58s %10.2f %12s" % ("A, B, C, -C and one traced loop", c - preload, "about 8100"))
    d, result = timed("ignl", PANEL, "--range", "3e-4:3.6e-3:12")
    print("%-58s %10.2f %12s" % ("all: preload, A, B, C, -C, 12 loops, frequency, damping", d, "20709 (no loops)"))
    e, _ = timed("ignl", os.path.join(ROOT, "examples/panel/sdof.toml"), "--range", "1e-4:4e-3:40")
    print("%-58s %10.2f %12s" % ("oscillator, 40 amplitudes, loops traced", e, "634.68 (ring-down)"))
    f, _ = timed("ignl", os.path.join(ROOT, "examples/panel/sdof.toml"), "--range", "1e-4:4e-3:40", "--no-loops")
    print("%-58s %10.2f %12s" % ("the same by Masing's rule, as published", f, "20.345"))
    with tempfile.TemporaryDirectory() as folder:
        for n in (10, 20, 30):
            deck = os.path.join(folder, "plate.inp")
            dof = plate(deck, n)
            seconds, result = timed("sice", deck, "--orders", "2:7", "--taylor", "7")
            print("%-58s %10.2f %12s" % ("C3D20R plate, %d DOF: modes, Taylor and fits to 7" % dof, seconds, ""))


main()
