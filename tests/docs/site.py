"""site.py [PYTHONPATH]: the docs as a folder of pages (./do docs): every link leads somewhere, nothing is fetched, equations are set.

With the built module's folder the pages of the Python API are made too.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from html.parser import HTMLParser

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SITE = SOURCE / "docs" / "site"
sys.path.insert(0, str(SOURCE / "tests" / "web"))
import browser


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.needs, self.anchors, self.text = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(found[key] for key in ("id", "name") if found.get(key))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in ("img", "script", "iframe", "source") and found.get("src"):
            self.needs.append(found["src"])
        if tag == "link":
            self.needs.append(found["href"])

    def handle_data(self, data):
        self.text.append(data)


def check(site):
    """Every dead link and every thing to be fetched, as lines."""
    pages = {file: Page(file.read_text()) for file in site.rglob("*.html") if file.name != "workbench.html"}
    wrong = []
    for file, page in pages.items():
        here = file.relative_to(site)
        for need in page.needs:
            if re.match(r"[a-z]+:|//", need):
                wrong.append(f"{here}: fetches {need}")
            elif not (file.parent / need).is_file():
                wrong.append(f"{here}: there is no {need}")
        for link in page.links:
            if re.match(r"(https?|mailto):", link):
                continue
            target, _, anchor = link.partition("#")
            to = (file.parent / urllib.parse.unquote(target)).resolve() if target else file
            if not to.is_file() or site not in to.parents:
                wrong.append(f"{here}: {link} leads nowhere")
            elif anchor and to in pages and urllib.parse.unquote(anchor) not in pages[to].anchors:
                wrong.append(f"{here}: {link}: no such heading")
    return pages, wrong


def main():
    assert shutil.which("npm"), "no npm here; install it: apt-get install nodejs npm"
    browser.install(SITE)
    with tempfile.TemporaryDirectory() as folder:
        words = []
        if len(sys.argv) > 1:
            words = ["--python", f"{folder}/api.json"]
            subprocess.run([sys.executable, "-B", SITE / "python_api.py", f"{folder}/api.json"], check=True,
                           env={**os.environ, "PYTHONPATH": sys.argv[1]})
        site = pathlib.Path(folder, "site").resolve()
        subprocess.run(["node", SITE / "make.js", site, *words], check=True)
        pages, wrong = check(site)
        assert not wrong, "\n".join(wrong)
        made = {str(file.relative_to(site)) for file in pages}
        for page in SOURCE.glob("docs/theory/*.md"):
            assert f"theory/{page.stem}.html" in made, page
            text = (site / "theory" / f"{page.stem}.html").read_text()
            assert "$$" not in re.sub(r"<(pre|annotation|code)\b.*?</\1>", "", text, flags=re.S), f"{page.name}: an equation was not set"
        assert (site / "theory/iwan4.html").read_text().count("katex-display") >= 4
        assert len(made) > 250 and "api/laws/catalogue.html" in made and "files.html" in made
        if words:
            assert "api/python/Model.html" in made and "backbone" in (site / "api/python/Model.html").read_text()
        # The check itself: a link that leads nowhere is found.
        (site / "broken.html").write_text('<a href="nowhere.html">x</a><img src="http://x.org/a.png"><a href="index.html#nothing">y</a>')
        assert len(check(site)[1]) == 3
        (site / "broken.html").unlink()
        browser.require_passed("docs_page.js", site)
        print(f"{len(made)} pages, every link followed")


main()
