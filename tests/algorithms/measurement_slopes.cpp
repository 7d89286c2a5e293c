// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of readings, differentiated by hand, against the dual scalar through forward dynamics and the motion of frames.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "every_sensor.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/io/model_file.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/lookup.hpp"
#include "node_on.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Of those that look from a frame, or at a wrench.
struct Looking {
  SensorDescription sensor;
  Frame frame;
};

class ByDuals {
 public:
  ByDuals(const Model& of, const std::vector<SensorDescription>& sensors) : model_(of) {
    for (const SensorDescription& sensor : sensors) {
      const sensors::Place* place = nullptr;
      sensors::Place own;
      if (const auto* s = std::get_if<sensors::Accelerometer>(&sensor.kind)) place = &s->place;
      if (const auto* s = std::get_if<sensors::Point>(&sensor.kind)) place = &s->place;
      if (const auto* s = std::get_if<sensors::Gyroscope>(&sensor.kind)) {
        own = {s->link, s->at, Vector3d::Zero(), s->interface};
        place = &own;
      }
      Looking one{sensor, {}};
      if (place) {
        const LinkPlace there = place_on(model_, place->link, place->at, place->interface);
        model_ = with_node(model_, there);
        one.frame = {there.link, node_index(model_, there),
                     there.X_NS * Pose{Eigen::Matrix3d::Identity(), place->offset}};
      }
      looking_.push_back(one);
    }
  }

  const Model& model() const { return model_; }

  VectorX<Dual> at(const VectorX<Dual>& q, const VectorX<Dual>& v, const VectorX<Dual>& tau,
                   const std::vector<Load>& loads) const {
    Workspace<Dual> dynamics(model_), work(model_);
    VectorX<Dual> a(model_.nv());
    forward_dynamics<Dual>(model_, dynamics, q, v, tau, a, loads);
    VectorX<Dual> values(static_cast<Eigen::Index>(looking_.size()));
    Matrix6X<Dual> J(6, model_.nv());
    constexpr MotionAxes world = MotionAxes::local_world_aligned;
    for (std::size_t i = 0; i < looking_.size(); ++i) {
      const auto& [sensor, frame] = looking_[i];
      Dual& value = values[static_cast<Eigen::Index>(i)];
      const auto* const wrench = std::get_if<sensors::Wrench>(&sensor.kind);
      const auto* const accelerometer = std::get_if<sensors::Accelerometer>(&sensor.kind);
      const auto* const gyroscope = std::get_if<sensors::Gyroscope>(&sensor.kind);
      const auto* const point = std::get_if<sensors::Point>(&sensor.kind);
      const auto* const acceleration = std::get_if<sensors::Acceleration>(&sensor.kind);
      if (wrench) {
        value = joint_wrench(model_, dynamics, joint_index(model_, wrench->joint))
                    .vector()[static_cast<int>(wrench->component)];
      } else if (accelerometer) {
        Vector3<Dual> f = frame_bias_acceleration<Dual>(model_, work, frame, world, q, v).linear;
        frame_jacobian<Dual>(model_, work, frame, world, J);
        f += J.topRows<3>() * a;
        if (accelerometer->gravity) f -= model_.gravity().cast<Dual>();
        value = (frame_pose(model_, work, frame).R.transpose() * f)
                    .dot(accelerometer->axis.normalized().cast<Dual>());
      } else if (gyroscope) {
        update_velocities<Dual>(model_, work, q, v);
        update_world_poses(work);
        value = frame_twist(model_, work, frame, MotionAxes::local)
                    .angular.dot(gyroscope->axis.normalized().cast<Dual>());
      } else if (point) {
        Vector3<Dual> p = place(q, frame);
        if (point->relative == PointReference::rigid) p -= place(straightened(q), frame);
        value = p.dot(point->axis.normalized().cast<Dual>());
      } else if (acceleration) {
        value = a[sensed(acceleration->joint)];
      } else {
        value = Dual(0.0);
      }
    }
    return values;
  }

  bool knows(std::size_t i) const {
    const SensorKind& kind = looking_[i].sensor.kind;
    return std::holds_alternative<sensors::Wrench>(kind) ||
           std::holds_alternative<sensors::Accelerometer>(kind) ||
           std::holds_alternative<sensors::Gyroscope>(kind) || std::holds_alternative<sensors::Point>(kind) ||
           std::holds_alternative<sensors::Acceleration>(kind);
  }

