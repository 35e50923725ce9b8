#!/usr/bin/env python3
"""docs/files.md against the readers: every key that a reader knows is in its section, and every key there is known."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
# Each reader of TOML files and its section.
sections = {
    "src/files/model.cpp": "Model files",
    "src/fe/reduce_file.cpp": "Reduction files",
    "src/study/study.cpp": "Study files",
    "src/study/experiment_file.cpp": "Experiment files",
    "src/files/modal_study.cpp": "Modal study files",
    "src/study/calibration_file.cpp": "Calibration files",
    "src/results/response_fit_file.cpp": "Response fit files",
    "src/geometric/structure_file.cpp": "Large-displacement files",
    "src/network/network_file.cpp": "Network files",
    "src/network/law_file.cpp": "Law files",
}
page = (root / "docs/files.md").read_text()
wrong, count = [], 0
for path in sorted([*(root / "src").rglob("*.cpp"), *(root / "apps").rglob("*.cpp")]):
    name = str(path.relative_to(root))
    calls = re.findall(r"\bonly_keys\([^{]*?\{([^}]*)\}", path.read_text(), re.S)
    if name == "src/io/toml_file.cpp" or not calls:
        continue
    if name not in sections:
        wrong.append(f"{name} reads files: give it a section in docs/files.md and in tests/docs/file_keys.py")
        continue
    keys = {k for call in calls for k in re.findall(r'"([^"]+)"', call)}
    heading = sections.pop(name)
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    if not section:
        wrong.append(f"docs/files.md has no section '{heading}'")
        continue
    rows = [line.split("|") for line in section.group(1).splitlines() if line.startswith("|")]
    shown = {k for row in rows for k in re.findall(r"`([A-Za-z_0-9]+)`", row[2])}
    count += len(keys)
    wrong += [f"docs/files.md, {heading}: no key `{k}` ({name} reads it)" for k in sorted(keys - shown)]
    wrong += [f"docs/files.md, {heading}: `{k}` is no key of {name}" for k in sorted(shown - keys)]
wrong += [f"{name} reads no keys: where did its reader go?" for name in sections]
if wrong:
    sys.exit("\n".join(wrong))
if count < 100:
    sys.exit(f"only {count} keys were found")
print(f"{count} keys, all on the page")
