"""What the tests of the Python module share. FAYING names the tool; PYTHONPATH leads to the built package."""

import json
import os
import subprocess
import unittest
from collections.abc import Mapping
from fnmatch import fnmatch

import numpy as np

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ["FAYING"]


def reference(name):
    """Independently computed numbers, tests/reference/NAME.json."""
    with open(os.path.join(SOURCE, "tests", "reference", name + ".json")) as file:
        return json.load(file)


def command(*words, cwd=None, status=0):
    """The result of the command line, with --json."""
    done = subprocess.run([BINARY, *map(str, words), "--json"], capture_output=True, text=True, cwd=cwd, timeout=120)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)["result"]


class Test(unittest.TestCase):
    def assert_close(self, got, wanted, relative=1e-12, absolute=0.0):
        np.testing.assert_allclose(got, wanted, rtol=relative, atol=absolute)

    def assert_same(self, got, wanted):
        """Bit for bit."""
        np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


class Noted(Mapping):
    """What a reference holds by name; every number that is looked up is noted in `read`, by its path."""

    def __init__(self, content, read, path=""):
        self._content, self._read, self._path = content, read, path

    def __getitem__(self, name):
        return self._noted(self._content[name], f"{self._path}/{name}")

    def _noted(self, value, path):
        if isinstance(value, dict):
            return Noted(value, self._read, path)
        if _is_table(value):
            return [self._noted(row, f"{path}/{i}") for i, row in enumerate(value)]
        self._read.add(path)
        return value

    def __contains__(self, name):  # that of Mapping would look it up
        return name in self._content

    def __iter__(self):
        return iter(self._content)

    def __len__(self):
        return len(self._content)


def _is_table(value):
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def numbers_in(value, path=""):
    """Paths of all numbers and lists of numbers."""
    named = value.items() if isinstance(value, dict) else enumerate(value) if _is_table(value) else None
    if named is not None:
        return {found for name, inner in named for found in numbers_in(inner, f"{path}/{name}")}
    return set() if isinstance(value, str) else {path}


class ReferenceTest(Test):
    """Tests that together must look up every number of a reference file (or of some of its `sections`) in `self.data`.

    `not_read` says of the numbers that are no result, by patterns of their paths, why. A pattern that is not needed is
    as wrong as a number that was not read. Where only some of the tests ran, nothing is said.
    """

    file = ""
    sections = None
    not_read = {}

    @classmethod
    def setUpClass(cls):
        whole = reference(cls.file)
        content = {name: whole[name] for name in cls.sections or whole}
        cls.numbers, cls.read, cls.ran = numbers_in(content), set(), set()
        cls.data = Noted(content, cls.read)

    def run(self, result=None):
        self.ran.add(self._testMethodName)
        return super().run(result)

    @classmethod
    def tearDownClass(cls):
        if cls.ran != set(unittest.defaultTestLoader.getTestCaseNames(cls)):
            return
        left = cls.numbers - cls.read
        unread = sorted(path for path in left if not any(fnmatch(path, pattern) for pattern in cls.not_read))
        idle = [pattern for pattern in cls.not_read if not any(fnmatch(path, pattern) for path in left)]
        shown = ", ".join(unread[:20]) + ", .." * (len(unread) > 20)
        assert not unread, f"{cls.file}.json: {len(unread)} numbers that no test looked up: {shown}"
        assert not idle, f"{cls.file}.json: everything that these name was looked up: {', '.join(idle)}"
