#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes python/limber/_limber.pyi, what type checkers and editors know of the compiled module, from the module itself.

    PYTHONPATH=build/release/python write_stubs.py [--check] python/limber/_limber.pyi

`--check` only says whether the file is up to date."""

import inspect
import pathlib
import re
import sys

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Written by python/tools/write_stubs.py from the compiled module: not to be edited.
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

import matplotlib.axes
import numpy
import numpy.typing
import numpy.typing as npt
'''
HIDDEN = re.compile(r"__(?!version__).*")


def typed(text):
    """pybind11's words for types as mypy reads them."""
    text = text.replace("limber._limber.", "")
    text = re.sub(r"numpy\.ndarray\[numpy\.(float64|complex128|int32)(\[[^\]]*\])?(, flags\.\w+)?\]", r"numpy.typing.NDArray[numpy.\1]", text)
    text = text.replace("numpy.ndarray[bool]", "numpy.typing.NDArray[numpy.bool_]")
    text = re.sub(r"\bos\.PathLike\b(?!\[)", "Union[str, os.PathLike[str]]", text)
    text = re.sub(r"(\w+: )object\b", r"\1Any", text)
    text = re.sub(r"(\w+): numpy\.typing\.ArrayLike = None", r"\1: Union[numpy.typing.ArrayLike, Mapping[str, float], None] = None", text)
    parameters, arrow, result = text.rpartition("->")
    text = parameters.replace("List[", "Sequence[") + arrow + result
    text = re.sub(r"(\w+: )dict\b", r"\1Dict[str, Any]", text)
    return re.sub(r"-> object\b", "-> Any", text).replace("-> tuple", "-> Tuple[Any, ...]").replace("-> dict", "-> Dict[str, Any]").replace("-> list", "-> List[Any]")


def signature_of(documentation, name):
    """`(q: ..., v: ... = None) -> ...` out of a docstring that pybind11 has begun."""
    line = (documentation or "").splitlines()[0] if documentation else ""
    found = re.match(r"(?:\w+)?(\(.*\)\s*->\s*.*)$", line)
    if not found:
        sys.exit(f"write_stubs: no signature in the docstring of {name}: {line!r}")
    return typed(found.group(1).strip())


def of_python(function):
    parameters = inspect.signature(function)
    return re.sub(r"'([^']*)'", r"\1", str(parameters))


def with_self(signature):
    return re.sub(r"^\((self|arg0): [\w.]+", "(self", signature)


def class_lines(name, kind):
    bases = [base.__name__ for base in kind.__bases__ if base.__name__ not in ("pybind11_object", "object")]
    lines = [f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}:"]
    if issubclass(kind, Exception):
        return lines + ["    problems: List[Dict[str, Any]]" if name == "InputError" else "    run: Any", ""]
    for member, value in sorted(vars(kind).items()):
        if member.startswith("_") and member != "__init__":
            continue
        if isinstance(value, property):
            lines += ["    @property", f"    def {member}(self){signature_of(value.fget.__doc__, member).split(')', 1)[1]}: ..."]
        elif isinstance(value, staticmethod):
            function = value.__func__
            own = of_python(function) if inspect.isfunction(function) else signature_of(function.__doc__, member)
            lines += ["    @staticmethod", f"    def {member}{own}: ..."]
        elif inspect.isfunction(value):
            own = re.sub(r"^\(\w+: (?:Model|LinearModel)", "(self", of_python(value))
            lines.append(f"    def {member}{own}: ...")
        elif callable(value):
            if member == "__init__" and "->" not in (value.__doc__ or ""):
                continue
            lines.append(f"    def {member}{with_self(signature_of(value.__doc__, member))}: ...")
    return lines + (["    ..."] if len(lines) == 1 else []) + [""]


def written():
    import limber  # adds to the compiled classes what Python adds
    module = limber._limber
    lines = [HEAD]
    public = {name: value for name, value in sorted(vars(module).items()) if not HIDDEN.match(name)}
    for name, value in public.items():
        if inspect.isclass(value):
            lines += ["", *class_lines(name, value)]
        elif callable(value):
            lines.append(f"def {name}{signature_of(value.__doc__, name)}: ...")
        elif isinstance(value, tuple):
            lines.append(f"{name}: Tuple[str, ...]")
        else:
            lines.append(f"{name}: {type(value).__name__}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def main():
    stub = pathlib.Path(sys.argv[-1])
    text = written()
    if "--check" not in sys.argv:
        stub.write_text(text)
    elif stub.read_text() != text:
        sys.exit(f"{stub.name} is not what the module says: PYTHONPATH=build/release/python python/tools/write_stubs.py {stub}")


if __name__ == "__main__":
    main()
