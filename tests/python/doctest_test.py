"""Every example in the docstrings and in docs/python.md gives what it says."""

import doctest
import importlib
import os
import pkgutil
import unittest

import faying
from support import SOURCE

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE


def load_tests(loader, tests, pattern):
    count = 0
    for module in pkgutil.iter_modules(faying.__path__):
        if module.name.startswith("__") or module.ispkg or module.name == "_faying":
            continue
        suite = doctest.DocTestSuite(importlib.import_module("faying." + module.name), optionflags=FLAGS)
        count += suite.countTestCases()
        tests.addTests(suite)
    tests.addTests(doctest.DocTestSuite(faying, optionflags=FLAGS))
    guide = os.path.join(SOURCE, "docs", "python.md")
    tests.addTests(doctest.DocFileSuite(guide, module_relative=False, optionflags=FLAGS))
    assert count >= 5, count
    return tests


if __name__ == "__main__":
    os.chdir(SOURCE)
    unittest.main()
