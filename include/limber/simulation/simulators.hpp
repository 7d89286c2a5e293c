// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many arms that other programs take along together: learning, sampling-based control. Each is a Simulator of its own, with its own state, controllers, loads, sensors and
// events. What takes the time, the accelerations, is computed for several of them at once (algorithms/batch.hpp).
//
//   Simulators arms(std::move(scenarios));
//   for (int k = 0; k < 1000; ++k) arms.step(1e-2, efforts);      // nv x n

#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/simulator.hpp"

namespace limber LIMBER_EXPORT {

/// Arms that go on together, in groups. Neighbours whose models have one topology and that are integrated by rk4, euler or
/// generalized-alpha with the recursive formulation share a group, as many as there are lanes in a register; others are a group each,
/// and go on as Simulator does. In a shared group an arm's motion does not depend on which arms are with it, and agrees with that of Simulator to rounding.
class Simulators {
 public:
  /// At least one scenario. Throws what Simulator throws, and InputError where arms have different numbers of coordinates.
  explicit Simulators(std::vector<Scenario> scenarios);
  ///@{
  /// Moved, not copied.
  Simulators(Simulators&&) noexcept;
  Simulators& operator=(Simulators&&) noexcept;
  ///@}
  ~Simulators();

  /// Arms.
  int size() const;
  ///@{
  /// One of them: to look at, to save and restore, to set loads of.
  Simulator& operator[](int arm);
  const Simulator& operator[](int arm) const;
  ///@}

  /// All go on for h seconds with these efforts (nv x n, one column an arm, as Simulator::set_efforts). An arm that cannot is left where it was, and failures() says why; it does not
  /// go on until it is forgiven.
  void step(double h, const Eigen::Ref<const Eigen::MatrixXd>& efforts);

  /// Groups: whoever has several threads gives them different ones.
  int group_count() const;
  /// The arms of a group: `first` and those that follow.
  struct Group {
    int first;      ///< index
    int count;      ///< of arms
    bool is_batch;  ///< whether their accelerations are computed together
  };
  /// 0 to group_count() - 1.
  Group group(int index) const;
  /// As step(), of the arms of one group alone; `efforts` are those of all arms.
  void step_group(int index, double h, const Eigen::Ref<const Eigen::MatrixXd>& efforts);

  /// Of each arm, why it cannot go on; empty where it can.
  const std::vector<std::string>& failures() const;
  /// An arm that failed may go on: it has been put somewhere else.
  void forgive(int arm);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
