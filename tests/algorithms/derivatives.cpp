// SPDX-License-Identifier: BSD-3-Clause
// The recursion differentiated by hand, against the dual scalar: a second algorithm that shares none of its formulas.

#include "limber/algorithms/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "allocations.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/processor_level.hpp"
#include "limber/io/model_file.hpp"
#include "node_on.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  Model model;
  VectorXd q, v, tau, a;
  std::vector<Load> loads;
};

// A load of every kind on every fifth link, besides those of the random state.
Case random_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const double scales[] = {0.0, 1e-4, 0.05};  // NOLINT
  const ModelDescription arm = reference::random_arm(seed, 1 + static_cast<int>(seed / 2 % 8), order);
  const reference::State state = reference::random_state(arm, seed, scales[seed % 3]);
  Case c{build_model(arm), state.q, state.v, state.tau, {}, {}};
  for (const reference::Load& load : state.loads) {
    int link = 0;
    while (c.model.links()[static_cast<std::size_t>(link)].name != load.link) ++link;
    c.loads.push_back({link, node_on(c.model, link, load.at), static_cast<Axes>(load.axes), load.force,
                       load.moment, Eigen::Vector3d(0.1, -0.2, 0.05) * (seed % 4)});
  }
  c.a = VectorXd::LinSpaced(c.model.nv(), 3.0, -5.0);
  return c;
}

// Elements stand for forces of different size: each against the largest of all. `summed`: of what sums are made that cancel in all elements, as Coriolis forces of a
// single joint do; of it rounding remains.
void expect_equal(const MatrixXd& found, const MatrixXd& expected, double tolerance, const char* what,
                  double summed = 0.0) {
  ASSERT_EQ(found.rows(), expected.rows());
  Eigen::Index row = 0, column = 0;
  if (expected.size() == 0) return;
  const double error = (found - expected).cwiseAbs().maxCoeff(&row, &column);
  EXPECT_LE(error, tolerance * expected.cwiseAbs().maxCoeff() + 1e-14 * summed)
      << what << " at (" << row << ", " << column << "): " << found(row, column) << ", expected "
      << expected(row, column);
  EXPECT_TRUE(found.allFinite()) << what;
}

constexpr double rounding = 1e-11;

struct Sizes {
  double of_q, of_v;
};
// M (a + v^2 + g) and the loads, M v
Sizes summed_in(const Case& c, const MatrixXd& M) {
  const double mass = M.cwiseAbs().maxCoeff(), rate = c.v.cwiseAbs().maxCoeff();
  double load = 0.0;
  for (const Load& one : c.loads) load += one.force.norm() + one.moment.norm();
  return {mass * (c.a.cwiseAbs().maxCoeff() + rate * rate + c.model.gravity().norm()) + load, mass * rate};
}

void expect_as_by_dual_scalar(const Case& c, Kernels kernels = Kernels::fixed) {
  const int nv = c.model.nv();
  DerivativeWorkspace work(c.model, kernels);
  poison(work.work().arm);
  ForceDerivatives found;
  force_derivatives(c.model, work, c.q, c.v, c.a, found, c.loads);
  Workspace<double> plain(c.model);
  MatrixXd M(nv, nv);
  mass_matrix(c.model, plain, c.q, M);
  expect_equal(found.da, M, rounding, "da");
  const Sizes summed = summed_in(c, M);
  ForceDifferentiator dual(c.model);
  const std::vector<int> all = all_coordinates(c.model);
  expect_equal(found.dq, dual.by_position(c.q, c.v, c.a, c.loads, all), rounding, "dq", summed.of_q);
  expect_equal(found.dv, dual.by_velocity(c.q, c.v, all), rounding, "dv", summed.of_v);
}

class RandomTree : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTree, IsDifferentiatedAsByTheDualScalar) {
  for (unsigned seed = 30 * GetParam(); seed < 30 * GetParam() + 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_case(seed);
    expect_as_by_dual_scalar(c);
    if (seed % 5 == 0) expect_as_by_dual_scalar(c, Kernels::plain);
  }
}
INSTANTIATE_TEST_SUITE_P(Derivatives, RandomTree, testing::Range(0U, 8U));

