// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/zeros.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <random>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const std::string lin_lewis = std::string(LIMBER_MODELS_DIR) + "/lin_lewis_one_link/lin_lewis_one_link";

OperatingPoint at_rest(const Model& model) {
  return {neutral_configuration(model), VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()), {}};
}

ZeroDynamics zeros_of(const Model& model, const std::vector<std::string>& outputs) {
  return zero_dynamics(linearize_at_points(model, at_rest(model), outputs));
}

// det [A - s, B; C, D], which is proportional to the product of (s - zero).
Complex determinant(const LinearModel& m, Complex s) {
  const auto n = m.A.rows(), k = m.B.cols();
  Eigen::MatrixXcd P(n + k, n + k);
  P << m.A.cast<Complex>(), m.B.cast<Complex>(), m.C.cast<Complex>(), m.D.cast<Complex>();
  P.topLeftCorner(n, n).diagonal().array() -= s;
  return P.determinant();
}

Complex product(const ZeroDynamics& dynamics, Complex s) {
  Complex result = 1.0;
  for (const Complex& zero : dynamics.zeros) result *= s - zero;
  return result;
}

// Systems of every relative degree from zero to three, two inputs and outputs.
TEST(ZeroDynamics, AreTheRootsOfTheSystemsDeterminant) {
  std::mt19937 dice(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int rows, int cols) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, cols, [&] { return number(dice); }));
  };
  for (int degree = 0; degree <= 3; ++degree) {
    constexpr int n = 7;
    LinearModel m{random(n, n), random(n, 2), random(2, n), random(2, 2), {}, {"a", "b"}, {"c", "d"}};
    if (degree >= 1) m.D.row(0).setZero();
    if (degree >= 2) m.C.row(0) -= m.C.row(0) * m.B * m.B.completeOrthogonalDecomposition().pseudoInverse();
    if (degree >= 3) m.D.setZero();
    const ZeroDynamics dynamics = zero_dynamics(m);
    const Complex s1(0.3, 0.7), s2(-1.1, 2.0);
    const Complex expected = determinant(m, s1) / determinant(m, s2);
    EXPECT_LT(std::abs(product(dynamics, s1) / product(dynamics, s2) - expected), 1e-9 * std::abs(expected))
        << degree;
  }
}

