# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pytest
from conftest import ARMS, random_state

import limber


@pytest.mark.parametrize("file", ARMS, ids=lambda path: path.stem)
def test_all_is_as_the_program_has_it(file, program, tmp_path):
    arm = limber.load(file)
    q, v, tau = random_state(arm, 3, size=0.02)
    a = np.linspace(-1, 1, arm.nv)
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"q": list(q), "v": list(v), "tau": list(tau), "acceleration": list(a)}))
    said = program("eval", file, "--state", state)

    def same(value, wanted):
        scale = np.max(np.abs(wanted), initial=1e-300)
        np.testing.assert_allclose(value, wanted, rtol=0, atol=1e-11 * scale)

    same(limber.mass_matrix(arm, q), said["mass_matrix"])
    same(limber.bias(arm, q, v), said["bias"])
    same(limber.gravity(arm, q), said["gravity"])
    same(limber.coriolis_matrix(arm, q, v), said["coriolis_matrix"])
    same(limber.forward_dynamics(arm, q, v, tau), said["acceleration"])
    same(limber.inverse_dynamics(arm, q, v, a), said["inverse_dynamics"])
    same(limber.jacobian(arm, q), said["jacobian"])
    same(limber.pose(arm, q)[0], said["end_effector"]["position"])
    same(limber.pose(arm, q)[1], said["end_effector"]["rotation"])
    same(arm.stiffness, said["stiffness"])
    same(arm.damping, said["damping"])
    energy = limber.energy(arm, q, v)
    for kind in ("kinetic", "gravity", "strain"):
        assert getattr(energy, kind) == pytest.approx(said["energy"][kind], rel=1e-11, abs=1e-11)
    wrenches = limber.joint_wrenches(arm, q, v, tau)
    for link, wrench in zip(arm.links, wrenches):
        wanted = said["wrenches"][link.joint]
        same(wrench, wanted["force"] + wanted["moment"])


def test_inverse_dynamics_undoes_forward_dynamics(canadarm):
    q, v, tau = random_state(canadarm, 4)
    a = limber.forward_dynamics(canadarm, q, v, tau)
    np.testing.assert_allclose(limber.inverse_dynamics(canadarm, q, v, a), tau, atol=1e-9)
    inertial = limber.inverse_dynamics(canadarm, q, v, a, passive=False)
    np.testing.assert_allclose(inertial, limber.mass_matrix(canadarm, q) @ a + limber.bias(canadarm, q, v), atol=1e-8)


def test_derivatives_are_those_of_finite_differences(canadarm):
    q, v, tau = random_state(canadarm, 5, size=0.02)
    d = limber.derivatives(canadarm, q, v, tau)
    step = 1e-6
    for j in range(canadarm.nv):
        e = np.eye(canadarm.nv)[j] * step
        dq = (limber.forward_dynamics(canadarm, limber.displace(canadarm, q, e), v, tau)
              - limber.forward_dynamics(canadarm, limber.displace(canadarm, q, -e), v, tau)) / (2 * step)
        np.testing.assert_allclose(d.dacceleration_dq[:, j], dq, atol=2e-5 * np.max(np.abs(d.dacceleration_dq)))
    np.testing.assert_allclose(d.dacceleration_dtau @ limber.mass_matrix(canadarm, q), np.eye(canadarm.nv), atol=1e-8)


# Of every function that takes states: its name, and which of q, v, tau it takes.
FUNCTIONS = {"forward_dynamics": "qvt", "inverse_dynamics": "qvt", "mass_matrix": "q", "coriolis_matrix": "qv", "bias": "qv",
             "gravity": "q", "elastic_and_damping_forces": "qv", "friction_forces": "v", "joint_wrenches": "qvt", "pose": "q", "jacobian": "q",
             "twist": "qv", "bias_acceleration": "qv", "displace": "qv", "configuration_rate": "qv", "input_matrix": "q",
             "energy": "qv", "momentum": "qv", "derivatives": "qvt", "modes": "q", "statics": "q", "linearize": "qvt"}


def parts(result):
    """Arrays of a result, whatever it is."""
    if isinstance(result, tuple):
        return [part for item in result for part in parts(item)]
    if hasattr(result, "to_dict"):
        return [part for value in result.to_dict().values() for part in parts(value)]
    return [np.asarray(result)] if isinstance(result, np.ndarray) else []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_batch_is_its_states_one_by_one(name, canadarm):
    function = getattr(limber, name)
    states = dict(zip("qvt", random_state(canadarm, 6, 5, 8, size=0.01)))
    chosen = [states[key] for key in FUNCTIONS[name]]
    batch = parts(function(canadarm, *chosen))
    assert batch
    for i, j in ((0, 0), (2, 7), (4, 3)):
        alone = parts(function(canadarm, *(argument[i, j] for argument in chosen)))
        for many, one in zip(batch, alone):
            assert many.shape == (5, 8) + one.shape
            np.testing.assert_array_equal(many[i, j], one)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(threads, canadarm):
    q, v, tau = random_state(canadarm, 7, 1000)
    limber.set_threads(threads)
    try:
        assert limber.get_threads() == threads
        a = limber.forward_dynamics(canadarm, q, v, tau)
    finally:
        limber.set_threads(0)
    np.testing.assert_array_equal(a, [limber.forward_dynamics(canadarm, *state) for state in zip(q, v, tau)])


