// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many arms at once: sampling, learning, predictive control. Arms of one topology (the same links and joints, as many shapes) with different states and, if they
// like, different masses, lengths and stiffnesses go through the sweeps side by side, four or eight of them in the lanes of a vector register
// (docs/dynamics.md, "Many arms per instruction").
//
//   BatchWorkspace work(model);
//   forward_dynamics(work, q, v, tau, qdd);      // matrices, one column an arm
//
// Lanes do not know of each other: an arm's results are the same, to the last bit, whatever other columns there are. They agree with those of
// Workspace<double> to rounding. Where the processor has no such registers, columns are computed one by one.

#include <memory>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Scratch for many arms; one for each thread. Once it has seen a number of columns, nothing allocates.
class BatchWorkspace {
 public:
  /// One arm in any number of states: columns as many as you like.
  explicit BatchWorkspace(const Model& model);
  /// Arms of one topology: as many columns as there are models. Throws InputError for one that is of another.
  explicit BatchWorkspace(const std::vector<Model>& models);
  ///@{
  /// Moved, not copied.
  BatchWorkspace(BatchWorkspace&&) noexcept;
  BatchWorkspace& operator=(BatchWorkspace&&) noexcept;
  ///@}
  ~BatchWorkspace();

  /// Arms in one instruction: 8 with AVX-512, 4 with AVX2, else 1.
  int width() const;
  /// Models that it was made for.
  int model_count() const;

  /// What the algorithms work in; not for others.
  struct Inside;
  /// Of this one.
  Inside& inside() { return *inside_; }
  /// Whether it is there: not where another was made from it by moving.
  bool is_ready() const { return inside_ != nullptr; }

 private:
  std::unique_ptr<Inside> inside_;
};

/// Matrices of a batch: one column an arm.
using BatchInput = Eigen::Ref<const Eigen::MatrixXd>;
/// Written: of the right size already.
using BatchOutput = Eigen::Ref<Eigen::MatrixXd>;

/// qdd (nv x n) of each arm, as forward_dynamics() of one: q is nq x n, v and tau are nv x n. `loads` act on all of them. Throws ComputationError, naming the column, the
/// link and the coordinate, where a mass matrix is singular.
void forward_dynamics(BatchWorkspace& work, const BatchInput& q, const BatchInput& v, const BatchInput& tau,
                      BatchOutput qdd, const std::vector<Load>& loads = {});

/// tau (nv x n) of each arm, as inverse_dynamics() of one.
void inverse_dynamics(BatchWorkspace& work, const BatchInput& q, const BatchInput& v, const BatchInput& qdd,
                      BatchOutput tau, const std::vector<Load>& loads = {});

/// Mass matrices side by side: nv x (nv n), columns i nv to (i + 1) nv - 1 are those of arm i.
void mass_matrix(BatchWorkspace& work, const BatchInput& q, BatchOutput M);

}  // namespace limber
