"""What the tests of the Python module share. FAYING names the tool; PYTHONPATH leads to the built package."""

import json
import os
import subprocess
import unittest

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
