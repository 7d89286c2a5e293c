# SPDX-License-Identifier: BSD-3-Clause
"""Plans: motions that are optimal for the flexible arm."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Mapping

from . import _limber


def plan(file: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> _limber.MotionPlan:
    """The motion that a plan file asks for (docs/planning.md), simulated once. `set` changes values of its model, or of its scenario. Ctrl-C ends it.

    `times`, `q`, `v` and `efforts` (by coordinate; efforts are constant between times) are the plan; `scenario_text()` is a scenario that runs it."""
    return _limber.plan(pathlib.Path(os.fspath(file)), set)
