// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compiled_module.hpp"
#include "limber/formulations/formulation.hpp"

namespace limber {

/// `generated`: the equations of this very arm as straight lines of code, derived, compiled and loaded (docs/symbolic.md).
std::unique_ptr<Formulation> make_generated(const Model& model, const FormulationOptions& options);

/// The equations of first order in elastic states as code of this very arm: for `dual-screw`, whose numbers they give.
class LinearCode {
 public:
  /// As options say: consistent or not, links and states that are not truncated.
  LinearCode(const Model& model, const FormulationOptions& options);
  /// The lower triangle of M, and M a + bias.
  void equations(const Input<double>& q, const Input<double>& v, const Input<double>& a, Eigen::MatrixXd& M,
                 Eigen::VectorXd& forces) const;
  /// M a + bias.
  void forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
              Eigen::VectorXd& forces) const;

 private:
  CompiledModule module_;
  using Both = void(const double* q, const double* v, double* M, double* h);
  using Forces = void(const double* q, const double* v, const double* a, double* i);
  Both* equations_;
  Forces* forces_;
};

}  // namespace limber
