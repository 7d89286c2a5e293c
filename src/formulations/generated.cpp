#include "generated.hpp"

#include "compiled_module.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/symbolic/equations.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

std::string module_source(const Model& model) {
  EquationsOptions options;
  options.parameters = ParameterStyle::numbers;
  return Equations(model, options).module_code();
}

class Generated : public Formulation {
 public:
  explicit Generated(const Model& model)
      : model_(model),
        work_(model),
        module_(module_source(model)),
        accelerations_(module_.function<Accelerations>("limber_accelerations")),
        missing_forces_(module_.function<MissingForces>("limber_missing_forces")),
        forces_(model.nv),
        with_loads_(model.nv),
        zero_(VectorXd::Zero(model.nv)) {}
  const char* name() const override { return "generated"; }

  void prescribe(const std::vector<int>& links) override {
    if (links.empty()) return;
    throw InputError(Problem{"formulation", "`recursive` or `dense` for prescribed joints", "`generated`",
                             "its code is written for joints that are free to move"});
  }
  void prescribed_efforts(const DynamicsInput&, const DynamicsOutput&, VectorXd&) const override {}

  void accelerate(const DynamicsInput& input, DynamicsOutput& output) override {
    output.acceleration.resize(model_.nv);
    accelerations_(input.q.data(), input.v.data(), generalized_forces(input).data(),
                   output.acceleration.data());
  }
  bool missing_forces(const DynamicsInput& input, const VectorXd& a, VectorXd& forces) override {
    forces.resize(model_.nv);
    missing_forces_(input.q.data(), input.v.data(), a.data(), generalized_forces(input).data(),
                    forces.data());
    return true;
  }
  // Wrenches follow from the accelerations.
  void evaluate(const DynamicsInput& input, DynamicsOutput& output) override {
    accelerate(input, output);
    inverse_dynamics(model_, work_, input.q, input.v, output.acceleration, forces_, input.loads);
    output.wrenches.resize(work_.links.size());
    for (std::size_t i = 0; i < work_.links.size(); ++i) output.wrenches[i] = wrench_in_body(work_.links[i]);
  }

 private:
  using Accelerations = void(const double* q, const double* v, const double* u, double* a);
  using MissingForces = void(const double* q, const double* v, const double* a, const double* u, double* f);

  // tau and what loads add to it: the difference that they make to inverse dynamics.
  const VectorXd& generalized_forces(const DynamicsInput& input) {
    if (input.loads.empty()) return input.tau;
    inverse_dynamics(model_, work_, input.q, input.v, zero_, forces_);
    inverse_dynamics(model_, work_, input.q, input.v, zero_, with_loads_, input.loads);
    forces_ += input.tau - with_loads_;
    return forces_;
  }

  const Model& model_;
  Workspace<double> work_;
  CompiledModule module_;
  Accelerations* accelerations_;
  MissingForces* missing_forces_;
  VectorXd forces_, with_loads_, zero_;
};

}  // namespace

std::unique_ptr<Formulation> make_generated(const Model& model) { return std::make_unique<Generated>(model); }

}  // namespace limber
