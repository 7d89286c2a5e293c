# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the part that is written in Python, as the compiled part raises them."""

from __future__ import annotations

from ._limber import InputError


def input_error(path: str, expected: str, found: str, hint: str = "") -> InputError:
    """`path: expected ..., found ... (hint)`, with its `problems`."""
    error = InputError(f"{path}: expected {expected}, found {found}" + (f" ({hint})" if hint else ""))
    error.problems = [{"path": path, "expected": expected, "found": found, "hint": hint}]
    return error
