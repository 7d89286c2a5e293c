// SPDX-License-Identifier: BSD-3-Clause
// The linear model against finite differences of forward dynamics and of the end effector's motion, with
// tolerances from the step; against natural modes; against closed forms.

#include "limber/analysis/linearize.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "node_on.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Case {
  Model model;
  OperatingPoint point;
};

Case random_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 5), order);
  const reference::State state = reference::random_state(description, seed, 0.03);
  Case c{build_model(description), {state.q, state.v, state.tau, {}}};
  for (const reference::Load& load : state.loads) {
    int link = 0;
    while (c.model.links()[link].name != load.link) ++link;
    c.point.loads.push_back(
        {link, node_on(c.model, link, load.at), static_cast<Axes>(load.axes), load.force, load.moment});
  }
  return c;
}

bool has_inputs(const Model& model) { return !joint_coordinates(model).empty(); }

Model named_model(const std::string& name) { return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name); }

Case named_case(const std::string& name, double bent, double moving, double pushed) {
  Case c{named_model(name), {}};
  c.point = {neutral_configuration(c.model), VectorXd(c.model.nv()), VectorXd(c.model.nv()), {}};
  for (int i = 0; i < c.model.nv(); ++i) {
    c.point.q[i] = bent * std::sin(1.0 + i);
    c.point.v[i] = moving * std::cos(2.0 + i);
    c.point.tau[i] = pushed * std::sin(3.0 + i);
  }
  if (pushed > 0.0)
    c.point.loads.push_back({c.model.end_effector().link, 0, Axes::section, pushed * Vector3d(0.3, -1.0, 0.5),
                             pushed * Vector3d(0.1, 0.2, -0.4)});
  return c;
}

// The configuration displaced by d: exactly, whatever d's size.
VectorXd displaced(const Model& model, const VectorXd& q, const VectorXd& d) {
  VectorXd result = q;
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    result.segment(link.elastic_q_index, link.elastic_count) +=
        d.segment(link.elastic_v_index, link.elastic_count);
    if (joint.nq == joint.nv) {
      result.segment(joint.q_index, joint.nq) += d.segment(joint.v_index, joint.nv);
      continue;
    }
    const int first = joint.q_index + joint.nq - 4;
    const Eigen::Quaterniond u(q[first + 3], q[first], q[first + 1], q[first + 2]);
    const Vector3d turn = d.segment<3>(joint.v_index + joint.nv - 3);
    if (joint.type == JointType::free)
      result.segment<3>(joint.q_index) += u.toRotationMatrix() * d.segment<3>(joint.v_index);
    if (turn.norm() == 0.0) continue;
    const Eigen::Quaterniond turned =
        u * Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized()));
    result.segment<4>(first) = turned.coeffs();
  }
  return result;
}

// Everything that linearize() predicts, without any derivative: [all outputs; accelerations].
struct Plant {
  explicit Plant(const Case& given)
      : c(given), work(given.model), B_u(input_matrix(given.model, given.point.q)) {
    at(VectorXd::Zero(c.model.nv()), VectorXd::Zero(c.model.nv()), VectorXd::Zero(B_u.cols()));
    R0 = pose.R;
  }

  VectorXd at(const VectorXd& d, const VectorXd& w, const VectorXd& u) {
    const Model& model = c.model;
    const VectorXd q = displaced(model, c.point.q, d), v = c.point.v + w, tau = c.point.tau + B_u * u;
    VectorXd a(model.nv());
    forward_dynamics(model, work, q, v, tau, a, c.point.loads);
    const Frame frame = end_effector_frame(model);
    constexpr MotionAxes axes = MotionAxes::local_world_aligned;
    const Vector6<double> bias = frame_bias_acceleration(model, work, frame, axes, q, v).vector();
    pose = frame_pose(model, work, frame);
    const Vector6<double> twist = frame_twist(model, work, frame, axes).vector();
    J.resize(6, model.nv());
    frame_jacobian(model, work, frame, axes, J);
    const Eigen::AngleAxisd turn(pose.R * R0.transpose());
    VectorXd everything(3 * model.nv() + 15);
    everything << d, w, pose.p, turn.angle() * turn.axis(), twist, (J * a + bias).head<3>(), a;
    return everything;
  }

