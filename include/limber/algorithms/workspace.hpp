// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scratch for the algorithms. One workspace per thread and scalar; made once for a model, then no algorithm allocates (for double).
//
// What stands in it is nobody's business but the algorithms': functions beside it (kinematics.hpp, jacobian.hpp, ...) compute in it
// and read from it. Copies are independent of each other.

#include <memory>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

namespace detail {
template <typename Scalar>
struct ArmWork;
}

/// Which code eliminates, multiplies and sums: `fixed` has loops of constant length for usual numbers of
/// elastic coordinates, and takes many sections at once; `plain` has not, treats every section as a body at a node,
/// and is there to be compared with.
enum class Kernels { fixed, plain };

/// Scalars: double, float, Dual (dual.hpp), Counting; own ones by own_scalar.hpp.
template <typename Scalar>
class Workspace {
 public:
  /// For this model and its copies. `kernels`: see Kernels.
  explicit Workspace(const Model& model, Kernels kernels = Kernels::fixed);
  ///@{
  /// Copies are independent of each other; what was moved from is not ready.
  Workspace(const Workspace& other);
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(const Workspace& other);
  Workspace& operator=(Workspace&& other) noexcept;
  ///@}
  ~Workspace();

  /// Another gravity than the model's, in the world's axes.
  void set_gravity(const Vector3<Scalar>& gravity);
  /// Joints of these links, and of no others, move as they are told: forward dynamics takes their accelerations as they are handed in.
  /// Behind an elastic gear it is the motor that does.
  void prescribe(const std::vector<int>& links);
  /// Whether prescribe() named it.
  bool is_prescribed(int link) const;

  /// False once it has been moved from.
  bool is_ready() const { return arm_ != nullptr; }

  ///@{
  /// What the algorithms work in; not for others.
  detail::ArmWork<Scalar>& arm() { return *arm_; }
  const detail::ArmWork<Scalar>& arm() const { return *arm_; }
  ///@}

 private:
  std::unique_ptr<detail::ArmWork<Scalar>> arm_;
};

}  // namespace limber
