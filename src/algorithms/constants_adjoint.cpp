// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/detail/constants_adjoint.hpp"

#include <algorithm>

#include "limber/algorithms/detail/forward_dynamics.hpp"
#include "limber/algorithms/detail/gather.hpp"
#include "limber/algorithms/detail/inertia.hpp"
#include "limber/algorithms/detail/inverse_dynamics.hpp"
#include "limber/algorithms/detail/kinematics.hpp"
#include "limber/algorithms/detail/section_sums.hpp"
#include "limber/math/detail/taped.hpp"

namespace limber::detail {

// Places of gather.hpp: the only lane ...
static void put(Taped& to, const int& /*lane*/, double from) { to = from; }

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// ... a list, one number after the other.
struct List {
  std::vector<double> numbers;
};
void put(Taped&, List& list, double from) { list.numbers.push_back(from); }

/// ... those that are selected as inputs of a tape.
struct Selection {
  const std::vector<int>& selected;
  int next = 0;        // of c
  int next_input = 0;  // of `selected`
};
void put(Taped& to, Selection& selection, double from) {
  const auto input = static_cast<std::size_t>(selection.next_input);
  const bool is_input = input < selection.selected.size() && selection.selected[input] == selection.next;
  to = is_input ? Taped(from, ++selection.next_input) : Taped(from);
  ++selection.next;
}

bool lists_constants(const Model& model) { return !model.has_telescopes(); }

}  // namespace

struct ConstantsAdjoint::Inside {
  explicit Inside(const Model& arm)
      : model(arm), plain(arm, Kernels::plain), work(std::vector<const ArmWork<double>*>{&plain}) {
    const auto nq = static_cast<std::size_t>(arm.nq()), nv = static_cast<std::size_t>(arm.nv());
    q.resize(nq);
    for (auto* vector : {&v, &a, &tau, &passive}) vector->resize(nv);
  }

  Model model;
  ArmWork<double> plain;
  ArmWork<Taped> work;
  Tape tape;
  std::vector<Taped> q, v, a, tau, passive;
  std::vector<double> weights;
  int inputs = 0;
};

ConstantsAdjoint::ConstantsAdjoint(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
ConstantsAdjoint::~ConstantsAdjoint() = default;

std::unique_ptr<ConstantsAdjoint> ConstantsAdjoint::make(const Model& model) {
  if (!lists_constants(model)) return nullptr;
  return std::unique_ptr<ConstantsAdjoint>(new ConstantsAdjoint(std::make_unique<Inside>(model)));
}

std::optional<VectorXd> ConstantsAdjoint::constants(const Model& arm) const {
  if (!lists_constants(arm)) return {};
  const ArmWork<double> other(arm, Kernels::plain);
  if (topology_difference(inside_->plain, other)) return {};
  ArmWork<Taped> nobody({&other});
  List list;
  put_constants(nobody, list, other);
  return Eigen::Map<const VectorXd>(list.numbers.data(), static_cast<Index>(list.numbers.size()));
}

void ConstantsAdjoint::select(const std::vector<int>& numbers) {
  Selection selection{numbers};
  put_constants(inside_->work, selection, inside_->plain);
  inside_->inputs = static_cast<int>(numbers.size());
}

void ConstantsAdjoint::add(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                           const std::vector<Load>& loads, const MatrixXd& weights, MatrixXd& sums) {
  Inside& in = *inside_;
  std::copy(q.begin(), q.end(), in.q.begin());
  std::copy(v.begin(), v.end(), in.v.begin());
  std::copy(a.begin(), a.end(), in.a.begin());
  in.tape.begin(in.inputs);
  const UseTape use(in.tape);
  inverse_dynamics(in.model, in.work, in.q.data(), in.v.data(), in.a.data(), in.tau.data(), loads);
  elastic_and_damping_forces(in.work, in.q.data(), in.v.data(), in.passive.data());
  for (Index k = 0; k < weights.cols(); ++k) {
    in.weights.assign(in.tape.size(), 0.0);
    for (Index i = 0; i < weights.rows(); ++i)
      for (const auto* forces : {&in.tau, &in.passive})
        in.weights[static_cast<std::size_t>((*forces)[static_cast<std::size_t>(i)].number())] +=
            weights(i, k);
    in.tape.sweep_back(in.weights);
    for (int i = 0; i < in.inputs; ++i) sums(i, k) += in.weights[static_cast<std::size_t>(i) + 1];
  }
}

}  // namespace limber::detail
