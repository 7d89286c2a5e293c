// SPDX-License-Identifier: BSD-3-Clause
#include "linear_constants.hpp"

#include <algorithm>
#include <array>

#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/math/dual.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::VectorXd;

// One link alone, its frame moved by six velocities in its own axes.
class FreeLink {
 public:
  FreeLink(const Model& model, int link, bool constant_screws)
      : work_(model), m_(model.links()[static_cast<std::size_t>(link)].elastic_count), q_(m_), v_(6 + m_) {
    LinkWork<Dual> alone = work_.arm().links[static_cast<std::size_t>(link)];
    alone.parent = alone.parent_node = -1;
    alone.joint_type = JointType::fixed;
    alone.q_index = alone.v_index = alone.joint_nq = 0;
    alone.joint_nv = 6;
    alone.has_motor = false;
    for (int i = 0; i < 6; ++i) {
      Vector6<Dual> unit = Vector6<Dual>::Zero();
      unit[i] = 1.0;
      alone.S[i] = LaneTwist<Dual>::from(unit);
    }
    alone.sections.constant_screws = constant_screws;
    for (NodeWork<Dual>& node : alone.nodes) node.constant_screws = constant_screws;
    work_.arm().links.assign(1, alone);
    work_.arm().turning.clear();  // of no joint: those of the whole arm are not among its links
  }

  int m() const { return m_; }
  /// The link turning at w with straight beam, and derivatives with respect to coordinates (or rates) from `first` on.
  const LinkWork<Dual>& at(const Vector3<double>& w, int first = 0, bool of_rates = false) {
    for (Dual& x : q_) x = 0.0;
    for (Dual& x : v_) x = 0.0;
    for (int i = 0; i < 3; ++i) v_[3 + i] = w[i];
    for (int d = 0; d < Dual::direction_count && first + d < m_; ++d)
      (of_rates ? v_[6 + first + d] : q_[first + d]) = Dual::variable(0.0, d);
    work_.arm().kernels->update_velocities_and_inertias(work_.arm(), q_.data(), v_.data());
    return work_.arm().links.front();
  }
  /// visit(j, link, d): the derivative d of the link's numbers is that with respect to eta_j (or etad_j).
  template <typename Visit>
  void for_each_derivative(const Vector3<double>& w, bool of_rates, Visit&& visit) {
    for (int first = 0; first < m_; first += Dual::direction_count) {
      const LinkWork<Dual>& link = at(w, first, of_rates);
      for (int j = first; j < std::min(first + Dual::direction_count, m_); ++j) visit(j, link, j - first);
    }
  }

 private:
  Workspace<Dual> work_;
  int m_;
  VectorX<Dual> q_, v_;
};

Vec3<double> value(const Vec3<Dual>& a) { return {a[0].value(), a[1].value(), a[2].value()}; }
Vec3<double> derivative(const Vec3<Dual>& a, int d) {
  return {a[0].derivatives()[d], a[1].derivatives()[d], a[2].derivatives()[d]};
}
Mat3<double> value(const Mat3<Dual>& A) { return {value(A[0]), value(A[1]), value(A[2])}; }
Mat3<double> derivative(const Mat3<Dual>& A, int d) {
  return {derivative(A[0], d), derivative(A[1], d), derivative(A[2], d)};
}
LaneWrench<double> value(const LaneWrench<Dual>& a) { return {value(a.force), value(a.moment)}; }
LaneWrench<double> derivative(const LaneWrench<Dual>& a, int d) {
  return {derivative(a.force, d), derivative(a.moment, d)};
}
double component(const LaneTwist<double>& a, int c) { return c < 3 ? a.linear[c] : a.angular[c - 3]; }
double component(const LaneWrench<double>& a, int c) { return c < 3 ? a.force[c] : a.moment[c - 3]; }

