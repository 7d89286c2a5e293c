// SPDX-License-Identifier: BSD-3-Clause
#include "generated.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/symbolic/equations.hpp"

namespace limber {

namespace {

using Eigen::VectorXd;

// g++ 12 at -O1, chains of 1 to 8 links that bend in both planes: 950, 4700, 12,600 and 28,400 operations took 0.4, 1.7, 5.9 and 25.6 s of
// the processor's time, and up to 350 MB. Straight lines cost a compiler more than in proportion to their number.
double foretold_seconds(long operations) {
  const double thousands = 1e-3 * static_cast<double>(operations);
  return 0.3 + 0.127 * thousands + 0.0273 * thousands * thousands;
}
constexpr long most_operations = 50000;  // more than a minute, and most of a gigabyte

CompiledModule compiled(const Model& model, const FormulationOptions& options, bool is_linear) {
  EquationsOptions how;
  how.parameters = ParameterStyle::numbers;
  how.progress = options.progress;
  if (is_linear)
    how.linear = LinearEquations{options.consistent, options.nonlinear_links, options.nonlinear_coordinates};
  Equations equations(model, how);
  const long operations = equations.module_operations();
  const double seconds = foretold_seconds(operations);
  if (operations > most_operations)
    throw InputError(Problem{
        is_linear ? "generated" : "formulation",
        fmt::format("code for arms of up to {} operations", most_operations),
        fmt::format("{} operations, which a compiler would work at for about {:.0f} s", operations, seconds),
        is_linear ? "dual-screw needs no compiler without it; fewer shapes make fewer operations"
                  : "`recursive` needs no compiler; fewer shapes make fewer operations"});
  return CompiledModule(equations.module_code(), [&](double elapsed) {
    constexpr double worth_a_word = 2.0, almost_done = 0.99;
    if (elapsed == 0.0 && seconds > worth_a_word)
      options.note(fmt::format(
          "generated: compiling {} operations takes about {:.0f} s; they are kept for the next time",
          operations, seconds));
    options.progress(fmt::format("compiling {} operations, about {:.0f} s", operations, seconds),
                     std::min(almost_done, elapsed / seconds));
  });
}

class Generated : public Formulation {
 public:
  Generated(const Model& model, const FormulationOptions& options)
      : model_(model),
        work_(model),
        module_(compiled(model, options, false)),
        accelerations_(module_.function<Accelerations>("limber_accelerations")),
        missing_forces_(module_.function<MissingForces>("limber_missing_forces")),
        forces_(model.nv()),
        with_loads_(model.nv()),
        zero_(VectorXd::Zero(model.nv())) {}
  const char* name() const override { return "generated"; }
  const Model& model() const override { return model_; }

  void do_prescribe(const std::vector<int>& links) override {
    prescribed_.clear();
    for (const int link : links) {
      const Joint& joint = model_.links()[static_cast<std::size_t>(link)].joint;
      for (int j = 0; j < joint.driven_count(); ++j) prescribed_.push_back(joint.driven_index() + j);
    }
  }
  void do_prescribed_efforts(const DynamicsInput&, const DynamicsOutput&,
                             Output<double> efforts) const override {
    for (const int c : prescribed_) efforts[c] = driven_[c];
  }

  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    output.acceleration.resize(model_.nv());
    if (prescribed_.empty())
      accelerations_(input.q.data(), input.v.data(), generalized_forces(input), output.acceleration.data());
    else
      move_prescribed(input, output.acceleration);
  }
  bool do_missing_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces) override {
    forces.resize(model_.nv());
    missing_forces_(input.q.data(), input.v.data(), a.data(), generalized_forces(input), forces.data());
    return true;
  }
  // Wrenches follow from the accelerations.
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model_, input.q, input.v, input.tau, input.loads);
    do_accelerate(input, output);
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, forces_, input.loads);
    joint_wrenches(model_, work_, output.wrenches);
  }

 private:
  using Accelerations = void(const double* q, const double* v, const double* u, double* a);
  using MissingForces = void(const double* q, const double* v, const double* a, const double* u, double* f);

  // tau and what loads add to it: the difference that they make to inverse dynamics.
  const double* generalized_forces(const DynamicsInput& input) {
    if (input.loads.empty()) return input.tau.data();
    inverse_dynamics(model_, work_, input.q, input.v, zero_, forces_);
    inverse_dynamics(model_, work_, input.q, input.v, zero_, with_loads_, input.loads);
    forces_ += input.tau - with_loads_;
    return forces_.data();
  }

  // The code is written for joints that are free to move. Accelerations are linear in forces: with W the change of the prescribed ones by a unit of each of
  // their efforts, these are what W says is missing; once more for what rounding leaves over.
  void move_prescribed(const DynamicsInput& input, VectorXd& a) {
    driven_ = Eigen::Map<const VectorXd>(generalized_forces(input), model_.nv());
    for (const int c : prescribed_) driven_[c] = 0.0;
    const VectorXd wanted = a(prescribed_);
    const auto move = [&](VectorXd& result) {
      result.resize(model_.nv());
      accelerations_(input.q.data(), input.v.data(), driven_.data(), result.data());
    };
    move(a);
    const auto n = static_cast<Eigen::Index>(prescribed_.size());
    Eigen::MatrixXd W(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      double& effort = driven_[prescribed_[static_cast<std::size_t>(k)]];
      effort = 1.0 + driven_.lpNorm<Eigen::Infinity>();
      move(moved_);
      W.col(k) = (moved_(prescribed_) - a(prescribed_)) / effort;
      effort = 0.0;
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(W);
    for (int pass = 0; pass < 2; ++pass) {
      driven_(prescribed_) += lu.solve(wanted - a(prescribed_));
      move(a);
    }
    a(prescribed_) = wanted;
  }

  Model model_;
  Workspace<double> work_;
  std::vector<int> prescribed_;  ///< coordinates
  VectorXd driven_, moved_;      ///< forces with those that move them; scratch
  CompiledModule module_;
  Accelerations* accelerations_;
  MissingForces* missing_forces_;
  VectorXd forces_, with_loads_, zero_;
};

}  // namespace

LinearCode::LinearCode(const Model& model, const FormulationOptions& options)
    : module_(compiled(model, options, true)),
      equations_(module_.function<Both>("limber_equations")),
      forces_(module_.function<Forces>("limber_forces")) {}

void LinearCode::equations(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                           Eigen::MatrixXd& M, VectorXd& forces) const {
  equations_(q.data(), v.data(), M.data(), forces.data());
  if (!a.isZero(0.0)) forces.noalias() += M.selfadjointView<Eigen::Lower>() * a;
}

void LinearCode::forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                        VectorXd& forces) const {
  forces.resize(a.size());
  forces_(q.data(), v.data(), a.data(), forces.data());
}

std::unique_ptr<Formulation> make_generated(const Model& model, const FormulationOptions& options) {
  return std::make_unique<Generated>(model, options);
}

}  // namespace limber
