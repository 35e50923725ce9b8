"""faying deck show and faying deck flatten, on decks a user could have."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from math import pi

from faying import result, run

NODES = [(i, j, k) for k in range(3) for j in range(2) for i in range(2)]
CUBES = """** two cubes of steel, in mm
*Heading
*Part, name=Stack
*Node
{nodes}
*Element, type=C3D8, elset=Lower
 1, 1,2,4,3, 5,6,8,7
*Element, type=C3D8, elset=Upper
 2, 5,6,8,7, 9,10,12,11
*Nset, nset=Base, generate
 1, 4, 1
*Elset, elset=Both
 1, 2
*Surface, name=Lid
 Upper, S2
*Solid Section, elset=Both, material=Steel
*End Part
*Assembly, name=A
*Instance, name=One, part=Stack
 0., 0., 30.
*End Instance
*End Assembly
*Material, name=Steel
*Density
 7.85e-9
*Elastic
 210000., 0.3
""".format(nodes="\n".join(f" {n + 1}, {10 * x}., {10 * y}., {10 * z}." for n, (x, y, z) in enumerate(NODES)))


class Decks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def save(self, text, name="deck.inp"):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)
        return name

    def answer(self, *words):
        status, out, err = run("deck", *words, "--json", cwd=self.folder)
        self.assertEqual((status, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual(answer["command"], "deck " + words[0])
        return answer["result"]

    def test_show_counts_and_weighs(self):
        shown = self.answer("show", self.save(CUBES))
        self.assertEqual((shown["nodes"], shown["elements"]), (12, [{"type": "C3D8", "count": 2, "assembled": True}]))
        self.assertAlmostEqual(shown["volume"], 2000, delta=1e-9)
        self.assertAlmostEqual(shown["mass"], 2000 * 7.85e-9, delta=1e-17)
        self.assertEqual(shown["bounding_box"], {"low": [0, 0, 30], "high": [10, 10, 50]})
        self.assertIn("mm", shown["units"])
        self.assertEqual(shown["notes"], [])
        lid = [s for s in shown["surfaces"] if s["name"].upper().endswith("LID")]
        self.assertAlmostEqual(lid[0]["area"], 100, delta=1e-9)
        status, out, _ = run("deck", "show", "deck.inp", cwd=self.folder)
        self.assertEqual(status, 0)
        for text in ("12 nodes, 2 elements", "C3D8", "mass", "1.57e-05", "area 100"):
            self.assertIn(text, out)

    def test_show_lists_what_it_does_not_know(self):
        shown = self.answer("show", self.save(CUBES + "*Fancy Physics\n 1, 2\n"))
        self.assertTrue(any("FANCY PHYSICS" in c["text"].upper() for c in shown["notes"]), shown["notes"])

    def test_flatten_keeps_the_model(self):
        flat = self.answer("flatten", self.save(CUBES), "--out", "flat.inp", "--frequency", "3")
        self.assertEqual(flat["out"], "flat.inp")
        with open(os.path.join(self.folder, "flat.inp")) as f:
            text = f.read().upper()
        for keyword in ("*PART", "*INSTANCE", "*ASSEMBLY"):
            self.assertNotIn(keyword, text)
        self.assertIn("*FREQUENCY", text)
        before, after = self.answer("show", "deck.inp"), self.answer("show", "flat.inp")
        for key in ("nodes", "elements", "volume", "mass", "bounding_box"):
            self.assertEqual(before[key], after[key], key)

    @unittest.skipUnless(shutil.which("ccx"), "no ccx")
    def test_ccx_runs_the_flat_deck_and_agrees(self):
        equation = "*Equation\n2\nOne.{}, 3, 1., One.{}, 3, -1.\n"
        # Three corners of the lid move alike along z: two rotations are gone, four rigid motions stay.
        self.save(CUBES.replace("*End Assembly", equation.format(9, 10) + equation.format(9, 11) + "*End Assembly"))
        self.answer("flatten", "deck.inp", "--out", "flat.inp", "--frequency", "6")  # ccx needs 4 n < DOF
        done = subprocess.run(["ccx", "-i", "flat"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertNotIn("*ERROR", done.stdout)
        with open(os.path.join(self.folder, "flat.dat")) as f:
            rows = re.findall(r"^ +(\d+) +(\S+) +(\S+) +(\S+) +(\S+)$", f.read(), re.M)
        theirs = [float(row[3]) for row in rows[4:6]]
        ours = [w / (2 * pi) for w in result("modes", "deck.inp", "--count", "6", cwd=self.folder)["omega"][4:]]
        for a, b in zip(ours, theirs):
            self.assertAlmostEqual(a / b, 1, delta=2e-6)

    def test_bad_decks(self):
        cases = [
            ("nothing.inp", None, "nothing.inp"),
            ("cut.inp", CUBES[: CUBES.index("*Element, type=C3D8, elset=Upper") + 50], "cut.inp:"),
            ("node.inp", CUBES.replace("9,10,12,11", "9,10,12,99"), "99"),
            ("set.inp", CUBES.replace("elset=Both, material", "elset=None, material"), "None"),
            ("number.inp", CUBES.replace(" 210000., 0.3", " steel, 0.3"), "steel"),
            ("surface.inp", CUBES.replace("Upper, S2", "Upper, S9"), "S9"),
        ]
        for name, text, expected in cases:
            if text is not None:
                self.save(text, name)
            for words in (["show", name], ["flatten", name, "--out", "flat.inp"]):
                status, out, err = run("deck", *words, cwd=self.folder)
                self.assertEqual((status, out, err.count("\n")), (2, "", 1), (name, err))
                self.assertIn(expected.upper(), err.upper())
                self.assertNotIn("flat.inp", os.listdir(self.folder))

    def test_bad_requests(self):
        self.save(CUBES)
        for words, expected in [
            (["flatten", "deck.inp"], "--out is required"),
            (["flatten", "deck.inp", "--out", "none/flat.inp"], "cannot be written"),
            (["flatten", "deck.inp", "--out", "flat.inp", "--frequency", "0"], "--frequency"),
            (["flatten", "deck.inp", "--out", "flat.inp", "--frequency", "3", "--static"], "--static"),
            (["flatten", "deck.inp", "--out", "flat.inp", "--step", "2"], "step"),
            (["show", "deck.inp", "--jason"], "--jason"),
            (["show"], "file is required"),
        ]:
            status, out, err = run("deck", *words, cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), (words, err))
            self.assertIn(expected, err)
            self.assertEqual(os.listdir(self.folder), ["deck.inp"])


if __name__ == "__main__":
    unittest.main()
