// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How weighted forces change with all constants of an arm at once.
//
// What the sweeps know of an arm is a list c of numbers (gather.hpp): places of joints, integrals of shapes, masses, stiffnesses. With the forces that a motion takes,
//
//   f(q, v, a; c) = M a + h + K (q - rest) + D v - J^T loads                                                                   (1)
//
// and weights w, d(w^T f)/dc comes from one inverse dynamics on a tape and one sweep back over it (math/detail/taped.hpp), whatever the length of c. By any parameter p of the
// arm it is then
//
//   d(w^T f)/dp = d(w^T f)/dc . dc/dp                                                                                          (2)
//
// where dc/dp does not depend on the motion: along a run, the left factors of one parameter or of a thousand are summed once.

#include <memory>
#include <optional>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

class ConstantsAdjoint {
 public:
  /// Null for arms with telescoping beams, whose constants are not listed.
  static std::unique_ptr<ConstantsAdjoint> make(const Model& model);
  ~ConstantsAdjoint();

  /// c of an arm with as many numbers, in the same places; none where it has others. Numbers that no sweep reads may be anything.
  std::optional<Eigen::VectorXd> constants(const Model& arm) const;
  /// From now on, derivatives are by those numbers of c that are named (in ascending order) alone.
  void select(const std::vector<int>& numbers);
  /// Adds d(w^T f)/dc for each column w of `weights` (nv rows) to the same column of `sums` (a row for each selected number).
  void add(const Input<double>& q, const Input<double>& v, const Input<double>& a,
           const std::vector<Load>& loads, const Eigen::MatrixXd& weights, Eigen::MatrixXd& sums);

 private:
  struct Inside;
  explicit ConstantsAdjoint(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace detail
}  // namespace limber
