# SPDX-License-Identifier: BSD-3-Clause
"""Section forces, stress and fatigue."""

import numpy as np
import pytest

import limber
from conftest import MODELS


def test_stress_is_that_of_the_textbook():
    arm = limber.Model.from_dict({
        "limber": 1, "gravity": [0, 0, 0],
        "links": [{"name": "rod", "joint": {"type": "fixed"},
                   "beam": {"length": 2.0, "section": {"shape": "rod", "diameter": 0.1, "material": {"E": 210e9, "nu": 0.3, "density": 7850}}}}]})
    load = {"link": "rod", "force": [0, 0, -100.0], "moment": [30.0, 0, 0]}
    found = limber.section_loads(arm, "rod", loads=[load], points=5)
    bending, torsion = 100.0 * (2.0 - found.x) * 32 / (np.pi * 1e-3), 30.0 * 16 / (np.pi * 1e-3)
    np.testing.assert_allclose(found.stress, np.sqrt(bending**2 + 3 * torsion**2), rtol=1e-12)


def test_cycles_are_those_of_the_standard():
    cycles = limber.rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2])
    by_range = {}
    for size, _, count in cycles:
        by_range[size] = by_range.get(size, 0) + count
    assert by_range == {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}
    assert limber.miner_damage([0, 200e6, 0], 100e6) == pytest.approx(8 / 2e6)


def test_runs_hold_section_forces_and_stress():
    run = limber.simulate(MODELS / "box_boom" / "lift.yaml", set={"duration": 0.1})
    forces, stress = run["section_forces"], run["stress"]
    assert forces.shape == (len(run.time), 2, 21, 6) and stress.shape == (len(run.time), 2, 21)
    np.testing.assert_array_equal(run["section.boom@0.05.My"], forces[:, 0, 1, 4])
    np.testing.assert_array_equal(run["stress.jib@1"], stress[:, 1, 20])
    assert np.abs(forces[0, 1, 20, :3]) == pytest.approx([0, 0, 250 * 9.81], rel=0.05, abs=200)
