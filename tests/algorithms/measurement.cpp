// SPDX-License-Identifier: BSD-3-Clause
// Sensors against what shares no formula with them: closed forms, differences along exact paths, finite differences.

#include "limber/algorithms/measurement.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "allocations.hpp"
#include "every_sensor.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/evaluation.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/lookup.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::every_sensor;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// ---- states ----

struct State {
  VectorXd q, v, tau;
};

// Joints anywhere, beams bent by some thousandths of their length, by higher shapes less.
State random_state(const Model& model, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](double size) { return size * std::uniform_real_distribution<>(-1.0, 1.0)(random); };
  const auto rate = [&](double size) {  // never so small that differences of it would drown
    const double x = number(size);
    return x < 0.0 ? x - size : x + size;
  };
  State state{neutral_configuration(model), VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv())};
  VectorXd delta = VectorXd::Zero(model.nv());
  for (const Link& link : model.links()) {
    for (int j = 0; j < link.joint.nv; ++j) {
      delta[link.joint.v_index + j] = number(0.8);
      state.v[link.joint.v_index + j] = rate(0.3);
      state.tau[link.joint.v_index + j] = number(10.0);
    }
    for (int j = 0; j < link.elastic_count; ++j) {
      const auto& tip = link.nodes.front().field;
      const double size = std::max(tip.Phi.col(j).norm(), 0.1 * tip.Psi.col(j).norm());
      const double bent = 0.002 * link.beam->basis.length() / std::max(size, 1e-3) / ((j + 1) * (j + 1));
      delta[link.elastic_v_index + j] = number(bent);
      state.v[link.elastic_v_index + j] = rate(bent);
    }
  }
  displace(model, neutral_configuration(model), delta, state.q);
  return state;
}

// Readings with the acceleration that forward dynamics gives.
VectorXd read_at(const Model& model, Measurement& measurement, const State& state) {
  Workspace<double> work(model);
  VectorXd a(model.nv()), values(measurement.size());
  forward_dynamics(model, work, state.q, state.v, state.tau, a);
  measurement.evaluate(state.q, state.v, a, state.tau, {}, values);
  return values;
}

// Every model that is shipped.
std::vector<fs::path> shipped_models() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(LIMBER_MODELS_DIR))
    if (entry.path().extension() == ".yaml" && !is_scenario(entry.path()) &&
        read_model(entry.path()).loops().empty() && !read_model(entry.path()).has_telescopes() &&
        read_model(entry.path()).cylinders().empty())  // whose accelerations Evaluation refuses
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// ---- derivatives ----

// d f/d h at 0, by central differences of two steps. They differ by three times the truncation error of the narrow one; both together
// leave an error of higher order, and rounding.
struct Difference {
  VectorXd value, truncation;
};
Difference difference_of(const std::function<VectorXd(double)>& f, double h) {
  const VectorXd wide = (f(h) - f(-h)) / (2.0 * h), narrow = (f(0.5 * h) - f(-0.5 * h)) / h;
  return {(4.0 * narrow - wide) / 3.0, 0.1 * (wide - narrow).cwiseAbs()};
}

// How much rounding may be in what depends on accelerations: of these |M^-1| times the forces that are summed up, and times |M| |a|, which
// counts where many polynomials make M ill-conditioned.
std::map<std::string, double> rounding_of_dynamics(const Model& model, const State& state) {
  Evaluation e(model);
  e.set(state.q, state.v, state.tau);
  const MatrixXd M = e.mass_matrix();
  const VectorXd forces =
      e.bias().cwiseAbs() + e.elastic_and_damping_forces().cwiseAbs() + state.tau.cwiseAbs();
  const double most = forces.maxCoeff() + model.mass() * model.gravity().norm();
  const VectorXd inertia = M.cwiseAbs() * e.acceleration().cwiseAbs();
  const VectorXd a = M.inverse().cwiseAbs() * (VectorXd::Constant(model.nv(), most) + inertia);
  const double reach = 10.0;  // m, of the largest arms: levers of angular accelerations
  return {{"acceleration", 64.0 * epsilon * a.maxCoeff()},
          {"accelerometer", 64.0 * epsilon * reach * a.maxCoeff()},
          {"wrench", 64.0 * epsilon * reach * (most + (M.cwiseAbs() * a).maxCoeff())}};
}

