# SPDX-License-Identifier: BSD-3-Clause
"""Every notebook runs from its question to its figure."""

import pytest
from conftest import SOURCE

nbformat = pytest.importorskip("nbformat")
preprocessors = pytest.importorskip("nbconvert.preprocessors")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")


@pytest.mark.parametrize("file", sorted((SOURCE / "python" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_it_runs(file, tmp_path):
    notebook = nbformat.read(file, as_version=4)
    assert notebook.cells[0].source.splitlines()[0].endswith("?"), "a notebook begins with a question"
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    preprocessors.ExecutePreprocessor(timeout=120).preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs), "it ends with a figure"
