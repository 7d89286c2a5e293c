# SPDX-License-Identifier: BSD-3-Clause
"""Links of finite elements (docs/finite-elements.md)."""
import pickle

import numpy as np
import pytest
from conftest import SOURCE, random_state

import limber

FOLDER = SOURCE / "examples" / "finite_elements"


@pytest.fixture(name="knee")
def knee_arm():
    return limber.load(FOLDER / "arm.yaml")


def test_a_body_says_what_the_program_says(knee, program):
    info = program("info", FOLDER / "arm.yaml")
    assert knee.coordinates == info["coordinates"] and knee.coordinates[1] == "boom.m1"
    assert knee.mass == pytest.approx(info["mass"], rel=1e-14)
    np.testing.assert_allclose(knee.links[0].frequencies_hz["body"], info["links"][0]["frequencies_hz"]["body"], rtol=1e-13)
    np.testing.assert_allclose(limber.modes(knee, count=4).frequencies_hz, program("modes", FOLDER / "arm.yaml", "--count", 4)["frequencies_hz"], rtol=1e-9)


def test_copies_and_dictionaries_make_the_same_arm(knee):
    q, v, tau = random_state(knee, 1)
    q[1:19] *= 1e-3
    expected = limber.forward_dynamics(knee, q, v, tau)
    for again in (limber.Model.from_dict(knee.to_dict()), pickle.loads(pickle.dumps(knee))):
        np.testing.assert_array_equal(limber.forward_dynamics(again, q, v, tau), expected)


def test_batches_and_derivatives_take_bodies(knee):
    rng = np.random.default_rng(2)
    q = 1e-4 * rng.standard_normal((5, knee.nq))
    v, tau = rng.standard_normal((2, 5, knee.nv))
    together = limber.forward_dynamics(knee, q, v, tau)
    for i in range(5):
        alone = limber.forward_dynamics(knee, q[i], v[i], tau[i])
        np.testing.assert_allclose(together[i], alone, rtol=1e-9, atol=1e-9 * abs(alone).max())
    assert limber.derivatives(knee, q[0], v[0], tau[0]).dacceleration_dq.shape == (knee.nv, knee.nv)


def test_loads_act_on_interfaces(knee):
    rest = limber.statics(knee, knee.neutral()).q
    pushed = limber.statics(knee, knee.neutral(), loads=[{"link": "boom", "at": "lug", "force": [0, 1000, 0]}]).q
    assert abs(pushed[1] - rest[1]) > 1e-6
    with pytest.raises(limber.InputError, match="interface of the body `boom`"):
        limber.statics(knee, knee.neutral(), loads=[{"link": "boom", "at": "nose", "force": [0, 1000, 0]}])


def test_runs_record_a_sensor_on_an_interface():
    run = limber.simulate(FOLDER / "swing.yaml", set={"duration": 0.05})
    assert np.isfinite(run["camera_shake"]).all() and np.ptp(run["camera_shake"]) > 0.0


def test_a_missing_body_is_named():
    with pytest.raises(limber.InputError, match="nowhere.h5"):
        limber.Model.from_dict({"limber": 1, "links": [{"name": "boom", "body": {"file": "nowhere.h5"}}]})
