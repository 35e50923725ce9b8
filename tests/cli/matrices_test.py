"""Model files whose matrices are in files that scipy and h5py wrote."""

import os
import tempfile
import unittest

import h5py
import numpy as np
import scipy.io
import scipy.sparse

from faying import result, run

M = np.diag([10.0, 10, 10])
K = np.array([[18.0, -9, 0], [-9, 18, -9], [0, -9, 9]])
F = np.array([1.0, 0, -1])
L = np.array([[0.0, -1, 1]])
LAW = 'law = "iwan4"\nparameters = { FS = 10, KT = 1, chi = -0.5, beta = 5 }\n'
STUCK = np.sqrt(np.linalg.eigvalsh(K + L.T @ L) / 10)
FREE = np.sqrt(np.linalg.eigvalsh(K) / 10)


def matlab_class(item, name="double"):
    """MATLAB's attribute, as it writes it: as long as the word, without the padding of h5py."""
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(len(name))
    attribute = h5py.h5a.create(item.id, b"MATLAB_class", kind, h5py.h5s.create(h5py.h5s.SCALAR))
    attribute.write(np.array(name.encode()), kind)  # no room for a final zero


def sparse_group(file, name, matrix):
    """As MATLAB stores a sparse matrix in HDF5."""
    a = scipy.sparse.csc_matrix(matrix)
    group = file.create_group(name)
    group["data"], group["ir"], group["jc"] = a.data, a.indices.astype("u8"), a.indptr.astype("u8")
    group.attrs["MATLAB_sparse"] = np.uint64(a.shape[0])
    matlab_class(group)


