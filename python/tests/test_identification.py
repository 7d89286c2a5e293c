# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest
from conftest import SOURCE

import limber

STUDIES = SOURCE / "studies"


def test_parameters_are_the_programs(program):
    file = STUDIES / "identify_frequencies.yaml"
    found = limber.identify(file)
    said = program("identify", file)
    for path, one in said["parameters"].items():
        assert found["parameters"][path]["value"] == pytest.approx(one["value"], rel=1e-12)
        assert found["parameters"][path]["standard_error"] == pytest.approx(one["standard_error"], rel=1e-9)
    assert found["evaluations"] == said["evaluations"] and found["converged"]


def test_the_covariance_has_the_standard_errors():
    found = limber.identify(STUDIES / "identify_frequencies.yaml")
    errors = [one["standard_error"] for one in found["parameters"].values()]
    np.testing.assert_allclose(np.sqrt(np.diag(found["covariance"])), errors, rtol=1e-12)
    assert found["correlation"][0, 1] == pytest.approx(found["covariance"][0, 1] / math.prod(errors))


def test_wrong_files_are_input_errors(tmp_path):
    with pytest.raises(limber.InputError, match="a study for `limber sweep`"):
        limber.identify(STUDIES / "slew_tolerances.yaml")
    with pytest.raises(limber.InputError, match="readable study file"):
        limber.identify(tmp_path / "none.yaml")
