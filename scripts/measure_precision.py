#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures error against time of whole simulations and writes the tables of docs/benchmarks.md, "Error against time", and their plots. Builds preset
`release` first. Takes five minutes, most of them the arm of 16 pieces a link.

    scripts/measure_precision.py [--repetitions N] [--only-report]
"""

import argparse
import json
import subprocess
import sys

from benchmark import PAGE, ROOT, fill, table
from curves import plot

PROGRAM = "limber_work_precision"
RESULTS = ROOT / "build/release" / "work_precision.json"


def measure(repetitions):
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", build, PROGRAM], check=True, stdout=sys.stderr)
    done = subprocess.run([build / "benchmarks" / PROGRAM, str(repetitions)], check=True, capture_output=True, text=True)
    RESULTS.write_text(done.stdout)


def by_series(points):
    """{series: its points}"""
    found = {}
    for point in points:
        found.setdefault(point["series"], []).append(point)
    return found


def cheapest(points, error):
    """The fastest point that is as exact as that, or None."""
    return min((p for p in points if p["error_m"] <= error), key=lambda p: p["time_s"], default=None)


def milliseconds(point):
    return f"{1e3 * point['time_s']:.3g}"


def methods_table(points):
    errors = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
    rows = []
    for series, of_it in by_series(points).items():
        found = [cheapest(of_it, error) for error in errors]
        rows.append([f"`{series}`"] + ["" if p is None else f"{milliseconds(p)} ({p['setting']})" for p in found])
    return table(["ms (tolerance or step)"] + [f"{1e3 * error:g} mm" for error in errors], rows)


def beams_table(points):
    rows = []
    for series, of_it in by_series(points).items():
        kind = "pieces" if "MuJoCo" in series else "shapes"
        rows += [[f"{series}, {p['setting']} {kind} a link", f"{p['coordinates']}", f"{p['steps']}", milliseconds(p), f"{1e3 * p['error_m']:.2g}"]
                 for p in of_it]
    return table(["", "coordinates", "steps", "time [ms]", "error [mm]"], rows)


def equal_error_table(points):
    """Beside MuJoCo's fastest, ours by any method, and by its method."""
    of = lambda *words: [p for p in points if all(word in p["series"] for word in words)]
    rows = []
    for error in (1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6):
        peer = cheapest(of("MuJoCo"), error)
        row = [f"{1e3 * error:g}", f"{milliseconds(peer)} ({peer['setting']} pieces)"]
        for ours in (cheapest(of("Limber"), error), cheapest(of("Limber", "rk4"), error)):
            row += ["", ""] if ours is None else [f"{milliseconds(ours)} ({ours['setting']} shapes, {ours['series'].split(', ', 1)[1]})",
                                                  f"{peer['time_s'] / ours['time_s']:.2g}"]
        rows.append(row)
    return table(["error at most [mm]", "MuJoCo [ms]", "Limber [ms]", "MuJoCo / Limber", "Limber, rk4 [ms]", "MuJoCo / Limber"], rows)


def curves_of(points):
    """Without what is nowhere near."""
    worst = 0.1  # m
    return [(series, [(1e3 * p["error_m"], 1e3 * p["time_s"]) for p in of_it if p["error_m"] < worst]) for series, of_it in by_series(points).items()]


def report():
    data = json.loads(RESULTS.read_text())
    page = PAGE.read_text()
    page = fill(page, "work-precision methods", methods_table(data["methods"]))
    page = fill(page, "work-precision beams", beams_table(data["continuum"]))
    page = fill(page, "work-precision equal error", equal_error_table(data["continuum"]))
    PAGE.write_text(page)
    axes = ("error of the tip after 5 s [mm]", "milliseconds")
    plot(ROOT / "docs/benchmark-work-precision-methods.svg", "One arm, every method", *axes, curves_of(data["methods"]))
    plot(ROOT / "docs/benchmark-work-precision.svg", "Beams and chopped beams", *axes,
         curves_of([p for p in data["continuum"] if "euler" not in p["series"]]))
    print(f"measure_precision: wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only-report", action="store_true", help="write the page from the last run's results")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    if not arguments.only_report:
        measure(arguments.repetitions)
    report()


if __name__ == "__main__":
    main()
