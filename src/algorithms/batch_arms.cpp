// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/detail/batch_arms.hpp"

#include <algorithm>
#include <utility>

#include "limber/algorithms/detail/batch_kernels.hpp"
#include "limber/algorithms/detail/gather.hpp"
#include "limber/core/processor_level.hpp"

// Compiled from kernels/batch.cpp.
#if defined(LIMBER_PROCESSOR_LEVELS)
extern "C" {
const void* limber_batch_x86_64_v3();
const void* limber_batch_x86_64_v4();
}
#endif

namespace limber::detail {
namespace {

template <int width>
class BatchArmsOf final : public BatchArms {
 public:
  using Scalar = Batch<width>;

  BatchArmsOf(const std::vector<const ArmWork<double>*>& arms, const void* kernels)
      : kernels_(*static_cast<const BatchKernels<Scalar>*>(kernels)),
        work_(arms),
        q_(static_cast<std::size_t>(work_.model.nq())),
        v_(static_cast<std::size_t>(work_.model.nv())),
        x_(v_.size()),
        y_(v_.size()) {}

  void set(int lane, const double* q, const double* v, const double* x) override {
    put(q, lane, q_);
    if (v == nullptr) return;
    put(v, lane, v_);
    put(x, lane, x_);
  }
  void get(int lane, double* y) const override {
    const double* from = reinterpret_cast<const double*>(y_.data()) + lane;
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = from[i * width];
  }
  void get_matrix(int lane, double* M, Eigen::Index stride) const override {
    const auto nv = static_cast<Eigen::Index>(v_.size());
    for (Eigen::Index j = 0; j < nv; ++j)
      for (Eigen::Index i = 0; i < nv; ++i)
        M[j * stride + i] = M_[static_cast<std::size_t>(j * nv + i)][lane];
  }

  void forward_dynamics(const std::vector<Load>& loads) override {
    kernels_.forward_dynamics(work_.model, work_, q_.data(), v_.data(), x_.data(), y_.data(), loads);
  }
  void inverse_dynamics(const std::vector<Load>& loads) override {
    kernels_.inverse_dynamics(work_.model, work_, q_.data(), v_.data(), x_.data(), y_.data(), loads);
  }
  void mass_matrix() override {
    M_.resize(v_.size() * v_.size());
    kernels_.mass_matrix(work_, q_.data(), M_.data(), static_cast<Eigen::Index>(v_.size()));
  }

 private:
  // As doubles: the compiler would take whole registers out of memory and put them back.
  static void put(const double* from, int lane, std::vector<Scalar>& to) {
    double* numbers = reinterpret_cast<double*>(to.data()) + lane;
    for (std::size_t i = 0; i < to.size(); ++i) numbers[i * width] = from[i];
  }

  const BatchKernels<Scalar>& kernels_;
  ArmWork<Scalar> work_;
  std::vector<Scalar> q_, v_, x_, y_, M_;
};

std::unique_ptr<BatchArms> batch_of(std::vector<const ArmWork<double>*> arms) {
  const auto width = static_cast<std::size_t>(batch_width());
  if (width == 1) return nullptr;
  arms.resize(width, arms.back());
#if defined(LIMBER_PROCESSOR_LEVELS)
  if (width == batch_width_v4)
    return std::make_unique<BatchArmsOf<batch_width_v4>>(arms, limber_batch_x86_64_v4());
  return std::make_unique<BatchArmsOf<batch_width_v3>>(arms, limber_batch_x86_64_v3());
#else
  return nullptr;
#endif
}

}  // namespace

int batch_width() {
#if defined(LIMBER_PROCESSOR_LEVELS)
  if (processor_level() == ProcessorLevel::x86_64_v4) return batch_width_v4;
  if (processor_level() == ProcessorLevel::x86_64_v3) return batch_width_v3;
#endif
  return 1;
}

std::optional<OtherTopology> find_other_topology(const std::vector<Model>& models) {
  std::optional<ArmWork<double>> first;
  for (std::size_t i = 1; i < models.size(); ++i) {
    if (models[i].is_same_arm(models[0])) continue;
    if (!first) first.emplace(models[0], Kernels::fixed);
    const ArmWork<double> arm(models[i], Kernels::fixed);
    const auto found = topology_difference(*first, arm);
    if (!found) continue;
    std::string place = "models[" + std::to_string(i) + "]";
    if (found->link >= 0)
      place += ".links[" + models[i].links()[static_cast<std::size_t>(found->link)].name + "]";
    return OtherTopology{static_cast<int>(i), place,
                         found->what + " as models[0] has them: " + found->expected, found->found};
  }
  return {};
}

std::unique_ptr<BatchArms> make_batch_arms(const std::vector<Model>& models) {
  const auto width = static_cast<std::size_t>(batch_width());
  if (width == 1) return nullptr;
  // Copies of one arm are prepared once.
  std::vector<std::unique_ptr<ArmWork<double>>> prepared;
  std::vector<const ArmWork<double>*> arms;
  for (std::size_t i = 0; i < std::min(models.size(), width); ++i) {
    if (i == 0 || !models[i].is_same_arm(models[i - 1]))
      prepared.push_back(std::make_unique<ArmWork<double>>(models[i], Kernels::fixed));
    arms.push_back(prepared.back().get());
  }
  return batch_of(std::move(arms));
}

std::unique_ptr<BatchArms> make_batch_arms(const Workspace<double>& prepared) {
  return batch_of({&prepared.arm()});
}

}  // namespace limber::detail
