// SPDX-License-Identifier: BSD-3-Clause
#include "equation_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace limber {
namespace {

constexpr const char* meanings[][2] = {
    {"M", "mass matrix"},
    {"C", "Coriolis and centrifugal matrix, dM/dt - 2 C is skew-symmetric"},
    {"K", "stiffness"},
    {"D", "damping"},
    {"G", "gravity"},
    {"B", "inputs: efforts of the joints"},
    {"r", "positions at which springs are relaxed"},
    {"T", "kinetic energy"},
    {"V",
     "potential energy: gravity (zero at the world's origin), beams and springs, those of cylinders too"},
    {"p", "rotation matrix (columns 1 to 3) and place (column 4) of the end effector in the world"},
    {"t", "d(K (q - rest) + G)/dq: M x'' + D x' + Kt x = B u about a position of rest"},
    {"Y", "regressor: M qdd + C(q, v) w + D w + K (q - rest) + G = Y p; with w = v the equations of motion"},
    {"P", "parameters in which the equations are linear"},
    {"h", "C v + G"},
    {"c", "closed loops: c(q) = 0"},
    {"A", "c' = A v; loops act by A^T lambda"},
    {"g", "c'' = A a + gamma"},
    {"l", "lengths of cylinders"},
    {"S", "l' = S v; cylinders act by S^T f, with f = u - k (l - rest) - c l' of drive, spring and damper"},
    {"J", "Jacobian of the end effector, world axes, linear rows first"}};

}  // namespace

std::string name_of_quantity(char quantity) {
  return quantity == 'r'   ? "rest"
         : quantity == 'p' ? "pose"
         : quantity == 't' ? "Kt"
         : quantity == 'P' ? "p"
         : quantity == 'g' ? "gamma"
                           : std::string(1, quantity);
}

std::string equation_of_motion(const Model& model) {
  return fmt::format("M(q) a + h(q, v) + D v + K (q - rest) = B u{}{},    h = C(q, v) v + G(q){}",
                     model.cylinders().empty() ? "" : " + S^T f",
                     model.loops().empty() ? "" : " + A^T lambda",
                     model.loops().empty() ? "" : ",    A a + gamma = 0");
}

std::string meaning_of_quantity(char quantity) {
  for (const auto& [name, meaning] : meanings)
    if (*name == quantity) return meaning;
  return "";
}

bool has_rest(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(),
                     [](const Link& link) { return link.joint.stiffness != 0.0 && link.joint.rest != 0.0; });
}

std::string coordinate_meaning(const Model& model, int i) {
  for (const Link& link : model.links()) {
    const int joint = i - link.joint.q_index, elastic = i - link.elastic_q_index;
    if (joint >= 0 && joint < link.joint.nq)
      return link.joint.has_quaternion()
                 ? fmt::format("{}.{}", link.joint.name, joint + 1)
                 : model.coordinates()[static_cast<std::size_t>(link.joint.v_index + joint)];
    if (elastic >= 0 && elastic < link.elastic_count)
      return model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + elastic)];
  }
  return "";
}

}  // namespace limber
