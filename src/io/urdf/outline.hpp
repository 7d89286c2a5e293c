// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What can be said of a URDF's text with its place before anybody interprets it: names, who carries whom.

#include <map>
#include <string>
#include <vector>

#include "../problem_list.hpp"
#include "limber/io/file_error.hpp"

namespace limber::urdf {

/// An element with a name, and what it says about others.
struct Element {
  std::string name;
  Mark mark;
  std::string type, parent, child;  ///< of a joint; empty where the text does not say
  Mark parent_mark, child_mark, mimic_mark;
  bool mimics = false;
};

struct Outline {
  std::vector<Element> links, joints;
};

/// A name as a step of a path in a message.
std::string path_word(const std::string& name);

/// Names that stand twice, joints that name no link, mimic and planar joints, cycles, several roots.
void check_outline(const Outline& outline, ProblemList& problems);

}  // namespace limber::urdf
