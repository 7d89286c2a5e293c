// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Keys of beams: sections, shapes, damping (description_fields.hpp says how these functions are read).

#include <numbers>

#include "limber/core/export.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/shared_fields.hpp"

namespace limber LIMBER_EXPORT {

// ---- sections ----

template <typename Visitor>
void describe(Visitor& v, Maybe<MaterialDescription> auto& material) {
  v.block("material", "Isotropic, linearly elastic material.");
  v.field({.key = "E", .meaning = "Young's modulus", .required = true, .unit = "Pa", .range = positive},
          material.E);
  v.field({.key = "G", .meaning = "shear modulus", .unit = "Pa", .range = positive}, material.G);
  v.field({.key = "nu", .meaning = "Poisson's ratio: G = E / (2 (1 + nu))", .range = {-1.0, 0.5, true}},
          material.nu);
  v.field(
      {.key = "density", .meaning = "mass per volume", .required = true, .unit = "kg/m^3", .range = positive},
      material.density);
  v.exactly_one_of({{"`G`", {"G"}}, {"`nu`", {"nu"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SectionDescription> auto& section) {
  v.block("section",
          "The beam's cross-section, by stiffness or by geometry. Width is along y, height along z.");
  v.field({.key = "EI_y",
           .meaning = "bending stiffness about y: deflection along z; required for modes z",
           .unit = "N m^2",
           .range = positive},
          section.EI_y);
  v.field({.key = "EI_z",
           .meaning = "bending stiffness about z: deflection along y; required for modes y",
           .unit = "N m^2",
           .range = positive},
          section.EI_z);
  v.field({.key = "GJ",
           .meaning = "torsional stiffness; required for modes torsion",
           .unit = "N m^2",
           .range = positive},
          section.GJ);
  v.field(
      {.key = "EA", .meaning = "axial stiffness; required for modes axial", .unit = "N", .range = positive},
      section.EA);
  v.field({.key = "mass_per_length",
           .meaning = "required when the section is given by stiffness",
           .unit = "kg/m",
           .range = positive},
          section.mass_per_length);
  v.field({.key = "kGA_y",
           .meaning = "shear stiffness along y: Timoshenko's beam (docs/shear.md)",
           .unit = "N",
           .range = positive,
           .otherwise = "it does not shear"},
          section.kGA_y);
  v.field({.key = "kGA_z",
           .meaning = "shear stiffness along z",
           .unit = "N",
           .range = positive,
           .otherwise = "it does not shear"},
          section.kGA_z);
  v.field({.key = "shape", .meaning = "outline of a section given by geometry"}, section.shape);
  v.field({.key = "diameter", .meaning = "rod", .unit = "m", .range = positive}, section.diameter);
  v.field({.key = "outer_diameter", .meaning = "tube", .unit = "m", .range = positive},
          section.outer_diameter);
  v.field({.key = "width", .meaning = "rectangle, box: outer size along y", .unit = "m", .range = positive},
          section.width);
  v.field({.key = "height", .meaning = "rectangle, box: outer size along z", .unit = "m", .range = positive},
          section.height);
  v.field({.key = "thickness",
           .meaning = "tube, box: of the wall, less than half of the smallest outer size",
           .unit = "m",
           .range = positive},
          section.thickness);
  v.field({.key = "material", .meaning = "required when the section is given by geometry"}, section.material);
  v.field({.key = "shear",
           .meaning = "whether a section given by geometry shears, along y and z, by Cowper's factors"},
          section.shear);
  v.field({.key = "rotary_inertia",
           .meaning = "mass moment of inertia per length about x, y, z through the mass centre",
           .unit = "kg m",
           .range = non_negative,
           .otherwise = "by stiffness 0; by geometry density * (Iy + Iz, Iy, Iz)"},
          section.rotary_inertia);
  v.field({.key = "center_of_mass",
           .meaning = "y, z of the mass beside the axis; `rotary_inertia` is about it (docs/curved-beams.md)",
           .unit = "m"},
          section.center_of_mass);
  v.field({.key = "shear_center",
           .meaning = "y, z of the point about which the section twists, beside the axis; with a section "
                      "given by stiffness",
           .unit = "m"},
          section.shear_center);
  v.exactly_one_of({{"the stiffness (`mass_per_length`, `EI_y`, `EI_z`, `GJ`, `EA`)",
                     {"EI_y", "EI_z", "GJ", "EA", "mass_per_length", "kGA_y", "kGA_z"}},
                    {"the geometry (`shape`, its sizes, `material`)",
                     {"shape", "diameter", "outer_diameter", "width", "height", "thickness", "material"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<StationDescription> auto& station) {
  v.block("station",
          "The cross-section at one place of a tapered beam; properties vary linearly in between.");
  v.field({.key = "x",
           .meaning = "distance from the beam's root: ascending, first 0, last the beam's length",
           .required = true,
           .unit = "m",
           .range = non_negative},
          station.x);
  v.field({.key = "section", .meaning = "the section there", .required = true}, station.section);
  v.field({.key = "rpy",
           .meaning = "axes of the section there in those of the root: roll is pre-twist, pitch and yaw bend "
                      "the axis; they turn evenly from one station to the next (docs/curved-beams.md)",
           .unit = "rad",
           .angle = true},
          station.rpy);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<CurveDescription> auto& curve) {
  v.block("curve", "An axis that is an arc of a circle; sections turn with it (docs/curved-beams.md).");
  v.field({.key = "radius", .meaning = "of the circle", .required = true, .unit = "m", .range = positive},
          curve.radius);
  v.field({.key = "angle",
           .meaning = "by which the axis has turned at the tip; length = radius |angle|",
           .required = true,
           .unit = "rad",
           .range = {-2.0 * std::numbers::pi, 2.0 * std::numbers::pi},
           .angle = true},
          curve.angle);
  v.field({.key = "axis", .meaning = "about which it turns, across x: [0, 0, 1] bends it towards y"},
          curve.axis);
}

// ---- modes ----

template <typename Visitor>
void describe(Visitor& v, Maybe<ModesDescription> auto& modes) {
  v.block("mode set",
          "The shapes of one direction. Torsion and axial know craig-bampton, clamped-free, clamped-mass, "
          "polynomial, "
          "finite-element and tables. `tip_*` keys are for clamped-mass and finite-element; torsion knows "
          "`tip_inertia` only, axial `tip_mass` only.");
  v.shape({.key = "shape",
           .meaning = "family of shapes, or `{table: file}` with a CSV file: x, then one column per shape"},
          modes.shape, modes.table);
  v.field({.key = "count",
           .meaning = "how many shapes; required",
           .range = {1.0, 100.0},
           .otherwise = "with a table: all its columns"},
          modes.count);
  v.field({.key = "tip_mass",
           .meaning = "mass that the shapes imagine on the tip; `auto`: what hangs there at q = 0",
           .unit = "kg",
           .range = non_negative,
           .otherwise = "0"},
          modes.tip_mass);
  v.field({.key = "tip_static_moment",
           .meaning = "tip_mass times the distance of its com ahead of the tip (bending only)",
           .unit = "kg m",
           .otherwise = "0; `auto` where tip_mass and tip_inertia are"},
          modes.tip_static_moment);
  v.field({.key = "tip_inertia",
           .meaning = "inertia about the tip; for torsion the polar one",
           .unit = "kg m^2",
           .range = non_negative,
           .otherwise = "0"},
          modes.tip_inertia);
  v.field({.key = "normalize",
           .meaning =
               "peak: largest |phi| is 1; mass: Int m phi^2 with the tip's share is 1; none: as the formulas "
               "give it"},
          modes.normalize);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<BeamModesDescription> auto& modes) {
  v.block("modes", "The directions in which the beam deforms; absent ones are rigid.");
  v.field({.key = "y", .meaning = "deflection along y, bending about z (EI_z)"}, modes.y);
  v.field({.key = "z", .meaning = "deflection along z, bending about y (EI_y)"}, modes.z);
  v.field({.key = "torsion", .meaning = "twist about x (GJ)"}, modes.torsion);
  v.field({.key = "axial", .meaning = "stretch along x (EA)"}, modes.axial);
}

// ---- beams ----

template <typename Visitor>
void describe(Visitor& v, Maybe<DampingDescription> auto& damping) {
  v.block(
      "damping",
      "Structural damping of the beam: modal (`ratio`, or `loss_factor` of the material), or D = alpha M_ee "
      "+ beta K.");
  v.field({.key = "ratio", .meaning = "damping ratio of every mode of the link", .range = {0.0, 10.0}},
          damping.ratio);
  v.field({.key = "alpha", .meaning = "share of the mass matrix", .unit = "1/s", .range = non_negative},
          damping.alpha);
  v.field({.key = "beta", .meaning = "share of the stiffness matrix", .unit = "s", .range = non_negative},
          damping.beta);
  v.field(
      {.key = "loss_factor",
       .meaning = "of the material: each mode of the link is damped as a viscous one that loses as much in "
                  "resonance, with half of it as ratio",
       .range = {0.0, 20.0}},
      damping.loss_factor);
  v.exactly_one_of(
      {{"`ratio`", {"ratio"}}, {"(`alpha`, `beta`)", {"alpha", "beta"}}, {"`loss_factor`", {"loss_factor"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SnCurveDescription> auto& curve) {
  v.block(
      "sn_curve",
      "Woehler's line of the beam's root: a range of stress is endured cycles (stress / range)^slope times.");
  v.field({.key = "stress",
           .meaning = "a range of stress, from trough to crest",
           .required = true,
           .unit = "Pa",
           .range = positive},
          curve.stress);
  v.field({.key = "cycles", .meaning = "how many of it are endured", .range = positive}, curve.cycles);
  v.field({.key = "slope", .meaning = "m of range^m N = constant", .range = {1.0, 50.0}}, curve.slope);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<BeamDescription> auto& beam) {
  v.block("beam", "A link that bends: a beam along +x of the root frame.");
  if (!beam.curve || beam.length != 0.0)
    v.field({.key = "length",
             .meaning = "length of the beam along its axis",
             .required = true,
             .unit = "m",
             .range = positive,
             .unless = "curve"},
            beam.length);
  v.field({.key = "section", .meaning = "cross-section of a uniform beam", .wraps = "stations"},
          beam.section);
  v.field({.key = "stations",
           .meaning =
               "cross-sections of a tapered beam, at least two; between two of one `shape` sizes are linear, "
               "otherwise stiffnesses and mass are"},
          beam.stations);
  v.field({.key = "modes", .meaning = "how it deforms", .otherwise = "not at all"}, beam.modes);
  v.field({.key = "curve",
           .meaning = "an axis that is an arc of a circle; it begins along x",
           .otherwise = "straight, or as the `rpy` of `stations` say"},
          beam.curve);
  v.field({.key = "segments",
           .meaning = "cut into so many beams of equal length, each with a floating frame and `modes` of its "
                      "own: for large deflections. Coordinates `<link>.1.y1`, `<link>.2.y1`, ...",
           .range = {1.0, 1000.0},
           .otherwise = "1: one beam, `<link>.y1`; of a curved or twisted one so many that each turns by at "
                        "most 11.25 deg"},
          beam.segments);
  v.field(
      {.key = "tip_rotation",
       .meaning =
           "rotation of the tip: the slope of the axis, or its chord (an approximation in the literature)"},
      beam.tip_rotation);
  v.field({.key = "damping", .meaning = "structural damping", .otherwise = "none"}, beam.damping);
  v.field(
      {.key = "strength",
       .meaning = "largest von Mises stress that it bears: utilisation is a share of it; with sections by "
                  "geometry",
       .unit = "Pa",
       .range = positive,
       .otherwise = "no utilisation"},
      beam.strength);
  v.field({.key = "sn_curve",
           .meaning = "how many cycles of stress its root endures; with sections by geometry",
           .otherwise = "no damage is summed"},
          beam.sn_curve);
  v.exactly_one_of({{"`section`", {"section"}}, {"`stations`", {"stations"}}});
}

}  // namespace limber
