# SPDX-License-Identifier: BSD-3-Clause
"""Scenarios from files, texts and dictionaries."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Mapping, Union

from . import _limber
from ._limber import Model, ScenarioFile
from .errors import input_error
from .model import _has_tables, _with_files, is_text

#: A file, its text, or a dictionary with the file's keys, whose `model` may be a Model.
Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def _as_dictionary(scenario: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(scenario)
    if isinstance(given.get("model"), Model):
        given["model"] = given["model"].to_dict()
    given.setdefault("limber", 1)
    return given


def read_scenario(scenario: Scenario, set: Mapping[str, Any] | None = None, formulation: str | None = None) -> ScenarioFile:
    """Reads and checks it, once for any number of runs."""
    if isinstance(scenario, Mapping):
        given = _as_dictionary(scenario)
        if _has_tables(given["model"] if "model" in given else None):
            with tempfile.TemporaryDirectory() as folder:
                file = _limber.scenario_of_dictionary(_with_files(given, folder), pathlib.Path(folder), set)
        else:
            file = _limber.scenario_of_dictionary(given, pathlib.Path.cwd(), set)
    elif isinstance(scenario, str) and is_text(scenario):
        file = _limber.scenario_of_text(scenario, pathlib.Path.cwd(), set)
    elif isinstance(scenario, (str, os.PathLike)):
        file = _limber.scenario_of_file(pathlib.Path(os.fspath(scenario)), set)
    else:
        raise input_error("scenario", "the name of a file, its text, or a dictionary with its keys", type(scenario).__name__)
    if formulation is not None:
        file.choose_formulation(formulation)
    return file
