// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// As many arms as go into one register, and the sweeps over them: what BatchWorkspace and simulators that go on together are made of. Numbers of an arm go in and
// come out as plain doubles.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

class BatchArms {
 public:
  BatchArms() = default;
  BatchArms(const BatchArms&) = delete;
  BatchArms& operator=(const BatchArms&) = delete;
  virtual ~BatchArms() = default;

  /// The state of an arm; x: tau or qdd (nv).
  virtual void set(int lane, const double* q, const double* v, const double* x) = 0;
  /// What the last sweep found of an arm (nv): qdd or tau. qdd of an arm that cannot be accelerated are not finite.
  virtual void get(int lane, double* y) const = 0;
  /// ... or its mass matrix; columns are `stride` numbers apart.
  virtual void get_matrix(int lane, double* M, Eigen::Index stride) const = 0;

  /// Loads are of the first arm: not for arms that differ.
  virtual void forward_dynamics(const std::vector<Load>& loads) = 0;
  virtual void inverse_dynamics(const std::vector<Load>& loads) = 0;
  virtual void mass_matrix() = 0;
};

/// How many arms go into a register of the level in use (processor_level.hpp); 1: there are no kernels for several.
int batch_width();

/// The first of these models (their index) that is of another topology than models[0], and a message for it; none: they go into a batch.
struct OtherTopology {
  int model;
  std::string place, expected, found;
};
std::optional<OtherTopology> find_other_topology(const std::vector<Model>& models);

/// Of batch_width() arms of one topology; fewer models: the last one fills up. Null where batch_width() is 1.
std::unique_ptr<BatchArms> make_batch_arms(const std::vector<Model>& models);
/// The same, of one arm, which a workspace has prepared already.
std::unique_ptr<BatchArms> make_batch_arms(const Workspace<double>& prepared);

}  // namespace detail
}  // namespace limber
