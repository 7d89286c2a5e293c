// SPDX-License-Identifier: BSD-3-Clause
#include "radau_method.hpp"
#include "variable_radau.hpp"

// One of several for this processor or that (simulation/radau.cpp), by the number of stages; 0: as many as serve.
extern "C" limber::Integrator* LIMBER_TABLE(limber::System& system, const limber::IntegratorDescription& all,
                                            const std::optional<double>& max_step, int stages) {
  if (stages == 0) return new limber::VariableRadau(system, all, max_step);
  return limber::make_radau(system, all, max_step, stages, std::make_shared<limber::StageForces>(system))
      .release();
}