  // How much rounding may be in at(): of accelerations |M^-1| times the forces that are summed up,
  // and times |M| |a|.
  VectorXd rounding() {
    const Model& model = c.model;
    const VectorXd here =
        at(VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()), VectorXd::Zero(B_u.cols()));
    VectorXd forces(model.nv()), passive(model.nv());
    MatrixXd M(model.nv(), model.nv());
    inverse_dynamics(model, work, c.point.q, c.point.v, VectorXd(VectorXd::Zero(model.nv())), forces);
    elastic_and_damping_forces(model, work, c.point.q, c.point.v, passive);
    mass_matrix(model, work, c.point.q, M);
    const double most = (forces.cwiseAbs() + passive.cwiseAbs() + c.point.tau.cwiseAbs()).maxCoeff() +
                        model.mass() * model.gravity().norm();
    const VectorXd a = M.inverse().cwiseAbs() * (VectorXd::Constant(model.nv(), most) +
                                                 M.cwiseAbs() * here.tail(model.nv()).cwiseAbs());
    VectorXd result = here.cwiseAbs() + VectorXd::Ones(here.size());
    result.tail(model.nv()) += a;
    result.segment<3>(2 * model.nv() + 12) += J.topRows<3>().cwiseAbs() * a;
    return 64.0 * epsilon * result;
  }

  const Case& c;
  Workspace<double> work;
  MatrixXd B_u;
  PoseOf<double> pose;
  Matrix6X<double> J;
  Matrix3d R0 = Matrix3d::Identity();
};

// Central differences with h and 2h differ by three times the truncation error of the first; both together leave
// an error of higher order.
struct Difference {
  VectorXd value, tolerance;
};
Difference difference(const std::function<VectorXd(double)>& f, double h, const VectorXd& rounding) {
  const VectorXd fine = (f(h) - f(-h)) / (2.0 * h), coarse = (f(2.0 * h) - f(-2.0 * h)) / (4.0 * h);
  return {(4.0 * fine - coarse) / 3.0, 0.1 * (coarse - fine).cwiseAbs() + rounding / h};
}

void expect_derivatives_of_the_plant(const Case& c) {
  const Model& model = c.model;
  const int nv = model.nv();
  const LinearModel linear = linearize(model, c.point, output_names(model));
  MatrixXd predicted(3 * nv + 15, 2 * nv + linear.B.cols());
  predicted << linear.C, linear.D, linear.A.bottomRows(nv), linear.B.bottomRows(nv);
  Plant plant(c);
  const VectorXd rounding = plant.rounding();
  // linearize() solves with M: componentwise, to |M^-1| |M| times rounding
  MatrixXd M(nv, nv), solved = MatrixXd::Zero(predicted.rows(), predicted.cols());
  mass_matrix(model, plant.work, c.point.q, M);
  solved.bottomRows(nv) = M.inverse().cwiseAbs() * M.cwiseAbs() * predicted.bottomRows(nv).cwiseAbs();
  solved.middleRows(2 * nv + 12, 3) = plant.J.topRows<3>().cwiseAbs() * solved.bottomRows(nv);
  double largest_tolerance = 0.0;
  for (Eigen::Index j = 0; j < predicted.cols(); ++j) {
    const auto moved = [&](double h) {
      VectorXd x = VectorXd::Zero(predicted.cols());
      x[j] = h;
      return plant.at(x.head(nv), x.segment(nv, nv), x.tail(linear.B.cols()));
    };
    Difference expected = difference(moved, 2e-4, rounding);
    expected.tolerance += 8.0 * epsilon * solved.col(j);
    for (Eigen::Index i = 0; i < predicted.rows(); ++i)
      EXPECT_LE(std::abs(predicted(i, j) - expected.value[i]), expected.tolerance[i])
          << "row " << i << " column " << j << " of nv " << nv << ": " << predicted(i, j);
    largest_tolerance = std::max(largest_tolerance, expected.tolerance.maxCoeff());
  }
  // a tolerance that lets anything pass would show nothing
  EXPECT_LT(largest_tolerance, 1e-4 * predicted.cwiseAbs().maxCoeff());
}

TEST(Linearize, IsTheDerivativeOfForwardDynamicsForRandomArms) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Case c = random_case(seed);
    if (!has_inputs(c.model)) continue;
    expect_derivatives_of_the_plant(c);
    c.point.v.setZero();  // accelerating, at rest
    expect_derivatives_of_the_plant(c);
  }
}

TEST(Linearize, IsTheDerivativeOfForwardDynamicsForTheArmsOfTheLiterature) {
  for (const char* name : {"canadarm/canadarm.yaml", "crane/crane.yaml", "crane/crane_second.yaml",
                           "ella/ella.yaml", "lin_lewis_rfr/lin_lewis_rfr.yaml"}) {
    SCOPED_TRACE(name);
    expect_derivatives_of_the_plant(named_case(name, 0.0, 0.0, 0.0));
    expect_derivatives_of_the_plant(named_case(name, 0.01, 0.0, 0.0));
    expect_derivatives_of_the_plant(named_case(name, 0.01, 0.1, 0.0));
    expect_derivatives_of_the_plant(named_case(name, 0.01, 0.1, 5.0));
  }
}

