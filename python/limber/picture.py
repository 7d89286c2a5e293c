# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of arms, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _limber
from ._limber import Model
from .errors import input_error

if TYPE_CHECKING:
    import matplotlib.axes

_AXES = {"x": 0, "y": 1, "z": 2}


def plot(arm: Model, q: npt.ArrayLike | None = None, plane: str | None = None, points: int = 30,
         ax: matplotlib.axes.Axes | None = None, **style: Any) -> matplotlib.axes.Axes:
    """Draws the arm, bent as it is at q (the neutral configuration where there is none), and gives back the axes (needs matplotlib).

    `plane`: the axes to the right and upwards, as "xz"; otherwise those in which the arm is largest. `style` is for matplotlib's lines."""
    import matplotlib.pyplot as pyplot
    shapes = _limber.shapes(arm, arm.neutral() if q is None else q, points)
    if plane is None:
        everything = np.concatenate(list(shapes.values()))
        right, up = sorted(np.argsort(np.ptp(everything, axis=0))[-2:])
    elif len(plane) == 2 and set(plane) <= set(_AXES) and plane[0] != plane[1]:
        right, up = (_AXES[letter] for letter in plane)
    else:
        raise input_error("plane", "two different letters of xyz, as xz", repr(plane))
    if ax is None:
        ax = pyplot.figure().add_subplot()
    for name, line in shapes.items():
        ax.plot(line[:, right], line[:, up], **{"label": name, **style})
        ax.plot(line[0, right], line[0, up], marker="o", color="black", markersize=4)
    ax.set(xlabel="xyz"[right] + " [m]", ylabel="xyz"[up] + " [m]", title=arm.name, aspect="equal")
    return ax


def _svg(arm: Model) -> str:
    """In Jupyter: the arm at its neutral configuration."""
    shapes = _limber.shapes(arm, arm.neutral(), 2)
    everything = np.concatenate(list(shapes.values()))
    right, up = sorted(np.argsort(np.ptp(everything, axis=0))[-2:])
    size = max(float(np.max(np.ptp(everything, axis=0))), 1e-9)
    corner = np.min(everything, axis=0)
    width, height = (int(360 * float(np.ptp(everything[:, axis])) / size) + 40 for axis in (right, up))

    def place(point: npt.NDArray[np.float64]) -> str:
        x, y = (360 * (point[axis] - corner[axis]) / size + 20 for axis in (right, up))
        return f"{x:.1f},{height - y:.1f}"

    lines = "".join(f'<polyline points="{" ".join(place(point) for point in line)}" fill="none" stroke="#0b6e99" stroke-width="4"/>'
                    f'<circle cx="{place(line[0]).split(",")[0]}" cy="{place(line[0]).split(",")[1]}" r="5" fill="#1f2933"/>'
                    for line in shapes.values())
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{lines}</svg>'


setattr(Model, "_repr_svg_", _svg)
setattr(Model, "plot", plot)