std::vector<fs::path> shipped_models() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    try {
      read_model(entry.path());
    } catch (const std::exception&) {
      continue;  // a scenario
    }
    files.push_back(entry.path());
  }
  return files;
}

TEST(Derivatives, OfEveryShippedArmAreThoseOfTheDualScalar) {
  const std::vector<fs::path> files = shipped_models();
  ASSERT_GT(files.size(), 15U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    const Model model = read_model(file);
    if (model.has_telescopes()) continue;  // by the dual scalar itself: tests/analysis/telescope.cpp
    for (const double scale : {0.0, 1e-6, 0.02}) {
      Case c{model, neutral_configuration(model), {}, {}, {}, {}};
      const int nv = model.nv();
      const VectorXd wave = VectorXd::LinSpaced(nv, 1.0, 5.0).array().sin();
      displace(model, VectorXd(c.q), scale * wave, c.q);
      c.v = scale * 10.0 * wave.reverse();
      c.a = scale * 100.0 * VectorXd::LinSpaced(nv, 0.5, -1.0);
      c.loads = {{.link = static_cast<int>(model.links().size()) - 1, .force = {1.0, -2.0, 3.0}}};
      expect_as_by_dual_scalar(c);
    }
  }
}

// An arm that floats far from the world's origin differs from one next to it by rounding of its place alone.
TEST(Derivatives, KeepTheirDigitsFarFromTheOrigin) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c = random_case(seed);
    if (c.model.links().front().joint.type != JointType::free) continue;
    for (Load& load : c.loads) load.axes = Axes::section;
    ForceDerivatives near, far;
    DerivativeWorkspace work(c.model);
    force_derivatives(c.model, work, c.q, c.v, c.a, near, c.loads);
    c.q.head<3>() += Eigen::Vector3d(6.8e6, -1e6, 2e6);
    force_derivatives(c.model, work, c.q, c.v, c.a, far, c.loads);
    const Sizes summed = summed_in(c, near.da);
    expect_equal(far.dq, near.dq, rounding, "dq", summed.of_q);
    expect_equal(far.dv, near.dv, rounding, "dv", summed.of_v);
  }
}

TEST(Derivatives, OfForwardDynamicsAreThoseOfTheDualScalar) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_case(seed);
    DerivativeWorkspace work(c.model);
    DynamicsDerivatives found;
    derivatives(c.model, work, c.q, c.v, c.tau, found, c.loads);
    VectorXd own(c.model.nv());
    Workspace<double> plain(c.model);
    forward_dynamics(c.model, plain, c.q, c.v, c.tau, own, c.loads);
    MatrixXd M(c.model.nv(), c.model.nv());
    mass_matrix(c.model, plain, c.q, M);
    ForceDifferentiator dual(c.model);
    const std::vector<int> all = all_coordinates(c.model);
    const DynamicsDerivatives expected =
        derivatives_from(M, elastic_stiffness(c.model) + dual.by_position(c.q, c.v, own, c.loads, all),
                         damping_matrix(c.model) + dual.by_velocity(c.q, c.v, all));
    const double condition = 1e-15 * M.norm() * M.inverse().norm();  // what M's inverse leaves of the digits
    const Sizes summed = summed_in(c, M);
    expect_equal(found.dforce_dq, expected.dforce_dq, rounding, "dforce_dq", summed.of_q);
    expect_equal(found.dforce_dv, expected.dforce_dv, rounding, "dforce_dv", summed.of_v);
    expect_equal(found.dacceleration_dtau, expected.dacceleration_dtau, rounding + condition, "da/dtau");
    expect_equal(found.dacceleration_dq, expected.dacceleration_dq, rounding + condition, "da/dq");
    expect_equal(found.dacceleration_dv, expected.dacceleration_dv, rounding + condition, "da/dv");
  }
}

