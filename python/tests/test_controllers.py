# SPDX-License-Identifier: BSD-3-Clause
import os
import signal
import subprocess
import sys
import time
import traceback

import numpy as np
import pytest
from conftest import MODELS, SLEW, TEXT

import limber


class Pd(limber.Controller):
    """What the scenario's own pd does, once more."""

    def __init__(self, kp, kd, rate=None):
        self.kp, self.kd, self.rate = kp, kd, rate
        self.times = []

    def efforts(self, t, measured):
        self.times.append(t)
        s = min(t, 1.0)
        target = 0.3 * (10 * s**3 - 15 * s**4 + 6 * s**5)
        speed = 0.3 * (30 * s**2 - 60 * s**3 + 30 * s**4)
        return {"shoulder": self.kp * (target - measured["q"][0]) + self.kd * (speed - measured["v"][0])}


def undriven(slew):
    return {key: value for key, value in slew.items() if key not in ("actuation", "trajectories")}


def test_a_controller_of_ours_is_the_scenarios_own(slew):
    own = limber.simulate(slew)
    run = limber.simulate(undriven(slew), controllers=[Pd(3e4, 1e4)])
    np.testing.assert_allclose(run.q, own.q, atol=2e-6)
    np.testing.assert_allclose(run["effort.shoulder"], own["effort.shoulder"], atol=2.0)


def test_a_sampled_controller_is_the_scenarios_own_to_rounding(slew):
    sampled = {**slew, "actuation": [{"joint": "shoulder", "type": "pid", "kp": 3e4, "ki": 0, "kd": 1e4, "rate": 100, "target": {"trajectory": "way"}}],
               "integrator": {"method": "rk4", "step": 1e-3}}
    own = limber.simulate(sampled)
    controller = Pd(3e4, 1e4, rate=100)
    run = limber.simulate(undriven(sampled), controllers=[controller])
    np.testing.assert_allclose(run.q, own.q, atol=1e-11)
    np.testing.assert_allclose(controller.times, np.arange(200) / 100, rtol=0, atol=1e-12)  # each sample once, in order, at its time


def test_efforts_may_be_arrays_and_add_up(slew, boom):
    class Array(Pd):
        def efforts(self, t, measured):
            tau = np.zeros(boom.nv)
            tau[0] = 0.5 * super().efforts(t, measured)["shoulder"]
            return tau

    one = limber.simulate(undriven(slew), controllers=[Pd(3e4, 1e4, 200)])
    two = limber.simulate(undriven(slew), controllers=[Array(3e4, 1e4, 200), Array(3e4, 1e4, 200)])
    np.testing.assert_allclose(two.q, one.q, atol=1e-9)


def test_limits_of_joints_hold(boom):
    class Strong(limber.Controller):
        rate = 100

        def efforts(self, t, measured):
            return {"shoulder": 1e9}

    run = limber.simulate({"model": boom, "duration": 0.1}, controllers=[Strong()])
    assert run["effort.shoulder"].max() == 6000


def test_state_feedback_in_ten_lines(boom):
    held = limber.statics(boom)
    linear = limber.linearize(boom, held.q, tau=held.efforts)
    gain = limber.lqr_gain(linear.A, linear.B, np.diag([1e3] + [1.0] * 7), 1e-6 * np.eye(1))

    class Lqr(limber.Controller):
        rate = 1000

        def efforts(self, t, measured):
            x = np.concatenate([limber.difference(boom, held.q, measured["q"]), measured["v"]])
            return {"shoulder": held.joint_efforts["shoulder"] - float(gain @ x)}

    start = {"q": {"shoulder": 0.1}, "settle": True}
    run = limber.simulate({"model": boom, "duration": 6, "initial": start}, controllers=[Lqr()])
    assert abs(run.q[0, 0]) > 0.09
    assert np.max(np.abs(run.q[-1] - held.q)) < 1e-3


