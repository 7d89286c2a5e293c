# SPDX-License-Identifier: BSD-3-Clause
import threading

import numpy as np
import pytest

import limber

FIXED = {"integrator": {"method": "rk4", "step": 1e-3}}


@pytest.fixture
def fixed(slew):
    return {**slew, **FIXED}


def test_steps_are_those_of_a_run(fixed):
    run, sim = limber.simulate(fixed), limber.Simulator(fixed)
    assert sim.method == "rk4" and sim.t == 0.0 and sim.arm.name == "boom"
    for k in range(1, 101):
        sim.advance_to(k / 50)
        np.testing.assert_allclose(sim.q, run.q[k], rtol=0, atol=1e-15)  # rows are interpolated, to rounding
    np.testing.assert_array_equal(sim.q, run.summary["final"]["q"])
    assert sim.state.t == 2.0 and sim.state.q.shape == (4,) and sim.state.v.shape == (4,)


def test_efforts_from_outside(boom):
    scenario = {"model": boom, "duration": 1.0, **FIXED}
    by_name, by_array = limber.Simulator(scenario), limber.Simulator(scenario)
    for _ in range(50):
        by_name.step(0.01, {"shoulder": 3000 - 100 * by_name.v[0]})
        by_array.step(0.01, [3000 - 100 * by_array.v[0], 0, 0, 0])
    np.testing.assert_array_equal(by_name.q, by_array.q)
    assert by_name.q[0] > 0
    by_name.set_efforts({})
    by_name.step(0.5)  # from now on it falls
    assert by_name.v[0] < 0
    with pytest.raises(limber.InputError, match="efforts: expected names of joints' coordinates, found `elbow`"):
        by_name.step(0.01, {"elbow": 1})
    with pytest.raises(limber.InputError, match="Simulator::step: h"):
        by_name.step(0.0)
    with pytest.raises(limber.InputError, match="advance_to"):
        by_name.advance_to(0.1)


def test_saved_and_restored_it_goes_on_to_the_last_bit(fixed):
    class Counts(limber.Controller):
        rate = 100

        def __init__(self):
            self.samples = 0

        def efforts(self, t, measured):
            self.samples += 1
            return {"shoulder": float(self.samples)}

    controller = Counts()
    sim = limber.Simulator(fixed, controllers=[controller])
    sim.advance_to(0.305)
    saved = sim.save()
    sim.advance_to(0.7)
    first, count = sim.q, controller.samples
    sim.restore(saved)
    assert sim.t == pytest.approx(0.305) and controller.samples == 31
    sim.advance_to(0.7)
    np.testing.assert_array_equal(sim.q, first)
    assert controller.samples == count
    with pytest.raises(limber.InputError, match="saved: expected what save"):
        sim.restore(3)
    with pytest.raises((limber.InputError, TypeError)):
        sim.restore((None, [None]))


def test_loads_bend_it(boom):
    still = {"trajectories": {"still": {"type": "constant", "value": 0}}, "actuation": [{"joint": "shoulder", "type": "prescribed", "target": {"trajectory": "still"}}]}
    sim = limber.Simulator({"model": boom, "duration": 1.0, **still})
    sim.set_load("boom", [0, 0, 500])
    sim.step(0.2)
    up = sim.q[boom.position_index("boom.z1")]
    sim.set_load("boom", [0, 0, 0], moment=[0, 0, 0])
    sim.set_state(boom.neutral(), np.zeros(4))
    sim.step(0.2)
    assert up > sim.q[boom.position_index("boom.z1")]
    with pytest.raises(limber.InputError, match="no index: the scenario has no `loads`"):
        sim.set_load(0, [1, 0, 0])
    with pytest.raises(limber.InputError, match="load: expected the name of a link"):
        sim.set_load(1.5, [1, 0, 0])
    with pytest.raises(limber.InputError, match=r"force: expected an array of shape \(3,\)"):
        sim.set_load("boom", [1, 0])


