#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Piedboeuf's figures 6, 9, 11 and 12 by `limber statics --linear`, into docs/piedboeuf-*.svg.

    scripts/plot_piedboeuf.py        (after ./run has built the program)
"""

import json
import math
import subprocess
import tempfile
from pathlib import Path

from curves import plot

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "limber"
FORCES = [0.0, -0.61, -1.22, -1.84, -2.46, -4.19, -5.4]  # N, world y, at the tool's end
ANGLES = range(-90, 91, 5)


def statics(model, angle, force):
    state = {"q": {"motor": math.radians(angle)},
             "loads": [{"link": "link", "force": [0, force, 0], "offset": [0.0115, -0.3159, 0]}]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(state, file)
        file.flush()
        done = subprocess.run([PROGRAM, "statics", ROOT / "models/piedboeuf" / model, "--state", file.name, "--linear",
                               "--gauge", "link@0.0191", "--json", "--quiet"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["joint_efforts"]["motor"], found["gauges"][0]["kappa_z"], found["links"][0]["tip_deflection"][1]


def main():
    second = {(f, a): statics("piedboeuf.yaml", a, f) for f in FORCES for a in ANGLES}
    first = {(f, a): statics("piedboeuf_first.yaml", a, f) for f in FORCES for a in ANGLES}
    curves = lambda value: [(f"{i + 1}: {f:g} N", [(a, value(f, a)) for a in ANGLES]) for i, f in enumerate(FORCES)]
    for name, title, unit, value in [
            ("torque", "Motor torque, O(2) (figure 6)", "N m", lambda f, a: second[f, a][0]),
            ("curvature", "Curvature at gauge 1, O(2) (figure 9)", "1/m", lambda f, a: second[f, a][1]),
            ("deformation", "Endpoint deformation, O(2) (figure 11)", "mm", lambda f, a: 1e3 * second[f, a][2]),
            ("difference", "Deformation, O(2) - O(1) (figure 12)", "mm",
             lambda f, a: 1e3 * (second[f, a][2] - first[f, a][2]))]:
        plot(ROOT / f"docs/piedboeuf-{name}.svg", title, "motor angle [deg]", unit, curves(value), logarithmic=False)


if __name__ == "__main__":
    main()