def test_an_exception_ends_the_run_with_its_traceback_and_what_was_reached(slew):
    class Breaks(limber.Controller):
        rate = 100

        def efforts(self, t, measured):
            return {"shoulder": 1 / 0 if t > 0.5 else 0.0}

    with pytest.raises(ZeroDivisionError) as caught:
        limber.simulate(undriven(slew), controllers=[Breaks()])
    assert "1 / 0 if t > 0.5" in "".join(traceback.format_exception(caught.value))
    run = caught.value.run
    assert 0.4 < run.time[-1] <= 0.52 and run.status == "failed: ZeroDivisionError: division by zero"
    assert run.summary["end"] == pytest.approx(0.51) and run.summary["metrics"]["joints"]["shoulder"]["peak_effort"] >= 0


@pytest.mark.parametrize("returned, message", [
    (None, r"Answers at t = 0 s.efforts: expected a map from joints to efforts, or an array of 4 numbers, found None"),
    ({"elbow": 1.0}, r"expected names of joints' coordinates, found `elbow`"),
    ({"boom.z1": 1.0}, r"expected names of joints' coordinates, found `boom.z1`"),
    ({"shoulder": "much"}, r"efforts.shoulder: expected a finite number \[N m or N\], found 'much'"),
    ({"shoulder": float("nan")}, r"expected a finite number"),
    (np.zeros(3), r"expected an array of shape \(4,\)"),
    (np.zeros((2, 4)), r"expected 4 numbers, found an array with more axes"),
    ([0, 0, 1, 0], r"expected 0 for `boom.z1`: no motor moves an elastic coordinate"),
    ([np.inf, 0, 0, 0], r"expected finite numbers"),
])
def test_what_are_no_efforts_is_said(returned, message, boom):
    class Answers(limber.Controller):
        rate = 10

        def efforts(self, t, measured):
            return returned

    with pytest.raises(limber.InputError, match=message) as caught:
        limber.simulate({"model": boom, "duration": 0.1}, controllers=[Answers()])
    assert len(caught.value.run) == 0


def test_what_are_no_controllers_is_said(boom):
    scenario = {"model": boom, "duration": 0.1}
    with pytest.raises(limber.InputError, match=r"controllers\[0\]: expected an object with a method efforts"):
        limber.simulate(scenario, controllers=[3])
    with pytest.raises(limber.InputError, match=r"controllers\[0\]: expected an object, found the class Pd \(make one of it: Pd\(\)\)"):
        limber.simulate(scenario, controllers=[Pd])
    with pytest.raises(limber.InputError, match="controllers: expected a list, found Pd"):
        limber.simulate(scenario, controllers=Pd(1, 1))
    with pytest.raises(limber.InputError, match="Pd.rate: expected None .* or a number > 0"):
        limber.simulate(scenario, controllers=[Pd(1, 1, rate=-5)])
    with pytest.raises(NotImplementedError, match="efforts"):
        limber.simulate(scenario, controllers=[limber.Controller()])


def test_controllers_are_told_of_the_arm_and_let_go(boom):
    import weakref

    class Asks(limber.Controller):
        def start(self, arm):
            self.arm = arm

        def efforts(self, t, measured):
            return {}

    controller = Asks()
    run = limber.simulate({"model": boom, "duration": 0.01}, controllers=[controller])
    assert controller.arm.name == "boom" and run.status == "complete"
    watched = weakref.ref(controller)
    del controller
    assert watched() is None  # the run holds none of it


def test_events_are_found_and_may_stop(boom):
    falls = {"model": boom, "duration": 2.0, "integrator": {"rtol": 1e-9}}
    seen = limber.simulate(falls, watches=[limber.Watch("low", lambda t, q, v: 0.2 + q[0])])
    stopped = limber.simulate(falls, watches=[limber.Watch("low", lambda t, q, v: 0.2 + q[0], stops=True)])
    when = seen.summary["events"][0]["time"]
    assert seen.summary["events"][0]["name"] == "low" and stopped.time[-1] == pytest.approx(when, abs=1e-8)
    assert stopped["shoulder"][-1] == pytest.approx(-0.2, abs=1e-8) and stopped.summary["stopped_by"]["name"] == "low"


