// SPDX-License-Identifier: BSD-3-Clause
// The filter of `lqg`. With z' = A z + B u + w, m = H z + n of the arm in its natural modes (lqr_design.hpp, with design damping: vibration that no
// sensor sees well must end by itself), w and n white, of the intensities W and N:
//
//   L = P H^T N^-1,   A P + P A^T - P H^T N^-1 H P + W = 0                                                                (1)
//
// Unknown forces are as much larger on a coordinate as it is heavier: of intensity p^2 M, so p^2 in each mode, which gets p^2/2 watts by it. A joint's
// `process_noise` s says how large the efforts are that nobody knows of; they change as fast as the controller does, at omega of lqr:
//
//   p^2 = max over joints of s^2/(I omega),    s = 0.01 I omega^2 (what moves the joint by 0.01 rad or m) if it is not given   (2)
//
// A sensor's noise is white by its samples, at its rate r or the controller's: N_i = noise^2/r; of one that rounds, noise is at least quantum/sqrt(12).
// One without either shows the motion to a thousandth of what the noise p makes of it under the feedback (covariance S, from Lyapunov's equation):
//
//   N_i = (10^-3)^2 h_i S h_i^T / omega                                                                                  (3)
//
// With a rate 1/T all is designed for samples (sampled_design.hpp): A, B are those of a period in which efforts are held, integrals are sums, weights and W are
// those of a period (times T), a sensor's variance is N/T, and L = A P H^T (H P H^T + N/T)^-1 of the dual Riccati equation. So modes that are faster than samples
// are in it as well, as what samples see of them. What a sensor shows may be old: of the time t_k - a, with j = ceil(a/T) and f = j - a/T. Then
//
//   s_1,k+1 = h (A_f z_k + B_f u_k),  s_2,k+1 = s_1,k, ...,  m_k = s_j,k                                                  (4)
//
// with A_f, B_f over a part f of a period, and the s are states like others: what is on its way from the sensor.

#include "lqg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "controllers.hpp"
#include "limber/analysis/riccati.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/loops.hpp"
#include "sampled_design.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double usual_disturbance = 0.01;  // [rad or m] of (2)
constexpr double fine = 1e-3;               // of (3)

// Rows of sensors, for displacements and velocities in modes.
MatrixXd sensor_matrix(const Model& model, const std::vector<SensorDescription>& sensors,
                       const LqrDesign& design) {
  Measurement measurement(model, sensors);
  MeasurementJacobian J;
  measurement.jacobian(design.point.q, design.point.v, design.point.tau, design.point.loads, J);
  const Index n = design.shapes.cols();
  MatrixXd H(measurement.size(), 2 * n);
  H.leftCols(n) = J.dq * design.shapes;
  H.rightCols(n) = J.dv * design.shapes;
  return H;
}

// How old readings are, in samples: j and f of (4).
struct Age {
  int samples = 0;
  double rest = 0.0;
};
// A sensor with a rate shows its newest sample that has arrived. Where its samples and the controller's do not keep step, that is of one age or another: the mean.
Age age_of(const SensorDescription& sensor, double T) {
  constexpr double rounding = 1e-6;
  double age = sensor.delay;
  if (sensor.rate) {
    const double r = *sensor.rate, per_sample = r * T, each = std::round(per_sample);
    if (each >= 1.0 && std::abs(per_sample - each) < rounding)
      age = std::ceil(sensor.delay * r - rounding) / r;
    else
      age += per_sample < 1.0 ? 0.5 * (1.0 / r - T) : 0.5 / r;
  }
  const double samples = std::ceil(age / T - rounding);
  constexpr double too_many = 1e6;
  return {static_cast<int>(std::min(samples, too_many)), std::max(samples - age / T, 0.0)};
}

// Of [z; s]: the arm under held efforts, and (4).
struct ArmUnderSamples {
  MatrixXd A, B, H;

  ArmUnderSamples(const MatrixXd& F, const MatrixXd& G, const MatrixXd& sensors, const std::vector<Age>& ages,
                  double T) {
    const Index states = F.rows(), m = G.cols();
    Index all = states;
    for (const Age& age : ages) all += age.samples;
    A = MatrixXd::Zero(all, all);
    B = MatrixXd::Zero(all, m);
    H = MatrixXd::Zero(sensors.rows(), all);
    const HeldSystem arm = over_a_period(F, G, T);
    A.topLeftCorner(states, states) = arm.A;
    B.topRows(states) = arm.B;
    Index next = states;
    for (Index i = 0; i < sensors.rows(); ++i) {
      const Age& age = ages[static_cast<std::size_t>(i)];
      if (age.samples == 0) {
        H.row(i).head(states) = sensors.row(i);
        continue;
      }
      const HeldSystem part = over_a_period(F, G, age.rest * T);
      A.row(next).head(states) = sensors.row(i) * part.A;
      B.row(next) = sensors.row(i) * part.B;
      for (int k = 1; k < age.samples; ++k) A(next + k, next + k - 1) = 1.0;
      next += age.samples;
      H(i, next - 1) = 1.0;
    }
  }
};

