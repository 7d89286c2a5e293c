#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lin & Lewis, example 4.3: "flexible motion significantly influences the centrifugal and Coriolis terms, but has little effect on the inertia matrix". How much
of each, on their turret: both joints turn at 1 rad/s while the barrel vibrates at its first frequency in both planes.

    scripts/study_flexibility.py [PROGRAM]        (after ./run has built it)
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin" / "limber"
MODEL = ROOT / "models" / "lin_lewis_turret" / "lin_lewis_turret.yaml"
LENGTH, RATE = 2.0, 1.0
JOINTS = (0, 1)


def limber(*words):
    return json.loads(subprocess.run([PROGRAM, *words, "--json", "--quiet"], check=True, capture_output=True, text=True).stdout)


def terms(folder, deflection, elastic_rate):
    """Joint rows: M between joints, and C v."""
    state = {"q": {"azimuth": 0.3, "elevation": 0.5, "barrel.y1": deflection, "barrel.z1": deflection},
             "v": {"azimuth": RATE, "elevation": RATE, "barrel.y1": elastic_rate, "barrel.z1": elastic_rate}}
    file = pathlib.Path(folder) / "state.json"
    file.write_text(json.dumps(state))
    found = limber("eval", MODEL, "--state", file, "--only", "mass_matrix,coriolis")
    return [[found["mass_matrix"][i][j] for j in JOINTS] for i in JOINTS], [found["coriolis"][i] for i in JOINTS]


def change(values, reference):
    """Relative, in the largest entry."""
    flat = lambda rows: [x for row in rows for x in (row if isinstance(row, list) else [row])]
    return max(abs(a - b) for a, b in zip(flat(values), flat(reference))) / max(abs(b) for b in flat(reference))


def main():
    first = limber("modes", MODEL, "--joints", "locked", "--count", "1")["frequencies_hz"][0]
    print(f"first frequency of the barrel, joints locked: {first:.3f} Hz\n")
    print("tip deflection  M, bent      C v, bent    C v, passing through straight")
    with tempfile.TemporaryDirectory() as folder:
        M, c = terms(folder, 0.0, 0.0)
        for share in (0.005, 0.02, 0.05):
            size = share * LENGTH
            bent_M, bent_c = terms(folder, size, 0.0)
            _, moving_c = terms(folder, 0.0, 2.0 * math.pi * first * size)
            print(f"{100 * share:6.1f} % of L   {100 * change(bent_M, M):7.3f} %   {100 * change(bent_c, c):8.2f} %   {100 * change(moving_c, c):8.1f} %")


if __name__ == "__main__":
    main()
