// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a caller may get wrong, looked at on the way in: sizes, indices, and whether a workspace belongs to the model. It costs a comparison each;
// the words are made elsewhere, and say function, argument, what was expected and what was found.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/frame.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

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
[[noreturn]] void throw_wrong_coordinate(const char* function, const char* argument, const Model& model,
                                         int coordinate, bool of_a_joint);

[[noreturn]] void throw_moved(const char* function, const char* argument);
[[noreturn]] void throw_wrong_link_of_workspace(int links, int found);

[[noreturn]] void throw_wrong_extent(const char* function, const char* argument, Eigen::Index rows,
                                     Eigen::Index columns, Eigen::Index found_rows,
                                     Eigen::Index found_columns);
[[noreturn]] void throw_not_square(const char* function, const char* argument, Eigen::Index rows,
                                   Eigen::Index columns);
[[noreturn]] void throw_wrong_index(const char* function, const char* argument, int count, int found);
[[noreturn]] void throw_not_finite(const char* function, const char* argument);

// ---- where there is no model ----

/// A vector of `rows` numbers, or a matrix of rows x columns.
template <typename Matrix>
void require_extent(const char* function, const char* argument, const Matrix& M, Eigen::Index rows,
                    Eigen::Index columns) {
  if (M.rows() != rows || M.cols() != columns)
    throw_wrong_extent(function, argument, rows, columns, M.rows(), M.cols());
}
template <typename Matrix>
void require_square(const char* function, const char* argument, const Matrix& M) {
  if (M.rows() != M.cols()) throw_not_square(function, argument, M.rows(), M.cols());
}
/// 0 to count - 1.
inline void require_index(const char* function, const char* argument, int count, int index) {
  if (index < 0 || index >= count) throw_wrong_index(function, argument, count, index);
}
/// Of an object that keeps what it has in one piece, and may have given it away.
template <typename Pointer>
auto& require_unmoved(const char* function, const char* argument, const Pointer& pointer) {
  if (!pointer) throw_moved(function, argument);
  return *pointer;
}
template <typename Matrix>
void require_finite_numbers(const char* function, const char* argument, const Matrix& M) {
  if (!M.allFinite()) throw_not_finite(function, argument);
}

// ---- of a model ----

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
  /// Or empty, which says that there is none.
  template <typename Vector>
  void require_velocity_or_none(const char* argument, const Vector& v) const {
    if (v.size() != 0) require_velocity(argument, v);
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
  void require_links(const char* argument, const std::vector<int>& links) const {
    for (const int link : links) require_link(argument, link);
  }
  void require_node(const char* argument, int link, int node) const {
    require_link(argument, link);
    if (node < 0 || node >= static_cast<int>(model.links()[static_cast<std::size_t>(link)].nodes.size()))
      throw_wrong_node(function, argument, model, link, node);
  }
  void require_frame(const char* argument, const Frame& frame) const {
    require_node(argument, frame.link, frame.node);
  }
  void require_loads(const std::vector<Load>& loads) const {
    if (!loads.empty()) require_each(loads);
  }
  void require_each(const std::vector<Load>& loads) const;
  /// An index in v.
  void require_coordinate(const char* argument, int coordinate) const {
    if (coordinate < 0 || coordinate >= model.nv())
      throw_wrong_coordinate(function, argument, model, coordinate, false);
  }
  void require_coordinates(const char* argument, const std::vector<int>& coordinates) const {
    for (const int coordinate : coordinates) require_coordinate(argument, coordinate);
  }
  /// ... that belongs to a joint, which is returned.
  const Joint& require_joint_coordinate(const char* argument, int coordinate) const {
    for (const Link& link : model.links())
      if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
        return link.joint;
    throw_wrong_coordinate(function, argument, model, coordinate, true);
  }
  /// The inside of a workspace that was made for the model.
  template <typename Work>
  auto& arm(Work& work) const {
    if (!work.is_ready()) throw_moved(function, "work");
    if (!work.arm().model.is_same_arm(model)) throw_wrong_workspace(function, model);
    return work.arm();
  }
};

}  // namespace detail
}  // namespace limber
