#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ELLA link by link: the tables of docs/dae.md and docs/dae-growth.svg (the figures: plot_ella.py). Builds preset `release`
first; takes about two minutes.

    scripts/plot_dae.py [LONG_RUN_SECONDS]
"""

import json
import math
import pathlib
import re
import subprocess
import sys

import curves

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"


def output_of(program, *arguments):
    subprocess.run(["ninja", "-C", BUILD, program], check=True, stdout=sys.stderr)
    return json.loads(subprocess.run([BUILD / "benchmarks" / program, *arguments], check=True, capture_output=True,
                                     text=True).stdout)


def write(page, name, lines):
    text = page.read_text()
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    assert pattern.search(text), f"{page} has no block {name}"
    page.write_text(pattern.sub(lambda found: found.group(1) + "\n".join(lines) + "\n" + found.group(2), text))


def drift_table(runs):
    lines = ["| run | correction | largest gap | largest turn | ledger error | time per step |", "|---|---|---|---|---|---|"]
    for i, run in enumerate(runs):
        what = "the manoeuvre, 3 s" if i < 3 else f"to and fro, {run['duration']:g} s"
        lines.append(f"| {what} | {run['name']} | {run['gap']:.1e} m | {run['twist']:.1e} rad | "
                     f"{run['energy_error']:.1e} of {run['energy']:.3g} J | {run['us_per_step']:.0f} us |")
    return lines


def method_table(runs):
    lines = ["| model | method | step | steps | evaluations | Jacobians | ledger error | largest deflection of link 2 | processor's time |",
             "|---|---|---|---|---|---|---|---|---|"]
    for run in runs:
        step = f"{1e3 * run['step']:g} ms" if run["step"] else "its own"
        if "error" in run:
            when = re.search(r"t = ([0-9.e-]+) s", run["error"]).group(1)
            lines.append(f"| `{run['model']}` | {run['method']} | {step} | | | | diverges at {when} s | | |")
            continue
        lines.append(f"| `{run['model']}` | {run['method']} | {step} | {run['steps']} | {run['evaluations']} | {run['jacobians']} | "
                     f"{run['energy_error']:.1e} J | {run['largest_deflection_mm']:.2f} mm | {run['cpu_s']:.2g} s |")
    return lines


def cost_table(benchmarks):
    times = {}
    for run in benchmarks["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        who, _, links = run["run_name"].split("/")[:3]
        key = who.removeprefix("dae_"), int(links)
        times[key] = min(times.get(key, math.inf), run["cpu_time"] / 1e3)  # us; the fastest is the least disturbed
    sizes = sorted({links for _, links in times})
    lines = ["| links | `recursive` | `dae`, by blocks | of `recursive` | `dae`, residual only | `dae`, whole matrix |",
             "|---|---|---|---|---|---|"]
    for n in sizes:
        cell = lambda who: f"{times[who, n]:.3g} us" if (who, n) in times else ""
        lines.append(f"| {n} | {cell('recursive')} | {cell('blocks')} | {times['blocks', n] / times['recursive', n]:.1f} x | "
                     f"{cell('residual')} | {cell('dense')} |")

    def exponent(who, first, last):
        points = [(math.log(n), math.log(times[who, n])) for n in sizes if (who, n) in times and first <= n <= last]
        x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
        return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)

    lines += ["", f"The time grows as n^{exponent('blocks', 10, 100):.2f} by blocks from 10 to 100 links, and as "
              f"n^{exponent('blocks', 10, 200):.2f} from 10 to 200, where the arm no longer fits into the processor's second cache; "
              f"n^{exponent('recursive', 10, 100):.2f} and n^{exponent('recursive', 10, 200):.2f} by the recursion; "
              f"n^{exponent('dense', 10, 50):.2f} with the whole matrix (10 to 50)."]
    curves.plot(ROOT / "docs/dae-growth.svg", "Time of one right-hand side", "links", "us",
                  [(title, [(n, times[who, n]) for n in sizes if (who, n) in times])
                   for who, title in (("recursive", "recursive"), ("residual", "dae, residual"), ("blocks", "dae, by blocks"),
                                      ("dense", "dae, whole matrix"))])
    return lines


def correction_table(e):
    percent = lambda value: f"{100 * value:.0f} %" if value < 2.0 else f"{value:.0f} times the largest"
    return ["| left out | what becomes of it |", "|---|---|",
            f"| S^T f = tau for free directions (M_sys as printed, (73)) | rank {e['rank_without_effort_rows']} of {e['unknowns']}: no solution is singled out |",
            f"| the next link's wrench in the modal rows, (60)-(66) | accelerations off by {percent(e['without_boundary_wrenches'])} |",
            f"| what turning frames add to relative accelerations: Pdot of (30), w x v in (17) | accelerations off by {percent(e['without_joint_bias'])} |",
            f"| m w x v of the frame in the force row, (12) | off by {percent(e['without_frame_term'])} |",
            f"| arms r_ib of the bent link, (10), (11): r_b of the straight one | off by {percent(e['with_straight_inertia'])} |",
            f"| sections that turn with the slope, (6) | the tip sags {e['sag_without_turning_sections_mm']:.1f} mm, not {e['sag_mm']:.1f} mm |"]


def main():
    page = ROOT / "docs/dae.md"
    study = output_of("limber_dae_study", *sys.argv[1:2])
    write(page, "drift", drift_table(study["drift"]))
    write(page, "methods", method_table(study["methods"]))
    write(page, "corrections", correction_table(study["equations"]))
    write(page, "cost", cost_table(output_of("limber_benchmarks", "--benchmark_filter=dae_", "--benchmark_format=json",
                                             "--benchmark_min_time=0.01", "--benchmark_repetitions=60",
                                             "--benchmark_enable_random_interleaving=true")))


if __name__ == "__main__":
    main()