class Matrices(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def model(self, structure, joints=""):
        with open(self.path("model.toml"), "w") as f:
            f.write("[structure]\n" + structure + "\n" + joints)
        return self.path("model.toml")

    def omega(self, *text):
        return result("modes", self.model(*text))["omega"]

    def test_links_that_lead_back(self):
        with h5py.File(self.path("loop.h5"), "w") as f:
            f["M"], f["K"] = M, K
            f["up"] = h5py.SoftLink("/")
            inner = f.create_group("a")
            inner["b"] = inner  # a hard link to itself
            f["lost"] = h5py.SoftLink("/nowhere")
        text = 'file = "loop.h5"\nmass = "M"\nstiffness = "%s"'
        np.testing.assert_allclose(self.omega(text % "K"), FREE)
        self.assertIn("up", self.refused(text % "up"))

    def refused(self, *text):
        status, out, err = run("modes", self.model(*text))
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), err)
        return err

    def expect(self, want, *text):
        np.testing.assert_allclose(self.omega(*text), want, rtol=1e-13)

    NAMES = 'mass = "M"\nstiffness = "K"\n'

    def test_mat_of_scipy(self):
        for sparse in (False, True):
            for compressed in (False, True):
                k = scipy.sparse.csc_matrix(K) if sparse else K
                scipy.io.savemat(self.path("rom.mat"), {"M": M, "K": k, "Fv": F, "L": L, "z": 1j * K, "who": "µ-joint",
                                                        "s": {"K": k}, "small": K.astype("int16")},
                                 do_compression=compressed)
                file = 'file = "rom.mat"\n'
                self.expect(FREE, file + self.NAMES)
                self.expect(FREE, file + 'mass = "M"\nstiffness = "s.K"\n')
                self.expect(FREE, file + 'mass = "M"\nstiffness = "small"\nstatic = "Fv"\n')
                self.expect(STUCK, file + self.NAMES + 'interface = "L"\n', "[[joint]]\n" + LAW + "dofs = 1\n")
                self.expect(STUCK, file + self.NAMES, "[[joint]]\n" + LAW + "dofs = [2, 3]\n")
                self.assertIn("'z' is complex", self.refused(file + 'mass = "M"\nstiffness = "z"'))
                self.assertIn("there is no 'KK'; there are: M, K, Fv, L, z, who, s, small",
                              self.refused(file + 'mass = "M"\nstiffness = "KK"'))
                self.assertIn("'who' is text", self.refused(file + 'mass = "M"\nstiffness = "who"'))

    def test_mat_7_3(self):
        with h5py.File(self.path("rom.mat"), "w", userblock_size=512) as f:
            f["M"] = M.T  # MATLAB's order
            matlab_class(f["M"])
            sparse_group(f, "K", K)
        with open(self.path("rom.mat"), "r+b") as f:
            f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
        self.expect(FREE, 'file = "rom.mat"\n' + self.NAMES)

    def test_h5(self):
        with h5py.File(self.path("rom.h5"), "w") as f:
            f["M"] = M
            sparse_group(f, "reduced/K", K)
            f["F"] = F
            f["lopsided"] = np.triu(K)
            f["yes"] = np.eye(3, dtype=bool)
            f["z"] = 1j * K
            f["deep"] = np.zeros((3, 3, 3))
        file = 'file = "rom.h5"\nmass = "M"\n'
        self.expect(FREE, file + 'stiffness = "reduced.K"\nstatic = "F"\n')
        self.expect(np.full(3, np.sqrt(0.1)), file + 'stiffness = "yes"\n')
        for name, expected in [("lopsided", "stiffness is not symmetric: entry (2,1) = 0 but (1,2) = -9"),
                               ("z", "'z' is complex"), ("deep", "'deep' has 3 dimensions"),
                               ("F", "stiffness ('F' of rom.h5) is 3 x 1; it must be square"), ("reduced", "is a group of K"),
                               ("reduced.M", "there is no 'reduced.M'; in reduced there are: K")]:
            self.assertIn(expected, self.refused(file + f'stiffness = "{name}"'))

    def test_matrix_market(self):
        for write in ({"symmetry": "general"}, {"symmetry": "symmetric"}):
            for k in (K, scipy.sparse.coo_matrix(K)):
                scipy.io.mmwrite(self.path("M.mtx"), scipy.sparse.coo_matrix(M), **write)
                scipy.io.mmwrite(self.path("K.mtx"), k, **write)
                self.expect(FREE, 'mass = "M.mtx"\nstiffness = "K.mtx"\n')

    def test_abaqus(self):
        def lines(a):
            return "".join(f"{i + 7},1, {j + 7},1, {a[i, j]:.15e}\n" for i in range(3) for j in range(i + 1) if a[i, j])

        for name, matrix in (("M", M), ("K", K)):
            with open(self.path(name + ".mtx"), "w") as f:
                f.write("** written by Abaqus\n" + lines(matrix))
        both = 'mass = "M.mtx"\nstiffness = "K.mtx"\n'
        self.expect(FREE, both)
        # A damper at one node: its file has that DOF alone, and it acts there.
        with open(self.path("C.mtx"), "w") as f:
            f.write("9,1,9,1,0.2\n")
        model = self.model(both + 'damping = "C.mtx"\n', "[[joint]]\n" + LAW + "dofs = [2, 3]\n")
        point = result("backbone", model, "--at", "1e-6")["points"][0]
        self.assertAlmostEqual(point["zeta_viscous"] / (0.2 * point["shape"][2] ** 2 / (2 * point["omega"])), 1, places=9)
        with open(self.path("M.mtx"), "w") as f:
            f.write("7,1,7,1,10\n9,1,9,1,10\n")
        self.assertIn("mass is not positive definite", self.refused(both))

    def test_bad_files(self):
        scipy.io.savemat(self.path("rom.mat"), {"M": M, "K": K, "bad": np.array([[np.nan]]), "c": np.eye(2)})
        with open(self.path("rom.mat"), "rb") as f:
            whole = f.read()
        file = 'file = "rom.mat"\n'
        self.assertIn("'bad': entry (1,1) is nan", self.refused(file + 'mass = "bad"\nstiffness = "K"'))
        self.assertIn("stiffness ('c' of rom.mat) is 2 x 2; expected 3 x 3 like mass ('M' of rom.mat)", self.refused(file + 'mass = "M"\nstiffness = "c"'))
        self.assertIn("interface ('c' of rom.mat) has 2 columns; expected 3, one per DOF, like mass",
                      self.refused(file + self.NAMES + 'interface = "c"\n', "[[joint]]\n" + LAW + "dofs = 1"))
        self.assertIn("DOF 2 does not exist; allowed are 1 to 1",
                      self.refused('mass = [[1]]\nstiffness = [[1]]\ninterface = [[1]]\n',
                                   "[[joint]]\n" + LAW + "dofs = 2"))
        self.assertIn("file needs the names", self.refused(file + "mass = [[1]]\nstiffness = [[1]]"))
        self.assertIn("say file = ", self.refused(self.NAMES))
        self.assertIn("no.mat: there is no such file", self.refused('file = "no.mat"\n' + self.NAMES))
        with open(self.path("rom.mat"), "wb") as f:
            f.write(whole[:-20])
        self.assertIn("rom.mat: is cut short", self.refused(file + self.NAMES))
        for name in ("rom.mat", "rom.h5"):
            with open(self.path(name), "w") as f:
                f.write("not this" * 100)
            self.assertIn(name + ": is not a", self.refused(f'file = "{name}"\n' + self.NAMES))
        with open(self.path("K.mtx"), "w") as f:
            f.write("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n")
        self.assertIn("K.mtx: is cut short", self.refused('mass = "K.mtx"\nstiffness = "K.mtx"\n'))


if __name__ == "__main__":
    unittest.main()
