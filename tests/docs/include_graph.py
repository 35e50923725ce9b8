#!/usr/bin/env python3
"""The include graph of the folders, against the table of docs/architecture.md.

    include_graph.py [--write]      checks; with --write draws the graph into the page

Fails on an include that the table does not allow, on a folder that is not in the table (or a row without a folder),
on folders that use each other, and on a drawing that is not the graph as it is now.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
page = root / "docs/architecture.md"
begin, end = "<!-- graph: drawn by tests/docs/include_graph.py --write -->\n", "<!-- end of graph -->"


def folders():
    return sorted({p.name for base in ("src", "include/faying") for p in (root / base).iterdir() if p.is_dir()} | {"apps"})


def folder_of(path):
    parts = path.relative_to(root).parts
    return "apps" if parts[0] == "apps" else parts[2] if parts[0] == "include" else parts[1]


def edges():
    """(from, to) -> a file that includes so."""
    known, found = set(folders()), {}
    for base in ("src", "include", "apps"):
        for path in sorted((root / base).rglob("*.[hc]pp")):
            text = path.read_text()
            here = folder_of(path)
            for name in re.findall(r'^#include [<"](?:faying/)?([a-z_]+)/[^">]*[">]', text, re.M):
                # src/x/y.hpp is included as "x/y.hpp" from elsewhere, and <boost/..> is no folder of ours
                if name in known and name != here and ((root / "src" / name).is_dir() or (root / "include/faying" / name).is_dir()):
                    if base != "apps" and here == "fe" and (root / "src/fe" / name).is_dir():
                        continue  # a folder inside fe
                    found.setdefault((here, name), str(path.relative_to(root)))
    return found


def allowed():
    table = {}
    for line in page.read_text().split("## Folders")[1].split("\n## ")[0].splitlines():
        cells = [c.strip() for c in line.split("|")]
        if len(cells) >= 5 and re.fullmatch(r"`[a-z_]+`", cells[1]):
            table[cells[1].strip("`")] = set(re.findall(r"[a-z_]+", cells[3])) if cells[3] != "-" else set()
    return table


def closure(direct):
    """What each folder may use, with all that those may use."""
    full = {}

    def visit(name, trail):
        if name in trail:
            sys.exit(f"docs/architecture.md: folders use each other: {' -> '.join([*trail, name])}")
        if name not in full:
            for other in direct[name]:
                if other not in direct:
                    sys.exit(f"docs/architecture.md: '{name}' may use '{other}', which has no row")
            full[name] = set(direct[name]).union(*(visit(o, [*trail, name]) for o in direct[name]))
        return full[name]

    for name in direct:
        visit(name, [])
    return full


def drawing(found, names):
    """The edges that others do not imply, by level."""
    uses = {n: {b for a, b in found if a == n} for n in names}
    reach = closure(uses)
    shown = {n: sorted(b for b in uses[n] if not any(b in reach[c] for c in uses[n])) for n in names}
    level = {}

    def height(n):
        if n not in level:
            level[n] = 1 + max((height(b) for b in uses[n]), default=-1)
        return level[n]

    order = sorted(names, key=lambda n: (height(n), n))
    width = max(map(len, names))
    lines = [f"{height(n)}  {n:{width}}  {'-> ' + ', '.join(shown[n]) if shown[n] else ''}".rstrip() for n in order]
    mermaid = ["```mermaid", "graph BT"] + [f"  {n} --> {b}" for n in order for b in shown[n]] + ["```"]
    return "\n".join(["", *mermaid, "", "In words: the level, the folder, and what it includes beyond what those include already:", "",
                      *("    " + line for line in lines), "", ""])


def main():
    found, names, table = edges(), folders(), allowed()
    wrong = [f"'{n}' is a folder without a row" for n in names if n not in table]
    wrong += [f"'{n}' has a row and no folder" for n in table if n not in names]
    if wrong:
        sys.exit("docs/architecture.md: " + "; ".join(wrong))
    may = closure(table)
    for (a, b), where in sorted(found.items()):
        if b not in may[a]:
            wrong.append(f"{where}: '{a}' includes '{b}', which docs/architecture.md does not allow")
    if wrong:
        sys.exit("\n".join(wrong))
    if len(found) < len(names):
        sys.exit(f"only {len(found)} edges were found among {len(names)} folders: is this the repository?")
    text = page.read_text()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    now = before + begin + drawing(found, names) + end + after
    if now != text:
        if "--write" not in sys.argv:
            sys.exit("docs/architecture.md: the graph has changed; run tests/docs/include_graph.py --write")
        page.write_text(now)
    print(f"{len(found)} edges among {len(names)} folders, all allowed")


main()
