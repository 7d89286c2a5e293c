// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A URDF as KDL and its own parser understand it. Only plain doubles cross: KDL is compiled with flags of its own.

#include <memory>
#include <string>
#include <vector>

namespace limber::test {

class KdlTree {
 public:
  /// Throws std::runtime_error where kdl_parser gives up.
  KdlTree(const std::string& urdf, const double* gravity);
  ~KdlTree();
  KdlTree(const KdlTree&) = delete;
  KdlTree& operator=(const KdlTree&) = delete;

  /// Names of the joints that move, in the order of its vectors.
  const std::vector<std::string>& joints() const;
  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) const;
  /// Of the frame of a link in the root's: R row by row.
  void pose(const double* q, const std::string& link, double* p, double* R) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace limber::test
