#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures Limber beside its peers and writes docs/benchmarks.md and its plots.

Builds limber_benchmarks with g++ and clang++ (build/benchmarks/), runs each with the kernels of several processor levels on one core with
its benchmarks interleaved, and takes the fastest of several repetitions. Every number that is compared comes from one run. Takes about
twenty minutes, most of it compiling.

    scripts/benchmark.py [--only-report] [--repetitions N] [--compiler g++]
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from curves import plot

ROOT = Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "benchmarks"
PAGE = ROOT / "docs" / "benchmarks.md"
LEVELS = ["x86-64-v4", "x86-64-v3", "plain"]  # what this machine cannot run is left out
COMPILERS = ["g++", "clang++"]
PEERS = ["kdl", "mujoco", "simbody"]
NAMES = {"kdl": "KDL", "mujoco": "MuJoCo", "simbody": "Simbody", "limber": "Limber"}
ALGORITHMS = ["forward_dynamics", "inverse_dynamics", "mass_matrix"]


def label(compiler, level):
    return f"{compiler} {level}"


def folder(compiler):
    return BUILDS / compiler


def results_file(compiler, level):
    return folder(compiler) / f"results-{level}.json"


def build(compiler):
    where = folder(compiler)
    print(f"benchmark: building with {compiler}", file=sys.stderr, flush=True)
    subprocess.run(
        ["cmake", "-S", ROOT, "-B", where, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         f"-DCMAKE_CXX_COMPILER={compiler}", "-DLIMBER_BUILD_TESTS=OFF", "-DLIMBER_WARNINGS_AS_ERRORS=OFF"],
        check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", where, "limber_benchmarks"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"benchmark: the build failed:\n{done.stdout[-4000:]}")


def run(compiler, level, repetitions):
    """Whether this machine can run the level."""
    print(f"benchmark: running {label(compiler, level)}", file=sys.stderr, flush=True)
    program = folder(compiler) / "benchmarks" / "limber_benchmarks"
    environment = {**os.environ, "LIMBER_PROCESSOR_LEVEL": level}
    done = subprocess.run(
        ["taskset", "-c", "1", program,
         "--benchmark_filter=-(prepare|read_description)", f"--benchmark_repetitions={repetitions}",
         "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.03",
         f"--benchmark_out={results_file(compiler, level)}", "--benchmark_out_format=json"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def read(compiler, level):
    """{name: (fastest time in ns, counters)}"""
    results = {}
    for entry in json.loads(results_file(compiler, level).read_text())["benchmarks"]:
        if entry.get("run_type") == "aggregate":
            continue
        name = re.sub(r"/iterations:\d+|/repeats:\d+", "", entry["run_name"])
        scale = {"ns": 1.0, "us": 1e3, "ms": 1e6}[entry["time_unit"]]
        time = entry["cpu_time"] * scale
        if name not in results or time < results[name][0]:
            results[name] = (time, entry)
    return results


def exponent(points):
    """Slope of log(time) over log(size), by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join("---" if i == 0 else "---:" for i in range(len(header))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def growth(results, kind):
    found = [(int(name.rsplit("/", 1)[1]), time) for name, (time, _) in results.items()
             if name.startswith(f"forward_dynamics/{kind}/")]
    return sorted(found)


def rigid_chains(results):
    rows = []
    for algorithm in ALGORITHMS:
        for joints in (3, 7, 20, 50):
            ours = results[f"{algorithm}/rigid_chain_{joints}/limber"][0]
            row = [f"{algorithm.replace('_', ' ')}, {joints} joints", f"{ours / 1e3:.2f}"]
            row += [f"{results[f'{algorithm}/rigid_chain_{joints}/{peer}'][0] / ours:.1f}" for peer in PEERS]
            rows.append(row)
    return table(["", "Limber [us]"] + [f"{NAMES[peer]} / Limber" for peer in PEERS], rows)


def worst_ratio(results):
    return min(results[f"{algorithm}/rigid_chain_{joints}/{peer}"][0] / results[f"{algorithm}/rigid_chain_{joints}/limber"][0]
               for algorithm in ALGORITHMS for joints in (3, 7, 20, 50) for peer in PEERS)


def compilers(all_results):
    rows = []
    for configuration, r in all_results.items():
        time = lambda name: r[name][0]
        forward = time("forward_dynamics/canadarm_spatial/limber")
        rows.append([
            label(*configuration),
            f"{time('forward_dynamics/rigid_chain_7/mujoco') / time('forward_dynamics/rigid_chain_7/limber'):.2f}",
            f"{worst_ratio(r):.2f}",
            f"{forward / 1e3:.2f}",
            f"{forward / time('forward_dynamics/rigid_chain_7/mujoco'):.2f}",
            f"{time('accuracy/mujoco_chopped/8') / forward:.1f}",
            f"{time('mass_matrix/canadarm_spatial/limber') / forward:.2f}",
            f"{time('inverse_dynamics/canadarm_spatial/limber') / forward:.2f}",
            f"{time('forward_dynamics/canadarm_spatial/limber_plain') / forward:.2f}",
            f"{time('forward_dynamics/canadarm_craig_bampton/limber_plain') / time('forward_dynamics/canadarm_craig_bampton/limber'):.2f}"])
    return table(["", "7 joints: MuJoCo / Limber", "smallest peer / Limber, all chains", "Canadarm [us]",
                  "Canadarm / MuJoCo 7 joints", "chopped 51 joints / Canadarm", "M / forward", "inverse / forward",
                  "plain / fixed, 15 coord.", "plain / fixed, 27 coord."], rows)


def orders(results):
    ratio = lambda algorithm: results[f"{algorithm}/order/second"][0] / results[f"{algorithm}/order/first"][0]
    return (f"Second-order kinematics costs {ratio('forward_dynamics'):.2f} times first-order kinematics in forward dynamics, "
            f"{ratio('inverse_dynamics'):.2f} in inverse dynamics and {ratio('mass_matrix'):.2f} for the mass matrix (three links, "
            "two modes per plane and one torsion mode each).")


def accuracy(results):
    rows = []
    for name, (time, entry) in results.items():
        if not name.startswith("accuracy/"):
            continue
        what = name.removeprefix("accuracy/")
        text = (f"MuJoCo, {what.rsplit('/', 1)[1]} springs per link and plane" if "chopped" in what else
                "Limber, " + {"limber_clamped_free_2": "two clamped-free modes per plane"}.get(
                    what, f"{what.rsplit('_', 1)[1]} Craig-Bampton shapes per plane"))
        rows.append((entry["coordinates"], "MuJoCo" in text,
                     [text, f"{entry['coordinates']:.0f}", f"{entry['locked_error_percent']:.2g}",
                      f"{entry['free_error_percent']:.2g}", f"{time / 1e3:.2f}"]))
    rows.sort(key=lambda row: (row[1], row[0]))
    return table(["Canadarm", "coordinates", "error, joints locked [%]", "error, joints free [%]",
                  "forward dynamics [us]"], [row[2] for row in rows])


def equal_accuracy(results):
    """Time of the chopped arm, interpolated on log axes, at the accuracy of ours."""
    lines = []
    for which in ("locked", "free"):
        key = f"{which}_error_percent"
        chopped = sorted((entry[key], time) for name, (time, entry) in results.items() if "chopped" in name)
        for name, (time, entry) in sorted(results.items()):
            if not name.startswith("accuracy/limber_craig_bampton"):
                continue
            error = entry[key]
            for (e1, t1), (e2, t2) in zip(chopped, chopped[1:]):
                if e1 <= error <= e2:
                    part = math.log(error / e1) / math.log(e2 / e1)
                    there = math.exp(math.log(t1) + part * math.log(t2 / t1))
                    lines.append([f"{name.rsplit('_', 1)[1]} Craig-Bampton shapes, joints {which}", f"{error:.2g}",
                                  f"{time / 1e3:.2f}", f"{there / 1e3:.1f}", f"{there / time:.0f}"])
    return table(["Limber's shapes per plane", "error [%]", "Limber [us]", "chopped at this error [us]", "ratio"], lines)


def papers_own(n, m):
    """Mohan and Saha's Table 1, "proposed": multiplications and additions for n links with m modes in each of two planes."""
    h = 1 + 2 * m
    shared = (2 * m**2 + 13 * m + 27) * h
    multiplications = (2 * m**2 + 180 * m + 299 + h**3 / 6 + (2 * m + 15 / 2) * h**2
                       + (2 * m**2 + 15 * m + 100 / 3) * h) * n - (124 * m + 229 + shared)
    additions = (6 * m**2 + 122 * m + 220 + h**3 / 6 + h**2 / 2 + (6 * m**2 + 27 * m + 82 / 3) * h) * n - (94 * m + 192 + shared)
    return multiplications, additions


def operations(results):
    count = lambda kind, n, m=2: results[f"operations/{kind}/{n}/{m}"][1]
    both = lambda entry: f"{entry['multiplications']:.0f} / {entry['additions']:.0f}"
    slope = [(count("recursive", 16)[key] - count("recursive", 8)[key]) / 8 for key in ("multiplications", "additions")]
    # 13990 / 12683 is the paper's figure for Cyril; its polynomial for additions gives it with +251 m/3 in place of -251 m/6.
    rows = [["paper: proposed", "{:.0f} / {:.0f}".format(*papers_own(8, 2))], ["paper: Jain and Rodriguez", "10568 / 8344"],
            ["paper: Cyril", "13990 / 12683"], ["Limber, recursive", both(count("recursive", 8))],
            ["Limber, composite bodies and Cholesky", both(count("dense", 8))]]
    by_modes = [[f"{m}", "{:.0f} / {:.0f}".format(*papers_own(8, m)), both(count("recursive", 8, m)),
                 f"{sum(count('recursive', 8, m)[key] for key in ('multiplications', 'additions')) / sum(papers_own(8, m)):.2f}"]
                for m in (1, 2, 3, 4, 5, 6, 8)]
    return (table(["n = 8, m = 2", "multiplications / additions"], rows) + "\n\n"
            + table(["n = 8, m", "paper: proposed", "Limber, recursive", "Limber / paper"], by_modes)), slope


def write_plots(results):
    series = [(NAMES[who], [(n, results[f"forward_dynamics/rigid_chain_{n}/{who}"][0] / 1e3) for n in (3, 7, 20, 50)])
              for who in ["simbody", "kdl", "mujoco", "limber"]]
    plot(ROOT / "docs/benchmark-rigid-chains.svg", "Forward dynamics of rigid chains", "joints", "microseconds", series)
    ours = lambda key, name: sorted((e[key], t / 1e3) for n, (t, e) in results.items() if n.startswith(name))
    key = "locked_error_percent"
    plot(ROOT / "docs/benchmark-accuracy.svg", "Canadarm: cost of accuracy", "error of the first frequencies [%]",
         "microseconds", [("chopped, MuJoCo", ours(key, "accuracy/mujoco_chopped")),
                          ("Limber", ours(key, "accuracy/limber_craig_bampton"))])
    plot(ROOT / "docs/benchmark-growth.svg", "Forward dynamics, growth of cost", "links (4 modes) or modes (3 links)",
         "microseconds", [("links", [(n, t / 1e3) for n, t in growth(results, "links")]),
                          ("modes", [(n, t / 1e3) for n, t in growth(results, "modes")])])


def fill(page, name, text):
    """Replaces what stands between the page's markers of this name."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    if not pattern.search(page):
        sys.exit(f"benchmark: {PAGE.relative_to(ROOT)} has no marker <!-- {name} -->")
    return pattern.sub(lambda match: match.group(1) + text + "\n" + match.group(2), page)


def report():
    all_results = {(compiler, level): read(compiler, level) for compiler in COMPILERS for level in LEVELS
                   if results_file(compiler, level).exists()}
    first = next(iter(all_results.values()))
    links = [(n, t) for n, t in growth(first, "links") if 5 <= n <= 100]
    modes = [(n, t) for n, t in growth(first, "modes") if n >= 4]
    per_link = {n: t / n for n, t in growth(first, "links")}
    counted, slope = operations(first)
    processor = next(line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))
    version = lambda compiler: subprocess.run([compiler, "-dumpfullversion" if compiler == "g++" else "-dumpversion"],
                                              capture_output=True, text=True, check=True).stdout.strip()
    page = PAGE.read_text()
    measured = [compiler for compiler in COMPILERS if any(compiler == of for of, _ in all_results)]
    page = fill(page, "machine", f"{processor}, one core; " + ", ".join(f"{compiler} {version(compiler)}" for compiler in measured) + ".")
    page = fill(page, "rigid chains", rigid_chains(first))
    page = fill(page, "compilers", compilers(all_results))
    page = fill(page, "orders", orders(first))
    page = fill(page, "accuracy", accuracy(first))
    page = fill(page, "equal accuracy", equal_accuracy(first))
    page = fill(page, "growth", f"Cost grows with the number of links, 5 to 100, as n^{exponent(links):.3f}, and with the "
                f"number of modes, 4 to 20, as m^{exponent(modes):.2f}. A link takes {per_link[10]:.0f} ns in a chain of "
                f"10, {per_link[100]:.0f} ns in one of 100, {per_link[1000]:.0f} ns in one of 1000 and "
                f"{per_link[4000]:.0f} ns in one of 4000.")
    page = fill(page, "operations", counted + f"\n\nEach further link costs Limber {slope[0]:.0f} multiplications and "
                f"{slope[1]:.0f} additions at m = 2.")
    PAGE.write_text(page)
    write_plots(first)
    print(f"benchmark: wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only-report", action="store_true", help="write the page from the last run's results")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--compiler", choices=COMPILERS, help="this one alone; the page keeps what the last run of the other gave")
    arguments = parser.parse_args()
    compilers_now = [arguments.compiler] if arguments.compiler else COMPILERS
    if not arguments.only_report:
        missing = [tool for tool in ("g++", "clang++", "taskset", "ninja", "cmake") if shutil.which(tool) is None]
        if missing:
            sys.exit(f"benchmark: not found: {', '.join(missing)}. On Debian: apt-get install g++ clang util-linux ninja-build cmake")
        for compiler in compilers_now:
            build(compiler)
        for compiler in compilers_now:
            for level in LEVELS:
                if not run(compiler, level, arguments.repetitions):
                    results_file(compiler, level).unlink(missing_ok=True)
    report()


if __name__ == "__main__":
    main()
