#!/usr/bin/env python3
"""Cost of a reduction against size and ranks, and how the first six stuck modes converge with the mesh.

    bench/reduction.py [--sizes 0.0056,0.0028,0.0022] [--ranks 1,2] [--joint whole_joint|full_joint]

The Brake-Reuss beam of examples/brake_reuss. Memory is the peak of one rank; frequencies are those of model.toml, Hz.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FAYING = os.environ.get("FAYING", os.path.join(HERE, "../build/bin/faying"))
MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1")


def faying(*words, ranks=1):
    launcher = [] if ranks == 1 else ["mpirun", "-n", str(ranks)]
    done = subprocess.run([*launcher, FAYING, *words, "--json"], capture_output=True, text=True, env=MPI, check=True)
    return json.loads(done.stdout)["result"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="0.0056,0.0028,0.0022", help="element sizes at the joint, m")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--joint", default="whole_joint", choices=["whole_joint", "full_joint"])
    options = parser.parse_args()
    print(f"{options.joint} of the Brake-Reuss beam")
    print(f"{'size/m':>8} {'DOF':>8} {'ranks':>5} {'DOF out':>7} {'s':>7} {'MB/rank':>8}   first six stuck modes / Hz")
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(os.path.join(HERE, "../examples/brake_reuss")):
            if name.endswith(".toml"):
                shutil.copy(os.path.join(HERE, "../examples/brake_reuss", name), folder)
        path = lambda name: os.path.join(folder, name)
        for size in options.sizes.split(","):
            faying("mesh", "brake-reuss", "--size", size, "--out", path("beam.inp"))
            for ranks in map(int, options.ranks.split(",")):
                r = faying("reduce", path(options.joint + ".toml"), "--out", path(options.joint + ".h5"), ranks=ranks)
                modes = ""
                if options.joint == "whole_joint":
                    omega = faying("modes", path("model.toml"), "--count", "6")["omega"]
                    modes = "  ".join(f"{w / 6.283185307179586:8.2f}" for w in omega)
                print(f"{size:>8} {r['dof_full']:8d} {ranks:5d} {r['dof']:7d} {r['seconds']:7.1f} "
                      f"{r['peak_megabytes']:8.0f}   {modes}", flush=True)


if __name__ == "__main__":
    main()