def test_it_is_put_where_it_is_told(boom):
    scenario = {"model": boom, "duration": 1.0, **FIXED}
    q, v = np.array([0.2, 0.0, 0.01, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])
    put, begun = limber.Simulator(scenario), limber.Simulator({**scenario, "initial": {"q": {"shoulder": 0.2, "boom.z1": 0.01}, "v": {"shoulder": 1.0}}})
    put.set_state(q, v)
    np.testing.assert_array_equal(put.q, q)
    for sim in (put, begun):
        sim.step(0.1)
    np.testing.assert_array_equal(put.q, begun.q)
    put.set_state(q)  # at rest
    assert put.t == pytest.approx(0.1) and not put.v.any()
    with pytest.raises(limber.InputError, match=r"q: expected an array of shape \(4,\)"):
        put.set_state([0.0])
    with pytest.raises((limber.InputError, limber.ComputationError)):
        put.set_state([np.nan, 0, 0, 0])


def test_events(boom):
    sim = limber.Simulator({"model": boom, "duration": 2.0}, watches=[limber.Watch("low", lambda t, q, v: 0.2 + q[0], stops=True)])
    sim.advance_to(2.0)
    assert sim.t < 1.0 and sim.q[0] == pytest.approx(-0.2, abs=1e-8) and sim.events == [(sim.t, "low")]
    sim.advance_to(1.0)  # the next call goes on
    assert sim.t == 1.0
    with pytest.raises(ZeroDivisionError):
        limber.Simulator({"model": boom, "duration": 2.0}, watches=[limber.Watch("bad", lambda t, q, v: 1 / 0)]).step(0.1)


def test_whoever_comes_while_it_steps_is_sent_away(boom):
    class Curious(limber.Controller):
        rate = 10

        def efforts(self, t, measured):
            sim.step(0.1)
            return {}

    sim = limber.Simulator({"model": boom, "duration": 1.0}, controllers=[Curious()])
    with pytest.raises(limber.ComputationError, match="this simulator is taking a step"):
        sim.step(0.1)

    refused, long = [], limber.Simulator({"model": boom, "duration": 100.0, "integrator": {"method": "rk4", "step": 1e-4}})

    def work():
        for _ in range(30):
            try:
                long.step(0.05)
            except limber.ComputationError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("one thread at a time" in text for text in refused)
    assert long.t == pytest.approx(0.05 * (60 - len(refused)))


def test_a_motion_that_diverges_stops_where_it_was(boom):
    sim = limber.Simulator({"model": boom, "duration": 5.0, "integrator": {"method": "euler", "step": 0.01}})
    with pytest.raises(limber.ComputationError):
        sim.advance_to(5.0)
    assert 0 < sim.t < 5 and np.all(np.isfinite(sim.q))


def test_sensors_show_what_rows_of_a_run_show(fixed):
    sensors = [
        {"name": "angle", "type": "position", "joint": "shoulder", "rate": 100, "quantum": 1e-4},
        {"name": "gauge", "type": "strain", "link": "boom", "at": 0.1, "offset": [0.1, 0.0], "rate": 100, "delay": 0.02, "noise": 1e-6},
        {"name": "tip", "type": "accelerometer", "link": "boom", "axis": [0, 0, 1]},
    ]
    scenario = {**fixed, "sensors": sensors}
    run, sim = limber.simulate(scenario), limber.Simulator(scenario)
    assert list(sim.readings) == ["angle", "gauge", "tip"]
    for k in (1, 2, 7, 50):
        sim.advance_to(k / 50)
        for name, value in sim.readings.items():
            assert value == pytest.approx(run[name][k], rel=1e-9, abs=1e-12), name
    saved, shown = sim.save(), sim.readings
    sim.advance_to(1.5)
    assert sim.readings["gauge"] != shown["gauge"]
    sim.restore(saved)
    assert sim.readings == shown
    assert limber.Simulator(fixed).readings == {}
    late = {**fixed, "sensors": [{"name": "late", "type": "position", "joint": "shoulder", "delay": 0.01}]}
    with pytest.raises(limber.InputError, match=r"sensors\[0\]: expected a `rate` besides its `delay`"):
        limber.Simulator(late).readings
