"""Opens a page in headless Chromium and uses it: a script of checks is put at the end of the page, works as a reader
would, and leaves what failed in the document, where --dump-dom shows it."""

import html
import os
import pathlib
import re
import shutil
import subprocess

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
         "--virtual-time-budget=20000"]  # the dump waits for the timers of the checks


class Page:
    """What came of opening a file: `dom`, and `console`, the lines the page wrote there."""

    def __init__(self, file, folder, width=1280, dark=False):
        browser = os.environ.get("CHROMIUM", "chromium")
        assert shutil.which(browser), f"no {browser} here; install it: apt-get install chromium"
        flags = [*FLAGS, f"--user-data-dir={folder}/profile", f"--window-size={width},900",
                 f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--dump-dom"]
        done = subprocess.run([browser, *flags, pathlib.Path(file).as_uri()], capture_output=True, text=True, timeout=150)
        assert done.returncode == 0, f"{browser} failed: {done.stderr[-2000:]}"
        self.dom = done.stdout
        # Reading canvases back is what checks do; the browser would rather be told before.
        self.console = [line for line in done.stderr.splitlines() if "CONSOLE" in line and "willReadFrequently" not in line]

    @property
    def body(self):
        """Attributes of the body element."""
        tag = re.search(r"<body([^>]*)>", self.dom).group(1)
        return dict(re.findall(r'data-(\w+)="([^"]*)"', tag))

    @property
    def failures(self):
        return [html.unescape(text) for text in re.findall(r'<p class="failure">([^<]*)', self.dom)]


def with_checks(page, script, values=None):
    """The text of a page with checks at its end; `values`: names of constants to JSON text."""
    end = page.rindex("</body>")
    constants = "".join(f"const {name} = {text};\n" for name, text in (values or {}).items())
    common = pathlib.Path(__file__).with_name("checks.js").read_text()
    return f"{page[:end]}<script>\n{constants}{common}\n{script}</script>{page[end:]}"


def require_passed(page):
    assert page.body.get("ready") == "1", f"the page did not get ready: {page.body}"
    assert "error" not in page.body, page.body["error"]
    assert not page.failures, "\n".join(page.failures)
    assert page.body.get("checks") == "passed", "the checks did not end"
    assert not page.console, "\n".join(page.console)
