#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the Python of docs/simulation.md on results of the program: of shipped arms of both orders, and of one with all types of joints.

    run_python.py PROGRAM SOURCE_DIR     (in a folder of its own)

The block itself compares the end effector with the stored one; here every point of every link must lie where it belongs, too: neighbours
on a link are about as far apart as at rest."""

import os
import re
import subprocess
import sys

import numpy as np

program, source = sys.argv[1:]
with open(os.path.join(source, "docs/simulation.md")) as page:
    blocks = re.findall(r"```python\n(.*?)```", page.read(), re.S)
assert len(blocks) == 1, "one block of Python in docs/simulation.md"
os.makedirs("build", exist_ok=True)
every_joint = """limber: 1
model:
  name: every_joint
  links:
    - {name: ship, joint: {name: sea, type: free}, rigid: {mass: 50, inertia: [9, 8, 7, 0, 0, 0], tip: {xyz: [0.3, 0.1, 0.2], rpy: [0.1, 0.2, 0.3]}}}
    - name: boom
      joint: {name: shoulder, type: universal, axes: [[0, 0, 1], [0, 1, 0]]}
      root: {xyz: [0.1, 0, 0], rpy: [0, 0.1, 0]}
      beam: {length: 2, section: {EI_y: 900, EI_z: 700, GJ: 300, mass_per_length: 2, rotary_inertia: [0.01, 0.01, 0.01]}, modes: {y: {count: 2}, z: {count: 1}, torsion: {count: 1}}}
    - {name: slide, parent: boom, attach: 0.6, joint: {name: rail, type: prismatic, axis: [0, 1, 0]}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [0, 0.2, 0]}}}
    - {name: hand, parent: boom, joint: {name: wrist, type: spherical}, rigid: {mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [0.2, 0, 0]}}}
initial: {v: {sea.4: 0.5, sea.1: 0.3, wrist.2: 1, shoulder.1: 0.2}}
duration: 1.5
"""


def scenario_file(name):
    return "every_joint.yaml" if name == "every_joint" else os.path.join(source, "models", name)


with open("every_joint.yaml", "w") as file:
    file.write(every_joint)
for scenario in ("every_joint", "canadarm/manoeuvre.yaml", "crane/manoeuvre.yaml", "ella/reach.yaml", "spin_up_beam/spin_up.yaml"):
    subprocess.run([program, "simulate", scenario_file(scenario), "-o", "build/canadarm.h5",
                    "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    names = {}
    exec(blocks[0], names)
    with names["h5py"].File("build/canadarm.h5") as result:
        q = result["q"][len(result["q"]) // 2]
    arm = names["arm"]
    for link, points in zip(arm["links"], names["shapes"](arm, q)):
        rest = np.array(link["places"])[:link["points"], :3]
        steps, wanted = (np.linalg.norm(np.diff(p, axis=0), axis=1) for p in (points, rest))
        assert np.allclose(steps, wanted, rtol=0.02), (scenario, link["name"])
