// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/detail/stops.hpp"

#include <algorithm>

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// x and x' of a stop at a moment.
double position(const Stop& stop, const Situation& at) { return at.now.q[stop.position]; }
double rate(const Stop& stop, const Situation& at) { return at.now.v[stop.coordinate]; }

// A stop that is left presses again when its push is this share of its spring's, less than anybody resolves: the root at which it was left is not found again.
constexpr double overlap = 1e-6;

}  // namespace

// Smooth in each mode, as the force is.
double StopSwitch::dissipation(double x, double rate) const {
  if (presses(x, rate)) return stop_.damping * rate * rate;
  const bool is_left = mode_ == Mode::left || (mode_ == Mode::by_value && stop_.depth(x) > 0.0);
  return is_left ? -stop_.stiffness * stop_.depth(x) * stop_.side * rate : 0.0;
}

// What begins presses, and what ends is left, only if it moves so: a root is found up to rounding, and its mode must not end where it begins.
double StopSwitch::guard(const Situation& situation) const {
  const double x = position(stop_, situation), v = rate(stop_, situation);
  const double d = stop_.depth(x), approach = stop_.side * v, push = stop_.push(x, v);
  switch (mode_) {
    case Mode::apart:
      return std::max(-d, -approach);
    case Mode::presses:
      return std::max(push, approach);
    case Mode::left:
      return std::min(d, overlap * stop_.stiffness * d - push);
    case Mode::by_value:
      break;
  }
  return 1.0;
}

void StopSwitch::enter(const Situation& situation) {
  const double x = position(stop_, situation);
  mode_ = stop_.depth(x) <= 0.0                      ? Mode::apart
          : stop_.presses(x, rate(stop_, situation)) ? Mode::presses
                                                     : Mode::left;
}

void StopSwitch::change(const Situation& situation) {
  const double d = stop_.depth(position(stop_, situation));
  switch (mode_) {
    case Mode::apart:
      mode_ = Mode::presses;
      return;
    case Mode::presses:
      mode_ = stop_.damping > 0.0 && d > 0.0 ? Mode::left : Mode::apart;
      return;
    case Mode::left: {
      const double push = stop_.push(position(stop_, situation), rate(stop_, situation));
      mode_ = d < overlap * stop_.stiffness * d - push ? Mode::apart : Mode::presses;
      return;
    }
    case Mode::by_value:
      return;
  }
}

double StopSwitch::argument(const Situation& situation) const {
  return stop_.depth(position(stop_, situation));
}

namespace detail {

Stops::Stops(const Model& model) : nv_(model.nv()) {
  for (const Stop& stop : stops_of(model)) {
    all_.emplace_back(stop);
    on_cylinders_ = on_cylinders_ || stop.coordinate >= model.nv();
  }
  const auto cylinders = static_cast<Eigen::Index>(model.cylinders().size());
  forces_ = VectorXd::Zero(model.nv() + cylinders);
  x_ = VectorXd::Zero(model.nq() + cylinders);
  rates_ = forces_;
}

template <typename Visitor>
void Stops::each(Visitor&& visitor) const {
  for (const StopSwitch& one : all_) visitor(one, x_[one.stop().position], rates_[one.stop().coordinate]);
}

void Stops::update(const Input<double>& q, const Input<double>& v, Struts* struts) {
  if (empty()) return;
  x_.head(q.size()) = q;
  rates_.head(v.size()) = v;
  if (on_cylinders_) {
    struts->update(q, v);
    x_.tail(struts->count()) = struts->lengths();
    rates_.tail(struts->count()) = struts->rates();
  }
  forces_.setZero();
  each([&](const StopSwitch& one, double x, double rate) {
    forces_[one.stop().coordinate] += one.force(x, rate);
  });
}

double Stops::energy() const {
  double energy = 0.0;
  each([&](const StopSwitch& one, double x, double) { energy += one.stop().energy(x); });
  return energy;
}

double Stops::dissipation() const {
  double power = 0.0;
  each([&](const StopSwitch& one, double x, double rate) { power += one.dissipation(x, rate); });
  return power;
}

void Stops::add_tangent(const Input<double>& q, const Input<double>& v, Struts* struts, MatrixXd& K,
                        MatrixXd& C) const {
  if (empty()) return;
  VectorXd k = VectorXd::Zero(forces_.size()), c = k;
  each([&](const StopSwitch& one, double x, double rate) {
    if (!one.presses(x, rate)) return;
    k[one.stop().coordinate] += one.stop().stiffness;
    c[one.stop().coordinate] += one.stop().damping;
  });
  K.diagonal() += k.head(nv_);
  C.diagonal() += c.head(nv_);
  if (on_cylinders_) struts->add_springs(q, v, k.tail(struts->count()), c.tail(struts->count()), K, C);
}

}  // namespace detail
}  // namespace limber
