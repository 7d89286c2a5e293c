# SPDX-License-Identifier: BSD-3-Clause
"""The equations of motion as formulas."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, Sequence

from . import _limber
from ._limber import Model

if TYPE_CHECKING:
    import sympy

_FUNCTIONS = ("sin", "cos", "sqrt", "exp")


#: Functions of derive(arm, "sympy") by the letters of what they give.
_OF_MODULE = {"M": "mass_matrix", "C": "coriolis_matrix", "K": "stiffness", "D": "damping", "G": "gravity", "B": "input_matrix", "h": "bias", "J": "jacobian",
              "rest": "rest"}


def derive(arm: Model, format: str | None = None, only: str = "", parameters: str = "", digits: int | None = None,
           folder: str | os.PathLike[str] | None = None, link: str | None = None, at: float = 1.0, formulation: str = "recursive", consistent: bool = False,
           nonlinear: Sequence[str] = (), expand: bool = False, real: str = "double") -> Any:
    """The equations of motion: matrices of SymPy by their letters where sympy is installed (`equations`), else `text`; or in the format that is asked for: `text`,
    `latex`, or code: `cpp`, `c`, `python` (NumPy), `sympy`, `octave`, `julia`, `json` (the graph).

    `only`: part of M C K D G B h J rest, as "M[1,1],G"; of texts also T, V (energies), pose, linear, Y (the regressor). `link`, `at`: the point of J and pose, in place
    of the end effector. `formulation`: `recursive`, or `dual-screw`: of first order in elastic states, with `consistent` and `nonlinear` as scenarios have them. `expand`:
    formulas multiplied out, however long; else long ones have parts with names. `real`: `float` or `double`, of C. `parameters`: `symbols` (lengths, masses, EI have names), `constants` (so
    do the shapes' integrals) or `numbers`. `digits` of numbers: 10 in texts, 17 in SymPy's. With a folder the files are written there, too; of code also a program that tests it."""
    if format is None and folder is None and importlib.util.find_spec("sympy") is not None:
        return equations(arm, only, parameters, digits or 17, link, at, formulation, consistent, nonlinear)
    return _written(arm, format or "text", only, parameters, digits or 10, folder, link=link, at=at, formulation=formulation, consistent=consistent,
                    nonlinear=nonlinear, expand=expand, real=real)


def _written(arm: Model, format: str, only: str, parameters: str, digits: int, folder: str | os.PathLike[str] | None = None, **how: Any) -> str:
    files = _limber.equations(arm, format, only, parameters, digits, **how)
    if folder is not None:
        target = pathlib.Path(os.fspath(folder))
        target.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (target / name).write_text(text)
    return next(text for name, text in sorted(files.items()) if not pathlib.PurePath(name).stem.endswith("_test"))


def equations(arm: Model, only: str = "", parameters: str = "", digits: int = 17, link: str | None = None, at: float = 1.0, formulation: str = "recursive",
              consistent: bool = False, nonlinear: Sequence[str] = ()) -> dict[str, sympy.Matrix]:
    """The same as matrices of SymPy (needs sympy), by the letters of M a + C v + D v + K (q - rest) + G = B u.

    Coordinates are q1, q2, ...; v1, v2, ... are their rates. Simplified where the arm bends in a plane; in space with c1, c2, c3 of squared angles. The rest as of derive(); limber.parameter_values() has their values."""
    import sympy
    how: dict[str, Any] = {"link": link, "at": at, "formulation": formulation, "consistent": consistent, "nonlinear": nonlinear}
    try:
        text = _written(arm, "text", only, parameters, digits, expand=True, **how)
    except _limber.ComputationError:  # too many terms to be multiplied out
        return _of_module(arm, only, parameters, **how)
    if "\n# where\n" in text:
        return _of_module(arm, only, parameters, **how)
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


def _of_module(arm: Model, only: str, parameters: str, **how: Any) -> dict[str, sympy.Matrix]:
    """Of an arm that bends in space: expressions with functions of rotation vectors, which know their derivatives."""
    names: dict[str, Any] = {}
    exec(_written(arm, "sympy", "", parameters or "symbols", 17, **how), names)
    letters = dict.fromkeys(re.findall(r"rest|[A-Za-z]", re.sub(r"\[.*?\]", "", only))) or ("M", "C", "K", "D", "G", "B")
    return {letter: names[_OF_MODULE[letter]]() for letter in letters if _OF_MODULE[letter] in names}


def parameter_values(arm: Model, style: str = "symbols") -> dict[str, float]:
    """Values of the names in the formulas."""
    text = _written(arm, "text", "M,K,D,G,B", style, 17)
    return {name: float(value) for name, value in re.findall(r"^# (\w+) = ([-+.\deE]+) ", text, re.MULTILINE)}


def _expression(formula: str) -> Any:
    import sympy
    from sympy.parsing.sympy_parser import parse_expr
    names = {name: sympy.Symbol(name, real=True) for name in re.findall(r"\b[A-Za-z_]\w*", formula) if name not in _FUNCTIONS}
    return parse_expr(formula.replace("^", "**"), local_dict=names)
