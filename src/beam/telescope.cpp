// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/telescope.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "limber/beam/shape_integrals.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// All numbers of a node in one row, and the power p of each.
class Layout {
 public:
  Layout(const std::vector<int>& lengths, KinematicOrder order)
      : m_(static_cast<Index>(lengths.size())), second_(order == KinematicOrder::second) {
    for (const bool of_rotation : {false, true})
      for (Index j = 0; j < m_; ++j)
        for (int axis = 0; axis < 3; ++axis) powers_.push_back(extending_power(of_rotation, lengths[at(j)]));
    for (const bool of_rotation : {false, true})
      for (int axis = 0; second_ && axis < 3; ++axis)
        for (Index k = 0; k < m_; ++k)
          for (Index j = 0; j < m_; ++j)
            powers_.push_back(extending_power(of_rotation, lengths[at(j)] + lengths[at(k)]));
  }

  Index size() const { return static_cast<Index>(powers_.size()); }
  int power(Index i) const { return powers_[at(i)]; }

  VectorXd row_of(const BeamNode& node) const {
    VectorXd row(size());
    Index i = 0;
    const auto put = [&](const auto& matrix) {
      row.segment(i, matrix.size()) = matrix.reshaped();
      i += matrix.size();
    };
    put(node.Phi);
    put(node.Psi);
    if (second_)
      for (const auto* forms : {&node.Phi2, &node.Psi2})
        for (const MatrixXd& form : *forms) put(form);
    return row;
  }

  BeamNode node_of(const VectorXd& row) const {
    BeamNode node;
    Index i = 0;
    const auto take = [&](auto& matrix, Index rows) {
      matrix = row.segment(i, rows * m_).reshaped(rows, m_);
      i += rows * m_;
    };
    take(node.Phi, 3);
    take(node.Psi, 3);
    if (second_)
      for (auto* forms : {&node.Phi2, &node.Psi2})
        for (MatrixXd& form : *forms) take(form, m_);
    return node;
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index m_;
  bool second_;
  std::vector<int> powers_;
};

// Chebyshev's polynomials of 0 to `degree` on [0, 1] and their first two derivatives at x, by their recursions.
struct ChebyshevAt {
  ChebyshevAt(int degree, double x) : T(degree + 1), T1(degree + 1), T2(degree + 1) {
    const double s = 2.0 * x - 1.0;
    T[0] = 1.0;
    T1[0] = T2[0] = 0.0;
    if (degree > 0) {
      T[1] = s;
      T1[1] = 2.0;
      T2[1] = 0.0;
    }
    for (int n = 2; n <= degree; ++n) {
      T[n] = 2.0 * s * T[n - 1] - T[n - 2];
      T1[n] = 2.0 * s * T1[n - 1] + 4.0 * T[n - 1] - T1[n - 2];
      T2[n] = 2.0 * s * T2[n - 1] + 8.0 * T1[n - 1] - T2[n - 2];
    }
  }
  VectorXd T, T1, T2;
};

constexpr int most_points = 64;  // of a Gauss rule

// All numbers of the field as polynomials of x: one column of coefficients each. Shapes of uniform beams are polynomials or sums of sines and
// exponentials, whose coefficients fall off faster than any power.
class FieldPolynomials {
 public:
  FieldPolynomials(const BeamBasis& basis, KinematicOrder order, const std::vector<int>& lengths)
      : layout_(lengths, order) {
    constexpr int places = most_points - 1;
    const double l0 = basis.length();
    std::vector<double> x;
    for (int k = 0; k <= places; ++k) x.push_back(0.5 * l0 * (1.0 - std::cos(std::numbers::pi * k / places)));
    const std::vector<BeamNode> nodes = make_nodes(basis, order, x);
    MatrixXd samples(places + 1, layout_.size());
    for (int k = 0; k <= places; ++k) {
      VectorXd row = layout_.row_of(nodes[static_cast<std::size_t>(k)]);
      for (Index i = 0; i < row.size(); ++i) row[i] *= std::pow(l0, layout_.power(i));
      samples.row(k) = row;
    }
    coefficients_ = transform(samples);
    degree_ = find_degree();
  }

