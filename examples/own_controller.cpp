// SPDX-License-Identifier: BSD-3-Clause
// A controller of your own: PID, whose integral is integrated along with the motion and rests while the motor is at its limit.

#include <cmath>
#include <cstdio>
#include <limber/limber.hpp>

constexpr double kp = 30e3, kd = 10e3, ki = 25e3;  // N m/rad, N m s/rad, N m/(rad s)

class Pid : public limber::Controller {
 public:
  explicit Pid(limber::TrajectoryPointer target) : target_(std::move(target)) {}
  void add_efforts(const limber::Instant& now, Eigen::VectorXd& efforts) override {
    const limber::TrajectoryPoint target = target_->at(now.t, now.within);
    efforts[0] += kp * (target.position - now.q[0]) + kd * (target.velocity - now.v[0]) + ki * now.x[0];
  }
  int memory_size() const override { return 1; }
  void memory_rate(const limber::Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override {
    const double error = target_->at(now.t, now.within).position - now.q[0];
    rate[0] = error * at_limit[0] > 0.0 ? 0.0 : error;
  }
  // Not needed, but steps become longer: what implicit methods should know, and when the target changes its course.
  void add_gains(const limber::Instant&, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override {
    stiffness(0, 0) += kp;
    damping(0, 0) += kd;
  }
  std::vector<limber::TrajectoryPointer> signals() const override { return {target_}; }

 private:
  limber::TrajectoryPointer target_;
};

int main() try {
  const limber::Model boom = limber::read_model("boom.yaml");
  limber::ScenarioDescription run;
  run.duration = 15.0;
  run.initial.settle = true;
  limber::Scenario scenario = limber::build_scenario(run, boom);
  const limber::trajectories::Quintic way{0.0, 0.8, 0.0, 2.0};  // from, to [rad], start, duration [s]
  scenario.controllers.push_back(std::make_unique<Pid>(limber::make_trajectory(way, {})));
  const limber::RunSummary end = limber::simulate(scenario);

  std::printf("shoulder at %.4f rad, error %.1e rad\n", end.q[0], std::abs(end.q[0] - way.to));
  std::printf("largest effort %.0f N m\n", end.last.peaks.effort[0].value);
  // At rest the integral alone holds the boom against gravity.
  const double effort = ki * end.last.integrator.y.tail<1>()[0];
  const double needed = limber::static_equilibrium(boom, end.q).efforts[0];
  std::printf("effort of the integral %.1f N m, relative error %.1e\n", effort,
              std::abs(effort / needed - 1.0));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   shoulder at 0.8000 rad, error <1e-5 rad
//   largest effort 5706 N m
//   effort of the integral 2056.7 N m, relative error <1e-4
