"""What --json prints is what docs/json says, for every command; docs/json.md says how to add one.

A command of `faying --help` that takes --json needs docs/json/COMMAND.schema.json (words joined by "-") and runs in RUNS below:
small ones, with the options that change what is printed.
"""

import copy
import json
import math
import os
import pathlib
import re
import tempfile
import unittest

import jsonschema

import measured_test
from experiment_test import small_experiment, small_joint
from faying import run
from lap_deck import lap_joint, write
from modal_iwan_test import STUDY as RING_DOWNS
from reduce_test import WHOLE
from simulate_test import CONTACT
from study_test import MODEL as BEAM
from study_test import ROM, STUDY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMAS = ROOT / "docs/json"
MASSES = (ROOT / "examples/three_masses/model.toml").read_text()
FIT = STUDY.replace('["jenkins", "iwan4"]', '["jenkins"]').replace('"both"', '"nsga2"')
STRIP, OSCILLATOR = str(ROOT / "tests/reference/decks/flat.inp"), str(ROOT / "examples/panel/sdof.toml")
DUFFING = """[structure]
mass = [[1]]
stiffness = [[1]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = %g }
dofs = [1]
"""
RESONANT = """[structure]
mass = [[1, 0], [0, 1]]
stiffness = [[1, 0], [0, 9.6]]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 0.5 }
dofs = [1]
[[joint]]
law = "polynomial"
parameters = { k1 = 0, k3 = 0.02 }
dofs = [1, 2]
"""
IWAN = ["iwan4", "FS=10", "KT=1", "chi=-0.5", "beta=5"]
AT = ["--mode", "1", "--at", "1e-6,1e-5"]

