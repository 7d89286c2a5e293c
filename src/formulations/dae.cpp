// SPDX-License-Identifier: BSD-3-Clause
#include "dae.hpp"

#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class Dae : public Formulation {
 public:
  Dae(const Model& model, double body_frame)
      : arm_(link_by_link(model, body_frame)),
        link_count_(static_cast<int>(model.links().size())),
        is_at_roots_(body_frame == 0.0) {}
  const char* name() const override { return "dae"; }
  const Model& model() const override { return arm_.model(); }

  void do_prescribe(const std::vector<int>& links) override { arm_.prescribe(links); }
  void do_prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                             Output<double> efforts) const override {
    arm_.prescribed_efforts(input.tau, output.acceleration, efforts);
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    output.acceleration.resize(arm_.model().nv());
    arm_.update(input.q, input.v);
    arm_.assemble(input.q, input.v, input.tau, output.acceleration, input.loads);
    try {
      arm_.solve();
    } catch (const ComputationError&) {
      require_finite(arm_.model(), input.q, input.v, input.tau, input.loads);
      throw;
    }
    arm_.accelerations(output.acceleration);
  }
  bool do_missing_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces) override {
    if (!is_at_roots_) return false;  // LinkByLink has it for frames at the roots only
    forces.resize(arm_.model().nv());
    arm_.update(input.q, input.v);
    arm_.assemble(input.q, input.v, input.tau, a, input.loads);
    arm_.missing_forces(a, forces);
    return true;
  }
  // The wrenches are unknowns like the accelerations: they are there.
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(arm_.model(), input.q, input.v, input.tau, input.loads);
    do_accelerate(input, output);
    output.wrenches.resize(static_cast<std::size_t>(link_count_));
    for (int i = 0; i < link_count_; ++i) output.wrenches[static_cast<std::size_t>(i)] = arm_.wrench(i);
  }

 private:
  LinkByLink arm_;
  int link_count_;
  bool is_at_roots_;
};

}  // namespace

std::unique_ptr<Formulation> make_dae(const Model& model, double body_frame) {
  return std::make_unique<Dae>(model, body_frame);
}

}  // namespace limber
