# SPDX-License-Identifier: BSD-3-Clause
"""What drives an arm, written in Python."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, Callable, Mapping, Union

import numpy as np
import numpy.typing as npt

from ._limber import Model

#: By joint, or a number for each of v's (0 for elastic coordinates).
Efforts = Union[Mapping[str, float], npt.ArrayLike]


class Controller:
    """What drives joints. Derive yours from it, and hand it to `limber.simulate` or `limber.Simulator`:

        class Damper(limber.Controller):
            rate = 1000                                  # samples per second, efforts held in between; None: asked all the time

            def efforts(self, t, measured):              # the scenario's sensors by name, besides q and v
                return {"shoulder": -200 * measured["v"][0]}

    Efforts of several controllers, and of the scenario's own, add up; limits of joints hold for the sum. An exception ends the run, and what was
    reached is its `run`. A sampled controller is asked once for each sample, in the order of time, and may keep what it likes in `self`; one that is asked all the
    time sees trial points of the integrator as well, and must not remember."""

    rate: float | None = None  #: samples per second; None: asked all the time

    def start(self, arm: Model) -> None:
        """Before a run begins: the time to look up coordinates, and to forget the last run."""

    def efforts(self, t: float, measured: dict[str, Any]) -> Efforts:
        """Efforts [N m or N] at a time [s]: {joint: effort}, or nv numbers. `measured`: q, v, and what the scenario's sensors show."""
        raise NotImplementedError(f"{type(self).__name__} has no method efforts(t, measured)")

    def save(self) -> Any:
        """What it takes to go on from here (Simulator.save); a deep copy of its attributes where nobody says otherwise."""
        return copy.deepcopy(self.__dict__)

    def restore(self, saved: Any) -> None:
        """Back to what save() gave."""
        self.__dict__.clear()
        self.__dict__.update(copy.deepcopy(saved))


@dataclasses.dataclass(frozen=True)
class Watch:
    """Something to look out for: it happens where value(t, q, v) falls to zero, at a time that is found to 1e-10 s, and again after it was positive again."""

    name: str  #: of what happens: "tip below 0.1 m"
    value: Callable[[float, npt.NDArray[np.float64], npt.NDArray[np.float64]], float]  #: positive while nothing has happened
    stops: bool = False  #: whether the run ends there
