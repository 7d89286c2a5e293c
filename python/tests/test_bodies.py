# SPDX-License-Identifier: BSD-3-Clause
"""Links of finite elements (docs/finite-elements.md)."""
import pickle

import numpy as np
import pytest
from conftest import SOURCE, random_state

import limber

FOLDER = SOURCE / "examples" / "finite_elements"


@pytest.fixture(name="knee")
def knee_arm():
    return limber.load(FOLDER / "arm.yaml")


def test_a_body_says_what_the_program_says(knee, program):
    info = program("info", FOLDER / "arm.yaml")
    assert knee.coordinates == info["coordinates"] and knee.coordinates[1] == "boom.m1"
    assert knee.mass == pytest.approx(info["mass"], rel=1e-14)
    np.testing.assert_allclose(knee.links[0].frequencies_hz["body"], info["links"][0]["frequencies_hz"]["body"], rtol=1e-13)
    np.testing.assert_allclose(limber.modes(knee, count=4).frequencies_hz, program("modes", FOLDER / "arm.yaml", "--count", 4)["frequencies_hz"], rtol=1e-9)


def test_copies_and_dictionaries_make_the_same_arm(knee):
    q, v, tau = random_state(knee, 1)
    q[1:19] *= 1e-3
    expected = limber.forward_dynamics(knee, q, v, tau)
    for again in (limber.Model.from_dict(knee.to_dict()), pickle.loads(pickle.dumps(knee))):
        np.testing.assert_array_equal(limber.forward_dynamics(again, q, v, tau), expected)


def test_batches_and_derivatives_take_bodies(knee):
    rng = np.random.default_rng(2)
    q = 1e-4 * rng.standard_normal((5, knee.nq))
    v, tau = rng.standard_normal((2, 5, knee.nv))
    together = limber.forward_dynamics(knee, q, v, tau)
    for i in range(5):
        alone = limber.forward_dynamics(knee, q[i], v[i], tau[i])
        np.testing.assert_allclose(together[i], alone, rtol=1e-9, atol=1e-9 * abs(alone).max())
    assert limber.derivatives(knee, q[0], v[0], tau[0]).dacceleration_dq.shape == (knee.nv, knee.nv)


def test_loads_act_on_interfaces(knee):
    rest = limber.statics(knee, knee.neutral()).q
    pushed = limber.statics(knee, knee.neutral(), loads=[{"link": "boom", "at": "lug", "force": [0, 1000, 0]}]).q
    assert abs(pushed[1] - rest[1]) > 1e-6
    with pytest.raises(limber.InputError, match="interface of the body `boom`"):
        limber.statics(knee, knee.neutral(), loads=[{"link": "boom", "at": "nose", "force": [0, 1000, 0]}])


def test_interfaces_are_places_by_name(knee):
    q = knee.neutral()
    lug, _ = limber.pose(knee, q, "boom@lug")
    assert lug == pytest.approx([0.9466667, 0, 0.62], abs=1e-6)
    assert limber.jacobian(knee, q, "boom@lug").shape == (6, knee.nv)
    with pytest.raises(limber.InputError, match="did you mean `lug`"):
        limber.pose(knee, q, "boom@lugg")
    with pytest.raises(limber.InputError, match="one place: LINK@X"):
        limber.pose(knee, q, "boom@lug", 0.5)


def test_runs_record_a_sensor_on_an_interface():
    run = limber.simulate(FOLDER / "swing.yaml", set={"duration": 0.05})
    assert np.isfinite(run["camera_shake"]).all() and np.ptp(run["camera_shake"]) > 0.0


def test_a_missing_body_is_named():
    with pytest.raises(limber.InputError, match="nowhere.h5"):
        limber.Model.from_dict({"limber": 1, "links": [{"name": "boom", "body": {"file": "nowhere.h5"}}]})


