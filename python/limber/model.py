# SPDX-License-Identifier: BSD-3-Clause
"""Arms from files, texts and dictionaries; what pickles them."""

from __future__ import annotations

import copyreg
import os
import pathlib
import tempfile
from typing import Any, Callable, ContextManager, Mapping

from . import _limber
from ._limber import Model



def is_text(source: str) -> bool:
    """Whether a str is a file's content, not its name: it has several lines, or begins as a map does."""
    return "\n" in source or source.lstrip().startswith("{")


def load(source: str | os.PathLike[str] | Mapping[str, Any], set: Mapping[str, Any] | None = None) -> Model:
    """An arm from a model file, from its text, or from a dictionary with the file's keys.

    `set` changes values before they are checked: {"links.boom.beam.length": 6.5}. Throws InputError with everything that is
    wrong, each problem with its place (`problems` has them one by one)."""
    if isinstance(source, Mapping):
        return from_dict(source, set=set)
    if isinstance(source, str) and is_text(source):
        return _limber.arm_of_text(source, pathlib.Path.cwd(), set)
    return _limber.arm_of_file(pathlib.Path(os.fspath(source)), set)


def from_dict(description: Mapping[str, Any], set: Mapping[str, Any] | None = None) -> Model:
    """An arm from a dictionary with the keys of the model file; numpy's numbers and arrays are welcome.

    A table of shapes may stand in it: {"shape": {"table": {"x": [...], "values": [[...], ...]}}}."""
    place: ContextManager[str] = _Here()
    if _has_tables(description):
        place = tempfile.TemporaryDirectory()
    with place as folder:
        return _limber.arm_of_dictionary(_with_files(description, folder), pathlib.Path(folder), set)


class _Here(ContextManager[str]):
    """The current folder, as a context: what a dictionary names stands there."""

    def __enter__(self) -> str:
        return os.getcwd()

    def __exit__(self, *_: object) -> None:
        pass


def _table_of(value: Any) -> Mapping[str, Any] | None:
    table = value.get("table") if isinstance(value, Mapping) else None
    return table if isinstance(table, Mapping) and "x" in table and "values" in table else None


def _has_tables(value: Any, depth: int = 0) -> bool:
    if _table_of(value) is not None:
        return True
    if depth > 16:
        return False
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return any(_has_tables(item, depth + 1) for item in items)


def _with_files(value: Any, folder: str, count: list[int] | None = None, depth: int = 0) -> Any:
    """The same description, with tables in files: that is how the reader knows them."""
    count = [0] if count is None else count
    table = _table_of(value)
    if table is not None:
        count[0] += 1
        name = f"table_{count[0]}.csv"
        rows = [[x, *row] for x, row in zip(table["x"], table["values"])]
        text = "\n".join(",".join(repr(float(number)) for number in row) for row in rows)
        pathlib.Path(folder, name).write_text(text + "\n")
        return {**value, "table": name}
    if depth > 16:
        return value
    if isinstance(value, Mapping):
        return {key: _with_files(item, folder, count, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_files(item, folder, count, depth + 1) for item in value]
    return value


def _pickled(arm: Model) -> tuple[Callable[..., Model], tuple[Any, ...]]:
    return from_dict, (arm.to_dict(),)


copyreg.pickle(Model, _pickled)
setattr(Model, "from_dict", staticmethod(from_dict))
