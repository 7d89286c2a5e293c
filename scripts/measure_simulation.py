#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the shipped scenarios and writes the tables of docs/benchmarks.md and docs/simulation.md, and the plot of
the Canadarm's convergence. Builds preset `release` first.

    scripts/measure_simulation.py [REPETITIONS]
    scripts/measure_simulation.py --only-report      from the last run's results
"""

import json
import pathlib
import re
import subprocess
import sys

import curves

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build/release" / "simulation.json"


def measure(repetitions):
    build = ROOT / "build/release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", build, "limber_simulation_benchmark"], check=True, stdout=sys.stderr)
    text = subprocess.run([build / "benchmarks/limber_simulation_benchmark", str(repetitions)], check=True,
                          capture_output=True, text=True).stdout
    RESULTS.write_text(text)


def write(page, name, lines):
    text = page.read_text()
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    assert pattern.search(text), f"{page} has no block {name}"
    page.write_text(pattern.sub(lambda found: found.group(1) + "\n".join(lines) + "\n" + found.group(2), text))


def scenario_table(runs):
    lines = ["| scenario | coordinates | simulated | method | steps | evaluations | Jacobians | ledger error | integration alone | with rows | with the file |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for run in runs:
        speeds = " | ".join(f"{run['duration'] / run[key]:.0f} x" for key in ("bare_s", "sampled_s", "written_s"))
        lines.append(f"| `{run['name']}` | {run['coordinates']} | {run['duration']:g} s | {run['method']}, rtol {run['rtol']:g} | "
                     f"{run['steps']} | {run['evaluations']} | {run['jacobians']} | {run['energy_error']:.1e} of {run['energy']:.3g} J | {speeds} |")
    return lines


def method_table(runs):
    lines = ["| method | steps | evaluations | faster than real time | ledger error, of 314 J |", "|---|---|---|---|---|"]
    for run in runs:
        step = "" if run["method"] in ("radau", "radau9", "radau13", "variable-radau", "bdf", "adams", "erk") else \
            f", step {run['duration'] / run['steps']:g} s"
        lines.append(f"| {run['name']}{step} | {run['steps']} | {run['evaluations']} | {run['duration'] / run['bare_s']:.0f} x | "
                     f"{run['energy_error']:.1e} J |")
    return lines


def modes_table(clamped_free, craig_bampton):
    names = [run["name"] for run in clamped_free]
    lines = ["| shapes per link | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for title, runs in (("clamped-free", clamped_free), ("craig-bampton", craig_bampton)):
        found = {run["name"]: f"{run['peak_deviation']:.5f}" for run in runs}
        lines.append(f"| {title}, rad | " + " | ".join(found.get(name, "") for name in names) + " |")
    return lines


def canadarms_table(found):
    lines = ["| the manoeuvre with | coordinates | rtol | steps | tip's error | integration alone | with rows | with the file |", "|---|---|---|---|---|---|---|---|"]
    for each in found:
        run = each["run"]
        speeds = " | ".join(f"{run['duration'] / run[key]:.0f} x" for key in ("bare_s", "sampled_s", "written_s"))
        lines.append(f"| `{run['name']}.yaml` | {run['coordinates']} | {run['rtol']:g} | {run['steps']} | {1e3 * each['tip_error_m']:.2g} mm | {speeds} |")
    return lines


def main():
    if sys.argv[1:] != ["--only-report"]:
        measure(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
    data = json.loads(RESULTS.read_text())
    write(ROOT / "docs/benchmarks.md", "simulation", scenario_table(data["scenarios"]))
    write(ROOT / "docs/benchmarks.md", "canadarms", canadarms_table(data["canadarms"]))
    page = ROOT / "docs/simulation.md"
    write(page, "methods", method_table(data["methods"]))
    write(page, "modes", modes_table(data["clamped_free"], data["craig_bampton"]))
    series = [(name, [(int(run["name"]), run["peak_deviation"]) for run in data[key]])
              for name, key in (("clamped-free", "clamped_free"), ("craig-bampton", "craig_bampton"))]
    curves.plot(ROOT / "docs/canadarm-modes.svg", "Canadarm: largest deviation of joint 2", "shapes per link", "rad",
                series, logarithmic=False)


if __name__ == "__main__":
    main()
