// SPDX-License-Identifier: BSD-3-Clause
// Derivation. With z = beta x and l = beta L, every shape clamped at the root is a combination of
// cosh z - cos z and sinh z - sin z. Both grow like e^z while the shape stays near 1, so we take instead
//
//   P(z) = (cosh z - cos z) - (sinh z - sin z) = e^-z - cos z + sin z                                     (1)
//   Q(z) = 2 e^-l (sinh z - sin z)             = e^(z-l) - e^(-l-z) - 2 e^-l sin z                        (2)
//   phi  = A P + b Q                                                                                      (3)
//
// where everything is of order 1: rounding in A and b, found from the conditions at the tip, stays rounding
// in phi. The textbook's  cosh - cos - sigma (sinh - sin)  is A = 1, sigma = 1 - 2 b e^-l. Next to the root,
// z < 1, where (1) and (2) cancel, they are summed as power series (quartic_series.hpp), good to rounding
// relative to phi itself. Under a heavy body l << 1; then P = cosh - cos and Q = sinh - sin themselves are
// taken.
//
// Conditions at the tip (derivatives with respect to z; mu, s, iota the body's mass, static moment, inertia):
//
//   held:    phi = 0                                                                                      (4)
//   moment:  phi''  - l^2 s phi - l^3 iota phi' = 0                                                       (5)
//   shear:   phi''' + l mu phi  + l^2 s phi'    = 0                                                       (6)

#include "closed_form_shapes.hpp"

#include <cmath>

#include "limber/math/quadrature.hpp"
#include "quartic_series.hpp"

namespace limber {
namespace {

// P and Q with three derivatives with respect to z.
struct ClampedPair {
  Jet P, Q;
};

// At z = l - from_tip.
ClampedPair clamped_pair(double l, double z, double from_tip) {
  const double e_l = std::exp(-l);
  if (z < 1.0) {
    const double F[] = {quartic_series(0, z, 1.0), quartic_series(1, z, 1.0), quartic_series(2, z, 1.0),
                        quartic_series(3, z, 1.0)};
    ClampedPair pair{};
    for (int k = 0; k < 4; ++k) {
      // Derivative k of cosh - cos and of sinh - sin.
      const double even = 2.0 * F[(6 - k) % 4], odd = 2.0 * F[3 - k];
      pair.P[k] = l < 1.0 ? even : even - odd;
      pair.Q[k] = l < 1.0 ? odd : 2.0 * e_l * odd;
    }
    return pair;
  }
  const double falling = std::exp(-z), rising = std::exp(-from_tip), sine = std::sin(z), cosine = std::cos(z);
  const double tail = e_l * falling, wave = 2.0 * e_l;
  return {
      {falling - cosine + sine, -falling + sine + cosine, falling + cosine - sine, -falling - sine - cosine},
      {rising - tail - wave * sine, rising + tail - wave * cosine, rising - tail + wave * sine,
       rising + tail + wave * cosine}};
}

// (3)
class ClampedShape : public ShapeFunction {
 public:
  ClampedShape(double root, double length, double A, double b) : l_(root), length_(length), A_(A), b_(b) {}

  Jet at(double x) const override {
    // Not beta x: at the tip z is l to the last digit, on which the deflection under a heavy body depends.
    const auto [P, Q] = clamped_pair(l_, l_ * (x / length_), l_ * ((length_ - x) / length_));
    Jet jet;
    double factor = 1.0;
    for (int k = 0; k < 4; ++k, factor *= l_ / length_) jet[k] = factor * (A_ * P[k] + b_ * Q[k]);
    return jet;
  }

 private:
  double l_, length_, A_, b_;
};

// One condition at the tip: p A + q b = 0, with the magnitude of what was added up to p and q.
struct TipCondition {
  double p = 0.0, q = 0.0, magnitude = 0.0;

