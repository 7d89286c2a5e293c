#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what `derive` writes for Julia, for MATLAB and Octave, as JSON and as text with parts (of M, h and J): read_code.py FILE NAME_test.py

Of the languages it knows what straight-line code needs, and refuses every line that is something else. The functions are then compared with the cases
of NAME_test.py, which `derive --format python` has written. Of JSON it evaluates the graph, with small-angle functions of its own, in 50 digits."""

import importlib.util
import json
import math
import pathlib
import re
import sys
import types
from decimal import Decimal, getcontext

import numpy as np

# Functions of closed loops and cylinders, and what they give.
CLOSING = {"loop_gaps": "c", "loop_jacobian": "A", "loop_bias": "gamma", "cylinder_lengths": "l", "cylinder_jacobian": "S"}
NUMBER = r"\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|\d+"
EXPRESSION = re.compile(rf"(?:{NUMBER}|[A-Za-z]\w*(?:\.\w+)?|[-+*/(), \[\]])+$")


class Array:
    """Counts from 1, with [] or (), and refuses what it has not."""

    def __init__(self, values):
        self.values = np.asarray(values, float)

    def place(self, key):
        key = key if isinstance(key, tuple) else (key,)
        assert all(isinstance(i, int) and 1 <= i <= n for i, n in zip(key, self.values.shape)), (key, self.values.shape)
        place = tuple(i - 1 for i in key)
        # h(3, 1) of a vector that is one column
        return place + (0,) * (self.values.ndim - len(place))

    def __getitem__(self, key):
        return float(self.values[self.place(key)])

    def __call__(self, *key):
        return self[key]

    def __setitem__(self, key, value):
        assert isinstance(value, float), value
        self.values[self.place(key)] = value


def expression(text, line):
    assert EXPRESSION.match(text), f"not an expression: {line}"
    return text


def translate(lines, octave):
    """Python of a module's functions; every line is one of these or an error."""
    python, names, depth, returns = [], [], 0, ""
    end = ";" if octave else ""
    for line in lines:
        text = line.strip()
        text = re.sub(r"  [#%].*$", "", text).strip() if not text.startswith(("#", "%")) else ""
        text = re.sub(r'^"[^"]*"$', "", text)
        pad = "    " * depth
        if not text:
            continue
        if match := re.fullmatch(r"module \w+", text):
            depth = 0
        elif match := re.fullmatch(r"const (\w+) = (\d+)", text):
            python.append(f"{match[1]} = {match[2]}")
        elif match := re.fullmatch(r"Base\.@kwdef struct Parameters", text):
            python.append("class Parameters:")
            depth += 1
        elif match := re.fullmatch(r"(\w+)::Float64 = (\S+)", text):
            python.append(f"{pad}{match[1]} = {expression(match[2], line)}")
        elif not octave and (match := re.fullmatch(r"function (\w+)\((.*)\)", text)) or octave and (
                match := re.fullmatch(r"function \[?(?P<out>[\w, ]+)\]? = (?P<name>\w+)\((?P<in>.*)\)", text)):
            name, arguments = (match["name"], match["in"]) if octave else (match[1], match[2])
            if octave:
                arguments = arguments.replace("p", "p=None") if re.search(r"\bp\b", arguments) else arguments
                returns = match["out"]
            python.append(f"def {name}({arguments}):")
            names.append(name)
            depth = 1
            if octave and re.search(r"\bp = |\br = ", text):
                python.append(f"    {returns} = types.SimpleNamespace()")
        elif match := re.fullmatch(r"if nargin < \d+", text):
            python.append(f"{pad}if p is None:")
            depth += 1
        elif match := re.fullmatch(r"(?:else)?if (\w+) < ([\d.]+)", text):
            python.append(f"{pad if not text.startswith('else') else pad[4:]}{'elif' if text.startswith('else') else 'if'} {match[1]} < {match[2]}:")
            depth += not text.startswith("else")
        elif text == "else":
            python.append(f"{pad[4:]}else:")
        elif text == "end":
            depth -= 1
            if octave and depth == 0:
                python.append(f"    return {returns}")
        elif match := re.fullmatch(r"return (\w+(?:, \w+)*)", text):
            python.append(f"{pad}return {match[1]}")
        elif match := re.fullmatch(r"return \(((?:\w+ = \w+(?:, )?)+)\)", text):
            python.append(f"{pad}return types.SimpleNamespace({match[1]})")
        elif match := re.fullmatch(r"T = promote_type\([\w(), ]*\)", text):
            pass
        elif match := re.fullmatch(r"(\w+) = zeros\((?:T, )?([\w, ]+)\)" + end, text):
            python.append(f"{pad}{match[1]} = Array(np.full(({match[2]},), np.nan))")
        elif match := re.fullmatch(r"(\w+)\((\d+(?:, \d+)?)\) = (.*);", text) if octave else re.fullmatch(r"(\w+)\[(\d+(?:, \d+)?)\] = (.*)", text):
            python.append(f"{pad}{match[1]}[{match[2]}] = {expression(match[3], line)}")
        elif match := re.fullmatch(r"(\w+(?:\.\w+)?) = (.*)" + end, text):
            python.append(f"{pad}{match[1]} = {expression(match[2], line)}")
        else:
            raise SystemExit(f"cannot read: {line}")
    assert depth in (0, -1), depth
    return "\n".join(python) + "\n", names


