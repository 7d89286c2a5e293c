#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures sweeps of the Canadarm's manoeuvre: threads against one, ranks of MPI against threads, and all of it against single integrations. For a machine on
which nothing else runs. Builds preset `release` first; ends with exit 1 where a bar is missed.

    scripts/measure_sweep.py [VARIANTS]                    default 10000: some five minutes on two cores
    scripts/measure_sweep.py --processor-time [VARIANTS]   for a busy machine

By processor time, what all threads and ranks together spend is compared with what one thread spends on the same variants: a core more that spends as much
for a variant brings a whole core. That does not see who waits for whom; what is waited for by spinning (ranks of MPI) it sees. What starting the program takes (mpirun, too) is measured
with a few variants, and left out, as the clock leaves it out. All ways are measured in turns; what counts is the middle of the turns' ratios, for a machine that has other work is not always as fast.
"""

import json
import os
import pathlib
import resource
import shutil
import statistics
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
  - {{name: height, of: end_effector.y, what: max}}
"""


def sweep(folder, samples, threads, ranks=1, by_processor=False):
    """Seconds that `samples` variants take, without reading files and starting programs. By the processor's time: as if so many cores had shared it."""
    if not by_processor:
        return whole_sweep(folder, samples, threads, ranks)[0]
    few = 2 * max(threads, ranks)  # of at least a hundred
    started = min(whole_sweep(folder, few, threads, ranks)[1] for _ in range(2))
    return (whole_sweep(folder, samples, threads, ranks)[1] - started) * samples / (samples - few) / max(threads, ranks)


def whole_sweep(folder, samples, threads, ranks):
    """Seconds that the program says it took, and those of the processor, from its start to its end."""
    (folder / "study.yaml").write_text(STUDY.format(scenario=ROOT / "models/canadarm/manoeuvre.yaml", samples=samples))
    command = [BUILD / "bin/limber", "sweep", folder / "study.yaml", "-o", folder / "study.h5", "--force", "--quiet", "--threads", str(threads)]
    if ranks > 1:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + command
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # "study.yaml  512 variants by sobol: 512 in 2.71 s, 189/s on 2 threads"
    return (float(said.split(" in ", 1)[1].split(" s,", 1)[0]),
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def single(by_processor):
    """One manoeuvre alone: bare_s of integration, sampled_s with its rows. The fastest of twenty; on a busy machine a usual one, for a sweep has no fastest variants alone."""

    def fastest(count):
        command = [BUILD / "benchmarks/limber_simulation_benchmark", str(count), "canadarm/manoeuvre.yaml"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["scenarios"][0]

    if not by_processor:
        return fastest(20)
    runs = [fastest(1) for _ in range(9)]
    return {key: statistics.median(run[key] for run in runs) for key in ("bare_s", "sampled_s")}


def main():
    words = sys.argv[1:]
    by_processor = "--processor-time" in words
    numbers = [word for word in words if word.isdigit()]
    samples = max(1000, int(numbers[0])) if numbers else 10000
    cores = os.cpu_count()
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", BUILD, "limber_cli", "limber_simulation_benchmark"], check=True, stdout=sys.stderr)
    few = samples // 10
    missed = []

    def say(words, value, bar, is_met):
        print(f"{words}: {value:.3f} (bar: {bar}){'' if is_met else '  MISSED'}", flush=True)
        if not is_met:
            missed.append(words)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        has_ranks = shutil.which("mpirun") is not None
        turns = []
        for _ in range(5):
            run = single(by_processor)
            turns.append((run["bare_s"], run["sampled_s"], sweep(folder, few, 1, 1, by_processor), sweep(folder, few, cores, 1, by_processor),
                          sweep(folder, few, 1, cores, by_processor) if has_ranks else 0.0))
        whole = sweep(folder, samples, cores, 1, by_processor)
        after = single(by_processor)
        turns_after = turns + [(after["bare_s"], after["sampled_s"])]
        bare, sampled = (statistics.median(turn[i] for turn in turns_after) for i in (0, 1))
        alone = statistics.median(turn[2] for turn in turns)
        speedup = statistics.median(turn[2] / turn[3] for turn in turns)
        print(f"one manoeuvre: {1e3 * bare:.2f} ms of integration, {1e3 * sampled:.2f} ms with its rows; "
              f"in a sweep on one thread {1e3 * alone / few:.2f} ms")
        say(f"{cores} threads, times as fast as one", speedup, f">= {0.95 * cores:g}", speedup >= 0.95 * cores)
        if has_ranks:
            efficiency = statistics.median(turn[3] / turn[4] for turn in turns)
            say(f"{cores} ranks of MPI, as fast as {cores} threads", efficiency, ">= 0.9", efficiency >= 0.9)
        else:
            print("no mpirun: ranks are not measured")
        ratio = whole / (samples * sampled / cores)
        print(f"{samples} manoeuvres: {whole:.1f} s; over integrations without rows: {whole / (samples * bare / cores):.3f}")
        say(f"{samples} manoeuvres over {samples} single ones / {cores} cores", ratio, "<= 1.1", ratio <= 1.1)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
