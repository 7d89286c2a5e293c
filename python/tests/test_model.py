# SPDX-License-Identifier: BSD-3-Clause
import copy
import json
import pickle

import numpy as np
import pytest
from conftest import ARMS, MODELS, TEXT, random_state

import limber


@pytest.mark.parametrize("file", ARMS, ids=lambda path: path.stem)
def test_an_arm_says_what_the_program_says(file, program):
    arm, info = limber.load(file), program("info", file)
    assert (arm.name, arm.nq, arm.nv, arm.coordinates) == (info["name"], info["nq"], info["nv"], info["coordinates"])
    assert arm.mass == pytest.approx(info["mass"], rel=1e-14)
    assert [link.name for link in arm.links] == [link["name"] for link in info["links"]]
    for link, said in zip(arm.links, info["links"]):
        assert link.joint == said["joint"]["name"] and link.parent == said["parent"]
        for direction, frequencies in said["frequencies_hz"].items():
            finite = [value for value in frequencies if value is not None]
            np.testing.assert_allclose(link.frequencies_hz[direction][:len(finite)], finite, rtol=1e-13)


@pytest.mark.parametrize("file", ARMS, ids=lambda path: path.stem)
def test_a_dictionary_makes_the_same_arm_again(file):
    arm = limber.load(file)
    again = limber.Model.from_dict(arm.to_dict())
    q, v, tau = random_state(arm, 1)
    assert again.to_dict() == arm.to_dict() and again.coordinates == arm.coordinates
    np.testing.assert_array_equal(limber.forward_dynamics(again, q, v, tau), limber.forward_dynamics(arm, q, v, tau))


def test_a_dictionary_of_json_is_a_dictionary(boom):
    again = limber.load(json.loads(json.dumps(boom.to_dict())))
    assert again.to_dict() == boom.to_dict()


def test_dictionaries_take_numbers_of_numpy(boom):
    described = boom.to_dict()
    described["gravity"] = np.array([0, 0, -1.62])
    described["links"][0]["beam"]["length"] = np.float32(5.0)
    described["links"][0]["beam"]["modes"]["z"]["count"] = np.int64(3)
    arm = limber.load(described)
    assert arm.gravity[2] == -1.62 and arm.nv == 5 and arm.links[0].length == 5.0


def test_models_are_pickled_and_copied(boom):
    for again in (pickle.loads(pickle.dumps(boom)), copy.deepcopy(boom)):
        assert again.to_dict() == boom.to_dict()


def test_tables_of_shapes_are_part_of_the_dictionary(boom):
    x = np.linspace(0, 6, 40)
    described = boom.to_dict()
    described["links"][0]["beam"]["modes"] = {"z": {"shape": {"table": {"x": x, "values": (x[:, None] / 6) ** [2, 3]}}}}
    arm = limber.load(described)
    assert arm.nv == 3
    again = pickle.loads(pickle.dumps(arm))
    q, v, tau = random_state(arm, 2)
    np.testing.assert_allclose(limber.mass_matrix(again, q), limber.mass_matrix(arm, q), rtol=1e-12)


def test_set_changes_values_before_they_are_checked(boom):
    assert limber.load(TEXT, set={"links.boom.beam.length": 7.5}).links[0].length == 7.5
    assert limber.load(boom.to_dict(), set={"links[0].beam.modes.z.count": 4}).nv == 6
    assert limber.load(TEXT, set={"gravity": [0, 0, 0], "name": "still"}).name == "still"
    with pytest.raises(limber.InputError, match="links\\[0\\].beam.length: expected a number > 0"):
        limber.load(TEXT, set={"links.boom.beam.length": -1})


def test_what_is_wrong_with_a_file_is_said_with_its_place(tmp_path):
    file = tmp_path / "arm.yaml"
    file.write_text(TEXT.replace("length: 6", "length: -6").replace("count: 1", "cuont: 1"))
    with pytest.raises(limber.InputError) as caught:
        limber.load(file)
    assert f"{file}:8:15: links[0].beam.length: expected a number > 0 [m], found -6" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    first = caught.value.problems[0]
    assert (first["path"], first["line"], first["column"], first["found"]) == ("links[0].beam.length", 8, 15, "-6")
    assert len(caught.value.problems) >= 2 and "did you mean `count`?" in str(caught.value)


def test_what_is_wrong_with_a_dictionary_has_no_line(boom):
    described = boom.to_dict()
    described["links"][0]["beam"]["length"] = float("nan")
    with pytest.raises(limber.InputError, match=r"^links\[0\].beam.length: expected a number"):
        limber.load(described)
    described["links"][0]["beam"]["length"] = object()
    with pytest.raises(limber.InputError, match=r"^links\[0\].beam.length: expected None, a number, .* found object"):
        limber.load(described)
    itself = {}
    itself["links"] = [itself]
    with pytest.raises(limber.InputError, match="does one hold itself"):
        limber.load(itself)


