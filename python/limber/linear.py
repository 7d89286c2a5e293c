# SPDX-License-Identifier: BSD-3-Clause
"""Figures of linear models, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._limber import LinearModel
from .errors import input_error

if TYPE_CHECKING:
    import matplotlib.axes


def _index(name: str, wanted: str | int, known: list[str]) -> int:
    """Of an input or output, by its name or place."""
    if isinstance(wanted, str) and wanted in known:
        return known.index(wanted)
    if isinstance(wanted, (int, np.integer)) and 0 <= wanted < len(known):
        return int(wanted)
    raise input_error(name, f"one of {', '.join(known) or 'none: the model has none'}, or its place from 0", repr(wanted))


def _frequencies(linear: LinearModel) -> npt.NDArray[np.float64]:
    """[Hz]: from a decade below the slowest pole to a decade above the fastest one."""
    sizes = np.abs(linear.poles) / (2 * np.pi)
    sizes = sizes[sizes > 1e-6 * np.max(sizes, initial=1e-300)]
    low, high = (sizes.min(), sizes.max()) if len(sizes) else (1.0, 1.0)
    return np.geomspace(low / 10, 10 * high, 2000)


def plot_bode(linear: LinearModel, frequencies_hz: npt.ArrayLike | None = None, input: str | int = 0, output: str | int = 0,
              axes: Any = None, **style: Any) -> Any:
    """Draws magnitude and phase from an input to an output over frequency, and gives back both axes (needs matplotlib).

    Frequencies [Hz]; where none are given, all poles lie among them. `input`, `output`: by name or place. `style` is for matplotlib's lines."""
    import matplotlib.pyplot as pyplot
    column, row = _index("input", input, linear.inputs), _index("output", output, linear.outputs)
    frequencies = _frequencies(linear) if frequencies_hz is None else np.atleast_1d(np.asarray(frequencies_hz, dtype=float))
    response = linear.frequency_response(frequencies)[:, row, column]
    if axes is None:
        axes = pyplot.subplots(2, 1, sharex=True)[1]
    above, below = axes
    above.loglog(frequencies, np.abs(response), **style)
    below.semilogx(frequencies, np.degrees(np.unwrap(np.angle(response))), **style)
    above.set(ylabel="magnitude", title=f"{linear.inputs[column]} to {linear.outputs[row]}")
    below.set(xlabel="frequency [Hz]", ylabel="phase [deg]")
    return above, below


def plot_root_locus(linear: LinearModel, gains: npt.ArrayLike | None = None, input: str | int = 0, output: str | int = 0,
                    ax: matplotlib.axes.Axes | None = None, **style: Any) -> matplotlib.axes.Axes:
    """Draws where the poles go under u = -k y, from k = 0 (crosses) on, and gives back the axes (needs matplotlib).

    Gains k; where none are given, from where nothing moves yet to where nothing moves any more. `input`, `output`: by name or place."""
    import matplotlib.pyplot as pyplot
    column, row = _index("input", input, linear.inputs), _index("output", output, linear.outputs)
    A, b, c, d = linear.A, linear.B[:, [column]], linear.C[[row], :], linear.D[row, column]
    if A.ndim != 2:
        raise input_error("self", "the linear model of one state", "a batch of them", "linearize one state")
    if gains is None:
        # At a gain of 1/|G| a pole is half way: |G| over all frequencies says which gains count.
        size = np.abs(linear.frequency_response(_frequencies(linear))[:, row, column])
        size = size[size > 0]
        low, high = (1e-2 / size.max(), 1e2 / size.min()) if len(size) else (1e-3, 1e3)
        gains = np.geomspace(low, min(high, 1e8 * low), 400)
    values = np.atleast_1d(np.asarray(gains, dtype=float))
    loci = np.array([np.linalg.eigvals(A - (k / (1 + k * d)) * b @ c) for k in values])
    if ax is None:
        ax = pyplot.figure().add_subplot()
    ax.plot(loci.real.ravel(), loci.imag.ravel(), ".", **{"markersize": 2, **style})
    poles = linear.poles
    ax.plot(poles.real, poles.imag, "kx")
    ax.axvline(0, color="grey", linewidth=0.5)
    ax.set(xlabel="real part [1/s]", ylabel="imaginary part [rad/s]", title=f"u = -k y, {linear.inputs[column]} from {linear.outputs[row]}")
    return ax


setattr(LinearModel, "plot_bode", plot_bode)
setattr(LinearModel, "plot_root_locus", plot_root_locus)