  TipCondition(const ClampedPair& tip, const Jet& weights) {
    for (int k = 0; k < 4; ++k) {
      p += weights[k] * tip.P[k];
      q += weights[k] * tip.Q[k];
      magnitude += std::abs(weights[k]) * std::hypot(tip.P[k], tip.Q[k]);
    }
  }
  // How much there is of it, less for what cancellation has taken.
  double weight() const { return (p * p + q * q) / magnitude; }
};

RawShape clamped_shape(double root, double length, double p, double q) {
  const double size = std::hypot(p, q);
  return {std::make_shared<ClampedShape>(root, length, q / size, -p / size), size / q};
}

// The shape that the inertia of beam and tip body makes orthogonal to `other`: the partner in a pair of roots
// so close that (5) and (6) are nothing but rounding.
RawShape orthogonal_shape(double root, double length, const TipLoad& tip, const ShapeFunction& other) {
  const ClampedShape P(root, length, 1.0, 0.0), Q(root, length, 0.0, 1.0);
  const auto product = [&](const ShapeFunction& shape) {
    const PanelGrid grid({0.0, length}, length / (1.0 + root));
    double sum = 0.0;
    for (Eigen::Index i = 0; i < grid.points().size(); ++i)
      sum += grid.weights()[i] / length * shape.at(grid.points()[i])[0] * other.at(grid.points()[i])[0];
    const Jet a = shape.at(length), b = other.at(length);
    return sum + tip.mass * a[0] * b[0] + tip.static_moment * length * (a[0] * b[1] + a[1] * b[0]) +
           tip.inertia * length * length * a[1] * b[1];
  };
  return clamped_shape(root, length, product(P), product(Q));
}

class PinnedFreeShape : public ShapeFunction {
 public:
  PinnedFreeShape(double root, double length)
      : l_(root), length_(length), amplitude_(std::sin(root) / -std::expm1(-2.0 * root)) {}

  Jet at(double x) const override {
    const double z = l_ * (x / length_), beta = l_ / length_;
    const double rising = amplitude_ * std::exp(z - l_);
    const double sinh = -rising * std::expm1(-2.0 * z), cosh = rising * (1.0 + std::exp(-2.0 * z));
    const double sine = std::sin(z), cosine = std::cos(z);
    return {sine + sinh, beta * (cosine + cosh), beta * beta * (sinh - sine),
            beta * beta * beta * (cosh - cosine)};
  }

 private:
  double l_, length_, amplitude_;
};

class SineShape : public ShapeFunction {
 public:
  SineShape(double root, double length) : l_(root), length_(length) {}

  Jet at(double x) const override {
    const double z = l_ * (x / length_), beta = l_ / length_;
    const double sine = std::sin(z), cosine = std::cos(z);
    return {sine, beta * cosine, -beta * beta * sine, -beta * beta * beta * cosine};
  }

 private:
  double l_, length_;
};

}  // namespace

RawShape clamped_held_shape(double root, double length) {
  const TipCondition held(clamped_pair(root, root, 0.0), {1.0, 0.0, 0.0, 0.0});
  return clamped_shape(root, length, held.p, held.q);
}

std::vector<RawShape> clamped_mass_shapes(const std::vector<double>& roots, double length,
                                          const TipLoad& tip) {
  constexpr double close_pair =
      1e-6;  // of roots between which the tip conditions hardly tell the shapes apart
  std::vector<RawShape> shapes;
  for (std::size_t n = 0; n < roots.size(); ++n) {
    const double l = roots[n];
    if (n > 0 && l - roots[n - 1] < close_pair * l) {
      shapes.push_back(orthogonal_shape(l, length, tip, *shapes.back().function));
      continue;
    }
    const ClampedPair pair = clamped_pair(l, l, 0.0);
    const double coupling = l * l * tip.static_moment;
    const TipCondition moment(pair, {-coupling, -l * l * l * tip.inertia, 1.0, 0.0});
    const TipCondition shear(pair, {l * tip.mass, coupling, 0.0, 1.0});
    const TipCondition& better = moment.weight() > shear.weight() ? moment : shear;
    shapes.push_back(clamped_shape(l, length, better.p, better.q));
  }
  return shapes;
}

RawShape pinned_free_shape(double root, double length) {
  return {std::make_shared<PinnedFreeShape>(root, length)};
}

RawShape sine_shape(double root, double length) { return {std::make_shared<SineShape>(root, length)}; }

}  // namespace limber
