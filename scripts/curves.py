# SPDX-License-Identifier: BSD-3-Clause
"""Curves as SVG by matplotlib (Debian: python3-matplotlib): the plots in docs/ look alike, and the same numbers give the same file."""

try:
    import matplotlib
except ModuleNotFoundError:
    import sys
    sys.exit(f"{sys.executable} has no matplotlib: /usr/bin/python3 has Debian's (apt-get install python3-matplotlib), and ./run python SCRIPT takes one that has what the "
             "figures need")

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "limber", "font.size": 9, "axes.grid": True, "grid.color": "#dddddd",
                            "axes.spines.top": False, "axes.spines.right": False})
from matplotlib import pyplot  # noqa: E402: after the choice above

COLORS = ["#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#b45309", "#0f766e", "#be123c", "#475569", "#a21caf"]
SIZE = (6.4, 4.2)  # inches
MOST_DOTS = 20     # points of a curve that are marked one by one


def draw(axes, title, x_label, y_label, series, logarithmic=True, dashed=()):
    """series is [(name, [(x, y)])]. `dashed` are the same curves of another origin, in the same order: drawn over them, dashed and without
    names."""
    for index, (name, points) in enumerate(series):
        x, y = zip(*points)
        axes.plot(x, y, color=COLORS[index % len(COLORS)], label=name, marker="o" if len(points) < MOST_DOTS else None, markersize=4)
    for points in dashed:
        x, y = zip(*points)
        axes.plot(x, y, color="black", linewidth=0.8, linestyle=(0, (2, 5)))
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter("{x:g}")
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, labelcolor="linecolor")


def save(figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def plot(path, *contents, **options):
    """One plot, as draw() has it."""
    figure, axes = pyplot.subplots(figsize=SIZE)
    draw(axes, *contents, **options)
    save(figure, path)


def panels(path, contents, columns=2):
    """One picture of several plots: contents is [(title, x label, y label, series)]."""
    rows = -(-len(contents) // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(columns * SIZE[0], rows * SIZE[1]), squeeze=False, layout="constrained")
    for axes, content in zip(grid.flat, contents):
        draw(axes, *content, logarithmic=False)
    for axes in grid.flat[len(contents):]:
        axes.remove()
    save(figure, path)
