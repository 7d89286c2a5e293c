// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inertial forces at the stages of an implicit Runge-Kutta method. Stages are one arm in several states, so they go through inverse dynamics side by side,
// in the lanes of a vector register (docs/dynamics.md, "Many arms per instruction"), where the arm is a plain tree and enough lanes are full.

#include <Eigen/Core>
#include <algorithm>
#include <memory>

#include "limber/algorithms/detail/batch_arms.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

class StageForces {
 public:
  explicit StageForces(const System& system) : system_(system), width_(detail::batch_width()) {}

  /// Whether so many stages take less time side by side. A sweep over all lanes takes somewhat less than half of the time of as many arms one after
  /// another, whether or not all of them are wanted.
  bool pays(int stages) const {
    if (width_ == 1 || !system_.is_plain_tree() || !system_.held_links().empty()) return false;
    const int sweeps = (stages + width_ - 1) / width_;
    return 2 * stages > sweeps * width_;
  }

  /// forces -= inverse dynamics, a column a stage.
  template <typename States, typename Forces>
  void subtract(const States& q, const States& v, const Forces& a, Forces& forces) {
    if (!lanes_) {  // made by the first method of a run that wants it
      lanes_ = detail::make_batch_arms(system_.workspace());
      found_.resize(system_.nv());
    }
    const auto count = static_cast<int>(forces.cols());
    for (int first = 0; first < count; first += width_) {
      for (int lane = 0; lane < width_; ++lane) {
        const int i = std::min(first + lane, count - 1);
        lanes_->set(lane, q.col(i).data(), v.col(i).data(), a.col(i).data());
      }
      lanes_->inverse_dynamics({});
      for (int i = first; i < std::min(first + width_, count); ++i) {
        lanes_->get(i - first, found_.data());
        forces.col(i) -= found_;
      }
    }
  }

 private:
  const System& system_;
  int width_;
  std::unique_ptr<detail::BatchArms> lanes_;
  Eigen::VectorXd found_;
};

}  // namespace limber
