# SPDX-License-Identifier: BSD-3-Clause
import json
import pickle

import numpy as np
import pytest
from conftest import ARMS, MODELS

import limber

ELASTIC = [path for path in ARMS if limber.load(path).nv > len(limber.load(path).links)]


@pytest.mark.parametrize("file", ELASTIC[:6], ids=lambda path: path.stem)
def test_modes_are_the_programs(file, program):
    arm, said = limber.load(file), program("modes", file, "--count", 4)
    modes = limber.modes(arm, count=4)
    np.testing.assert_allclose(modes.frequencies_hz, said["frequencies_hz"], rtol=1e-10)
    np.testing.assert_allclose(modes.shapes.T, said["shapes"], atol=1e-8)
    for k, shares in enumerate(said["participation"]):
        np.testing.assert_allclose(modes.participation[:, k], [shares[name] for name in arm.coordinates], atol=1e-8)


def test_modes_of_a_clamped_beam_are_the_textbooks(boom):
    bare = limber.load(boom.to_dict(), set={"links.boom.tip.mass": 0, "links.boom.beam.modes.z.count": 6})
    modes = limber.modes(bare, joints="locked", count=2)
    unit = np.sqrt(1e6 / 10) / 6**2 / (2 * np.pi)
    lowest_of_z = modes.frequencies_hz[np.argmax(modes.participation[bare.coordinate_index("boom.z1")])]
    assert lowest_of_z == pytest.approx(1.87510407**2 * unit, rel=1e-4)


def test_modes_of_a_spun_beam_are_stiffer(boom):
    slow, fast = (limber.modes(boom, spin={"shoulder": rate}).frequencies_hz[0] for rate in (0.0, 20.0))
    assert fast > 1.05 * slow
    with pytest.raises(limber.InputError, match="joints: expected `held`, `locked`, `free` or `as-modelled`"):
        limber.modes(boom, joints="loose")
    with pytest.raises(limber.InputError, match="count: expected an integer > 0"):
        limber.modes(boom, count=0)


def test_statics_are_the_programs(program, tmp_path):
    file = MODELS / "crane" / "crane.yaml"
    arm = limber.load(file)
    q = {arm.links[1].joint: 0.4}
    load = {"link": arm.links[-1].name, "force": [0, 0, -500]}
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"q": q, "loads": [load]}))
    said, found = program("statics", file, "--state", state), limber.statics(arm, q, loads=[load])
    np.testing.assert_allclose(found.q, said["q"], atol=1e-12)
    np.testing.assert_allclose(found.end_effector[0], said["end_effector"]["position"], atol=1e-12)
    np.testing.assert_allclose(found.sag, said["sag"]["displacement"], atol=1e-12)
    for name, effort in said["joint_efforts"].items():
        assert found.joint_efforts[name] == pytest.approx(effort, rel=1e-9, abs=1e-6)


def test_a_boom_sags_as_the_formula_says(boom):
    found = limber.statics(boom, linear=True)
    assert -found.sag[2] == pytest.approx((10 * 6 / 8 + 20 / 3) * 9.81 * 6**3 / 1e6, rel=1e-9)
    assert abs(found.joint_efforts["shoulder"]) == pytest.approx((10 * 6 / 2 + 20) * 9.81 * 6, rel=1e-9)
    assert found.stable and found.warnings == []


def test_limits_are_said(boom):
    found = limber.statics(boom, {"shoulder": 2.5})
    assert any("shoulder" in warning for warning in found.warnings)


def test_reach_brings_the_hand_to_its_place(boom):
    place, _ = limber.pose(boom, limber.statics(boom, {"shoulder": 0.5}).q)
    found = limber.reach(boom, place, q={"shoulder": 0.3})
    np.testing.assert_allclose(found.end_effector[0], place, atol=1e-8)
    with pytest.raises(limber.ComputationError):
        limber.reach(boom, [100, 0, 0])


def test_a_column_buckles_at_eulers_load():
    column = limber.load("""
limber: 1
name: column
gravity: [0, 0, 0]
links:
  - {name: beam, joint: {type: fixed}, beam: {length: 2, section: {EI_z: 100, mass_per_length: 1}, modes: {y: {count: 4}}}}
""")
    load = {"link": "beam", "force": [-1, 0, 0]}
    found = limber.critical_load(column, loads=[load], limit=100)
    assert found.kind == "divergence" and found.factor == pytest.approx(np.pi**2 * 100 / (4 * 2**2), rel=1e-3)
    assert limber.critical_load(column, loads=[load], limit=10) is None


