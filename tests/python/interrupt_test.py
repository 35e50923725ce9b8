"""Ctrl-C in the middle of every kind of long work: it ends soon, as KeyboardInterrupt."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import SOURCE, Test

BEFORE = f"""
import numpy as np, faying
masses = faying.Model(10 * np.eye(3), [[18, -9, 0], [-9, 18, -9], [0, -9, 9]], 1e-3)
masses.add_joint(faying.law('iwan4', FS=10, KT=1, chi=-0.5, beta=5), dofs=(1, 2), name='lap')
random, u = np.random.default_rng(1), np.sin(np.linspace(0, 120, 40000))
flat, sdof = {SOURCE!r} + '/tests/reference/decks/flat.inp', {SOURCE!r} + '/examples/panel/sdof.toml'
n = 100
with open('net.toml', 'w') as net:
    K = 2 * np.eye(n) - 0.9 * np.eye(n, k=1) - 0.9 * np.eye(n, k=-1)
    net.write(f'[network]\\nK = {{K.tolist()}}\\nmu = {{np.linspace(0.1, 2, n).tolist()}}\\nb = {{np.ones(n).tolist()}}\\n')
print('begun', flush=True)
"""
CASES = {
    "epmc": "masses.backbone(1, np.geomspace(1e-3, 1e3, 20000), method='epmc', harmonics=9)",
    "response": "masses.response(2, 1.0, (0.1, 5.0), harmonics=25, isolas=1, at=np.linspace(0.2, 4.9, 2000))",
    "quasistatic": "masses.quasistatic({2: random.normal(size=200000)})",
    "cycles": "faying.law('bouc-wen', A=1, alpha=1.5, beta=-0.2, n=1.5).cycle(np.linspace(0.1, 5, 1000000))",
    "path": "faying.law('six-state').follow(3 * random.normal(size=100000))",
    "check": "faying.check_law(faying.law('six-state'), walks=1000)",
    "identify": "faying.identify(u, faying.law('bouc-wen', A=1, alpha=1.5, beta=-0.2, n=1.5).follow(u).f + 0.01 * random.normal(size=len(u)), 'bouc-wen')",
    "network": "faying.network('net.toml', random.normal(size=1000000))",
    "condense": "faying.condense('net.toml', 6)",
    "sice": "faying.sice(flat, np.linspace(1e-5, 8e-4, 5000), orders='3')",
    "nnm": "faying.nnm(flat, np.linspace(1e-5, 8e-4, 5000), harmonics=9)",
    "ignl": "faying.ignl(sdof, np.geomspace(1e-5, 1e-3, 20000), loop_steps=1000)",
}


class CtrlC(Test):
    def test_every_long_work(self):
        for name, work in CASES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen([sys.executable, "-B", "-c", BEFORE + work], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                           env={**os.environ, "OMP_NUM_THREADS": "1"})
                self.assertEqual(process.stdout.readline(), "begun\n")
                time.sleep(0.7)
                self.assertIsNone(process.poll(), "it ended before it was stopped")
                process.send_signal(signal.SIGINT)
                try:
                    told = process.communicate(timeout=15)[1]
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    self.fail("it goes on")
                self.assertIn("KeyboardInterrupt", told)


if __name__ == "__main__":
    unittest.main()
