#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the house as it is: docs/house.svg, from src/CMakeLists.txt (layers and what they depend on), the folders (files), the sources (other
libraries) and the table of CONTRIBUTING.md (what is in a layer). `--check` only says whether the picture is up to date."""

import html
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "house.svg"
BLUE, INK, GREY, TINT = "#0b6e99", "#1f2933", "#7b8794", "#e3f1f7"
WIDTH, BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, LEFT, TOP = 1330, 280, 92, 50, 34, 30, 128

# Where a layer stands from left to right: all others in the middle. How high, follows from what it depends on.
COLUMNS = {"scenario": 0, "io": 0, "study": 0, "planning": 0, "identification": 2, "estimation": 3, "literature": 3, "storage": 3, "fe": 3, "symbolic": 2, "formulations": 2}
# The way of data, and the layer in which each station is at home.
FLOW = [("model file", "io"), ("Model", "model"), ("algorithms", "algorithms"), ("formulations", "formulations"),
        ("simulation", "simulation"), ("results", "results"), ("report", "report")]
LIBRARIES = {"Eigen": "Eigen", "boost": "Boost.Math", "fmt": "fmt", "yaml-cpp": "yaml-cpp", "nlohmann": "nlohmann/json", "hdf5": "HDF5",
             "hdf5.h": "HDF5", "cvode": "SUNDIALS", "arkode": "SUNDIALS", "ida": "SUNDIALS", "Spectra": "Spectra", "ceres": "Ceres", "CLI": "CLI11", "IpStdCInterface.h": "Ipopt"}


def read_layers():
    """{layer: [layers it depends on]}, lowest first."""
    text = re.sub(r"#.*", "", (ROOT / "src" / "CMakeLists.txt").read_text())
    layers = {}
    for body in re.findall(r"limber_add_layer\(([^)]*)\)", text):
        words = body.split()
        depends = words[words.index("DEPENDS") + 1:] if "DEPENDS" in words else []
        end = next((i for i, word in enumerate(depends) if word.isupper() and len(word) > 2), len(depends))
        layers[words[0]] = depends[:end]
    return layers


def read_meanings():
    table = re.findall(r"^\| `([\w/]+)` \| (.*) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    return {name: re.split(r"; `viewer/`|; one file", meaning)[0].replace("`", "") for name, meaning in table}


def files_in(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))


def facts_of(files):
    public = sum(path.suffix == ".hpp" and "include" in path.parts and "detail" not in path.parts for path in files)
    used = {LIBRARIES[name] for path in files for name in re.findall(r"#include [<\"]([\w.-]+)", path.read_text()) if name in LIBRARIES}
    return public, len(files) - public, used


def heights(layers):
    level = {}
    for name, depends in layers.items():
        level[name] = 1 + max((level[other] for other in depends), default=-1)
    return level


class Picture:
    def __init__(self):
        self.layers, self.meanings = read_layers(), read_meanings()
        self.layers["apps/limber"] = ["report", "study", "planning"]
        self.level = heights(self.layers)
        self.top = max(self.level.values())
        self.out = []
        taken = {}
        for name in self.layers:
            place = (self.column(name), self.level[name])
            if place in taken:
                sys.exit(f"draw_house: {name} stands where {taken[place]} stands: give one of them another column in COLUMNS")
            taken[place] = name
        self.taken = taken

    def column(self, name):
        return COLUMNS.get(name, 1)

    def x(self, column):
        return LEFT + column * (BOX_WIDTH + GAP_X)

    def y(self, level):
        return TOP + (self.top - level) * (BOX_HEIGHT + GAP_Y)

    def text(self, x, y, words, size=12, color=INK, weight="normal", anchor="start"):
        self.out.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}" font-weight="{weight}" text-anchor="{anchor}">'
                        f"{html.escape(words)}</text>")

    def box(self, name):
        x, y = self.x(self.column(name)), self.y(self.level[name])
        carries = name in [layer for _, layer in FLOW]
        self.out.append(f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="{TINT if carries else "white"}" '
                        f'stroke="{BLUE if carries else GREY}" stroke-width="{1.6 if carries else 1}"/>')
        folders = [name] if "/" in name else [f"include/limber/{name}", f"src/{name}"]
        public, others, used = facts_of(files_in(*folders))
        if name != "math":
            used.discard("Eigen")
        self.text(x + 12, y + 21, name, 15, INK, "bold")
        counted = f"{public} + {others} files" if public else f"{others} files"
        self.text(x + BOX_WIDTH - 12, y + 21, counted, 11, GREY, anchor="end")
        lines = textwrap.wrap(self.meanings.get(name, ""), 43)
        if len(lines) > 3:
            lines = lines[:3]
            lines[2] = lines[2].rsplit(",", 1)[0] + " ..."
        for i, line in enumerate(lines):
            self.text(x + 12, y + 39 + 14 * i, line, 11)
        if used:
            self.text(x + 12, y + BOX_HEIGHT - 8, "uses " + ", ".join(sorted(used, key=str.lower)), 11, "#c2410c")

    def edge(self, lower, upper, share):
        """From the top of a layer to the bottom of one that includes it; between columns where boxes stand in the way."""
        a, b = self.column(lower), self.column(upper)
        x1, y1 = self.x(a) + BOX_WIDTH / 2, self.y(self.level[lower])
        x2, y2 = self.x(b) + BOX_WIDTH * share, self.y(self.level[upper]) + BOX_HEIGHT
        between = range(self.level[lower] + 1, self.level[upper])
        path, half = f"M{x1:g} {y1:g}", GAP_Y / 2
        if any((a, level) in self.taken for level in between):
            lane = self.x(max(a, b)) - GAP_X / 2
            path += f"C{x1:g} {y1 - half:g} {lane:g} {y1 - half / 2:g} {lane:g} {y1 - GAP_Y:g}V{y2 + GAP_Y:g}"
            path += f"C{lane:g} {y2 + half / 2:g} {x2:g} {y2 + half:g} {x2:g} {y2 + 5:g}"
        else:
            if between:
                path += f"V{y2 + GAP_Y:g}"
            path += f"C{x1:g} {y2 + half / 2:g} {x2:g} {y2 + half:g} {x2:g} {y2 + 5:g}"
        self.out.append(f'<path d="{path}" fill="none" stroke="{GREY}" stroke-width="1.3" marker-end="url(#arrow)"/>')

    def flow(self):
        self.text(LEFT, 28, "The house: layers, what each may include, and the way of data", 17, INK, "bold")
        x, y = LEFT, 46
        for i, (station, _) in enumerate(FLOW):
            width = 30 + 7.4 * len(station)
            self.out.append(f'<rect x="{x:g}" y="{y}" width="{width:g}" height="30" rx="15" fill="{TINT}" stroke="{BLUE}" stroke-width="1.6"/>')
            self.text(x + width / 2, y + 20, station, 13, BLUE, "bold", "middle")
            x += width
            if i + 1 < len(FLOW):
                self.out.append(f'<path d="M{x + 4:g} {y + 15}h{16}" stroke="{BLUE}" stroke-width="2" marker-end="url(#flow)"/>')
                x += 32
        self.text(LEFT, 100, "Arrows lead from a layer to those that include it; through it they see what it includes, and nothing else. "
                  "Blue: data passes here.", 12, GREY)
        self.text(LEFT, 117, "Files: public headers + detail headers and sources.", 12, GREY)

    def draw(self):
        height = self.y(0) + BOX_HEIGHT + 24
        self.out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
                    f'<rect width="{WIDTH}" height="{height}" fill="white"/>', "<defs>"]
        for marker, color in (("arrow", GREY), ("flow", BLUE)):
            self.out.append(f'<marker id="{marker}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto" '
                            f'markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker>')
        self.out.append("</defs>")
        self.flow()
        for upper, depends in self.layers.items():
            ordered = sorted(depends, key=self.column)
            for i, lower in enumerate(ordered):
                self.edge(lower, upper, (i + 1) / (len(ordered) + 1))
        for name in self.layers:
            self.box(name)
        return "\n".join(self.out + ["</svg>"]) + "\n"


picture = Picture().draw()
if "--check" in sys.argv:
    if not PICTURE.exists() or PICTURE.read_text() != picture:
        sys.exit("docs/house.svg is not the house as it is: run scripts/draw_house.py, look at the picture, and commit it")
else:
    PICTURE.write_text(picture)
