#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how far forward dynamics is from what the processor could do and writes the tables of docs/benchmarks.md, "The physical limit". Builds preset
`release` first.

    scripts/measure_limit.py [--rounds N] [--only-report]
"""

import argparse
import json
import subprocess
import sys

from benchmark import PAGE, ROOT, fill, table

PROGRAM = "limber_physical_limit"
RESULTS = ROOT / "build/release" / "physical_limit.json"


def measure(rounds):
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", build, PROGRAM], check=True, stdout=sys.stderr)
    done = subprocess.run(["taskset", "-c", "1", build / "benchmarks" / PROGRAM, str(rounds)], check=True, capture_output=True, text=True)
    RESULTS.write_text(done.stdout)


def peak_table(data):
    rows = [[peak["name"], f"{1e-9 * peak['operations_per_s']:.1f}"] for peak in data["peak"]]
    return table(["fused multiplications and additions, in registers of", "10^9 operations per second"], rows)


def arms_table(data):
    """What was measured, at the highest level, beside both bounds."""
    scalar, widest = data["peak"][0], data["peak"][-1]
    rows = []
    for arm in data["arms"]:
        operations = arm["multiplications"] + arm["additions"]
        highest = arm["levels"][-1]
        work = operations / widest["operations_per_s"]
        share = lambda seconds, peak: f"{100 * operations / seconds / peak['operations_per_s']:.0f} %"
        rows.append([f"{arm['name']}, {arm['coordinates']} coordinates", f"{operations}", f"{1e9 * work:.0f}", f"{1e9 * arm['path_s']:.0f}",
                     f"{1e9 * highest['one_s']:.0f}", share(highest["one_s"], scalar), share(highest["one_s"], widest),
                     f"{highest['one_s'] / arm['path_s']:.1f}", f"{1e9 * highest['batch_s']:.0f}", share(highest["batch_s"], widest)])
    return table(["", "operations", "work [ns]", "path [ns]", "one arm [ns]", "of scalar peak", "of widest peak", "one arm / path",
                  "an arm of 64 [ns]", "of widest peak"], rows)


def levels_table(data):
    levels = [level["level"] for level in data["arms"][0]["levels"]]
    rows = [[arm["name"]] + [f"{1e9 * level[key]:.0f}" for level in arm["levels"] for key in ("one_s", "batch_s")] for arm in data["arms"]]
    return table(["[ns]"] + [f"{level}, {what}" for level in levels for what in ("one", "of 64")], rows)


def chains_table(data):
    rows = [[f"{found['chains']} x {found['name']}", f"{1e9 * found['after_another_s']:.0f}", f"{1e9 * found['in_turns_s']:.0f}",
             f"{found['in_turns_s'] / found['after_another_s']:.2f}"] for found in data["chains"] if found["chains"] > 1]
    return table(["chains on one base", "one after another [ns]", "links in turns [ns]", "in turns / after another"], rows)


def report():
    data = json.loads(RESULTS.read_text())
    if not data["peak"]:
        sys.exit("measure_limit: the loops that measure the peak are written for x86-64 with AVX2 and fused multiplications; this processor has not both")
    latencies = data["latencies_s"]
    page = PAGE.read_text()
    page = fill(page, "peak", peak_table(data) + "\n\nWaiting for each other: " + ", ".join(
        f"{name} {1e9 * seconds:.2f} ns" for name, seconds in latencies.items()) + ".")
    page = fill(page, "limit", arms_table(data))
    page = fill(page, "limit by level", levels_table(data))
    page = fill(page, "chains in turns", chains_table(data))
    PAGE.write_text(page)
    print(f"measure_limit: wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only-report", action="store_true", help="write the page from the last run's results")
    parser.add_argument("--rounds", type=int, default=1000)
    arguments = parser.parse_args()
    if not arguments.only_report:
        measure(arguments.rounds)
    report()


if __name__ == "__main__":
    main()
