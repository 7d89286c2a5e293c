#include "limber/formulations/formulation.hpp"

#include <Eigen/Cholesky>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

// From F, in which the algorithms work, to B.
void collect_wrenches(const Workspace<double>& work, std::vector<Eigen::Matrix<double, 6, 1>>& wrenches) {
  wrenches.resize(work.links.size());
  for (std::size_t i = 0; i < work.links.size(); ++i) wrenches[i] = wrench_in_body(work.links[i]);
}

class Recursive : public Formulation {
 public:
  explicit Recursive(const Model& model) : model_(model), work_(model) {}
  const char* name() const override { return "recursive"; }
  void evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    output.acceleration.resize(model_.nv);
    forward_dynamics(model_, work_, input.q, input.v, input.tau, output.acceleration, input.loads);
    collect_wrenches(work_, output.wrenches);
  }

 private:
  const Model& model_;
  Workspace<double> work_;
};

class Dense : public Formulation {
 public:
  explicit Dense(const Model& model)
      : model_(model),
        work_(model),
        M_(model.nv, model.nv),
        bias_(model.nv),
        passive_(model.nv),
        correction_(model.nv) {}
  const char* name() const override { return "dense"; }
  void evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    mass_matrix(model_, work_, input.q, M_);
    work_.qdd.setZero();
    inverse_dynamics(model_, work_, input.q, input.v, work_.qdd, bias_, input.loads);
    elastic_and_damping_forces(model_, work_, input.q, input.v, passive_);
    factor_.compute(M_);
    if (factor_.info() != Eigen::Success)
      throw ComputationError("the mass matrix is singular; `recursive` names the coordinate");
    output.acceleration = input.tau - bias_ - passive_;
    factor_.solveInPlace(output.acceleration);
    // M's condition number grows as the fourth power of the number of links: what the solution leaves over is
    // solved for once more.
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, bias_, input.loads);
    correction_ = input.tau - bias_ - passive_;
    factor_.solveInPlace(correction_);
    output.acceleration += correction_;
    // Wrenches follow from the accelerations.
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, bias_, input.loads);
    collect_wrenches(work_, output.wrenches);
  }

 private:
  const Model& model_;
  Workspace<double> work_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd bias_, passive_, correction_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

std::vector<std::string> formulation_names() { return {"recursive", "dense"}; }

std::unique_ptr<Formulation> make_formulation(const std::string& name, const Model& model) {
  if (name == "recursive") return std::make_unique<Recursive>(model);
  if (name == "dense") return std::make_unique<Dense>(model);
  throw InputError(Problem{"formulation", "recursive or dense", "`" + name + "`", ""});
}

}  // namespace limber
