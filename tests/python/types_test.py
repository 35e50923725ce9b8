"""Type annotations hold: mypy accepts the package, and stubtest finds that the stub is what the extension has."""

import importlib.util
import os
import subprocess
import sys
import unittest

from support import SOURCE


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class Types(unittest.TestCase):
    def run_module(self, *words):
        # The sources, not the links in the build tree: mypy follows neither links nor PYTHONPATH.
        environment = dict(os.environ, MYPYPATH=os.path.join(SOURCE, "python"))
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, env=environment, timeout=280)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mypy(self):
        self.run_module("mypy", "--cache-dir=/dev/null", "--disallow-untyped-defs", "--ignore-missing-imports", "-p", "faying")

    def test_stub_is_what_the_extension_says_of_itself(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "python", "make_stub"), "--check"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_stubtest(self):
        here = os.path.join(SOURCE, "tests", "python")
        self.run_module("mypy.stubtest", "faying._faying", "--ignore-missing-stub", "--mypy-config-file", f"{here}/mypy.ini",
                        "--allowlist", f"{here}/stubtest.allow")


if __name__ == "__main__":
    unittest.main()
