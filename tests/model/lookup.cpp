// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/lookup.hpp"

#include <gtest/gtest.h>

#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/place_name.hpp"

namespace limber {
namespace {

Model arm() {
  ModelDescription description;
  description.name = "arm";
  for (const char* name : {"boom", "jib"}) {
    LinkDescription link;
    link.name = name;
    link.joint.name = std::string(name) + "_hinge";
    link.rigid.emplace().mass = 1.0;
    link.rigid->inertia << 1.0, 1.0, 1.0, 0.0, 0.0, 0.0;
    description.links.push_back(link);
  }
  description.links.back().joint.type = JointType::spherical;
  return build_model(description);
}

template <typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Lookup, FindsPartsByName) {
  const Model model = arm();
  EXPECT_EQ(link_index(model, "jib"), 1);
  EXPECT_EQ(joint_index(model, "boom_hinge"), 0);
  for (int i = 0; i < model.nv(); ++i)
    EXPECT_EQ(coordinate_index(model, model.coordinates()[static_cast<std::size_t>(i)]), i);
  EXPECT_EQ(coordinate_index(model, "boom_hinge"), 0);
  EXPECT_EQ(position_index(model, "jib_hinge.4"), 4);
}

TEST(Lookup, NamesTheClosest) {
  const Model model = arm();
  EXPECT_NE(message_of([&] { link_index(model, "bom"); }).find("did you mean `boom`?"), std::string::npos);
  EXPECT_NE(message_of([&] { joint_index(model, "jib_hing"); }).find("`jib_hinge`"), std::string::npos);
  EXPECT_NE(message_of([&] { coordinate_index(model, "elbow"); }).find("known coordinates"),
            std::string::npos);
  EXPECT_NE(message_of([&] { position_index(model, "jib_hinge.5"); }).find("coordinate"), std::string::npos);
}

TEST(Lookup, FindsPlacesByTheirWords) {
  const Model model = ModelBuilder("boom")
                          .link("boom", "base")
                          .revolute({0, 0, 1}, "shoulder")
                          .beam(6.0, {.EI_z = 1e5, .mass_per_length = 20.0})
                          .modes(Direction::y, 2)
                          .build();
  EXPECT_EQ(place_named(model, "boom", "--at").at, 1.0);
  const LinkPlace half = place_named(model, "boom@0.5", "--at");
  EXPECT_EQ(half.at, 0.5);
  const Model with = with_node(model, half);
  EXPECT_EQ(frame(with, half).node, node_index(with, 0, 0.5));
  const auto says = [&](const std::string& text) {
    return message_of([&] { place_named(model, text, "--at"); });
  };
  EXPECT_EQ(says("bom@0.5"),
            "--at: expected LINK@X with the name of a link, found `bom@0.5` (did you mean `boom`?)");
  for (const char* wrong : {"boom@", "boom@1.5", "boom@-0.1", "boom@nan", "boom@lug", "boom@0.5x"})
    EXPECT_EQ(says(wrong),
              "--at: expected LINK@X with X from 0 (root) to 1 (tip) of the link's length, found `" +
                  std::string(wrong) + "` (e.g. boom@0.5)");
}

TEST(Lookup, FindsPlacesOnLinks) {
  const Model model = ModelBuilder("boom")
                          .link("boom", "base")
                          .revolute({0, 0, 1}, "shoulder")
                          .beam(6.0, {.EI_z = 1e5, .mass_per_length = 20.0})
                          .modes(Direction::y, 2)
                          .build();
  EXPECT_EQ(frame(model, "boom").node, 0);
  EXPECT_NE(message_of([&] { frame(model, "boom", 0.5); }).find("with_node"), std::string::npos);
  const Model longer = with_node(model, 0, 0.5);
  EXPECT_EQ(frame(longer, "boom", 0.5).node, 1);
  EXPECT_EQ(model.links()[0].nodes.size(), 1U);  // nobody modifies it
  EXPECT_FALSE(longer.is_same_arm(model));
  EXPECT_TRUE(with_node(longer, 0, 0.5).is_same_arm(longer));
  EXPECT_NE(message_of([&] { with_node(model, 0, 1.5); }).find("0 to 1"), std::string::npos);
}

}  // namespace
}  // namespace limber