// Feedback and filter of [z; s]. N: of (1).
void design_for_samples(const LqrDesign& design, const std::vector<SensorDescription>& used,
                        const MatrixXd& W, const VectorXd& N, const LqgSettings& settings,
                        OutputFeedbackController::Design& result) {
  constexpr int most_on_the_way = 200;
  const double T = 1.0 / settings.rate;
  std::vector<Age> ages;
  for (std::size_t i = 0; i < used.size(); ++i) {
    ages.push_back(age_of(used[i], T));
    for (int k = 0; k < ages.back().samples && k <= most_on_the_way; ++k)
      result.on_the_way.push_back(static_cast<int>(i));
  }
  if (static_cast<int>(result.on_the_way.size()) > most_on_the_way)
    throw InputError(Problem{
        settings.path, fmt::format("delays of at most {} samples, of all sensors together", most_on_the_way),
        "more of them: every sample that is on its way is a state of the filter",
        "take a lower `rate` of the controller, or shorter delays"});
  const ArmUnderSamples arm(design.A, design.B, result.H, ages, T),
      damped(design.A_design, design.B, result.H, ages, T);
  const Index states = design.A.rows(), known = arm.A.rows(),
              integrals = static_cast<Index>(design.integrated.size());
  MatrixXd A = MatrixXd::Identity(known + integrals, known + integrals),
           B = MatrixXd::Zero(known + integrals, design.B.cols()), Q = MatrixXd::Zero(A.rows(), A.rows());
  A.topLeftCorner(known, known) = damped.A;
  B.topRows(known) = damped.B;
  for (Index i = 0; i < integrals; ++i)
    A.row(known + i).head(known) = T * arm.H.row(result.measured_by[static_cast<std::size_t>(i)]);
  Q.topLeftCorner(states, states) = T * design.Q.topLeftCorner(states, states);
  Q.bottomRightCorner(integrals, integrals) = T * design.Q.bottomRightCorner(integrals, integrals);
  const MatrixXd gain = sampled_lqr_gain(A, B, Q, T * design.R);
  MatrixXd W_all = MatrixXd::Zero(known, known);
  W_all.topLeftCorner(states, states) = T * W;
  const MatrixXd noise = (N / T).asDiagonal();
  result.L = sampled_lqr_gain(damped.A.transpose(), arm.H.transpose(), W_all, noise).transpose();
  result.K = gain.leftCols(known);
  result.K_I = gain.rightCols(integrals);
  result.A = arm.A;
  result.B = arm.B;
  result.H = arm.H;
}

// A mode whose shape no sensor sees stays unknown for ever.
void require_seen(const Model& model, const LqrDesign& design, const MatrixXd& H, const std::string& path) {
  constexpr double nothing = 1e-9;  // of what the sensor sees of the mode that it sees best
  const Index n = design.shapes.cols();
  const VectorXd squares = -design.A.bottomLeftCorner(n, n).diagonal();
  for (Index k = 0; k < n; ++k) {
    bool is_seen = false;
    for (Index i = 0; i < H.rows(); ++i) {
      const double q = H.row(i).head(n).cwiseAbs().maxCoeff(), v = H.row(i).tail(n).cwiseAbs().maxCoeff();
      is_seen = is_seen || std::abs(H(i, k)) > nothing * q || std::abs(H(i, n + k)) > nothing * v;
    }
    if (is_seen) continue;
    Index most = 0;
    design.to_modes.row(k).transpose().cwiseProduct(design.shapes.col(k)).cwiseAbs().maxCoeff(&most);
    throw InputError(Problem{path, "sensors that see every mode of the arm",
                             fmt::format("none that sees the mode of {:.4g} Hz, which is mostly `{}`",
                                         std::sqrt(std::max(squares[k], 0.0)) / (2.0 * std::numbers::pi),
                                         model.coordinates()[static_cast<std::size_t>(most)]),
                             "add a sensor that moves with it (of its joint, or a gauge in its plane), or "
                             "leave these shapes out of `modes`"});
  }
}

}  // namespace

