# SPDX-License-Identifier: BSD-3-Clause
"""Studies: many variants of a model or a scenario, or the best of them."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Union

import numpy as np
import numpy.typing as npt

from . import _limber
from .errors import input_error
from .model import is_text

if TYPE_CHECKING:
    import pandas

Numbers = npt.NDArray[np.float64]
#: A file, its text, or a dictionary with the file's keys. Files that a text or a dictionary names are looked for in the working folder.
StudySource = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Sweep:
    """What became of all variants: `parameters` (variants x paths), `values` (variants x measures); `sweep["name"]` is the column of a measure or of a path."""

    def __init__(self, result: _limber.StudyResult) -> None:
        self._result = result
        #: Values that were varied or chosen: variants x paths.
        self.parameters: Numbers = result.parameters
        #: Variants x measures; NaN where a variant failed.
        self.values: Numbers = result.values
        for table in (self.parameters, self.values):
            table.flags.writeable = False

    @property
    def status(self) -> str:
        """"complete", "running" or "interrupted"."""
        return self._result.status

    @property
    def paths(self) -> list[str]:
        """Columns of `parameters`."""
        return self._result.paths

    @property
    def measures(self) -> list[str]:
        """Columns of `values`."""
        return self._result.measures

    @property
    def failed(self) -> dict[int, str]:
        """Variants that could not be computed, and why."""
        return {int(variant): reason for variant, reason in self._result.failed.items()}

    @property
    def histories(self) -> dict[str, Numbers]:
        """What the study kept of the courses of runs, by name: variants x points."""
        names = self._result.histories
        courses = self._result.courses
        return {name: part for name, part in zip(names, np.split(courses, len(names), axis=1))} if names else {}

    @property
    def sensitivity(self) -> dict[str, dict[str, Any]]:
        """Sobol's indices of each measure that has them: {"first_order": {path: index}, "first_order_bounds": {path: (lower, upper)}, "total": ...,
        "total_bounds": ..., "explained": part of the variance that they rest on}."""
        tables = self._result.indices
        found: dict[str, dict[str, Any]] = {}
        for m, measure in enumerate(self.measures if tables else []):
            if not np.isfinite(tables["explained"][m]):
                continue
            one: dict[str, Any] = {"explained": float(tables["explained"][m])}
            for kind in ("first_order", "total"):
                one[kind] = {path: float(tables[kind][m, j]) for j, path in enumerate(self.paths)}
                one[kind + "_bounds"] = {path: (float(tables[kind + "_lower"][m, j]), float(tables[kind + "_upper"][m, j]))
                                         for j, path in enumerate(self.paths)}
            found[measure] = one
        return found

    @property
    def goals(self) -> dict[str, str]:
        """Of a search (`optimise`): measures that were to become small ("minimise") or large ("maximise")."""
        return self._result.goals

    @property
    def found(self) -> list[int]:
        """Of a search: the best variant; of two goals, their front. None where no design keeps to all constraints."""
        return self._result.found

    @property
    def best(self) -> dict[str, float]:
        """Of a search: values and measures of the first one of `found`."""
        if not self.found:
            raise input_error("best", "a search (`optimise`) that has found a design", "none")
        return self.variant(self.found[0])

    def variant(self, number: int) -> dict[str, float]:
        """A variant's values and measures by name."""
        if not 0 <= number < len(self):
            raise input_error("number", f"a variant from 0 to {len(self) - 1}", repr(number))
        return {name: float(self[name][number]) for name in (*self.paths, *self.measures)}

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.paths, *self.measures))

    def __contains__(self, name: object) -> bool:
        return name in self.measures or name in self.paths

    def __getitem__(self, name: str) -> Numbers:
        if name in self.measures:
            return self.values[:, self.measures.index(name)]
        if name in self.paths:
            return self.parameters[:, self.paths.index(name)]
        raise KeyError(f"{name!r}: no measure and no path of this study; `measures` and `paths` list them")

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas.DataFrame, one row for each variant (needs pandas)."""
        import pandas
        return pandas.DataFrame({name: self[name] for name in self})

    def to_csv(self, file: str | os.PathLike[str]) -> None:
        """variant, parameters, measures, failed: one row for each variant."""
        self._result.to_csv(pathlib.Path(os.fspath(file)))

    def save(self, file: str | os.PathLike[str]) -> None:
        """The result as HDF5: what `limber sweep` writes, and `limber report` and `limber.read_sweep` read."""
        self._result.save(pathlib.Path(os.fspath(file)))

    def report(self, file: str | os.PathLike[str]) -> None:
        """One HTML file: distributions, what matters, the variants at both ends; of a search the best, or the front."""
        self._result.report(pathlib.Path(os.fspath(file)))

    def _repr_html_(self) -> str:
        """In Jupyter: its page."""
        import html
        return f'<iframe srcdoc="{html.escape(self._result.page())}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<limber.Sweep: {len(self)} variants, {len(self.failed)} failed, {self.status}>"

    def __reduce__(self) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="limber-") as folder:
            file = pathlib.Path(folder, "sweep.h5")
            self.save(file)
            return _sweep_of_bytes, (file.read_bytes(),)


def _sweep_of_bytes(content: bytes) -> Sweep:
    with tempfile.TemporaryDirectory(prefix="limber-") as folder:
        file = pathlib.Path(folder, "sweep.h5")
        file.write_bytes(content)
        return read_sweep(file)


def _study(study: StudySource, set: Mapping[str, Any] | None) -> _limber.Study:
    if isinstance(study, Mapping):
        return _limber.study_of_dictionary({"limber": 1, **study}, set)
    if isinstance(study, str) and is_text(study):
        return _limber.study_of_text(study, set)
    if isinstance(study, (str, os.PathLike)):
        return _limber.study_of_file(pathlib.Path(os.fspath(study)), set)
    raise input_error("study", "the name of a file, its text, or a dictionary with its keys", type(study).__name__)


def sweep(study: StudySource, output: str | os.PathLike[str] | None = None, set: Mapping[str, Any] | None = None, threads: int = 0,
          resume: bool = False) -> Sweep:
    """Runs a study (docs/sweep.md): a file, its text, or a dictionary with the file's keys.

    `output`: the result as HDF5, which must not exist yet; with `resume` one that was interrupted is gone on with. Without it nothing is kept on disk. `set`
    changes values for all variants before they are checked. `threads`: 0 is one for each core; numbers are the same whatever it is. Ctrl-C ends it, and
    what was computed stands in `output`."""
    opened = _study(study, set)
    if output is None:
        if resume:
            raise input_error("resume", "with `output`: the result to go on with", "no output")
        with tempfile.TemporaryDirectory(prefix="limber-") as folder:
            return Sweep(_limber.run_study(opened, pathlib.Path(folder, "sweep.h5"), threads, False))
    file = pathlib.Path(os.fspath(output))
    if file.exists() and not resume:
        raise input_error("output", "a file that does not exist yet", f"`{file}`", "resume=True goes on with it")
    return Sweep(_limber.run_study(opened, file, threads, resume))


def read_sweep(file: str | os.PathLike[str]) -> Sweep:
    """A result of `limber sweep` that was saved before. Throws InputError where the file is none, or damaged."""
    return Sweep(_limber.read_study_result(pathlib.Path(os.fspath(file))))
