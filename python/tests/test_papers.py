# SPDX-License-Identifier: BSD-3-Clause
"""What the five papers have, from Python: compliance, forces from gauges, section loads, zero dynamics in motion, paths, and the papers' own matrices."""

import json
import pickle

import numpy as np
import pytest
from conftest import MODELS, random_state

import limber

CANTILEVER = """
limber: 1
name: cantilever
gravity: [0, 0, 0]
links:
  - name: beam
    joint: {type: fixed}
    beam:
      length: 2
      section: {EI_y: 4000, EI_z: 6000, GJ: 2000, EA: 1e7, mass_per_length: 3, rotary_inertia: [0.01, 0.005, 0.005]}
      modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}, axial: {count: 1}}
"""


@pytest.fixture
def cantilever():
    return limber.load(CANTILEVER)


def test_a_cantilever_gives_way_as_the_textbook_says(cantilever):
    L, EI_y, EI_z, GJ, EA = 2.0, 4000.0, 6000.0, 2000.0, 1e7
    found = limber.endpoint_compliance(cantilever)
    wanted = np.diag([L / EA, L**3 / (3 * EI_z), L**3 / (3 * EI_y), L / GJ, L / EI_y, L / EI_z])
    wanted[1, 5] = wanted[5, 1] = L**2 / (2 * EI_z)
    wanted[2, 4] = wanted[4, 2] = -L**2 / (2 * EI_y)
    np.testing.assert_allclose(found.compliance, wanted, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.stiffness @ found.compliance, np.eye(6), atol=1e-9)
    assert found.rank == 6
    half = limber.endpoint_compliance(cantilever, link="beam", at=0.5).compliance
    assert half[0, 0] == pytest.approx(L / 4 / EA, rel=1e-9)  # with the one shape x/L: phi^2/k
    many = limber.endpoint_compliance(cantilever, np.zeros((3, cantilever.nq)))
    assert many.compliance.shape == (3, 6, 6) and many.rank.tolist() == [6, 6, 6]


def test_a_boom_has_no_stiffness_where_it_is_rigid(boom):
    found = limber.endpoint_compliance(boom)
    assert found.stiffness is None and found.rank == 3  # one shape along y, two along z


