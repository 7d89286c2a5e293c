// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coordinates whose accelerations are given. In the equations M a = f such an acceleration stands on the right side, and is no unknown:
// its row and column become the identity's.

#include <algorithm>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Of coordinate i.
inline void clear_row_and_column(Eigen::MatrixXd& A, int i) {
  A.row(i).setZero();
  A.col(i).setZero();
}

/// The acceleration of coordinate i is known.
inline void make_row_identity(Eigen::MatrixXd& M, int i) {
  clear_row_and_column(M, i);
  M(i, i) = 1.0;
}

/// Which coordinates have given accelerations.
class PrescribedRows {
 public:
  /// None at first.
  explicit PrescribedRows(const Model& model) : is_(static_cast<std::size_t>(model.nv()), 0) {}

  /// The joints of these links, and no others; of a joint with an elastic gear its motor.
  void set(const Model& model, const std::vector<int>& links) {
    detail::Call{"PrescribedRows::set", model}.require_links("links", links);
    std::fill(is_.begin(), is_.end(), 0);
    for (const int link : links) {
      const Joint& joint = model.links()[static_cast<std::size_t>(link)].joint;
      std::fill_n(is_.begin() + joint.driven_index(), joint.driven_count(), 1);
    }
  }
  /// Of a coordinate in v.
  bool operator[](int coordinate) const {
    detail::require_index("PrescribedRows", "coordinate", static_cast<int>(is_.size()), coordinate);
    return is_[static_cast<std::size_t>(coordinate)] != 0;
  }
  /// Whether there is one at all.
  bool any() const {
    return std::any_of(is_.begin(), is_.end(), [](char is) { return is != 0; });
  }

  /// make_row_identity() for each of them.
  void make_identity(Eigen::MatrixXd& M) const {
    for (int i = 0; i < static_cast<int>(is_.size()); ++i)
      if ((*this)[i]) make_row_identity(M, i);
  }

 private:
  std::vector<char> is_;  ///< of nv; not bool, which would be packed
};

}  // namespace limber