# Each: what ends it (status 3: printed, and something in it did not converge), then the words. They run in one folder, in this order.
RUNS = [
    (0, "laws"), (0, "laws", "iwan4"), (0, "laws", "elastic-dry-friction"),
    (0, "loop", *IWAN, "--path", "0,1,-0.5,0.7", "--derivatives"), (0, "loop", *IWAN, "--cycle", "1,5", "--derivatives"),
    (0, "loop", "--compare", "jenkins:kt=1,fs=0.6", "prager:fs=0.6,kp=1", "--signal", "sin(t)", "--time", "0:9:20"),
    (0, "loop", "--compare", "jenkins:kt=1,fs=0.6", "prager:fs=0.6,kp=1", "--cycle", "1"),
    (0, "loop", "elastic-dry-friction", "kt=1", "mu=0.5", "kn=1", "--path", "0:0:1,1:0:1"),
    (0, "network", "net.toml", "--path", "1,-1,2"), (0, "network", "net.toml", "--out", "net.mat"),
    (0, "network", "driven.toml", "--signal", "sin(t)", "--time", "0:9:20"),
    (0, "condense", "net.toml", "--states", "2", "--curve", "1:2", "--rival", "iwan4+kp", "--out", "law.toml"),
    (0, "condense", "net.toml", "--states", "2", "--basis", "svd"),
    (0, "mesh", "brake-reuss", "--size", "0.01", "--out", "beam.inp"),
    (0, "deck", "show", "lap.inp"), (0, "deck", "show", "tied.inp"), (0, "deck", "flatten", "tied.inp", "--out", "flat.inp"),
    (0, "modes", "masses.toml"), (0, "modes", "masses.toml", "--about", "slipping"), (0, "modes", "contact.toml", "--count", "3"),
    (0, "modes", "tied.inp", "--count", "8", "--shapes"), (0, "modes", "reduced.inp", "--count", "8"),
    (0, "reduce", "reduce.toml", "--out", "rom.h5"),
    (0, "preload", "contact.toml"), (0, "preload", "model.toml"),
    (0, "quasistatic", "output.toml", "--force", "output=tip,p=2", "--path", "1,-1,1", "--events", "--sites"),
    (0, "quasistatic", "masses.toml", "--displace", "at=3,u=2", "--signal", "sin(t)", "--time", "0:9:20"),
    (0, "quasistatic", "masses.toml", "--force", "at=3", "--cycle", "5", "--points", "4"),
    (0, "backbone", "masses.toml", "--mode", "2", "--at", "1,50", "--derivatives"),
    (0, "backbone", "masses.toml", "--mode", "2", "--at", "1,50", "--folds"),
    (0, "backbone", "masses.toml", "--mode", "2", "--at", "1,50", "--framework", "loops"),
    (0, "backbone", "masses.toml", "--mode", "2", "--at", "1,50", "--method", "epmc"),
    (0, "backbone", "model.toml", *AT, "--method", "qsma", "--output", "hammer"),
    (0, "backbone", "contact.toml", *AT, "--framework", "loops"), (3, "backbone", "contact.toml", "--mode", "1", "--at", "1e-5,1e3"),
    (0, "response", "output.toml", "--force", "at=1,p=0.1", "--at-omega", "0.3,0.5", "--output", "tip"),
    (0, "response", "masses.toml", "--force", "at=1,p=0.1", "--omega", "0.3:0.5", "--samples", "64"),
    (0, "response", "masses.toml", "--force", "at=1,p=0.1", "--omega", "0.3:0.5", "--harmonics", "auto:0.05", "--synthesis", "1"),
    (0, "backbone", "masses.toml", "--mode", "2", "--at", "1,50", "--method", "epmc", "--harmonics", "auto"),
    (0, "sice", STRIP, "--taylor", "3", "--at", "1e-4,-1e-4,2e-4", "--orders", "2:3"), (0, "sice", "duffing.toml"),
    (3, "sice", "softening.toml", "--control", "load", "--at", "0.2,0.9"), (0, "sice", "softening.toml", "--control", "arc-length", "--at", "0.5,1.5"),
    (0, "nnm", "resonant.toml", "--method", "harmonic-balance", "--range", "0.05:1:20"),
    (0, "nnm", "duffing.toml", "--at", "0.1,1"), (3, "nnm", "softening.toml", "--at", "0.1,2"), (0, "nnm", "duffing.toml", "--method", "shooting", "--at", "0.1"),
    (0, "nnm", STRIP, "--at", "1e-4", "--harmonics", "3", "--order", "3", "--shapes"),
    (0, "ignl", OSCILLATOR, "--at", "1e-4,1e-3", "--curves"), (0, "ignl", OSCILLATOR, "--at", "1e-4", "--no-loops", "--iwan"),
    (0, "simulate", "output.toml", "--free", "mode=2,q=5", "--time", "200", "--dt", "0.05", "--out", "r.h5", "--csv", "r.csv"),
    (0, "simulate", "masses.toml", "--free", "mode=2,q=5", "--time", "9", "--dt", "0.05", "--coordinates", "modal", "--modes", "1", "--sample", "1,2"),
    (3, "simulate", "stiff.toml", "--impulse", "at=2,p=30,omega=1.7", "--time", "100", "--dt", "0.3"),
    (0, "envelope", "r.csv", "--channel", "tip"), (0, "envelope", "r.h5", "--channel", "u1", "--backbone", "--method", "peaks", "--segments", "9"),
    (0, "envelope", "r.csv", "r.csv", "--channel", "tip", "--quantity", "displacement", "--as", "acceleration"),
    (0, "envelope", "hit.csv", "--modes", "auto"), (0, "envelope", "sweep.csv", "--sweeps", "--units", "m/s^2"),
    (0, "identify", "loop.csv", "--law", "jenkins"), (0, "identify", "loop.csv", "--law", "jenkins", "--memory", "virgin", "--fix", "kt=1"),
    (0, "identify", "sine.csv", "--compare", "bouc-wen", "jenkins", "--fix", "beta=0", "--memory", "virgin"),
    (0, "identify", "sine.csv", "--hold-out", "loop.csv", "--law", "generalized-valanis", "--terms", "auto"),
    (0, "modal-iwan", "points.csv", "--zeta0", "1e-4"), (0, "modal-iwan", "ring.toml"),
    (0, "modal-fit", "points.csv", "--law", "jenkins", "--compare", "valanis"), (3, "calibrate", "calibrate.toml"),
    (0, "fit", "fit.toml", "--out", "fit.db"), (0, "study", "study.toml", "--out", "study.db"),
    (0, "report", "study.db", "--out", "report.html"),
    (0, "convert", "r.h5", "r.mat"), (0, "convert", "r.csv", "r2.h5"),
    (0, "reduce", "fine_joint.toml", "--out", "fine_joint.h5"), (0, "experiment", "experiment.toml", "--out", "virtual.csv"),
]


