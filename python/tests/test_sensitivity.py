# SPDX-License-Identifier: BSD-3-Clause
"""Gradients by numbers of files, and derivatives of steps, from Python."""

import math

import numpy as np
import pytest

import limber

SWING = """
limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0], stiffness: 50}, rigid: {mass: 2}}]
initial: {q: {rail: 0.1}}
integrator: {method: rk4, step: 1e-3}
duration: 1
"""


@pytest.fixture
def swing(tmp_path):
    (tmp_path / "swing.yaml").write_text(SWING)
    return tmp_path / "swing.yaml"


def test_a_run_by_stiffness_and_mass(swing):
    found = limber.sensitivity(swing, by=["model.links.cart.joint.stiffness", "model.links.cart.rigid.mass"], of=["rail", "rail:rms"], histories=True)
    w = math.sqrt(50 / 2)
    slope = -0.1 * math.sin(w) * w
    np.testing.assert_allclose(found["gradient"][0], [slope / 100, -slope / 4], rtol=1e-7)
    assert found["integrator"] == "rk4" and found["steps"] == 1000
    assert found["gradients"][0].shape == (101, 2) and found["measures"] == ["rail", "rail:rms"]


def test_back_through_the_run_is_the_same(swing):
    by = ["model.links.cart.joint.stiffness", "model.links.cart.rigid.mass", "initial.q.rail"]
    forward = limber.sensitivity(swing, by=by, of=["rail:rms"], way="forward")
    back = limber.sensitivity(swing, by=by, of=["rail:rms"], way="adjoint")
    assert (forward["way"], back["way"]) == ("forward", "adjoint")
    np.testing.assert_allclose(back["gradient"], forward["gradient"], rtol=1e-11)
    with pytest.raises(limber.InputError, match="forward or adjoint"):
        limber.sensitivity(swing, by=by, of=["rail"], way="sideways")


def test_a_path_that_is_no_number(swing):
    with pytest.raises(limber.InputError, match="a number that stands in the file"):
        limber.sensitivity(swing, by=["model.links"], of=["rail"])


def test_a_step_of_a_swinging_mass(swing):
    step = limber.discrete_derivatives(swing, [0.1], [0], [0], 0.01)
    w, h = 5, 0.01
    wanted = [[math.cos(w * h), math.sin(w * h) / w], [-w * math.sin(w * h), math.cos(w * h)]]
    np.testing.assert_allclose(step["A"], wanted, rtol=1e-10)
    np.testing.assert_allclose(step["B"], [[(1 - math.cos(w * h)) / 50], [math.sin(w * h) / (2 * w)]], rtol=1e-8)
    np.testing.assert_allclose(step["q"], [0.1 * math.cos(w * h)], rtol=1e-12)