OutputFeedbackController::Design design_lqg(const Model& model, const std::vector<LqrJoint>& joints,
                                            const std::vector<SensorDescription>& sensors,
                                            const LqrDesign& design, const LqgSettings& settings) {
  std::vector<SensorDescription> used;
  for (const int i : settings.sensors) used.push_back(sensors[static_cast<std::size_t>(i)]);
  const MatrixXd H = sensor_matrix(model, used, design);
  require_seen(model, design, H, settings.path);

  // (2)
  const Index n = design.shapes.cols();
  double intensity = 0.0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double I = design.inertia[j];
    const double s = settings.process_noise[j].value_or(usual_disturbance * I * design.omega * design.omega);
    intensity = std::max(intensity, s * s / (I * design.omega));
  }
  MatrixXd W = MatrixXd::Zero(2 * n, 2 * n);
  W.bottomRightCorner(n, n) = intensity * MatrixXd::Identity(n, n);

  // (3): with the feedback of the modes alone, integrals aside.
  const MatrixXd K = design.gain.leftCols(2 * n);
  const MatrixXd S = solve_lyapunov((design.A_design - design.B * K).transpose(), W);
  VectorXd N(H.rows());
  for (Index i = 0; i < H.rows(); ++i) {
    const SensorDescription& sensor = used[static_cast<std::size_t>(i)];
    const double noise = std::max(sensor.noise, sensor.quantum / std::sqrt(12.0));
    double rate = sensor.rate.value_or(settings.rate);
    if (settings.rate > 0.0) rate = std::min(rate, settings.rate);  // nobody sees more samples than that
    N[i] = noise > 0.0 && rate > 0.0 ? noise * noise / rate
                                     : fine * fine * H.row(i).dot(S * H.row(i).transpose()) / design.omega;
  }

  OutputFeedbackController::Design result;
  result.H = H;
  result.to_modes = design.to_modes;
  result.sensors = settings.sensors;
  result.rate = settings.rate;
  result.integrated = design.integrated;
  for (const int joint : design.integrated) {
    const int c = design.driven[static_cast<std::size_t>(joint)].coordinate;
    const auto measures = [&](const SensorDescription& sensor) {
      const auto* position = std::get_if<sensors::Position>(&sensor.kind);
      return position && sensed_coordinate(model, position->joint) == c;
    };
    result.measured_by.push_back(
        static_cast<int>(std::find_if(used.begin(), used.end(), measures) - used.begin()));
  }
  if (settings.rate > 0.0) {
    design_for_samples(design, used, W, N, settings, result);
    return result;
  }
  // (1): the gain of the dual problem.
  result.L = lqr_gain(design.A_design.transpose(), H.transpose(), W, N.asDiagonal()).transpose();
  result.A = design.A;
  result.B = design.B;
  result.K = K;
  result.K_I = design.gain.rightCols(design.gain.cols() - 2 * n);
  return result;
}

// One controller, which sees all sensors that any of its entries names.
void actuations::Lqg::add_controllers(ControllerSite& site, const std::vector<Driven<Lqg>>& driven) {
  require_plain_tree(site.model, "an LQG design");
  std::vector<LqrJoint> joints;
  LqgSettings settings;
  settings.rate = driven.front().how.rate.value_or(0.0);
  settings.path = fmt::format("actuation[{}].sensors", driven.front().entry);
  for (const auto& joint : driven) {
    const Lqg& how = joint.how;
    TrajectoryPointer wanted =
        how.target ? site.follow(*how.target, joint.position) : constant_trajectory(site.q[joint.position]);
    joints.push_back({{joint.coordinate, joint.position, std::move(wanted)},
                      how.position_weight,
                      how.energy_weight,
                      how.effort_weight,
                      how.integral});
    settings.process_noise.push_back(how.process_noise);
    for (const std::string& name : how.sensors) {
      const int sensor = site.input(name).index;
      if (std::find(settings.sensors.begin(), settings.sensors.end(), sensor) == settings.sensors.end())
        settings.sensors.push_back(sensor);
    }
  }
  const LqrDesign design = design_lqr(site.model, site.q, joints, site.prescribed, site.duration);
  site.controllers.push_back(std::make_unique<OutputFeedbackController>(
      site.model, design.driven, site.q, HoldingPath(site.model, site.q, design.moving, site.duration),
      site.sensors, design_lqg(site.model, joints, site.sensors, design, settings)));
}

}  // namespace limber
