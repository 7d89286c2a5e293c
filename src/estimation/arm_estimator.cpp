// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/arm_estimator.hpp"

#include <algorithm>

#include "limber/core/input_error.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<int> all_sensors(const Scenario& scenario) {
  std::vector<int> all;
  for (std::size_t i = 0; i < scenario.sensors.size(); ++i) all.push_back(static_cast<int>(i));
  return all;
}

}  // namespace

ArmEstimate arm_estimate(StochasticArm& arm, double t, const VectorXd& x, const MatrixXd& covariance) {
  const Index nq = arm.model().nq(), n = arm.model().nv(), p = arm.constant_count();
  const VectorXd deviations = covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  ArmEstimate all;
  all.t = t;
  all.q = x.head(nq);
  all.v = x.segment(nq, n);
  all.q_deviation = deviations.head(n);
  all.v_deviation = deviations.segment(n, n);
  all.tip = arm.tip(x, covariance);
  all.parameters = x.tail(p);
  all.parameter_deviations = deviations.tail(p);
  return all;
}

ArmEstimator::ArmEstimator(Scenario scenario, EstimationMethod method, const StochasticArmOptions& options)
    : arm_(std::make_unique<StochasticArm>(std::move(scenario), options)) {
  begin(method);
}

ArmEstimator::ArmEstimator(ScenarioAt scenario_at, std::vector<UnknownParameter> parameters,
                           EstimationMethod method, const StochasticArmOptions& options)
    : arm_(std::make_unique<StochasticArm>(std::move(scenario_at), std::move(parameters), options)) {
  begin(method);
}

void ArmEstimator::begin(EstimationMethod method) {
  if (auto problems = check_observed(arm_->scenario(), all_sensors(arm_->scenario())); !problems.empty())
    throw InputError(std::move(problems));
  if (method == EstimationMethod::ekf)
    filter_ = std::make_unique<ExtendedKalmanFilter>(*arm_, 0.0, arm_->start(), arm_->start_covariance());
  else if (method == EstimationMethod::ukf)
    filter_ = std::make_unique<UnscentedKalmanFilter>(*arm_, 0.0, arm_->start(), arm_->start_covariance());
  else
    throw InputError(Problem{"ArmEstimator: method", "ekf or ukf: a filter", "mhe, a smoother",
                             "take MovingHorizonSmoother, or estimate()"});
}

ArmEstimator::~ArmEstimator() = default;
ArmEstimator::ArmEstimator(ArmEstimator&&) noexcept = default;
ArmEstimator& ArmEstimator::operator=(ArmEstimator&&) noexcept = default;

StochasticArm& ArmEstimator::arm() const { return *arm_; }
StateFilter& ArmEstimator::filter() const { return *filter_; }
const Model& ArmEstimator::model() const { return arm_->model(); }
double ArmEstimator::time() const { return filter_->time(); }
VectorXd ArmEstimator::q() const { return filter_->x().head(model().nq()); }
VectorXd ArmEstimator::v() const { return filter_->x().segment(model().nq(), model().nv()); }
MatrixXd ArmEstimator::covariance() const {
  return filter_->covariance().topLeftCorner(2 * model().nv(), 2 * model().nv());
}
ArmEstimate ArmEstimator::estimate() const {
  return arm_estimate(*arm_, time(), filter_->x(), filter_->covariance());
}

void ArmEstimator::set_state(const VectorXd& q, const VectorXd& v, const MatrixXd& covariance) {
  const Index n = 2 * model().nv();
  detail::require_extent("ArmEstimator::set_state", "covariance", covariance, n, n);
  const VectorXd x = arm_->with_state(filter_->x(), q, v);
  MatrixXd P = filter_->covariance();
  P.topRows(n).setZero();
  P.leftCols(n).setZero();
  P.topLeftCorner(n, n) = covariance;
  filter_->set_state(time(), x, P);
}

void ArmEstimator::predict(double to) { filter_->predict(to); }

VectorXd ArmEstimator::update(const std::vector<int>& sensors, const VectorXd& readings) {
  filter_->update(sensors, readings);
  for (std::size_t i = 0; i < sensors.size(); ++i)
    arm_->note_reading(sensors[i], time(), readings[static_cast<Index>(i)]);
  return filter_->innovations();
}

VectorXd ArmEstimator::update(const std::vector<std::string>& sensors, const VectorXd& readings) {
  std::vector<std::string> known;
  for (const SensorDescription& sensor : arm_->scenario().sensors) known.push_back(sensor.name);
  std::vector<int> indices;
  for (const std::string& name : sensors) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw InputError(Problem{"ArmEstimator::update: sensors", "the name of a sensor", show_text(name),
                               suggestion(name, known, "sensors")});
    indices.push_back(static_cast<int>(found - known.begin()));
  }
  return update(indices, readings);
}

double normalized_error_squared(const ArmEstimator& estimator, const VectorXd& q, const VectorXd& v) {
  VectorXd error;
  const VectorXd& x = estimator.filter().x();
  estimator.arm().difference(x, estimator.arm().with_state(x, q, v), error);
  return normalized_error_squared(error, estimator.filter().covariance(), nullptr,
                                  2 * estimator.model().nv());
}

}  // namespace limber