def test_linear_models_are_the_programs(program):
    file = MODELS / "canadarm" / "canadarm.yaml"
    arm, said = limber.load(file), program("linearize", file)
    linear = limber.linearize(arm)
    assert (linear.states, linear.inputs, linear.outputs) == (said["states"], said["inputs"], said["outputs"])
    for name in "ABCD":
        wanted = np.array(said[name])
        np.testing.assert_allclose(getattr(linear, name), wanted, atol=1e-9 * np.max(np.abs(wanted), initial=1e-300))
    assert linear.poles.shape == (2 * arm.nv,)
    G = linear.frequency_response([0.3, 1.0])
    x = 2j * np.pi * 1.0 * np.eye(2 * arm.nv) - linear.A
    np.testing.assert_allclose(G[1], linear.C @ np.linalg.solve(x, linear.B) + linear.D, rtol=1e-6, atol=1e-12)


def test_zeros_are_the_programs(program, boom, tmp_path):
    file = tmp_path / "boom.yaml"
    file.write_text(json.dumps(boom.to_dict()))
    said, found = program("zeros", file, "--outputs", "boom@1.z"), limber.zeros(boom, outputs=["boom@1.z"])
    np.testing.assert_allclose(np.column_stack([found.zeros.real, found.zeros.imag]), said["zeros"], rtol=1e-8, atol=1e-8)
    assert (found.phase, found.verdict) == (said["phase"], said["verdict"])
    assert found.phase == "non-minimum"  # the tip goes the wrong way first


def test_lqr_makes_the_boom_stable(boom):
    linear = limber.linearize(boom, settle=True)
    n = len(linear.states)
    L = limber.lqr_gain(linear.A, linear.B, np.eye(n), 1e-6 * np.eye(1))
    assert np.max(np.linalg.eigvals(linear.A - linear.B @ L).real) < 0
    with pytest.raises(limber.InputError, match=r"Q: expected an array of shape \(8, 8\), found shape \(3, 3\)"):
        limber.lqr_gain(linear.A, linear.B, np.eye(3), np.eye(1))


def test_gauges_see_the_curvature(boom):
    found = limber.statics(boom)
    rows = limber.strains(boom, found.q, "boom", points=5)
    assert rows.shape == (5, 5) and rows[-1, 0] == 6.0
    assert abs(rows[0, 1]) == pytest.approx((20 * 6 + 10 * 18) * 9.81 / 1e6, rel=0.1)


def test_results_are_pickled_and_show_themselves(boom):
    for result in (limber.modes(boom), limber.statics(boom), limber.linearize(boom), limber.derivatives(boom, boom.neutral()),
                   limber.zeros(boom, outputs=["shoulder"]), limber.energy(boom, boom.neutral(), np.zeros(4))):
        again = pickle.loads(pickle.dumps(result))
        for key, value in result.to_dict().items():
            for one, other in zip(value, again.to_dict()[key]) if isinstance(value, tuple) else [(value, again.to_dict()[key])]:
                np.testing.assert_array_equal(one, other)
        assert repr(result).startswith(type(result).__name__ + "(")


def test_equations_are_derived(boom, tmp_path):
    flat = limber.load(boom.to_dict(), set={"kinematics": "first", "links.boom.beam.modes": {"z": {"count": 1}}})
    text = limber.derive(flat, only="M[1,1]", folder=tmp_path)
    assert "M[1,1]" in text and (tmp_path / "boom.txt").read_text() == text
    assert "\\begin" in limber.derive(flat, format="latex")
    assert "#pragma once" in limber.derive(flat, format="cpp")
    with pytest.raises(limber.InputError, match="format: expected"):
        limber.derive(flat, format="fortran")


