#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws docs/planning.svg: the shortest motion of the laboratory link, beside a quintic of the same duration that feedback follows.

    scripts/plot_plan.py [PROGRAM]        (after ./run has built it)"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/limber"
BLUE, ORANGE, GREY = "#0b6e99", "#c8553d", "#7b8794"


def run(*words):
    subprocess.run([PROGRAM, *map(str, words), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def columns(file):
    rows = list(csv.DictReader(line for line in open(file) if not line.startswith("#")))
    return {key: [float(row[key]) for row in rows] for key in rows[0]}


def quintic_scenario(plan, duration):
    """The plan's scenario with its feedback alone, along a quintic."""
    lines = [line for line in plan.split("\n") if "type: torque" not in line]
    text = "\n".join(lines)
    begin, end = text.index("trajectories:\n"), text.index("integrator:")
    return text[:begin] + f"trajectories:\n  hub_path: {{type: quintic, from: 0, to: 0.6, duration: {duration}}}\n" + text[end:]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run("plan", ROOT / "studies/lab_link_plan.yaml", "-o", folder / "plan.yaml", "--csv", folder / "plan.csv")
    plan = columns(folder / "plan.csv")
    (folder / "quintic.yaml").write_text(quintic_scenario((folder / "plan.yaml").read_text(), plan["time"][-1]))
    for case in ("plan", "quintic"):
        run("simulate", folder / f"{case}.yaml", "-o", folder / f"{case}.h5", "--csv", folder / f"{case}_run.csv")
    runs = {case: columns(folder / f"{case}_run.csv") for case in ("plan", "quintic")}

time = next(key for key in runs["plan"] if key in ("t", "time"))
tip = next(key for key in runs["plan"] if key.endswith("end_effector.y") or key == "end_effector.y")
plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "limber"})
figure, (above, below) = plt.subplots(2, 1, figsize=(7, 4.4), sharex=True)
for case, colour, words in (("quintic", ORANGE, "quintic, feedback alone"), ("plan", BLUE, "plan")):
    above.plot(runs[case][time], runs[case][tip], color=colour, label=words)
above.axvline(plan["time"][-1], color=GREY, linewidth=0.6, linestyle=":")
above.set_ylabel("tip y [m]")
above.legend(frameon=False)
below.step(plan["time"] + [runs["plan"][time][-1]], plan["hub.effort"] + [plan["hub.effort"][-1]], where="post", color=BLUE)
below.axvline(plan["time"][-1], color=GREY, linewidth=0.6, linestyle=":")
below.set_ylabel("effort [N m]")
below.set_xlabel("t [s]")
figure.tight_layout()
figure.savefig(ROOT / "docs/planning.svg", metadata={"Date": None})
