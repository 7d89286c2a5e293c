// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "check_rules.hpp"

#include "limber/math/detail/decompositions.hpp"

namespace limber {

Eigen::Vector3d principal_moments(const InertiaElements& elements) {
  Eigen::Matrix3d tensor;
  tensor << elements[0], elements[3], elements[4],  //
      elements[3], elements[1], elements[5],        //
      elements[4], elements[5], elements[2];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
}

namespace {

void check_tensor(const InertiaElements& elements, const std::string& path, Problems& problems) {
  const Eigen::Vector3d moments = principal_moments(elements);
  constexpr double digits_of_a_file = 1e-9;  // a thin rod or plate is at the limit
  const double slack = digits_of_a_file * moments.cwiseAbs().maxCoeff();
  const std::string found =
      fmt::format("principal moments [{:.6g}, {:.6g}, {:.6g}]", moments[0], moments[1], moments[2]);
  if (moments[0] < -slack) {
    problems.push_back({path, "an inertia tensor without negative principal moments", found, ""});
  } else if (moments[2] > (1.0 + guessed_inertia) * (moments[0] + moments[1]) + slack) {
    const bool is_planar = elements[0] == 0.0 && elements[1] == 0.0;
    problems.push_back(
        {path, "an inertia whose largest principal moment is at most the sum of the others", found,
         is_planar ? "for a flat hub in the plane: [izz/2, izz/2, izz, 0, 0, 0]" : "no body has these"});
  }
}

}  // namespace

void check_inertias(const LinkDescription& link, const std::string& path, Problems& problems) {
  check_tensor(link.root.inertia, path + ".root.inertia", problems);
  if (link.rigid) check_tensor(link.rigid->inertia, path + ".rigid.inertia", problems);
  if (link.tip) check_tensor(link.tip->inertia, path + ".tip.inertia", problems);
}

}  // namespace limber
