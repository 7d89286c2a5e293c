# SPDX-License-Identifier: BSD-3-Clause
"""States and parameters from what sensors showed."""

import numpy as np
import pytest

import limber
from conftest import SOURCE

STUDIES = SOURCE / "studies"
MASS = "model.links.strip.tip.mass"


def test_the_estimate_is_the_programs(program):
    found = limber.estimate(STUDIES / "swing.yaml", STUDIES / "swing.csv", find={MASS: 0.02}, set={MASS: 0.12})
    said = program("estimate", STUDIES / "swing.yaml", STUDIES / "swing.csv", "--find", f"{MASS}=0.02", "--set", f"{MASS}=0.12")
    assert found["q"].shape == (151, 4) and found["end_effector"].shape == (151, 3)
    assert np.allclose(found["q"][-1], said["q"], rtol=0, atol=1e-15)
    assert found["parameters"][MASS]["value"] == said["parameters"][MASS]["value"]
    assert found["parameters"][MASS]["standard_deviation"] == said["parameters"][MASS]["standard_deviation"]
    assert abs(found["parameters"][MASS]["value"] - 0.1) < 5 * found["parameters"][MASS]["standard_deviation"]


def test_wrong_questions():
    with pytest.raises(limber.InputError, match="ekf, ukf or mhe"):
        limber.estimate(STUDIES / "swing.yaml", STUDIES / "swing.csv", method="kalman")
    with pytest.raises(limber.InputError, match="did you mean `encoder`"):
        limber.estimate(STUDIES / "swing.yaml", STUDIES / "swing.csv", columns={"encodr": "encoder"})


def test_controllers_see_the_estimate():
    class Look(limber.Controller):
        rate = 100

        def __init__(self):
            self.seen = []

        def efforts(self, t, measured):
            self.seen.append(measured["q"][0])
            return {}

    look = Look()
    run = limber.simulate(STUDIES / "observed_slew.yaml", controllers=[look], set={"duration": 0.5}, observer={"rate": 200, "process_noise": 1e-6})
    error = np.array(look.seen[1:50]) - run.q[1:50, 0]
    assert 0 < np.abs(error).max() < 5e-3  # not the state, but near it
    with pytest.raises(limber.InputError, match="did you mean `rate`"):
        limber.simulate(STUDIES / "observed_slew.yaml", observer={"rat": 200})


def test_the_observer_is_a_key_of_scenarios():
    key = {"duration": 0.3, "observer": {"rate": 200, "process_noise": 1e-6}}
    by_argument = limber.simulate(STUDIES / "observed_slew.yaml", set={"duration": 0.3}, observer=key["observer"])
    by_key = limber.simulate(STUDIES / "observed_slew.yaml", set=key)
    unobserved = limber.simulate(STUDIES / "observed_slew.yaml", set={"duration": 0.3})
    assert np.array_equal(by_key.q, by_argument.q) and not np.array_equal(by_key.q, unobserved.q)
    arm = limber.Simulator(STUDIES / "observed_slew.yaml", set=key)
    arm.advance_to(0.3)
    assert np.allclose(arm.state.q, by_key.q[-1], rtol=0, atol=1e-9)
    with pytest.raises(limber.InputError, match="observer.rate"):
        limber.simulate(STUDIES / "observed_slew.yaml", observer={"rate": -1})