void expect_jacobian(const Model& model, unsigned seed) {
  Measurement measurement(model, every_sensor(model));
  const State state = random_state(model, seed);
  MeasurementJacobian J;
  measurement.jacobian(state.q, state.v, state.tau, {}, J);
  const VectorXd here = read_at(model, measurement, state);
  const MatrixXd B = input_matrix(model, state.q);
  ASSERT_EQ(J.deffort.cols(), B.cols());

  const auto kind = [&](int i) {
    return std::string(type_name(measurement.sensors()[static_cast<std::size_t>(i)].kind));
  };
  std::map<std::string, double> largest;
  for (int i = 0; i < measurement.size(); ++i)
    largest[kind(i)] = std::max(largest[kind(i)], std::abs(here[i]));
  std::map<std::string, double> rounding = rounding_of_dynamics(model, state);
  for (const auto& [name, size] : largest) rounding[name] += 64.0 * epsilon * (1.0 + size);
  int strict = 0, all = 0;
  const auto compare = [&](const MatrixXd& exact, int column, double h, const char* what,
                           const std::function<void(State&, double)>& move) {
    const Difference found = difference_of(
        [&](double step) {
          State moved = state;
          move(moved, step);
          return read_at(model, measurement, moved);
        },
        h);
    for (int i = 0; i < measurement.size(); ++i) {
      const double size = exact.row(i).cwiseAbs().maxCoeff();
      const double tolerance = 1e-6 * size + found.truncation[i] + rounding[kind(i)] / h;
      ASSERT_NEAR(exact(i, column), found.value[i], tolerance)
          << model.name() << ": " << kind(i) << " " << i << " by " << what << " of coordinate " << column;
      ++all;
      if (tolerance <= 1e-4 * std::max(size, largest[kind(i)])) ++strict;
    }
  };
  // Readings are quadratic in velocities and linear in efforts: steps may be long. Elastic velocities are as large as positions, which are small.
  std::vector<int> joints;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) joints.push_back(link.joint.v_index + j);
  const auto step_of = [&](int i) {
    const bool is_joint = std::find(joints.begin(), joints.end(), i) != joints.end();
    return (is_joint ? 0.003 : 0.02) * std::abs(state.v[i]);
  };
  for (int i = 0; i < model.nv(); ++i) {
    compare(J.dq, i, step_of(i), "position", [&](State& s, double step) {
      const VectorXd delta = VectorXd::Unit(model.nv(), i) * step;
      displace(model, state.q, delta, s.q);
    });
    compare(J.dv, i, std::abs(state.v[i]), "velocity", [&](State& s, double step) { s.v[i] += step; });
  }
  for (int i = 0; i < B.cols(); ++i)
    compare(J.deffort, i, 1e3, "effort", [&](State& s, double step) { s.tau += B.col(i) * step; });
  EXPECT_GT(strict, all / 2) << model.name();  // tolerances that let anything pass would show nothing
}

TEST(Measurement, JacobiansAreThoseOfFiniteDifferencesOnEveryShippedArm) {
  unsigned seed = 0;
  for (const fs::path& file : shipped_models()) {
    SCOPED_TRACE(file.string());
    expect_jacobian(read_model(file), ++seed);
  }
  EXPECT_GE(seed, 20U);
}

TEST(Measurement, JacobiansAreThoseOfFiniteDifferencesOnTreesWithAllJoints) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    expect_jacobian(build_model(reference::random_arm(
                        seed, 3, seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second)),
                    seed);
}

// ---- paths ----

