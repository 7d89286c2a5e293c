// SPDX-License-Identifier: BSD-3-Clause
// Cylinders on top of a formulation of arms without. What a strut does is a pair of forces at its places (algorithms/struts.hpp, (3)): under these as loads the formulation finds
// accelerations, wrenches and what moves prescribed joints by its own means.

#include "struts.hpp"

#include <string>
#include <utility>
#include <vector>

#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/struts.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class WithStruts : public Formulation {
 public:
  explicit WithStruts(std::unique_ptr<Formulation> plain)
      : plain_(std::move(plain)), struts_(plain_->model()) {}
  const char* name() const override { return plain_->name(); }
  const Model& model() const override { return plain_->model(); }
  std::string why_no_coriolis_matrix() const override { return plain_->why_no_coriolis_matrix(); }
  std::vector<std::string> doubts() const override { return plain_->doubts(); }

  void do_prescribe(const std::vector<int>& links) override { plain_->prescribe(links); }
  void do_prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                             Output<double> efforts) const override {
    plain_->prescribed_efforts({input.q, input.v, input.tau, loads_}, output, efforts);
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    find_loads(input);
    plain_->accelerate({input.q, input.v, input.tau, loads_}, output);
  }
  bool do_missing_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces) override {
    find_loads(input);
    return plain_->missing_forces({input.q, input.v, input.tau, loads_}, a, forces);
  }
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model(), input.q, input.v, input.tau, input.loads);
    find_loads(input);
    plain_->evaluate({input.q, input.v, input.tau, loads_}, output);
  }
  bool do_equation_terms(const Input<double>& q, const Input<double>& v, EquationTerms& terms) override {
    return plain_->equation_terms(q, v, terms);
  }
  bool do_motion_terms(const Input<double>& q, const Input<double>& v, MotionTerms& terms) override {
    return plain_->motion_terms(q, v, terms);
  }
  // Like springs and dampers, struts are no part of it.
  bool do_tangent(const DynamicsInput& input, const Input<double>& a, Tangent& tangent) override {
    return plain_->tangent(input, a, tangent);
  }

 private:
  void find_loads(const DynamicsInput& input) {
    struts_.update(input.q, input.v);
    loads_ = input.loads;
    struts_.add_loads(struts_.forces(input.drives ? *input.drives : none_), loads_);
  }

  std::unique_ptr<Formulation> plain_;
  Struts struts_;
  VectorXd none_;
  std::vector<Load> loads_;  ///< from outside, and of cylinders
};

}  // namespace

std::unique_ptr<Formulation> add_struts(std::unique_ptr<Formulation> plain) {
  return std::make_unique<WithStruts>(std::move(plain));
}

}  // namespace limber
