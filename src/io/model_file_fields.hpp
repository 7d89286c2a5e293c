// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The keys of a model file, as in model/description_fields.hpp, with those that take its links from a URDF.

#include <string_view>
#include <vector>

#include "limber/io/urdf_description.hpp"
#include "limber/model/description_fields.hpp"

namespace limber {

template <>
inline constexpr auto choices<BaseKind> = std::to_array<Choice<BaseKind>>({
    {BaseKind::fixed, "fixed"},
    {BaseKind::free, "free"},
});

template <>
inline constexpr auto choices<UrdfInertia> = std::to_array<Choice<UrdfInertia>>({
    {UrdfInertia::keep, "keep"},
    {UrdfInertia::replace, "replace"},
});

/// A visitor that sees the keys of a block but one, and neither its name nor its meaning.
template <typename Visitor>
class AllBut {
 public:
  AllBut(Visitor& visitor, std::string_view key) : visitor_(visitor), key_(key) {}

  void block(const char*, const char*) {}
  void field(const Field& field, auto& member) {
    if (field.key != key_) visitor_.field(field, member);
  }
  void exactly_one_of(const std::vector<Alternative>& alternatives) { visitor_.exactly_one_of(alternatives); }

 private:
  Visitor& visitor_;
  std::string_view key_;
};

/// A visitor for which a model's links may stand elsewhere.
template <typename Visitor>
class WithoutNeedOfLinks {
 public:
  explicit WithoutNeedOfLinks(Visitor& visitor) : visitor_(visitor) {}

  void block(const char* name, const char* meaning) { visitor_.block(name, meaning); }
  void version(const Field& field) { visitor_.version(field); }
  void field(Field field, auto& member) {
    if (field.key == std::string_view("links")) field.required = false;
    visitor_.field(field, member);
  }

 private:
  Visitor& visitor_;
};

template <typename Visitor>
void describe(Visitor& v, Maybe<UrdfBeamDescription> auto& beam) {
  v.block("beam of a URDF",
          "A beam from the frame of a URDF's link to a joint that the link carries: that way is its length.");
  AllBut but_length(v, "length");
  describe(but_length, beam.of_any_length());
}

template <typename Visitor>
void describe(Visitor& v, Maybe<FlexibleDescription> auto& flexible) {
  v.block("flexible",
          "A link of the URDF that bends: a beam from its frame to the origin of a joint that it carries. x "
          "is along it; y and z are "
          "the link's own, brought there by the shortest turn.");
  v.field({.key = "to",
           .meaning = "the joint at the beam's tip",
           .text = TextRule::reference,
           .otherwise = "the only one that the link carries"},
          flexible.to);
  v.field({.key = "roll", .meaning = "turns the section about the beam's axis", .unit = "rad", .angle = true},
          flexible.roll);
  v.field({.key = "inertia",
           .meaning = "keep: what the URDF gives beyond the beam is a rigid body fixed to the beam's root; "
                      "replace: the beam's alone"},
          flexible.inertia);
  v.field({.key = "beam", .meaning = "sections and modes", .required = true}, flexible.beam);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ModelFileDescription> auto& file) {
  WithoutNeedOfLinks visitor(v);
  describe(visitor, file.model);
  v.field({.key = "urdf",
           .meaning = "in place of `links`: a URDF file, relative to this one",
           .text = TextRule::reference},
          file.urdf);
  v.field({.key = "base",
           .meaning = "with `urdf`: its root link is the ground, or moves freely",
           .otherwise = "`fixed`"},
          file.base);
  v.field({.key = "flexible", .meaning = "with `urdf`: links that bend, by name", .otherwise = "none"},
          file.flexible);
  v.exactly_one_of({{"`links`", {"links"}}, {"`urdf`", {"urdf"}}});
}

}  // namespace limber