// e_a, and e_a + e_b for the mixed ones, in the order of products_of.
const Vector3<double>& probe(int c) {
  static const std::array<Vector3<double>, 6> all{
      Vector3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  return all[static_cast<std::size_t>(c)];
}

// Coefficients of products_of(w), from values at the six probes. What only rounding has left of a difference is zero.
std::array<VectorXd, 6> quadratic_form(std::array<VectorXd, 6> values) {
  static constexpr double rounding = 1e-15;
  const auto subtract = [](VectorXd& from, const VectorXd& a, const VectorXd& b) {
    const VectorXd size = from.cwiseAbs() + a.cwiseAbs() + b.cwiseAbs();
    from -= a + b;
    from = (from.array().abs() > rounding * size.array()).select(from, 0.0);
  };
  subtract(values[3], values[0], values[1]);
  subtract(values[4], values[0], values[2]);
  subtract(values[5], values[1], values[2]);
  return values;
}

void set_masses(FreeLink& link, LinearBeam& beam) {
  const int m = beam.m;
  const LinkWork<Dual>& rest = link.at(Vector3<double>::Zero());
  beam.mass = rest.M_rr.mass.value();
  beam.h0 = value(rest.M_rr.moment);
  beam.I0 = value(rest.M_rr.inertia);
  for (int k = 0; k < m; ++k) beam.M_re0.push_back(value(rest.M_re[k]));
  const auto triangle = [m](const auto& element) {
    VectorXd list(triangle_size(m));
    for (int j = 0, at = 0; j < m; ++j)
      for (int k = 0; k <= j; ++k, ++at) list[at] = element(j, k);
    return list;
  };
  beam.M_ee = RowSum(triangle_size(m));
  beam.M_ee.add(0, triangle([&](int j, int k) { return rest.M_ee[j * m + k].value(); }));
  beam.M_re.resize(static_cast<std::size_t>(m * m));
  link.for_each_derivative(Vector3<double>::Zero(), false, [&](int j, const LinkWork<Dual>& l, int d) {
    beam.h.push_back(derivative(l.M_rr.moment, d));
    beam.I.push_back(derivative(l.M_rr.inertia, d));
    for (int k = 0; k < m; ++k) beam.M_re[static_cast<std::size_t>(k * m + j)] = derivative(l.M_re[k], d);
    beam.M_ee.add(1 + j, triangle([&](int i, int k) { return l.M_ee[i * m + k].derivatives()[d]; }));
  });
}

void set_forces(FreeLink& link, LinearBeam& beam) {
  const int m = beam.m;
  using Products = ElasticProducts;
  beam.forces = RowSum(m);
  const auto of_all = [m](const auto& element) {
    VectorXd list(m);
    for (int k = 0; k < m; ++k) list[k] = element(k);
    return list;
  };
  for (int c = 0; c < 6; ++c)
    beam.forces.add(Products::A + c,
                    of_all([&](int k) { return component(beam.M_re0[static_cast<std::size_t>(k)], c); }));
  // Quadratic in w.
  std::array<VectorXd, 6> constant;
  std::vector<std::array<VectorXd, 6>> linear(static_cast<std::size_t>(m));
  for (int c = 0; c < 6; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const LinkWork<Dual>& turning = link.at(probe(c));
    constant[at] = of_all([&](int k) { return turning.f_e[k].value(); });
    link.for_each_derivative(probe(c), false, [&](int j, const LinkWork<Dual>& l, int d) {
      linear[static_cast<std::size_t>(j)][at] = of_all([&](int k) { return l.f_e[k].derivatives()[d]; });
    });
  }
  constant = quadratic_form(constant);
  for (int c = 0; c < 6; ++c) beam.forces.add(Products::ww + c, constant[static_cast<std::size_t>(c)]);
  for (int j = 0; j < m; ++j) {
    const auto form = quadratic_form(linear[static_cast<std::size_t>(j)]);
    for (int c = 0; c < 6; ++c)
      beam.forces.add(Products::eta_ww(m) + 6 * j + c, form[static_cast<std::size_t>(c)]);
  }
  // Linear in w and etad.
  beam.n_j.resize(static_cast<std::size_t>(m));
  for (int a = 0; a < 3; ++a)
    link.for_each_derivative(probe(a), true, [&](int j, const LinkWork<Dual>& l, int d) {
      beam.n_j[static_cast<std::size_t>(j)][a] = derivative(l.f_r.moment, d);
      beam.forces.add(Products::etad_w(m) + 3 * j + a,
                      of_all([&](int k) { return l.f_e[k].derivatives()[d]; }));
    });
  for (int j = 0; j < m; ++j)
    for (int c = 0; c < 6; ++c)
      beam.forces.add(Products::eta_A(m) + 6 * j + c, of_all([&](int k) {
                        return component(beam.M_re[static_cast<std::size_t>(k * m + j)], c);
                      }));
}

// (4): G^T M G of the ten bodies with one unit number each.
void set_node_forms(LinearNode& node, int m) {
  node.to_elastic = RowSum(m);
  for (int c = 0; c < 6; ++c) {
    VectorXd row(m);
    for (int k = 0; k < m; ++k) row[k] = component(node.screws[static_cast<std::size_t>(k)], c);
    node.to_elastic.add(c, row);
  }
  node.inertia_to_elastic = RowSum(triangle_size(m));
  for (int p = 0; p < 10; ++p) {
    LaneInertia<double> body;
    if (p == 0) body.mass = 1.0;
    if (p >= 1 && p < 4) body.moment.set(p - 1, 1.0);
    constexpr int rows[] = {0, 1, 2, 0, 0, 1}, columns[] = {0, 1, 2, 1, 2, 2};  // NOLINT
    if (p >= 4) {
      body.inertia[columns[p - 4]].set(rows[p - 4], 1.0);
      body.inertia[rows[p - 4]].set(columns[p - 4], 1.0);
    }
    VectorXd row(triangle_size(m));
    for (int j = 0, at = 0; j < m; ++j) {
      const LaneWrench<double> momentum = body * node.screws[static_cast<std::size_t>(j)];
      for (int k = 0; k <= j; ++k, ++at) row[at] = dot(node.screws[static_cast<std::size_t>(k)], momentum);
    }
    node.inertia_to_elastic.add(p, row);
  }
}

void set_nodes(FreeLink& link, int count, LinearBeam& beam) {
  const int m = beam.m;
  const LinkWork<Dual>& rest = link.at(Vector3<double>::Zero());
  for (int n = 0; n < count; ++n) {
    LinearNode node;
    node.p0_RN = value(rest.nodes[n].p_RN);
    for (int j = 0; j < m; ++j)
      node.screws.push_back({value(rest.nodes[n].p_eta[j]), value(rest.nodes[n].w_eta[j])});
    set_node_forms(node, m);
    beam.nodes.push_back(std::move(node));
  }
  for (LinearNode& node : beam.nodes) node.screw_changes.resize(static_cast<std::size_t>(m * m));
  std::vector<double> largest(static_cast<std::size_t>(count), 0.0);
  link.for_each_derivative(Vector3<double>::Zero(), false, [&](int k, const LinkWork<Dual>& l, int d) {
    for (int n = 0; n < count; ++n)
      for (int j = 0; j < m; ++j) {
        const LaneTwist<double> change{derivative(l.nodes[n].p_eta[j], d),
                                       derivative(l.nodes[n].w_eta[j], d)};
        beam.nodes[static_cast<std::size_t>(n)].screw_changes[static_cast<std::size_t>(j * m + k)] = change;
        largest[static_cast<std::size_t>(n)] += change.vector().squaredNorm();
      }
  });
  for (int n = 0; n < count; ++n)
    if (largest[static_cast<std::size_t>(n)] == 0.0)
      beam.nodes[static_cast<std::size_t>(n)].screw_changes.clear();
}

}  // namespace

