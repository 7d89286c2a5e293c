# SPDX-License-Identifier: BSD-3-Clause
"""An arm link by link, in the words of the model file."""

from __future__ import annotations

from typing import Any

from ._limber import Model
from .model import from_dict


class ModelBuilder:
    """Describes an arm link by link; keyword arguments are the keys of the model file, and checked as there.

        arm = (limber.ModelBuilder("two_link", gravity=[0, 0, -9.81])
               .link("boom", joint={"name": "shoulder"}, beam={"length": 6, "section": {...}, "modes": {"y": {"count": 2}}})
               .link("forearm", rigid={"mass": 10, "tip": {"xyz": [1, 0, 0]}})
               .build())
    """

    def __init__(self, name: str, **keys: Any) -> None:
        self._description: dict[str, Any] = {"limber": 1, "name": name, **keys, "links": []}

    def link(self, name: str, **keys: Any) -> ModelBuilder:
        """Adds a link: `parent`, `attach`, `origin`, `dh`, `joint`, `root`, `beam` or `rigid`, `tip`."""
        self._description["links"].append({"name": name, **keys})
        return self

    def end_effector(self, link: str, **keys: Any) -> ModelBuilder:
        """The frame of interest, in a link's tip frame; otherwise the tip of the last link."""
        self._description["end_effector"] = {"link": link, **keys}
        return self

    def to_dict(self) -> dict[str, Any]:
        """What has been said so far."""
        return self._description

    def build(self) -> Model:
        """Checks and prepares it. Throws InputError with every problem."""
        return from_dict(self._description)
