"""What notebook 7 shows in Octave: .mat files in and out, by the command line."""

import os
import shutil
import subprocess
import sys
import unittest

import faying
import numpy as np
from support import BINARY, SOURCE, Test

SCRIPT = os.path.join(SOURCE, "examples", "notebooks", "7_octave.m")
OCTAVE = shutil.which("octave-cli")
if not OCTAVE:
    print("SKIPPED: no octave-cli here (apt-get install octave): examples/notebooks/7_octave.m was not run", file=sys.stderr)


@unittest.skipUnless(OCTAVE, "no octave-cli here; apt-get install octave")
class Octave(Test):
    def test_mat_files_in_and_out(self):
        done = subprocess.run([OCTAVE, "--quiet", "--no-gui", SCRIPT], capture_output=True, text=True, timeout=200,
                              env={**os.environ, "FAYING": BINARY})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # The same from Python, to the digits that it prints.
        model = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], 1e-4)
        model.add_joint(faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name="lap")
        bones = model.backbone(1, np.geomspace(1, 200, 20))
        self.assertIn(f"q from 1 to 200, omega from {bones.omega[0]:.6f} to {bones.omega[-1]:.6f} rad/s", done.stdout)


if __name__ == "__main__":
    unittest.main()
