# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

import limber

FIXED = {"duration": 0.5, "integrator": {"method": "rk4", "step": 1e-3}}


@pytest.fixture
def scenario(boom):
    return {"model": boom, **FIXED}


def test_an_environment_is_a_simulator(scenario):
    env, sim = limber.Env(scenario, step=0.02), limber.Simulator(scenario)
    observation, info = env.reset(seed=1)
    np.testing.assert_array_equal(observation, np.zeros(8))
    for k in range(10):
        action = [100.0 * k]
        observation, reward, terminated, truncated, info = env.step(action)
        sim.step(0.02, {"shoulder": action[0]})
        np.testing.assert_array_equal(observation, np.concatenate([sim.q, sim.v]))
        assert reward == 0 and not terminated and not truncated and info == {}


def test_spaces_are_gymnasiums_or_tuples(scenario):
    env = limber.Env(scenario)
    try:
        import gymnasium
        assert isinstance(env.action_space, gymnasium.spaces.Box)
        low, high = env.action_space.low, env.action_space.high
    except ImportError:
        low, high = env.action_space
        assert env.observation_space[0].shape == (8,)
    assert low.tolist() == [-6000] and high.tolist() == [6000]


def test_many_arms_are_single_ones(scenario):
    env = limber.Env(scenario, count=5, step=0.02, spread=0.1)
    observation, _ = env.reset(seed=3)
    assert observation.shape == (5, 8) and len(np.unique(observation[:, 0])) == 5
    again, _ = env.reset(seed=3)
    np.testing.assert_array_equal(again, observation)
    actions = np.linspace(-500, 500, 5)[:, None]
    starts = observation
    for _ in range(5):
        observation, reward, terminated, truncated, _ = env.step(actions)
    assert reward.shape == terminated.shape == truncated.shape == (5,)
    for i in range(5):
        sim = limber.Simulator(scenario)
        sim.set_state(starts[i, :4], starts[i, 4:])
        for _ in range(5):
            sim.step(0.02, {"shoulder": actions[i, 0]})
        np.testing.assert_allclose(observation[i], np.concatenate([sim.q, sim.v]), rtol=1e-10, atol=1e-11)  # 100 steps of rk4, each to rounding


def test_neighbours_share_registers_and_do_not_know_of_each_other(scenario):
    file = limber.scenario.read_scenario({**scenario, "sensors": [{"name": "angle", "type": "position", "joint": "shoulder"}]}, None)
    many, few = limber._limber.Simulators([file] * 9), limber._limber.Simulators([file] * 3)
    assert len(many) == 9 and many.batched in (0, 9)  # 0: no such registers
    efforts = np.zeros((9, 4))
    efforts[:, 0] = np.arange(9.0)
    for _ in range(5):
        many.step(0.01, efforts)
        few.step(0.01, efforts[2:5])
    np.testing.assert_array_equal(few.q, many.q[2:5])
    np.testing.assert_array_equal(many.readings["angle"], many.q[:, 0])
    assert len(np.unique(many.q[:, 0])) == 9


def test_arms_may_differ(scenario):
    vary = [{"model.links.boom.tip.mass": mass} for mass in (0.0, 20.0, 200.0)]
    env = limber.Env(scenario, step=0.1, vary=vary)
    env.reset()
    observation, *_ = env.step([6000.0])
    assert observation[0, 0] > observation[1, 0] > observation[2, 0]
    with pytest.raises(limber.InputError, match="arms with the same coordinates"):
        limber.Env(scenario, vary=[{}, {"model.links.boom.beam.modes.z.count": 3}])


def test_episodes_end(scenario):
    class Reach(limber.Env):
        def reward(self, t, q, v, action):
            return -np.abs(q[:, 0] - 0.2) - 1e-6 * np.abs(action[:, 0])

        def is_over(self, t, q, v):
            return q[:, 0] < -0.5

        def observe(self, t, q, v):
            return q[:, :1]

    env = Reach(scenario, count=2, step=0.05)
    env.reset(options={"q": [[0, 0, 0, 0], [-0.6, 0, 0, 0]]})
    observation, reward, terminated, truncated, _ = env.step([[0.0], [0.0]])
    assert observation.shape == (2, 1) and terminated.tolist() == [False, True] and reward[0] > reward[1]
    for _ in range(9):
        observation, reward, terminated, truncated, _ = env.step([5000.0])
    assert truncated.tolist() == [True, False] or truncated[0]
    env.autoreset = True
    env.reset()
    for _ in range(10):
        observation, reward, terminated, truncated, info = env.step([2943.0])
    assert truncated.all() and observation[0, 0] == 0 and info["final_observation"].shape == (2, 1)


def test_an_arm_that_cannot_go_on_is_terminated(boom):
    env = limber.Env({"model": boom, "duration": 5.0, "integrator": {"method": "euler", "step": 0.01}}, count=2, step=0.5)
    env.reset()
    for _ in range(9):
        observation, _, terminated, _, info = env.step([0.0])
    assert terminated.all() and all("euler" in text or text for text in info["failures"]) and np.isfinite(observation).all()


def test_wrong_actions_are_said(scenario):
    env = limber.Env(scenario, count=3)
    env.reset()
    with pytest.raises(limber.InputError, match=r"action: expected an array of shape \(1,\) or \(3, 1\), found shape \(2,\)"):
        env.step([1.0, 2.0])
    with pytest.raises(limber.InputError, match="action: expected finite numbers"):
        env.step([np.nan])
    with pytest.raises(limber.InputError, match="count: expected an integer > 0"):
        limber.Env(scenario, count=0)
    with pytest.raises(limber.InputError, match="step: expected a time > 0"):
        limber.Env(scenario, step=0)