TEST(Linearize, IsTheDerivativeAboutASettledEquilibrium) {
  for (const char* name : {"crane/crane_second.yaml", "piedboeuf/piedboeuf.yaml"}) {
    SCOPED_TRACE(name);
    const Model model = named_model(name);
    const std::vector<Load> loads{{static_cast<int>(model.links().size()) - 1, 0, Axes::world,
                                   Vector3d(0.1, -0.5, -1.0), Vector3d::Zero()}};
    const Case c{model, settled_point(model, neutral_configuration(model), loads)};
    Workspace<double> work(model);
    VectorXd a(model.nv());
    forward_dynamics(model, work, c.point.q, c.point.v, c.point.tau, a, c.point.loads);
    EXPECT_LT(a.cwiseAbs().maxCoeff(), 1e-6);
    expect_derivatives_of_the_plant(c);
  }
}

// With E(q): v -> dq/dt, a neighbour at q + E d moves so that d/dt (E d) = d(E v)/dq E d + E w. Central differences
// are exact here: dq/dt is a polynomial of second degree in q.
TEST(Linearize, CouplesDisplacementsOfQuaternionJointsThatMove) {
  int coupled = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    const int nv = c.model.nv();
    if (!has_inputs(c.model)) continue;
    const MatrixXd A = linearize(c.model, c.point).A.topRows(nv);
    const auto rate = [&](const VectorXd& q, const VectorXd& v) {
      VectorXd result(c.model.nq());
      configuration_rate(c.model, q, v, result);
      return result;
    };
    // of f at q along dq
    const auto along = [&](const VectorXd& dq, const VectorXd& v) {
      return VectorXd(0.5 * (rate(c.point.q + dq, v) - rate(c.point.q - dq, v)));
    };
    const VectorXd &q = c.point.q, &v = c.point.v;
    for (int j = 0; j < 2 * nv; ++j) {
      const VectorXd d = j < nv ? VectorXd(VectorXd::Unit(nv, j)) : VectorXd::Zero(nv);
      const VectorXd w = j < nv ? VectorXd::Zero(nv) : VectorXd(VectorXd::Unit(nv, j - nv));
      const VectorXd expected = along(rate(q, d), v) - along(rate(q, v), d) + rate(q, w);
      EXPECT_LT((rate(q, A.col(j)) - expected).norm(), 1e-11 * (1.0 + v.norm())) << j;
    }
    coupled += A.leftCols(nv).norm() > 0.0 ? 1 : 0;
  }
  EXPECT_GT(coupled, 5);
}

// At rest in equilibrium an output's rate is the output of the rate.
TEST(Linearize, GivesVelocitiesAndAccelerationsThatBelongToPlaces) {
  const Model model = named_model("crane/crane.yaml");
  const OperatingPoint rest = settled_point(model, neutral_configuration(model));
  const auto e = [](const std::string& names) {
    std::vector<std::string> list;
    for (const char axis : {'x', 'y', 'z'}) list.push_back("end_effector." + names + axis);
    return list;
  };
  const LinearModel place = linearize(model, rest, e("")), velocity = linearize(model, rest, e("v")),
                    acceleration = linearize(model, rest, e("a"));
  const double size = acceleration.C.norm();
  EXPECT_LT((place.C * place.A - velocity.C).norm(), 1e-10 * size);
  EXPECT_LT((velocity.C * place.A - acceleration.C).norm(), 1e-10 * size);
  EXPECT_LT((velocity.C * place.B - acceleration.D).norm(), 1e-12 * acceleration.D.norm());
  EXPECT_EQ(place.D.norm(), 0.0);
  EXPECT_GT(acceleration.D.norm(), 0.0);
}

