// SPDX-License-Identifier: BSD-3-Clause
// Radau's methods spend half of a run in their own linear algebra, so they are compiled for every level of processors: kernels/radau.cpp.

#include <memory>
#include <optional>

#include "limber/core/processor_level.hpp"
#include "limber/scenario/integrators.hpp"
#include "limber/simulation/integrator.hpp"

extern "C" {
using MakeRadau = limber::Integrator*(limber::System&, const limber::IntegratorDescription&,
                                      const std::optional<double>& max_step, int stages);
MakeRadau limber_radau_plain;
#if defined(LIMBER_PROCESSOR_LEVELS)
MakeRadau limber_radau_x86_64_v3;
MakeRadau limber_radau_x86_64_v4;
#endif
}

namespace limber {
namespace {

MakeRadau* maker() {
#if defined(LIMBER_PROCESSOR_LEVELS)
  const ProcessorLevel level = processor_level();
  if (level == ProcessorLevel::x86_64_v4) return &limber_radau_x86_64_v4;
  if (level == ProcessorLevel::x86_64_v3) return &limber_radau_x86_64_v3;
#endif
  return &limber_radau_plain;
}

}  // namespace

std::unique_ptr<Integrator> integrators::Radau::make(System& system, const IntegratorDescription& all) const {
  return std::unique_ptr<Integrator>(maker()(system, all, max_step, 3));
}

std::unique_ptr<Integrator> integrators::Radau9::make(System& system,
                                                      const IntegratorDescription& all) const {
  return std::unique_ptr<Integrator>(maker()(system, all, max_step, 5));
}

std::unique_ptr<Integrator> integrators::Radau13::make(System& system,
                                                       const IntegratorDescription& all) const {
  return std::unique_ptr<Integrator>(maker()(system, all, max_step, 7));
}

std::unique_ptr<Integrator> integrators::VariableRadau::make(System& system,
                                                             const IntegratorDescription& all) const {
  return std::unique_ptr<Integrator>(maker()(system, all, max_step, 0));
}

}  // namespace limber
