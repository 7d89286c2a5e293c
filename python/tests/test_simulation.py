# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import MODELS, SLEW, TEXT

import limber

SCENARIO = MODELS / "canadarm" / "manoeuvre.yaml"


@pytest.fixture(scope="module")
def run():
    return limber.simulate(SCENARIO, set={"duration": 3})


def test_rows_are_the_programs(run, program, tmp_path):
    said = program("simulate", SCENARIO, "-o", tmp_path / "run.h5", "--csv", tmp_path / "run.csv", "--set", "duration=3")
    with open(tmp_path / "run.csv") as file:
        rows = list(csv.reader(file))
    assert rows[0] == run.columns
    table = np.array(rows[1:], float)
    for i, column in enumerate(run.columns):
        np.testing.assert_allclose(run[column], table[:, i], rtol=1e-9, atol=1e-9 * np.max(np.abs(table[:, i]), initial=1e-30))
    assert run.summary["steps"] == said["steps"] and run.warnings == said["warnings"]
    np.testing.assert_allclose(run.summary["final"]["q"], said["final"]["q"], rtol=1e-9)
    read = limber.read(tmp_path / "run.h5")
    np.testing.assert_allclose(read.q, run.q, rtol=1e-9, atol=1e-12)


def test_names_lead_to_columns(run):
    arm = limber.load(MODELS / "canadarm" / "canadarm.yaml")
    assert run.time.ndim == 1 and run.q.shape == (len(run), arm.nq) and run.v.shape == (len(run), arm.nv)
    name = arm.coordinates[0]
    np.testing.assert_array_equal(run[name], run.q[:, 0])
    np.testing.assert_array_equal(run["v." + name], run.v[:, 0])
    assert run["wrenches"].shape == (len(run), len(arm.links), 6)
    joint = arm.links[1].joint
    np.testing.assert_array_equal(run[f"wrench.{joint}.fy"], run["wrenches"][:, 1, 1])
    assert run["energy/strain"].ndim == 1 and run["end_effector/position"].shape[1] == 3
    assert "efforts" in run and "nonsense" not in run and run.unit("q") == "rad or m"
    with pytest.raises(KeyError, match="nonsense"):
        run["nonsense"]
    with pytest.raises(ValueError):
        run.q[0, 0] = 1.0  # nobody changes what was computed


def test_runs_are_saved_read_and_pickled(run, tmp_path):
    run.save(tmp_path / "run.h5")
    for again in (limber.read(tmp_path / "run.h5"), pickle.loads(pickle.dumps(run)),
                  pickle.loads(pickle.dumps(limber.read(tmp_path / "run.h5")))):
        assert again.columns == run.columns and again.status == "complete" and again.warnings == run.warnings
        for path in run.quantities:
            np.testing.assert_array_equal(again[path], run[path])
    limber.read(tmp_path / "run.h5").save(tmp_path / "copy.h5")
    assert len(limber.read(tmp_path / "copy.h5")) == len(run)


def test_tables(run, tmp_path):
    pandas = pytest.importorskip("pandas")
    table = run.to_dataframe()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "time" and list(table.columns) == run.columns[1:]
    run.to_csv(tmp_path / "run.csv")
    np.testing.assert_array_equal(pandas.read_csv(tmp_path / "run.csv", float_precision="round_trip")["time"], run.time)


def test_datasets(run):
    xarray = pytest.importorskip("xarray")
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["q"].shape == run.q.shape and data["energy/strain"].dims == ("time",)


def test_what_the_program_says_of_a_run(run, program, tmp_path):
    said = program("simulate", SCENARIO, "-o", tmp_path / "run.h5", "--set", "duration=3")
    assert set(said) - {"result"} == set(run.summary)
    assert said["metrics"] == run.summary["metrics"] and said["peaks"] == run.summary["peaks"] and said["events"] == run.summary["events"]
    run.save(tmp_path / "again.h5")
    assert limber.read(tmp_path / "again.h5").status == "complete"


