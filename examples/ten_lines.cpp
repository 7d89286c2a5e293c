// SPDX-License-Identifier: BSD-3-Clause
// What Pinocchio's users write first: a model, its scratch, and the algorithms; here of an arm whose links bend.

#include <cstdio>
#include <limber/limber.hpp>

int main() try {
  const limber::Model model = limber::read_model("../models/canadarm/canadarm.yaml");
  limber::Workspace<double> work(model);  // Pinocchio's Data: one for each thread
  const limber::Frame hand = limber::end_effector_frame(model);
  const auto axes = limber::MotionAxes::local_world_aligned;

  const Eigen::VectorXd q = limber::neutral_configuration(model);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(model.nv(), 0.1, 0.9);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(model.nv(), 100.0, -100.0);
  Eigen::VectorXd a(model.nv()), forces(model.nv()), passive(model.nv());
  Eigen::MatrixXd M(model.nv(), model.nv()), J(6, model.nv());

  limber::forward_dynamics(model, work, q, v, tau, a);             // computeABA
  limber::inverse_dynamics(model, work, q, v, a, forces);          // rnea
  limber::elastic_and_damping_forces(model, work, q, v, passive);  // beams, springs and dampers
  limber::mass_matrix(model, work, q, M);                          // crba, both triangles
  limber::update_velocities(model, work, q, v);                    // forwardKinematics
  limber::update_world_poses(work);                                // updateFramePlacements
  limber::frame_jacobian(model, work, hand, axes, J);              // getFrameJacobian
  const limber::Pose pose = limber::frame_pose(model, work, hand);
  const limber::Twist twist = limber::frame_twist(model, work, hand, axes);

  std::printf("%s: %d coordinates, %g kg, hand at x = %g m\n", model.name().c_str(), model.nv(), model.mass(),
              pose.p.x());
  std::printf("forces in balance to %.1e, mass matrix symmetric to %.1e, twist = J v to %.1e\n",
              (forces + passive - tau).norm() / tau.norm(), (M - M.transpose()).norm(),
              (J * v - twist.vector()).norm());

  // The same by an object that computes what is asked for, once, and never returns what is stale.
  limber::Evaluation arm(model);
  arm.set(q, v, tau);
  std::printf("Evaluation: accelerations to %.1e, Jacobian to %.1e\n",
              (arm.acceleration() - a).norm() / a.norm(), (arm.jacobian(hand, axes) - J).norm());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   canadarm: 9 coordinates, 320 kg, hand at x = 15 m
//   forces in balance to <1e-9, mass matrix symmetric to <1e-9, twist = J v to <1e-9
//   Evaluation: accelerations to <1e-9, Jacobian to <1e-9
