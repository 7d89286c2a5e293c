// SPDX-License-Identifier: BSD-3-Clause
// The motion of frames differentiated by hand, against the dual scalar: a second algorithm that shares none of its formulas.

#include "limber/algorithms/frame_derivatives.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>

#include "allocations.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/io/model_file.hpp"
#include "limber/math/dual.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr MotionAxes every_axes[] = {MotionAxes::local_world_aligned, MotionAxes::local, MotionAxes::world};

struct Case {
  Model model;
  VectorXd q, v, a;
};

Case random_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const double scales[] = {0.0, 1e-4, 0.05};  // NOLINT
  const ModelDescription arm = reference::random_arm(seed, 1 + static_cast<int>(seed / 2 % 8), order);
  const reference::State state = reference::random_state(arm, seed, scales[seed % 3]);
  Case c{build_model(arm), state.q, state.v, {}};
  c.a = VectorXd::LinSpaced(c.model.nv(), 3.0, -5.0);
  return c;
}

/// A frame beside a node of a link: one that carries nothing, where there is one.
Frame some_frame(const Model& model, unsigned seed) {
  const int link = static_cast<int>(seed % model.links().size());
  const std::vector<Node>& nodes = model.links()[static_cast<std::size_t>(link)].nodes;
  return {link,
          static_cast<int>(seed / 3 % nodes.size()),
          {Eigen::AngleAxisd(0.7, Eigen::Vector3d(0.3, -0.4, 0.5).normalized()).toRotationMatrix(),
           {0.2, -0.1, 0.3}}};
}

void expect_equal(const MatrixXd& found, const MatrixXd& expected, const char* what, double summed) {
  if (expected.size() == 0) return;
  Eigen::Index row = 0, column = 0;
  const double error = (found - expected).cwiseAbs().maxCoeff(&row, &column);
  EXPECT_LE(error, 1e-11 * expected.cwiseAbs().maxCoeff() + 1e-14 * summed)
      << what << " at (" << row << ", " << column << "): " << found(row, column) << ", expected "
      << expected(row, column);
  EXPECT_TRUE(found.allFinite()) << what;
}

void expect_as_by_dual_scalar(const Case& c, const Frame& frame, MotionAxes axes) {
  const int nv = c.model.nv();
  FrameDerivatives found;
  Workspace<double> work(c.model);
  poison(work);
  frame_derivatives(c.model, work, frame, axes, c.q, c.v, c.a, found);
  FrameJacobianDerivatives of_J;
  poison(work);
  frame_jacobian_derivatives(c.model, work, frame, axes, c.q, of_J);

  Workspace<Dual> duals(c.model);
  Matrix6X<double> J(6, nv), twist_dq(6, nv), by_q(6, nv), by_v(6, nv);
  VectorXd along(c.model.nq());
  Matrix6X<Dual> J_dual(6, nv);
  const VectorX<Dual> a = c.a.cast<Dual>();
  double largest = 0.0;
  for (int j = 0; j < nv; ++j) {
    VectorX<Dual> q = c.q.cast<Dual>(), v = c.v.cast<Dual>();
    configuration_rate(c.model, c.q, VectorXd::Unit(nv, j), along);
    for (int k = 0; k < c.model.nq(); ++k) q[k].derivatives()[0] = along[k];
    Vector6<Dual> motion = frame_bias_acceleration<Dual>(c.model, duals, frame, axes, q, v).vector();
    frame_jacobian<Dual>(c.model, duals, frame, axes, J_dual);
    motion += J_dual * a;
    const Vector6<Dual> twist = frame_twist(c.model, duals, frame, axes).vector();
    Matrix6X<double> dJ(6, nv);
    for (int i = 0; i < 6; ++i) {
      twist_dq(i, j) = twist[i].derivatives()[0];
      by_q(i, j) = motion[i].derivatives()[0];
      for (int k = 0; k < nv; ++k) {
        J(i, k) = J_dual(i, k).value();
        dJ(i, k) = J_dual(i, k).derivatives()[0];
      }
    }
    largest = std::max(largest, J.cwiseAbs().maxCoeff());
    expect_equal(of_J.dq[static_cast<std::size_t>(j)], dJ, "dJ/dq", 10.0 * largest);
    q = c.q.cast<Dual>();
    v[j].derivatives()[0] = 1.0;
    motion = frame_bias_acceleration<Dual>(c.model, duals, frame, axes, q, v).vector();
    for (int i = 0; i < 6; ++i) by_v(i, j) = motion[i].derivatives()[0];
  }
  if (nv == 0) return;
  const double rate = largest * c.v.cwiseAbs().maxCoeff(),
               size = largest * c.a.cwiseAbs().maxCoeff() + rate * c.v.cwiseAbs().maxCoeff();
  expect_equal(found.J, J, "J", 0.0);
  expect_equal(of_J.J, J, "J of its derivatives", 0.0);
  expect_equal(found.twist_dq, twist_dq, "twist_dq", rate);
  expect_equal(found.acceleration_dq, by_q, "acceleration_dq", size);
  expect_equal(found.acceleration_dv, by_v, "acceleration_dv", rate);
}

