// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The constants of linear_arm.hpp (1), (2) and (4), of one link.

#include <vector>

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber {

using namespace detail;

/// A constant matrix times many small products: rows of coefficients, each with the product it belongs to. Rows are as
/// long as the number of results, filled up to full packets; those without a coefficient are left out.
class RowSum {
 public:
  RowSum() = default;
  explicit RowSum(int results);
  void add(int product, const Eigen::VectorXd& coefficients);
  /// results += Sum products[p] row_p
  void add_to(double* results, const double* products) const;
  int padded() const { return padded_; }

 private:
  int results_ = 0, padded_ = 0;
  std::vector<int> products_;
  std::vector<double> rows_;
};

/// A place on a flexible link: its screws [Phi_j; Psi_j], and what (consistent only) their first order adds.
struct LinearNode {
  Vec3<double> p0_RN;
  std::vector<LaneTwist<double>> screws;         ///< m
  std::vector<LaneTwist<double>> screw_changes;  ///< m x m: d screw_j / d eta_k, or empty
  RowSum to_elastic;                             ///< forces on elastic coordinates of a wrench: six products
  RowSum inertia_to_elastic;                     ///< (4) by rows of a lower triangle: ten products
};

/// Of a flexible link; eta-derivatives one after the other.
struct LinearBeam {
  int m = 0;
  double mass = 0.0;
  Vec3<double> h0;
  Mat3<double> I0;
  std::vector<Vec3<double>> h;    ///< h_j
  std::vector<Mat3<double>> I;    ///< I_j
  std::vector<Mat3<double>> n_j;  ///< moment n_j w per etad_j
  std::vector<LaneWrench<double>> M_re0;
  std::vector<LaneWrench<double>> M_re;  ///< m x m: d M_re_k / d eta_j at [k m + j]
  RowSum M_ee;                           ///< lower triangle by rows: products 1, eta
  /// Forces on elastic coordinates: products A (total, 6), w w (total, 6), eta w w, etad w, eta A; see elastic_products.
  RowSum forces;
  std::vector<LinearNode> nodes;  ///< as Link::nodes
};

/// Numbers of a lower triangle by rows: element (j, k) stands at j (j + 1) / 2 + k.
constexpr int triangle_size(int m) { return m * (m + 1) / 2; }

/// xx, yy, zz, xy, xz, yz
inline void products_of(const Vec3<double>& w, double* products) {
  products[0] = w[0] * w[0];
  products[1] = w[1] * w[1];
  products[2] = w[2] * w[2];
  products[3] = w[0] * w[1];
  products[4] = w[0] * w[2];
  products[5] = w[1] * w[2];
}

/// Where the products of LinearBeam::forces begin.
struct ElasticProducts {
  static constexpr int A = 0, ww = 6;
  static constexpr int eta_ww(int) { return 12; }
  static constexpr int etad_w(int m) { return 12 + 6 * m; }
  static constexpr int eta_A(int m) { return 12 + 9 * m; }
  static constexpr int count(int m) { return 12 + 15 * m; }
};

/// Of link i of a model; `constant_screws` as in NodeWork.
LinearBeam make_linear_beam(const Model& model, int link, bool constant_screws);

}  // namespace limber
