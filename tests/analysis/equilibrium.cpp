// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/equilibrium.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::numbers::pi;

Model model_file(const std::string& name) { return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name); }

// A cantilever of length 2 along x; y and z are its bending directions.
Model cantilever(double EI_y, double EI_z, double GJ, const Vector3d& gravity = Vector3d::Zero(),
                 KinematicOrder order = KinematicOrder::second) {
  ModelBuilder builder("cantilever");
  builder.kinematics(order)
      .gravity(gravity)
      .link("beam")
      .revolute(Vector3d::UnitZ())
      .beam(2.0, {.EI_y = EI_y, .EI_z = EI_z, .GJ = GJ, .mass_per_length = 3.0});
  builder.modes(Direction::y, 6).modes(Direction::z, 6).modes(Direction::torsion, 6);
  return builder.build();
}

VectorXd joints_at(const Model& model, double angle) {
  VectorXd q = VectorXd::Zero(model.nq());
  q[0] = angle;
  return q;
}

TEST(StaticEquilibrium, IsTheTextbooksForSmallLoads) {
  const Model model = cantilever(500.0, 800.0, 300.0);
  const double P = 1e-4;
  const Equilibrium e = static_equilibrium(model, joints_at(model, 0.0), {{.force = {0.0, P, -P}}});
  const Vector3d tip = model.links()[0].nodes[0].field.position<double>(VectorXd(e.q.tail(18)));
  EXPECT_NEAR(tip.y(), P * 8.0 / (3.0 * 800.0), 1e-9 * P);
  EXPECT_NEAR(tip.z(), -P * 8.0 / (3.0 * 500.0), 1e-9 * P);
  EXPECT_NEAR(e.efforts[0], -P * 2.0, 1e-9 * P) << "the joint holds the moment P L";
  EXPECT_LT(e.efforts.tail(18).norm(), 1e-12);
  EXPECT_TRUE(e.stable);
}

TEST(StaticEquilibrium, SagsUnderGravityAsTheTextbookSays) {
  const Model model = cantilever(5e6, 8e6, 3e6, {0.0, -9.81, 0.0});
  const Equilibrium e = static_equilibrium(model, joints_at(model, 0.0));
  const Vector3d tip = model.links()[0].nodes[0].field.position<double>(VectorXd(e.q.tail(18)));
  EXPECT_NEAR(tip.y(), -3.0 * 9.81 * 16.0 / (8.0 * 8e6), 1e-10);
  EXPECT_NEAR(e.efforts[0], 3.0 * 9.81 * 2.0 * 1.0, 1e-6);
}

TEST(StaticEquilibrium, LeavesNoForceOnRandomTrees) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 5), order);
    description.gravity *= 0.1;  // under all of it some of these arms collapse
    const Model model = build_model(description);
    const VectorXd q = reference::random_state(description, seed, 0.0).q;
    const Equilibrium e = static_equilibrium(model, q);
    Workspace<double> work(model);
    VectorXd gravity(model.nv()), passive(model.nv());
    gravity_forces(model, work, e.q, gravity);
    elastic_and_damping_forces(model, work, e.q, VectorXd(VectorXd::Zero(model.nv())), passive);
    const VectorXd r = gravity + passive;
    for (const int i : elastic_coordinates(model)) EXPECT_NEAR(r[i], 0.0, 1e-8 * (1.0 + gravity.norm()));
    for (const int i : joint_coordinates(model))
      EXPECT_NEAR(r[i], e.efforts[i], 1e-9 * (1.0 + gravity.norm()));
  }
}

// ---- Piedboeuf's arm: VALIDATION B ----

struct PiedboeufState {
  double v, torque, gauge;
};
PiedboeufState piedboeuf(const Model& model, double angle_deg, double force, StaticModel kind) {
  const Load load{.force = {0.0, force, 0.0}, .offset = model.end_effector().X_NE.p};
  const Equilibrium e = static_equilibrium(model, joints_at(model, angle_deg * pi / 180.0), {load}, kind);
  const VectorXd eta = e.q.tail(5);
  return {model.links()[0].nodes[0].field.position<double>(eta).y(), e.efforts[0],
          beam_strain(model.links()[0], eta, 0.0191).kappa_z};
}

