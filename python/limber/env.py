# SPDX-License-Identifier: BSD-3-Clause
"""Arms as environments for learning, in the manner of Gymnasium."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _limber
from .errors import input_error
from .scenario import Scenario, read_scenario

Numbers = npt.NDArray[np.float64]


def _box(low: Numbers, high: Numbers) -> Any:
    """gymnasium.spaces.Box where gymnasium is installed, otherwise the tuple (low, high)."""
    try:
        from gymnasium import spaces
    except ImportError:
        return low, high
    return spaces.Box(low, high, dtype=np.float64)


class Env:
    """A scenario, or many at a time, in steps of `step` seconds: actions are efforts of the joints that nothing prescribes.

        env = limber.Env("slew.yaml", count=64, step=0.01)           # count=None: a single arm, without the leading axis
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(action)

    `vary`: one `set` for each arm (same coordinates): [{"model.links.boom.tip.mass": 5}, ...]. `spread`: where arms begin, as the standard deviation of joints' positions about the
    scenario's start [rad or m]. The arms go on together on all cores, without Python's lock. Derive from it to say what you want: `observe` (q and v, where nobody
    says otherwise), `reward` (0), `is_over` (never). An arm that cannot go on is terminated, with the reason in info["failures"]; one that has reached the scenario's
    duration is truncated. With `autoreset` both begin again by themselves, as vector environments do: the last observation is in info["final_observation"]."""

    def __init__(self, scenario: Scenario, count: int | None = None, step: float = 0.01, set: Mapping[str, Any] | None = None,
                 vary: Sequence[Mapping[str, Any]] | None = None, spread: float = 0.0, autoreset: bool = False,
                 reward: Callable[[Numbers, Numbers, Numbers, Numbers], npt.ArrayLike] | None = None) -> None:
        if vary is not None and count is not None and count != len(vary):
            raise input_error("count", f"{len(vary)}: one for each of `vary`, or None", repr(count))
        if count is not None and (isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1):
            raise input_error("count", "an integer > 0, or None for a single arm", repr(count))
        if not step > 0:
            raise input_error("step", "a time > 0 [s]", repr(step))
        files = [read_scenario(scenario, {**(set or {}), **own}) for own in vary] if vary else [read_scenario(scenario, set)] * (count or 1)
        self.is_single = count is None and vary is None  #: whether there is no leading axis
        self.count = len(files)  #: arms
        self.dt = float(step)  #: seconds of a step
        self.duration = files[0].duration  #: of an episode [s]
        self.arm = files[0].arm  #: the first one
        self.spread = spread  #: of starts [rad or m]
        self.autoreset = autoreset  #: whether arms whose episode is over begin again by themselves
        self._reward = reward
        self._arms = _limber.Simulators(files)
        self._starts = self._arms.q, self._arms.v
        self._random = np.random.default_rng()
        joints = [link for link in self.arm.links]
        self.driven = np.array([i for link in joints for i in _joint_coordinates(link)], dtype=int)  #: coordinates of actions, in v
        limits = np.array([link.limits.get("effort", np.inf) for link in joints for _ in _joint_coordinates(link)], dtype=float)
        self.action_space = _box(-limits, limits)  #: of one arm: gymnasium's Box, or (low, high) where gymnasium is not installed
        wide = np.full(np.shape(self.observe(self._arms.t, *self._starts))[-1], np.inf)
        self.observation_space = _box(-wide, wide)  #: of one arm, likewise

    def observe(self, t: Numbers, q: Numbers, v: Numbers) -> Numbers:
        """What a learner sees: a row for each arm. t: (n), q: (n, nq), v: (n, nv)."""
        return np.hstack([q, v])

    def reward(self, t: Numbers, q: Numbers, v: Numbers, action: Numbers) -> npt.ArrayLike:
        """What the step was worth: a number for each arm, of where it is after it. Where Env was given `reward`, that is asked."""
        return np.zeros(len(t)) if self._reward is None else self._reward(t, q, v, action)

    def is_over(self, t: Numbers, q: Numbers, v: Numbers) -> npt.ArrayLike:
        """Whether an episode has ended by itself: a truth for each arm."""
        return np.zeros(len(t), dtype=bool)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """All begin again. `options`: {"q": ..., "v": ...} say where, for one arm or for each."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._restart(None, **(options or {}))
        return self._out(self._observation()), {}

    def step(self, action: npt.ArrayLike) -> tuple[Numbers, Any, Any, Any, dict[str, Any]]:
        """One step under these efforts, held: (joints) numbers for all, or a row for each arm. Gives observation, reward, terminated, truncated, info."""
        given = np.asarray(action, dtype=float)
        if given.shape not in ((len(self.driven),), (self.count, len(self.driven))):
            raise input_error("action", f"an array of shape ({len(self.driven)},)" + ("" if self.is_single else f" or ({self.count}, {len(self.driven)})"),
                              f"shape {given.shape}")
        if not np.all(np.isfinite(given)):
            raise input_error("action", "finite numbers [N m or N]", "numbers that are infinite or not numbers")
        efforts = np.zeros((self.count, self.arm.nv))
        efforts[:, self.driven] = given
        self._arms.step(self.dt, efforts)
        t, q, v = self._arms.t, self._arms.q, self._arms.v
        failures = self._arms.failures
        failed = np.array([bool(text) for text in failures])
        reward = np.asarray(self.reward(t, q, v, np.broadcast_to(given, (self.count, len(self.driven)))), dtype=float)
        terminated = np.asarray(self.is_over(t, q, v), dtype=bool) | failed
        truncated = (t >= self.duration - 1e-9 * self.dt) & ~terminated
        info: dict[str, Any] = {"failures": failures} if failed.any() else {}
        observation = self.observe(t, q, v)
        over = terminated | truncated
        if self.autoreset and over.any():
            info["final_observation"] = observation
            self._restart(over)
            observation = self._observation()
        return self._out(observation), self._out(reward), self._out(terminated), self._out(truncated), info

    def _restart(self, which: npt.NDArray[np.bool_] | None, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None) -> None:
        positions, rates = (np.array(start) for start in self._starts)
        if q is not None:
            positions[:] = q
        if v is not None:
            rates[:] = v
        if self.spread > 0:
            shift = np.zeros((self.count, self.arm.nv))
            shift[:, self.driven] = self.spread * self._random.standard_normal((self.count, len(self.driven)))
            positions = _limber.displace(self.arm, positions, shift)
        self._arms.restart(None if which is None else which.tolist(), positions, rates)

    def _observation(self) -> Numbers:
        return self.observe(self._arms.t, self._arms.q, self._arms.v)

    def _out(self, values: Any) -> Any:
        return values[0] if self.is_single else values

    def close(self) -> None:
        """Nothing to do: what Gymnasium's environments have."""

    def __repr__(self) -> str:
        return f"<limber.Env of {self.arm.name}: {self.count} arms, {self.dt:g} s a step>"


def _joint_coordinates(link: _limber.Link) -> range:
    """Coordinates of a link's joint, in v."""
    first, end = link.v_slice.start, link.v_slice.stop - link.elastic_count
    return range(first, end)
