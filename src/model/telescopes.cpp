// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/telescopes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

constexpr double rounding = 1e-9;  // of the beam's length: the end of a stroke may be reached

bool is_within(const Link& link, double free) {
  const double length = link.beam->telescope->length;
  return free > 0.0 && free <= length * (1.0 + rounding);
}

std::string range_of(const Link& link) {
  const Telescope& telescope = *link.beam->telescope;
  return fmt::format("more than {:.6g} and at most {:.6g} [m]", -telescope.free_length,
                     telescope.length - telescope.free_length);
}

}  // namespace

bool Model::has_telescopes() const {
  return std::any_of(links().begin(), links().end(), [](const Link& link) { return link.telescopes(); });
}

void require_no_telescopes(const Model& model, const char* what) {
  for (const Link& link : model.links())
    if (link.telescopes())
      throw InputError(
          Problem{fmt::format("links[{}].joint.telescoping", link.described),
                  fmt::format("no telescoping beam for {}", what), "`" + link.name + "`",
                  "the formulations `recursive`, `dense` and `generated`, `statics`, `modes`, `linearize`, "
                  "`simulate` and `derive` take it; or hold it at its length: `telescoping: false`"});
}

void require_free_lengths(const Model& model, const Eigen::VectorXd& q) {
  for (const Link& link : model.links()) {
    if (!link.telescopes() || is_within(link, link.free_length(q))) continue;
    throw InputError(
        Problem{"q." + link.joint.name, range_of(link),
                fmt::format("{:.6g}, a free length of {:.6g} m of {:.6g} m", q[link.joint.q_index],
                            link.free_length(q), link.beam->telescope->length),
                "beam `" + link.name + "` would leave its guide"});
  }
}

std::string free_length_problem(const Model& model, const Eigen::VectorXd& q) {
  for (const Link& link : model.links()) {
    if (!link.telescopes() || is_within(link, link.free_length(q))) continue;
    return fmt::format(
        "beam `{}` has left its guide: joint `{}` stands at {:.6g} m, a free length of {:.6g} m of a beam of "
        "{:.6g} m. Expected {}: end the motion before, or give the joint `limits` with stops",
        link.name, link.joint.name, q[link.joint.q_index], link.free_length(q), link.beam->telescope->length,
        range_of(link));
  }
  return {};
}

Eigen::MatrixXd elastic_stiffness_at(const Model& model, const Eigen::VectorXd& q) {
  Eigen::MatrixXd K = elastic_stiffness(model);
  for (const Link& link : model.links()) {
    if (!link.telescopes()) continue;
    const int first = link.elastic_v_index, count = link.elastic_count;
    const double l = link.free_length(q);
    const ExtendingMatrix& stiffness = link.beam->telescope->stiffness;
    const Eigen::MatrixXd here = stiffness.at(l);
    K.block(first, first, count, count) = here;
    const Eigen::VectorXd eta = q.segment(link.elastic_q_index, count);
    for (int i = 0; i < count; ++i)
      K(link.joint.v_index, first + i) =
          -0.5 * stiffness.power[static_cast<std::size_t>(i)] / l * here.row(i).dot(eta);
  }
  return K;
}

Eigen::MatrixXd damping_matrix_at(const Model& model, const Eigen::VectorXd& q) {
  Eigen::MatrixXd D = damping_matrix(model);
  for (const Link& link : model.links())
    if (link.telescopes())
      D.block(link.elastic_v_index, link.elastic_v_index, link.elastic_count, link.elastic_count) =
          link.beam->telescope->damping_at(link.free_length(q));
  return D;
}

}  // namespace limber
