"""faying help, the manual page and shell completion: made from the commands' own tables."""

import re
import shutil
import subprocess
import unittest

from faying import BINARY


def text(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60)


def commands():
    """Names in the list of `faying help`."""
    listed = text("help").stdout.split("Subcommands:")[1]
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE)


class Help(unittest.TestCase):
    def test_every_command_has_a_page_with_an_example(self):
        names = commands()
        self.assertGreaterEqual(len(names), 17)
        for name in names:
            page = text("help", name)
            self.assertEqual(page.returncode, 0, name)
            self.assertEqual(page.stdout, text(name, "--help").stdout, name)
            if name != "deck":  # its examples stand with the commands below it
                self.assertIn("Example", page.stdout, name)

    def test_unknown_command(self):
        answer = text("help", "backbones")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("unknown command 'backbones'", answer.stderr)
        self.assertEqual(answer.stderr.count("\n"), 1)

    def test_manual_page(self):
        page = text("help", "--man").stdout
        for name in commands():
            self.assertIn(f".SS {name}".replace("-", "\\-"), page)
        self.assertIn("\\-\\-amplitudes", page)
        if shutil.which("groff"):
            drawn = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
            self.assertEqual(drawn.stderr, "")


class Completion(unittest.TestCase):
    def complete(self, words):
        script = text("completion", "bash").stdout
        ask = (
            script
            + f"\nCOMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; _faying; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        return subprocess.run(["bash", "-c", ask], capture_output=True, text=True).stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete(["faying", "backb"]), ["backbone"])
        self.assertEqual(self.complete(["faying", "backbone", "model.toml", "--amplitudes"]), ["--amplitudes"])
        self.assertIn("iwan4", self.complete(["faying", "loop", "iwa"]))
        self.assertIn("valanis", self.complete(["faying", "identify", "loop.csv", "--law", "vala"]))

    def test_scripts_are_valid(self):
        for shell, check in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
            script = text("completion", shell)
            self.assertEqual(script.returncode, 0)
            for name in commands():
                self.assertIn(name, script.stdout)
            if shutil.which(shell):
                checked = subprocess.run([shell, *check, "/dev/stdin"], input=script.stdout, capture_output=True, text=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""), shell)

    def test_unknown_shell(self):
        answer = text("completion", "tcsh")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("allowed are: bash, zsh, fish", answer.stderr)


if __name__ == "__main__":
    unittest.main()
