#!/usr/bin/env python3
"""docs/tutorial.md, run: every command of the page, and what the page shows of its output.

    tutorial.py FAYING [--pictures]      with --pictures the page's pictures are drawn anew

Numbers must agree to four digits (rounding of other machines; residuals to being small), `..` stands for lines left out.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
page = (root / "docs/tutorial.md").read_text()


def same(shown, printed):
    a, b = shown.split(), printed.split()
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        try:
            u, v = float(x), float(y)
        except ValueError:
            if x != y:
                return False
            continue
        if abs(u - v) > 1e-4 * abs(u) and max(abs(u), abs(v)) > 1e-12:
            return False
    return True


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "examples/tutorial"
    shutil.copytree(root / "examples/tutorial", folder)
    (pathlib.Path(scratch) / "data").symlink_to(root / "data")
    steps = re.findall(r"^    \$ faying (.*)\n((?:    .*\n)*)", page, re.M)
    if len(steps) < 5:
        sys.exit(f"docs/tutorial.md has only {len(steps)} commands")
    for command, shown in steps:
        run = subprocess.run([os.path.abspath(sys.argv[1]), *shlex.split(command)], cwd=folder, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"faying {command}: status {run.returncode}\n{run.stderr}")
        printed = run.stdout.splitlines()
        wanted = [line.strip() for line in shown.splitlines() if line.strip() != ".."]
        if not wanted:
            sys.exit(f"docs/tutorial.md shows nothing of 'faying {command}'")
        for line in wanted:
            if not any(same(line, other) for other in printed):
                sys.exit(f"docs/tutorial.md shows of 'faying {command}':\n{line}\nit prints:\n{run.stdout}")
    pictures = re.findall(r"!\[.*?\]\(img/tutorial_(.*?)\)", page)
    if not pictures:
        sys.exit("docs/tutorial.md has no pictures")
    for name in pictures:
        made = folder / name
        if not made.read_text().startswith("<svg") and "<svg" not in made.read_text()[:200]:
            sys.exit(f"{name} is no picture")
        if "--pictures" in sys.argv:
            shutil.copy(made, root / "docs/img" / f"tutorial_{name}")
        elif not (root / "docs/img" / f"tutorial_{name}").exists():
            sys.exit(f"docs/img/tutorial_{name} is missing: run tutorial.py FAYING --pictures")
print(f"{len(steps)} commands, {len(pictures)} pictures")