TEST(Piedboeuf, LinearModelsGiveTheirPrintedDigits) {
  const Model second = model_file("piedboeuf/piedboeuf.yaml"),
              first = model_file("piedboeuf/piedboeuf_first.yaml");
  const auto o2 = piedboeuf(second, 60.0, -2.46, StaticModel::linear);
  const auto o1 = piedboeuf(first, 60.0, -2.46, StaticModel::linear);
  EXPECT_NEAR(o2.v, -0.060487016278, 1e-12);
  EXPECT_NEAR(o2.torque, 3.889573609106, 1e-11);
  EXPECT_NEAR(o1.v, -0.055198502896, 1e-12);
  EXPECT_NEAR(o1.torque, 3.867437872271, 1e-11);
}

// The inextensible elastica with the tool at its tip, held at the motor angle: shooting for the tip's slope from
// the moment balance, Runge-Kutta along the beam. World axes; theta(s) is the slope against the root.
class Elastica {
 public:
  Elastica(double angle, double force) : angle_(angle), force_(force) {
    double low = -1.5, high = 0.5;  // of the tip's slope
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (root_slope(middle) > 0.0 ? high : low) = middle;
    }
    root_slope(0.5 * (low + high));
  }
  double v() const { return v_; }
  double torque() const { return torque_; }
  double curvature(double x) const {
    const double place = x / length * steps, part = place - std::floor(place);
    const auto below = static_cast<std::size_t>(place);
    return (1.0 - part) * curvature_.at(below) + part * curvature_.at(below + 1);
  }

 private:
  static constexpr double length = 0.7845, EI = 13.4, rho = 0.65, g = 9.81, tool = 0.1608, hub = 0.0365;
  static constexpr int steps = 1569;  // 0.5 mm

  // From the tip backwards: moment about the section by all that is outboard of it.
  double root_slope(double tip_slope) {
    const double h = length / steps, tip_angle = angle_ + tip_slope;
    const Vector3d lever_force(0.0115, -0.3159, 0.0), lever_mass(0.0115, -0.158, 0.0);
    const auto across = [&](const Vector3d& r) {
      return r.x() * std::cos(tip_angle) - r.y() * std::sin(tip_angle);
    };
    double moment = across(lever_force) * force_ - across(lever_mass) * tool * g;  // about z, at the tip
    double load = force_ - tool * g, theta = tip_slope, x = 0.0, y = 0.0;  // way back from the tip, root axes
    curvature_.assign(steps + 1, 0.0);
    curvature_[steps] = moment / EI;
    struct Rates {
      double moment, theta, x, y;
    };
    const auto rates = [&](double M, double slope, double outboard) {  // per metre towards the root
      const double F = load - rho * g * outboard;
      return Rates{F * std::cos(angle_ + slope), -M / EI, std::cos(slope), std::sin(slope)};
    };
    for (int i = steps; i > 0; --i) {
      const double s = (steps - i) * h;
      const Rates a = rates(moment, theta, s),
                  b = rates(moment + 0.5 * h * a.moment, theta + 0.5 * h * a.theta, s + 0.5 * h),
                  c = rates(moment + 0.5 * h * b.moment, theta + 0.5 * h * b.theta, s + 0.5 * h),
                  d = rates(moment + h * c.moment, theta + h * c.theta, s + h);
      moment += h / 6.0 * (a.moment + 2.0 * b.moment + 2.0 * c.moment + d.moment);
      theta += h / 6.0 * (a.theta + 2.0 * b.theta + 2.0 * c.theta + d.theta);
      x += h / 6.0 * (a.x + 2.0 * b.x + 2.0 * c.x + d.x);
      y += h / 6.0 * (a.y + 2.0 * b.y + 2.0 * c.y + d.y);
      curvature_[static_cast<std::size_t>(i - 1)] = moment / EI;
    }
    v_ = y;
    torque_ = -(moment + (load - rho * g * length) * hub * std::cos(angle_));
    return theta;
  }

  double angle_, force_, v_ = 0.0, torque_ = 0.0;
  std::vector<double> curvature_;
};

