# SPDX-License-Identifier: BSD-3-Clause
"""Plans from Python."""

import math

import numpy as np
import pytest

import limber

RAIL = """
limber: 1
name: rail
gravity: [0, 0, 0]
links:
  - name: cart
    joint: {name: rail, type: prismatic, axis: [1, 0, 0], limits: {effort: 12}}
    rigid: {mass: 3}
"""

PLAN = """
limber: 1
model: rail.yaml
plan: {to: {rail: 2}, minimise: time, intervals: 20}
"""


@pytest.fixture
def plan_file(tmp_path):
    (tmp_path / "rail.yaml").write_text(RAIL)
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path / "plan.yaml"


def test_the_shortest_time_is_bang_bang(plan_file):
    plan = limber.plan(plan_file)
    assert plan.duration == pytest.approx(2 * math.sqrt(2 * 3 / 12), rel=1e-6)
    assert plan.times.shape == (21,) and plan.q["rail"].shape == (21,) and plan.efforts["rail"].shape == (20,)
    np.testing.assert_allclose(plan.efforts["rail"], 12 * np.repeat([1, -1], 10), rtol=1e-4)
    assert plan.residual_vibration < 2e-5  # m, of 2 m: its run has rtol 1e-6


def test_set_changes_the_arm(plan_file):
    heavy = limber.plan(plan_file, set={"links.cart.rigid.mass": 12})
    assert heavy.duration == pytest.approx(2 * math.sqrt(2 * 12 / 12), rel=1e-6)


def test_the_scenario_runs(plan_file, tmp_path):
    plan = limber.plan(plan_file)
    (tmp_path / "planned.yaml").write_text(plan.scenario_text())
    run = limber.simulate(tmp_path / "planned.yaml")
    assert run.q[-1, 0] == pytest.approx(2, abs=1e-5)  # rtol 1e-6


def test_what_is_wrong_has_its_place(plan_file):
    plan_file.write_text(PLAN.replace("rail: 2", "rial: 2"))
    with pytest.raises(limber.InputError, match="did you mean `rail`"):
        limber.plan(plan_file)
