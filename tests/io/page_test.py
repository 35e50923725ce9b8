"""page_test.py FIGURE_PAGE: the page that the program FIGURE_PAGE writes, in Chromium."""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "web"))
from browser import require_passed

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder], check=True)
    require_passed("figure_page.js", folder)