TEST(Piedboeuf, TheElasticaOfThisTestIsTheOneOfTheTable) {
  const Elastica elastica(60.0 * pi / 180.0, -2.46);
  EXPECT_NEAR(elastica.v(), -0.060050330235, 1e-10);
  EXPECT_NEAR(elastica.torque(), 3.873030146080, 1e-9);
}

TEST(Piedboeuf, TableOfDifferences) {
  const Model second = model_file("piedboeuf/piedboeuf.yaml"),
              first = model_file("piedboeuf/piedboeuf_first.yaml");
  struct Row {
    double force, difference_mm, at_deg, torque_percent, o2_mm, o2_percent, o1_mm, o1_percent;
  };
  for (const Row& row : {Row{-2.46, 5.314, 57.0, 0.43, 0.70, 0.53, 4.85, 5.65},
                         Row{-5.4, 13.478, 61.5, 1.17, 2.73, 1.42, 11.45, 9.14}}) {
    SCOPED_TRACE(row.force);
    double difference = 0.0, at = 0.0, torque_difference = 0.0, peak_torque = 0.0, peak_gauge = 0.0,
           largest_v = 0.0;
    double o2_v = 0.0, o2_gauge = 0.0, o1_v = 0.0, o1_gauge = 0.0, full_v = 0.0;
    for (int i = -180; i <= 180; ++i) {
      const double angle = 0.5 * i;
      const auto o2 = piedboeuf(second, angle, row.force, StaticModel::linear);
      const auto o1 = piedboeuf(first, angle, row.force, StaticModel::linear);
      if (std::abs(o2.v - o1.v) > difference) {
        difference = std::abs(o2.v - o1.v);
        at = angle;
      }
      torque_difference = std::max(torque_difference, std::abs(o2.torque - o1.torque));
      peak_torque = std::max(peak_torque, std::abs(o2.torque));
      largest_v = std::max(largest_v, std::abs(o2.v));
      if (i % 10 != 0) continue;  // the exact curve every 5 deg, as for the table
      const Elastica exact(angle * pi / 180.0, row.force);
      const auto full = piedboeuf(second, angle, row.force, StaticModel::exact);
      const double gauge = exact.curvature(0.0191);
      o2_v = std::max(o2_v, std::abs(o2.v - exact.v()));
      o1_v = std::max(o1_v, std::abs(o1.v - exact.v()));
      full_v = std::max(full_v, std::abs(full.v - exact.v()));
      o2_gauge = std::max(o2_gauge, std::abs(o2.gauge - gauge));
      o1_gauge = std::max(o1_gauge, std::abs(o1.gauge - gauge));
      peak_gauge = std::max(peak_gauge, std::abs(gauge));
    }
    EXPECT_NEAR(1e3 * difference, row.difference_mm, 5e-4);
    EXPECT_NEAR(at, row.at_deg, 0.26);
    EXPECT_NEAR(100.0 * torque_difference / peak_torque, row.torque_percent, 5e-3);
    EXPECT_NEAR(1e3 * o2_v, row.o2_mm, 5e-3);
    EXPECT_NEAR(1e3 * o1_v, row.o1_mm, 5e-3);
    EXPECT_NEAR(100.0 * o2_gauge / peak_gauge, row.o2_percent, 5e-3);
    EXPECT_NEAR(100.0 * o1_gauge / peak_gauge, row.o1_percent, 5e-3);
    EXPECT_LT(full_v, o2_v) << "exact rotations come closer to the elastica";
    EXPECT_TRUE(row.force != -5.4 || std::abs(100.0 * largest_v - 11.67) < 5e-3) << largest_v;
  }
}

// ---- the Princeton beam: where a second-order field stops being right ----

