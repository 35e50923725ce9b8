#!/usr/bin/env python3
"""Slow histories of contact: the one-bolt lap joint of [S3] 4.2 (case 1) by stages, beside ccx; and plates of ever more cracks.

    bench/contact.py joint [--size 0.00146] [--periods 3] [--steps 1000] [--ccx 3]
    bench/contact.py cracks [--cracks 32,100,320] [--steps 8] [--solvers condensed,sparse]

`joint`: preparation (mesh, reduction, what comes before the first point) and history timed separately, seconds of the clock and of the processors. ccx takes as many of the same steps as asked for (0: none), node to face, the same penalty; its time for the
whole history is extrapolated from those. `cracks`: plates of one density of cracks, side 10 mm sqrt(cracks/32), up to the peak of case 4 in equal steps; seconds and peak memory of each process.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FAYING = os.environ.get("FAYING", str(HERE.parent / "build/bin/faying"))
PENALTY = 1e14
spent = 0.0
begun = None


def processor_seconds(process):
    """Of a process that runs; 0 where the system does not say."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def faying(*words, cwd):
    """Answer, seconds (those of the processors in `spent`, of both at the first line of progress in `begun`) and peak megabytes."""
    global spent, begun
    start = time.time()
    with tempfile.TemporaryFile("w+") as answer:
        child = subprocess.Popen([FAYING, *map(str, words), "--json"], stdout=answer, stderr=subprocess.PIPE, text=True, cwd=cwd)
        error, begun = "", None
        for line in child.stderr:
            if begun is None and line.startswith("quasistatic"):
                begun = time.time() - start, processor_seconds(child.pid)
            error += line
        answer.seek(0)
        out = answer.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {error}")
    spent = usage.ru_utime + usage.ru_stime
    return json.loads(out)["result"], time.time() - start, usage.ru_maxrss / 1024


def joint(options, folder):
    mesh, seconds, _ = faying("mesh", "lap-joint", "contact=1", "reach=0.02", "lap=0.08", "width=0.04", "thickness=0.0124", "--size", options.size, "--element", "C3D8",
                              "--out", "joint.inp", cwd=folder)
    print(f"mesh {mesh['elements']} elements: {seconds:.1f} s", flush=True)
    (folder / "joint.toml").write_text('deck = "joint.inp"\nmodes = 0\ncontact = "deck"\n[[output]]\nname = "P"\nset = "ACCEL"\ndirection = [0, 0, 1]\n[[load]]\nname = "BOLT_1"\n'
                                       'forces = [{ set = "BOLT_1_PIN_HEAD", force = [0, 0, -1] }, { set = "BOLT_1_PIN_NUT", force = [0, 0, 1] }]\n')
    (folder / "model.toml").write_text(f'[structure]\nfile = "joint.h5"\nstatic = {{ BOLT_1 = 20000 }}\n[[joint]]\nname = "rub"\nlaw = "elastic-dry-friction"\npair = "all"\n'
                                       f"parameters = {{ kn = {PENALTY}, kt = {PENALTY} }}\n")
    made, prepared, megabytes = faying("reduce", "joint.toml", "--out", "joint.h5", "--solver", options.solver, cwd=folder)
    print(f"preparation: {made['dof_full']} DOF to {made['dof']} ({made['solver']}), {sum(p['sites'] for p in made['pairs'])} sites: {prepared:.1f} s, {megabytes:.0f} MB", flush=True)
    steps = options.periods * options.steps
    # f(t) = 2 sin 2 pi t + sin 16 pi t millimetres; so many steps of it as asked for
    signal, step = "2*sin(2*pi*t)+sin(16*pi*t)", 1 / options.steps
    last = min(steps, options.only) if options.only else steps
    run, seconds, megabytes = faying("quasistatic", "model.toml", "--lock", "load=BOLT_1", "--displace", "output=P,u=1e-3", "--signal", signal, "--time",
                                     f"0:{last * step:.12g}:{last + 1}", "--path-tolerance", "1", "--progress", cwd=folder)
    before, before_spent = begun or (0.0, 0.0)
    rate = (seconds - before) / last
    print(f"before the first point: {before:.1f} s ({before_spent:.1f} s of the processors)", flush=True)
    print(f"history: {last} of {steps} steps, {seconds - before:.1f} s ({spent - before_spent:.1f} s of the processors), {megabytes:.0f} MB: {rate * steps:.0f} s for all"
          f"{'' if last == steps else ' (extrapolated)'}", flush=True)
    if options.ccx == 0:
        return
    text = (folder / "joint.inp").read_text()
    text = re.sub(r"\*FRICTION\n(\S+)\n", rf"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{PENALTY:g}, 1.e3\n*FRICTION\n\1, {PENALTY:g}\n", text)
    text = text.replace(", SMALL SLIDING", ", TYPE=NODE TO SURFACE, SMALL SLIDING")
    text += "*STEP, INC=200\n*STATIC\n1., 1.\n*CLOAD\nBOLT_1_PIN_HEAD, 3, -20000\nBOLT_1_PIN_NUT, 3, 20000\n*BOUNDARY\nACCEL, 3, 3, 0.\n*END STEP\n"
    ways = run["displacement"]

    def ccx(count):
        steps = "".join(f"*STEP, INC=200\n*STATIC\n1., 1.\n*BOUNDARY\nACCEL, 3, 3, {ways[k]:.12g}\n*NODE PRINT, NSET=ACCEL\nRF\n*END STEP\n" for k in range(1, count + 1))
        (folder / "other.inp").write_text(text + steps)
        start = time.time()
        try:
            subprocess.run(["ccx", "-i", "other"], cwd=folder, capture_output=True, timeout=options.patience)
        except subprocess.TimeoutExpired:
            return None
        done = re.findall(r"time +(\S+)\n\n +\d+ +\S+ +\S+ +(\S+)", (folder / "other.dat").read_text())
        return (time.time() - start, [float(f) for _, f in done]) if len(done) == count else None

    alone, several = ccx(0), ccx(options.ccx)
    if not alone or not several:
        print("ccx: not through in time, or no increment found")
        return
    each = (several[0] - alone[0]) / options.ccx
    for k, theirs in enumerate(several[1], 1):
        print(f"  step {k}: reaction {run['reaction'][k]:.6g} N, ccx {theirs:.6g} N")
    print(f"ccx: preload {alone[0]:.1f} s, {each:.2f} s a step of {options.ccx}: {each / rate:.0f} times ours, {each * steps:.0f} s for all (extrapolated)")


