// SPDX-License-Identifier: BSD-3-Clause
#include <limber/algorithms/forward_dynamics.hpp>
#include <limber/model/builder.hpp>

// A user's own names are not ambiguous with the library's.
struct Memory {};
struct Array {};

int main() {
  using namespace limber;
  const Memory memory;
  const Array array;
  (void)memory, (void)array;
  RigidDescription leaf;
  leaf.mass = 10.0;
  leaf.com = {0.5, 0.0, 0.0};
  const Model model =
      ModelBuilder("door").link("leaf", "base").revolute({0, 0, 1}, "hinge").rigid(leaf).build();
  Workspace<double> work(model);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(1), a(1);
  forward_dynamics(model, work, q, q, Eigen::VectorXd::Ones(1), a);
  return a[0] > 0.0 ? 0 : 1;
}