TEST(PrincetonBeam, IsAsFarFromTheExperimentAsTheDocsSay) {
  const Model model = model_file("princeton_beam/princeton_beam.yaml");
  struct Row {
    double angle_deg, y, z, error_percent;  // of the length
  };
  for (const Row& row : {Row{0.0, 0.010714, 0.0, 0.01}, Row{15.0, 0.010613, 0.042082, 0.11},
                         Row{30.0, 0.010112, 0.079395, 0.49}, Row{45.0, 0.008837, 0.108988, 1.16},
                         Row{60.0, 0.006605, 0.129888, 1.93}, Row{75.0, 0.003539, 0.142194, 2.51},
                         Row{90.0, 0.0, 0.146246, 2.73}}) {
    const double angle = row.angle_deg * pi / 180.0;
    const Equilibrium e =
        static_equilibrium(model, VectorXd::Zero(model.nq()),
                           {{.force = 8.896 * Vector3d(0.0, std::cos(angle), std::sin(angle))}});
    const Vector3d tip = model.links()[0].nodes[0].field.position<double>(e.q);
    EXPECT_LT(std::hypot(tip.y() - row.y, tip.z() - row.z), 0.01 * row.error_percent * 0.508)
        << row.angle_deg;
  }
}

// ---- stability ----

TEST(CriticalLoad, IsEulersForAColumn) {
  const Model model = cantilever(500.0, 800.0, 300.0);
  const double euler = pi * pi * 500.0 / (4.0 * 4.0);  // the weaker plane
  const auto found = critical_load(model, joints_at(model, 0.0), {{.force = {-1.0, 0.0, 0.0}}}, 1000.0);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->factor, euler, 1e-5 * euler);
}

TEST(CriticalLoad, IsPrandtlsForANarrowCantilever) {
  const double EI = 100.0, GJ = 60.0, prandtl = 4.0126 * std::sqrt(EI * GJ) / 4.0;
  const Model model = cantilever(1e7, EI, GJ);  // stiff along z, narrow along y
  const auto found = critical_load(model, joints_at(model, 0.0), {{.force = {0.0, 0.0, -1.0}}}, 1000.0);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->factor, prandtl, 0.005 * prandtl);
}

TEST(CriticalLoad, IsNoneForAPull) {
  const Model model = cantilever(500.0, 800.0, 300.0);
  EXPECT_FALSE(critical_load(model, joints_at(model, 0.0), {{.force = {1.0, 0.0, 0.0}}}, 1e4).has_value());
}

TEST(StaticEquilibrium, SaysWhenItIsNotStable) {
  const Model model = cantilever(500.0, 800.0, 300.0);
  EXPECT_FALSE(static_equilibrium(model, joints_at(model, 0.0), {{.force = {-400.0, 0.0, 0.0}}}).stable);
}

