#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Yaqubi and others' experiment (models/ella/experiment.yaml) as their figures 4 to 15, into docs/dae-figure-*.svg, and what forward Euler makes of it.

    ./run python scripts/plot_ella.py
"""

import math
import pathlib

import curves
import numpy as np

import limber

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPERIMENT = ROOT / "models/ella/experiment.yaml"
AXES = "xyz"
LINKS = ("link1", "link2")
JOINTS = (("theta y1", "shoulder.1", -0.4928), ("theta z1", "shoulder.2", 0.6922), ("theta z2", "elbow", 0.4270))
RIGID = {"model.links.link1.beam.modes": {}, "model.links.link2.beam.modes": {}, "initial": {}}
AXIAL = {f"model.links.{link}.beam.modes.axial": {"shape": "clamped-free", "count": 1} for link in LINKS} | {"integrator": {"method": "radau"}}


def panels(name, contents, columns=3):
    curves.panels(ROOT / f"docs/dae-figure-{name}.svg", contents, columns)


def spectrum(times, values, highest=30.0):
    """Amplitudes over frequency, Hann's window, the mean taken off."""
    window = np.hanning(len(values))
    taken = (values - values.mean()) * window
    return [(f, 2.0 * abs(sum(taken * np.exp(-2j * math.pi * f * times))) / window.sum()) for f in np.arange(0.1, highest + 0.05, 0.1)]


def quintic(t, to, duration=1.5):
    s = np.minimum(1.0, t / duration)
    return to * s**3 * (10 - 15 * s + 6 * s * s)


def rotation_vectors(R):
    """Of rotations by less than half a turn."""
    turned = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1) / 2
    sine = np.linalg.norm(turned, axis=1)
    angle = np.arctan2(sine, (np.trace(R, axis1=1, axis2=2) - 1) / 2)
    return turned * (np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 1.0))[:, None]


def straight(arm, q):
    bare = q.copy()
    for link in arm.links:
        first = link.q_slice.stop - link.elastic_count
        bare[:, first:link.q_slice.stop] = 0
    return bare


class Experiment:
    def __init__(self):
        self.run = limber.simulate(EXPERIMENT)
        self.arm = limber.load(ROOT / "models/ella/ella_clamped_free.yaml")
        self.t = self.run.time
        self.places = {link: limber.pose(self.arm, self.run.q, link, 0.0) for link in LINKS}
        self.twists = {link: limber.twist(self.arm, self.run.q, self.run.v, link, 0.0, axes="local") for link in LINKS}
        self.bent = self.run["end_effector/position"] - limber.pose(self.arm, straight(self.arm, self.run.q))[0]

    def over_time(self, values):
        return list(zip(self.t[::3], values[::3]))

    def three(self, values):
        return [(axis, self.over_time(values[:, a])) for a, axis in enumerate(AXES)]

    def field(self, link, time, points=21):
        """Displacements along a link in its own axes [m]."""
        row = int(np.argmin(abs(self.t - time)))
        origin, R = (place[row] for place in self.places[link])
        length = next(one.length for one in self.arm.links if one.name == link)
        parts = np.linspace(0, 1, points)
        return parts, np.array([R.T @ (limber.pose(self.arm, self.run.q[row], link, x)[0] - origin) - [x * length, 0, 0] for x in parts])


def draw(e):
    s = "time [s]"
    positions = np.einsum("nji,nj->ni", e.places["link2"][1], e.places["link2"][0])
    panels(4, [("theta of link 1", s, "rad", e.three(rotation_vectors(e.places["link1"][1]))), ("r of link 2, in its axes", s, "m", e.three(positions)),
               ("theta of link 2", s, "rad", e.three(rotation_vectors(e.places["link2"][1])))])
    panels(5, [("omega of link 1", s, "rad/s", e.three(e.twists["link1"][:, 3:])), ("v of link 2", s, "m/s", e.three(e.twists["link2"][:, :3])),
               ("omega of link 2", s, "rad/s", e.three(e.twists["link2"][:, 3:]))])
    panels(6, [(title, s, "rad", [("arm", e.over_time(e.run[name])), ("reference", e.over_time(quintic(e.t, to)))]) for title, name, to in JOINTS])
    panels(7, [(f"endpoint {axis}", s, "m", [("arm", e.over_time(e.run["end_effector/position"][:, a]))]) for a, axis in enumerate(AXES)])
    panels(8, [(f"endpoint displacement {axis}", s, "mm", [("bending", e.over_time(1e3 * e.bent[:, a]))]) for a, axis in enumerate(AXES)])
    after = e.t >= 1.5  # the reference has ended: what is left is vibration
    panels(9, [(f"spectrum of the displacement {axis}, after 1.5 s", "frequency [Hz]", "mm", [("amplitude", spectrum(e.t[after], 1e3 * e.bent[after, a]))])
               for a, axis in enumerate(AXES)])
    for link, figure in zip(LINKS, (10, 11)):
        fields = {time: e.field(link, time) for time in (0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 3.0)}
        panels(figure, [(f"displacement field {axis}, {link}", "x / length", "mm", [(f"{time:g} s", list(zip(parts, 1e3 * field[:, a])))
                                                                                  for time, (parts, field) in fields.items()]) for a, axis in enumerate(AXES)])
    axial = limber.simulate(EXPERIMENT, set=AXIAL)
    of_axial = lambda name, scale: list(zip(axial.time[::3], scale * axial[name][::3]))
    panels(12, [("eta x, with an axial mode", s, "um", [(link, of_axial(f"{link}.axial1", 1e6)) for link in LINKS])]
           + [(f"eta {axis}", s, "mm", [(link, e.over_time(1e3 * e.run[f"{link}.{axis}1"])) for link in LINKS]) for axis in "yz"])
    rigid = limber.simulate(EXPERIMENT, set=RIGID)
    panels(13, [(title.replace("theta", "torque"), s, "N m", [("motor", e.over_time(e.run[f"effort.{name}"])),
                                                             ("rigid links", list(zip(rigid.time[::3], rigid[f"effort.{name}"][::3])))]) for title, name, _ in JOINTS])
    for i, figure, title in ((0, 14, "base joint"), (1, 15, "connecting joint")):
        W, on_link = e.run["interaction_wrenches"][:, i], e.run["wrenches"][:, i]
        panels(figure, [(f"{title}: force, as the paper counts it", s, "N", e.three(W[:, :3])), (f"{title}: moment, as the paper counts it", s, "N m", e.three(W[:, 3:])),
                        (f"{title}: force on the link, in its axes", s, "N", e.three(on_link[:, :3])),
                        (f"{title}: moment on the link, in its axes", s, "N m", e.three(on_link[:, 3:]))], columns=2)
    return axial, rigid


def largest_deflection(run, link="link2"):
    return 1e3 * np.max(np.hypot(run[f"{link}.y1"], run[f"{link}.z1"]))


def main():
    e = Experiment()
    axial, rigid = draw(e)
    euler = limber.simulate(EXPERIMENT, set={"integrator.method": "euler"})
    print(f"largest deflection of link 2: RK4 {largest_deflection(e.run):.1f} mm, forward Euler {largest_deflection(euler):.0f} mm")
    print(f"eta x: {1e6 * max(np.max(np.abs(axial[f'{link}.axial1'])) for link in LINKS):.1f} um")
    for title, name, _ in JOINTS:
        print(f"{title.replace('theta', 'torque')}: flexible {np.max(np.abs(e.run[f'effort.{name}'])):.1f} N m, rigid {np.max(np.abs(rigid[f'effort.{name}'])):.1f} N m")


if __name__ == "__main__":
    main()