def cracks(options, folder):
    print(f"{'cracks':>6} {'solver':>9} {'DOF':>8} {'sites':>6} {'mesh/s':>7} {'reduce/s':>8} {'MB':>6} {'history/s':>9} {'CPU/s':>7} {'MB':>6} {'iterations':>10}   loss at the peak / J")
    shares = ",".join(f"{(k + 1) / options.steps:.12g}" for k in range(options.steps))
    for count in map(int, options.cracks.split(",")):
        here = folder / str(count)
        here.mkdir()
        for name in ("plate.toml", "model.toml"):
            (here / name).write_text((HERE.parent / "examples/cracked_plate" / name).read_text())
        meshed = faying("mesh", "cracked-plate", "seed=1", f"cracks={count}", f"side={0.01 * (count / 32) ** 0.5:.9g}", "--out", "plate.inp", cwd=here)[1]
        for solver in options.solvers.split(","):
            if solver == "condensed" and count > options.most_condensed:
                continue
            made, prepared, before = faying("reduce", "plate.toml", "--out", "plate.h5", "--solver", solver, cwd=here)
            run, seconds, after = faying("quasistatic", "model.toml", "--force", "load=x,p=-100e6", "--force", "load=y,p=100e6", "--path", shares, "--path-tolerance", "1", cwd=here)
            print(f"{count:6d} {solver:>9} {made['dof_full']:8d} {sum(p['sites'] for p in made['pairs']):6d} {meshed:7.1f} {prepared:8.1f} {before:6.0f} {seconds:9.1f} {spent:7.1f} {after:6.0f} {sum(run['iterations']):10d}"
                  f"   {run['dissipated'][-1]:.12g}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("joint")
    one.add_argument("--size", default="0.00146", help="of elements, m: 49,008 of them")
    one.add_argument("--periods", type=int, default=3)
    one.add_argument("--steps", type=int, default=1000, help="of a period")
    one.add_argument("--only", type=int, default=0, help="so many of the steps; the rest is extrapolated")
    one.add_argument("--ccx", type=int, default=3, help="steps that ccx takes; 0: none")
    one.add_argument("--patience", type=float, default=3600, help="s for ccx")
    one.add_argument("--solver", default="sparse", help="of faying reduce")
    many = what.add_parser("cracks")
    many.add_argument("--cracks", default="32,100,320")
    many.add_argument("--steps", type=int, default=8, help="up to the peak")
    many.add_argument("--solvers", default="condensed,sparse")
    many.add_argument("--most-condensed", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (joint if options.what == "joint" else cracks)(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
