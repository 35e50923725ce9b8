#!/usr/bin/python3
"""python.py BUILD: what the Python module costs beyond the library it calls. PYTHONPATH leads to the module.

Processor time, the best of several rounds, C++ and Python by turns: other work on the machine moves both alike.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import faying

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build")
ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = (ROOT / "examples/brake_reuss/model.toml").read_text().replace("whole_joint.h5", str(ROOT / "data/brake_reuss/whole_joint.h5"))
N = 1_000_000


def best_of(rounds, work):
    best = np.inf
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main(file):
    law = faying.law("iwan4", FS=10, KT=1, chi=-0.5, beta=5)
    amplitudes = np.geomspace(0.01, 100, N)
    model = faying.read_model(file)
    q = np.geomspace(1e-6, 1e-3, 10)
    model.backbone(1, q)
    cycles = backbone = theirs_cycles = theirs_backbone = np.inf
    for _ in range(3):
        told = json.loads(subprocess.run([BUILD / "bin/python_baseline", file, str(N)], capture_output=True, text=True, check=True).stdout)
        theirs_cycles, theirs_backbone = min(theirs_cycles, told["cycles"]), min(theirs_backbone, told["backbone"])
        cycles = min(cycles, best_of(1, lambda: law.cycle(amplitudes)))
        backbone = min(backbone, best_of(7, lambda: [model.backbone(1, q) for _ in range(40)]) / 40)
    imported = min(float(subprocess.run([sys.executable, "-c", "import time; s = time.process_time(); import faying; print(time.process_time() - s)"],
                                        capture_output=True, text=True, check=True).stdout) for _ in range(5))
    numpy_alone = min(float(subprocess.run([sys.executable, "-c", "import time; s = time.process_time(); import numpy; print(time.process_time() - s)"],
                                           capture_output=True, text=True, check=True).stdout) for _ in range(5))
    print(f"cycle of 1e6 amplitudes   {cycles:8.4f} s   C++ {theirs_cycles:8.4f} s   ratio {cycles / theirs_cycles:.3f}")
    print(f"backbone, whole joint     {1e6 * backbone:8.1f} us  C++ {1e6 * theirs_backbone:8.1f} us  more {1e6 * (backbone - theirs_backbone):.1f} us")
    print(f"import faying             {imported:8.3f} s   of which numpy {numpy_alone:.3f} s")


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "model.toml")
    path.write_text(MODEL)
    main(path)
