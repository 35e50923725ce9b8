"""Calls the tool as a user does. FAYING names the binary."""

import json
import os
import subprocess

BINARY = os.environ["FAYING"]


# Open MPI refuses root and more ranks than cores unless told.
MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1")


def run(*words, cwd=None, ranks=None):
    """(status, standard output, standard error); under mpirun when `ranks` is given"""
    launcher = [] if ranks is None else ["mpirun", "-n", str(ranks)]
    done = subprocess.run([*launcher, BINARY, *words], capture_output=True, text=True, cwd=cwd, timeout=120, env=MPI)
    return done.returncode, done.stdout, done.stderr


def result(*words, cwd=None, ranks=None):
    """The result of a command that must succeed, with --json."""
    status, out, err = run(*words, "--json", cwd=cwd, ranks=ranks)
    assert status == 0, err
    answer = json.loads(out)
    assert answer["command"] == words[0] and answer["version"]
    return answer["result"]
