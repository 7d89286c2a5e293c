# SPDX-License-Identifier: BSD-3-Clause
"""Struts between links (docs/cylinders.md)."""
import numpy as np
import pytest
from conftest import SOURCE

import limber

FOLDER = SOURCE / "models" / "boom_cylinder"


@pytest.fixture(name="boom")
def boom_on_a_cylinder():
    return limber.load(FOLDER / "boom_cylinder.yaml")


def test_a_cylinder_holds_as_the_program_says(boom, program):
    said, found = program("statics", FOLDER / "boom_cylinder.yaml"), limber.statics(boom)
    assert found.cylinder_names == ["lift"]
    assert found.drives[0] == pytest.approx(said["cylinders"]["lift"]["force"], rel=1e-12)
    assert limber.cylinders(boom, found.q, np.zeros(boom.nv)).length[0] == pytest.approx(said["cylinders"]["lift"]["length"], rel=1e-12)
    assert found.efforts[0] == pytest.approx(0.0, abs=1e-9 * found.drives[0])


def test_rates_and_jacobians_are_those_of_the_length(boom):
    rng = np.random.default_rng(3)
    q, v = 1e-3 * rng.standard_normal((2, 4, boom.nv))
    q[:, 0] += 0.3
    together = limber.cylinders(boom, q, v)
    assert together.jacobian.shape == (4, 1, boom.nv)
    h = 1e-6
    ahead, behind = (limber.cylinders(boom, q + s * h * v / abs(v).max(), v).length for s in (1, -1))
    np.testing.assert_allclose(together.rate, (ahead - behind) / (2 * h) * abs(v).max(), rtol=1e-6)
    np.testing.assert_allclose(np.einsum("icj,ij->ic", together.jacobian, v), together.rate, rtol=1e-12)


def test_runs_have_lengths_and_forces():
    run = limber.simulate(FOLDER / "lift.yaml", set={"duration": 0.2})
    boom = limber.load(FOLDER / "boom_cylinder.yaml")
    np.testing.assert_allclose(run["cylinder.length.lift"], limber.cylinders(boom, run.q, run.v).length[:, 0], rtol=1e-12)
    assert (run["cylinder.force.lift"] > 1e4).all()


def test_what_does_not_know_cylinders_refuses_them(boom):
    with pytest.raises(limber.InputError, match="cylinder `lift`"):
        limber.forward_dynamics(boom, boom.neutral(), np.zeros(boom.nv), np.zeros(boom.nv))
    crane = limber.load(SOURCE / "models" / "crane" / "crane.yaml")
    assert limber.cylinders(crane, crane.neutral(), np.zeros(crane.nv)).names == []