  int degree() const { return degree_; }

  // (2)
  ExtendingNode at(double x) const {
    const ChebyshevAt chebyshev(degree_, x);
    const auto kept = coefficients_.topRows(degree_ + 1);
    const VectorXd G = kept.transpose() * chebyshev.T, slope = kept.transpose() * chebyshev.T1,
                   bend = kept.transpose() * chebyshev.T2;
    VectorXd first(G.size()), second(G.size());
    for (Index i = 0; i < G.size(); ++i) {
      const int p = layout_.power(i);
      first[i] = (1.0 - x) * slope[i] - p * G[i];
      const double first_slope = (1.0 - x) * bend[i] - (1 + p) * slope[i];
      second[i] = (1.0 - x) * first_slope - (p + 1) * first[i];
    }
    return {x, {layout_.node_of(G), layout_.node_of(first), layout_.node_of(second)}};
  }

 private:
  // Samples at the extrema of T_n into coefficients of T_0 ... T_n; T_n(cos) is read from left to right.
  static MatrixXd transform(const MatrixXd& samples) {
    const Index n = samples.rows() - 1;
    MatrixXd cosines(n + 1, n + 1);
    for (Index j = 0; j <= n; ++j)
      for (Index k = 0; k <= n; ++k) {
        const double ends = (k == 0 || k == n ? 0.5 : 1.0) * (j == 0 || j == n ? 0.5 : 1.0);
        const double sign = j % 2 == 0 ? 1.0 : -1.0;  // s = -cos
        cosines(j, k) =
            2.0 / static_cast<double>(n) * ends * sign *
            std::cos(std::numbers::pi * static_cast<double>(j * k % (2 * n)) / static_cast<double>(n));
      }
    return cosines * samples;
  }

  // Beyond it coefficients are rounding.
  int find_degree() const {
    constexpr double of_column = 2e-14, of_all = 2e-15;  // of the largest coefficients
    const double largest_of_all = coefficients_.cwiseAbs().maxCoeff();
    int degree = 1;
    for (Index i = 0; i < coefficients_.cols(); ++i) {
      const double largest = coefficients_.col(i).cwiseAbs().maxCoeff();
      for (Index n = coefficients_.rows() - 1; n > degree; --n)
        if (std::abs(coefficients_(n, i)) > of_column * largest + of_all * largest_of_all) {
          degree = static_cast<int>(n);
          break;
        }
    }
    if (degree + 2 >= most_points)
      throw InputError(Problem{"modes", "shapes of a telescoping beam that a rule of 64 points integrates",
                               "shapes that oscillate faster", "take fewer modes"});
    return degree;
  }

  Layout layout_;
  MatrixXd coefficients_;
  int degree_;
};

std::vector<int> lengths_of(const BeamBasis& basis) {
  std::vector<int> lengths;
  for (const BeamBasis::Coordinate& coordinate : basis.coordinates())
    lengths.push_back(coordinate.direction == Direction::torsion ? 0 : 1);
  return lengths;
}

// M_ee of the beam of length 1 alone, straight and without rotary inertia in bending.
MatrixXd unit_inertia(const Telescope& telescope, const Section& section) {
  const auto m = static_cast<Index>(telescope.lengths.size());
  MatrixXd M = MatrixXd::Zero(m, m);
  for (std::size_t i = 0; i < telescope.points.size(); ++i) {
    const BeamNode& node = telescope.points[i].jets[0];
    const double weight = telescope.weights[static_cast<Index>(i)];
    M += weight * section.mass_per_length * node.Phi.transpose() * node.Phi;
    for (Index j = 0; j < m; ++j)
      for (Index k = 0; k < m; ++k)
        if (telescope.lengths[static_cast<std::size_t>(j)] == 0 &&
            telescope.lengths[static_cast<std::size_t>(k)] == 0)
          M(j, k) += weight * section.rotary_inertia.x() * node.Psi(0, j) * node.Psi(0, k);
  }
  return M;
}

// K is l^-3 in bending, l^-1 in torsion and stretching; M_ee is l; and modal damping goes as the root of their product.
void add_damping(const BeamBasis& basis, const ExtendingDamping& damping, Telescope& telescope) {
  const MatrixXd M = unit_inertia(telescope, basis.profile().at(0.0));
  const ExtendingMatrix& K = telescope.stiffness;
  if (damping.ratio > 0.0) {
    ExtendingMatrix modal{modal_damping(K.at_one, M, damping.ratio), {}};
    for (const int power : K.power) modal.power.push_back((power - 1) / 2);
    telescope.damping.push_back(std::move(modal));
  }
  if (damping.alpha > 0.0)
    telescope.damping.push_back({damping.alpha * M, std::vector<int>(K.power.size(), -1)});
  if (damping.beta > 0.0) telescope.damping.push_back({damping.beta * K.at_one, K.power});
}

}  // namespace

