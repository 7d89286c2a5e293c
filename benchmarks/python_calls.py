#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a call from Python costs beside the same in C++.

    ./run python benchmarks/python_calls.py [build/release/benchmarks/limber_python_loop]

limber_python_loop is the C++ loop (target of that name). Bars: one call <= 2 us above C++ (15 coordinates); a batch of 10,000 states <= 1.1 times the C++
loop on one thread, >= 1.9 times faster on two; `import limber` < 0.3 s. Times are the best of several."""

import json
import pathlib
import subprocess
import sys
import time
import timeit

import numpy as np

import limber

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARM = ROOT / "models" / "canadarm" / "canadarm.yaml"


def best(function, number, repeat=9):
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def main():
    arm = limber.load(ARM)
    rng = np.random.default_rng(1)
    q, v, tau = (0.01 * rng.standard_normal((10000, n)) for n in (arm.nq, arm.nv, arm.nv))
    figures = {"coordinates": arm.nv}
    figures["call_us"] = 1e6 * best(lambda: limber.forward_dynamics(arm, q[0], v[0], tau[0]), 2000)
    q0, v0, tau0 = q[0].copy(), v[0].copy(), tau[0].copy()
    figures["call_on_own_arrays_us"] = 1e6 * best(lambda: limber.forward_dynamics(arm, q0, v0, tau0), 2000)
    for threads in (1, 2):
        limber.set_threads(threads)
        figures[f"batch_us_on_{threads}"] = 1e6 * best(lambda: limber.forward_dynamics(arm, q, v, tau), 1) / len(q)
    figures["two_threads_faster"] = figures["batch_us_on_1"] / figures["batch_us_on_2"]
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import limber"], check=True)
    with_limber = time.perf_counter() - start
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    figures["import_s"], figures["import_numpy_s"] = with_limber, time.perf_counter() - start
    if len(sys.argv) > 1:
        figures["cpp_us"] = json.loads(subprocess.run([sys.argv[1], ARM], check=True, capture_output=True, text=True).stdout)["us"]
        figures["call_above_cpp_us"] = figures["call_on_own_arrays_us"] - figures["cpp_us"]
        figures["batch_to_cpp"] = figures["batch_us_on_1"] / figures["cpp_us"]
    print(json.dumps({key: round(value, 3) for key, value in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
