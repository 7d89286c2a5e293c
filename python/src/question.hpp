// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What analyses are asked about: an arm with its loads, at one configuration or at many. One configuration may be given as a map by
// coordinate name, too, and None is the neutral one.

#include <optional>

#include "arrays.hpp"
#include "state.hpp"

namespace limber::python {

/// A question's arm, loads, held joints and states.
class Question {
 public:
  Question(const ArmPointer& arm, const Numbers& q, const py::object& loads, const py::object& hold);

  const Model& model() const { return arm_->model(); }
  Arm& arm() const { return *arm_; }
  const std::vector<Load>& loads() const { return loads_; }
  const JointNames& hold() const { return hold_; }
  const Rows& positions() const { return *positions_; }
  Eigen::VectorXd q(std::size_t i) const { return (*positions_)[i]; }

 private:
  ArmPointer arm_;
  std::vector<Load> loads_;
  JointNames hold_;
  std::optional<Rows> positions_;
};

/// Velocities, efforts: arrays as they are, maps by coordinate name as arrays.
Numbers by_name(const Arm& arm, const char* key, const Numbers& numbers);

}  // namespace limber::python
