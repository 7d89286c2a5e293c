// SPDX-License-Identifier: BSD-3-Clause
#include "limber/formulations/formulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "closed_loops.hpp"
#include "dae.hpp"
#include "dual_screw.hpp"
#include "generated.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/telescopes.hpp"
#include "struts.hpp"

namespace limber {

namespace {

using Eigen::VectorXd;

class Recursive : public Formulation {
 public:
  explicit Recursive(const Model& model) : model_(model), work_(model), passive_(model.nv()) {}
  const char* name() const override { return "recursive"; }
  const Model& model() const override { return model_; }

  void do_prescribe(const std::vector<int>& links) override { work_.prescribe(links); }
  void do_prescribed_efforts(const DynamicsInput& input, const DynamicsOutput& output,
                             Output<double> efforts) const override {
    for (int link = 0; link < static_cast<int>(model_.links().size()); ++link)
      if (work_.is_prescribed(link))
        joint_efforts(model_, work_, link, input.q, input.v, output.acceleration, efforts);
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    output.acceleration.resize(model_.nv());
    forward_dynamics(model_, work_, input.q, input.v, input.tau, output.acceleration, input.loads);
  }
  // The recursion without its elimination.
  bool do_missing_forces(const DynamicsInput& input, const Input<double>& a, VectorXd& forces) override {
    forces.resize(model_.nv());
    inverse_dynamics(model_, work_, input.q, input.v, a, forces, input.loads);
    elastic_and_damping_forces(model_, work_, input.q, input.v, passive_);
    forces = input.tau - forces - passive_;
    return true;
  }
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model_, input.q, input.v, input.tau, input.loads);
    do_accelerate(input, output);
    joint_wrenches(model_, work_, output.wrenches);
  }

 private:
  Model model_;
  Workspace<double> work_;
  VectorXd passive_;
};

class Dense : public Formulation {
 public:
  explicit Dense(const Model& model)
      : model_(model),
        work_(model),
        M_(model.nv(), model.nv()),
        bias_(model.nv()),
        passive_(model.nv()),
        prescribed_(model) {}
  const char* name() const override { return "dense"; }
  const Model& model() const override { return model_; }

  void do_prescribe(const std::vector<int>& links) override { prescribed_.set(model_, links); }
  // Inverse dynamics has left them there.
  void do_prescribed_efforts(const DynamicsInput&, const DynamicsOutput&,
                             Output<double> efforts) const override {
    for (int i = 0; i < model_.nv(); ++i)
      if (prescribed_[i]) efforts[i] = bias_[i] + passive_[i];
  }
  void do_accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    mass_matrix(model_, work_, input.q, M_);
    elastic_and_damping_forces(model_, work_, input.q, input.v, passive_);
    output.acceleration.resize(model_.nv());
    for (int i = 0; i < model_.nv(); ++i)
      if (!prescribed_[i]) output.acceleration[i] = 0.0;  // a known one stands in inverse dynamics
    prescribed_.make_identity(M_);
    factor_.compute(M_);
    // Eigen takes a pivot that is not a number for a good one; it spoils those behind it.
    const bool is_finite =
        model_.nv() == 0 || std::isfinite(factor_.matrixLLT()(model_.nv() - 1, model_.nv() - 1));
    if (factor_.info() != Eigen::Success || !is_finite) {
      require_finite(model_, input.q, input.v, input.tau, input.loads);
      throw ComputationError("the mass matrix is singular; `recursive` names the coordinate");
    }
    // M's condition number grows as the fourth power of the number of links: what the solution leaves over is
    // solved for once more.
    add_correction(input, output);
    add_correction(input, output);
    // Wrenches and efforts follow from the accelerations.
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, bias_, input.loads);
  }
  void do_evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    require_finite(model_, input.q, input.v, input.tau, input.loads);
    do_accelerate(input, output);
    joint_wrenches(model_, work_, output.wrenches);
  }

 private:
  void add_correction(const DynamicsInput& input, DynamicsOutput& output) {
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, bias_, input.loads);
    correction_ = input.tau - bias_ - passive_;
    for (int i = 0; i < model_.nv(); ++i)
      if (prescribed_[i]) correction_[i] = 0.0;
    factor_.solveInPlace(correction_);
    output.acceleration += correction_;
  }

  Model model_;
  Workspace<double> work_;
  Eigen::MatrixXd M_;
  VectorXd bias_, passive_, correction_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  PrescribedRows prescribed_;
};

}  // namespace

std::string formulation_choices() {
  const std::vector<std::string> names = choice_names<FormulationKind>();
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 < names.size() ? ", " : " or ") + names[i];
  return text;
}

FormulationKind formulation_named(const std::string& name) {
  if (const auto kind = choice_named<FormulationKind>(name)) return *kind;
  throw InputError(Problem{"formulation", formulation_choices(), "`" + name + "`", ""});
}

const char* name_of(FormulationKind kind) { return choice_name(kind); }

static std::unique_ptr<Formulation> make_open(FormulationKind kind, const Model& model,
                                              const FormulationOptions& options) {
  switch (kind) {
    case FormulationKind::recursive:
      return std::make_unique<Recursive>(model);
    case FormulationKind::dense:
      return std::make_unique<Dense>(model);
    case FormulationKind::dual_screw:
      return make_dual_screw(model, options);
    case FormulationKind::dae:
      return make_dae(model, options.body_frame);
    case FormulationKind::generated:
      return make_generated(model, options);
  }
  throw InputError(Problem{"formulation", formulation_choices(), std::to_string(static_cast<int>(kind)), ""});
}

std::unique_ptr<Formulation> make_formulation(FormulationKind kind, const Model& model,
                                              const FormulationOptions& options) {
  if (kind == FormulationKind::dual_screw || kind == FormulationKind::dae)
    require_no_telescopes(model, (std::string("formulation ") + name_of(kind)).c_str());
  if (model.loops().empty() && model.cylinders().empty()) return make_open(kind, model, options);
  if (kind == FormulationKind::dual_screw || kind == FormulationKind::generated)
    require_plain_tree(model, (std::string("formulation ") + name_of(kind)).c_str());
  std::unique_ptr<Formulation> open = make_open(kind, model, options);
  if (!model.cylinders().empty()) open = add_struts(std::move(open));
  return model.loops().empty() ? std::move(open) : close_loops(std::move(open));
}

}  // namespace limber