def schema_file(command):
    return SCHEMAS / (command.replace(" ", "-") + ".schema.json")


def validator(path):
    schema = json.loads(path.read_text())
    kind = jsonschema.Draft202012Validator
    kind.check_schema(schema)
    return kind(schema, resolver=jsonschema.RefResolver(path.as_uri(), schema))


def deepest(error):
    """The note that says most: of the alternative that has the fewest."""
    while error.context:
        alternatives = {}
        for e in error.context:
            alternatives.setdefault(e.schema_path[0], []).append(e)
        error = min(alternatives.values(), key=len)[0]
    return error


def note(answer, path):
    """What does not fit, in a line; None where all does."""
    errors = list(validator(path).iter_errors(answer))
    if not errors:
        return None
    error = deepest(errors[0])
    where = ".".join(str(p) for p in error.absolute_path) or "the object"
    return "%s: %s: %s; say it there, with its description and unit" % (path.relative_to(ROOT), where, error.message[-300:])


def commands():
    """Every command that takes --json; those below another by themselves, unless the one above has a schema for all."""
    def below(*words):
        text = run(*words, "--help")[1]
        listed = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
        names = re.findall(r"^  (\S+) ", listed, re.M)
        if not names or (words and schema_file(" ".join(words)).exists()):
            return [" ".join(words)] if names or "--json" in text else []
        return [found for name in names for found in below(*words, name)]
    return below()