TEST(Derivatives, AreTheSameOnEveryProcessorLevel) {
  const ProcessorLevel before = processor_level();
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c = random_case(seed);
    ForceDerivatives best, plain;
    DerivativeWorkspace of_best(c.model);
    use_processor_level(ProcessorLevel::plain);
    DerivativeWorkspace of_plain(c.model);
    use_processor_level(before);
    force_derivatives(c.model, of_best, c.q, c.v, c.a, best, c.loads);
    force_derivatives(c.model, of_plain, c.q, c.v, c.a, plain, c.loads);
    const Sizes summed = summed_in(c, best.da);
    expect_equal(best.dq, plain.dq, rounding, "dq", summed.of_q);
    expect_equal(best.dv, plain.dv, rounding, "dv", summed.of_v);
    expect_equal(best.da, plain.da, rounding, "da");
  }
}

TEST(Derivatives, DoNotUseTheHeapAfterSetUp) {
  for (unsigned seed = 0; seed < 16; ++seed) {
    const Case c = random_case(seed);
    DerivativeWorkspace work(c.model);
    ForceDerivatives force;
    DynamicsDerivatives all;
    force_derivatives(c.model, work, c.q, c.v, c.a, force, c.loads);
    derivatives(c.model, work, c.q, c.v, c.tau, all, c.loads);
    const test::AllocationCounter allocations;
    force_derivatives(c.model, work, c.q, c.v, c.a, force, c.loads);
    derivatives(c.model, work, c.q, c.v, c.tau, all, c.loads);
    EXPECT_EQ(allocations.count(), 0) << seed;
  }
}

TEST(Derivatives, FollowTheGravityTheyAreGiven) {
  Case c = random_case(7);
  c.loads.clear();
  DerivativeWorkspace work(c.model);
  const Eigen::Vector3d gravity(0.0, 3.0, -1.0);
  work.set_gravity(gravity);
  ForceDerivatives found;
  force_derivatives(c.model, work, c.q, c.v, c.a, found, c.loads);
  ModelDescription other = c.model.description();
  other.gravity = gravity;
  const Model same = build_model(other);
  const ForceDerivatives expected = force_derivatives(same, c.q, c.v, c.a, c.loads);
  expect_equal(found.dq, expected.dq, rounding, "dq");
}

TEST(Derivatives, RefuseWrongArguments) {
  const Model m = one_boom("arm"), other = one_boom("other");
  const VectorXd q = VectorXd::Zero(3), wrong = VectorXd::Zero(4);
  const std::vector<Load> far = {{.link = 7}};
  DerivativeWorkspace work(m), foreign(other);
  DerivativeWorkspace gone(m), kept = std::move(gone);
  ForceDerivatives force;
  DynamicsDerivatives dynamics;
  MatrixXd square(3, 3), small(2, 2);
  expect_said({
      {"force_derivatives: q", [&] { force_derivatives(m, work, wrong, q, q, force); }},
      {"force_derivatives: v", [&] { force_derivatives(m, work, q, wrong, q, force); }},
      {"force_derivatives: qdd", [&] { force_derivatives(m, work, q, q, wrong, force); }},
      {"force_derivatives: dq", [&] { force_derivatives(m, work, q, q, q, small, square, square); }},
      {"force_derivatives: dv", [&] { force_derivatives(m, work, q, q, q, square, small, square); }},
      {"force_derivatives: da", [&] { force_derivatives(m, work, q, q, q, square, square, small); }},
      {"force_derivatives: loads", [&] { force_derivatives(m, work, q, q, q, force, far); }},
      {"force_derivatives: work", [&] { force_derivatives(m, gone, q, q, q, force); }},  // NOLINT
      {"derivatives: q", [&] { derivatives(m, work, wrong, q, q, dynamics); }},
      {"derivatives: v", [&] { derivatives(m, work, q, wrong, q, dynamics); }},
      {"derivatives: tau", [&] { derivatives(m, work, q, q, wrong, dynamics); }},
      {"derivatives: loads", [&] { derivatives(m, work, q, q, q, dynamics, far); }},
      {"derivatives: work", [&] { derivatives(m, gone, q, q, q, dynamics); }},  // NOLINT
      {"DerivativeWorkspace::set_gravity: this",
       [&] {
         gone.set_gravity({0, 0, 0});
       }},  // NOLINT
  });
  EXPECT_THROW(force_derivatives(m, foreign, q, q, q, force), InputError);
}

}  // namespace
}  // namespace limber
