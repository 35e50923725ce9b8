"""Pages in Debian's Chromium. The checks are JavaScript, for playwright-core (browser.js); a test makes a page and has it used:

    require_passed("report_page.js", folder / "report.html")
"""

import fcntl
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def install(folder=HERE):
    """What package-lock.json of a folder names (here playwright-core), unless it is there; for one of several tests at once."""
    assert shutil.which("npm"), "no npm here; install it: apt-get install nodejs npm"
    with open(folder / "package.json") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there, wanted = folder / "node_modules/.package-lock.json", folder / "package-lock.json"
        if there.exists() and there.stat().st_mtime >= wanted.stat().st_mtime:
            return
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"npm ci failed:\n{done.stderr}"


def require_passed(checks, *words):
    install()
    done = subprocess.run(["node", HERE / checks, *map(str, words)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{checks}:\n{done.stdout}{done.stderr}"
    return done.stdout
