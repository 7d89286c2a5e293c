#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Piedboeuf's figures 6 to 12 by `limber statics --linear`, into docs/piedboeuf-*.svg, the gauges 2 and 3 besides, and what he says of his models in numbers.

    scripts/plot_piedboeuf.py [PROGRAM]        (after ./run has built it)
"""

import json
import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from curves import plot

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin" / "limber"
FORCES = [0.0, -0.61, -1.22, -1.84, -2.46, -4.19, -5.4]  # N, world y, at the tool's end
ANGLES = range(-90, 91, 5)
GAUGES = [0.0191, 0.3985, 0.5889]  # m from the root
MODELS = {2: "piedboeuf.yaml", 1: "piedboeuf_first.yaml", 0: "piedboeuf_rigid.yaml"}
SHOWN = {5: FORCES[4], 7: FORCES[6]}  # curves that the paper gives numbers of
RAISED = (60, 75, 90)                  # deg: single angles at which he measured


class Statics:
    """What one model gives at an angle under a force."""

    def __init__(self, order, angle, force):
        state = {"q": {"motor": math.radians(angle)},
                 "loads": [{"link": "link", "force": [0, force, 0], "offset": [0.0115, -0.3159, 0]}]}
        bends = [] if order == 0 else ["--linear", *(word for x in GAUGES for word in ("--gauge", f"link@{x}"))]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(state, file)
            file.flush()
            done = subprocess.run([PROGRAM, "statics", ROOT / "models/piedboeuf" / MODELS[order], "--state", file.name, *bends,
                                   "--json", "--quiet"], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        self.torque = found["joint_efforts"]["motor"]
        self.curvatures = [gauge["kappa_z"] for gauge in found.get("gauges", [])]
        self.deformation = 1e3 * found["links"][0]["tip_deflection"][1] if order else 0.0


def all_of(order):
    places = [(force, angle) for force in FORCES for angle in ANGLES]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(places, pool.map(lambda place: Statics(order, place[1], place[0]), places)))


def print_claims(second, first, rigid):
    """What the paper says of its figures 7, 8, 11 and 12."""
    for curve, force in SHOWN.items():
        peak = max(abs(second[force, a].torque) for a in ANGLES)
        largest = lambda other: 100 * max(abs(second[force, a].torque - other[force, a].torque) for a in ANGLES) / peak
        raised = ", ".join(f"{100 * (1 - rigid[force, a].torque / second[force, a].torque):.1f}" for a in RAISED)
        deep = min((second[force, a].deformation, a) for a in ANGLES)
        apart = max((abs(second[force, a].deformation - first[force, a].deformation), a) for a in ANGLES)
        print(f"curve {curve}: torque O(2) - O(1) {largest(first):.2f} % of the peak, O(2) - O(0) {largest(rigid):.1f} %, at "
              f"{', '.join(map(str, RAISED))} deg {raised} % of the torque there; deformation {deep[0]:.1f} mm at {deep[1]} deg, O(2) - O(1) {apart[0]:.2f} mm at {apart[1]} deg")


def main():
    second, first, rigid = all_of(2), all_of(1), all_of(0)
    zero = second[0.0, 0].curvatures[0]  # gauges were set to zero in the horizontal arm without a force
    curves = lambda value: [(f"{i + 1}: {f:g} N", [(a, value(f, a)) for a in ANGLES]) for i, f in enumerate(FORCES)]
    for name, title, unit, value in [
            ("torque", "Motor torque, O(2) (figure 6)", "N m", lambda f, a: second[f, a].torque),
            ("torque-first", "Motor torque, O(2) - O(1) (figure 7)", "N m", lambda f, a: second[f, a].torque - first[f, a].torque),
            ("torque-rigid", "Motor torque, O(2) - O(0) (figure 8)", "N m", lambda f, a: second[f, a].torque - rigid[f, a].torque),
            ("curvature", "Curvature at gauge 1, O(2), as measured: less that at 0 deg, 0 N (figure 9)", "1/m",
             lambda f, a: second[f, a].curvatures[0] - zero),
            ("curvature-first", "Curvature at gauge 1, O(1), less the same (figure 10)", "1/m", lambda f, a: first[f, a].curvatures[0] - zero),
            ("curvature-2", "Curvature at gauge 2, O(2)", "1/m", lambda f, a: second[f, a].curvatures[1]),
            ("curvature-3", "Curvature at gauge 3, O(2)", "1/m", lambda f, a: second[f, a].curvatures[2]),
            ("deformation", "Endpoint deformation, O(2) (figure 11)", "mm", lambda f, a: second[f, a].deformation),
            ("difference", "Deformation, O(2) - O(1) (figure 12)", "mm", lambda f, a: second[f, a].deformation - first[f, a].deformation)]:
        plot(ROOT / f"docs/piedboeuf-{name}.svg", title, "motor angle [deg]", unit, curves(value), logarithmic=False)
    print_claims(second, first, rigid)


if __name__ == "__main__":
    main()