TEST(ZeroDynamics, KeepTheOutputsAtZero) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml");
  OperatingPoint point = at_rest(model);
  point.q[0] = 0.3;
  point.q[3] = 0.8;
  const LinearModel linear = linearize_at_points(model, point, {"joint1", "end_effector.y", "joint3"});
  const ZeroDynamics dynamics = zero_dynamics(linear);
  EXPECT_LT((linear.C * dynamics.basis).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((linear.C * linear.A * dynamics.basis).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(dynamics.zeros.size(), 2 * (model.nv() - 3));
}

// VALIDATION A: one link, output = joint angle.
TEST(ZeroDynamics, OfLinAndLewisAreMarginalWhenClampedAndUnstableWhenPinned) {
  const ZeroDynamics clamped = zeros_of(read_model(lin_lewis + "_clamped_free.yaml"), {"joint"});
  ASSERT_EQ(clamped.zeros.size(), 4);
  EXPECT_NEAR(std::abs(clamped.zeros[0].imag()), 1.09144289, 1e-8);
  EXPECT_NEAR(std::abs(clamped.zeros[2].imag()), 76.95350987, 1e-8);
  EXPECT_NEAR(clamped.zeros.real().cwiseAbs().maxCoeff(), 0.0, 1e-9);
  EXPECT_EQ(clamped.phase, Phase::marginal);

  const ZeroDynamics pinned = zeros_of(read_model(lin_lewis + "_pinned_pinned.yaml"), {"joint"});
  ASSERT_EQ(pinned.zeros.size(), 4);
  EXPECT_NEAR(std::abs(pinned.zeros[0].real()), 56.42398464, 1e-8);
  EXPECT_NEAR(std::abs(pinned.zeros[2].real()), 163.96069912, 1e-8);
  EXPECT_NEAR(pinned.zeros.imag().cwiseAbs().maxCoeff(), 0.0, 1e-9);
  EXPECT_EQ(pinned.phase, Phase::non_minimum);
  EXPECT_NE(verdict(pinned).find("non-minimum phase"), std::string::npos);
}

// Held at the tip, a flexible link cannot be inverted; at the joint it can.
TEST(ZeroDynamics, OfTheTipAreNonMinimumPhase) {
  Model model = read_model(lin_lewis + "_clamped_free.yaml");
  EXPECT_EQ(zeros_of(model, {"end_effector.y"}).phase, Phase::non_minimum);
  const auto point = zeros_of(model, {"link@1.y"}), tip = zeros_of(model, {"end_effector.y"});
  EXPECT_LT((point.zeros - tip.zeros).cwiseAbs().maxCoeff(), 1e-9 * tip.zeros.cwiseAbs().maxCoeff());
}

// Example 4.3: azimuth and elevation held.
TEST(ZeroDynamics, OfTheTurretAreMarginalWhenClampedAndUnstableWhenPinned) {
  const std::string turret = std::string(LIMBER_MODELS_DIR) + "/lin_lewis_turret/lin_lewis_turret";
  for (const auto& [file, phase] :
       {std::pair{".yaml", Phase::marginal}, std::pair{"_pinned_pinned.yaml", Phase::non_minimum}}) {
    const Model model = read_model(turret + file);
    const OperatingPoint settled = settled_point(model, neutral_configuration(model));
    EXPECT_EQ(zero_dynamics(linearize_at_points(model, settled, {"azimuth", "elevation"})).phase, phase)
        << file;
  }
}

// On a bent axis the section stands beside the chord of its segment, and is turned.
TEST(ZeroDynamics, OfTheTipOfABentAxisAreThoseOfTheEndEffectorThere) {
  const Model davit = read_model(std::string(LIMBER_MODELS_DIR) + "/davit/davit.yaml");
  const LinearModel there = linearize_at_points(davit, at_rest(davit), {"jib@1.y"}),
                    same = linearize_at_points(davit, at_rest(davit), {"end_effector.y"});
  EXPECT_LT((there.C - same.C).norm(), 1e-12 * same.C.norm());
  EXPECT_EQ(there.outputs, std::vector<std::string>{"jib@1.y"});
}

TEST(ZeroDynamics, WithDampingAreMinimumPhase) {
  ModelDescription description = read_model_description(lin_lewis + "_clamped_free.yaml");
  description.links[0].beam->damping.emplace();
  description.links[0].beam->damping->ratio = 0.01;
  EXPECT_EQ(zeros_of(build_model(description), {"joint"}).phase, Phase::minimum);
}

// The verdict on slow, lightly damped zeros does not depend on how fast the fastest shape is.
TEST(ZeroDynamics, WithLittleDampingAreMinimumPhaseForAnyNumberOfShapes) {
  ModelDescription description = read_model_description(lin_lewis + "_clamped_free.yaml");
  for (const double ratio : {0.002, 1e-6})
    for (const int shapes : {2, 8, 12, 20}) {
      description.links[0].beam->modes.y->count = shapes;
      description.links[0].beam->damping.emplace().ratio = ratio;
      const ZeroDynamics damped = zeros_of(build_model(description), {"joint"});
      EXPECT_EQ(damped.phase, Phase::minimum) << shapes << " shapes, ratio " << ratio;
      description.links[0].beam->damping.reset();
      EXPECT_EQ(zeros_of(build_model(description), {"joint"}).phase, Phase::marginal) << shapes;
    }
}

// Three motors act on one coordinate of the tip: no zero is left, but that says nothing about any one motor.
TEST(ZeroDynamics, OfSurplusInputsHaveNoVerdict) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml");
  const ZeroDynamics dynamics = zeros_of(model, {"end_effector.y"});
  EXPECT_EQ(dynamics.surplus_inputs, 2);
  EXPECT_EQ(dynamics.phase, Phase::undetermined);
  EXPECT_NE(verdict(dynamics).find("of the inputs joint1 joint2 joint3 2 are surplus"), std::string::npos)
      << verdict(dynamics);
  const auto alone =
      zero_dynamics(linearize_at_points(model, at_rest(model), {"end_effector.y"}, {"joint1"}));
  EXPECT_EQ(alone.surplus_inputs, 0);
  EXPECT_EQ(alone.phase, Phase::non_minimum);
}

// Two free joints, the second one held by the first one's motor: 1/s^2 times something without zeros beside a double one at 0.
TEST(ZeroDynamics, WithADoubleZeroAtTheOriginGrowLinearly) {
  LinearModel m;
  m.A = MatrixXd::Zero(6, 6);  // y held by u; beside it a free mass, and one on a spring that both feel
  m.A.topRightCorner(3, 3).setIdentity();
  m.A(5, 2) = -4.0;
  m.B = MatrixXd::Zero(6, 1);
  m.B(3, 0) = 1.0;
  m.B(4, 0) = 0.5;
  m.B(5, 0) = 0.3;
  m.C = MatrixXd::Zero(1, 6);
  m.C(0, 0) = 1.0;
  m.D = MatrixXd::Zero(1, 1);
  m.inputs = {"u"};
  m.outputs = {"y"};
  const ZeroDynamics drifting = zero_dynamics(m);
  EXPECT_EQ(drifting.phase, Phase::marginal);
  EXPECT_EQ(drifting.chain_at_zero, 2);
  EXPECT_EQ(drifting.zeros[0], Complex(0.0));
  EXPECT_EQ(drifting.zeros[1], Complex(0.0));
  EXPECT_NE(verdict(drifting).find("grows linearly"), std::string::npos) << verdict(drifting);
  m.A(4, 1) = -1.0;  // a spring to the ground: it rings
  EXPECT_EQ(zero_dynamics(m).chain_at_zero, 0);
  EXPECT_NE(verdict(zero_dynamics(m)).find("without growing"), std::string::npos);
  m.A(4, 1) = 0.0;  // a damper: a single zero at 0, it stays where it is put
  m.A(4, 4) = -1.0;
  EXPECT_EQ(zero_dynamics(m).chain_at_zero, 1);
  EXPECT_NE(verdict(zero_dynamics(m)).find("without growing"), std::string::npos);
}

