#!/usr/bin/env python3
"""[S0] to [S4] say who they are where they first occur on a page: [S0: Porter and others 2022].

    sources.py [--write]      checks; with --write writes the names in
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
names = {}
for key, entry in re.findall(r"^@\w+\{(S\d),(.*?)^\}", (root / "docs/references.bib").read_text(), re.M | re.S):
    authors = [a.split(",")[0].strip("{} ") for a in re.search(r"author\s*=\s*\{(.*)\},", entry).group(1).split(" and ")]
    year = re.search(r"\b(20\d\d)\b", re.search(r"year\s*=.*|note\s*=.*", entry).group(0)).group(1)
    who = authors[0] if len(authors) == 1 else " and ".join(authors) if len(authors) == 2 else f"{authors[0]} and others"
    names[key] = f"{who} {year}"
if len(names) != 5:
    sys.exit(f"docs/references.bib has {len(names)} sources S0 to S4")

pages = [root / "README.md", root / "bench/README.md", *(root / "docs").rglob("*.md")]
wrong = []
for page in sorted(pages):
    lines, told, fenced = page.read_text().split("\n"), set(), False
    for i, line in enumerate(lines):
        fenced ^= line.startswith("```")
        if fenced or line.startswith("    "):
            continue  # code

        def tell(match):
            key, name = match.group(1), match.group(2)
            first = key not in told
            told.add(key)
            if first and name is None:
                wrong.append(f"{page.relative_to(root)}:{i + 1}: [{key}] is not expanded: [{key}: {names[key]}]")
                return f"[{key}: {names[key]}]"
            if name is not None and name != names[key]:
                wrong.append(f"{page.relative_to(root)}:{i + 1}: [{key}] is {names[key]}")
                return f"[{key}: {names[key]}]"
            return match.group(0)

        lines[i] = re.sub(r"(?<!`)\[(S[0-4])(?:: ([^\]]*))?\](?!\()", tell, line)
    if "--write" in sys.argv:
        page.write_text("\n".join(lines))
if wrong and "--write" not in sys.argv:
    sys.exit("\n".join(wrong) + "\nrun tests/docs/sources.py --write")
print(f"{len(pages)} pages, {len(wrong)} names written in" if wrong else f"{len(pages)} pages, sources named on each")
