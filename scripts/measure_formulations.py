#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures one right-hand side by every formulation and writes the table of docs/dual-screw.md. All numbers come from one
run with its benchmarks interleaved; each is the fastest of its repetitions. Builds preset `release` first.

    scripts/measure_formulations.py [REPETITIONS]
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/dual-screw.md"
ARMS = [("crane/crane", "crane, 16 coordinates, kinematics first"),
        ("crane/crane_second", "crane, kinematics second"),
        ("canadarm/canadarm_spatial", "Canadarm, 15 coordinates, no rotary inertia")]
COLUMNS = ["recursive", "dense", "dual-screw", "dual-screw-consistent", "truncated-scalar"]


def measured(repetitions):
    build = ROOT / "build/release"
    subprocess.run(["ninja", "-C", build, "limber_benchmarks"], check=True, stdout=sys.stderr)
    text = subprocess.run([build / "benchmarks/limber_benchmarks", "--benchmark_filter=^(accelerations|missing_forces)/",
                           f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.02",
                           "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"],
                          check=True, capture_output=True, text=True).stdout
    fastest = {}
    for entry in json.loads(text)["benchmarks"]:
        if entry["run_type"] == "iteration":
            name = entry["run_name"]
            fastest[name] = min(entry["cpu_time"], fastest.get(name, 1e30))
    return fastest


def table(times):
    lines = ["| us, times that of `recursive` in parentheses | " + " | ".join(f"`{c}`" for c in COLUMNS) + " |",
             "|---" * (len(COLUMNS) + 1) + "|"]
    for what, words in (("accelerations", "accelerations"), ("missing_forces", "missing forces")):
        for arm, title in ARMS:
            cells = []
            for column in COLUMNS:
                time = times.get(f"{what}/{arm}/{column}")
                recursive = times[f"{what}/{arm}/recursive"]
                cells.append(f"{time / 1e3:.2f} ({time / recursive:.2f})" if time else "")
            lines.append(f"| {words}: {title} | " + " | ".join(cells) + " |")
    return lines


def main():
    times = measured(int(sys.argv[1]) if len(sys.argv) > 1 else 25)
    text = PAGE.read_text()
    pattern = re.compile(r"(<!-- cost -->\n).*?(<!-- end -->)", re.S)
    assert pattern.search(text), f"{PAGE} has no block `cost`"
    PAGE.write_text(pattern.sub(lambda found: found.group(1) + "\n".join(table(times)) + "\n" + found.group(2), text))


if __name__ == "__main__":
    main()
