#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the linear model saves: how long it takes to derive, how long its code is, one right-hand side by that code, and a whole manoeuvre
(`formulation: generated`, and `dual-screw` with `generated: true`). Prints rows of the table in docs/dual-screw.md. Times are of the processor, the least of
interleaved runs.

    scripts/measure_linear_model.py [RUNS] [ARM ...]      with the program of preset `release`, or the one that LIMBER names
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMBER = os.environ.get("LIMBER", str(ROOT / "build/release/bin/limber"))
ARMS = {"crane": ("models/crane/crane.yaml", "models/crane/manoeuvre.yaml"),
        "canadarm": ("models/canadarm/canadarm.yaml", "models/canadarm/manoeuvre.yaml"),
        "ella": ("models/ella/ella.yaml", "models/ella/reach.yaml")}
DUAL_SCREW = ["--formulation", "dual-screw"]
AS_CODE = ["--set", "formulation=dual-screw", "--set", "generated=true"]
MODELS = {"nonlinear": ([], ["--formulation", "generated"]),
          "as published": (DUAL_SCREW, AS_CODE),
          "consistent": (DUAL_SCREW + ["--consistent"], AS_CODE + ["--set", "consistent=true"])}

# Accelerations by the derived header: block elimination unrolled, or M, h and Cholesky's factors. The fastest of 400 rounds.
TIMING = """
#include "{name}.hpp"
#include <chrono>
#include <cmath>
#include <cstdio>
using namespace {name};
static double q[nq], v[nv], u[nv], a[nv], M[nv * nv], h[nv], J[6 * nv];
static void linear() {{
  equations(q, v, M, h, J);
  for (int j = 0; j < nv; ++j) {{
    for (int k = 0; k < j; ++k)
      for (int i = j; i < nv; ++i) M[i * nv + j] -= M[i * nv + k] * M[j * nv + k];
    const double root = 1.0 / std::sqrt(M[j * nv + j]);
    for (int i = j; i < nv; ++i) M[i * nv + j] *= root;
  }}
  for (int i = 0; i < nv; ++i) {{
    a[i] = u[i] - h[i];
    for (int k = 0; k < i; ++k) a[i] -= M[i * nv + k] * a[k];
    a[i] /= M[i * nv + i];
  }}
  for (int i = nv; i-- > 0;) {{
    for (int k = i + 1; k < nv; ++k) a[i] -= M[k * nv + i] * a[k];
    a[i] /= M[i * nv + i];
  }}
}}
int main() {{
  for (int i = 0; i < nv; ++i) q[i] = 0.01 * std::sin(i + 1.0), v[i] = std::cos(i + 1.0), u[i] = i;
  double best = 1e9, sum = 0.0;
  for (int round = 0; round < 400; ++round) {{
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; ++k) {{ {call}; sum += a[0]; v[0] += 1e-9; }}
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 100;
    best = s < best ? s : best;
  }}
  std::printf("%.4f %g\\n", 1e6 * best, sum);
}}
"""


def run(arguments):
    """What it printed, and the processor's seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def derived(model, options, folder):
    best = 1e9
    for _ in range(3):
        done, seconds = run([LIMBER, "derive", model, "--format", "cpp", "-o", str(folder), "--force", "--json", *options])
        best = min(best, seconds)
    done.check_returncode()
    header = next(pathlib.Path(ROOT / f) for f in json.loads(done.stdout)["files"] if f.endswith(".hpp"))
    return best, header


def right_hand_side(header, is_linear):
    text = TIMING.format(name=header.stem, call="linear()" if is_linear else "accelerations(q, v, u, a)")
    source, program = header.parent / "timing.cpp", header.parent / "timing"
    source.write_text(text)
    subprocess.run(["c++", "-std=c++17", "-O1", "-march=x86-64-v3", "-ffp-contract=fast", "-o", program, source], check=True)
    return float(subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()[0])


def manoeuvres(scenario, folder, runs):
    """The least time of each, and where it ended early."""
    ways = {"recursive": ["--formulation", "recursive"], **{name: way for name, (_, way) in MODELS.items()}}
    best, words = {name: 1e9 for name in ways}, {}
    for turn in range(runs + 1):  # the first one compiles
        for name, way in ways.items():
            done, seconds = run([LIMBER, "simulate", scenario, *way, "-o", str(folder / "run.h5"), "--force", "--quiet"])
            if done.returncode != 0:
                words[name] = re.sub(r"\s+", " ", done.stderr.strip())[:90]
            if turn > 0:
                best[name] = min(best[name], seconds)
    return best, words


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| arm | model | derived in | header | one right-hand side | manoeuvre |\n|---|---|---|---|---|---|")
    for arm in sys.argv[2:] or ARMS:
        model, scenario = ARMS[arm]
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            times, words = manoeuvres(scenario, folder, runs)
            print(f"| {arm} | `recursive` | | | | {times['recursive']:.3f} s |", flush=True)
            for name, (options, _) in MODELS.items():
                seconds, header = derived(model, options, folder)
                us = right_hand_side(header, name != "nonlinear")
                print(f"| {arm} | {name} | {seconds:.2f} s | {header.stat().st_size / 1000:.0f} kB | {us:.2f} us | "
                      f"{times[name]:.3f} s {words.get(name, '')} |", flush=True)


if __name__ == "__main__":
    main()