MatrixXd ExtendingMatrix::at(double l) const {
  VectorXd scale(at_one.rows());
  for (Index i = 0; i < scale.size(); ++i) scale[i] = std::pow(l, -power[static_cast<std::size_t>(i)]);
  return scale.asDiagonal() * at_one;
}

MatrixXd Telescope::damping_at(double l) const {
  MatrixXd D = MatrixXd::Zero(stiffness.at_one.rows(), stiffness.at_one.cols());
  for (const ExtendingMatrix& part : damping) D += part.at(l);
  return D;
}

ExtendingNode Telescope::node(const BeamBasis& basis, KinematicOrder order, double x) const {
  return FieldPolynomials(basis, order, lengths).at(x);
}

BeamNode node_at(const ExtendingNode& node, const std::vector<int>& lengths, double l) {
  const BeamNode& G = node.jets[0];
  const Layout layout(lengths, G.is_second_order() ? KinematicOrder::second : KinematicOrder::first);
  VectorXd row = layout.row_of(G);
  for (Index i = 0; i < row.size(); ++i) row[i] *= std::pow(l, -layout.power(i));
  BeamNode there = layout.node_of(row);
  there.x = node.x * l;
  return there;
}

Telescope make_telescope(const BeamBasis& basis, KinematicOrder order, const MatrixXd& stiffness,
                         double length, const ExtendingDamping& damping) {
  Telescope telescope;
  telescope.length = length;
  telescope.free_length = basis.length();
  telescope.p_RB.setZero();
  const Section section = basis.profile().at(0.0);
  telescope.per_length = {section.mass_per_length, Eigen::Vector3d::Zero(),
                          section.rotary_inertia.asDiagonal()};
  telescope.lengths = lengths_of(basis);
  telescope.stiffness.at_one = stiffness;
  for (std::size_t i = 0; i < telescope.lengths.size(); ++i) {
    const int power = is_bending(basis.coordinates()[i].direction) ? 3 : 1;
    telescope.stiffness.power.push_back(power);
    telescope.stiffness.at_one.row(static_cast<Index>(i)) *= std::pow(basis.length(), power);
  }
  // Products of two of the field's polynomials are integrated exactly. What turns with its section is no polynomial of its angle: more points bring its
  // integral to rounding at slopes of a radian, so that it is the same function of the length as its derivatives say.
  const FieldPolynomials field(basis, order, telescope.lengths);
  constexpr int for_turning = 12;
  const int more = section.rotary_inertia.isZero(0.0) ? 0 : for_turning;
  const GaussRule& rule = gauss_legendre(std::min(most_points, field.degree() + 1 + more));
  telescope.weights = 0.5 * rule.weights;
  for (const double s : rule.nodes) telescope.points.push_back(field.at(0.5 * (1.0 + s)));
  add_damping(basis, damping, telescope);
  return telescope;
}

}  // namespace limber
