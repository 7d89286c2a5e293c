#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What Python costs beside the same in C++.

    ./run python benchmarks/python_calls.py build/release/benchmarks/limber_python_loop build/release/bin/limber

The first is the C++ loop (target limber_python_loop), the second the program. Bars: one call <= 2 us above C++ (15 coordinates); a batch of 10,000 states <= 1.1 times the C++
loop on one thread, >= 1.9 times faster on two; `simulate` of the Canadarm <= 1.1 times the program's; a controller at 1 kHz for 10 s of it < 1 s; `import limber` < 0.3 s. Times are the
best of several."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np

import limber

ROOT = pathlib.Path(__file__).resolve().parent.parent
CANADARM = ROOT / "models" / "canadarm"
ARM = CANADARM / "canadarm_spatial.yaml"  # 15 coordinates
SCENARIO = CANADARM / "manoeuvre.yaml"


def best(function, number, repeat=9):
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number


def calls(figures):
    arm = limber.load(ARM)
    rng = np.random.default_rng(1)
    q, v, tau = (0.01 * rng.uniform(-1, 1, (10000, n)) for n in (arm.nq, arm.nv, arm.nv))  # as in the C++ loop
    figures["coordinates"] = arm.nv
    q0, v0, tau0 = q[0].copy(), v[0].copy(), tau[0].copy()
    figures["call_us"] = 1e6 * best(lambda: limber.forward_dynamics(arm, q0, v0, tau0), 2000)
    for threads in (1, 2):
        limber.set_threads(threads)
        figures[f"batch_us_on_{threads}"] = 1e6 * best(lambda: limber.forward_dynamics(arm, q, v, tau), 1) / len(q)
    limber.set_threads(0)
    figures["two_threads_faster"] = figures["batch_us_on_1"] / figures["batch_us_on_2"]


def beside_cpp(figures, loop):
    figures["cpp_us"] = json.loads(subprocess.run([loop, ARM], check=True, capture_output=True, text=True).stdout)["us"]
    figures["call_above_cpp_us"] = figures["call_us"] - figures["cpp_us"]
    figures["batch_to_cpp"] = figures["batch_us_on_1"] / figures["cpp_us"]


def imports(figures):
    for module in ("limber", "numpy"):
        figures[f"import_{module}_s"] = best(lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True), 1, 3)


def runs(figures, program):
    figures["simulate_s"] = best(lambda: limber.simulate(SCENARIO), 1, 5)
    figures["simulate_wall_s"] = min(limber.simulate(SCENARIO).summary["wall_s"] for _ in range(5))
    if program is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "simulate", SCENARIO, "-o", f"{folder}/run.h5", "--force", "--quiet", "--json"]
        figures["program_s"] = best(lambda: subprocess.run(command, check=True, capture_output=True), 1, 5)
        figures["program_wall_s"] = min(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["wall_s"] for _ in range(5))
    figures["simulate_to_program"] = figures["simulate_s"] / figures["program_s"]


class Damper(limber.Controller):
    """Damps the three joints."""

    rate = 1000

    def efforts(self, t, measured):
        v = measured["v"]
        return {"joint1": -500.0 * v[0], "joint2": -300.0 * v[3], "joint3": -100.0 * v[6]}


def controllers(figures):
    drifting = {"limber": 1, "model": str(CANADARM / "canadarm.yaml"), "duration": 10, "initial": {"v": {"joint1": 0.05}}, "output": {"rate": 100}}
    start = time.perf_counter()
    run = limber.simulate(drifting, controllers=[Damper()])
    figures["controller_10_s_at_1_kHz_s"] = min(time.perf_counter() - start, best(lambda: limber.simulate(drifting, controllers=[Damper()]), 1, 3))
    figures["controller_steps"] = run.summary["steps"]


def environments(figures):
    drifting = {"limber": 1, "model": str(CANADARM / "canadarm.yaml"), "duration": 1000, "initial": {"v": {"joint1": 0.05}}}
    for count in (1, 64):
        env = limber.Env(drifting, count=count, step=0.01)
        env.reset(seed=1)
        action = np.zeros((count, 3))
        figures[f"env_steps_per_s_of_{count}"] = count / best(lambda: env.step(action), 20, 5)
    sim = limber.Simulator(drifting)
    figures["simulator_step_of_1_ms_us"] = 1e6 * best(lambda: sim.step(1e-3), 500, 5)


def main():
    figures = {}
    calls(figures)
    if len(sys.argv) > 1:
        beside_cpp(figures, sys.argv[1])
    imports(figures)
    runs(figures, sys.argv[2] if len(sys.argv) > 2 else None)
    controllers(figures)
    environments(figures)
    print(json.dumps({key: round(value, 3) for key, value in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