// The arm along q(t) = q (+) (v t + a t^2 / 2): at t = 0 it moves with v and accelerates with a.
class Path {
 public:
  Path(const Model& model, const State& state, VectorXd a) : state_(state), a_(std::move(a)), e_(model) {}
  PoseOf<double> pose(const Frame& frame, double t) {
    const VectorXd delta = state_.v * t + 0.5 * a_ * t * t;
    VectorXd q(state_.q.size());
    displace(e_.model(), state_.q, delta, q);
    e_.set(q);
    return e_.pose(frame);
  }

 private:
  State state_;
  VectorXd a_;
  Evaluation e_;
};

void expect_motion_of_path(Model model, int link, double at, unsigned seed) {
  model = with_node(std::move(model), link, at);
  const std::string& name = model.links()[static_cast<std::size_t>(link)].name;
  const Vector3d offset(0.1, -0.2, 0.05), axis = Vector3d(0.4, 0.5, -0.6).normalized();
  const State state = random_state(model, seed);
  std::mt19937 random(seed + 77);
  VectorXd a(model.nv());
  for (double& x : a) x = std::uniform_real_distribution<>(-0.3, 0.3)(random);
  const std::vector<SensorDescription> sensors = {
      {.name = "bare", .kind = sensors::Accelerometer{{name, at, offset}, 3.0 * axis, false}},
      {.name = "imu", .kind = sensors::Accelerometer{{name, at, offset}, axis, true}},
      {.name = "gyro", .kind = sensors::Gyroscope{name, at, axis}},
      {.name = "place", .kind = sensors::Point{{name, at, offset}, axis, PointReference::world}}};
  Measurement measurement(model, sensors);
  VectorXd values(measurement.size());
  measurement.evaluate(state.q, state.v, a, state.tau, {}, values);

  const Frame frame{link, node_index(model, link, at), {Matrix3d::Identity(), offset}};
  Path path(model, state, a);
  const PoseOf<double> here = path.pose(frame, 0.0);
  // Second differences of two steps: wrong by h^4, and by rounding of 1e-16/h^2 = 1e-10.
  const auto second = [&](double h) -> Vector3d {
    return (path.pose(frame, h).p - 2.0 * here.p + path.pose(frame, -h).p) / (h * h);
  };
  const double h = 2e-3;
  const Vector3d acceleration = (4.0 * second(0.5 * h) - second(h)) / 3.0;
  const double along = axis.dot(here.R.transpose() * acceleration);
  EXPECT_NEAR(values[0], along, 2e-8);
  EXPECT_NEAR(values[1], along - axis.dot(here.R.transpose() * model.gravity()), 2e-8);
  // How the section turns from -h to h, by the logarithm of its rotation.
  const auto turning = [&](double step) -> Vector3d {
    const Eigen::AngleAxisd turn(Matrix3d(path.pose(frame, -step).R.transpose() * path.pose(frame, step).R));
    return turn.angle() * turn.axis() / (2.0 * step);
  };
  // In the section's axes at -h; to fourth order that is the rate at 0 turned by half of it, along itself.
  const Vector3d rate = (4.0 * turning(0.5 * h) - turning(h)) / 3.0;
  EXPECT_NEAR(values[2], axis.dot(rate), 1e-5);
  EXPECT_NEAR(values[3], axis.dot(here.p), 1e-13);
}

TEST(Measurement, AccelerometerAndGyroscopeAreDifferencesOfTheExactPath) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
      const Model model = build_model(reference::random_arm(seed, 3, order));
      for (int link = 0; link < static_cast<int>(model.links().size()); ++link)
        for (const double at : {0.35, 1.0})
          if (at == 1.0 || model.links()[static_cast<std::size_t>(link)].beam)
            expect_motion_of_path(model, link, at, seed);
    }
}