def files_in(folder):
    masses = MASSES
    calibration = ('[model]\nlaws = ["iwan4"]\n[[record]]\nfile = "points.csv"\nomega_error = 1e-4\nzeta_error = 0.05\n'
                   '[sampling]\nwarmup = 200\ndraws = 200\n[predict]\ndraws = 50\npoints = 5\n')
    texts = {"masses.toml": masses, "calibrate.toml": calibration, "stiff.toml": masses.replace("KT = 1,", "KT = 100,"),
             "duffing.toml": DUFFING % 1, "softening.toml": DUFFING % -1, "resonant.toml": RESONANT,
             "output.toml": masses + '[[output]]\nname = "tip"\ndof = 3\n', "model.toml": BEAM, "contact.toml": CONTACT % "whole_joint.h5",
             "net.toml": '[network]\ngenerator = "random"\nsize = 30\nseed = 5\n',
             "driven.toml": '[network]\ngenerator = "chain"\nsize = 9\nthrough = 2\n',
             "reduce.toml": WHOLE, "ring.toml": RING_DOWNS.replace("model.toml", "masses.toml"), "study.toml": STUDY, "fit.toml": FIT,
             "sine.csv": "u,f\n" + "".join("%.6f,%.6f\n" % (math.sin(0.1 * i), math.sin(0.1 * i) + 0.3 * math.tanh(3 * math.cos(0.1 * i))) for i in range(130)),
             "loop.csv": "u,f\n" + "".join("%g,%g\n" % (u, f) for u, f in ((0, 0), (1, 0.6), (2, 0.6), (1, -0.4), (0, -0.6), (-2, -0.6), (-1, 0.4), (0, 0.6), (2, 0.6)))}
    for name, text in texts.items():
        (folder / name).write_text(text)
    measured_test.write_record(folder / "hit.csv", *measured_test.ring())
    measured_test.Sweeps().write(folder / "sweep.csv", measured_test.Sweeps.rows())
    (folder / "whole_joint.h5").symlink_to(os.path.abspath(ROM))
    write(folder / "lap.inp", lap_joint())
    tie = ["*TIE, NAME=GLUE, POSITION TOLERANCE=1e-3", "UPPER_LOW, LOWER_HIGH"]
    write(folder / "tied.inp", lap_joint(1) + tie)
    write(folder / "reduced.inp", lap_joint(2, kind="C3D8R") + tie)
    rows = ["mode,amplitude,omega,zeta"]
    for mode, index in (1, 1), (2, 3):
        points = json.loads(run("backbone", "model.toml", "--mode", str(index), "--amplitudes", "1e-6:1e-4:8", "--json", cwd=folder)[1])["result"]["points"]
        rows += ["%d,%r,%r,%r" % (mode, p["q"], p["omega"], p["zeta"]) for p in points]
        if mode == 1:
            (folder / "points.csv").write_text("q,omega,zeta\n" + "".join("%r,%r,%r\n" % (p["q"], p["omega"], p["zeta"]) for p in points))
    (folder / "backbones.csv").write_text("\n".join(rows) + "\n")
    (folder / "fine_joint.toml").write_text(small_joint())
    (folder / "experiment.toml").write_text(small_experiment())


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        files_in(cls.folder)
        cls.answers = []
        for status, *words in RUNS:
            cls.answers.append((words, status, *run(*words, "--json", cwd=cls.folder)))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_every_command_has_a_schema_and_runs(self):
        run_here = {json.loads(out)["command"] for _, _, _, out, _ in self.answers if out}
        for command in commands():
            with self.subTest(command):
                name = schema_file(command).relative_to(ROOT)
                self.assertTrue(schema_file(command).exists(), "faying %s --json has no schema: write %s (docs/json.md says how)" % (command, name))
                self.assertIn(command, run_here, "add runs of 'faying %s' to RUNS in tests/cli/schema_test.py" % command)
        named = {schema_file(c) for c in commands()} | {SCHEMAS / "common.schema.json"}
        self.assertEqual(set(SCHEMAS.iterdir()) - named, set(), "schemas of no command")

    def test_what_is_printed_is_what_is_documented(self):
        for words, expected, status, out, err in self.answers:
            with self.subTest(" ".join(words)):
                self.assertEqual(status, expected, err)
                answer = json.loads(out)
                self.assertIsNone(note(answer, schema_file(answer["command"])))

    def test_an_unknown_key_or_a_missing_one_is_noticed(self):
        for words, _, _, out, _ in self.answers:
            with self.subTest(" ".join(words)):
                answer = json.loads(out)
                path = schema_file(answer["command"])
                more = copy.deepcopy(answer)
                more["result"]["surprise"] = 1
                self.assertIn("surprise", note(more, path) or "")
                missed = [k for k in answer["result"] if note({**answer, "result": {j: x for j, x in answer["result"].items() if j != k}}, path)]
                self.assertTrue(missed)

    def test_schemas_are_strict_and_the_page_lists_them(self):
        page = (SCHEMAS.parent / "json.md").read_text()

        def walk(node, where):
            if isinstance(node, list):
                for k, item in enumerate(node):
                    walk(item, "%s/%d" % (where, k))
            if not isinstance(node, dict):
                return
            if "properties" in node and isinstance(node.get("type"), str):
                self.assertIs(node.get("additionalProperties"), False, where)
            for key, item in node.items():
                walk(item, where + "/" + key)

        for path in sorted(SCHEMAS.iterdir()):
            walk(json.loads(path.read_text()), path.name)
            self.assertIn("json/" + path.name, page)

    def test_bad_input_prints_no_object(self):
        for words in (["loop", "jenkins"], ["modes", "nothing.toml"], ["simulate", "masses.toml"]):
            status, out, err = run(*words, "--json", cwd=self.folder)
            self.assertEqual((status, out, err.count("\n")), (2, "", 1), words)


if __name__ == "__main__":
    unittest.main()