def test_compliance_and_jacobians_are_the_programs(program):
    folder = MODELS / "piedboeuf"
    arm, state = limber.load(folder / "piedboeuf.yaml"), json.loads((folder / "force5.json").read_text())
    said = program("jacobian", folder / "piedboeuf.yaml", "--state", folder / "force5.json", "--settle")
    q = limber.statics(arm, state["q"], loads=state["loads"]).q
    np.testing.assert_allclose(q, said["q"], atol=1e-12)
    found = limber.endpoint_compliance(arm, q, loads=state["loads"])
    np.testing.assert_allclose(found.compliance, said["compliance"], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(limber.piedboeuf_jacobian(arm, q), said["piedboeuf"], atol=1e-12)
    local = limber.local_jacobians(arm)
    for name in ("J_T0", "J_R0", "J_Tx", "J_Ty", "J_Tz", "J_Rx", "J_Ry", "J_Rz"):
        np.testing.assert_array_equal(getattr(local, name), said["local"][name])
    assert (local.link, local.coordinates) == (said["local"]["link"], said["local"]["coordinates"])


def test_piedboeufs_blocks_are_the_derivative_of_the_place(boom):
    # x^2 and x^3 are what a beam of two craig-bampton shapes can have; the tip's shortening is quadratic
    local, h = limber.local_jacobians(boom), 1e-4
    q = boom.neutral()
    for j in range(3):
        up, down = q.copy(), q.copy()
        up[1 + j] += h
        down[1 + j] -= h
        place = [limber.pose(boom, at)[0] for at in (up, down)]
        np.testing.assert_allclose(local.J_T0[:, j], (place[0] - place[1]) / (2 * h), atol=1e-9)
        curved = (place[0] + place[1] - 2 * limber.pose(boom, q)[0]) / h**2
        np.testing.assert_allclose([local.J_Tx[j, j], local.J_Ty[j, j], local.J_Tz[j, j]], curved, atol=1e-5)
    with pytest.raises(limber.InputError, match="link: expected a link that bends"):
        limber.local_jacobians(limber.load("{limber: 1, name: a, links: [{name: l, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}"))


def gauges_of(arm, q, places, error=0.0):
    names = ("kappa_y", "kappa_z", "twist")
    rows = limber.strains(arm, q, "beam", points=21)
    return [limber.StrainGauge("beam", rows[k, 0], name, rows[k, 1 + i], error) for k in places for i, name in enumerate(names)]


def test_gauges_tell_what_pushes(cantilever):
    bent = limber.statics(cantilever, loads=[{"link": "beam", "force": [0, 30, -40], "moment": [5, 0, 0]}])
    found = limber.endpoint_force(cantilever, gauges_of(cantilever, bent.q, (1, 7), 1e-6), ["fy", "fz", "mx"])
    np.testing.assert_allclose(found.wrench, [0, 30, -40, 5, 0, 0], atol=1e-6)
    assert np.all(found.bound[1:4] > 0) and np.all(found.bound[[0, 4, 5]] == 0) and np.max(np.abs(found.left_over)) < 1e-12
    one = gauges_of(cantilever, bent.q, (1,))[:1]
    assert one[0].link == "beam" and pickle.loads(pickle.dumps(one[0])).reading == one[0].reading
    for wrong, message in ((lambda: limber.endpoint_force(cantilever, one, ["fy", "mz"]), "components"),
                           (lambda: limber.endpoint_force(cantilever, one, ["f"]), "components: expected"),
                           (lambda: limber.endpoint_force(cantilever, [limber.StrainGauge("beam", 9, "twist", 0)], ["mx"]), "from 0 to 2 m"),
                           (lambda: limber.endpoint_force(cantilever, [limber.StrainGauge("beam", 1, "twst", 0)], ["mx"]), "twist"),
                           (lambda: limber.endpoint_force(cantilever, [limber.StrainGauge("beam", 1, "twist", np.nan)], ["mx"]), "finite readings")):
        with pytest.raises(limber.InputError, match=message):
            wrong()


def test_section_loads_are_those_of_statics(boom):
    at = limber.statics(boom)
    found = limber.section_loads(boom, "boom", at.q, points=7)
    x = np.linspace(0, 6, 7)
    np.testing.assert_allclose(found.x, x, atol=1e-12)
    g, m, tip = 9.81, 10.0, 20.0
    # of the straight boom, to second order in the slope (0.06)
    np.testing.assert_allclose(found.moment[:, 1], g * (m * (6 - x) ** 2 / 2 + tip * (6 - x)), rtol=0.01, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.force, axis=1), g * (m * (6 - x) + tip), rtol=1e-12)
    # Cubics have linear moments: what is left of a xi^2 + b xi is a (xi^2 - xi + 1/6), of size a/sqrt(180)
    a, b = g * m / 2 * 36, g * tip * 6
    wanted = np.sqrt(a**2 / 180 / (a**2 / 5 + a * b / 2 + b**2 / 3))
    assert float(limber.section_loads(boom, "boom", at.q, points=201).residual) == pytest.approx(wanted, rel=0.01)
    many = limber.section_loads(boom, "boom", np.tile(at.q, (2, 1)), points=5)
    assert many.force.shape == (2, 5, 3) and many.residual.shape == (2,) and many.elastic_force.shape == (2, 5)
    with pytest.raises(limber.InputError, match="points: expected"):
        limber.section_loads(boom, "boom", points=1)


def test_section_loads_are_the_programs(program):
    folder = MODELS / "ella"
    arm = limber.load(folder / "ella.yaml")
    state = json.loads((folder / "settled.json").read_text())
    said = program("eval", folder / "ella.yaml", "--state", folder / "settled.json", "--pde")
    a = np.array(said["acceleration"])
    for name, wanted in said["pde"].items():
        found = limber.section_loads(arm, name, state["q"], a=a)
        np.testing.assert_allclose(found.moment.T, wanted["moment"], rtol=1e-9, atol=1e-7)
        assert float(found.residual) == pytest.approx(wanted["residual"], rel=1e-9)


def test_zero_dynamics_move_as_the_zeros_say(program):
    file = MODELS / "lin_lewis_one_link" / "lin_lewis_one_link_pinned_pinned.yaml"
    arm = limber.load(file)
    found, said = limber.zero_motion(arm, outputs=["joint"]), program("zeros", file, "--outputs", "joint", "--simulate")["motion"]
    fastest = np.max(limber.zeros(arm, outputs=["joint"]).zeros.real)
    assert found.rate == pytest.approx(fastest, rel=2e-3) and found.zero.real == pytest.approx(fastest, rel=1e-9)
    np.testing.assert_allclose(found.size, said["size"], rtol=1e-9)
    assert found.q.shape == (len(found.times), arm.nq) and found.efforts.shape == (len(found.times), 1)
    for wrong in ({"kick": 0}, {"kick": 7}, {"duration": -1}, {"samples": 2}, {"outputs": ["joint.rate"]}):
        with pytest.raises(limber.InputError):
            limber.zero_motion(arm, **{"outputs": ["joint"], **wrong})


