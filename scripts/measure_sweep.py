#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures sweeps of the Canadarm's manoeuvre: threads against one, ranks of MPI against threads, and all of it against single integrations. For a machine on
which nothing else runs. Builds preset `release` first; ends with exit 1 where a bar is missed.

    scripts/measure_sweep.py [VARIANTS]                    default 10000: some five minutes on two cores
    scripts/measure_sweep.py --processor-time [VARIANTS]   for a busy machine

By processor time, what all threads and ranks together spend is compared with what one thread spends on the same variants: a core more that spends as much
for a variant brings a whole core. That does not see who waits for whom; what is waited for by spinning (ranks of MPI) it sees.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
STUDY = """limber: 1
scenario: {scenario}
vary:
  trajectories.turn1.rate: {{uniform: [0.0745, 0.0755]}}
  trajectories.turn2.rate: {{uniform: [0.0495, 0.0505]}}
samples: {samples}
measure:
  - {{name: height, of: end_effector.z, what: max}}
"""


def sweep(folder, samples, threads, ranks=1, by_processor=False):
    """Seconds that `samples` variants take, without reading files and starting programs. By the processor's time: as if so many cores had shared it."""
    (folder / "study.yaml").write_text(STUDY.format(scenario=ROOT / "models/canadarm/manoeuvre.yaml", samples=samples))
    command = [BUILD / "bin/limber", "sweep", folder / "study.yaml", "-o", folder / "study.h5", "--force", "--quiet", "--threads", str(threads)]
    if ranks > 1:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + command
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    if by_processor:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / max(threads, ranks)
    # "study.yaml  512 variants by sobol: 512 in 2.71 s, 189/s on 2 threads"
    return float(said.split(" in ", 1)[1].split(" s,", 1)[0])


def main():
    words = sys.argv[1:]
    by_processor = "--processor-time" in words
    numbers = [word for word in words if word.isdigit()]
    samples = int(numbers[0]) if numbers else 10000
    cores = os.cpu_count()
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", BUILD, "limber_cli", "limber_simulation_benchmark"], check=True, stdout=sys.stderr)
    runs = json.loads(subprocess.run([BUILD / "benchmarks/limber_simulation_benchmark", "5"], check=True, capture_output=True, text=True).stdout)
    one = next(run for run in runs["scenarios"] if "canadarm" in run["name"])
    few = max(2, samples // 10)
    missed = []

    def say(words, value, bar, is_met):
        print(f"{words}: {value:.3f} (bar: {bar}){'' if is_met else '  MISSED'}", flush=True)
        if not is_met:
            missed.append(words)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone = min(sweep(folder, few, 1, 1, by_processor) for _ in range(3))
        together = min(sweep(folder, few, cores, 1, by_processor) for _ in range(3))
        print(f"one manoeuvre: {1e3 * one['bare_s']:.2f} ms of integration, {1e3 * one['sampled_s']:.2f} ms with its rows; "
              f"in a sweep on one thread {1e3 * alone / few:.2f} ms")
        say(f"{cores} threads, times as fast as one", alone / together, f">= {0.95 * cores:g}", alone / together >= 0.95 * cores)
        if shutil.which("mpirun"):
            ranks = min(sweep(folder, few, 1, cores, by_processor) for _ in range(3))
            say(f"{cores} ranks of MPI, as fast as {cores} threads", together / ranks, ">= 0.9", together / ranks >= 0.9)
        else:
            print("no mpirun: ranks are not measured")
        whole = sweep(folder, samples, cores, 1, by_processor)
        ratio = whole / (samples * one["sampled_s"] / cores)
        print(f"{samples} manoeuvres: {whole:.1f} s; over integrations without rows: {whole / (samples * one['bare_s'] / cores):.3f}")
        say(f"{samples} manoeuvres over {samples} single ones / {cores} cores", ratio, "<= 1.1", ratio <= 1.1)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