TEST(StaticEquilibrium, TellsTheLoadFactorWhereThereIsNone) {
  int collapsed = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    ModelDescription description =
        reference::random_arm(seed, 1 + static_cast<int>(seed % 5), KinematicOrder::second);
    description.gravity *= 10.0;
    const Model model = build_model(description);
    try {
      static_equilibrium(model, reference::random_state(description, seed, 0.0).q);
    } catch (const ComputationError& error) {
      ++collapsed;
      EXPECT_NE(std::string(error.what()).find("no static equilibrium beyond load factor 0."),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_GT(collapsed, 0);
}

// ---- the other way round ----

TEST(Reach, FindsThePlaneArmsJoints) {
  const Model model = model_file("canadarm/canadarm.yaml");
  const std::vector<Load> loads{{.link = 2, .force = {0.0, -200.0, 0.0}}};
  VectorXd start = VectorXd::Zero(9);
  start[0] = 0.3;
  start[3] = -0.5;
  start[6] = 0.4;
  const Vector3d target(9.0, 4.0, 0.0);
  const Equilibrium e = reach(model, start, target, std::nullopt, loads);
  Workspace<double> work(model);
  update_positions(model, work, e.q);
  update_world_poses(work);
  EXPECT_LT((frame_pose(model, work, end_effector_frame(model)).p - target).norm(), 1e-8);
  EXPECT_LT((static_equilibrium(model, e.q, loads).q - e.q).norm(), 1e-9) << "and it is an equilibrium";
  EXPECT_THROW(reach(model, start, {30.0, 0.0, 0.0}, std::nullopt, loads), ComputationError)
      << "out of reach";
}

// Its square is no number any more.
TEST(Reach, SaysThatAPlaceBeyondAllSizesCannotBeReached) {
  const Model crane = model_file("crane/crane.yaml");
  for (const double far : {1e3, 1e160, 1e300})
    EXPECT_THROW(reach(crane, neutral_configuration(crane), {far, 0.0, 0.0}, std::nullopt), ComputationError)
        << far;
}

TEST(Reach, FindsAPose) {
  const Model model = model_file("canadarm/canadarm.yaml");
  const Eigen::Matrix3d R = rotation_from_rpy({0.0, 0.0, 0.9});
  VectorXd start = VectorXd::Zero(9);
  start[0] = 0.3;
  start[3] = 0.4;
  const Equilibrium e = reach(model, start, {10.0, 5.0, 0.0}, R, {{.link = 2, .force = {0.0, -100.0, 0.0}}});
  Workspace<double> work(model);
  update_positions(model, work, e.q);
  update_world_poses(work);
  const PoseOf<double> pose = frame_pose(model, work, end_effector_frame(model));
  EXPECT_LT((pose.p - Vector3d(10.0, 5.0, 0.0)).norm(), 1e-8);
  EXPECT_LT((pose.R - R).norm(), 1e-9);
}

// From the stretched arm, whose tangent points anywhere: with whole steps joints came to hundreds of turns.
TEST(Reach, WindsNoJointUp) {
  const Model crane = model_file("crane/crane.yaml");
  const VectorXd straight = neutral_configuration(crane);
  for (const Vector3d& place : {Vector3d(4.5, 0.0, 3.0), Vector3d(2.0, 2.0, 2.0), Vector3d(-3.0, 1.0, 2.0),
                                Vector3d(1.0, 4.0, -1.0)}) {
    const Equilibrium reached = reach(crane, straight, place, std::nullopt);
    EXPECT_LT(reached.q.lpNorm<Eigen::Infinity>(), 2.0 * pi) << place.transpose();
    Workspace<double> work(crane);
    update_positions<double>(crane, work, reached.q);
    update_world_poses(work);
    EXPECT_LT((frame_pose(crane, work, crane.end_effector()).p - place).norm(), 1e-7);
  }
}

TEST(Reach, RefusesAnArmWithoutJointsThatCouldMove) {
  ModelBuilder fixed("fixed"), ball("ball");
  fixed.link("beam").fixed().beam(2.0, {.EI_z = 500.0, .mass_per_length = 3.0}).modes(Direction::y, 2);
  ball.link("beam")
      .joint({.type = JointType::spherical})
      .beam(2.0, {.EI_z = 500.0, .mass_per_length = 3.0})
      .modes(Direction::y, 2);
  for (ModelBuilder* builder : {&fixed, &ball}) {
    const Model model = builder->build();
    EXPECT_THROW(reach(model, neutral_configuration(model), {1.0, 0.5, 0.0}, std::nullopt), InputError);
  }
}

// ---- derivatives, and modes in steady rotation ----

TEST(ForceDerivatives, EqualCentralDifferences) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    ModelDescription description = reference::random_arm(seed, 3, KinematicOrder::second);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.02);
    const VectorXd zero = VectorXd::Zero(model.nv());
    const ForceDerivatives exact = force_derivatives(model, state.q, state.v, zero);
    Workspace<double> work(model);
    VectorXd plus(model.nv()), minus(model.nv());
    const double h = 1e-6;
    for (int i = 0; i < model.nv(); ++i) {
      const VectorXd step = h * VectorXd::Unit(model.nv(), i);
      inverse_dynamics(model, work, state.q, VectorXd(state.v + step), zero, plus);
      inverse_dynamics(model, work, state.q, VectorXd(state.v - step), zero, minus);
      EXPECT_LT(((plus - minus) / (2.0 * h) - exact.dv.col(i)).norm(), 1e-6 * (1.0 + exact.dv.norm()));
    }
    for (const Link& link : model.links()) {  // positions of coordinates without quaternions
      for (int j = 0; j < link.elastic_count; ++j) {
        VectorXd q = state.q;
        q[link.elastic_q_index + j] += h;
        inverse_dynamics(model, work, q, state.v, zero, plus);
        q[link.elastic_q_index + j] -= 2.0 * h;
        inverse_dynamics(model, work, q, state.v, zero, minus);
        EXPECT_LT(((plus - minus) / (2.0 * h) - exact.dq.col(link.elastic_v_index + j)).norm(),
                  1e-6 * (1.0 + exact.dq.norm()));
      }
    }
  }
}

