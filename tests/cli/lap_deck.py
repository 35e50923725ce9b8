"""Decks of two bars that lap, for tests of decks, modes and reduction."""

STEEL = ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2e11, 0.29", "*DENSITY", "7800", "*SOLID SECTION, ELSET=LOWER, MATERIAL=STEEL",
         "*SOLID SECTION, ELSET=UPPER, MATERIAL=STEEL"]


def bar(name, cells, size, origin, first, lap, kind):
    """Nodes and elements of a box; surfaces NAME_LOW and NAME_HIGH of the faces within `lap` in x; set NAME_ENDS."""
    (nx, ny, nz), ends = cells, []

    def node(i, j, k):
        return first + i + (nx + 1) * (j + (ny + 1) * k)

    nodes, elements, low, high = [], [], [], []
    for k in range(nz + 1):
        for j in range(ny + 1):
            for i in range(nx + 1):
                x = [o + s * a / n for o, s, a, n in zip(origin, size, (i, j, k), cells)]
                nodes.append("%d, %.12g, %.12g, %.12g" % (node(i, j, k), *x))
                if i in (0, nx):
                    ends.append(str(node(i, j, k)))
    label = first
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                corners = [node(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                elements.append(", ".join(map(str, [label] + corners)))
                if lap[0] < origin[0] + size[0] * (i + 0.5) / nx < lap[1]:
                    if k == 0:
                        low.append("%d, S1" % label)
                    if k == nz - 1:
                        high.append("%d, S2" % label)
                label += 1
    return (["*NODE"] + nodes + ["*ELEMENT, TYPE=%s, ELSET=%s" % (kind, name)] + elements
            + ["*SURFACE, NAME=%s_LOW" % name] + low + ["*SURFACE, NAME=%s_HIGH" % name] + high
            + ["*NSET, NSET=%s_ENDS" % name] + ends)


def lap_joint(cells=2, upper=None, gap=0.0, kind="C3D8I"):
    """Two bars of 0.42 x 0.0254 x 0.0127 m, lapped over 0.12 m: surfaces LOWER_HIGH and UPPER_LOW face each other."""
    def count(n):
        return (14 * n, 2 * n, n)
    size, lap = (0.42, 0.0254, 0.0127), (0.30, 0.42)
    lines = bar("LOWER", count(cells), size, (0, 0, 0), 1, lap, kind)
    lines += bar("UPPER", count(upper or cells), size, (0.30, 0, 0.0127 + gap), 100001, lap, kind)
    return lines + STEEL


def write(path, lines):
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