def test_paths_are_followed_with_the_sag_compensated(program):
    folder = MODELS / "crane"
    arm = limber.load(folder / "crane.yaml")
    path = np.genfromtxt(folder / "line.csv", delimiter=",", names=True, skip_header=1)
    places = np.column_stack([path["x"], path["y"], path["z"]])
    found, said = limber.reach_along(arm, places), program("statics", folder / "crane.yaml", "--path", folder / "line.csv")["path"]
    np.testing.assert_allclose(found.end_effector[0], places, atol=1e-8)
    np.testing.assert_allclose(found.q, [row["q"] for row in said], atol=1e-10)
    assert np.all(found.stable)
    with pytest.raises(limber.ComputationError, match="place 2"):
        limber.reach_along(arm, [places[0], [1000, 0, 0]])
    with pytest.raises(limber.InputError, match="rotations: expected"):
        limber.reach_along(arm, places, rotations=np.eye(3))


def test_denoc_is_the_papers(canadarm, program):
    q, v, tau = random_state(canadarm, 4, size=0.05)
    found = limber.denoc(canadarm, q, v, tau)
    N = found.N_l @ found.N_d
    whole = np.zeros((len(found.rows), len(found.rows)))
    start = 0
    for block in found.M.values():
        whole[start:start + len(block), start:start + len(block)] = block
        start += len(block)
    M = limber.mass_matrix(canadarm, q)
    np.testing.assert_allclose(N.T @ whole @ N, M, atol=1e-10 * np.max(M))
    np.testing.assert_allclose(found.U @ found.D @ found.U.T, M, atol=1e-10 * np.max(M))
    np.testing.assert_allclose(np.linalg.solve(found.I, found.phi), limber.forward_dynamics(canadarm, q, v, tau), rtol=1e-8)
    said = program("eval", MODELS / "canadarm" / "canadarm.yaml", "--denoc")["denoc"]
    assert (found.rows, found.columns) == (said["rows"], said["columns"])


def test_dual_screws_are_the_programs(program):
    file = MODELS / "crane" / "crane.yaml"
    arm = limber.load(file)
    said = program("eval", file, "--formulation", "dual-screw")
    for link in arm.links:
        found = limber.dual_screws(arm, link=link.name)
        np.testing.assert_allclose(found.jacobian, said["projections"][link.name]["jacobian"], atol=1e-12)
        np.testing.assert_allclose(found.projecting, said["projections"][link.name]["projecting"], atol=1e-12)
    q, v, _ = random_state(arm, 2, size=0.01)
    found = limber.dual_screws(arm, q, v)
    np.testing.assert_allclose(found.twist, found.jacobian @ v, atol=1e-12)
    np.testing.assert_allclose(found.mass_matrix, found.mass_matrix.T, atol=1e-9)


def test_operations_are_counted(canadarm, program):
    found, said = limber.count_operations(canadarm), program("count", MODELS / "canadarm" / "canadarm.yaml")["algorithms"]
    assert found == said
    assert limber.published_counts(8, 2)["mohan_saha"] == {"multiplications": 9874, "additions": 7699}
    assert limber.published_counts(8, 2)["cyril"]["additions"] == pytest.approx(12683, abs=0.5)
    with pytest.raises(limber.InputError, match="n: expected an integer > 0"):
        limber.published_counts(0, 2)


def test_results_of_the_papers_are_pickled(canadarm, cantilever):
    for result in (limber.endpoint_compliance(cantilever), limber.section_loads(cantilever, "beam"), limber.denoc(canadarm), limber.dual_screws(canadarm),
                   limber.local_jacobians(cantilever), limber.zero_motion(canadarm, samples=5)):
        again = pickle.loads(pickle.dumps(result))
        for key, value in result.to_dict().items():
            if not isinstance(value, dict):
                np.testing.assert_array_equal(value, again.to_dict()[key])
        assert repr(result).startswith(type(result).__name__ + "(")


def test_linear_equations_and_other_points_are_derived(boom):
    whole = limber.derive(boom, "text", only="M")
    linear = limber.derive(boom, "text", only="M", formulation="dual-screw")
    assert whole != linear
    tip, middle = (limber.derive(boom, "text", only="J", link=link, at=at) for link, at in ((None, 1.0), ("boom", 0.5)))
    assert tip != middle
    assert "float" in limber.derive(boom, "c", real="float")
    assert "T" in limber.derive(boom, "text", only="T")
    for wrong, message in (({"formulation": "dae"}, "formulation: expected"), ({"consistent": True}, "consistent: expected"), ({"real": "half"}, "real: expected"),
                           ({"formulation": "dual-screw", "nonlinear": ["bom"]}, "nonlinear: expected"), ({"at": 0.5}, "at: expected")):
        with pytest.raises(limber.InputError, match=message):
            limber.derive(boom, "text", **wrong)


def test_equations_of_a_spatial_crane_come_with_parts():
    arm = limber.load(MODELS / "crane" / "crane.yaml")
    text = limber.derive(arm, "text", only="M")
    assert "# parts of" in text and len(text) < 150000
