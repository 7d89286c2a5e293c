#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links from finite elements, shown with gmsh and CalculiX: each part is meshed by gmsh, solved as a whole by CalculiX with its root held, and reduced
by `limber reduce`; the first ten frequencies of both stand side by side, at rest and, with the stress of rotation, while the part turns. Then a slender bar beside our
beam, an arm of two such bars that falls beside its twin of beams, a channel, whose forces bend and twist, beside our beam, and a large mesh with the time and memory of its reduction.

    scripts/finite_elements.py build/release/bin/limber [--folder DIR] [--part girder ...]

needs Debian's gmsh (not for `bar`, `arm` and `channel`) and calculix-ccx. docs/finite-elements.md holds what it printed."""

import argparse
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

STEEL = {"E": 2.1e11, "nu": 0.3, "density": 7850.0}

GEOMETRY = {
    # A box girder of 2 m, walls of 8 mm, with three openings in each side wall and flanges of 20 mm at its ends.
    "girder": """
        Box(1) = {0, -0.1, -0.15, 2, 0.2, 0.3};
        Box(2) = {0.02, -0.092, -0.142, 1.96, 0.184, 0.284};
        Box(3) = {0.35, -0.2, -0.07, 0.3, 0.4, 0.14};
        Box(4) = {0.85, -0.2, -0.07, 0.3, 0.4, 0.14};
        Box(5) = {1.35, -0.2, -0.07, 0.3, 0.4, 0.14};
        BooleanDifference(10) = { Volume{1}; Delete; }{ Volume{2, 3, 4, 5}; Delete; };
        Mesh.MeshSizeMax = 0.05; Mesh.MeshSizeMin = 0.05;
        root[] = Surface In BoundingBox{-0.001, -1, -1, 0.001, 1, 1};
        tip[] = Surface In BoundingBox{1.999, -1, -1, 2.001, 1, 1};""",
    # An angle of two plates, each with a hole.
    "bracket": """
        Box(1) = {0, -0.06, 0, 0.3, 0.12, 0.02};
        Box(2) = {0.28, -0.06, 0, 0.02, 0.12, 0.25};
        BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
        Cylinder(4) = {0.14, 0, -0.1, 0, 0, 0.3, 0.03};
        Cylinder(5) = {0.2, 0, 0.15, 0.2, 0, 0, 0.025};
        BooleanDifference(10) = { Volume{3}; Delete; }{ Volume{4, 5}; Delete; };
        Mesh.MeshSizeMax = 0.02;
        root[] = Surface In BoundingBox{-0.001, -1, -1, 0.001, 1, 1};
        tip[] = Surface In BoundingBox{-1, -1, 0.249, 1, 1, 0.251};""",
    "plate": """
        Box(10) = {0, -0.2, -0.005, 0.6, 0.4, 0.01};
        Mesh.MeshSizeMax = 0.025;
        root[] = Surface In BoundingBox{-0.001, -1, -1, 0.001, 1, 1};
        tip[] = Surface In BoundingBox{0.599, -1, -1, 0.601, 1, 1};""",
    # Large: the girder again, meshed finely.
    "large": """
        Box(1) = {0, -0.1, -0.15, 4, 0.2, 0.3};
        Box(2) = {0.02, -0.08, -0.13, 3.96, 0.16, 0.26};
        BooleanDifference(10) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
        Mesh.MeshSizeMax = 0.0275; Mesh.MeshSizeMin = 0.0275;
        root[] = Surface In BoundingBox{-0.001, -1, -1, 0.001, 1, 1};
        tip[] = Surface In BoundingBox{3.999, -1, -1, 4.001, 1, 1};""",
}