def test_figures(run, tmp_path):
    assert run.svg("joints").startswith("<svg") and run.svg("motion").startswith("<svg")
    pytest.importorskip("matplotlib").use("Agg")
    for what in ("joints", "end-effector", "efforts"):
        axes = run.plot(what)
        assert axes.lines and axes.get_xlabel() and axes.get_title()
    with pytest.raises(limber.InputError, match="what: expected joints, "):
        run.plot("nonsense")


def test_pages(run, tmp_path):
    try:
        run.report(tmp_path / "run.html")
    except limber.ComputationError as error:
        pytest.skip(str(error))  # built without the viewer
    assert (tmp_path / "run.html").read_text().lstrip().lower().startswith("<!doctype html")
    limber.report([run, run], tmp_path / "both.html")
    assert "<iframe" in run._repr_html_()


def test_a_scenario_may_be_a_dictionary_with_a_model_in_it(slew, boom, tmp_path):
    run = limber.simulate(slew)
    assert run["shoulder"][-1] == pytest.approx(0.3 - 2943 / 3e4, abs=0.01) and len(run) == 101
    file = tmp_path / "boom.yaml"
    file.write_text(TEXT)
    same = limber.simulate({**SLEW, "model": str(file)})
    np.testing.assert_array_equal(same.q, run.q)
    shorter = limber.simulate(slew, set={"duration": 0.5, "model.links.boom.tip.mass": 5})
    assert shorter.time[-1] == 0.5 and not np.array_equal(shorter.q[10], run.q[10])
    with pytest.raises(limber.InputError, match=r"^actuation\[0\].joint: "):
        limber.simulate({**slew, "actuation": [{"joint": "elbow", "type": "pd", "kp": 1, "kd": 1, "target": {"trajectory": "way"}}]})


def test_formulations_agree(slew):
    outcomes = limber.compare(slew, formulations=["recursive", "dense", "dae"])
    assert [outcome.formulation for outcome in outcomes] == ["recursive", "dense", "dae"]
    assert all(outcome.error == "" and outcome.q < 1e-5 for outcome in outcomes)
    with pytest.raises(limber.InputError, match="formulation"):
        limber.simulate(slew, formulation="lagrange")


def test_a_run_that_fails_keeps_what_was_reached(boom):
    falling = {"model": boom, "duration": 5.0, "integrator": {"method": "euler", "step": 0.01}}
    with pytest.raises(limber.ComputationError) as caught:
        limber.simulate(falling)
    run = caught.value.run
    assert len(run) > 0 and run.time[-1] < 5.0 and run.status.startswith("failed: ")


def test_results_that_are_none_are_refused(tmp_path):
    (tmp_path / "none.h5").write_bytes(b"nothing")
    with pytest.raises(limber.InputError, match="none.h5"):
        limber.read(tmp_path / "none.h5")


def test_two_threads_share_an_arm(canadarm):
    q = np.random.default_rng(1).standard_normal((400, canadarm.nq)) * 0.1
    wanted = limber.mass_matrix(canadarm, q)
    wrong = []

    def work():
        for _ in range(20):
            if not np.array_equal(limber.mass_matrix(canadarm, q), wanted):
                wrong.append("batch")
            if not np.array_equal(limber.mass_matrix(canadarm, q[7]), wanted[7]):
                wrong.append("single")

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_processes_share_models_and_runs(slew, boom):
    import multiprocessing
    with multiprocessing.get_context("fork").Pool(2) as pool:
        masses = pool.map(_mass_of, [boom, boom])
        runs = pool.map(limber.simulate, [dict(slew), dict(slew)])
    assert masses == [boom.mass] * 2
    np.testing.assert_array_equal(runs[0].q, runs[1].q)


def _mass_of(arm):
    return arm.mass


def test_ctrl_c_ends_a_run():
    program = f"""
import limber
print("ready", flush=True)
try:
    limber.simulate({str(SCENARIO)!r}, set={{"duration": 1e5, "output.rate": 1}})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted\n"
