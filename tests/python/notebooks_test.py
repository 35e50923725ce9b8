"""Every notebook runs, and the one in docs/notebooks is made of the same cells."""

import os
import subprocess
import sys
import unittest

from support import SOURCE

FOLDER = os.path.join(SOURCE, "examples", "notebooks")


class Notebooks(unittest.TestCase):
    def test_all_are_here(self):
        self.assertEqual(len([name for name in os.listdir(FOLDER) if name.endswith(".py")]), 7)


def add(name):
    def test(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(FOLDER, "make"), "--check", name], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{name}: ", done.stdout)
    setattr(Notebooks, "test_" + name, test)


for file in sorted(os.listdir(FOLDER)):
    if file.endswith(".py"):
        add(file[:-3])

if __name__ == "__main__":
    unittest.main()
