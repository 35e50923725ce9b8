"""page_test.py FIGURE_PAGE: the page that the program FIGURE_PAGE writes, in headless Chromium."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "web"))
from browser import Page, require_passed, with_checks

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    subprocess.run([sys.argv[1], folder], check=True)
    page = Page(folder / "page.html", folder)
    assert page.body == {"ready": "1"}, f"the page did not get ready, or reported an error: {page.body}"
    assert page.dom.count("<canvas") == 2, "two canvases are expected"
    assert not page.console, page.console
    checks = (HERE / "page_checks.js").read_text()
    text = with_checks((folder / "page.html").read_text(), checks, {"expectedTicks": (folder / "ticks.json").read_text()})
    (folder / "checked.html").write_text(text)
    require_passed(Page(folder / "checked.html", folder))