TEST(Measurement, AccelerometerAtRestShowsMinusGravity) {
  const Model model = read_model(fs::path(LIMBER_MODELS_DIR) / "crane/crane.yaml");
  const Evaluation e(model);
  const std::string& name = model.links().back().name;
  std::vector<SensorDescription> sensors;
  for (int i = 0; i < 3; ++i)
    sensors.push_back(
        {.name = "f" + std::to_string(i), .kind = sensors::Accelerometer{{name}, Vector3d::Unit(i)}});
  Measurement measurement(model, sensors);
  const State state = random_state(model, 3);
  const VectorXd still = VectorXd::Zero(model.nv());
  VectorXd f(3);
  measurement.evaluate(state.q, still, still, still, {}, f);
  Evaluation pose(model);
  pose.set(state.q);
  EXPECT_LT((f + pose.pose(frame(model, name)).R.transpose() * model.gravity()).norm(), 1e-13);
}

// ---- strain ----

// A cantilever of 2 m with a force P at its tip, across it.
Model cantilever(const ModesDescription& modes) {
  ModelDescription description;
  description.name = "cantilever";
  description.gravity.setZero();
  description.kinematics = KinematicOrder::first;
  LinkDescription link;
  link.name = "beam";
  link.joint.type = JointType::fixed;
  link.beam.emplace();
  link.beam->length = 2.0;
  SectionDescription section;
  section.EI_z = 50.0;
  section.EI_y = 80.0;
  section.GJ = 30.0;
  section.EA = 1e6;
  section.mass_per_length = 3.0;
  link.beam->section = section;
  link.beam->modes.y = modes;
  link.beam->modes.z = modes;
  description.links.push_back(link);
  return build_model(description);
}

TEST(Measurement, StrainOfATipLoadedCantileverIsTheClosedForm) {
  const double L = 2.0, P = 3.0, Q = -2.0, y = 0.04, z = -0.03, EI_z = 50.0, EI_y = 80.0;
  for (const ShapeFamily family : {ShapeFamily::polynomial, ShapeFamily::craig_bampton}) {
    ModesDescription modes;
    modes.shape = family;
    modes.count = 2;  // x^2 and x^3, or the cubics of the tip: the static shape is among them
    const Model model = cantilever(modes);
    Load load;
    load.force = Vector3d(0.0, P, Q);
    const VectorXd q = static_equilibrium(model, neutral_configuration(model), {load}).q;
    const VectorXd still = VectorXd::Zero(model.nv());
    std::vector<SensorDescription> sensors;
    for (const double at : {0.0, 0.05, 0.5, 0.9})
      sensors.push_back(
          {.name = "g" + std::to_string(sensors.size()), .kind = sensors::Strain{"beam", at, {y, z}}});
    sensors.push_back({.name = "kz", .kind = sensors::Curvature{"beam", 0.25, CurvatureAxis::z}});
    sensors.push_back({.name = "ky", .kind = sensors::Curvature{"beam", 0.25, CurvatureAxis::y}});
    Measurement measurement(model, sensors);
    VectorXd values(measurement.size());
    measurement.evaluate(q, still, still, still, {load}, values);
    int i = 0;
    for (const double at : {0.0, 0.05, 0.5, 0.9}) {
      const double x = at * L;
      const double strain = -y * P * (L - x) / EI_z - z * Q * (L - x) / EI_y;
      EXPECT_NEAR(values[i++], strain, 1e-9 * std::abs(strain));
    }
    EXPECT_NEAR(values[4], P * 0.75 * L / EI_z, 1e-9);
    EXPECT_NEAR(values[5], -Q * 0.75 * L / EI_y, 1e-9);
  }
}

// ---- the rest ----

