// SPDX-License-Identifier: BSD-3-Clause
#include "utilisation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int points = 5;  // along each beam, besides nodes and steps of its section

bool has_utilisation(const Link& link) { return has_stress(link) && link.beam->strength; }

/// A number with its first and second derivatives by forces.
struct Jet {
  double value = 0.0;
  Vector6<double> slope = Vector6<double>::Zero();
  Matrix6<double> curvature = Matrix6<double>::Zero();

  void operator+=(const Jet& other) {
    value += other.value;
    slope += other.slope;
    curvature += other.curvature;
  }
};

/// sqrt(Sum (factor F_i)^2 + e^2) - e of one force, or of two.
Jet rounded_length(const Vector6<double>& F, std::initializer_list<int> which, double factor, double e) {
  double square = e * e;
  for (const int i : which) square += factor * factor * F[i] * F[i];
  const double length = std::sqrt(square);
  Jet jet;
  jet.value = length - e;
  for (const int i : which) {
    jet.slope[i] = factor * factor * F[i] / length;
    jet.curvature(i, i) = factor * factor / length;
  }
  jet.curvature -= jet.slope * jet.slope.transpose() / length;
  return jet;
}

// (1)
Jet square_of(const StressFactors& factors, double strength, const Vector6<double>& F) {
  constexpr int N = 0, T = 3, My = 4, Mz = 5;  // section_force_names
  const double e = 1e-4 * strength;
  Jet s = rounded_length(F, {N}, factors.axial, e);
  if (factors.is_round) {
    s += rounded_length(F, {My, Mz}, factors.about_y, e);
  } else {
    s += rounded_length(F, {My}, factors.about_y, e);
    s += rounded_length(F, {Mz}, factors.about_z, e);
  }
  const double shear = std::max({factors.torsion_corner, factors.torsion_y, factors.torsion_z}),
               unit = 1.0 / (strength * strength);
  Jet square;
  square.value = unit * (s.value * s.value + 3.0 * shear * shear * F[T] * F[T]);
  square.slope = unit * 2.0 * s.value * s.slope;
  square.slope[T] += unit * 6.0 * shear * shear * F[T];
  square.curvature = unit * 2.0 * (s.slope * s.slope.transpose() + s.value * s.curvature);
  square.curvature(T, T) += unit * 6.0 * shear * shear;
  return square;
}

}  // namespace

bool Utilisation::is_known(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(), has_utilisation);
}

Utilisation::Utilisation(const Model& model, std::vector<Load> loads)
    : n_(model.nv()), loads_(std::move(loads)), all_(model, points) {
  for (std::size_t b = 0; b < all_.beams().size(); ++b) {
    const BeamSections& beam = all_.beams()[b];
    const Link& link = model.links()[static_cast<std::size_t>(beam.link)];
    if (!has_utilisation(link)) continue;
    const SectionProfile& profile = link.beam->basis.profile();
    for (std::size_t i = 0; i < beam.places.size(); ++i)
      sections_.push_back(
          {b, static_cast<Index>(i), beam.link, *link.beam->strength,
           stress_factors(*profile.geometry_at(beam.places[i].x, beam.places[i].inner_side))});
  }
  force_slopes_.assign(sections_.size(), MatrixXd(6, 3 * n_ + 1));
}

void Utilisation::find_forces(const VectorXd& q, const VectorXd& v, const VectorXd& a, Forces& forces) {
  all_.update(q, v, a, loads_);
  forces.resize(6, count());
  for (int i = 0; i < count(); ++i) {
    const Section& section = sections_[static_cast<std::size_t>(i)];
    forces.col(i) = all_.beams()[section.beam].forces.col(section.column);
  }
}

void Utilisation::find_forces(const ScaledForces::Place& at, Forces& forces) {
  find_forces(at.q, at.v / at.T, at.a / (at.T * at.T), forces);
}

void Utilisation::squares(const ScaledForces::Place& at, VectorXd& U2) {
  find_forces(at, forces_);
  U2.resize(count());
  for (int i = 0; i < count(); ++i) {
    const Section& section = sections_[static_cast<std::size_t>(i)];
    U2[i] = square_of(section.factors, section.strength, forces_.col(i)).value;
  }
}

void Utilisation::slopes(const ScaledForces::Place& at, VectorXd& U2, MatrixXd& by) {
  const double T = at.T;
  VectorXd q = at.q, v = at.v / T, a = at.a / (T * T);
  // Column c of all sections from a central difference along one number.
  const auto differentiate = [&](double& number, double step, Index c, double factor) {
    const double kept = number;
    number = kept + step;
    find_forces(q, v, a, above_);
    number = kept - step;
    find_forces(q, v, a, below_);
    number = kept;
    for (int i = 0; i < count(); ++i)
      force_slopes_[static_cast<std::size_t>(i)].col(c) =
          factor / (2.0 * step) * (above_.col(i) - below_.col(i));
  };
  constexpr double near = 1e-5;
  for (int j = 0; j < n_; ++j) {
    differentiate(q[j], near, j, 1.0);
    differentiate(v[j], 1.0, n_ + j, 1.0 / T);            // of a quadratic function: exact
    differentiate(a[j], 1.0, 2 * n_ + j, 1.0 / (T * T));  // of a linear one
  }
  squares(at, U2);
  by.resize(count(), 3 * n_ + 1);
  for (int i = 0; i < count(); ++i) {
    const Section& section = sections_[static_cast<std::size_t>(i)];
    MatrixXd& F_x = force_slopes_[static_cast<std::size_t>(i)];
    F_x.col(3 * n_) =  // (2)
        -(F_x.middleCols(n_, n_) * at.v + 2.0 * F_x.middleCols(2 * n_, n_) * at.a) / T;
    by.row(i) = square_of(section.factors, section.strength, forces_.col(i)).slope.transpose() * F_x;
  }
}

void Utilisation::curvature(const VectorXd& weights, MatrixXd& H) const {
  H.setZero(3 * n_ + 1, 3 * n_ + 1);
  for (int i = 0; i < count(); ++i) {
    if (weights[i] == 0.0) continue;
    const Section& section = sections_[static_cast<std::size_t>(i)];
    const MatrixXd& F_x = force_slopes_[static_cast<std::size_t>(i)];
    H.noalias() += weights[i] * F_x.transpose() *
                   (square_of(section.factors, section.strength, forces_.col(i)).curvature * F_x).eval();
  }
}

}  // namespace limber