TEST(SteadyRotationModes, AreTheLiteraturesForARotatingCantilever) {
  const Model model = model_file("rotating_cantilever/rotating_cantilever.yaml");
  struct Row {
    double rate, lag, flap, tolerance;
  };
  for (const Row& row : {Row{0.0, 3.5160, 3.5160, 5e-5}, Row{2.0, 3.622, 4.1373, 5e-5},
                         Row{6.0, 4.2632, 7.3604, 5e-5}, Row{10.0, 5.05, 11.2023, 5e-5}}) {
    const auto modes = steady_rotation_modes(model, VectorXd::Zero(model.nq()), {{0, row.rate}});
    EXPECT_NEAR(modes.angular_frequencies[0], row.lag, row.rate == 10.0 || row.rate == 2.0 ? 2e-3 : 5e-5)
        << row.rate;
    EXPECT_NEAR(modes.angular_frequencies[1], row.flap, row.tolerance) << row.rate;
  }
}

// A rotor whose blade bends in both planes out of the axis couples them by the gyroscopic matrix. Whirl of a disc on
// an axle that is known in closed form: a point mass on two equal springs seen from axes that turn with Omega has
// frequencies |omega0 +- Omega|.
TEST(SteadyRotationModes, HaveTheFrequenciesOfAFoucaultPendulumInTurningAxes) {
  ModelBuilder builder("shaft");
  builder.kinematics(KinematicOrder::first)
      .gravity(Vector3d::Zero())
      .link("shaft")
      .revolute(Vector3d::UnitX())
      .beam(1.0, {.EI_y = 10.0, .EI_z = 10.0, .mass_per_length = 2.0})
      .modes(Direction::y, 1)
      .modes(Direction::z, 1);
  const Model model = builder.build();
  const VectorXd q = VectorXd::Zero(model.nq());
  const double still = natural_modes(model, q).angular_frequencies[0];
  for (const double part : {0.3, 0.8}) {
    const double rate = part * still;
    const auto modes = steady_rotation_modes(model, q, {{0, rate}});
    EXPECT_NEAR(modes.angular_frequencies[0], still - rate, 1e-9 * still);
    EXPECT_NEAR(modes.angular_frequencies[1], still + rate, 1e-9 * still);
    EXPECT_NEAR(std::abs(modes.quadrature.col(0).tail(2).cwiseAbs().maxCoeff()), 1.0, 1e-9) << "a circle";
    // The slow one goes round with the shaft, from y to z, the fast one against it. What is in quadrature is a quarter of a period
    // ahead: y = sin and z = -cos go round from y to z, and there -cos is a quarter behind.
    for (const int k : {0, 1}) {
      const double y = modes.shapes(1, k), z = modes.shapes(2, k), y_ahead = modes.quadrature(1, k),
                   z_ahead = modes.quadrature(2, k);
      EXPECT_NEAR(y * z_ahead - z * y_ahead, k == 0 ? -1.0 : 1.0, 1e-9) << k;
    }
    const auto without =
        steady_rotation_modes(model, q, {{0, rate}}, JointTreatment::locked, 0, {}, Gyroscopic::left_out);
    EXPECT_NEAR(without.angular_frequencies[0], std::sqrt(still * still - rate * rate), 1e-9 * still);
  }
}

}  // namespace
}  // namespace limber
