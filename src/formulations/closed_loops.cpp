// SPDX-License-Identifier: BSD-3-Clause
// Closed loops on top of a formulation of open arms. It says how the open arm accelerates; the multipliers follow (constraints.hpp, (6)), and are forces and moments at the loops' places;
// under these as loads it finds accelerations, wrenches and what moves prescribed joints by its own means. What its answer leaves over of (6) is solved for once more.

#include "closed_loops.hpp"

#include <string>
#include <utility>
#include <vector>

#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/finite.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class ClosedLoops : public Formulation {
 public:
  explicit ClosedLoops(std::unique_ptr<Formulation> open)
      : open_(std::move(open)), solver_(open_->model()), multipliers_(loop_row_count(open_->model())) {}
  const char* name() const override { return open_->name(); }
  const Model& model() const override { return open_->model(); }
  std::string why_no_coriolis_matrix() const override { return open_->why_no_coriolis_matrix(); }
  std::vector<std::string> doubts() const override { return open_->doubts(); }
  VectorXd loop_multipliers() const override { return multipliers_; }

  void do_prescribe(const std::vector<int>& links) override {
    open_->prescribe(links);
    solver_.prescribe(links);
  }
  void do_prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                             Output<double> efforts) const override {
    open_->prescribed_efforts({input.q, input.v, input.tau, loads_, input.drives}, output, efforts);
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    find_multipliers(input, output);
    open_->accelerate({input.q, input.v, input.tau, loads_, input.drives}, output);
  }
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model(), input.q, input.v, input.tau, input.loads);
    find_multipliers(input, output);
    open_->evaluate({input.q, input.v, input.tau, loads_, input.drives}, output);
  }
  bool do_equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms) override {
    return open_->equation_terms(q, v, terms);
  }
  bool do_motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms) override {
    return open_->motion_terms(q, v, terms);
  }
  bool do_tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent) override {
    return open_->tangent(input, a, tangent);
  }

 private:
  // Rows of prescribed joints of the output are known.
  void find_multipliers(const DynamicsInput& input, DynamicsOutput& output) {
    solver_.update(input.q, input.v);
    open_->accelerate(input, output);
    multipliers_ = solver_.multipliers(output.acceleration);
    add_loads(input);
    open_->accelerate({input.q, input.v, input.tau, loads_, input.drives}, output);
    multipliers_ += solver_.multipliers(output.acceleration);
    add_loads(input);
  }
  void add_loads(const DynamicsInput& input) {
    loads_ = input.loads;
    const std::vector<Load> of_loops = solver_.loads_of(multipliers_);
    loads_.insert(loads_.end(), of_loops.begin(), of_loops.end());
  }

  std::unique_ptr<Formulation> open_;
  LoopSolver solver_;
  VectorXd multipliers_;
  std::vector<Load> loads_;  ///< from outside, and of loops
};

}  // namespace

std::unique_ptr<Formulation> close_loops(std::unique_ptr<Formulation> open) {
  return std::make_unique<ClosedLoops>(std::move(open));
}

}  // namespace limber
