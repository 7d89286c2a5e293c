// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a caller may get wrong, looked at on the way in: sizes, and whether a workspace belongs to the model. It costs a comparison each; the
// words are made elsewhere.

#include <vector>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

[[noreturn]] void throw_wrong_size(const char* function, const char* argument, const Model& model,
                                   const char* meaning, int expected, Eigen::Index found);
[[noreturn]] void throw_wrong_matrix(const char* function, const char* argument, const Model& model, int rows,
                                     int columns, Eigen::Index found_rows, Eigen::Index found_columns);
[[noreturn]] void throw_wrong_workspace(const char* function, const Model& model);
[[noreturn]] void throw_wrong_link(const char* function, const char* argument, const Model& model, int link);
[[noreturn]] void throw_wrong_node(const char* function, const char* argument, const Model& model, int link,
                                   int node);

[[noreturn]] void throw_moved_workspace();
[[noreturn]] void throw_wrong_link_of_workspace(int links, int found);

/// The name of a function and the model that it was given, for the messages.
struct Call {
  const char* function;
  const Model& model;

  template <typename Vector>
  void require_position(const char* argument, const Vector& q) const {
    if (q.size() != model.nq()) throw_wrong_size(function, argument, model, "nq", model.nq(), q.size());
  }
  template <typename Vector>
  void require_velocity(const char* argument, const Vector& v) const {
    if (v.size() != model.nv()) throw_wrong_size(function, argument, model, "nv", model.nv(), v.size());
  }
  template <typename Matrix>
  void require_matrix(const char* argument, const Matrix& M, int rows) const {
    if (M.rows() != rows || M.cols() != model.nv())
      throw_wrong_matrix(function, argument, model, rows, model.nv(), M.rows(), M.cols());
  }
  void require_link(const char* argument, int link) const {
    if (link < 0 || link >= static_cast<int>(model.links().size()))
      throw_wrong_link(function, argument, model, link);
  }
  void require_node(const char* argument, int link, int node) const {
    require_link(argument, link);
    if (node < 0 || node >= static_cast<int>(model.links()[static_cast<std::size_t>(link)].nodes.size()))
      throw_wrong_node(function, argument, model, link, node);
  }
  void require_loads(const std::vector<Load>& loads) const {
    for (const Load& load : loads) require_node("loads", load.link, load.node);
  }
  /// The inside of a workspace that was made for the model.
  template <typename Work>
  auto& arm(Work& work) const {
    if (!work.is_ready() || !work.arm().model.is_same_arm(model)) throw_wrong_workspace(function, model);
    return work.arm();
  }
};

}  // namespace detail
}  // namespace limber
