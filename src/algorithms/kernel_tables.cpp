// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/core/processor_level.hpp"

// Compiled from kernels/sweeps.cpp and kernels/derivatives.cpp, once for each level.
extern "C" {
const void* limber_sweeps_double_plain();
const void* limber_sweeps_Dual_plain();
const void* limber_derivatives_plain();
#if defined(LIMBER_PROCESSOR_LEVELS)
const void* limber_sweeps_double_x86_64_v3();
const void* limber_sweeps_Dual_x86_64_v3();
const void* limber_sweeps_double_x86_64_v4();
const void* limber_derivatives_x86_64_v3();
const void* limber_derivatives_x86_64_v4();
#endif
}

namespace limber::detail {
namespace {

template <typename Scalar>
const KernelTable<Scalar>& table(const void* table) {
  return *static_cast<const KernelTable<Scalar>*>(table);
}

}  // namespace

template <>
const KernelTable<double>& chosen_kernels<double>() {
#if defined(LIMBER_PROCESSOR_LEVELS)
  const ProcessorLevel level = processor_level();
  if (level == ProcessorLevel::x86_64_v4) return table<double>(limber_sweeps_double_x86_64_v4());
  if (level == ProcessorLevel::x86_64_v3) return table<double>(limber_sweeps_double_x86_64_v3());
#endif
  return table<double>(limber_sweeps_double_plain());
}

template <>
const KernelTable<Dual>& chosen_kernels<Dual>() {
#if defined(LIMBER_PROCESSOR_LEVELS)
  if (processor_level() >= ProcessorLevel::x86_64_v3) return table<Dual>(limber_sweeps_Dual_x86_64_v3());
#endif
  return table<Dual>(limber_sweeps_Dual_plain());
}

const DerivativeKernels& chosen_derivative_kernels() {
  const auto table = [](const void* kernels) -> const DerivativeKernels& {
    return *static_cast<const DerivativeKernels*>(kernels);
  };
#if defined(LIMBER_PROCESSOR_LEVELS)
  const ProcessorLevel level = processor_level();
  if (level == ProcessorLevel::x86_64_v4) return table(limber_derivatives_x86_64_v4());
  if (level == ProcessorLevel::x86_64_v3) return table(limber_derivatives_x86_64_v3());
#endif
  return table(limber_derivatives_plain());
}

}  // namespace limber::detail
