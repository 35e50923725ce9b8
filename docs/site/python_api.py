#!/usr/bin/python3
"""python_api.py OUT.json: what the module `faying` says of itself, for the docs; PYTHONPATH leads to the module."""

import inspect
import json
import sys

import faying

GROUPS = {"laws": "Laws", "law_results": "What laws answer", "models": "Structures", "reduced": "Reduced structures", "decks": "Decks", "backbones": "What analyses of a structure answer",
          "histories": "Time histories and ring-downs", "slow": "Slow histories", "bending": "Structures that bend far",
          "networks": "Networks of sliders", "fits": "Fits", "errors": "What can go wrong"}


def signature(name, thing):
    try:
        return f"{name}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        return name


def members(cls):
    """Its own methods and properties, and those it inherits from classes of the module, each once."""
    found = {}
    for base in cls.__mro__:
        if not base.__module__.startswith("faying"):
            continue
        for name, thing in vars(base).items():
            if name.startswith("_") or name in found:
                continue
            plain = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
            if inspect.isfunction(plain):
                title = signature(name, getattr(cls, name))
            elif isinstance(thing, property):
                title = name
            else:
                continue
            found[name] = {"title": title, "id": name, "doc": inspect.getdoc(plain)}
    return [found[name] for name in sorted(found)]


def described(name):
    thing = getattr(faying, name)
    if inspect.isclass(thing):
        return {"name": name, "id": name, "title": signature(name, thing), "doc": inspect.getdoc(thing), "members": members(thing)}
    return {"name": name, "id": name, "title": signature(name, thing) if callable(thing) else name, "doc": inspect.getdoc(thing) if callable(thing) else None}


def main(out):
    groups = []
    seen = set()
    for module, title in GROUPS.items():
        names = [n for n in faying.__all__ if getattr(getattr(faying, n), "__module__", "") == f"faying.{module}"]
        seen.update(names)
        groups.append({"title": title, "names": [described(n) for n in names]})
    rest = [n for n in faying.__all__ if n not in seen and not n.startswith("__")]
    if rest:
        groups.append({"title": "Other", "names": [described(n) for n in rest]})
    with open(out, "w") as file:
        json.dump({"doc": inspect.getdoc(faying), "groups": groups}, file)


main(sys.argv[1])
