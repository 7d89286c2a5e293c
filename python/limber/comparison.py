# SPDX-License-Identifier: BSD-3-Clause
"""The same motion by every formulation."""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Sequence

import numpy as np

from . import _limber
from ._limber import ComputationError, InputError
from .run import Run, simulate
from .scenario import Scenario


@dataclasses.dataclass
class Comparison:
    """How far a formulation's run is from that of the first one, and what it cost."""

    formulation: str
    run: Run | None  #: None where it failed
    error: str  #: why it failed; empty where it did not
    q: float = float("nan")  #: largest difference of a position
    v: float = float("nan")  #: largest difference of a velocity
    wrench: float = float("nan")  #: largest difference of a joint's force or moment [N, N m]


def _largest(name: str, first: Run, other: Run) -> float:
    if name not in first or name not in other:
        return float("nan")
    rows = min(len(first), len(other))
    return float(np.max(np.abs(first[name][:rows] - other[name][:rows]), initial=0.0))


def compare(scenario: Scenario, set: Mapping[str, Any] | None = None,
            formulations: Sequence[str] = _limber.formulations) -> list[Comparison]:
    """The same scenario by every formulation: largest differences from the first one, and the runs themselves. One that fails says why."""
    outcomes: list[Comparison] = []
    for formulation in formulations:
        try:
            run = simulate(scenario, set=set, formulation=formulation)
        except (ComputationError, InputError) as error:
            if not outcomes:
                raise
            outcomes.append(Comparison(formulation, None, str(error)))
            continue
        first = outcomes[0].run if outcomes else run
        assert first is not None
        outcomes.append(Comparison(formulation, run, "", _largest("q", first, run), _largest("v", first, run),
                                   _largest("wrenches", first, run)))
    return outcomes
