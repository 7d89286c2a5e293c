#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the table of docs/choosing-shapes.md: how far the Canadarm's first three frequencies (joints locked) are
from converged ones, for several families of shapes, in three poses.

    scripts/measure_shapes.py build/release/bin/limber
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

LINKS = ((6, 140), (7, 85), (2, 95))  # length [m], mass [kg]
POSES = {
    "straight": {},
    "60, -45 deg": {"joint2": math.pi / 3, "joint3": -math.pi / 4},
    "90, 90 deg": {"joint2": math.pi / 2, "joint3": math.pi / 2},
}
LOADED = ", tip_mass: auto, tip_inertia: auto"
CHOICES = (
    ("clamped-free", 2, ""), ("clamped-free", 4, ""), ("clamped-free", 6, ""),
    ("polynomial", 2, ""), ("polynomial", 3, ""), ("polynomial", 4, ""),
    ("clamped-mass", 2, LOADED), ("clamped-mass", 4, LOADED),
    ("craig-bampton", 2, ""), ("craig-bampton", 3, ""), ("craig-bampton", 4, ""), ("craig-bampton", 6, ""),
)


def arm(shape, count, extra):
    text = "limber: 1\nname: canadarm\ngravity: [0, 0, 0]\nkinematics: first\nlinks:\n"
    for i, (length, mass) in enumerate(LINKS, 1):
        text += (f"  - name: link{i}\n    joint: {{name: joint{i}, type: revolute, axis: [0, 0, 1]}}\n"
                 f"    beam:\n      length: {length}\n"
                 f"      section: {{EI_z: 1e5, mass_per_length: {mass / length!r}}}\n"
                 f"      modes: {{y: {{shape: {shape}, count: {count}{extra}}}}}\n")
    return text


def frequencies(limber, folder, text, pose):
    (folder / "arm.yaml").write_text(text)
    (folder / "state.json").write_text(json.dumps({"q": pose}))
    run = subprocess.run([limber, "modes", folder / "arm.yaml", "--state", folder / "state.json", "--count", "3",
                          "--json", "--quiet"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["frequencies_rad_s"]


def main():
    limber = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("| shapes | number |", " | ".join(POSES), "|")
        print("|---|---|" + "---|" * len(POSES))
        converged = {name: frequencies(limber, folder, arm("craig-bampton", 14, ""), pose)
                     for name, pose in POSES.items()}
        for shape, count, extra in CHOICES:
            cells = []
            for pose_name, pose in POSES.items():
                values = frequencies(limber, folder, arm(shape, count, extra), pose)
                error = max(abs(a / b - 1) for a, b in zip(values, converged[pose_name]))
                cells.append(f"{100 * error:.2g} %")
            print(f"| {shape} | {count} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