 private:
  int sensed(const std::string& name) const {
    const auto& names = model_.coordinates();
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  Vector3<Dual> place(const VectorX<Dual>& q, const Frame& frame) const {
    Workspace<Dual> work(model_);
    update_positions<Dual>(model_, work, q);
    update_world_poses(work);
    return frame_pose(model_, work, frame).p;
  }
  VectorX<Dual> straightened(VectorX<Dual> q) const {
    for (const Link& link : model_.links()) {
      for (int i = 0; i < link.elastic_count; ++i) q[link.elastic_q_index + i] = Dual(0.0);
      if (link.joint.has_motor()) q[link.joint.q_index] = q[link.joint.q_index + 1];
    }
    return q;
  }

  Model model_;
  std::vector<Looking> looking_;
};

struct Case {
  Model model;
  VectorXd q, v, tau;
  std::vector<Load> loads;
};

void expect_as_by_dual_scalar(const Case& c, std::size_t every = 1) {
  std::vector<SensorDescription> sensors;
  const std::vector<SensorDescription> all_sensors = test::every_sensor(c.model);
  for (std::size_t i = 0; i < all_sensors.size(); i += every) sensors.push_back(all_sensors[i]);
  Measurement measurement(c.model, sensors);
  MeasurementJacobian found;
  measurement.jacobian(c.q, c.v, c.tau, c.loads, found);
  const ByDuals duals(c.model, sensors);
  const int nv = c.model.nv();
  const MatrixXd B = input_matrix(c.model, c.q);
  MatrixXd all(measurement.size(), 2 * nv + B.cols());
  VectorXd along(c.model.nq());
  for (Eigen::Index j = 0; j < all.cols(); ++j) {
    VectorX<Dual> q = c.q.cast<Dual>(), v = c.v.cast<Dual>(), tau = c.tau.cast<Dual>();
    if (j < nv) {
      configuration_rate(c.model, c.q, VectorXd::Unit(nv, j), along);
      for (int k = 0; k < c.model.nq(); ++k) q[k].derivatives()[0] = along[k];
    } else if (j < 2 * nv) {
      v[j - nv].derivatives()[0] = 1.0;
    } else {
      for (int k = 0; k < nv; ++k) tau[k].derivatives()[0] = B(k, j - 2 * nv);
    }
    const VectorX<Dual> values = duals.at(q, v, tau, c.loads);
    for (int i = 0; i < measurement.size(); ++i) all(i, j) = values[i].derivatives()[0];
  }
  // What M's inverse leaves of the digits. Sums that cancel, as the wrench of what falls freely does, leave rounding of the inertia forces that are in them.
  MatrixXd M(nv, nv);
  Workspace<double> work(c.model);
  mass_matrix(c.model, work, c.q, M);
  const double condition = nv == 0 ? 0.0 : 1e-15 * M.norm() * M.inverse().norm();
  DynamicsDerivatives by;
  DerivativeWorkspace derivative_work(c.model);
  derivatives(c.model, derivative_work, c.q, c.v, c.tau, by, c.loads);
  const auto summed = [&](const MatrixXd& of_a) {
    return of_a.size() == 0 ? 0.0 : M.cwiseAbs().maxCoeff() * of_a.cwiseAbs().maxCoeff();
  };
  MatrixXd ours(all.rows(), all.cols());
  ours << found.dq, found.dv, found.deffort;
  // Of all sensors of one kind the largest: what cancels in one counts in another.
  const double rate =
      nv == 0 ? 0.0 : c.v.cwiseAbs().maxCoeff();  // of the same size are Coriolis' accelerations
  struct Columns {
    int first, count;
    double summed;
  };
  for (const auto& [first, count, sum] :
       {Columns{0, nv, summed(by.dacceleration_dq) + rate * rate},
        Columns{nv, nv, summed(by.dacceleration_dv) + rate},
        Columns{2 * nv, static_cast<int>(B.cols()), summed(by.dacceleration_dtau * B)}})
    for (std::size_t kind = 0; kind < std::variant_size_v<SensorKind>; ++kind) {
      double size = 0.0, error = 0.0;
      int worst = 0;
      for (int i = 0; i < measurement.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (sensors[at].kind.index() != kind || !duals.knows(at)) continue;
        if (count == 0) continue;
        size = std::max(size, all.row(i).segment(first, count).cwiseAbs().maxCoeff());
        const double off =
            (ours.row(i).segment(first, count) - all.row(i).segment(first, count)).cwiseAbs().maxCoeff();
        if (off > error) worst = i;
        error = std::max(error, off);
      }
      EXPECT_LE(error, (1e-11 + condition) * size + 1e-14 * sum)
          << "sensor kind " << kind << ", columns from " << first << ", " << worst << ":\n"
          << ours.row(worst).segment(first, count) << "\n"
          << all.row(worst).segment(first, count);
    }
}

Case random_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const ModelDescription arm = reference::random_arm(seed, 1 + static_cast<int>(seed / 2 % 5), order);
  const reference::State state = reference::random_state(arm, seed, seed % 3 == 0 ? 0.05 : 1e-3);
  Case c{build_model(arm), state.q, state.v, state.tau, {}};
  for (const reference::Load& load : state.loads) {
    int link = 0;
    while (c.model.links()[static_cast<std::size_t>(link)].name != load.link) ++link;
    c.loads.push_back({link, node_on(c.model, link, load.at), static_cast<Axes>(load.axes), load.force,
                       load.moment, Vector3d(0.1, -0.2, 0.05) * (seed % 4)});
  }
  return c;
}

class RandomTree : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTree, HasReadingsThatAreDifferentiatedAsByTheDualScalar) {
  for (unsigned seed = 10 * GetParam(); seed < 10 * GetParam() + 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_as_by_dual_scalar(random_case(seed));
  }
}
INSTANTIATE_TEST_SUITE_P(MeasurementSlopes, RandomTree, testing::Range(0U, 8U));

TEST(MeasurementSlopes, OfEveryShippedArmAreThoseOfTheDualScalar) {
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
    if (!model->loops().empty() || !model->cylinders().empty() || model->has_telescopes()) continue;
    ++count;
    const int nv = model->nv();
    const VectorXd wave = VectorXd::LinSpaced(nv, 1.0, 5.0).array().sin();
    Case c{*model, neutral_configuration(*model), 0.2 * wave.reverse(), VectorXd::Zero(nv), {}};
    displace(*model, VectorXd(c.q), 0.02 * wave, c.q);
    c.loads = {{.link = static_cast<int>(model->links().size()) - 1, .force = {1.0, -2.0, 3.0}}};
    expect_as_by_dual_scalar(c, 7);
  }
  EXPECT_GT(count, 15);
}

}  // namespace
}  // namespace limber
