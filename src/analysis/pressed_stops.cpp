// SPDX-License-Identifier: BSD-3-Clause
#include "pressed_stops.hpp"

#include <limits>

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PressedStops::PressedStops(const Model& model) : nv_(model.nv()), stops_(stops_of(model)) {
  const auto cylinders = static_cast<Eigen::Index>(model.cylinders().size());
  x_.setConstant(model.nq() + cylinders, std::numeric_limits<double>::quiet_NaN());  // presses nothing
  forces_ = rates_ = k_ = c_ = VectorXd::Zero(model.nv() + cylinders);
}

void PressedStops::update(const Input<double>& q, const Input<double>& v, Struts* struts) {
  if (empty()) return;
  x_.head(q.size()) = q;
  rates_.head(v.size()) = v;
  if (struts) {
    struts->update(q, v);
    x_.tail(struts->count()) = struts->lengths();
    rates_.tail(struts->count()) = struts->rates();
  }
  for (VectorXd* sum : {&forces_, &k_, &c_}) sum->setZero();
  for (const Stop& stop : stops_) {
    const double x = x_[stop.position], rate = rates_[stop.coordinate];
    if (!stop.presses(x, rate)) continue;
    forces_[stop.coordinate] += stop.force(x, rate);
    k_[stop.coordinate] += stop.stiffness;
    c_[stop.coordinate] += stop.damping;
  }
}

void PressedStops::add_tangent(const Input<double>& q, const Input<double>& v, Struts* struts, MatrixXd& K,
                               MatrixXd& C) const {
  K.diagonal() += k_.head(nv_);
  C.diagonal() += c_.head(nv_);
  if (struts) struts->add_springs(q, v, k_.tail(struts->count()), c_.tail(struts->count()), K, C);
}

}  // namespace limber
