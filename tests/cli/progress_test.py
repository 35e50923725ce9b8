"""Progress: with --progress lines of its own from the start; else a line on a terminal, for what lasts; never in the way of results."""

import os
import pty
import re
import signal
import subprocess
import tempfile
import unittest

from faying import BINARY, run
from lap_deck import lap_joint, write
from reduce_test import WHOLE

HERE = os.path.dirname(os.path.abspath(__file__))
MASSES = os.path.join(HERE, "../../examples/three_masses/model.toml")
LINE = re.compile(r"^(.*) \[(#* *)\] +(\d+) %  (?:(\d.*) left)?$")


def lines_of(err):
    """(what, percent, time left) of every line of progress; other lines are notes."""
    found = [LINE.match(line) for line in err.splitlines() if not line.startswith("faying: note")]
    assert all(found), err
    return [(m[1], int(m[3]), m[4]) for m in found]


class Progress(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        write(os.path.join(self.folder, "lap.inp"), lap_joint(2) + ["*TIE, NAME=GLUE, POSITION TOLERANCE=1e-3", "UPPER_LOW, LOWER_HIGH"])
        write(os.path.join(self.folder, "open.inp"), lap_joint(2))
        with open(os.path.join(self.folder, "reduce.toml"), "w") as f:
            f.write(WHOLE.replace("lap.inp", "open.inp"))

    def run_here(self, *words):
        plain = run(*words, cwd=self.folder)
        shown = run(*words, "--progress", cwd=self.folder)
        self.assertEqual((plain[0], shown[0]), (0, 0), plain[2] + shown[2])
        self.assertNotIn(" %  ", plain[2])  # not into a file unless asked for
        return lines_of(shown[2])

    def check_order(self, lines):
        shares = [share for _, share, _ in lines]
        self.assertEqual(shares, sorted(shares), lines)
        self.assertLessEqual(shares[-1], 100)

    def test_modes_of_a_deck_tell_of_the_factorisation(self):
        lines = self.run_here("modes", "lap.inp", "--count", "12", "--json")
        self.check_order(lines)
        labels = [what for what, _, _ in lines]
        self.assertTrue(any(re.match(r"modes: factorising \d+ DOF \(time estimated\)", what) for what in labels), labels)
        self.assertTrue(any("6 modes of" in what for what in labels), labels)
        self.assertTrue(all(left for what, _, left in lines if "factorising" in what), lines)

    def test_reduce(self):
        lines = self.run_here("reduce", "reduce.toml", "--out", "rom.h5")
        self.check_order(lines)
        self.assertIn("factorising, static shapes, fixed-interface modes (times estimated)", " ".join(what for what, _, _ in lines))
        self.assertTrue(lines[-1][2])

    def test_identify_and_simulate(self):
        path = os.path.join(self.folder, "loop.csv")
        self.assertEqual(run("loop", "iwan4", "FS=10", "KT=1", "chi=-0.5", "beta=5", "--signal", "30*sin(t)", "--time", "0:12.566:200", "--csv", path)[0], 0)
        for words in (["identify", path, "--law", "jenkins"], ["simulate", MASSES, "--free", "mode=2,q=5", "--time", "40000", "--dt", "0.01"]):
            lines = self.run_here(*words)
            self.check_order(lines)
            self.assertTrue(lines[0][0].startswith(words[0]), lines)
        self.assertTrue(any(left for _, _, left in lines), lines)  # of the simulation; the identification is over in a moment

    def on_terminal(self, *words, until=None):
        """(status, standard output, what the terminal got); interrupted once it shows `until`."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([BINARY, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 65536):
                seen += part
                if until is not None and re.search(until, seen):
                    process.send_signal(signal.SIGINT)
                    until = None
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        out = process.communicate()[0]
        return process.returncode, out, seen.decode()

    def test_on_a_terminal_only_what_lasts(self):
        """Standard error is a terminal: nothing for a run of a moment; for one of more than two seconds a line, wiped at the end."""
        start = ["simulate", MASSES, "--free", "mode=2,q=5"]
        status, out, seen = self.on_terminal(*start, "--time", "1", "--dt", "0.01")
        self.assertEqual((status, seen), (0, ""))
        self.assertIn("energy balance within", out)
        status, out, seen = self.on_terminal(*start, "--time", "9e4", "--dt", "1e-4", until=rb"% .* left")
        self.assertEqual((status, out), (130, ""))
        self.assertRegex(seen, r"\r\x1b\[Ksimulate \[#* *\] +\d+ %  \d.* left")
        self.assertRegex(seen, r"\r\x1b\[Kfaying: stopped")


if __name__ == "__main__":
    unittest.main()
