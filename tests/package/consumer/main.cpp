// SPDX-License-Identifier: BSD-3-Clause
#include <limber/limber.hpp>

#include <cmath>
#include <cstdio>

// Builds an arm in C++, reads one from a file, checks numbers of each that pass between the two in every way (vectors by value, views, matrices,
// exceptions), and lets the first one fall. Compiled with other flags and by other compilers than the library.
int main(int argc, char** argv) {
  if (argc != 2) return 1;
  limber::SectionDescription section;
  section.EI_z = 1e5;
  section.mass_per_length = 20.0;
  const limber::Model built = limber::ModelBuilder("boom")
                                  .link("boom", "base")
                                  .revolute({0, 0, 1}, "shoulder")
                                  .beam(6.0, section)
                                  .modes(limber::Direction::y, 2)
                                  .build();
  const limber::Model read = limber::read_model(argv[1]);
  std::printf("limber %s (%d.%d.%d): %s: %d coordinates, %g kg; %s: %d coordinates\n", LIMBER_VERSION,
              LIMBER_VERSION_MAJOR, LIMBER_VERSION_MINOR, LIMBER_VERSION_PATCH, built.name().c_str(),
              built.nv(), built.mass(), read.name().c_str(), read.nv());

  // M a + bias + springs = tau, with memory from both sides.
  limber::Evaluation arm(read);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(read.nv(), 1.0, 2.0);
  arm.set(limber::neutral_configuration(read), Eigen::VectorXd::Constant(read.nv(), 0.1), tau);
  Eigen::VectorXd a = arm.acceleration();
  a.conservativeResize(2 * read.nv());
  a.tail(read.nv()) =
      arm.mass_matrix() * a.head(read.nv()) + arm.bias() + arm.elastic_and_damping_forces() - tau;
  const double residual = a.tail(read.nv()).cwiseAbs().maxCoeff();
  const Eigen::MatrixXd K = limber::elastic_stiffness(read);
  const limber::Matrix6X<double> J = arm.jacobian(read.end_effector());
  std::printf("residual %.1e, %ld x %ld stiffness, Jacobian %.6f\n", residual, static_cast<long>(K.rows()),
              static_cast<long>(K.cols()), J.norm());
  if (residual > 1e-8 || K.rows() != read.nv()) return 1;

  limber::Workspace<double> work(read);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(read.nv(), 3);
  limber::forward_dynamics(read, work, arm.q(), arm.v(), tau, columns.col(1));
  if ((columns.col(1) - arm.acceleration()).norm() > 0.0) return 1;
  try {
    limber::forward_dynamics(read, work, arm.q().head(1), arm.v(), tau, columns.col(1));
    return 1;
  } catch (const limber::InputError& error) {
    std::printf("%s\n", error.what());
  }

  limber::ScenarioDescription description;
  description.initial.q = {{"shoulder", 0.1}};
  description.duration = 0.1;
  limber::Scenario scenario = limber::build_scenario(description, built);
  const limber::RunSummary fall = limber::simulate(scenario);
  std::printf("%ld steps by %s, ledger error %g J\n", fall.last.steps, fall.integrator.c_str(),
              fall.last.largest_error);
  if (fall.end != 0.1 || fall.last.largest_error > 1e-4) return 1;
  return built.nv() == 3 && std::abs(built.mass() - 120.0) < 1e-9 && read.nv() == 9 ? 0 : 1;
}
