#!/usr/bin/env python3
"""Decks of a clamped strip bent along a parabola (CPE8) and of a clamped plate (C3D20R).

    decks.py FOLDER
"""

import math
import os
import sys

STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n1.\n"


def write(path, kind, nodes, elements, held):
    with open(path, "w") as file:
        file.write("*NODE\n" + "".join("%d, %s\n" % (i + 1, ", ".join("%.12e" % x for x in p)) for i, p in enumerate(nodes)))
        file.write("*ELEMENT, TYPE=%s, ELSET=ALL\n" % kind)
        for i, element in enumerate(elements):
            words = [str(w) for w in [i + 1, *element]]
            file.write(", ".join(words[:11]) + (",\n" + ", ".join(words[11:]) if len(words) > 11 else "") + "\n")
        file.write(STEEL + "*NSET, NSET=CLAMP\n" + "".join("%d,\n" % n for n in held))
        file.write("*BOUNDARY\nCLAMP, 1, %d\n" % len(nodes[0]))


def mesh(kind, cells, place):
    """Serendipity elements on a grid of half steps, nodes at place(i, j(, k))."""
    number, nodes, elements = {}, [], []

    def node(*at):
        if at not in number:
            nodes.append(place(*at))
            number[at] = len(nodes)
        return number[at]
    for a in range(0, 2 * cells[0], 2):
        for b in range(0, 2 * cells[1], 2):
            corners = [(a, b), (a + 2, b), (a + 2, b + 2), (a, b + 2)]
            middles = [(a + 1, b), (a + 2, b + 1), (a + 1, b + 2), (a, b + 1)]
            if kind == "CPE8":
                elements.append([node(*p) for p in corners + middles])
            else:
                elements.append([node(*p, 0) for p in corners] + [node(*p, 2) for p in corners] + [node(*p, 0) for p in middles] +
                                [node(*p, 2) for p in middles] + [node(*p, 1) for p in corners])
    return number, nodes, elements


def strip(path, rise, length=0.3, thickness=1.5e-3, cells=(60, 2)):
    def place(i, j):
        x = length * i / (2 * cells[0])
        slope = 4 * rise * (length - 2 * x) / length**2
        across, c = thickness * (j / (2 * cells[1]) - 0.5), 1 / math.hypot(1, slope)
        return x - across * slope * c, 4 * rise * x * (length - x) / length**2 + across * c
    number, nodes, elements = mesh("CPE8", cells, place)
    write(path, "CPE8", nodes, elements, [n for (i, _), n in number.items() if i in (0, 2 * cells[0])])


def plate(path, rise=0.0, side=0.3, thickness=2e-3, n=8):
    """Shallow: curved along x only, so that it softens before it hardens; flat, it hardens at once."""
    def place(i, j, k):
        x = side * i / (2 * n)
        return x, side * j / (2 * n), 4 * rise * x * (side - x) / side**2 + thickness * k / 2
    number, nodes, elements = mesh("C3D20R", (n, n), place)
    write(path, "C3D20R", nodes, elements, [m for (i, j, _), m in number.items() if i in (0, 2 * n) or j in (0, 2 * n)])


if __name__ == "__main__":
    folder = sys.argv[1]
    strip(os.path.join(folder, "strip.inp"), rise=3e-3)
    plate(os.path.join(folder, "plate.inp"))
    plate(os.path.join(folder, "shell.inp"), rise=4e-3)
