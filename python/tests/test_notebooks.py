# SPDX-License-Identifier: BSD-3-Clause
"""Every notebook runs from its question to its figure."""

import pytest
from conftest import SOURCE

nbformat = pytest.importorskip("nbformat")
preprocessors = pytest.importorskip("nbconvert.preprocessors")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

# Of each, what it finds; besides, they assert what they say.
FINDS = {
    "first_arm": "'bends': '0.992 deg after it has stopped', 'rigid': '0.008 deg after it has stopped'",
    "statics_and_modes": "sag 30.019 mm, textbook 30.019 mm; the motor holds 2943.0 N m",
    "control_with_a_gauge": "best of these gains: 60000.0",
    "symbolic_equations": "force on the beam, per v1^2: ",
    "parameter_study": "(1000, 5) (1000, 5)",
    "five_formulations": "recursive   0.0e+00 rad or m",
    "urdf_to_bending_ur10": "[0.327 0.411 0.494 0.578 0.662 0.745] mm",
    "wrong_way_first": "the tip goes back by ",
}


@pytest.mark.parametrize("file", sorted((SOURCE / "python" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_it_runs(file, tmp_path):
    notebook = nbformat.read(file, as_version=4)
    assert notebook.cells[0].source.splitlines()[0].endswith("?"), "a notebook begins with a question"
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    preprocessors.ExecutePreprocessor(timeout=120).preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = "".join(output.get("text", "") for output in outputs)
    assert FINDS[file.stem] in printed
    assert any("image/png" in output.get("data", {}) for output in outputs), "it ends with a figure"