MATERIAL = """*MATERIAL, NAME=STEEL
*ELASTIC
{E}, {nu}
*DENSITY
{density}
*SOLID SECTION, ELSET=SOLIDS, MATERIAL=STEEL
""".format(**STEEL)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def without_surfaces(text):
    """gmsh writes the faces of a physical surface as plane elements, which CalculiX would take for parts of the body: their nodes become sets."""
    kept, faces, members, block = [], {}, {}, ""
    for line in text.splitlines():
        if line.startswith("*"):
            block = line.upper().replace(" ", "")
            if block.startswith("*ELEMENT") and "TYPE=C3D" in block:
                kept.append(re.sub(r"ELSET=\w+", "ELSET=SOLIDS", line, flags=re.I))
            elif block.startswith("*NODE"):
                kept.append("*NODE")
        elif block.startswith("*NODE") or (block.startswith("*ELEMENT") and "TYPE=C3D" in block):
            kept.append(line)
        elif block.startswith("*ELEMENT"):
            numbers = [int(word) for word in line.split(",")]
            faces[numbers[0]] = numbers[1:]
        elif block.startswith("*ELSET"):
            members.setdefault(block.split("ELSET=")[1], []).extend(int(word) for word in line.split(",") if word.strip())
    for name in ("ROOT", "TIP"):
        nodes = sorted({node for face in members[name] for node in faces[face]})
        kept += [f"*NSET, NSET={name}"] + [f"{node}," for node in nodes]
    return "\n".join(kept) + "\n"


def largest_difference(own, other, bar, digits):
    """Of frequencies, printed; the script fails where it is more than the bar [%]."""
    difference = 100 * max(abs(a / b - 1) for a, b in zip(own, other))
    print(f"  largest difference {difference:.{digits}f} %", flush=True)
    if not difference <= bar:
        sys.exit(f"frequencies differ by more than {bar} %")


def mesh_part(name, folder):
    geometry = f"""SetFactory("OpenCASCADE");
        {GEOMETRY[name]}
        Physical Surface("ROOT") = root[]; Physical Surface("TIP") = tip[]; Physical Volume("SOLIDS") = {{10}};
        Mesh.ElementOrder = 2; Mesh.HighOrderOptimize = 0; Mesh.SecondOrderLinear = 1;"""
    (folder / f"{name}.geo").write_text(geometry)
    run(["gmsh", "-3", "-format", "inp", "-o", f"{name}_all.inp", f"{name}.geo"], folder)
    (folder / f"{name}.inp").write_text(without_surfaces((folder / f"{name}_all.inp").read_text()))