TEST(ZeroDynamics, RefuseAnArmInWhichNothingMoves) {
  ModelBuilder builder("post");
  builder.link("a").fixed().beam(2.0, {.EI_z = 500.0, .mass_per_length = 3.0});
  EXPECT_THROW(zeros_of(builder.build(), {"a@0.5.y"}), InputError);
}

TEST(ZeroDynamics, RefuseOutputsThatCannotBeHeldOneByOne) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml");
  EXPECT_THROW(zeros_of(model, {"joint1", "end_effector.z", "joint3"}), ComputationError);  // planar
  EXPECT_THROW(zeros_of(model, {"joint1", "end_effector.z"}), ComputationError);
  EXPECT_THROW(zeros_of(model, {"link9@0.5.y"}), InputError);
  EXPECT_THROW(zeros_of(model, {"link1@1.5.y"}), InputError);
  EXPECT_THROW(zeros_of(model, {"link1@0.5"}), InputError);
  for (const std::string name : {"link1@0.5.q", "link1@1", "link1@1.0", "link1@0.5.", "link1@.y"}) {
    try {
      zeros_of(model, {name});
      FAIL() << name;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("`" + name + "`"), std::string::npos) << message;
      EXPECT_EQ(message.find("end_effector."), std::string::npos) << message;
    }
  }
  EXPECT_THROW(zeros_of(model, {"link1@0.5.y", "link1@0.5.y"}), InputError);
  EXPECT_THROW(linearize_at_points(model, at_rest(model), {"joint1"}, {"joint7"}), InputError);
  EXPECT_THROW(linearize_at_points(model, at_rest(model), {"joint1"}, {"joint1", "joint1"}), InputError);
}

// Example 4.2, squared frequencies with the joint free; print cuts digits off, and has 3.70e5 for 3.70e4.
struct OneLink {
  MatrixXd M, K;
};

OneLink one_link(const std::string& file, int modes) {
  ModelDescription description = read_model_description(file);
  description.links[0].beam->modes.y->count = modes;
  const Model model = build_model(description);
  OneLink result{MatrixXd(model.nv(), model.nv()), elastic_stiffness(model)};
  Workspace<double> work(model);
  mass_matrix<double>(model, work, neutral_configuration(model), result.M);
  return result;
}

VectorXd squared_frequencies(const OneLink& link) {
  const auto m = link.M.rows() - 1;
  const MatrixXd flexibility = link.M.inverse().bottomRightCorner(m, m);
  VectorXd found = (flexibility * link.K.bottomRightCorner(m, m)).eigenvalues().real();
  std::sort(found.begin(), found.end());
  return found;
}

TEST(LinAndLewis, EigenvaluesOfTheOneLinkArmAreThePrintedOnes) {
  const VectorXd printed = squared_frequencies(one_link(lin_lewis + ".yaml", 15));
  const double expected[] = {2320.64452708, 37036.557938, 187409.587081,
                             592209.4716,   1445713.847,  2997708.244};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(printed[i], expected[i], 1e-9 * expected[i]);
  EXPECT_NEAR(printed[14], 117088730.04, 0.005);
  const VectorXd converted = squared_frequencies(one_link(lin_lewis + "_converted.yaml", 15));
  EXPECT_NEAR(converted[0], 3916.46263, 5e-6);
  EXPECT_NEAR(converted[1], 45064.1261, 5e-5);
  EXPECT_NEAR(converted[2], 207604.756, 5e-4);
}

TEST(LinAndLewis, FewerModesAreTheLeadingBlockOfMore) {
  for (const char* reading : {".yaml", "_converted.yaml"}) {
    const OneLink all = one_link(lin_lewis + reading, 15);
    for (const int modes : {2, 5, 10}) {
      const OneLink few = one_link(lin_lewis + reading, modes);
      const double M_size = all.M.cwiseAbs().maxCoeff(), K_size = all.K.cwiseAbs().maxCoeff();
      EXPECT_LT((few.M - all.M.topLeftCorner(modes + 1, modes + 1)).cwiseAbs().maxCoeff(), 1e-13 * M_size);
      EXPECT_LT((few.K - all.K.topLeftCorner(modes + 1, modes + 1)).cwiseAbs().maxCoeff(), 1e-13 * K_size);
      EXPECT_GE(squared_frequencies(few)[0], squared_frequencies(all)[0] * (1.0 - 1e-9));  // Rayleigh
    }
  }
}

}  // namespace
}  // namespace limber
