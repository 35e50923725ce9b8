"""faying convert: .h5 to .mat and back, tables to archives."""

import os
import tempfile
import unittest

import h5py
import numpy
import scipy.io

from faying import result, run

MODEL = os.path.join(os.path.dirname(__file__), "..", "..", "data", "brake_reuss", "whole_joint.h5")


class Convert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_a_reduced_model_there_and_back_gives_the_same_modes(self):
        result("convert", MODEL, self.path("a.mat"))
        result("convert", self.path("a.mat"), self.path("b.h5"))
        result("convert", MODEL, self.path("c.mat"), "--v7.3")
        with h5py.File(MODEL) as first, h5py.File(self.path("b.h5")) as last:
            self.assertEqual(set(first), set(last))
            numbers = [n for n in first if isinstance(first[n], h5py.Dataset) and first[n].dtype.kind == "f"]
            self.assertGreater(len(numbers), 1)
            for name in numbers:
                numpy.testing.assert_array_equal(numpy.squeeze(first[name][()]), numpy.squeeze(last[name][()]))
        self.assertGreater(len(scipy.io.loadmat(self.path("a.mat"))), 4)
        with h5py.File(self.path("c.mat")) as newer:
            self.assertGreater(len(newer), 2)

    def test_tables(self):
        with open(self.path("t.csv"), "w") as file:
            file.write("q,zeta\n1,0.1\n2,0.25\n")
        self.assertEqual(result("convert", self.path("t.csv"), self.path("t.mat"))["columns"], 2)
        numpy.testing.assert_array_equal(scipy.io.loadmat(self.path("t.mat"))["zeta"].ravel(), [0.1, 0.25])
        result("convert", self.path("t.mat"), self.path("u.csv"))
        with open(self.path("u.csv")) as file:
            self.assertEqual(file.read(), "q,zeta\n1,0.1\n2,0.25\n")

    def test_names_and_kinds_that_cannot_be_written(self):
        with open(self.path("t.csv"), "w") as file:
            file.write("t,x y\n1,0.1\n2,0.25\n")
        with h5py.File(self.path("names.h5"), "w") as file:
            file["1st"] = numpy.arange(3.0)
        scipy.io.savemat(self.path("complex.mat"), {"z": numpy.array([1 + 2j, 3])})
        for name, out, about in (("t.csv", "x.mat", "'x y' cannot be the name of a variable"), ("t.csv", "x.h5", "'x y' cannot be"),
                                 ("names.h5", "x.mat", "'1st' cannot be"), ("complex.mat", "x.h5", "'z'")):
            status, out_, err = run("convert", self.path(name), self.path(out))
            self.assertEqual((status, out_, err.count("\n")), (2, "", 1), err)
            self.assertIn(about, err)
            self.assertFalse(os.path.exists(self.path(out)))

    def test_bad_input(self):
        for words, about in (
            (("nothing.h5", self.path("x.mat")), "there is no"),
            ((MODEL, MODEL), "input"),
            ((MODEL, self.path("no/x.mat")), "folder"),
            ((MODEL, self.path("x.h5"), "--v7.3"), "--v7.3: is a version of .mat files"),
        ):
            status, _, told = run("convert", *words)
            self.assertEqual(status, 2, words)
            self.assertIn(about, told)
            self.assertEqual(told.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
