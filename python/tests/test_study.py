# SPDX-License-Identifier: BSD-3-Clause
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import MODELS, SOURCE

import limber

BEAM = """limber: 1
gravity: [0, 0, 0]
kinematics: first
links:
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
    beam:
      length: 2
      section: {shape: rectangle, width: 0.05, height: 0.08, material: {E: 70e9, nu: 0.33, density: 2700}}
      modes: {z: {shape: craig-bampton, count: 2}}
"""
FORCE, YOUNG, DENSITY, LENGTH = 100.0, 70e9, 2700.0, 2.0
STATICS = {"model": "beam.yaml", "task": "statics", "state": "load.json",
           "measure": [{"name": "tip", "of": "sag.distance"}, {"name": "mass", "of": "mass"}]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "beam.yaml").write_text(BEAM)
    (tmp_path / "load.json").write_text('{"loads": [{"link": "boom", "force": [0, 0, -100]}]}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_variants_are_the_formulas_and_the_programs(folder, program):
    study = {**STATICS, "vary": {"links.boom.beam.section.width": {"uniform": [0.03, 0.07]},
                                 "links.boom.beam.section.height": {"uniform": [0.06, 0.1]}}, "samples": 64, "seed": 3}
    swept = limber.sweep(study, threads=2)
    b, h = swept["links.boom.beam.section.width"], swept["links.boom.beam.section.height"]
    np.testing.assert_allclose(swept["tip"], 4 * FORCE * LENGTH**3 / (YOUNG * b * h**3), rtol=1e-9)
    np.testing.assert_allclose(swept["mass"], DENSITY * b * h * LENGTH, rtol=1e-12)
    assert swept.status == "complete" and not swept.failed and len(swept) == 64
    assert sorted(swept) == sorted(swept.paths + swept.measures) and "tip" in swept
    assert swept.sensitivity["tip"]["total"]["links.boom.beam.section.height"] > 0.5
    text = "limber: 1\n" + "\n".join(f"{key}: {value!r}".replace("'", '"') for key, value in study.items())
    (folder / "study.yaml").write_text(text)
    said = program("sweep", folder / "study.yaml", "-o", folder / "program.h5")
    np.testing.assert_array_equal(limber.read_sweep(folder / "program.h5").values, swept.values)
    assert said["measures"]["tip"]["max"] == np.max(swept["tip"])
    np.testing.assert_array_equal(limber.sweep(folder / "study.yaml", threads=1).values, swept.values)
    np.testing.assert_array_equal(limber.sweep(text).values, swept.values)


def test_results_are_saved_read_pickled_and_shown(folder):
    study = {**STATICS, "vary": {"links.boom.beam.length": {"values": [1, 2, 3]}}, "method": "grid"}
    swept = limber.sweep(study, output="a.h5")
    for again in (limber.read_sweep("a.h5"), pickle.loads(pickle.dumps(swept))):
        np.testing.assert_array_equal(again.values, swept.values)
    with pytest.raises(limber.InputError, match="does not exist yet"):
        limber.sweep(study, output="a.h5")
    np.testing.assert_array_equal(limber.sweep(study, output="a.h5", resume=True).values, swept.values)
    with pytest.raises(limber.InputError, match="begun with"):
        limber.sweep({**study, "seed": 5}, output="a.h5", resume=True)
    swept.report("a.html")
    swept.to_csv("a.csv")
    assert "<svg" in (folder / "a.html").read_text() and (folder / "a.csv").read_text().startswith("variant,")
    assert list(swept.to_dataframe().columns) == list(swept)
    with pytest.raises(ValueError):
        swept.values[0, 0] = 1.0
    with pytest.raises(KeyError, match="nonsense"):
        swept["nonsense"]
    with pytest.raises(limber.InputError, match="0 to 2"):
        swept.variant(3)


def test_lightest_beam_is_that_of_the_formula(folder):
    # mass ~ b h, sag ~ 1 / (b h^3): as high as it may be, and as wide as the sag asks for.
    found = limber.sweep({**STATICS, "optimise": {"links.boom.beam.section.width": {"lower": 0.01, "upper": 0.1},
                                                  "links.boom.beam.section.height": {"lower": 0.02, "upper": 0.12}},
                          "minimise": "mass", "constraints": [{"measure": "tip", "below": 0.002}]})
    width = 4 * FORCE * LENGTH**3 / (YOUNG * 0.002 * 0.12**3)
    assert found.goals == {"mass": "minimise"} and len(found.found) == 1
    assert found.best["links.boom.beam.section.height"] == pytest.approx(0.12, rel=1e-6)
    assert found.best["links.boom.beam.section.width"] == pytest.approx(width, rel=1e-5)


def test_mistakes_have_their_places(folder):
    with pytest.raises(limber.InputError, match="did you mean `length`"):
        limber.sweep({**STATICS, "vary": {"links.boom.beam.lenght": {"uniform": [1, 2]}}, "samples": 4})
    with pytest.raises(limber.InputError, match="name of a file"):
        limber.sweep(3)
    with pytest.raises(limber.InputError, match="threads"):
        limber.sweep({**STATICS, "vary": {"links.boom.beam.length": {"uniform": [1, 2]}}, "samples": 4}, threads=-1)
    with pytest.raises(limber.InputError):
        limber.read_sweep(folder / "beam.yaml")


def test_ctrl_c_leaves_what_was_computed(tmp_path):
    study = SOURCE / "studies" / "slew_tolerances.yaml"
    code = f"import limber; limber.sweep({str(study)!r}, output={str(tmp_path / 'a.h5')!r}, threads=1)"
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "a.h5.part"
    for _ in range(3000):
        if journal.exists() and journal.stat().st_size > 500:
            break
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in child.communicate(timeout=60)[1]
    kept = limber.read_sweep(tmp_path / "a.h5")
    assert kept.status == "interrupted" and np.isfinite(kept.values).any()
    assert np.isnan(kept.values).any()
