"""The files of archive_sample, as scipy and h5py see them."""

import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import scipy.io
import scipy.sparse

SAMPLE = sys.argv.pop()
DENSE = [[1, 2, 3], [4, 5, 6.5]]
SPARSE = [[10, 0], [0, 0], [0, -0.25]]


def sparse(group):
    return scipy.sparse.csc_matrix((group["data"][:], group["ir"][:], group["jc"][:]),
                                   shape=(int(group.attrs["MATLAB_sparse"]), len(group["jc"]) - 1)).toarray()


class Written(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        subprocess.run([SAMPLE], cwd=folder.name, check=True)
        self.path = lambda name: os.path.join(folder.name, name)

    def test_h5py(self):
        with h5py.File(self.path("sample.h5")) as f:
            np.testing.assert_array_equal(f["M"], DENSE)
            self.assertEqual(f["M"].attrs["units"], "kg")
            np.testing.assert_array_equal(sparse(f["K"]), SPARSE)
            np.testing.assert_array_equal(f["K"].attrs["shape"], [3, 2])
            self.assertEqual(f["K"].attrs["units"], "N/m")
            np.testing.assert_array_equal(f["v"], [0, 1, 2, 3])
            self.assertEqual((f["x"][()], f["x"].shape), (0.1, ()))
            self.assertEqual(f["note"].asstr()[()], "Schraube Ø8")
            self.assertEqual(list(f["patches/name"].asstr()), ["left", "µ-joint"])
            np.testing.assert_array_equal(f["patches/area"], [0.5, 1.5])

    def test_scipy(self):
        f = scipy.io.loadmat(self.path("sample.mat"), squeeze_me=True, struct_as_record=False)
        np.testing.assert_array_equal(f["M"], DENSE)
        self.assertTrue(scipy.sparse.issparse(f["K"]))
        np.testing.assert_array_equal(f["K"].toarray(), SPARSE)
        np.testing.assert_array_equal(f["v"], [0, 1, 2, 3])
        self.assertEqual((f["x"], f["note"]), (0.1, "Schraube Ø8"))
        self.assertEqual(list(f["patches"].name), ["left", "µ-joint"])
        np.testing.assert_array_equal(f["patches"].area, [0.5, 1.5])
        self.assertEqual((f["units"].M, f["units"].K, f["patches"].units.area), ("kg", "N/m", "m2"))

    def test_matlab_7_3(self):
        """Its layout is MATLAB's: arrays transposed, classes as attributes, texts as 16-bit numbers."""
        with open(self.path("sample73.mat"), "rb") as f:
            self.assertTrue(f.read(20).startswith(b"MATLAB 7.3 MAT-file"))
        with h5py.File(self.path("sample73.mat")) as f:
            np.testing.assert_array_equal(np.array(f["M"]).T, DENSE)
            self.assertEqual(f["M"].attrs["MATLAB_class"], b"double")
            np.testing.assert_array_equal(sparse(f["K"]), SPARSE)
            self.assertEqual("".join(chr(c) for c in np.array(f["note"]).ravel()), "Schraube Ø8")
            names = ["".join(chr(c) for c in np.array(f[r]).ravel()) for r in np.array(f["patches/name"]).ravel()]
            self.assertEqual(names, ["left", "µ-joint"])


if __name__ == "__main__":
    unittest.main()