RowSum::RowSum(int results)
    : results_(results), padded_((results + Doubles::width - 1) / Doubles::width * Doubles::width) {}

void RowSum::add(int product, const VectorXd& coefficients) {
  if (coefficients.isZero(0.0)) return;
  products_.push_back(product);
  rows_.insert(rows_.end(), coefficients.data(), coefficients.data() + results_);
  rows_.resize(products_.size() * static_cast<std::size_t>(padded_), 0.0);
}

namespace {

// `packets` neighbouring packets of results, `sums` sums for each: one after the other they would wait for each other.
template <int packets, int sums>
LIMBER_INLINE void add_rows(double* results, const double* products, const std::vector<int>& of_rows,
                            const double* row, int padded) {
  constexpr int width = Doubles::width;
  const int count = static_cast<int>(of_rows.size());
  const int* index = of_rows.data();
  Doubles sum[sums][packets];  // NOLINT
  for (int p = 0; p < packets; ++p) {
    sum[0][p] = Doubles::load(results + p * width);
    for (int s = 1; s < sums; ++s) sum[s][p] = 0.0;
  }
  int r = 0;
  for (; r + sums <= count; r += sums)
    for (int s = 0; s < sums; ++s, row += padded) {
      const Doubles factor(products[index[r + s]]);
      for (int p = 0; p < packets; ++p) sum[s][p] = sum[s][p] + factor * Doubles::load(row + p * width);
    }
  for (; r < count; ++r, row += padded) {
    const Doubles factor(products[index[r]]);
    for (int p = 0; p < packets; ++p) sum[0][p] = sum[0][p] + factor * Doubles::load(row + p * width);
  }
  for (int p = 0; p < packets; ++p) {
    for (int s = 1; s < sums; ++s) sum[0][p] = sum[0][p] + sum[s][p];
    sum[0][p].store(results + p * width);
  }
}

}  // namespace

void RowSum::add_to(double* results, const double* products) const {
  constexpr int width = Doubles::width;
  int i = 0;
  for (; i + 3 * width <= padded_; i += 3 * width)
    add_rows<3, 2>(results + i, products, products_, rows_.data() + i, padded_);
  for (; i + 2 * width <= padded_; i += 2 * width)
    add_rows<2, 4>(results + i, products, products_, rows_.data() + i, padded_);
  for (; i < padded_; i += width) add_rows<1, 4>(results + i, products, products_, rows_.data() + i, padded_);
}

LinearBeam make_linear_beam(const Model& model, int link, bool constant_screws) {
  FreeLink alone(model, link, constant_screws);
  LinearBeam beam;
  beam.m = alone.m();
  set_masses(alone, beam);
  set_forces(alone, beam);
  set_nodes(alone, static_cast<int>(model.links()[static_cast<std::size_t>(link)].nodes.size()), beam);
  return beam;
}

}  // namespace limber
