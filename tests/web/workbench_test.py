"""workbench_test.py FAYING BUILD: the workbench in Chromium, its numbers against the tool's.

The page is made by `./do workbench`, which needs emscripten; without it there is nothing to test, and that is said.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import require_passed

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOL, BUILD = sys.argv[1], pathlib.Path(sys.argv[2]) / "workbench"

if not (BUILD / "laws.wasm").exists():
    print("SKIPPED: the workbench is not built here; ./do workbench makes it (emscripten is installed by that)")
    sys.exit(77)
if shutil.which("em++"):  # the laws as they are now
    done = subprocess.run(["cmake", "--build", str(BUILD)], capture_output=True, text=True, env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})
    assert done.returncode == 0, done.stdout + done.stderr
with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder, "workbench.html")
    subprocess.run([SOURCE / "web/workbench/make_page", BUILD, page], check=True)
    assert page.stat().st_size < 6e6
    text = page.read_text()
    assert "{{" not in text.split('id="module"')[0], "something was not put in"
    print(require_passed("workbench_page.js", page, TOOL), end="")
