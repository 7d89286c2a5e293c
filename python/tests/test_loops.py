# SPDX-License-Identifier: BSD-3-Clause
"""Closed loops (docs/loops.md)."""
import numpy as np
import pytest
from conftest import SOURCE

import limber

FILE = SOURCE / "models" / "four_bar" / "four_bar.yaml"
GROUND, CRANK, COUPLER, ROCKER = 0.8, 0.3, 0.9, 0.7


@pytest.fixture(name="bar")
def four_bar():
    return limber.load(FILE)


def test_a_four_bar_closes_by_its_triangle(bar):
    crank = np.array([0.4, 1.0, 2.0])
    q = limber.assemble(bar, np.stack([crank, np.full(3, -0.4), np.full(3, 1.3)], axis=1), kept=["crank"])
    np.testing.assert_array_equal(q[:, 0], crank)
    # From the crank's pin to the rocker's pivot, and the triangle of coupler and rocker above that side.
    to_x, to_y = GROUND - CRANK * np.cos(crank), -CRANK * np.sin(crank)
    side = np.hypot(to_x, to_y)
    angle = np.arccos((ROCKER**2 + side**2 - COUPLER**2) / (2 * ROCKER * side))
    np.testing.assert_allclose(q[:, 2], np.pi + np.arctan2(to_y, to_x) - angle, atol=1e-12)
    np.testing.assert_allclose(limber.loops(bar, q, np.zeros_like(q)).gaps, 0.0, atol=1e-12)


def test_rows_have_names_gaps_and_derivatives(bar):
    rng = np.random.default_rng(5)
    q, v = rng.standard_normal((2, 4, bar.nv))
    here = limber.loops(bar, q, v)
    assert here.names == ["pin"] and len(here.rows) == 5 and all(row.startswith("pin.") for row in here.rows)
    assert here.jacobian.shape == (4, 5, bar.nv)
    # c = p_b - p_a in the first rows, by hand.
    crank, elbow, rocker = q.T
    np.testing.assert_allclose(here.gaps[:, 0], GROUND + ROCKER * np.cos(rocker) - CRANK * np.cos(crank) - COUPLER * np.cos(crank + elbow), atol=1e-12)
    h = 1e-6
    ahead, behind = (limber.loops(bar, q + s * h * v, v) for s in (1, -1))
    rate = np.einsum("irj,ij->ir", here.jacobian, v)
    np.testing.assert_allclose((ahead.gaps - behind.gaps) / (2 * h), rate, atol=1e-8)
    turned = [np.einsum("irj,ij->ir", one.jacobian, v) for one in (ahead, behind)]
    np.testing.assert_allclose((turned[0] - turned[1]) / (2 * h), here.bias, atol=1e-8)


def test_runs_keep_the_loop_closed_and_hold_its_forces(bar):
    run = limber.simulate(SOURCE / "models" / "four_bar" / "swing.yaml", set={"duration": 0.3})
    now = limber.loops(bar, run.q, run.v)
    # Steps end on the loop; rows between them are interpolated, to the scenario's tolerance.
    np.testing.assert_allclose(now.gaps, 0.0, atol=1e-7)
    np.testing.assert_allclose(now.gaps[0], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.einsum("irj,ij->ir", now.jacobian, run.v), 0.0, atol=1e-6)
    assert (np.hypot(run["loop.pin.fx"], run["loop.pin.fy"]) > 0.1).any()


def test_statics_and_modes_are_the_programs(bar, program):
    found, said = limber.statics(bar), program("statics", FILE)
    np.testing.assert_allclose(found.q, said["q"], atol=1e-12)
    shapes, told = limber.modes(bar, q=limber.assemble(bar, bar.neutral()), joints="free"), program("modes", FILE, "--joints", "free")
    np.testing.assert_allclose(shapes.frequencies_hz, told["frequencies_hz"], rtol=1e-12)


def test_places_that_cannot_meet_and_open_trees_are_refused(bar):
    far = limber.load({"limber": 1, "links": [{"name": "rod", "rigid": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "tip": {"xyz": [1, 0, 0]}}}],
                       "loops": [{"name": "far", "type": "spherical", "a": {"link": "rod"}, "b": {"link": "base", "xyz": [3, 0, 0]}}]})
    with pytest.raises(limber.InputError, match="apart"):
        limber.assemble(far, far.neutral())
    with pytest.raises(limber.InputError, match="loop `pin` is closed.*assemble"):
        limber.modes(bar)
    with pytest.raises(limber.InputError, match="elbw"):
        limber.assemble(bar, bar.neutral(), kept=["elbw"])
    with pytest.raises(limber.InputError, match="loop"):
        limber.forward_dynamics(bar, bar.neutral(), np.zeros(bar.nv), np.zeros(bar.nv))
    crane = limber.load(SOURCE / "models" / "crane" / "crane.yaml")
    assert limber.loops(crane, crane.neutral(), np.zeros(crane.nv)).names == []
    np.testing.assert_array_equal(limber.assemble(crane, crane.neutral()), crane.neutral())


def test_a_singular_configuration_ends_a_run_or_is_said():
    turn = SOURCE / "models" / "two_four_bars" / "turn.yaml"
    with pytest.raises(limber.ComputationError, match=r"at t = 0\.714356 s the loops come to a singular configuration \(loops `pin1` and `pin2`\)"):
        limber.simulate(turn, set={"singular": "stop"})
    run = limber.simulate(turn, set={"duration": 1.0})
    assert run.time[-1] == 1.0
    assert [said for said in run.warnings if "2 freedoms appear" in said]


def test_a_mechanism_that_loops_lock_is_refused():
    locked = limber.load(FILE, set={"loops": [
        {"name": "pin", "type": "revolute", "axis": [0, 0, 1], "a": {"link": "coupler"}, "b": {"link": "rocker"}},
        {"name": "stay", "type": "spherical", "a": {"link": "crank"}, "b": {"link": "base", "xyz": [0, 0.3, 0]}}]})
    with pytest.raises(limber.InputError, match="`pin` and `stay`, which lock joints `crank`, `elbow` and `rocker`"):
        limber.assemble(locked, [1.0, -0.4, 1.3])