def module_of(path):
    text = path.read_text()
    octave = path.suffix == ".m"
    lines = text.splitlines()
    if octave:  # the switch in front calls the others: it must know them all
        first = lines.index("end")
        known = re.findall(r"case '(\w+)'\n\s+(?:\[varargout\{1:max\(1, nargout\)\}\] = \1\(varargin\{:\}\)|varargout\{1\} = parameters\(\));", text)
        lines = lines[first + 1:]
    python, names = translate(lines, octave)
    if octave:
        assert set(known) == set(names) - {"small_angle"}, (known, names)
    space = {"Array": Array, "np": np, "types": types, "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt}
    exec(compile(python, str(path), "exec"), space)

    def wrapped(function):
        def call(*arguments):
            found = function(*[Array(x) for x in arguments])
            found = found if isinstance(found, tuple) else (found,)
            values = [x.values.ravel() if x.values.ndim == 2 and x.values.shape[1] == 1 and x.values.shape[0] > 1 else x.values for x in found]
            return values if len(values) > 1 else values[0]
        return call
    return types.SimpleNamespace(**{name: wrapped(space[name]) for name in names if name not in ("small_angle", "parameters")})


def small_angle(kind, s):
    """By their series, in 50 digits."""
    getcontext().prec = 50
    s, total, term = Decimal(s), Decimal(0), None
    n = {"c1": 1, "c2": 2, "c3": 3, "dc2": 2, "dc3": 3}[kind]
    power = Decimal(1)
    for k in range(200):
        coefficient = (-1) ** k * power / math.factorial(2 * k + n)
        if kind.startswith("d"):  # d/ds of s^k
            if k + 1 < 200:
                coefficient = (-1) ** (k + 1) * (k + 1) * power / math.factorial(2 * (k + 1) + n)
        total += coefficient
        power *= s
        term = coefficient
        if k > 5 and abs(term) < Decimal(10) ** -40:
            break
    return float(total)


def graph_of(path):
    graph = json.loads(path.read_text())
    assert graph["limber_graph"] == 1

    def values(q, v, u):
        named = {f"{letter}{i + 1}": x for letter, vector in (("q", q), ("v", v), ("u", u)) for i, x in enumerate(vector)}
        named |= {name: p["value"] for name, p in graph["parameters"].items()}
        found = []
        for node in graph["nodes"]:
            if isinstance(node, float):
                found.append(node)
            elif isinstance(node, str):
                found.append(named[node])
            else:
                operation, *operands = node
                a = found[operands[0]]
                b = found[operands[1]] if len(operands) > 1 else None
                found.append({"add": lambda: a + b, "subtract": lambda: a - b, "multiply": lambda: a * b, "divide": lambda: a / b,
                              "negate": lambda: -a, "sin": lambda: math.sin(a), "cos": lambda: math.cos(a), "sqrt": lambda: math.sqrt(a)}
                             .get(operation, lambda: small_angle(operation, a))())
        return {name: np.asarray(found)[np.asarray(places, int)] for name, places in graph["quantities"].items()}
    zero = [0.0] * graph["nv"]
    return types.SimpleNamespace(
        mass_matrix=lambda q: values(q, zero, zero)["M"], bias=lambda q, v: values(q, v, zero)["h"],
        jacobian=lambda q: values(q, zero, zero)["J"], accelerations=lambda q, v, u: values(q, v, u)["a"],
        equations=lambda q, v: [values(q, v, zero)[name] for name in "MhJ"],
        **{name: (lambda q, v=zero, letter=letter: values(q, v, zero)[letter]) for name, letter in CLOSING.items()})


def text_of(path, closing):
    """Lines `name = formula`, each of names that stand before it; every part is used. `closing`: what a case has of loops and cylinders."""
    text = path.read_text()
    lines = re.findall(r"^(\w+)(?:\[(\d+)(?:,(\d+))?\])? = (.*)$", text, re.MULTILINE)
    parts = [name for name, row, _, _ in lines if not row]
    used = set(re.findall(r"[A-Za-z]\w*", " ".join(formula for *_, formula in lines)))
    assert len(set(parts)) == len(parts) and set(parts) <= used, set(parts) - used
    code = [(name, int(row or 0), int(column or 1), compile(formula.replace("^", "**"), name, "eval")) for name, row, column, formula in lines]
    parameters = {name: float(value) for name, value in re.findall(r"^# (\w+) = ([-+.\deE]+) ", text, re.MULTILINE)}
    functions = {kind: (lambda s, kind=kind: small_angle(kind, s)) for kind in ("c1", "c2", "c3", "dc2", "dc3")}

    def values(q, v):
        space = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt} | functions | parameters
        space |= {f"q{i + 1}": x for i, x in enumerate(q)} | {f"v{i + 1}": x for i, x in enumerate(v)}
        found = {"M": np.zeros((len(v), len(v))), "h": np.zeros((len(v), 1)), "J": np.zeros((6, len(v)))}
        found |= {CLOSING[name]: np.zeros((len(expected), np.size(expected) // len(expected))) for name, (_, expected) in closing.items()}
        for name, row, column, formula in code:
            value = eval(formula, {}, space)
            if row:
                found[name][row - 1, column - 1] = value
                if name == "M":
                    found[name][column - 1, row - 1] = value
            else:
                space[name] = value
        return found
    nv = len(re.findall(r"^# q\d+ = ", text, re.MULTILINE))
    zero = [0.0] * nv


    def equations(q, v):
        found = values(q, v)
        return found["M"], found["h"].ravel(), found["J"]
    shaped = lambda found, expected: found.reshape(np.shape(expected))
    return types.SimpleNamespace(mass_matrix=lambda q: values(q, zero)["M"], bias=lambda q, v: equations(q, v)[1],
                                 jacobian=lambda q: values(q, zero)["J"], equations=equations, accelerations=None,
                                 **{name: (lambda q, v=zero, name=name: shaped(values(q, v)[CLOSING[name]], closing[name][1])) for name in closing})


def main():
    path = pathlib.Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("cases", sys.argv[2])
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    if path.suffix == ".txt":
        arm = text_of(path, cases.cases[0]["closing"])
        arm.accelerations = lambda q, v, u: next(case["a"] for case in cases.cases if case["u"] == u)  # it has none
    else:
        arm = (graph_of if path.suffix == ".json" else module_of)(path)
    worst = cases.differences(arm)
    print("largest relative differences: M %.1e, h %.1e, J %.1e, accelerations %.1e, loops and cylinders %.1e" % tuple(worst))
    return 0 if (worst < 1e-12).all() else 1


if __name__ == "__main__":
    sys.exit(main())
