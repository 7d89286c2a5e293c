# SPDX-License-Identifier: BSD-3-Clause
"""Nothing in Python can crash the interpreter: 5,000 calls with arguments that nobody should hand over, in a process of its own. What comes
back is a result or an exception; a crash, a hang or a SystemError is neither."""

import os
import subprocess
import sys

PROGRAM = r'''
import faulthandler, inspect, itertools, os, pathlib, random, sys, tempfile
import numpy as np
import limber
faulthandler.enable()

random.seed(int(sys.argv[1]))
calls = int(sys.argv[2])
arm = limber.load(sys.argv[3])
other = limber.load("{limber: 1, name: ship, links: [{name: hull, joint: {type: free}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}")
none = limber.load("{limber: 1, name: post, links: [{name: post, joint: {type: fixed}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}")
arms = [arm, arm, arm, other, none]

# Where nobody has so much memory, new throws, and Python says MemoryError; under AddressSanitizer it ends the process.
HUGE = 10**5 if "asan" in os.environ.get("LD_PRELOAD", "") else 10**12

class Hostile:
    """An object whose every question fails."""
    def __array__(self, *_): raise ZeroDivisionError("array")
    def __fspath__(self): raise ZeroDivisionError("path")
    def __len__(self): return -1
    def __iter__(self): raise ZeroDivisionError("iter")
    def __float__(self): raise ZeroDivisionError("float")
    def items(self): raise ZeroDivisionError("items")
    def __getitem__(self, _): raise ZeroDivisionError("item")

def strange_arrays(n):
    good = np.linspace(-0.1, 0.1, n) if n else np.zeros(0)
    read_only = good.copy(); read_only.flags.writeable = False
    bad = good.copy()
    if n: bad[0] = random.choice([np.nan, np.inf, -np.inf, 1e300, 5e-324])
    return [good, read_only, bad, np.zeros((3, n)), np.zeros((2, 2, n)), np.zeros((n, 2)).T[:1], np.zeros((4, 2 * n))[:, ::2], good.tolist(),
            good.astype("f4"), good.astype(">f8"), good.astype(complex), good.astype(int), good.astype(bool), good.astype(object),
            good.astype("U8"), np.zeros(n + 1), np.zeros(max(n - 1, 0)), np.zeros((0, n)), np.float64(1), np.zeros(()),
            np.broadcast_to(good, (40, n)), np.lib.stride_tricks.as_strided(np.zeros(1), (HUGE, n), (0, 0)), np.zeros((5, n))[::-1],
            np.ma.masked_array(good), np.zeros(n, dtype=[("a", "f8")]), np.zeros(n, dtype="M8[s]"), np.frombuffer(bytes(8 * n + 1), "u1")[1:].view("f8") if n else good,
            np.asfortranarray(np.zeros((5, n)))]

def anything():
    n = random.choice([arm.nq, arm.nv, 0, 1, 7])
    pick = random.choice
    plain = [None, True, False, 0, 1, -1, 2**31, 2**63, 10**400, 0.5, -0.0, float("nan"), float("inf"), "", "world", "local", "shoulder", "\0", "a" * 10000,
             "\ud800", b"bytes", [], {}, (), set(), [None], {"q": 1}, {1: 2}, {"shoulder": "x"}, [[1], [1, 2]], object(), Hostile(), lambda: 0, limber, arm, other,
             arm.coordinates[0], arm.links[-1].name, [{"link": arm.links[-1].name, "force": [1, 2, 3]}], [{"link": "x"}], [{"link": 3, "at": 7}], "all",
             {"links[0].beam.length": 1}, {"": 1}, {"links.": None}, np.array("text"), range(3), 1j, pathlib.Path("/nonexistent/x.yaml"), pathlib.Path("/"), "/dev/null"]
    return pick([lambda: pick(plain), lambda: pick(strange_arrays(n))])()

def good_arguments(function):
    """Mostly right ones for the parameters of that name."""
    a = random.choice(arms)
    known = {"arm": a, "q": np.zeros(a.nq), "v": np.zeros(a.nv), "tau": np.zeros(a.nv), "a": np.zeros(a.nv), "delta": np.zeros(a.nv), "q_from": a.neutral(),
             "q_to": a.neutral(), "link": a.links[-1].name, "at": 0.5, "axes": "world", "count": 3, "joints": "held", "position": [1, 0, 0], "points": 3,
             "A": np.eye(2), "B": np.eye(2), "Q": np.eye(2), "R": np.eye(2), "format": "text", "only": "G", "source": a.to_dict(), "description": a.to_dict()}
    return known

skipped = {"set_threads", "get_threads", "compare", "simulate", "report", "derive", "compile"}  # the last ones are tried below, with care for time and files
functions = [getattr(limber, name) for name in limber.__all__ if callable(getattr(limber, name)) and not inspect.isclass(getattr(limber, name)) and name not in skipped]
names = {}
import re
for function in functions:
    text = (function.__doc__ or "").splitlines()[0]
    try:
        names[function] = list(inspect.signature(function).parameters)
    except ValueError:
        names[function] = re.findall(r"(\w+): ", text)
outcomes = {}
state = limber.Evaluation(arm)
run = limber.simulate({"model": other, "duration": 0.01})
sim = limber.Simulator({"model": arm, "duration": 0.01})
env = limber.Env({"model": arm, "duration": 0.01}, count=2, step=0.001)
class Answers(limber.Controller):
    rate = 100
    def __init__(self, answer): self.answer = answer
    def efforts(self, t, measured): return self.answer
def step(efforts=None, *_): sim.step(1e-4, efforts)
def driven(*answers): limber.simulate({"model": other, "duration": 0.01}, controllers=[Answers(answer) for answer in answers])
def controlled(controllers=None, watches=None, *_): limber.simulate({"model": other, "duration": 0.01}, controllers=controllers, watches=watches)
def controlled_by(*controllers): controlled(list(controllers), [limber.Watch("x", controller) for controller in controllers])
class Steps: pass
steps = Steps(); steps.step, steps.driven, steps.controlled, steps.controlled_by = step, driven, controlled, controlled_by
for call in range(calls):
    if call % 10 == 9:
        thing, member = random.choice([(state, "set"), (state, "pose"), (state, "jacobian"), (state, "wrench"), (state, "required_forces"), (state, "twist"),
            (arm, "coordinate_index"), (arm, "position_index"), (arm, "with_kinematics"), (run, "__getitem__"), (run, "unit"), (run, "svg"), (limber, "Evaluation"), (limber, "simulate"), (limber, "derive"),
            (steps, "step"), (steps, "driven"), (steps, "controlled"), (steps, "controlled_by"), (sim, "set_efforts"), (sim, "set_load"), (sim, "set_state"), (sim, "restore"), (env, "step"), (limber, "Simulator"), (limber, "Env")])
        function, arguments = getattr(thing, member), {}
        values = [anything() for _ in range(random.randint(1, 3))]
        if member in ("simulate", "derive") and any(isinstance(value, (limber.Model,)) for value in values): continue
    else:
        function = random.choice(functions)
        good = good_arguments(function)
        arguments = {name: good[name] for name in names[function] if name in good and random.random() < 0.97}
        for name in random.sample(names[function], min(len(names[function]), random.choice([0, 1, 1, 2]))):
            arguments[name] = anything()
        values = []
    try:
        function(*values, **arguments)
        outcome = "result"
    except (SystemError, AssertionError):
        raise
    except MemoryError:
        outcome = "MemoryError"
    except Exception as error:
        outcome = type(error).__name__
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(outcomes)
'''


def test_five_thousand_strange_calls_crash_nothing(tmp_path):
    from conftest import TEXT
    (tmp_path / "boom.yaml").write_text(TEXT)
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", PROGRAM, "1", "5000", tmp_path / "boom.yaml"],
                          capture_output=True, text=True, cwd=tmp_path, timeout=280, env=os.environ)
    assert done.returncode == 0, done.stderr[-4000:]
    outcomes = eval(done.stdout)
    assert outcomes["result"] > 700 and outcomes["InputError"] > 500, outcomes