def test_single_vectors_stand_for_every_state(canadarm):
    q, v, tau = random_state(canadarm, 8, 40)
    a = limber.forward_dynamics(canadarm, q[0], v, tau[3])
    np.testing.assert_array_equal(a[9], limber.forward_dynamics(canadarm, q[0], v[9], tau[3]))


def test_empty_batches_are_empty(canadarm):
    q = np.zeros((0, canadarm.nq))
    assert limber.mass_matrix(canadarm, q).shape == (0, canadarm.nv, canadarm.nv)
    assert limber.modes(canadarm, q).q.shape[0] == 0


def test_arrays_of_other_kinds_are_converted(canadarm):
    q, v, tau = random_state(canadarm, 9)
    wanted = limber.forward_dynamics(canadarm, q, v, tau)
    spaced = np.zeros((canadarm.nq, 3))
    spaced[:, 1] = q
    read_only = v.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(limber.forward_dynamics(canadarm, spaced[:, 1], read_only, list(tau)), wanted)
    np.testing.assert_array_equal(limber.forward_dynamics(canadarm, q.astype(">f8"), v, tau), wanted)
    np.testing.assert_array_equal(limber.mass_matrix(canadarm, np.zeros(canadarm.nq, int)),
                                  limber.mass_matrix(canadarm, canadarm.neutral()))


@pytest.mark.parametrize("q, message", [
    (np.zeros(3), r"q: expected an array of shape \(9,\), or \(n, 9\) for n states, found shape \(3,\)"),
    (np.zeros((4, 8)), r"found shape \(4, 8\)"),
    (1.0, r"found shape \(1,\)"),
    (np.zeros(9, complex), "q: expected an array of real numbers .*, found dtype complex128"),
    (["a"] * 9, "found dtype <U1"),
    (np.array([None] * 9), "found dtype object"),
    ([[1.0], [1.0, 2.0]], "q: expected an array of real numbers"),
])
def test_wrong_shapes_and_kinds_are_said(q, message, canadarm):
    with pytest.raises(limber.InputError, match=message):
        limber.mass_matrix(canadarm, q)


def test_batches_of_different_lengths_are_refused(canadarm):
    with pytest.raises(limber.InputError, match=r"v: expected as many states as q has: leading axes \(4,\), found \(5,\)"):
        limber.bias(canadarm, np.zeros((4, 9)), np.zeros((5, 9)))


def test_the_state_that_fails_is_named(canadarm):
    q, v, tau = random_state(canadarm, 10, 500)
    q[[77, 300], 2] = np.nan
    with pytest.raises(limber.ComputationError, match=r"^states\[77\]: "):
        limber.forward_dynamics(canadarm, q, v, tau)
    with pytest.raises(RuntimeError, match="(?!states)"):
        limber.forward_dynamics(canadarm, q[77], v[77], tau[77])


def test_points_of_links(boom):
    q, v, _ = random_state(boom, 11)
    for axes in ("world", "local", "spatial"):
        twist = limber.twist(boom, q, v, "boom", 0.3, axes=axes)
        np.testing.assert_allclose(limber.jacobian(boom, q, "boom", at=0.3, axes=axes) @ v, twist, atol=1e-12)
    position, rotation = limber.pose(boom, boom.neutral(), link="boom", at=0.5)
    np.testing.assert_allclose(position, [3, 0, 0], atol=1e-15)
    np.testing.assert_allclose(rotation, np.eye(3), atol=1e-15)
    with pytest.raises(limber.InputError, match="boom"):
        limber.pose(boom, q, link="bom")
    with pytest.raises(limber.InputError):
        limber.pose(boom, q, link="boom", at=1.5)
    with pytest.raises(limber.InputError, match="axes: expected world, local or spatial"):
        limber.jacobian(boom, q, axes="tool")