def test_files_that_are_not_there_are_said(tmp_path):
    with pytest.raises(limber.InputError, match="expected a readable model file"):
        limber.load(tmp_path / "nothing.yaml")


def test_an_arm_shows_itself(boom):
    assert repr(boom) == "<limber.Model boom: 1 links, 4 coordinates>"
    assert repr(boom.links[0]) == "<limber.Link boom: joint shoulder, 3 elastic coordinates>"
    assert boom.links[0].limits == {"lower": -1, "upper": 2, "effort": 6000}
    assert boom.coordinate_index("boom.z1") == 2 and boom.links[0].v_slice == slice(0, 4, 1)
    with pytest.raises(limber.InputError, match="did you mean `shoulder`"):
        boom.coordinate_index("sholder")


def test_curved_beams_dampers_and_loads_from_within():
    ring = limber.load("""
limber: 1
gravity: [0, 0, 0]
links:
  - name: ring
    joint: {name: socket, axis: [1, 0, 0]}
    beam:
      curve: {radius: 2, angle_deg: 90}
      section: {EI_y: 100, EI_z: 100, GJ: 80, mass_per_length: 2}
      modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}
      segments: 4
dampers: [{name: dashpot, link: ring, damping: 3}]
""")
    position, rotation = limber.pose(ring, ring.neutral())
    np.testing.assert_allclose(position, [2, 2, 0], atol=1e-12)
    np.testing.assert_allclose(rotation[:, 0], [0, 1, 0], atol=1e-12)
    assert limber.cylinders(ring, ring.neutral(), np.zeros(ring.nv)).names == ["dashpot"]
    straight = limber.load(TEXT, set={"gravity": [0, 0, 0]})
    bent = limber.statics(straight, straight.neutral(), loads=[{"link": "boom", "thermal_curvature": [2e-3, 0]}])
    position, _ = limber.pose(straight, bent.q)
    assert abs(position[2] + 2e-3 * 6**2 / 2) < 1e-4  # kappa_y = -w''


def test_limits_have_stops():
    arm = limber.load("""
limber: 1
links:
  - name: a
    joint: {name: j, limits: {upper: 1, stop_stiffness: 1e4, stop_damping: 20}}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
""")
    assert arm.links[0].limits == {"upper": 1, "stop_stiffness": 1e4, "stop_damping": 20}


def test_links_outlive_their_arm():
    links = limber.load(MODELS / "crane" / "crane.yaml").links
    assert all(link.mass > 0 for link in links)


def test_arms_are_built_link_by_link(boom):
    link = boom.to_dict()["links"][0]
    again = limber.ModelBuilder("boom").link(**link).build()
    assert again.to_dict()["links"] == boom.to_dict()["links"]
    hand = limber.ModelBuilder("boom", gravity=[0, 0, 0]).link(**link).link("hand", rigid={"mass": 1}).end_effector("boom").build()
    assert hand.nv == 5 and hand.to_dict()["end_effector"]["link"] == "boom"
    with pytest.raises(limber.InputError, match=r"links\[0\].bem: expected a known key"):
        limber.ModelBuilder("boom").link("boom", bem={}).build()


def test_shapes_end_where_tips_are(canadarm):
    q, _, _ = random_state(canadarm, 4, 3)
    shapes = limber.shapes(canadarm, q, points=7)
    for link in canadarm.links:
        assert shapes[link.name].shape[0] == 3 and shapes[link.name].shape[2] == 3
        np.testing.assert_allclose(shapes[link.name][1, -1], limber.pose(canadarm, q, link.name)[0][1], atol=1e-12)


def test_arms_are_drawn(boom):
    pytest.importorskip("matplotlib").use("Agg")
    assert boom._repr_svg_().count("<polyline") == 1
    axes = boom.plot(limber.statics(boom).q, plane="xz")
    assert len(axes.lines) == 2 and axes.get_xlabel() == "x [m]"
    with pytest.raises(limber.InputError, match="plane: expected"):
        limber.plot(boom, plane="xx")


def test_a_link_in_segments_is_one_link_for_places():
    arm = limber.load(MODELS / "roll_up" / "roll_up.yaml", set={"links.strip.beam.segments": 5})
    assert arm.coordinates[:3] == ["strip.1.y1", "strip.1.y2", "strip.2.y1"]
    q = arm.neutral()
    for at in (0.0, 0.3, 0.4, 1.0):
        np.testing.assert_allclose(limber.pose(arm, q, link="strip", at=at)[0], [2.0 * at, 0.0, 0.0], atol=1e-14)
    moment = 0.5 * np.pi * 50.0 / 2.0
    bent = limber.statics(arm, q, loads=[{"link": "strip", "moment": [0, 0, moment]}])
    kappa = limber.strains(arm, bent.q, "strip", points=11)
    np.testing.assert_allclose(kappa[:, 0], np.linspace(0.0, 2.0, 11), atol=1e-14)
    np.testing.assert_allclose(kappa[:, 2], moment / 50.0, rtol=1e-9)
