"""faying report: the page in Chromium, light and dark, on a desk, a phone and paper; bad input."""

import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from faying import result, run
from study_test import MODEL, ROM, STUDY, measured

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "web"))
from browser import require_passed
from report_sample import sample


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.data = sample(result, cls.folder)
        (cls.folder / "data.json").write_text(json.dumps(cls.data))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_page(self):
        answer = result("report", "data.json", "--out", "report.html", cwd=self.folder)
        text = (self.folder / "report.html").read_text()
        self.assertEqual(answer["bytes"], len(text.encode()))
        self.assertEqual((answer["variants"], answer["points"]), (3, 7))
        require_passed("report_page.js", self.folder / "report.html")

    def test_data_come_back(self):
        result("report", "data.json", "--out", "copy.json", cwd=self.folder)
        self.assertEqual(json.loads((self.folder / "copy.json").read_text()), self.data)

    def test_study_file(self):
        """From a study's store to the page: every point of every front can be chosen."""
        shutil.copy(ROM, self.folder / "whole_joint.h5")
        (self.folder / "model.toml").write_text(MODEL)
        (self.folder / "study.toml").write_text(STUDY.replace("generations = 8", "generations = 3"))
        measured(self.folder)
        study = result("study", "study.toml", "--out", "study.db", cwd=self.folder)
        answer = result("report", "study.db", "--out", "study.html", cwd=self.folder)
        self.assertEqual([v["variant"] for v in sorted(answer["ranking"], key=lambda v: v["rank"])], study["ranking"])
        text = (self.folder / "study.html").read_text()
        require_passed("study_page.js", self.folder / "study.html")
        result("report", "study.db", "--out", "again.html", cwd=self.folder)
        self.assertEqual((self.folder / "again.html").read_text(), text)

    def bad(self, said, *words):
        status, _, error = run("report", *words, "--out", "bad.html", cwd=self.folder)
        self.assertEqual(status, 2, error)
        self.assertEqual(error.count("\n"), 1)
        self.assertIn(said, error)
        self.assertFalse((self.folder / "bad.html").exists())

    def test_bad_input(self):
        self.bad("nowhere.json", "nowhere.json")
        self.bad("nowhere.db", "nowhere.db")
        (self.folder / "other.db").write_text("not a study")
        self.bad("other.db", "other.db")
        (self.folder / "text.json").write_text('{"format": 1,')
        self.bad("text.json: is not JSON", "text.json")
        for deep in "[" * 1000000, '{"a":' * 1000000, "[" * 70 + "]" * 70, json.dumps({**self.data, "x": [[]]})[:-1] + ',"y":' + "[" * 100000 + "]" * 100000 + "}":
            (self.folder / "deep.json").write_text(deep)
            self.bad("deep.json: is nested more than 64 deep", "deep.json")
        for place, value, said in ((["format"], 2, "/format must be 1"), (["modes"], [], "/modes must be a list"),
                                   (["variants", 1, "name"], "jenkins", "/variants/1/name is there twice"),
                                   (["variants", 0, "area"], [1], "/variants/0/area must be a list of 2"),
                                   (["variants", 0, "front", 1, "x"], [1], "/variants/0/front/1/x must be a list of 2"),
                                   (["modes", 0, "measured", "damping"], [1], "/modes/0/measured/damping must be a list of 16")):
            data = json.loads((self.folder / "data.json").read_text())
            inner = data
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = value
            (self.folder / "changed.json").write_text(json.dumps(data))
            self.bad("changed.json: " + said, "changed.json")
        status, _, error = run("report", "data.json", "--out", "report.pdf", cwd=self.folder)
        self.assertEqual(status, 2)
        self.assertIn("'report.pdf' must end in .html (the page) or .json (its data)", error)


if __name__ == "__main__":
    unittest.main()
