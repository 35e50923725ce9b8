"""Run by ./do sanitize python: the tests of the module in one process, without those that start others that are not instrumented."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
NAMES = ["laws_test", "own_law_test", "models_test", "fits_test", "wrong_test", "stranger_test"]
LEFT_OUT = ("Ctrl", "ctrl_c", "Interrupts", "SameBits.test_paths_and_cycles", "Studies")  # minutes, or another process


def chosen(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from chosen(test)
        elif not any(word in test.id() for word in LEFT_OUT):
            yield test


suite = unittest.TestSuite(chosen(unittest.defaultTestLoader.loadTestsFromNames(NAMES)))
sys.exit(not unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful())