def test_equations_of_sympy_have_the_numbers_of_the_library(boom):
    sympy = pytest.importorskip("sympy")
    flat = limber.load(boom.to_dict(), set={"links.boom.beam.modes": {"z": {"count": 2}}})
    q, v = np.array([0.4, 0.02, -0.01]), np.array([0.3, -0.2, 0.1])
    values = {**limber.parameter_values(flat), **{f"q{i + 1}": q[i] for i in range(3)}, **{f"v{i + 1}": v[i] for i in range(3)}}
    found = {letter: np.array(matrix.subs({sympy.Symbol(name, real=True): value for name, value in values.items()}), float)
             for letter, matrix in limber.equations(flat).items()}
    np.testing.assert_allclose(found["M"], limber.mass_matrix(flat, q), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["G"][:, 0], limber.gravity(flat, q), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found["C"] @ v + found["G"][:, 0], limber.bias(flat, q, v), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found["K"], flat.stiffness, rtol=1e-9, atol=1e-9)


def test_equations_that_bend_in_space_are_sympys_too(boom):
    sympy = pytest.importorskip("sympy")
    spatial = limber.load(boom.to_dict(), set={"kinematics": "second"})
    matrices, values = limber.derive(spatial, only="M,h"), limber.parameter_values(spatial)
    q, v = [0.3, 0.02, -0.03, 0.01], [0.5, 0.1, -0.2, 0.3]
    numbers = {sympy.Symbol(f"{letter}{i + 1}", real=True): x for letter, vector in (("q", q), ("v", v)) for i, x in enumerate(vector)}
    numbers.update({sympy.Symbol(name, real=True): value for name, value in values.items()})
    M = np.array(matrices["M"].subs(numbers).evalf().tolist(), float)
    np.testing.assert_allclose(M, limber.mass_matrix(spatial, q), rtol=0, atol=1e-9 * np.max(M))
    h = np.array(matrices["h"].subs(numbers).evalf().tolist(), float)[:, 0]
    np.testing.assert_allclose(h, limber.bias(spatial, q, v), rtol=0, atol=1e-9 * np.max(np.abs(h)))


def test_equations_of_a_beam_that_slides_through_a_guide_have_its_free_length(tmp_path):
    arm = limber.load({"limber": 1, "name": "extending", "gravity": [0, -9.81, 0], "links": [
        {"name": "mast", "joint": {"name": "lift", "axis": [0, 0, 1]}, "rigid": {"mass": 3, "com": [0.1, 0, 0], "tip": {"xyz": [0.3, 0, 0]}}},
        {"name": "boom", "joint": {"name": "slide", "type": "prismatic", "telescoping": True, "axis": [1, 0, 0]}, "root": {"xyz": [-0.7, 0, 0]},
         "beam": {"length": 2, "section": {"EI_y": 40, "EI_z": 30, "mass_per_length": 1.7}, "modes": {"y": {"count": 1}}}, "tip": {"mass": 0.6}}]})
    assert "\nl2 = L2 - c2 + q2\n" in limber.derive(arm, only="M", folder=tmp_path)
    q, v = np.array([0.4, 0.3, 0.02]), np.array([0.3, -0.2, 0.1])
    compiled = limber.compile(arm, parameters="symbols")
    np.testing.assert_allclose(compiled.mass_matrix(q), limber.mass_matrix(arm, q), rtol=0, atol=1e-12)
    np.testing.assert_allclose(compiled.bias(q, v), limber.bias(arm, q, v), rtol=0, atol=1e-11)
    assert compiled.stiffness(q)[2, 2] < compiled.stiffness(np.zeros(3))[2, 2]  # longer: softer


def test_compiled_equations_are_the_librarys(boom):
    compiled = limber.compile(boom, parameters="symbols")
    random = np.random.default_rng(1)
    q, v, u = 0.1 * random.standard_normal((7, 4)), random.standard_normal((7, 4)), random.standard_normal((7, 4))

    def same(found, wanted):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11 * np.max(np.abs(wanted)))

    same(compiled.mass_matrix(q), limber.mass_matrix(boom, q))
    same(compiled.bias(q, v), limber.bias(boom, q, v))
    same(compiled.jacobian(q[0]), limber.jacobian(boom, q[0]))
    same(compiled.accelerations(q, v, u), limber.forward_dynamics(boom, q, v, u))
    same(compiled.mass_matrix(q, parameters={"mp1": 50}), limber.mass_matrix(limber.load(boom.to_dict(), set={"links.boom.tip.mass": 50}), q))
    M, h, J = compiled.equations(q.reshape(7, 1, 4), v.reshape(7, 1, 4))
    assert M.shape == (7, 1, 4, 4) and h.shape == (7, 1, 4) and J.shape == (7, 1, 6, 4)
    same(compiled.stiffness(), boom.stiffness)
    for wrong in (lambda: compiled.mass_matrix(q[:, :3]), lambda: compiled.bias(q), lambda: compiled.bias(q, v[:3]),
                  lambda: compiled.mass_matrix(q, parameters={"nothing": 1})):
        with pytest.raises(limber.InputError):
            wrong()


