#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cibicik & Egeland's figures 5 to 10 with our crane, elastic speeds included, into docs/crane-*.svg: the manoeuvre by `dual-screw` (lines) and by
`recursive` (dashed), and the difference of the two.

    scripts/plot_dual_screw.py        (after ./run has built the program)
"""

import csv
import math
import subprocess
import tempfile
from pathlib import Path

from curves import plot

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "limber"
JOINTS = [f"joint{i}" for i in range(1, 5)]


def simulated(formulation, folder):
    """Columns of the result by name."""
    table = Path(folder) / f"{formulation}.csv"
    subprocess.run([PROGRAM, "simulate", ROOT / "models/crane/manoeuvre.yaml", "--formulation", formulation, "-o",
                    Path(folder) / f"{formulation}.h5", "--csv", table, "--quiet"], check=True, capture_output=True)
    with open(table) as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def main():
    with tempfile.TemporaryDirectory() as folder:
        linear, nonlinear = simulated("dual-screw", folder), simulated("recursive", folder)
        subprocess.run([PROGRAM, "plot", Path(folder) / "dual-screw.h5", "--what", "motion", "--snapshots", "7", "-o", ROOT / "docs/crane-motion.svg", "--force", "--quiet"],
                       check=True, capture_output=True)  # figure 5
    time = next(iter(linear.values()))

    def column(run, kind, name):
        """`kind.name` as the table calls it: q, v, effort."""
        return run[f"{kind}.{name}"]

    def draw(name, title, unit, columns, factor, until):
        count = sum(t <= until for t in time)
        curve = lambda run, kind, c: [(time[i], factor * column(run, kind, c)[i]) for i in range(count)]
        plot(ROOT / f"docs/crane-{name}.svg", title, "t [s]", unit, [(c, curve(linear, k, c)) for k, c in columns],
             logarithmic=False, dashed=[curve(nonlinear, k, c) for k, c in columns])

    modes = lambda direction, kind="q": [(kind, f"{link}.{direction}{i}") for link in ("link2", "link3") for i in (1, 2)]
    degrees = 180.0 / math.pi
    draw("joints", "Joints (figure 6)", "deg", [("q", joint) for joint in JOINTS], degrees, 6.0)
    draw("speeds", "Joints' speeds (figure 6)", "deg/s", [("v", joint) for joint in JOINTS], degrees, 6.0)
    draw("bending-y", "Bending in the plane, tip share (figure 7)", "mm", modes("y"), 1e3, 3.0)
    draw("torsion", "Torsion, tip share (figure 8)", "mrad", modes("torsion"), 1e3, 6.0)
    draw("bending-z", "Bending out of the plane, tip share (figure 9)", "mm", modes("z"), 1e3, 6.0)
    draw("bending-y-speeds", "Speeds of bending in the plane (figure 7)", "mm/s", modes("y", "v"), 1e3, 3.0)
    draw("torsion-speeds", "Speeds of torsion (figure 8)", "mrad/s", modes("torsion", "v"), 1e3, 6.0)
    draw("bending-z-speeds", "Speeds of bending out of the plane (figure 9)", "mm/s", modes("z", "v"), 1e3, 6.0)
    draw("torques", "Motor torques (figure 10)", "N m", [("effort", joint) for joint in JOINTS], 1.0, 4.0)

    differences = [(joint, [(t, 1e3 * (a - b)) for t, a, b in zip(time, column(linear, "q", joint),
                                                                 column(nonlinear, "q", joint))]) for joint in JOINTS]
    plot(ROOT / "docs/crane-difference.svg", "Joints: dual-screw minus recursive", "t [s]", "mrad", differences,
         logarithmic=False)


if __name__ == "__main__":
    main()
