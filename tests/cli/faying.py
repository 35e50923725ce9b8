"""Calls the tool as a user does. FAYING names the binary."""

import json
import os
import subprocess

BINARY = os.environ["FAYING"]


def run(*words, cwd=None):
    """(status, standard output, standard error)"""
    done = subprocess.run([BINARY, *words], capture_output=True, text=True, cwd=cwd, timeout=120)
    return done.returncode, done.stdout, done.stderr


def result(*words, cwd=None):
    """The result of a command that must succeed, with --json."""
    status, out, err = run(*words, "--json", cwd=cwd)
    assert status == 0, err
    answer = json.loads(out)
    assert answer["command"] == words[0] and answer["version"]
    return answer["result"]
