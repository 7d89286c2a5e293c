# SPDX-License-Identifier: BSD-3-Clause
"""The equations of motion as compiled functions: derived, written as C++ (`derive(arm, "cpp")`), compiled by the system's compiler and called on arrays."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import subprocess
import tempfile
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from ._limber import ComputationError, Model
from .errors import input_error
from .symbolic import _written

_ARRAY = ctypes.POINTER(ctypes.c_double)


class CompiledFunction:
    """One function of the generated code, of one state or of arrays of them with leading axes, without Python's lock."""

    def __init__(self, owner: CompiledArm, name: str, about: str, inputs: list[str], outputs: list[str], call: Any) -> None:
        self.__doc__ = about
        self._owner, self._name, self._inputs, self._outputs, self._call = owner, name, inputs, outputs, call

    def __call__(self, *arguments: npt.ArrayLike, parameters: Mapping[str, float] | None = None) -> Any:
        owner = self._owner
        if len(arguments) != len(self._inputs):
            raise input_error(self._name, f"{len(self._inputs)} arguments: {', '.join(self._inputs)}", str(len(arguments)))
        arrays = [np.ascontiguousarray(argument, dtype=np.float64) for argument in arguments]
        leading: tuple[int, ...] = ()
        for name, array in zip(self._inputs, arrays):
            width = owner._shapes[name][0]
            if array.ndim == 0 or array.shape[-1] != width:
                raise input_error(name, f"an array of shape ({width},), or (n, {width}) for n states", f"shape {array.shape}")
            if array.ndim > 1 and leading not in ((), array.shape[:-1]):
                raise input_error(name, f"leading axes {leading}", f"{array.shape[:-1]}", "one vector alone stands for every state")
            leading = array.shape[:-1] or leading
        results = [np.empty(leading + owner._shapes[name]) for name in self._outputs]
        steps = [array.shape[-1] if array.ndim > 1 else 0 for array in arrays]
        self._call(ctypes.c_long(int(np.prod(leading, dtype=np.int64))), (ctypes.c_long * max(len(steps), 1))(*steps),
                   *(array.ctypes.data_as(_ARRAY) for array in (*arrays, *results)), owner._numbers(parameters).ctypes.data_as(_ARRAY))
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"<limber.CompiledFunction {self._name}({', '.join(self._inputs)})>"


class CompiledArm:
    """What limber.compile gives: mass_matrix(q), bias(q, v), gravity(q), coriolis_matrix(q, v) up to ten coordinates, jacobian(q), equations(q, v) with M, h and J
    together, accelerations(q, v, u), stiffness(), rest(), damping(), input_matrix(). `functions` lists them, `parameters` has names and values of what may be changed in a
    call: arm.mass_matrix(q, parameters={"mp1": 5})."""

    def __init__(self, arm: Model, parameters: str) -> None:
        self.code = _written(arm, "cpp", "", parameters, 17)  #: the header
        space = re.search(r"^namespace (\w+) \{", self.code, re.M)
        sizes = re.search(r"constexpr int nq = (\d+), nv = (\d+), inputs = (\d+);", self.code)
        assert space and sizes
        nq, nv, inputs = map(int, sizes.groups())
        self._shapes: dict[str, tuple[int, ...]] = {
            "q": (nq,), "v": (nv,), "u": (nv,), "a": (nv,), "h": (nv,), "G": (nv,), "rest": (nv,), "M": (nv, nv), "C": (nv, nv), "K": (nv, nv), "D": (nv, nv),
            "B": (nv, inputs), "J": (6, nv)}
        block = re.search(r"struct Parameters \{\n(.*?)\};", self.code, re.S)
        #: Names that `parameters=` of a call may change, with the model's own values.
        self.parameters = {name: float(value) for name, value in re.findall(r"double (\w+) = ([^;]+);", block.group(1) if block else "")}
        found = re.findall(r"/// (.*)\n/// .*\ninline void (\w+)\((.*?)\) \{", self.code)
        wrappers, arguments = [], {}
        for _, name, declared in found:
            taken = [argument for argument in declared.split(", ") if not argument.startswith("const Parameters")]
            read = [argument.split("* ")[1] for argument in taken if argument.startswith("const")]
            written = [argument.split("* ")[1] for argument in taken if not argument.startswith("const")]
            arguments[name] = read, written
            wrappers.append(self._wrapper(space.group(1), name, read, written))
        self._folder = tempfile.TemporaryDirectory(prefix="limber-")
        library = self._compiled(self.code.replace("#pragma once", "") + "\n" + "\n".join(wrappers))
        self.functions: list[str] = []  #: names
        for about, name, _ in found:
            call = getattr(library, f"limber_{name}")
            call.restype = None
            setattr(self, name, CompiledFunction(self, name, about, *arguments[name], call))
            self.functions.append(name)

    def _wrapper(self, space: str, name: str, read: list[str], written: list[str]) -> str:
        """A loop over states with a C name."""
        declared = "".join(f", const double* {argument}" for argument in read) + "".join(f", double* {argument}" for argument in written)
        passed = [f"{argument} + i * step[{k}]" for k, argument in enumerate(read)]
        passed += [f"{argument} + i * {int(np.prod(self._shapes[argument]))}" for argument in written]
        if self.parameters:
            passed.append(f"*reinterpret_cast<const {space}::Parameters*>(limber_p)")
        return (f'extern "C" void limber_{name}(long count, const long* step{declared}, const double* limber_p) {{\n  (void)step; (void)limber_p;\n'
                f"  for (long i = 0; i < count; ++i) {space}::{name}({', '.join(passed)});\n}}\n")

    def _compiled(self, source: str) -> ctypes.CDLL:
        folder = pathlib.Path(self._folder.name)
        (folder / "arm.cpp").write_text(source)
        compiler = os.environ.get("CXX", "c++")
        try:
            done = subprocess.run([*compiler.split(), "-std=c++17", "-O2", "-shared", "-fPIC", "-o", folder / "arm.so", folder / "arm.cpp"],
                                  capture_output=True, text=True, timeout=float(os.environ.get("LIMBER_COMPILE_SECONDS", "600")))
        except FileNotFoundError:
            raise ComputationError(f"the compiler `{compiler}` is not there: install g++, or name another one in CXX") from None
        except subprocess.TimeoutExpired as error:
            raise ComputationError(f"`{compiler}` takes longer than {error.timeout:g} s (LIMBER_COMPILE_SECONDS): the algorithms of limber need no compiler") from None
        if done.returncode != 0:
            raise ComputationError(f"`{compiler}` does not compile what was derived:\n{done.stderr[-2000:]}")
        return ctypes.CDLL(str(folder / "arm.so"))

    def _numbers(self, changed: Mapping[str, float] | None) -> npt.NDArray[np.float64]:
        unknown = [name for name in changed or {} if name not in self.parameters]
        if unknown:
            raise input_error("parameters", f"names among {', '.join(self.parameters) or 'none: compile with parameters=symbols'}", repr(unknown[0]))
        return np.array([*{**self.parameters, **(changed or {})}.values(), 0.0], dtype=float)

    def __repr__(self) -> str:
        return f"<limber.CompiledArm: {', '.join(self.functions)}>"


def compile(arm: Model, parameters: str = "numbers") -> CompiledArm:
    """The arm's equations of motion as compiled functions: straight lines of code for this very arm, several times as fast as the algorithms where it is small and plane.

    `parameters`: `numbers` (nothing can be changed; the fastest), `constants` or `symbols` (lengths, masses, EI may be given to each call). Needs a C++ compiler (CXX, else c++)."""
    return CompiledArm(arm, parameters)