class RandomTree : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTree, HasFramesWhoseMotionIsDifferentiatedAsByTheDualScalar) {
  for (unsigned seed = 30 * GetParam(); seed < 30 * GetParam() + 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_case(seed);
    expect_as_by_dual_scalar(c, end_effector_frame(c.model), every_axes[seed % 3]);
    expect_as_by_dual_scalar(c, some_frame(c.model, seed), every_axes[seed / 3 % 3]);
  }
}
INSTANTIATE_TEST_SUITE_P(FrameDerivatives, RandomTree, testing::Range(0U, 8U));

TEST(FrameDerivatives, OfEveryShippedArmAreThoseOfTheDualScalar) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename());
    std::optional<Model> model;
    try {
      model = read_model(entry.path());
    } catch (const std::exception&) {
      continue;  // a scenario
    }
    ++count;
    const int nv = model->nv();
    const VectorXd wave = VectorXd::LinSpaced(nv, 1.0, 5.0).array().sin();
    for (const double scale : {0.0, 1e-6, 0.02}) {
      Case c{*model, neutral_configuration(*model), scale * 10.0 * wave.reverse(),
             scale * 100.0 * VectorXd::LinSpaced(nv, 0.5, -1.0)};
      displace(*model, VectorXd(c.q), scale * wave, c.q);
      for (const MotionAxes axes : every_axes) expect_as_by_dual_scalar(c, end_effector_frame(*model), axes);
    }
  }
  EXPECT_GT(count, 15);
}

TEST(FrameDerivatives, DoNotUseTheHeapAfterTheFirstCall) {
  for (unsigned seed = 0; seed < 16; ++seed) {
    const Case c = random_case(seed);
    const Frame frame = end_effector_frame(c.model);
    Workspace<double> work(c.model);
    FrameDerivatives found;
    FrameJacobianDerivatives of_J;
    const auto find = [&] {
      frame_derivatives(c.model, work, frame, MotionAxes::local, c.q, c.v, c.a, found);
      frame_jacobian_derivatives(c.model, work, frame, MotionAxes::local, c.q, of_J);
    };
    find();
    const test::AllocationCounter allocations;
    find();
    EXPECT_EQ(allocations.count(), 0) << seed;
  }
}

// Gravity moves everything alike, and what was given stays.
TEST(FrameDerivatives, DoNotDependOnGravity) {
  const Case c = random_case(11);
  Workspace<double> work(c.model), heavy(c.model);
  heavy.set_gravity({3.0, -20.0, 7.0});
  FrameDerivatives found, other;
  for (int again = 0; again < 2; ++again) {
    frame_derivatives(c.model, work, end_effector_frame(c.model), MotionAxes::local, c.q, c.v, c.a, found);
    frame_derivatives(c.model, heavy, end_effector_frame(c.model), MotionAxes::local, c.q, c.v, c.a, other);
    EXPECT_EQ(found.acceleration_dq, other.acceleration_dq);
  }
}

TEST(FrameDerivatives, RefuseWrongArguments) {
  const Model m = one_boom("arm");
  const VectorXd q = VectorXd::Zero(3), wrong = VectorXd::Zero(4);
  Workspace<double> work(m);
  Workspace<double> gone(m), kept = std::move(gone);
  FrameDerivatives to;
  FrameJacobianDerivatives of_J;
  const Frame E = end_effector_frame(m), far{3, 0, {}};
  constexpr MotionAxes axes = MotionAxes::local;
  expect_said({
      {"frame_derivatives: q", [&] { frame_derivatives(m, work, E, axes, wrong, q, q, to); }},
      {"frame_derivatives: v", [&] { frame_derivatives(m, work, E, axes, q, wrong, q, to); }},
      {"frame_derivatives: a", [&] { frame_derivatives(m, work, E, axes, q, q, wrong, to); }},
      {"frame_derivatives: frame", [&] { frame_derivatives(m, work, far, axes, q, q, q, to); }},
      {"frame_derivatives: work", [&] { frame_derivatives(m, gone, E, axes, q, q, q, to); }},  // NOLINT
      {"frame_jacobian_derivatives: q", [&] { frame_jacobian_derivatives(m, work, E, axes, wrong, of_J); }},
      {"frame_jacobian_derivatives: frame", [&] { frame_jacobian_derivatives(m, work, far, axes, q, of_J); }},
  });
}

}  // namespace
}  // namespace limber
