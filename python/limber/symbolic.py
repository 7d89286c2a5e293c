# SPDX-License-Identifier: BSD-3-Clause
"""The equations of motion as formulas."""

from __future__ import annotations

import os
import pathlib
import re
from typing import TYPE_CHECKING, Any

from . import _limber
from ._limber import Model
from .errors import input_error

if TYPE_CHECKING:
    import sympy

_FUNCTIONS = ("sin", "cos", "sqrt", "exp")


def derive(arm: Model, format: str = "text", only: str = "", parameters: str = "", digits: int = 10,
           folder: str | os.PathLike[str] | None = None) -> str:
    """The equations of motion as `text`, `latex` or `cpp` (a header without dependencies).

    `only`: part of M C K D G B h J rest, as "M[1,1],G". `parameters`: `symbols` (lengths, masses, EI have names), `constants` (so
    do the shapes' integrals) or `numbers`. With a folder the files are written there, too; for `cpp` also a program that tests the header."""
    files = _limber.equations(arm, format, only, parameters, digits)
    if folder is not None:
        target = pathlib.Path(os.fspath(folder))
        target.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (target / name).write_text(text)
    return next(text for name, text in sorted(files.items()) if not name.endswith("_test.cpp"))


def equations(arm: Model, only: str = "", parameters: str = "", digits: int = 17) -> dict[str, sympy.Matrix]:
    """The same as matrices of SymPy (needs sympy), by the letters of M a + C v + D v + K (q - rest) + G = B u.

    Coordinates are q1, q2, ...; v1, v2, ... are their rates. `parameters` as of derive(); limber.parameter_values() has their values."""
    import sympy
    text = derive(arm, "text", only, parameters, digits)
    if "\n# where\n" in text:
        raise input_error("arm", "one whose formulas are sines, cosines and powers", "functions of rotation vectors",
                          "it bends in space: derive(arm) has its formulas as text")
    matrices: dict[str, Any] = {}
    for letter, row, column, formula in re.findall(r"^(\w+)\[(\d+)(?:,(\d+))?\] = (.*)$", text, re.MULTILINE):
        matrices.setdefault(letter, {})[int(row) - 1, int(column or 1) - 1] = _expression(formula)
    shapes = {"G": (arm.nv, 1), "h": (arm.nv, 1), "rest": (arm.nv, 1), "B": (arm.nv, _limber.input_matrix(arm).shape[1]), "J": (6, arm.nv)}
    result = {}
    for letter, entries in matrices.items():
        matrix = sympy.zeros(*shapes.get(letter, (arm.nv, arm.nv)))
        for (i, j), entry in entries.items():
            matrix[i, j] = entry
            if letter in ("M", "K", "D"):
                matrix[j, i] = entry
        result[letter] = matrix
    return result


def parameter_values(arm: Model, style: str = "symbols") -> dict[str, float]:
    """Values of the names in the formulas."""
    text = derive(arm, "text", "M,K,D,G,B", style, 17)
    return {name: float(value) for name, value in re.findall(r"^# (\w+) = ([-+.\deE]+) ", text, re.MULTILINE)}


def _expression(formula: str) -> Any:
    import sympy
    from sympy.parsing.sympy_parser import parse_expr
    names = {name: sympy.Symbol(name, real=True) for name in re.findall(r"\b[A-Za-z_]\w*", formula) if name not in _FUNCTIONS}
    return parse_expr(formula.replace("^", "**"), local_dict=names)