def test_a_compiler_that_is_not_there_is_said(boom, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(limber.ComputationError, match="`no-such-compiler` is not there: install g[+][+]"):
        limber.compile(boom)
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(limber.ComputationError, match="does not compile"):
        limber.compile(boom)


SENSORS = [{"name": "gauge", "type": "strain", "link": "boom", "at": 0.1, "offset": [0, 0.05]}, {"name": "encoder", "type": "position", "joint": "shoulder"},
           {"name": "tip", "type": "accelerometer", "link": "boom", "axis": [0, 0, 1]}]


def test_sensors_are_the_programs(boom, program, tmp_path):
    q, v, tau = [0.3, 0.01, 0.02, -0.01], [0.1, 0.2, 0.3, 0.4], [5.0, 0, 0, 0]
    for name, content in (("arm", boom.to_dict()), ("state", {"q": q, "v": v, "tau": tau}), ("sensors", {"sensors": SENSORS})):
        (tmp_path / f"{name}.yaml").write_text(json.dumps(content))
    said = program("eval", tmp_path / "arm.yaml", "--state", tmp_path / "state.yaml", "--sensors", tmp_path / "sensors.yaml")["sensors"]
    for sensors in (SENSORS, {"sensors": SENSORS}, tmp_path / "sensors.yaml", str(tmp_path / "sensors.yaml")):
        assert limber.measure(boom, sensors, q, v, tau) == pytest.approx(said, rel=1e-11)
    many = limber.measure(boom, SENSORS, np.tile(q, (50, 1)), v, tau)
    assert many["tip"].shape == (50,) and many["tip"][49] == pytest.approx(said["tip"], rel=1e-12)
    with pytest.raises(limber.InputError, match=r"sensors\[0\].link"):
        limber.measure(boom, [{"name": "gauge", "type": "strain", "link": "bom", "at": 0.1}], q)


def test_sensors_are_outputs_of_linear_models(boom):
    held = limber.statics(boom)
    linear = limber.linearize(boom, held.q, tau=held.efforts, sensors=SENSORS, outputs=["gauge", "tip"])
    assert linear.outputs == ["gauge", "tip"]
    step = 1e-6 * np.eye(4)[2]
    up, down = (limber.measure(boom, SENSORS, limber.displace(boom, held.q, sign * step), tau=held.efforts) for sign in (1, -1))
    for row, name in enumerate(linear.outputs):
        assert linear.C[row, 2] == pytest.approx((up[name] - down[name]) / 2e-6, rel=1e-6)
    assert limber.zeros(boom, outputs=["gauge"], sensors=SENSORS).outputs == ["gauge"]


def test_linear_models_are_drawn(boom):
    pytest.importorskip("matplotlib").use("Agg")
    linear = limber.linearize(boom, outputs=["shoulder", "boom@1.z"])
    above, below = linear.plot_bode(output="boom@1.z")
    frequencies, magnitude = above.lines[0].get_data()
    np.testing.assert_allclose(magnitude, np.abs(linear.frequency_response(frequencies)[:, 1, 0]), rtol=1e-12)
    assert below.get_xlabel() == "frequency [Hz]"
    axes = linear.plot_root_locus(gains=[0.0, 2e4], output="shoulder")
    found = np.sort_complex(np.round(axes.lines[0].get_xdata() + 1j * axes.lines[0].get_ydata(), 6))
    wanted = np.concatenate([np.linalg.eigvals(linear.A - k * linear.B @ linear.C[:1]) for k in (0.0, 2e4)])
    np.testing.assert_allclose(found, np.sort_complex(np.round(wanted, 6)), atol=1e-4)
    with pytest.raises(limber.InputError, match="output: expected one of shoulder, boom@1.z"):
        linear.plot_bode(output="elbow")
