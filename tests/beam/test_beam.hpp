// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A beam with polynomial shapes whose every integral is known in closed form: two bending shapes in each plane, two
// of torsion, one axial, and a section whose mass grows linearly along it.

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "limber/beam/field.hpp"
#include "reference/polynomial.hpp"

namespace limber::test {

using reference::Polynomial;

class PolynomialShape : public ShapeFunction {
 public:
  explicit PolynomialShape(Polynomial p) : derivatives_{p} {
    for (int k = 1; k < 4; ++k) derivatives_[k] = derivatives_[k - 1].derivative();
  }
  Jet at(double x) const override {
    Jet jet;
    for (int k = 0; k < 4; ++k) jet[k] = static_cast<double>(derivatives_[k](x));
    return jet;
  }

 private:
  std::array<Polynomial, 4> derivatives_;
};

struct PolynomialBeam {
  double length = 1.5;
  std::array<std::vector<Polynomial>, 4> shapes{{
      {{{0, 0, 0.5L}}, {{0, 0, 0.3L, -0.2L, 0.1L}}},   // y
      {{{0, 0, 0.4L, 0.05L}}, {{0, 0, -0.2L, 0.3L}}},  // z
      {{{0, 0.6L}}, {{0, 0.1L, 0.2L}}},                // torsion
      {{{0, 0.5L, -0.1L}}},                            // axial
  }};
  Section root{110.0, 220.0, 80.0, 9e3, 2.0, {0.02, 0.01, 0.012}};
  Section tip{70.0, 120.0, 50.0, 6e3, 1.1, {0.01, 0.006, 0.005}};

  SectionProfile profile() const { return SectionProfile({{0.0, root}, {length, tip}}); }

  BeamBasis basis() const {
    BeamBasis result(profile());
    for (std::size_t d = 0; d < 4; ++d) {
      ShapeSet set;
      for (const Polynomial& p : shapes[d]) set.modes.push_back({std::make_shared<PolynomialShape>(p), 1.0});
      set.breakpoints = {0.0, length};
      result.add(all_directions[d], set);
    }
    return result;
  }
  static constexpr int size = 7;

  // A section property that runs linearly from `at_root` to `at_tip`.
  Polynomial linear(double at_root, double at_tip) const { return {{at_root, (at_tip - at_root) / length}}; }

  // v, w, a, u for given coordinates.
  std::array<Polynomial, 4> deflections(const Eigen::VectorXd& eta) const {
    std::array<Polynomial, 4> result;
    int j = 0;
    for (std::size_t d = 0; d < 4; ++d)
      for (const Polynomial& p : shapes[d]) result[d] = result[d] + static_cast<long double>(eta[j++]) * p;
    return result;
  }

  // (3) of field.hpp, as polynomials in x.
  std::array<Polynomial, 3> position(const Eigen::VectorXd& eta, KinematicOrder order) const {
    const auto [v, w, a, u] = deflections(eta);
    const Polynomial x{{0, 1}};
    if (order == KinematicOrder::first) return {x + u, v, w};
    const Polynomial v1 = v.derivative(), w1 = w.derivative();
    return {x + u - 0.5L * (v1 * v1 + w1 * w1).integral(), v - (w1.derivative() * a).integral().integral(),
            w + (v1.derivative() * a).integral().integral()};
  }

  std::array<Polynomial, 3> rotation_vector(const Eigen::VectorXd& eta, KinematicOrder order) const {
    const auto [v, w, a, u] = deflections(eta);
    const Polynomial v1 = v.derivative(), w1 = w.derivative(), a1 = a.derivative();
    const Polynomial v2 = v1.derivative(), w2 = w1.derivative();
    if (order == KinematicOrder::first) return {a, -1.0L * w1, v1};
    return {a + 0.5L * (v1 * w2 - v2 * w1).integral(), -1.0L * w1 + 0.5L * (a1 * v1 - a * v2).integral(),
            v1 + 0.5L * (a1 * w1 - a * w2).integral()};
  }
};

}  // namespace limber::test