def brick_mesh(name, folder, x, y, z, is_inside=lambda row, layer: True):
    """20-node bricks between the planes x, y and z: those cells of the cross-section that are inside. Nodes stand at half steps, those with at most one odd index."""
    nodes, lines, index = [], [], {}
    corners = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    middles = [(0, -1, -1), (1, 0, -1), (0, 1, -1), (-1, 0, -1), (0, -1, 1), (1, 0, 1), (0, 1, 1), (-1, 0, 1), (-1, -1, 0), (1, -1, 0), (1, 1, 0),
               (-1, 1, 0)]

    def place(planes, half_steps):
        return (planes[half_steps // 2] + planes[(half_steps + 1) // 2]) / 2

    for i in range(len(x) - 1):
        for j in range(len(y) - 1):
            for k in range(len(z) - 1):
                if not is_inside(j, k):
                    continue
                numbers = []
                for a, b, c in corners + middles:
                    at = (2 * i + 1 + a, 2 * j + 1 + b, 2 * k + 1 + c)
                    if at not in index:
                        index[at] = len(index) + 1
                        nodes.append(f"{index[at]}, {place(x, at[0]):.15g}, {place(y, at[1]):.15g}, {place(z, at[2]):.15g}")
                    numbers.append(str(index[at]))
                lines.append(f"{len(lines) + 1}, {', '.join(numbers[:10])},\n{', '.join(numbers[10:])}")
    sets = {"ROOT": [n for at, n in index.items() if at[0] == 0], "TIP": [n for at, n in index.items() if at[0] == 2 * (len(x) - 1)]}
    text = "*NODE\n" + "\n".join(nodes) + "\n*ELEMENT, TYPE=C3D20, ELSET=SOLIDS\n" + "\n".join(lines) + "\n"
    for key, members in sets.items():
        text += f"*NSET, NSET={key}\n" + ",\n".join(map(str, members)) + "\n"
    (folder / f"{name}.inp").write_text(text)


def even(first, last, cells):
    return [first + (last - first) * i / cells for i in range(cells + 1)]


def bar_mesh(name, folder, length, width, height, elements):
    """One brick across."""
    brick_mesh(name, folder, even(0, length, elements), even(-width / 2, width / 2, 1), even(-height / 2, height / 2, 1))


def matrices(name, folder):
    """CalculiX writes K and M of the free mesh."""
    (folder / f"{name}_free.inp").write_text(
        f"*INCLUDE, INPUT={name}.inp\n{MATERIAL}*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n")
    run(["ccx", f"{name}_free"], folder)


def whole_frequencies(name, folder, rigid_tip, count=10):
    """The whole mesh by CalculiX, root held [Hz]."""
    extra = ""
    if rigid_tip:
        nodes = 1 + max(int(line.split(",")[0]) for line in node_lines(folder / f"{name}.inp"))
        extra = f"*NODE\n{nodes}, 0, 0, 0\n{nodes + 1}, 0, 0, 0\n*RIGID BODY, NSET=TIP, REF NODE={nodes}, ROT NODE={nodes + 1}\n"
    (folder / f"{name}_whole.inp").write_text(
        f"*INCLUDE, INPUT={name}.inp\n{extra}{MATERIAL}*BOUNDARY\nROOT, 1, 3\n*STEP\n*FREQUENCY\n{count}\n*END STEP\n")
    run(["ccx", f"{name}_whole"], folder)
    return frequencies_in(folder / f"{name}_whole.dat")[:count]


def turning_frequencies(name, folder, rate, count):
    """The whole mesh by CalculiX, root held, turning about z at `rate` [rad/s]: a static step with the centrifugal load, then small motions about it, without
    the gyroscopic matrix [Hz]."""
    (folder / f"{name}_spin.inp").write_text(
        f"*INCLUDE, INPUT={name}.inp\n{MATERIAL}*BOUNDARY\nROOT, 1, 3\n*STEP, NLGEOM\n*STATIC\n1., 1.\n*DLOAD\n"
        f"SOLIDS, CENTRIF, {rate**2}, 0., 0., 0., 0., 0., 1.\n*END STEP\n*STEP, PERTURBATION\n*FREQUENCY\n{count}\n*END STEP\n")
    run(["ccx", f"{name}_spin"], folder)
    return frequencies_in(folder / f"{name}_spin.dat")[:count]


def frequencies_in(file):
    text = file.read_text().split("P A R T I C I P A T I O N")[0]
    return [float(row.split()[3]) for row in text.splitlines() if re.match(r"^\s+\d+(\s+\S+){4}$", row)]


def node_lines(file):
    inside = False
    for line in file.read_text().splitlines():
        if line.startswith("*"):
            inside = line.upper().startswith("*NODE")
        elif inside:
            yield line


def reduce(program, name, folder, modes, averaging=False):
    command = [program, "reduce", f"{name}.inp", "--stiffness", f"{name}_free.sti", "--mass", f"{name}_free.mas", "--dofs", f"{name}_free.dof",
               "--root", "ROOT", "--tip", "TIP", "--modes", str(modes), "--material", f"{STEEL['E']},{STEEL['nu']}", "-o", f"{name}.h5", "--force", "--json"]
    if averaging:
        command += ["--averaging", "tip"]
    before = time.time()
    body = json.loads(run(command, folder))
    body["seconds"] = time.time() - before
    return body


def show_part(program, name, folder):
    mesh_part(name, folder)
    matrices(name, folder)
    for tip, averaging in (("rigid", False), ("averaging", True)):
        whole = whole_frequencies(name, folder, rigid_tip=not averaging)
        body = reduce(program, name, folder, 14, averaging)
        print(f"{name}, {tip} tip: {body['freedoms']} freedoms to {body['coordinates']} coordinates in {body['seconds']:.1f} s")
        print("  CalculiX [Hz]", " ".join(f"{f:10.3f}" for f in whole))
        print("  reduced  [Hz]", " ".join(f"{f:10.3f}" for f in body["frequencies_hz"][:10]))
        largest_difference(body["frequencies_hz"], whole, bar=0.1, digits=4)
    if name != "bracket":  # which the load bends: its small motions are about another place than that of rest
        show_turning(program, name, folder)


SPIN = """limber: 1
gravity: [0, 0, 0]
links:
  - name: part
    joint: {{name: turn, axis: [0, 0, 1]}}
    body: {{file: {name}.h5}}
"""


def show_turning(program, name, folder, count=4):
    """Turns at half the first frequency."""
    at_rest = reduce(program, name, folder, 14, averaging=True)["frequencies_hz"][:count]
    rate = 0.5 * 2.0 * math.pi * at_rest[0]
    whole = turning_frequencies(name, folder, rate, count)
    (folder / f"{name}_spin.yaml").write_text(SPIN.format(name=name))
    own = json.loads(run([program, "modes", f"{name}_spin.yaml", "--spin", f"turn={rate!r}", "--no-gyroscopic", "--count", str(count), "--json"], folder))["frequencies_hz"]
    print(f"{name}, turning about z at {rate:.1f} rad/s [Hz]: CalculiX", " ".join(f"{f:.3f}" for f in whole), "| reduced", " ".join(f"{f:.3f}" for f in own),
          "| at rest", " ".join(f"{f:.3f}" for f in at_rest))
    largest_difference(own, whole, bar=0.5, digits=3)


BEAM = """limber: 1
links:
  - name: bar
    joint: {{type: fixed}}
    beam:
      length: {length}
      section: {{shape: rectangle, width: {width}, height: {height}, material: {{E: 2.1e11, nu: 0.3, density: 7850}}}}
      modes: {{y: {{count: 6}}, z: {{count: 6}}, torsion: {{count: 3}}, axial: {{count: 3}}}}
"""


def show_bar(program, folder):
    size = {"length": 2.0, "width": 0.02, "height": 0.03}
    bar_mesh("bar", folder, **size, elements=160)
    matrices("bar", folder)
    own = reduce(program, "bar", folder, 10)["frequencies_hz"][:4]
    (folder / "bar.yaml").write_text(BEAM.format(**size))
    beam = json.loads(run([program, "modes", "bar.yaml", "--count", "4", "--json"], folder))["frequencies_hz"]
    show_turning(program, "bar", folder)
    print("slender bar, root held [Hz]: finite elements", " ".join(f"{f:.3f}" for f in own), "| beam", " ".join(f"{f:.3f}" for f in beam))
    largest_difference(own, beam, bar=0.2, digits=3)


ARM = """limber: 1
model:
  limber: 1
  links:
    - {{name: boom, joint: {{axis: [0, 1, 0]}}, {link}}}
    - {{name: fore, joint: {{axis: [0, 1, 0]}}, {link}}}
initial: {{q: {{boom_joint: 0.4, fore_joint: -0.7}}}}
duration: 0.6
integrator: {{rtol: 1.0e-8, atol: 1.0e-11}}
"""


def show_arm(program, folder):
    """Two bars of finite elements fall out of rest, beside two beams."""
    size = {"length": 2.0, "width": 0.02, "height": 0.03}
    bar_mesh("link", folder, **size, elements=80)
    matrices("link", folder)
    reduce(program, "link", folder, 8)
    beam = ("beam: {{length: {length}, section: {{shape: rectangle, width: {width}, height: {height}, material: {{E: 2.1e11, nu: 0.3, density: 7850}}}}, "
            "modes: {{y: {{count: 5}}, z: {{count: 5}}, torsion: {{count: 3}}, axial: {{count: 3}}}}}}").format(**size)
    angles = []
    for name, link in (("bodies", "body: {file: link.h5}"), ("beams", beam)):
        (folder / f"{name}.yaml").write_text(ARM.format(link=link))
        done = json.loads(run([program, "simulate", f"{name}.yaml", "-o", f"{name}.h5", "--force", "--json"], folder))
        final = dict(zip(done["coordinates"], done["final"]["q"]))
        angles.append([final[joint] for joint in ("boom_joint", "fore_joint")])
    print("two links after 0.6 s of falling [rad]: finite elements", " ".join(f"{a:.5f}" for a in angles[0]), "| beams", " ".join(f"{a:.5f}" for a in angles[1]))
    way = max(abs(angles[1][0] - 0.4), abs(angles[1][1] + 0.7))
    difference = max(abs(a - b) for a, b in zip(*angles)) / way
    print(f"  largest difference {100 * difference:.3f} % of the way", flush=True)
    if difference > 2e-3:
        sys.exit("the arm of finite elements does not swing as its twin of beams")


CHANNEL = """limber: 1
gravity: [0, 0, 0]
links:
  - name: channel
    joint: {{type: fixed}}
    beam:
      length: {length}
      section: {{EA: {EA}, EI_y: {EI_y}, EI_z: {EI_z}, GJ: {GJ}, mass_per_length: {mass}, rotary_inertia: [{r_x}, {r_y}, {r_z}], shear_center: [{s}, 0]}}
      modes: {{y: {{count: 5}}, z: {{count: 6}}, torsion: {{count: 5}}}}
"""


def channel_section(width, height, wall, length):
    """Of thin walls, width and height between their middle lines; web along z, flanges along y. GJ is that which stands for warping, root welded (docs/curved-beams.md)."""
    E, G, density = STEEL["E"], STEEL["E"] / (2 * (1 + STEEL["nu"])), STEEL["density"]
    b, h, t = width, height, wall
    area, centre = t * (h + 2 * b), b * b / (h + 2 * b)  # of the walls, and how far from the web
    I_y = t * h**3 / 12 + 2 * b * t * (h / 2) ** 2
    I_z = 2 * t * b**3 / 12 + 2 * b * t * (b / 2 - centre) ** 2 + h * t * centre**2
    J, I_w = t**3 * (h + 2 * b) / 3, t * b**3 * h**2 / 12 * (3 * b + 2 * h) / (6 * b + h)
    k = math.sqrt(G * J / (E * I_w))
    return {"EA": E * area, "EI_y": E * I_y, "EI_z": E * I_z, "GJ": G * J / (1 - 1 / (k * length)) ** 2, "mass": density * area,
            "r_x": density * (I_y + I_z), "r_y": density * I_y, "r_z": density * I_z, "s": -(centre + 3 * b * b / (h + 6 * b)), "length": length}


def show_channel(program, folder):
    """Its shear centre is behind the web: forces across the web bend and twist."""
    b, h, t, length = 0.05, 0.1, 0.003, 5.0
    y = [-t / 2, t / 2] + even(t / 2, b, 4)[1:]
    z = [-(h + t) / 2] + even(-(h - t) / 2, (h - t) / 2, 8) + [(h + t) / 2]
    brick_mesh("channel", folder, even(0, length, 120), y, z, lambda row, layer: row == 0 or layer in (0, len(z) - 2))
    whole = whole_frequencies("channel", folder, rigid_tip=False, count=4)
    (folder / "channel.yaml").write_text(CHANNEL.format(**channel_section(b, h, t, length)))
    beam = json.loads(run([program, "modes", "channel.yaml", "--count", "4", "--json"], folder))["frequencies_hz"]
    print("channel, root held [Hz]: CalculiX", " ".join(f"{f:.3f}" for f in whole), "| beam", " ".join(f"{f:.3f}" for f in beam))
    largest_difference(beam, whole, bar=3.0, digits=2)  # the second twist warps more than GJ stands for


def show_large(program, folder):
    mesh_part("large", folder)
    matrices("large", folder)
    body = reduce(program, "large", folder, 14)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"large: {body['freedoms']} freedoms to {body['coordinates']} coordinates in {body['seconds']:.1f} s, at most {peak:.2f} GB "
          "(of all programs that ran, CalculiX among them)", flush=True)


PARTS = ["girder", "bracket", "plate", "bar", "arm", "channel", "large"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="limber")
    parser.add_argument("--folder", help="where files go; default: a temporary one")
    parser.add_argument("--part", action="append", choices=PARTS)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for part in options.part or PARTS:
            if part == "bar":
                show_bar(program, folder)
            elif part == "arm":
                show_arm(program, folder)
            elif part == "channel":
                show_channel(program, folder)
            elif part == "large":
                show_large(program, folder)
            else:
                show_part(program, part, folder)


if __name__ == "__main__":
    main()
