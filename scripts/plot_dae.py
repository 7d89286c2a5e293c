#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ELLA link by link: the paper's figures 4 to 15 into docs/dae-*.svg, and the tables of docs/dae.md. Builds preset
`release` first; takes about two minutes.

    scripts/plot_dae.py [LONG_RUN_SECONDS]
"""

import cmath
import json
import math
import pathlib
import re
import subprocess
import sys

import curves

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
AXES = "xyz"


def output_of(program, *arguments):
    subprocess.run(["ninja", "-C", BUILD, program], check=True, stdout=sys.stderr)
    return json.loads(subprocess.run([BUILD / "benchmarks" / program, *arguments], check=True, capture_output=True,
                                     text=True).stdout)


def write(page, name, lines):
    text = page.read_text()
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    assert pattern.search(text), f"{page} has no block {name}"
    page.write_text(pattern.sub(lambda found: found.group(1) + "\n".join(lines) + "\n" + found.group(2), text))


def panels(name, contents, columns=2):
    curves.panels(ROOT / f"docs/dae-{name}.svg", contents, columns)


def spectrum(times, values, highest=30.0):
    """Amplitudes over frequency, Hann's window, the mean taken off."""
    n = len(values)
    mean = sum(values) / n
    window = [0.5 - 0.5 * math.cos(2 * math.pi * k / (n - 1)) for k in range(n)]
    taken = [(v - mean) * w for v, w in zip(values, window)]
    result = []
    for step in range(1, int(highest * 10) + 1):
        f = step / 10.0
        turn = -2j * math.pi * f
        amplitude = 2.0 * abs(sum(v * cmath.exp(turn * t) for v, t in zip(taken, times))) / sum(window)
        result.append((f, amplitude))
    return result


def quintic(t, to, duration=1.5):
    s = min(1.0, t / duration)
    return to * s ** 3 * (10 - 15 * s + 6 * s * s)


def draw(rows):
    every = rows[::3]
    over_time = lambda value: [(row["t"], value(row)) for row in every]
    three = lambda key, i, first=0, scale=1.0: [
        (AXES[a], over_time(lambda row, a=a: scale * row[key][i][first + a])) for a in range(3)]
    s = "time [s]"
    # r and v of link 1 are zero: its frame turns at the origin
    panels("figure-4", [("theta of link 1", s, "rad", three("rotation", 0)),
                        ("r of link 2, in its axes", s, "m", three("position", 1)),
                        ("theta of link 2", s, "rad", three("rotation", 1))], columns=3)
    panels("figure-5", [("omega of link 1", s, "rad/s", three("twist", 0, 3)),
                        ("v of link 2", s, "m/s", three("twist", 1)),
                        ("omega of link 2", s, "rad/s", three("twist", 1, 3))], columns=3)
    elbow = next(i for i in range(len(rows[0]["q"])) if abs(rows[-1]["q"][i] - 0.427) < 0.01)
    joints = [("theta y1", 0, -0.4928), ("theta z1", 1, 0.6922), ("theta z2", elbow, 0.4270)]
    panels("figure-6", [(title, s, "rad", [("arm", over_time(lambda r, i=i: r["q"][i])),
                                           ("reference", over_time(lambda r, to=to: quintic(r["t"], to)))])
                        for title, i, to in joints], columns=3)
    panels("figure-7", [(f"endpoint {AXES[a]}", s, "m", [("arm", over_time(lambda r, a=a: r["endpoint"][a]))])
                        for a in range(3)], columns=3)
    panels("figure-8", [(f"endpoint displacement {AXES[a]}", s, "mm",
                         [("bending", over_time(lambda r, a=a: 1e3 * r["bent"][a]))]) for a in range(3)], columns=3)
    after = [row for row in rows if row["t"] >= 1.5]  # the reference has ended: what is left is vibration
    times = [row["t"] for row in after]
    panels("figure-9", [(f"spectrum of the displacement {AXES[a]}, after 1.5 s", "frequency [Hz]", "mm",
                         [("amplitude", spectrum(times, [1e3 * row["bent"][a] for row in after]))]) for a in range(3)],
           columns=3)
    for link, figure in ((0, 10), (1, 11)):
        contents = []
        for a in range(3):
            series = []
            for t in (0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 3.0):
                row = min(rows, key=lambda r, t=t: abs(r["t"] - t))
                field = row["fields"][link]
                series.append((f"{t:g} s", [(i / (len(field) - 1), 1e3 * p[a]) for i, p in enumerate(field)]))
            contents.append((f"displacement field {AXES[a]}, link {link + 1}", "x / length", "mm", series))
        panels(f"figure-{figure}", contents, columns=3)
    per_link = lambda coordinates: [(f"link {i + 1}", over_time(lambda r, c=c: 1e3 * r["q"][c]))
                                    for i, c in enumerate(coordinates)]
    panels("figure-12", [("eta y, first shape", s, "mm", per_link((2, elbow + 1))),
                         ("eta z, first shape", s, "mm", per_link((4, elbow + 3)))])
    panels("figure-13", [(title.replace("theta", "torque"), s, "N m", [("motor", over_time(lambda r, i=i: r["efforts"][i]))])
                         for title, i, _ in joints], columns=3)
    for link, figure, title in ((0, 14, "base joint"), (1, 15, "connecting joint")):
        panels(f"figure-{figure}", [
            (f"{title}: force, as the paper counts it", s, "N", three("interaction", link, 3)),
            (f"{title}: moment, as the paper counts it", s, "N m", three("interaction", link)),
            (f"{title}: force on the link, in its axes", s, "N", three("wrench", link)),
            (f"{title}: moment on the link, in its axes", s, "N m", three("wrench", link, 3))])


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
    draw(study["rows"])
    write(page, "drift", drift_table(study["drift"]))
    write(page, "methods", method_table(study["methods"]))
    write(page, "corrections", correction_table(study["equations"]))
    write(page, "cost", cost_table(output_of("limber_benchmarks", "--benchmark_filter=dae_", "--benchmark_format=json",
                                             "--benchmark_min_time=0.01", "--benchmark_repetitions=60",
                                             "--benchmark_enable_random_interleaving=true")))


if __name__ == "__main__":
    main()
