# SPDX-License-Identifier: BSD-3-Clause
"""Runs: simulated now, or read from a file."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _limber
from ._limber import ComputationError
from .controller import Controller, Watch
from .errors import input_error
from .scenario import Scenario, read_scenario

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

Numbers = npt.NDArray[np.float64]


class Run:
    """The motion of an arm: rows over time.

    `run.time`, `run.q`, `run.v` are arrays, one row for each time. `run["name"]` is any quantity (`efforts`, `wrenches`, `energy/strain`; all
    are in `run.quantities`), or one number of it, over time: a coordinate (`run["shoulder"]`), or a column as tables call it
    (`run["wrench.shoulder.fx"]`; all are in `run.columns`)."""

    def __init__(self, source: _limber.FinishedRun | _limber.ResultFile, summary: Mapping[str, Any] | None = None) -> None:
        self._source = source
        self._values: dict[str, Numbers] = {}
        #: What `limber simulate --json` says; empty for a run that was read from a file.
        self.summary: Mapping[str, Any] = summary or {}

    @property
    def status(self) -> str:
        """"complete", or why the run ended before."""
        return self._source.status

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before trusting the numbers."""
        return self._source.warnings

    @property
    def quantities(self) -> list[str]:
        """Names of what was recorded."""
        return self._source.quantities

    @property
    def columns(self) -> list[str]:
        """Names of all numbers of a row, `time` first."""
        return [column for path in self.quantities for column in self._source.columns(path)]

    @property
    def time(self) -> Numbers:
        """[s] of every row."""
        return self["time"]

    @property
    def q(self) -> Numbers:
        """Positions: rows x nq."""
        return self["q"]

    @property
    def v(self) -> Numbers:
        """Velocities: rows x nv."""
        return self["v"]

    def __len__(self) -> int:
        return len(self.time)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def __getitem__(self, name: str) -> Numbers:
        found = self._find(name) if isinstance(name, str) else None
        if found is None:
            raise KeyError(f"{name!r}: no quantity and no column of this run; `quantities` and `columns` list them")
        path, column = found
        values = self._quantity(path)
        return values if column is None else values.reshape(len(values), -1)[:, column]

    def unit(self, name: str) -> str:
        """Of a quantity or column: "rad or m"."""
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return self._source.unit(found[0])

    def _find(self, name: str) -> tuple[str, int | None] | None:
        """The quantity, and which of its numbers; None: all of them."""
        if name in self.quantities:
            return name, None
        for path in self.quantities:
            columns = self._source.columns(path)
            if name in columns:
                return path, columns.index(name)
        # A sensor or a coordinate by its name alone.
        for path in ("sensors", "q"):
            if path in self.quantities:
                own = [column.split(".", 1)[-1] for column in self._source.columns(path)]
                if name in own:
                    return path, own.index(name)
        return None

    def _quantity(self, path: str) -> Numbers:
        if path not in self._values:
            values = self._source.values(path)
            columns = self._source.columns(path)
            if len(columns) == 1 and columns[0] == path.replace("/", "."):
                values = values[:, 0]  # a single number
            elif path in ("wrenches", "interaction_wrenches"):
                values = values.reshape(len(values), -1, 6)
            elif path in ("section_forces", "stress"):  # rows x beams x places, and six of each
                beams = len(dict.fromkeys(column.rsplit("@", 1)[0] for column in columns))
                numbers = (6,) if path == "section_forces" else ()
                values = values.reshape(len(values), beams, len(columns) // beams // (numbers or (1,))[0], *numbers)
            values.flags.writeable = False
            self._values[path] = values
        return self._values[path]

    # ---- tables ----

    def to_dict(self) -> dict[str, Numbers]:
        """Every column by its name."""
        return {column: self[column] for column in self.columns}

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas.DataFrame with time as its index (needs pandas)."""
        import pandas
        table = pandas.DataFrame(self.to_dict())
        return table.set_index("time")

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset over time, one variable for each quantity, its numbers by name (needs xarray)."""
        import xarray
        variables = {}
        for path in self.quantities:
            if path == "time":
                continue
            values, columns = self[path], self._source.columns(path)
            attributes = {"units": self._source.unit(path)}
            if values.ndim == 1:
                variables[path] = xarray.DataArray(values, dims=["time"], attrs=attributes)
            else:
                names = [column.split(".", 1)[-1] for column in columns]
                variables[path] = xarray.DataArray(values.reshape(len(values), -1), dims=["time", path + " of"],
                                                   coords={path + " of": names}, attrs=attributes)
        return xarray.Dataset(variables, coords={"time": self.time})

    def to_csv(self, file: str | os.PathLike[str]) -> None:
        """All columns as CSV, 17 digits at most."""
        table = np.column_stack([self[column] for column in self.columns])
        np.savetxt(file, table, delimiter=",", fmt="%.17g", header=",".join(self.columns), comments="")

    # ---- files ----

    def save(self, file: str | os.PathLike[str]) -> None:
        """The result as HDF5: what `limber simulate` writes, and `limber report` and `limber.read` read."""
        target = pathlib.Path(os.fspath(file))
        if isinstance(self._source, _limber.ResultFile):
            if not (target.exists() and target.samefile(self._source.file)):
                shutil.copyfile(self._source.file, target)
        else:
            self._source.save(target)

    def _file(self) -> pathlib.Path:
        """The result as a file: its own, or one that lives as long as the run does."""
        if isinstance(self._source, _limber.ResultFile):
            return pathlib.Path(self._source.file)
        if not hasattr(self, "_folder"):
            self._folder = tempfile.TemporaryDirectory(prefix="limber-")
            self.save(pathlib.Path(self._folder.name, "run.h5"))
        return pathlib.Path(self._folder.name, "run.h5")

    def report(self, file: str | os.PathLike[str]) -> None:
        """One HTML file with animation and plots that opens in any browser."""
        _limber.write_report([self._file()], pathlib.Path(os.fspath(file)))

    def svg(self, what: str = "joints", only: Sequence[str] = ()) -> str:
        """A figure as SVG: one of `limber.figures`, or `motion`."""
        return _limber.figure_svg(self._file(), _figure(what, "motion"), list(only))

    def plot(self, what: str = "joints", only: Sequence[str] = (), ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws one of `limber.figures` with matplotlib, and gives back the axes (needs matplotlib).

        `only`: names of joints, links or coordinates."""
        import matplotlib.pyplot as pyplot
        figure = _limber.figure_curves(self._file(), _figure(what), list(only))
        if ax is None:
            ax = pyplot.figure().add_subplot()
        color = None
        for name, values, is_reference in figure["curves"]:
            line, = ax.plot(figure["x"], values, linestyle="--" if is_reference else "-", color=color if is_reference else None,
                            label=name)
            color = line.get_color()
        if figure["logarithmic"]:
            ax.set(xscale="log", yscale="log")
        ax.set(title=figure["title"], xlabel=figure["x_label"], ylabel=figure["y_label"])
        if figure["curves"]:
            ax.legend()
        return ax

    def _repr_html_(self) -> str:
        """In Jupyter: its page."""
        import html
        try:
            page = _limber.page_of_results([self._file()])
        except ComputationError:  # built without the viewer
            return f"<pre>{html.escape(repr(self))}</pre>"
        return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        time = self.time
        end = time[-1] if len(time) else 0.0
        return f"<limber.Run: {len(time)} rows, {end:g} s, {self.status}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _run_of_bytes, (self._file().read_bytes(), dict(self.summary))


def _figure(what: str, *others: str) -> str:
    known = (*_limber.figures, *others)
    if what not in known:
        raise input_error("what", ", ".join(known), repr(what))
    return what


def _run_of_bytes(content: bytes, summary: Mapping[str, Any]) -> Run:
    folder = tempfile.TemporaryDirectory(prefix="limber-")
    file = pathlib.Path(folder.name, "run.h5")
    file.write_bytes(content)
    run = Run(_limber.ResultFile(file), summary)
    run._folder = folder
    return run


def simulate(scenario: Scenario, controllers: Sequence[Controller] = (), set: Mapping[str, Any] | None = None,
             formulation: str | None = None, watches: Sequence[Watch] = (), observer: Mapping[str, Any] | None = None) -> Run:
    """Runs a scenario: a file, its text, or a dictionary with the file's keys, whose `model` may be a Model.

    `controllers`: objects of yours that drive the arm besides the scenario's own (limber.Controller). `set` changes values before they are
    checked: {"duration": 5, "model.links.boom.beam.length": 6.5}. `formulation`: one of `limber.formulations` in place of the scenario's.
    `watches`: what to look out for (limber.Watch). `observer`: {"rate": 200, ...}: the scenario's key `observer`, so that all controllers, yours too,
    see an estimate of the state from the sensors in place of the state (docs/measurements.md). Throws ComputationError where the motion diverges or the integrator gives up, and whatever a
    controller throws; the exception's `run` holds what was reached. Ctrl-C ends it, likewise."""
    if observer is not None:
        set = {**(set or {}), "observer": observer}
    done = _limber.run(read_scenario(scenario, set, formulation), controllers, watches)
    run = Run(done, {**json.loads(done.summary), "warnings": done.warnings})
    try:
        done.rethrow()
    except BaseException as error:
        _tell(error, run)
        raise
    return run


def _tell(error: BaseException, run: Run) -> None:
    """Hands over what was reached; exceptions of classes that take no attributes go without."""
    try:
        setattr(error, "run", run)
    except AttributeError:
        return
    if not isinstance(error, (ComputationError, KeyboardInterrupt)) and hasattr(error, "add_note"):
        reached = f"{len(run)} rows, up to t = {run.time[-1]:g} s" if len(run) else "no rows"
        error.add_note(f"limber.simulate was ended by this; `run` of the exception holds what was reached ({reached})")


def read(file: str | os.PathLike[str]) -> Run:
    """A result that was saved before; its rows are read when they are asked for. Throws InputError where the file is no result, or damaged."""
    return Run(_limber.ResultFile(pathlib.Path(os.fspath(file))))


def report(runs: Sequence[Run | str | os.PathLike[str]], file: str | os.PathLike[str]) -> None:
    """One page of several runs, laid over each other to be compared."""
    if not runs:
        raise input_error("runs", "at least one run", "none")
    files = [run._file() if isinstance(run, Run) else pathlib.Path(os.fspath(run)) for run in runs]
    _limber.write_report(files, pathlib.Path(os.fspath(file)))