def test_frames_know_how_their_motion_changes(boom):
    q, v, a = random_state(boom, 14)
    e = 1e-6
    for axes in ("world", "local", "spatial"):
        found = limber.frame_derivatives(boom, q, v, a, "boom", 0.3, axes)
        of_J = limber.jacobian_derivatives(boom, q, "boom", at=0.3, axes=axes)
        np.testing.assert_allclose(found.J, limber.jacobian(boom, q, "boom", 0.3, axes), atol=1e-14)
        assert found.twist_dq.shape == (6, 4) and of_J.shape == (4, 6, 4)
        motion = lambda q, v: limber.jacobian(boom, q, "boom", 0.3, axes) @ a + limber.bias_acceleration(boom, q, v, "boom", 0.3, axes)
        for j, way in enumerate(e * np.eye(4)):
            above, below = limber.displace(boom, q, way), limber.displace(boom, q, -way)
            slope = lambda f: (f(above) - f(below)) / (2 * e)
            np.testing.assert_allclose(found.twist_dq[:, j], slope(lambda x: limber.twist(boom, x, v, "boom", 0.3, axes)), atol=1e-8)
            np.testing.assert_allclose(found.acceleration_dq[:, j], slope(lambda x: motion(x, v)), atol=1e-7)
            np.testing.assert_allclose(found.acceleration_dv[:, j], (motion(q, v + way) - motion(q, v - way)) / (2 * e), atol=1e-8)
            np.testing.assert_allclose(of_J[j], slope(lambda x: limber.jacobian(boom, x, "boom", 0.3, axes)), atol=1e-8)
    many = limber.frame_derivatives(boom, np.stack([q, q]), np.stack([v, v]))
    np.testing.assert_array_equal(many.twist_dq[0], many.twist_dq[1])
    with pytest.raises(limber.InputError, match="axes"):
        limber.frame_derivatives(boom, q, axes="tool")


def test_loads_act_where_they_are(boom):
    q, v, tau = random_state(boom, 12)
    force = np.array([1.0, -2.0, 30.0])
    loads = [{"link": "boom", "at": 0.25, "force": force}]
    pulled = limber.inverse_dynamics(boom, q, v, np.zeros(4), loads=loads)
    J = limber.jacobian(boom, q, "boom", at=0.25)
    np.testing.assert_allclose(limber.inverse_dynamics(boom, q, v, np.zeros(4)) - pulled, J[:3].T @ force, atol=1e-9)
    with pytest.raises(limber.InputError, match=r"^loads\[0\].link"):
        limber.forward_dynamics(boom, q, v, tau, loads=[{"link": "arm", "force": [1, 0, 0]}])


def test_configurations_are_displaced_and_told_apart():
    arm = limber.load("""{limber: 1, name: ship, links: [{name: hull, joint: {type: free}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}""")
    q, v, _ = random_state(arm, 13, 20, size=0.5)
    q2 = limber.displace(arm, q, 0.1 * v)
    np.testing.assert_allclose(limber.difference(arm, q, q2), 0.1 * v, atol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(q2[:, 3:], axis=1), 1.0, atol=1e-15)


def test_an_evaluation_is_never_of_an_older_state(canadarm):
    state = limber.Evaluation(canadarm)
    for seed in range(3):
        q, v, tau = random_state(canadarm, seed)
        state.set(q, v, tau)
        np.testing.assert_array_equal(state.acceleration, limber.forward_dynamics(canadarm, q, v, tau))
        np.testing.assert_array_equal(state.mass_matrix, limber.mass_matrix(canadarm, q))
        np.testing.assert_allclose(state.jacobian(), limber.jacobian(canadarm, q), atol=1e-13)
        np.testing.assert_allclose(state.pose(canadarm.links[-1].name, at=0.4)[0],
                                   limber.pose(canadarm, q, canadarm.links[-1].name, at=0.4)[0], atol=1e-13)
        size = np.max(np.abs(state.mass_matrix) @ np.abs(state.acceleration))  # of what cancels: 1e8 for efforts of 1
        np.testing.assert_allclose(state.required_forces(state.acceleration), tau, atol=1e-15 * size)
    with pytest.raises(limber.InputError, match="q: expected an array of shape"):
        state.set(np.zeros(2))
    with pytest.raises(limber.InputError, match="q: expected one state, found a batch"):
        state.set(np.zeros((2, canadarm.nq)))


def test_friction_is_what_forward_dynamics_takes_from_the_efforts():
    friction = {"coulomb": 20, "static": 25, "stribeck_velocity": 0.05, "transition_velocity": 1e-3}
    arm = limber.Model.from_dict({"limber": 1, "gravity": [0, 0, 0], "links": [
        {"name": "wheel", "joint": {"name": "spin", "friction": friction}, "rigid": {"mass": 1, "inertia": [1, 1, 0.5, 0, 0, 0]}}]})
    v = np.array([[-0.3], [0.0], [1e-4], [0.04]])
    expected = (20 + 5 * np.exp(-(v / 0.05) ** 2)) * np.tanh(v / 1e-3)
    np.testing.assert_allclose(limber.friction_forces(arm, v), expected, rtol=1e-13)
    np.testing.assert_allclose(limber.forward_dynamics(arm, [0.0], v, [3.0]), (3.0 - expected) / 0.5, rtol=1e-12)
    np.testing.assert_allclose(limber.inverse_dynamics(arm, [0.0], v, [0.0]), expected, rtol=1e-12, atol=1e-12)
    slope = limber.derivatives(arm, [0.0], [1e-4], [0.0]).dforce_dv[0, 0]
    step = 1e-9
    difference = (limber.friction_forces(arm, [1e-4 + step]) - limber.friction_forces(arm, [1e-4 - step]))[0] / (2 * step)
    assert abs(slope - difference) < 1e-5 * abs(slope)
