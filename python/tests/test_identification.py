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


def test_channels_carry_what_is_left_over():
    found = limber.identify(STUDIES / "identify_strip.yaml")
    for channel in found["channels"]:
        left = channel["computed"] - channel["measured"]
        assert channel["times"].shape == left.shape
        assert np.sqrt(np.mean(left**2)) == pytest.approx(channel["rms"], rel=1e-9)
        about = limber.residual_statistics(left)
        assert about["whiteness"] == pytest.approx(channel["whiteness"], rel=1e-6)
        assert about["normality"] == pytest.approx(channel["normality"], rel=1e-6)
        centred = left - left.mean()
        np.testing.assert_allclose(about["autocorrelation"][3], centred[:-3] @ centred[3:] / (centred @ centred), rtol=1e-9)
    assert found["unidentified"] == []


def test_the_page_is_written(tmp_path):
    page = tmp_path / "fit.html"
    limber.identify(STUDIES / "identify_frequencies.yaml", report=page)
    assert "Correlation of the estimates" in page.read_text()


def test_a_design_is_the_programs(program):
    file = STUDIES / "design_next.yaml"
    found = limber.design_experiment(file)
    said = program("identify", file, "--design")
    assert found["log_det"] == pytest.approx(said["log_det"], rel=1e-12)
    assert found["chosen"] == said["chosen"]
    for path, one in said["parameters"].items():
        assert found["parameters"][path]["standard_error"] == pytest.approx(one["standard_error"], rel=1e-9)
    with pytest.raises(limber.InputError, match="the key `design`"):
        limber.design_experiment(STUDIES / "identify_strip.yaml")


def test_modes_are_paired_by_their_shapes():
    arm = limber.load(STUDIES.parent / "models" / "lab_link" / "lab_link.yaml")
    modes = limber.modes(arm, joints="locked")
    points = ["strip@0.4.y", "strip@0.7.y", "strip@1.0.y"]
    seen = limber.seen_shapes(arm, modes.q, modes.shapes, points)
    table = limber.modal_assurance(-3.0 * seen[:, [1, 0]], seen)
    assert limber.paired_modes(table) == [1, 0]
    np.testing.assert_allclose([table[0, 1], table[1, 0]], 1.0, rtol=1e-12)
    with pytest.raises(limber.InputError, match="closest|did you mean|LINK@AT"):
        limber.seen_shapes(arm, modes.q, modes.shapes, ["strip.y"])
