"""Every number of tests/reference has a test that looks it up, by the module."""

import glob
import importlib
import json
import os
import sys
import unittest

from support import SOURCE, ReferenceTest, numbers_in

HERE = os.path.dirname(os.path.abspath(__file__))


class Reference(unittest.TestCase):
    def test_every_section_has_its_tests(self):
        sys.path.insert(0, HERE)
        for file in glob.glob(os.path.join(HERE, "reference_*_test.py")):
            importlib.import_module(os.path.splitext(os.path.basename(file))[0])
        seen = {}
        for tests in ReferenceTest.__subclasses__():
            seen.setdefault(tests.file, []).append(tests.sections)
        for path in glob.glob(os.path.join(SOURCE, "tests", "reference", "*.json")):
            name = os.path.splitext(os.path.basename(path))[0]
            self.assertIn(name, seen)
            with open(path) as file:
                content = json.load(file)
            if None not in seen[name]:
                covered = {section for sections in seen[name] for section in sections}
                self.assertEqual({section for section in content if numbers_in(content[section])} - covered, set(), name)


if __name__ == "__main__":
    unittest.main()