def test_ctrl_c_ends_a_run_inside_a_controller(tmp_path):
    (tmp_path / "boom.yaml").write_text(TEXT)
    program = """
import limber
class Slow(limber.Controller):
    rate = 100
    def efforts(self, t, measured):
        print("ready", flush=True) if t == 0 else None
        return {}
try:
    limber.simulate({"model": "boom.yaml", "duration": 1e5, "output": {"rate": 1}}, controllers=[Slow()])
except KeyboardInterrupt as error:
    print(error.run.status, len(error.run) > 0, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ, cwd=tmp_path)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted True\n"


SENSORS = [{"name": "gauge", "type": "strain", "link": "boom", "at": 0.1, "offset": [0, 0.05]},
           {"name": "encoder", "type": "position", "joint": "shoulder", "rate": 50, "noise": 1e-3, "seed": 3},
           {"name": "tip", "type": "accelerometer", "link": "boom", "axis": [0, 0, 1]}]


class Looks(limber.Controller):
    """Keeps what it sees, and pushes."""

    def __init__(self, rate):
        self.rate, self.seen = rate, []

    def efforts(self, t, measured):
        self.seen.append(dict(measured, t=t))
        return {"shoulder": 2943 + 500 * np.sin(5 * t)}


def test_sampled_controllers_see_the_scenarios_sensors(boom):
    controller = Looks(50)
    run = limber.simulate({"model": boom, "duration": 1.0, "sensors": SENSORS, "output": {"rate": 50}}, controllers=[controller])
    assert set(controller.seen[0]) == {"t", "q", "v", "gauge", "encoder", "tip"}
    for k, seen in enumerate(controller.seen):
        ideal = limber.measure(boom, SENSORS, seen["q"], seen["v"])
        assert seen["gauge"] == pytest.approx(ideal["gauge"], rel=1e-9, abs=1e-15)
        assert seen["encoder"] == run["encoder"][k]  # the same sample, noise included
        assert np.isfinite(seen["tip"])
    errors = np.array([seen["encoder"] - seen["q"][0] for seen in controller.seen])
    assert 5e-4 < np.std(errors) < 2e-3
    # An accelerometer shows what the efforts up to its sample did.
    before = limber.measure(boom, SENSORS, controller.seen[20]["q"], controller.seen[20]["v"], [2943 + 500 * np.sin(5 * 0.38), 0, 0, 0])
    assert controller.seen[20]["tip"] == pytest.approx(before["tip"], rel=1e-6)


def test_controllers_that_are_asked_all_the_time_see_what_is_a_function_of_the_state(boom):
    controller = Looks(None)
    limber.simulate({"model": boom, "duration": 0.1, "sensors": SENSORS}, controllers=[controller])
    assert set(controller.seen[0]) == {"t", "q", "v", "gauge", "encoder"}  # of an accelerometer it would see its own answer


def test_feedback_of_a_gauge_damps(boom):
    class Gauge(limber.Controller):
        rate = 500

        def __init__(self, gain):
            self.gain = gain

        def start(self, arm):
            self.last = None

        def efforts(self, t, measured):
            slope = 0.0 if self.last is None else (measured["gauge"] - self.last) * self.rate
            self.last = measured["gauge"]
            return {"shoulder": self.gain * slope}

    held = limber.load(boom.to_dict(), set={"links.boom.joint.stiffness": 1e6, "gravity": [0, 0, 0]})
    ringing = {"model": held, "duration": 2.0, "sensors": SENSORS, "initial": {"q": {"boom.z1": 0.02}}}
    worse, none, better = (np.ptp(limber.simulate(ringing, controllers=[Gauge(gain)])["boom.z1"][-100:]) for gain in (-2e4, 0.0, 2e4))
    assert better < 0.98 * none < 0.98**2 * worse