TEST(Linearize, HasTheNaturalModesAsPoles) {
  for (const char* name : {"canadarm/canadarm.yaml", "crane/crane_second.yaml", "ella/ella.yaml",
                           "lin_lewis_one_link/lin_lewis_one_link.yaml"}) {
    SCOPED_TRACE(name);
    ModelDescription description = named_model(name).description();
    for (LinkDescription& link : description.links) {
      link.joint.damping = 0.0;
      if (link.beam) link.beam->damping.reset();
    }
    const Model model = build_model(description);
    const OperatingPoint rest = settled_point(model, neutral_configuration(model));
    const VectorXd frequencies = natural_modes(model, rest.q, JointTreatment::free).angular_frequencies;
    const Eigen::VectorXcd s = poles(linearize(model, rest));
    VectorXd sorted = frequencies.cwiseAbs();
    std::sort(sorted.begin(), sorted.end());
    const double fastest = sorted[sorted.size() - 1];
    for (Eigen::Index k = 0; k < sorted.size(); ++k) {
      if (sorted[k] < 1e-6 * fastest) continue;  // known to half of the digits
      // natural_modes has squares to rounding of the largest one
      const double rounding = 4.0 * epsilon * fastest * fastest / sorted[k];
      EXPECT_NEAR(std::abs(s[2 * k]), sorted[k], std::max(1e-9 * sorted[k], rounding)) << k;
    }
  }
}

// Nothing pulls the Canadarm's joints back: exact zeros, although each is a double one.
TEST(Linearize, HasZerosForJointsThatDrift) {
  const Model model = named_model("canadarm/canadarm.yaml");
  const Eigen::VectorXcd s = poles(linearize(model, settled_point(model, neutral_configuration(model))));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(s[i], std::complex<double>(0.0, 0.0));
  EXPECT_GT(std::abs(s[6]), 1.0);
}

ModelBuilder pendulum() {
  RigidDescription rod;
  rod.mass = 2.0;
  rod.com = {0.5, 0.0, 0.0};
  rod.inertia << 0.001, 0.1, 0.1, 0, 0, 0;
  rod.tip.xyz = {1.2, 0.0, 0.0};
  ModelBuilder builder("pendulum");
  builder.gravity({9.81, 0, 0}).link("rod").revolute({0, 0, 1}, "hinge").rigid(rod);
  return builder;
}

// I q'' + c q' + m g l sin q = u about q0, I = 0.1 + 2 * 0.25; the tip at 1.2 m.
TEST(Linearize, OfAPendulumIsItsClosedForm) {
  ModelBuilder builder = pendulum();
  builder.current_link().joint.damping = 0.3;
  const Model model = builder.build();
  const double q0 = 0.7, inertia = 0.6, weight = 2.0 * 9.81 * 0.5;
  const OperatingPoint held = settled_point(model, VectorXd::Constant(1, q0));
  EXPECT_NEAR(held.tau[0], weight * std::sin(q0), 1e-12);
  const LinearModel linear = linearize(
      model, held,
      {"hinge", "hinge.rate", "end_effector.x", "end_effector.y", "end_effector.rz", "end_effector.ay"});
  const double stiffness = weight * std::cos(q0) / inertia, damping = 0.3 / inertia;
  const double dx = -1.2 * std::sin(q0), dy = 1.2 * std::cos(q0);
  const MatrixXd A{{0.0, 1.0}, {-stiffness, -damping}}, B{{0.0}, {1.0 / inertia}};
  const MatrixXd C{{1.0, 0.0}, {0.0, 1.0}, {dx, 0.0},
                   {dy, 0.0},  {1.0, 0.0}, {-dy * stiffness, -dy * damping}};
  EXPECT_LT((linear.A - A).norm(), 1e-12);
  EXPECT_LT((linear.B - B).norm(), 1e-12);
  EXPECT_LT((linear.C - C).norm(), 1e-12);
  EXPECT_NEAR(linear.D(5, 0), dy / inertia, 1e-12);
  EXPECT_EQ(linear.D.topRows(5).norm(), 0.0);
  EXPECT_EQ(linear.states, (std::vector<std::string>{"hinge", "hinge.rate"}));
  EXPECT_EQ(linear.inputs, std::vector<std::string>{"hinge"});
}

// G(i w) = C_p (K - w^2 M + i w D)^-1 B_u from the mechanical matrices; at w = 0 the compliance.
TEST(Linearize, RespondsAsTheMechanicalMatricesDo) {
  ModelDescription description = named_model("ella/ella.yaml").description();
  for (LinkDescription& link : description.links) {
    link.joint.stiffness = 300.0;
    link.joint.damping = 2.0;
  }
  const Model model = build_model(description);
  const OperatingPoint rest = settled_point(model, neutral_configuration(model));
  const LinearModel linear = linearize(model, rest);
  Workspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, rest.q, M);
  // not its symmetric part: away from equilibrium without efforts, d(gravity)/dq is what it is
  const MatrixXd K = elastic_stiffness(model) + ForceDifferentiator(model).by_position(
                                                    rest.q, rest.v, rest.v, {}, all_coordinates(model));
  const MatrixXd C = damping_matrix(model), B_u = input_matrix(model), C_p = linear.C.leftCols(model.nv());
  const FrequencyResponse response(linear);
  for (const double hertz : {0.0, 0.5, 8.0, 16.43, 200.0}) {
    const double w = 2.0 * std::numbers::pi * hertz;
    const Eigen::MatrixXcd dynamic =
        (K - w * w * M).cast<std::complex<double>>() + std::complex<double>(0.0, w) * C;
    const Eigen::MatrixXcd expected = C_p * dynamic.fullPivLu().solve(B_u.cast<std::complex<double>>());
    EXPECT_LT((response.at(w) - expected).norm(), 1e-9 * expected.norm()) << hertz;
  }
}

