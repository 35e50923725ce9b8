#!/usr/bin/env python3
"""Examples in the comments that open the public headers, compiled.

    header_examples.py COMPILER [FLAG..]      with a C++20 compiler and the flags to find Eigen and ceres

An example is a paragraph of an opening comment, indented by four, with a line that ends in a semicolon. `..` stands for
what a reader would fill in. What an example takes for granted is declared in header_examples.txt, by header:

    [modes/backbone.hpp]
    structure::Model model;

A section that begins with `@declarations` has its example compiled outside of a function (classes, templates).
"""
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve()
root = here.parents[2]
public = root / "include/faying"


def code_of(line):
    return re.sub(r"\s*//.*$", "", line).rstrip()


def paragraphs(header):
    """Indented paragraphs of the opening comment."""
    opening = re.match(r"#pragma once\n((?://.*\n)+)", header.read_text())
    found, now = [], []
    for line in (opening.group(1).split("\n") if opening else []):
        if line.startswith("//     "):
            now.append(line[7:])
        elif now:
            found.append(now)
            now = []
    return found


def filled_in(line):
    """`..` is what a reader would write."""
    line = code_of(line)
    line = re.sub(r"\{ ?\.\. ?\}", "{}", line)
    line = re.sub(r"= \.\.(?=[,}])", "= {}", line)
    line = re.sub(r", \.\.(?=[})]|$)", "", line)
    line = re.sub(r"^\s*\.\.(?=\})", "", line)
    line = re.sub(r"\) \.\.$", ") {}", line)
    line = re.sub(r"\) \.\. +(.*?) ?\.\.$", r") (void)(\1);", line)
    return "" if line.strip() == ".." else line


def preambles():
    sections, name = {}, None
    for line in (here.parent / "header_examples.txt").read_text().splitlines():
        head = re.fullmatch(r"\[([a-z0-9_/]+\.hpp)\]", line)
        if head:
            name = head.group(1)
            sections[name] = []
        elif name and not line.startswith("# "):
            sections[name].append(line)
    return sections


def main():
    known, source, count = preambles(), [], 0
    for header in sorted(public.rglob("*.hpp")):
        name = str(header.relative_to(public))
        code = [p for p in paragraphs(header) if any(code_of(line).endswith(";") for line in p) and not re.search(r"^\[|^\w+ *= .* # ", p[0])]
        given = known.pop(name, [])
        if not code:
            if given:
                sys.exit(f"header_examples.txt: {name} has no example")
            continue
        count += 1
        folder = name.split("/")[0]
        outside = given[:1] == ["@declarations"]
        body = "\n\n".join("\n".join(filled_in(line) for line in p) for p in code)
        source += [line for line in given if line.startswith("#include")]
        given = [line for line in given if not line.startswith("#include")]
        source += [f'#include "faying/{name}"', f"namespace faying::{folder} {{ namespace example_{count} {{", *given[outside:]]
        source += [f'#line 1 "example of {name}"', body] if outside else ["void run() {", f'#line 1 "example of {name}"', body, "}"]
        source += ["}}"]
    if known:
        sys.exit(f"header_examples.txt: no header {', '.join(known)}")
    if count < 50:
        sys.exit(f"only {count} headers with examples were found")
    common = ["algorithm", "cstdio", "iostream", "numbers", "fmt/format.h", "nlohmann/json.hpp", "ceres/jet.h", "Eigen/Dense", "Eigen/Sparse"]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "examples.cpp"
        file.write_text("\n".join([f"#include <{h}>" for h in common] + source) + "\n")
        run = subprocess.run([*sys.argv[1:], "-std=c++20", "-fsyntax-only", "-w", f"-I{root}/include", str(file)],
                             capture_output=True, text=True)
    if run.returncode:
        sys.exit("\n".join(line for line in run.stderr.splitlines() if "error" in line or "example of" in line)[:20000])
    print(f"the examples of {count} headers compile")


main()
