# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import limber

SOURCE = pathlib.Path(os.environ.get("LIMBER_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
MODELS = SOURCE / "models"
# Trees, tapered beams, quaternions, prismatic joints, both orders of kinematics.
ARMS = sorted(path for path in MODELS.rglob("*.yaml") if "\nlinks:" in path.read_text() and not any(f"\n{key}:" in path.read_text() for key in ("loops", "cylinders")) and "telescoping:" not in path.read_text())


class Program:
    """The program, as an oracle: it has its own way from the library to the numbers."""

    def __call__(self, *arguments):
        done = subprocess.run([os.environ["LIMBER_PROGRAM"], *map(str, arguments), "--json", "--quiet"], capture_output=True,
                              text=True)
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def program():
    if "LIMBER_PROGRAM" not in os.environ:
        pytest.skip("LIMBER_PROGRAM names no program")
    return Program()


@pytest.fixture(scope="session")
def canadarm():
    return limber.load(MODELS / "canadarm" / "canadarm.yaml")


def random_state(arm, seed, *leading, size=0.1):
    """q, v, tau of `leading` states: bent a little, quaternions unit."""
    random = np.random.default_rng(seed)
    q = limber.displace(arm, np.broadcast_to(arm.neutral(), (*leading, arm.nq)), size * random.standard_normal((*leading, arm.nv)))
    return q, random.standard_normal((*leading, arm.nv)), random.standard_normal((*leading, arm.nv))


TEXT = """
limber: 1
name: boom
links:
  - name: boom
    joint: {name: shoulder, axis: [0, -1, 0], damping: 20, limits: {lower: -1, upper: 2, effort: 6000}}
    beam:
      length: 6
      section: {EI_y: 1e6, EI_z: 1e6, mass_per_length: 10}
      modes: {y: {count: 1}, z: {count: 2}}
      damping: {ratio: 0.01}
    tip: {mass: 20}
"""


@pytest.fixture
def boom():
    return limber.load(TEXT)


SLEW = {
    "duration": 2.0,
    "initial": {"settle": True},
    "trajectories": {"way": {"type": "quintic", "from": 0, "to": 0.3, "duration": 1.0}},
    "actuation": [{"joint": "shoulder", "type": "pd", "kp": 3e4, "kd": 1e4, "target": {"trajectory": "way"}}],
    "output": {"rate": 50},
}


@pytest.fixture
def slew(boom):
    return {**SLEW, "model": boom}