TEST(Linearize, RefusesWhatIsNoOutput) {
  const Model model = pendulum().build();
  const OperatingPoint rest = settled_point(model, VectorXd::Zero(1));
  const auto message = [&](const std::vector<std::string>& outputs) -> std::string {
    try {
      linearize(model, rest, outputs);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message({"hnge"}).find("did you mean `hinge`?"), std::string::npos) << message({"hnge"});
  EXPECT_NE(message({"hinge", "hinge"}).find("each output once"), std::string::npos);
  ModelBuilder fixed = pendulum();
  fixed.current_link().joint = {.type = JointType::fixed};
  EXPECT_THROW(linearize(fixed.build(), {VectorXd(0), VectorXd(0), VectorXd(0), {}}), InputError);
}

// Sensors go by duals through forward dynamics, the other outputs by inverse dynamics and a solve: they must agree.
TEST(LinearizeWithSensors, HasTheRowsOfOutputsThatMeanTheSame) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Case c = random_case(seed);
    const Model& model = c.model;
    if (joint_coordinates(model).empty()) continue;  // no inputs
    std::vector<SensorDescription> sensors;
    const auto add = [&](SensorKind kind) {
      SensorDescription sensor;
      sensor.name = "s" + std::to_string(sensors.size());
      sensor.kind = std::move(kind);
      sensors.push_back(sensor);
    };
    std::vector<std::string> same;  // outputs
    for (const Link& link : model.links())
      for (int j = 0; j < link.joint.nv; ++j) {
        const std::string& name = model.coordinates()[static_cast<std::size_t>(link.joint.v_index + j)];
        if (!link.joint.has_quaternion()) {
          add(sensors::Position{name});
          same.push_back(name);
        }
        add(sensors::Velocity{name});
        same.push_back(name + ".rate");
      }
    const Frame& tip = end_effector_frame(model);
    const Link& last = model.links()[static_cast<std::size_t>(tip.link)];
    const double at = last.nodes[static_cast<std::size_t>(tip.node)].at;
    const char* axes[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
      add(sensors::Point{{last.name, at, tip.X_NE.p}, Vector3d::Unit(axis)});
      same.push_back(std::string("end_effector.") + axes[axis]);
    }
    std::vector<std::string> names;
    for (const SensorDescription& sensor : sensors) names.push_back(sensor.name);
    const LinearModel by_sensors = linearize(model, c.point, names, sensors),
                      plain = linearize(model, c.point, same);
    EXPECT_EQ(by_sensors.outputs, names);
    EXPECT_EQ(by_sensors.A, plain.A);
    EXPECT_LT((by_sensors.C - plain.C).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + plain.C.cwiseAbs().maxCoeff()));
    EXPECT_LT((by_sensors.D - plain.D).cwiseAbs().maxCoeff(), 1e-12);

    // Accelerations of joints are rows of A and B.
    std::vector<SensorDescription> rates;
    std::vector<int> rows;
    for (const int i : joint_coordinates(model)) {
      SensorDescription sensor;
      sensor.name = "a" + std::to_string(i);
      sensor.kind = sensors::Acceleration{model.coordinates()[static_cast<std::size_t>(i)]};
      rates.push_back(sensor);
      rows.push_back(model.nv() + i);
    }
    const LinearModel accelerations = linearize(model, c.point, {}, rates);
    ASSERT_EQ(accelerations.C.rows(), static_cast<Eigen::Index>(rows.size()));
    const MatrixXd A = plain.A(rows, Eigen::all), B = plain.B(rows, Eigen::all);
    EXPECT_LT((accelerations.C - A).cwiseAbs().maxCoeff(), 1e-9 * plain.A.cwiseAbs().maxCoeff());
    EXPECT_LT((accelerations.D - B).cwiseAbs().maxCoeff(), 1e-9 * plain.B.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace limber