def write_bar(folder, length=1.0, width=0.04, height=0.06, elements=12, E=2.1e11, nu=0.3, density=7850.0):
    """A bar of bricks with eight nodes, one across, and its matrices in Matrix Market's format: assembled here."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)])
    half = np.array([length / elements, width, height]) / 2
    lame, mu = E * nu / (1 + nu) / (1 - 2 * nu), E / 2 / (1 + nu)
    D = np.diag([2 * mu] * 3 + [mu] * 3)
    D[:3, :3] += lame
    k, m = np.zeros((24, 24)), np.zeros((8, 8))
    for point in (2 * corners - 1) / np.sqrt(3):
        sides = 1 + (2 * corners - 1) * point
        N = sides.prod(axis=1) / 8
        dN = np.stack([(2 * corners[:, a] - 1) * np.delete(sides, a, axis=1).prod(axis=1) / 8 / half[a] for a in range(3)])
        B = np.zeros((6, 24))
        for a in range(3):
            B[a, a::3] = dN[a]
        for row, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
            B[3 + row, a::3], B[3 + row, b::3] = dN[b], dN[a]
        k += half.prod() * B.T @ D @ B
        m += half.prod() * density * np.outer(N, N)
    number = {(i, j, h): 4 * i + 2 * j + h for i in range(elements + 1) for j in range(2) for h in range(2)}
    K, M = np.zeros((2, 12 * (elements + 1), 12 * (elements + 1)))
    lines = ["*NODE"] + [f"{n + 1}, {i * length / elements!r}, {(j - 0.5) * width!r}, {(h - 0.5) * height!r}" for (i, j, h), n in number.items()]
    lines.append("*ELEMENT, TYPE=C3D8")
    for e in range(elements):
        nodes = [number[e + i, j, h] for i, j, h in corners]
        lines.append(", ".join(str(x + 1) for x in [e] + nodes))
        rows = [3 * n + a for n in nodes for a in range(3)]
        K[np.ix_(rows, rows)] += k
        M[np.ix_(rows, rows)] += np.kron(m, np.eye(3))
    for name, first in (("ROOT", 1), ("TIP", 4 * elements + 1)):
        lines += [f"*NSET, NSET={name}, GENERATE", f"{first}, {first + 3}"]
    (folder / "bar.inp").write_text("\n".join(lines) + "\n")
    (folder / "bar.dof").write_text("".join(f"{n + 1}.{a}\n" for n in range(4 * (elements + 1)) for a in (1, 2, 3)))
    for name, matrix in (("K", K), ("M", M)):
        places = np.argwhere(np.tril(matrix) != 0.0)
        entries = "".join(f"{i + 1} {j + 1} {float(matrix[i, j])!r}\n" for i, j in places)
        (folder / f"{name}.mtx").write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{len(K)} {len(K)} {len(places)}\n{entries}")
    return folder / "bar.inp", folder / "K.mtx", folder / "M.mtx", folder / "bar.dof", "ROOT", "TIP", folder / "bar.h5"


def test_reduce_makes_a_body_that_stiffens(tmp_path):
    files = write_bar(tmp_path)
    body = limber.reduce(*files, modes=4, averaging=["tip"], material=(2.1e11, 0.3))
    assert body["mass"] == pytest.approx(7850 * 0.04 * 0.06) and body["geometric_stiffening"]
    np.testing.assert_allclose(body["interfaces"]["tip"], [1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(body["com"], [0.5, 0.0, 0.0], atol=1e-9)
    arm = limber.Model.from_dict({"limber": 1, "links": [{"name": "bar", "joint": {"axis": [0, 0, 1]}, "body": {"file": str(files[-1])}}]})
    at_rest = 2 * np.pi * body["frequencies_hz"][1]
    turning = 2 * np.pi * limber.modes(arm, spin={"bar_joint": 100.0}).frequencies_hz
    assert min(abs(turning - np.sqrt(at_rest**2 + 1.193 * 100.0**2))) < 0.005 * at_rest  # flapping: Southwell
    assert not limber.reduce(*files, modes=4)["geometric_stiffening"]


def test_reduce_says_what_is_wrong(tmp_path):
    files = write_bar(tmp_path)
    with pytest.raises(limber.InputError, match="times as stiff as the matrix"):
        limber.reduce(*files, modes=4, material=(7e10, 0.3))
    with pytest.raises(limber.InputError, match="a name among `interfaces`"):
        limber.reduce(*files, averaging=["nose"])
    with pytest.raises(limber.InputError, match="its sets: ROOT, TIP"):
        limber.reduce(*files[:4], "FLANGE", "TIP", files[-1])