TEST(Measurement, WrenchesAndEffortsAreThoseOfTheState) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Model model = build_model(reference::random_arm(seed, 4, KinematicOrder::second));
    std::vector<SensorDescription> sensors;
    for (std::size_t l = 0; l < model.links().size(); ++l)
      for (int c = 0; c < 6; ++c)
        sensors.push_back(
            {.name = "w" + std::to_string(6 * l + static_cast<std::size_t>(c)),
             .kind = sensors::Wrench{model.links()[l].joint.name, static_cast<WrenchComponent>(c)}});
    Measurement measurement(model, sensors);
    const State state = random_state(model, seed);
    Load load;
    load.link = static_cast<int>(model.links().size()) - 1;
    load.force = Vector3d(1.0, 2.0, -3.0);
    Evaluation e(model);
    e.set(state.q, state.v, state.tau, {load});
    VectorXd values(measurement.size());
    measurement.evaluate(state.q, state.v, e.acceleration(), state.tau, {load}, values);
    for (std::size_t l = 0; l < model.links().size(); ++l) {
      const Vector6<double> wrench = e.wrench(static_cast<int>(l)).vector();
      for (int c = 0; c < 6; ++c)
        EXPECT_NEAR(values[static_cast<int>(6 * l) + c], wrench[c], 1e-9 * (1.0 + wrench.norm()));
    }
  }
}

TEST(Measurement, PointRelativeToTheRigidArmIsZeroWhereNothingBends) {
  const Model model = read_model(fs::path(LIMBER_MODELS_DIR) / "canadarm/canadarm_spatial.yaml");
  const std::string& last = model.links().back().name;
  Measurement measurement(
      model, {{.name = "sag", .kind = sensors::Point{{last}, Vector3d::UnitZ(), PointReference::rigid}}});
  State state = random_state(model, 5);
  VectorXd value(1), bent(1);
  const VectorXd still = VectorXd::Zero(model.nv());
  measurement.evaluate(state.q, still, still, still, {}, bent);
  EXPECT_GT(std::abs(bent[0]), 1e-4);
  for (const Link& link : model.links()) state.q.segment(link.elastic_q_index, link.elastic_count).setZero();
  measurement.evaluate(state.q, still, still, still, {}, value);
  EXPECT_EQ(value[0], 0.0);
}

TEST(Measurement, AllocatesNothingAfterItsFirstUse) {
  const Model model = read_model(fs::path(LIMBER_MODELS_DIR) / "canadarm/canadarm_spatial.yaml");
  Measurement measurement(model, every_sensor(model));
  const State state = random_state(model, 1);
  const VectorXd a = VectorXd::Ones(model.nv());
  const std::vector<Load> loads(1);
  VectorXd values(measurement.size());
  MeasurementJacobian J;
  measurement.evaluate(state.q, state.v, a, state.tau, loads, values);
  measurement.jacobian(state.q, state.v, state.tau, loads, J);
  const test::AllocationCounter counter;
  measurement.evaluate(state.q, state.v, a, state.tau, loads, values);
  EXPECT_EQ(counter.count(), 0);
  measurement.jacobian(state.q, state.v, state.tau, loads, J);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Measurement, SaysWhatItsReadingsDependOn) {
  const Model model = read_model(fs::path(LIMBER_MODELS_DIR) / "lin_lewis_one_link/lin_lewis_one_link.yaml");
  const std::string &joint = model.coordinates().front(), &link = model.links().front().name;
  const Measurement measurement(model,
                                {{.name = "p", .kind = sensors::Position{joint}},
                                 {.name = "g", .kind = sensors::Strain{link, 0.0, {0.01, 0.01}}},
                                 {.name = "w", .kind = sensors::Gyroscope{link, 1.0, Vector3d::UnitZ()}},
                                 {.name = "u", .kind = sensors::Effort{joint}},
                                 {.name = "a", .kind = sensors::Accelerometer{{link}, Vector3d::UnitZ()}}});
  EXPECT_EQ(measurement.dependence(0), Dependence::positions);
  EXPECT_EQ(measurement.dependence(1), Dependence::positions);
  EXPECT_EQ(measurement.dependence(2), Dependence::velocities);
  EXPECT_EQ(measurement.dependence(3), Dependence::efforts);
  EXPECT_EQ(measurement.dependence(4), Dependence::accelerations);
  EXPECT_EQ(measurement.index("w"), 2);
  EXPECT_THROW(measurement.index("q"), InputError);
}

}  // namespace
}  // namespace limber
