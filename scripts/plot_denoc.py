#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mohan & Saha: their figures 4 to 8 with our Canadarm, and Table 1 as curves over links and shapes, into docs/canadarm-*.svg and docs/counts-*.svg.

    scripts/plot_denoc.py [PROGRAM]        (after ./run has built it)
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from curves import plot

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin" / "limber"
JOINTS = [f"joint{i}" for i in (1, 2, 3)]
FAMILIES = {"proposed": "proposed (paper)", "jain_rodriguez": "Jain, Rodriguez", "cyril": "Cyril", "recursive": "Limber, recursive", "dense": "Limber, dense"}


RIGID = [word for i in (1, 2, 3) for word in ("--set", f"model.links.link{i}.beam.modes={{}}")]  # the same arm and torques without shapes
EXACT = ["--set", "integrator.rtol=1e-10", "--set", "integrator.atol=1e-12"]


def simulated(folder, name, words=()):
    """Columns of the manoeuvre by name; its result stays in the folder."""
    table = Path(folder) / f"{name}.csv"
    subprocess.run([PROGRAM, "simulate", ROOT / "models/canadarm/manoeuvre.yaml", *words, "-o", Path(folder) / f"{name}.h5", "--csv", table, "--quiet"],
                   check=True, capture_output=True)
    with open(table) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def manoeuvre():
    with tempfile.TemporaryDirectory() as folder:
        run, rigid = simulated(folder, "flexible"), simulated(folder, "rigid", RIGID)
        recursive, cholesky = (simulated(folder, way, ["--formulation", way, *EXACT]) for way in ("recursive", "dense"))
        subprocess.run([PROGRAM, "plot", Path(folder) / "flexible.h5", "--what", "deflection", "-o", ROOT / "docs/canadarm-deflection.svg", "--force", "--quiet"],
                       check=True, capture_output=True)  # figure 5
    time = next(iter(run.values()))
    curve = lambda values: list(zip(time, values))
    minus = lambda first, second: [a - b for a, b in zip(first, second)]
    draw = lambda name, title, unit, values: plot(ROOT / f"docs/canadarm-{name}.svg", title, "t [s]", unit,
                                                  [(joint, curve(values(joint))) for joint in JOINTS], logarithmic=False)
    draw("deviation", "Joints: deviation from the reference (figure 4)", "rad", lambda joint: minus(run[f"q.{joint}"], run[f"reference.{joint}"]))
    for name, title, unit, kind in [("joints", "Joints (figure 4 a to c); dashed: desired", "rad", "q"), ("rates", "Joint rates (figure 4 d to f); dashed: the rigid arm's", "rad/s", "v")]:
        desired = [curve(run[f"reference.{joint}"] if kind == "q" else rigid[f"v.{joint}"]) for joint in JOINTS]
        plot(ROOT / f"docs/canadarm-{name}.svg", title, "t [s]", unit, [(joint, curve(run[f"{kind}.{joint}"])) for joint in JOINTS], logarithmic=False, dashed=desired)
    draw("cholesky", "Joints: by Cholesky's factors minus by the recursion (figure 6)", "rad", lambda joint: minus(cholesky[f"q.{joint}"], recursive[f"q.{joint}"]))
    draw("power", "Power of the motors: flexible minus rigid arm (figure 7)", "W", lambda joint: minus(run[f"power.{joint}"], rigid[f"power.{joint}"]))
    draw("accelerations", "Joint accelerations (figure 8)", "rad/s^2", lambda joint: run[f"acceleration.{joint}"])
    power = [sum(run[f"power.{joint}"][i] - rigid[f"power.{joint}"][i] for joint in JOINTS) for i in range(len(time))]
    largest = max((abs(x), t) for x, t in zip(power, time))
    first = run["acceleration.joint1"]
    print(f"largest difference of power {largest[0]:.1f} W at {largest[1]:.2f} s, of all motors; acceleration of joint1 {min(first):.2f} to {max(first):.2f} rad/s^2")


def counts():
    for modes in (1, 2, 4):
        found = json.loads(subprocess.run([PROGRAM, "count", "--chains", "16", "--modes", str(modes), "--json"], check=True, capture_output=True, text=True).stdout)
        total = lambda row, name: row[name]["multiplications"] + row[name]["additions"]
        plot(ROOT / f"docs/counts-{modes}.svg", f"Operations of forward dynamics, {modes} shape{'s' if modes > 1 else ''} a plane", "links", "multiplications and additions",
             [(label, [(row["n"], total(row, name)) for row in found["chains"]]) for name, label in FAMILIES.items()])
        print(f"{modes} a plane: {found['crossovers']}")


if __name__ == "__main__":
    counts()
    manoeuvre()
