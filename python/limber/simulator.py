# SPDX-License-Identifier: BSD-3-Clause
"""An arm that a program takes along, step by step."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _limber
from ._limber import Model
from .controller import Controller, Efforts, Watch
from .errors import input_error
from .scenario import Scenario, read_scenario


class State(NamedTuple):
    """Where an arm is, and when."""

    t: float  #: [s]
    q: npt.NDArray[np.float64]  #: positions (nq)
    v: npt.NDArray[np.float64]  #: velocities (nv)


def discrete_derivatives(scenario: Scenario, q: npt.ArrayLike, v: npt.ArrayLike, efforts: npt.ArrayLike, h: float, t: float = 0.0,
                         set: Mapping[str, Any] | None = None) -> dict[str, npt.NDArray[np.float64]]:
    """What becomes of a state in h seconds under efforts that are held, by the scenario's own method (one with derivatives: euler, rk4, generalized-alpha, radau, radau9,
    radau13), and how that changes: `q`, `v`, `x` at the end, `A` by [displacement; v; x] at the beginning, `B` by the efforts of joints. Exact for the steps that are taken."""
    return _limber.discrete_derivatives(read_scenario(scenario, set), q, v, efforts, h, t)


class Simulator:
    """A scenario that goes on as far as it is told, by its own method and under its own controllers, trajectories and loads, and under yours:

        sim = limber.Simulator("slew.yaml")
        while sim.t < 2:
            sim.step(1e-3, {"shoulder": -100 * sim.v[0]})

    Steps end exactly where they are told to. Arguments are those of `limber.simulate`; nothing is recorded. One thread at a time."""

    def __init__(self, scenario: Scenario, controllers: Sequence[Controller] = (), set: Mapping[str, Any] | None = None,
                 formulation: str | None = None, watches: Sequence[Watch] = ()) -> None:
        self._core = _limber.Simulator(read_scenario(scenario, set, formulation), controllers, watches)
        self._controllers = tuple(controllers)

    def step(self, h: float, efforts: Efforts | None = None) -> None:
        """Goes on for h seconds, under efforts from outside: {joint: effort}, or nv numbers. They act besides what controllers ask for, under the same limits, until others are
        given; None: as they were."""
        self._core.step(h, efforts)

    def advance_to(self, t: float) -> None:
        """Goes on to a time, which is not before the present one; where a Watch stops it, it ends there, and the next call goes on. Throws ComputationError where the motion
        diverges or the method gives up: the state is then the last one that was reached."""
        self._core.advance_to(t)

    @property
    def t(self) -> float:
        """[s]; of fixed steps, what was asked for to rounding."""
        return self._core.t

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """Positions now (nq)."""
        return self._core.q

    @property
    def v(self) -> npt.NDArray[np.float64]:
        """Velocities now (nv)."""
        return self._core.v

    @property
    def state(self) -> State:
        """Where the arm is now: t, q, v."""
        return State(self.t, self.q, self.v)

    @property
    def readings(self) -> dict[str, float]:
        """What the scenario's sensors show now, by their names: sampled, late, noisy and rounded as they are. One with a delay needs a `rate`."""
        return self._core.readings

    @property
    def arm(self) -> Model:
        """What moves."""
        return self._core.arm

    @property
    def method(self) -> str:
        """The method of integration: what `auto` took."""
        return self._core.method

    @property
    def events(self) -> list[tuple[float, str]]:
        """What was watched, and has happened up to now: times and names."""
        return self._core.events

    def set_efforts(self, efforts: Efforts) -> None:
        """From now on these act besides what controllers ask for, and under the same limits. At first all are zero."""
        self._core.set_efforts(efforts)

    def set_load(self, load: str | int, force: npt.ArrayLike, moment: npt.ArrayLike | None = None) -> None:
        """From now on this force [N] and moment [N m] act: on the tip of a link, by its name, in world axes, besides the scenario's loads; or in place of a load of the
        scenario, by its place there, in its own axes."""
        self._core.set_load(load, force, moment)

    def set_state(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> None:
        """Puts the arm there, at the time that it is (v None: at rest). Prescribed joints are where they are told to be."""
        self._core.set_state(q, v)

    def save(self) -> Any:
        """All that it takes to go on from here, your controllers' attributes included: restore() comes back, and goes on the same to the last bit."""
        return self._core.save(), [controller.save() if hasattr(controller, "save") else None for controller in self._controllers]

    def restore(self, saved: Any) -> None:
        """Back to what save() gave, of this simulator or of another one of the same scenario."""
        if not (isinstance(saved, tuple) and len(saved) == 2 and isinstance(saved[0], _limber.Saved) and len(saved[1]) == len(self._controllers)):
            raise input_error("saved", "what save() of a simulator of the same scenario and controllers gave", type(saved).__name__)
        self._core.restore(saved[0])
        for controller, kept in zip(self._controllers, saved[1]):
            if hasattr(controller, "restore"):
                controller.restore(kept)

    def __repr__(self) -> str:
        return f"<limber.Simulator of {self.arm.name}: t = {self.t:g} s, {self.method}>"
