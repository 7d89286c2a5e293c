// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/step_derivatives.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/coordinates.hpp"
#include "one_step.hpp"
#include "radau_tables.hpp"
#include "step_methods.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// ---- the arm at one stage ----

// Coefficients of (3) of configuration.hpp: P(z) = Sum c_k ad_z^k.
constexpr std::array<std::pair<int, double>, 8> exponential_rate{{{0, 1.0},
                                                                  {1, 1.0 / 2},
                                                                  {2, 1.0 / 12},
                                                                  {4, -1.0 / 720},
                                                                  {6, 1.0 / 30240},
                                                                  {8, -1.0 / 1209600},
                                                                  {10, 1.0 / 47900160},
                                                                  {12, -691.0 / 1307674368000}}};

}  // namespace

StageTangent::StageTangent(System& system)
    : system_(system),
      n_(system.nv()),
      m_(system.memory_size()),
      rates_(system.integral_count()),
      has_quaternions_(system.has_quaternions()),
      work_(std::make_shared<DerivativeWorkspace>(system.model())),
      stiffness_(elastic_stiffness(system.model())),
      damping_(damping_matrix(system.model())),
      moved_q_(system.nq()),
      moved_a_(system.nv()),
      way_(system.nv()) {
  stage.q.resize(system.nq());
  stage.v.resize(n_);
  stage.a.resize(n_);
  stage.integrals.setZero(system.integral_count());
}

void StageTangent::evaluate(double t, const VectorXd& q0, const VectorXd& z, const VectorXd& v,
                            const VectorXd& x) {
  stage.t = t;
  displace(system_.model(), q0, z, stage.q);
  stage.v = v;
  stage.integrals.tail(m_) = x;
  system_.accelerate(t, stage.q, stage.v, stage.integrals, stage.a, rates_);
  memory_rate = rates_.tail(m_);
  z_rate.resize(n_);
  displacement_rate(system_.model(), z, stage.v, z_rate);
}

// What acts at a state that is displaced along one coordinate: motors, less friction.
const VectorXd& StageTangent::forces_at(double along_q, double along_v, int coordinate) {
  way_.setZero();
  way_[coordinate] = along_q;
  displace(system_.model(), stage.q, way_, moved_q_);
  moved_v_ = stage.v;
  moved_v_[coordinate] += along_v;
  forces_ = system_.applied_forces(stage.t, moved_q_, moved_v_, stage.integrals, moved_a_).tau;
  return forces_;
}

// System::tangent is for iterations that converge with any: controllers need not tell it their slopes (Controller::add_gains). Here their forces are differenced, to fourth
// order; all else is exact. (Cylinders have no place among those forces: their arms keep what System knows.)
void StageTangent::find_tangent() {
  const Model& model = system_.model();
  if (!model.cylinders().empty())
    return system_.tangent(stage.t, stage.q, stage.v, stage.integrals, stage.a, tangent_);
  for (MatrixXd* matrix : {&tangent_.M, &tangent_.K, &tangent_.C}) matrix->resize(n_, n_);
  force_derivatives(model, *work_, stage.q, stage.v, stage.a, tangent_.K, tangent_.C, tangent_.M,
                    system_.active_loads());
  tangent_.K += stiffness_;
  tangent_.C += damping_;
  constexpr double dq = 1e-5, dv = 1e-6;
  for (int j = 0; j < n_; ++j)
    for (const auto& [k, weight] : {std::pair{1.0, 8.0 / 12}, std::pair{-1.0, -8.0 / 12},
                                    std::pair{2.0, -1.0 / 12}, std::pair{-2.0, 1.0 / 12}}) {
      tangent_.K.col(j) -= weight / dq * forces_at(k * dq, 0.0, j);
      tangent_.C.col(j) -= weight / dv * forces_at(0.0, k * dv, j);
    }
  for (const int link : system_.held_links()) {
    const int c = model.links()[static_cast<std::size_t>(link)].joint.driven_index();
    make_row_identity(tangent_.M, c);
    for (MatrixXd* matrix : {&tangent_.C, &tangent_.K}) clear_row_and_column(*matrix, c);
  }
}

// (1), and the matrices of (2) and (3) at z.
void StageTangent::differentiate(const VectorXd& z) {
  find_tangent();
  M_.compute(tangent_.M);
  a_d.noalias() = -M_.solve(tangent_.K);
  a_v.noalias() = -M_.solve(tangent_.C);
  if (m_ > 0) {
    system_.memory_slopes(stage.t, stage.q, stage.v, stage.integrals, slopes_);
    a_x = M_.solve(slopes_.force);
  } else {
    a_x.resize(n_, 0);
  }
  if (has_quaternions_) find_maps(z);
}

void StageTangent::find_maps(const VectorXd& z) {
  const MatrixXd ad = displacement_coupling(system_.model(), z);
  std::vector<MatrixXd> powers = {MatrixXd::Identity(n_, n_)};
  for (int k = 1; k <= exponential_rate.back().first; ++k) powers.push_back(powers.back() * ad);
  P_.setZero(n_, n_);
  P_back_.setZero(n_, n_);
  by_z_.setZero(n_, n_);
  for (const auto& [k, c] : exponential_rate) {
    const MatrixXd& power = powers[static_cast<std::size_t>(k)];
    P_ += c * power;
    P_back_ += (k % 2 == 0 ? c : -c) * power;
    // d(ad^k v) = Sum ad^i (dz x) ad^(k-1-i) v, and (dz x) w = -(w x) dz.
    for (int i = 0; i < k; ++i) {
      const VectorXd w = powers[static_cast<std::size_t>(k - 1 - i)] * stage.v;
      by_z_ -= c * powers[static_cast<std::size_t>(i)] * displacement_coupling(system_.model(), w);
    }
  }
  P_inverse_ = P_.inverse();
}

MatrixXd StageTangent::stage_displacement(const Eigen::Ref<const MatrixXd>& d0, const MatrixXd& dz) const {
  if (!has_quaternions_) return d0 + dz;
  return P_inverse_ * (P_back_ * d0 + dz);
}

MatrixXd StageTangent::z_rate_change(const MatrixXd& dz, const MatrixXd& dv) const {
  if (!has_quaternions_) return dv;
  return by_z_ * dz + P_ * dv;
}

MatrixXd StageTangent::acceleration_change(const MatrixXd& d, const MatrixXd& dv, const MatrixXd& dx) const {
  MatrixXd change = a_d * d + a_v * dv;
  if (m_ > 0) change += a_x * dx;
  return change;
}

MatrixXd StageTangent::memory_change(const MatrixXd& d, const MatrixXd& dv, const MatrixXd& dx) const {
  if (m_ == 0) return MatrixXd::Zero(0, d.cols());
  return slopes_.dq * d + slopes_.dv * dv + slopes_.dx * dx;
}

void StageTangent::find_sources(const StepSource& source, Index columns) {
  force.setZero(n_, columns);
  rates.setZero(m_, columns);
  if (!source) return;
  source(stage, force, rates);
  for (const int link : system_.held_links()) {
    const Joint& joint = system_.model().links()[static_cast<std::size_t>(link)].joint;
    force.row(joint.driven_index()).setZero();
  }
  force = M_.solve(force);
}

MatrixXd StageTangent::jacobian() const {
  const Index N = 2 * n_ + m_;
  MatrixXd J = MatrixXd::Zero(N, N);
  const MatrixXd one = MatrixXd::Identity(n_, n_);
  const MatrixXd& P_inverse = has_quaternions_ ? P_inverse_ : one;
  if (has_quaternions_) J.topLeftCorner(n_, n_) = by_z_;
  J.block(0, n_, n_, n_) = has_quaternions_ ? P_ : one;
  J.block(n_, 0, n_, n_) = has_quaternions_ ? MatrixXd(a_d * P_inverse) : a_d;
  J.block(n_, n_, n_, n_) = a_v;
  if (m_ > 0) {
    J.block(n_, 2 * n_, n_, m_) = a_x;
    J.block(2 * n_, 0, m_, n_) = slopes_.dq * P_inverse;
    J.block(2 * n_, n_, m_, n_) = slopes_.dv;
    J.bottomRightCorner(m_, m_) = slopes_.dx;
  }
  return J;
}

// ---- methods ----

namespace {

/// What a step begins with, and ends with.
struct Along {
  StepStage at;
  MatrixXd changes;
  int n, m;

  auto d() const { return changes.topRows(n); }
  auto v() const { return changes.middleRows(n, n); }
  auto x() const { return changes.bottomRows(m); }
  VectorXd memory() const { return at.integrals.tail(m); }
};

void end_step(System& system, Along& along, double t, const StageTangent& maps, const VectorXd& z,
              const VectorXd& v, const VectorXd& x, const MatrixXd& dz, const MatrixXd& dv,
              const MatrixXd& dx) {
  const VectorXd q0 = along.at.q;
  displace(system.model(), q0, z, along.at.q);
  along.at.v = v;
  along.at.t = t;
  along.at.integrals.tail(along.m) = x;
  system.apply_prescribed(t, along.at.q, along.at.v);
  const MatrixXd d = maps.stage_displacement(along.d(), dz);
  along.changes << d, dv, dx;
}

[[noreturn]] void refuse_step(const char* method) {
  throw ComputationError(
      fmt::format("the equations of a step of {} could not be solved. Take a shorter step", method));
}

/// Whether Newton's iteration has come to rounding: changes that have become small no longer shrink.
class Convergence {
 public:
  enum class Verdict { goes_on, done, failed };
  Verdict judge(double change, double size) {
    constexpr double small = 1e-9, rounding = 1e-15;
    constexpr int most = 30;
    if (!std::isfinite(change)) return Verdict::failed;
    if (change <= rounding * size || (change <= small * size && change > 0.25 * last_)) return Verdict::done;
    last_ = change;
    return ++count_ < most ? Verdict::goes_on : Verdict::failed;
  }

 private:
  double last_ = std::numeric_limits<double>::infinity();
  int count_ = 0;
};

}  // namespace

/// A method's step, on an Along.
class StepMethod {
 public:
  explicit StepMethod(System& system) : system_(system) {}
  virtual ~StepMethod() = default;
  /// `anew`: nothing is known of before; else inputs have changed.
  virtual void begin(Along&, const StepSource&, bool /*anew*/) {}
  virtual void step(Along& along, double h, const StepSource& source) = 0;
  /// StepDifferentiator::stages().
  virtual int stages() const { return 0; }

 protected:
  System& system_;
};

namespace {

/// (3) with a_ij below the diagonal only.
class ExplicitStep : public StepMethod {
 public:
  ExplicitStep(System& system, MatrixXd A, VectorXd b)
      : StepMethod(system), A_(std::move(A)), b_(std::move(b)), stages_(b_.size(), StageTangent(system)) {}

  void step(Along& along, double h, const StepSource& source) override {
    const Index s = b_.size(), k = along.changes.cols();
    const VectorXd q0 = along.at.q, v0 = along.at.v, x0 = along.memory();
    std::vector<MatrixXd> kz, kv, kx;
    for (Index i = 0; i < s; ++i) {
      VectorXd z = VectorXd::Zero(along.n), v = v0, x = x0;
      MatrixXd dz = MatrixXd::Zero(along.n, k), dv = along.v(), dx = along.x();
      add(A_.row(i).head(i).transpose(), h, z, v, x);
      add_changes(A_.row(i).head(i).transpose(), h, kz, kv, kx, dz, dv, dx);
      StageTangent& stage = stages_[static_cast<std::size_t>(i)];
      stage.evaluate(along.at.t + h * A_.row(i).sum(), q0, z, v, x);
      stage.differentiate(z);
      stage.find_sources(source, k);
      const MatrixXd d = stage.stage_displacement(along.d(), dz);
      kz.push_back(stage.z_rate_change(dz, dv));
      kv.push_back(stage.acceleration_change(d, dv, dx) + stage.force);
      kx.push_back(stage.memory_change(d, dv, dx) + stage.rates);
    }
    VectorXd z = VectorXd::Zero(along.n), v = v0, x = x0;
    MatrixXd dz = MatrixXd::Zero(along.n, k), dv = along.v(), dx = along.x();
    add(b_, h, z, v, x);
    add_changes(b_, h, kz, kv, kx, dz, dv, dx);
    StageTangent& last = stages_.back();
    if (system_.has_quaternions()) last.find_maps(z);
    end_step(system_, along, along.at.t + h, last, z, v, x, dz, dv, dx);
  }
  int stages() const override { return static_cast<int>(stages_.size()); }

 private:
  void add(const VectorXd& weights, double h, VectorXd& z, VectorXd& v, VectorXd& x) const {
    for (Index j = 0; j < weights.size(); ++j) {
      const StageTangent& stage = stages_[static_cast<std::size_t>(j)];
      z += h * weights[j] * stage.z_rate;
      v += h * weights[j] * stage.stage.a;
      x += h * weights[j] * stage.memory_rate;
    }
  }
  static void add_changes(const VectorXd& weights, double h, const std::vector<MatrixXd>& kz,
                          const std::vector<MatrixXd>& kv, const std::vector<MatrixXd>& kx, MatrixXd& dz,
                          MatrixXd& dv, MatrixXd& dx) {
    for (Index j = 0; j < weights.size(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      dz += h * weights[j] * kz[at];
      dv += h * weights[j] * kv[at];
      dx += h * weights[j] * kx[at];
    }
  }

  MatrixXd A_;
  VectorXd b_;
  std::vector<StageTangent> stages_;
};

/// (3) with a full table whose last stage is the end: unknown are U_i = [z_i; v_i - v_0; x_i - x_0], U_i = h Sum a_ij f_j(U_j).
class RadauStep : public StepMethod {
 public:
  RadauStep(System& system, int s)
      : StepMethod(system),
        table_(radau_tables(s)),
        s_(s),
        stages_(static_cast<std::size_t>(s), StageTangent(system)) {}

  void step(Along& along, double h, const StepSource& source) override {
    const Index N = along.changes.rows(), n = along.n, m = along.m, k = along.changes.cols();
    solve(along, h);
    MatrixXd right = MatrixXd::Zero(s_ * N, k);
    for (Index j = 0; j < s_; ++j) {
      StageTangent& stage = stages_[static_cast<std::size_t>(j)];
      stage.find_sources(source, k);
      const MatrixXd still = MatrixXd::Zero(n, k), d = stage.stage_displacement(along.d(), still);
      MatrixXd f(N, k);
      f << stage.z_rate_change(still, along.v()),
          stage.acceleration_change(d, along.v(), along.x()) + stage.force,
          stage.memory_change(d, along.v(), along.x()) + stage.rates;
      for (Index i = 0; i < s_; ++i) right.middleRows(i * N, N) += h * table_.A(i, j) * f;
    }
    const MatrixXd dU = lu_.solve(right);
    const VectorXd end = U_.tail(N);
    const MatrixXd change = dU.bottomRows(N);
    end_step(system_, along, along.at.t + h, stages_.back(), end.head(n), along.at.v + end.segment(n, n),
             along.memory() + end.tail(m), change.topRows(n), along.v() + change.middleRows(n, n),
             along.x() + change.bottomRows(m));
  }
  int stages() const override { return static_cast<int>(stages_.size()); }

 private:
  // Leaves stages differentiated where the equations hold, and their matrix factored.
  void solve(const Along& along, double h) {
    const Index N = along.changes.rows(), n = along.n, m = along.m;
    U_.setZero(s_ * N);
    for (Index i = 0; i < s_; ++i) U_.segment(i * N, n) = h * table_.c[i] * along.at.v;
    Convergence convergence;
    for (auto verdict = Convergence::Verdict::goes_on; verdict == Convergence::Verdict::goes_on;) {
      VectorXd residual = -U_;
      matrix_.setIdentity(s_ * N, s_ * N);
      for (Index j = 0; j < s_; ++j) {
        StageTangent& stage = stages_[static_cast<std::size_t>(j)];
        const VectorXd u = U_.segment(j * N, N);
        stage.evaluate(along.at.t + h * table_.c[j], along.at.q, u.head(n), along.at.v + u.segment(n, n),
                       along.memory() + u.tail(m));
        stage.differentiate(u.head(n));
        VectorXd f(N);
        f << stage.z_rate, stage.stage.a, stage.memory_rate;
        const MatrixXd J = stage.jacobian();
        for (Index i = 0; i < s_; ++i) {
          residual.segment(i * N, N) += h * table_.A(i, j) * f;
          matrix_.block(i * N, j * N, N, N) -= h * table_.A(i, j) * J;
        }
      }
      lu_.compute(matrix_);
      const VectorXd change = lu_.solve(residual);
      U_ += change;
      verdict = convergence.judge(weigh(change, n, N), weigh(U_, n, N) + h * along.at.v.norm());
      if (verdict == Convergence::Verdict::failed) refuse_step("radau");
    }
  }
  // Positions and velocities differ by the time in which they change; what changes positions counts.
  static double weigh(const VectorXd& U, Index n, Index N) {
    double sum = 0.0;
    for (Index i = 0; i < U.size(); i += N) sum += U.segment(i, n).squaredNorm();
    return std::sqrt(sum);
  }

  RadauTables table_;
  Index s_;
  std::vector<StageTangent> stages_;
  VectorXd U_;
  MatrixXd matrix_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

/// Equations (1) and (2) of generalized_alpha.cpp, and their differentials.
class GeneralizedAlphaStep : public StepMethod {
 public:
  GeneralizedAlphaStep(System& system, const GeneralizedAlphaNumbers& numbers)
      : StepMethod(system), numbers_(numbers), end_(system) {}

  void begin(Along& along, const StepSource& source, bool anew) override {
    const VectorXd still = VectorXd::Zero(along.n);
    end_.evaluate(along.at.t, along.at.q, still, along.at.v, along.memory());
    end_.differentiate(still);
    end_.find_sources(source, along.changes.cols());
    const MatrixXd change = end_.acceleration_change(along.d(), along.v(), along.x()) + end_.force;
    if (anew) {
      b_ = end_.stage.a;
      db_ = change;
    } else {
      b_ += end_.stage.a - a_;
      db_ += change - da_;
    }
    a_ = along.at.a = end_.stage.a;
    da_ = change;
    rate_ = end_.memory_rate;
    drate_ = end_.memory_change(along.d(), along.v(), along.x()) + end_.rates;
  }

  void step(Along& along, double h, const StepSource& source) override {
    const Index n = along.n, m = along.m, k = along.changes.cols();
    const GeneralizedAlphaNumbers& g = numbers_;
    const double share = (1.0 - g.alpha_f) / (1.0 - g.alpha_m), velocity = h * g.gamma * share,
                 position = h * h * g.beta * share;
    VectorXd a = a_, x = along.memory() + h * rate_, b, z, v;
    Eigen::PartialPivLU<MatrixXd> lu;
    Convergence convergence;
    for (auto verdict = Convergence::Verdict::goes_on; verdict == Convergence::Verdict::goes_on;) {
      b = ((1.0 - g.alpha_f) * a + g.alpha_f * a_ - g.alpha_m * b_) / (1.0 - g.alpha_m);
      z = h * along.at.v + (h * h) * ((0.5 - g.beta) * b_ + g.beta * b);
      v = along.at.v + h * ((1.0 - g.gamma) * b_ + g.gamma * b);
      end_.evaluate(along.at.t + h, along.at.q, z, v, x);
      end_.differentiate(z);
      VectorXd residual(n + m);
      residual << end_.stage.a - a, along.memory() - x + 0.5 * h * (rate_ + end_.memory_rate);
      const MatrixXd J = end_.jacobian();
      MatrixXd matrix = MatrixXd::Identity(n + m, n + m);
      const auto by_motion = [&](Index first, Index rows) {
        return MatrixXd(position * J.block(first, 0, rows, n) + velocity * J.block(first, n, rows, n));
      };
      matrix.topLeftCorner(n, n) -= by_motion(n, n);
      matrix.topRightCorner(n, m) -= J.block(n, 2 * n, n, m);
      matrix.bottomLeftCorner(m, n) -= 0.5 * h * by_motion(2 * n, m);
      matrix.bottomRightCorner(m, m) -= 0.5 * h * J.bottomRightCorner(m, m);
      lu.compute(matrix);
      const VectorXd change = lu.solve(residual);
      a += change.head(n);
      x += change.tail(m);
      verdict = convergence.judge(change.head(n).norm(), a.norm() + along.at.v.norm() / h);
      if (verdict == Convergence::Verdict::failed) refuse_step("generalized-alpha");
    }
    end_.find_sources(source, k);
    // What is known of db, dz, dv before da_1 is, and then with it.
    const MatrixXd db_known = (g.alpha_f * da_ - g.alpha_m * db_) / (1.0 - g.alpha_m);
    const MatrixXd dz_known = h * along.v() + (h * h) * ((0.5 - g.beta) * db_ + g.beta * db_known);
    const MatrixXd dv_known = along.v() + h * ((1.0 - g.gamma) * db_ + g.gamma * db_known);
    const MatrixXd dx_known = along.x() + 0.5 * h * drate_, none = MatrixXd::Zero(m, k);
    const MatrixXd d_known = end_.stage_displacement(along.d(), dz_known);
    MatrixXd right(n + m, k);
    right << end_.acceleration_change(d_known, dv_known, none) + end_.force,
        dx_known + 0.5 * h * (end_.memory_change(d_known, dv_known, none) + end_.rates);
    const MatrixXd solution = lu.solve(right), da = solution.topRows(n), dx = solution.bottomRows(m);
    const MatrixXd db = db_known + share * da, dz = dz_known + position * da, dv = dv_known + velocity * da;
    drate_ = (2.0 / h) * (dx - along.x()) - drate_;
    end_step(system_, along, along.at.t + h, end_, z, v, x, dz, dv, dx);
    rate_ = end_.memory_rate;
    a_ = along.at.a = end_.stage.a;
    b_ = b;
    da_ = da;
    db_ = db;
  }

 private:
  GeneralizedAlphaNumbers numbers_;
  StageTangent end_;
  VectorXd a_, b_, rate_;
  MatrixXd da_, db_, drate_;
};

std::unique_ptr<StepMethod> make_step(System& system, const IntegrationMethod& method) {
  if (std::holds_alternative<integrators::Euler>(method))
    return std::make_unique<ExplicitStep>(system, MatrixXd::Zero(1, 1), VectorXd::Ones(1));
  if (std::holds_alternative<integrators::Rk4>(method)) {
    MatrixXd A = MatrixXd::Zero(4, 4);
    A(1, 0) = A(2, 1) = 0.5;
    A(3, 2) = 1.0;
    return std::make_unique<ExplicitStep>(system, A, Eigen::Vector4d(1.0, 2.0, 2.0, 1.0) / 6.0);
  }
  if (const auto* alpha = std::get_if<integrators::GeneralizedAlpha>(&method))
    return std::make_unique<GeneralizedAlphaStep>(system, generalized_alpha_numbers(*alpha));
  if (std::holds_alternative<integrators::Radau>(method)) return std::make_unique<RadauStep>(system, 3);
  if (std::holds_alternative<integrators::Radau9>(method)) return std::make_unique<RadauStep>(system, 5);
  if (std::holds_alternative<integrators::Radau13>(method)) return std::make_unique<RadauStep>(system, 7);
  throw InputError(Problem{"integrator.method",
                           "a method whose steps have derivatives: euler, rk4, generalized-alpha, radau, "
                           "radau9, radau13",
                           type_name(method), "name one of them"});
}

/// The longest step that the description allows; infinite where it says nothing.
double longest_step(const IntegrationMethod& method) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.max_step; })
          return one.max_step.value_or(std::numeric_limits<double>::infinity());
        else
          return one.step;
      },
      method);
}

}  // namespace

struct StepDifferentiator::Inside {
  System& system;
  std::unique_ptr<StepMethod> method;
  bool is_fixed;
  double longest;
  Along along;

  void clear_held() {
    for (const int link : system.held_links()) {
      const Joint& joint = system.model().links()[static_cast<std::size_t>(link)].joint;
      along.changes.row(joint.driven_index()).setZero();
      along.changes.row(along.n + joint.driven_index()).setZero();
    }
  }
};

StepDifferentiator::StepDifferentiator(System& system, const IntegratorDescription& integrator)
    : inside_(std::make_unique<Inside>(
          Inside{system, make_step(system, integrator.method), fixed_step(integrator.method).has_value(),
                 longest_step(integrator.method), Along{{}, {}, system.nv(), system.memory_size()}})) {
  if (system.has_loops())
    throw InputError(Problem{"loops", "a tree, of which steps are differentiated", "closed loops",
                             "steps are projected to where loops close, which has no derivative here"});
}

StepDifferentiator::~StepDifferentiator() = default;
StepDifferentiator::StepDifferentiator(StepDifferentiator&&) noexcept = default;
StepDifferentiator& StepDifferentiator::operator=(StepDifferentiator&&) noexcept = default;

int StepDifferentiator::size() const { return 2 * inside_->along.n + inside_->along.m; }
int StepDifferentiator::stages() const { return inside_->method->stages(); }
const StepStage& StepDifferentiator::state() const { return inside_->along.at; }
MatrixXd& StepDifferentiator::changes() { return inside_->along.changes; }

void StepDifferentiator::begin(double t, const Input<double>& q, const Input<double>& v,
                               const Input<double>& x, const MatrixXd& changes, const StepSource& source) {
  Along& along = inside_->along;
  const char* const name = "StepDifferentiator::begin";
  const detail::Call call{name, inside_->system.model()};
  call.require_position("q", q);
  call.require_velocity("v", v);
  detail::require_extent(name, "x", x, along.m, 1);
  detail::require_extent(name, "changes", changes, size(), changes.cols());
  along.at.t = t;
  along.at.q = q;
  along.at.v = v;
  along.at.integrals.setZero(inside_->system.integral_count());
  along.at.integrals.tail(along.m) = x;
  along.at.a.setZero(along.n);
  along.changes = changes;
  inside_->clear_held();
  inside_->method->begin(along, source, true);
}

void StepDifferentiator::inputs_changed(const StepSource& source) {
  inside_->method->begin(inside_->along, source, false);
}

void StepDifferentiator::step(double h, const StepSource& source) {
  inside_->method->step(inside_->along, h, source);
  inside_->clear_held();
}

void StepDifferentiator::advance_to(double t, const StepSource& source) {
  Inside& in = *inside_;
  System& system = in.system;
  const double resolution = system.time_resolution();
  while (t - in.along.at.t > resolution) {
    const double from = in.along.at.t, corner = system.next_corner(from),
                 end = std::isfinite(corner) && corner < t - resolution ? corner : t;
    system.enter_interval(0.5 * (from + end));
    in.method->begin(in.along, source, false);
    const Pace pace = system.pace(from);
    const double longest = in.is_fixed ? std::min(in.longest, 0.25 * pace.longest)
                                       : std::min({in.longest, pace.longest, end - from});
    if (!in.is_fixed) {
      const double count = std::ceil((end - from) / longest - 1e-6);
      for (double i = 1.0; i <= count; ++i) step(from + i * (end - from) / count - in.along.at.t, source);
    } else {
      while (end - in.along.at.t > resolution)
        step(fixed_step_from(in.along.at.t, end, in.longest, pace.longest, end).h, source);
    }
    in.along.at.t = end;
  }
}

// ---- one call ----

namespace {

void require_differentiable(const Scenario& scenario) {
  if (scenario.formulation == FormulationKind::dual_screw)
    throw InputError(Problem{"formulation", "the arm's own equations of motion",
                             "dual-screw, which simplifies them", "take recursive"});
  for (const auto& controller : scenario.controllers)
    if (controller->rate() > 0.0)
      throw InputError(Problem{"actuation", "continuous controllers, or none",
                               fmt::format("one that is sampled {} times a second", controller->rate()),
                               "derivatives of a step are those of the arm between samples"});
}

DiscreteDerivatives differentiate(System& system, const IntegratorDescription& integrator,
                                  const Input<double>& q, const Input<double>& v,
                                  const Input<double>& efforts, double h, double t, const VectorXd& x) {
  const int N = 2 * system.nv() + system.memory_size();
  StepDifferentiator steps(system, integrator);
  system.set_efforts(efforts);
  system.enter_interval(t + 0.5 * std::min(h, system.next_corner(t) - t));
  MatrixXd inputs = input_matrix(system.model());
  const VectorXd memory = x.size() == 0 ? VectorXd::Zero(system.memory_size()) : x;
  VectorXd q0 = q, v0 = v, integrals = VectorXd::Zero(system.integral_count());
  detail::require_extent("discrete_derivatives", "x", memory, system.memory_size(), 1);
  integrals.tail(memory.size()) = memory;
  system.apply_prescribed(t, q0, v0);
  // Motors at their limits do not follow.
  System::Forces forces;
  system.forces(t, q0, v0, integrals, forces);
  const std::vector<int> driven = joint_coordinates(system.model());
  for (std::size_t j = 0; j < driven.size(); ++j)
    if (forces.efforts[driven[j]] != forces.asked[driven[j]]) inputs.col(static_cast<Index>(j)).setZero();
  MatrixXd changes = MatrixXd::Zero(N, N + inputs.cols());
  changes.leftCols(N).setIdentity();
  const StepSource source = [&](const StepStage&, MatrixXd& force, MatrixXd&) {
    force.rightCols(inputs.cols()) = inputs;
  };
  steps.begin(t, q0, v0, memory, changes, source);
  steps.advance_to(t + h, source);
  const StepStage& end = steps.state();
  return {end.q, end.v, end.integrals.tail(memory.size()), steps.changes().leftCols(N),
          steps.changes().rightCols(inputs.cols())};
}

}  // namespace

DiscreteDerivatives discrete_derivatives(Scenario& scenario, const Input<double>& q, const Input<double>& v,
                                         const Input<double>& efforts, double h, double t,
                                         const VectorXd& x) {
  const detail::Call call{"discrete_derivatives", scenario.model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("efforts", efforts);
  if (!(h > 0.0) || !std::isfinite(h))
    throw InputError(Problem{"discrete_derivatives: h", "a time > 0 [s]", fmt::format("{}", h), ""});
  require_differentiable(scenario);
  System system(scenario);
  return differentiate(system, scenario.integrator, q, v, efforts, h, t, x);
}

DiscreteSecondDerivatives discrete_second_derivatives(Scenario& scenario, const Input<double>& q,
                                                      const Input<double>& v, const Input<double>& efforts,
                                                      double h, const VectorXd& ds, const VectorXd& du,
                                                      double t, const VectorXd& x) {
  const std::vector<int> driven = joint_coordinates(scenario.model);
  const int n = scenario.model.nv(), m = memory_size(scenario);
  const char* const name = "discrete_second_derivatives";
  detail::require_extent(name, "ds", ds, 2 * n + m, 1);
  detail::require_extent(name, "du", du, static_cast<Index>(driven.size()), 1);
  require_differentiable(scenario);
  System system(scenario);
  // Fourth order: the error is e^4/30 of the fifth derivative, rounding 1e-16/e.
  constexpr double e = 2e-3;
  constexpr std::array<std::pair<double, double>, 4> weights{
      {{1.0, 8.0 / 12}, {-1.0, -8.0 / 12}, {2.0, -1.0 / 12}, {-2.0, 1.0 / 12}}};
  DiscreteSecondDerivatives result;
  const VectorXd memory = x.size() == 0 ? VectorXd::Zero(m) : x;
  for (const auto& [k, weight] : weights) {
    VectorXd moved(scenario.model.nq()), forced = efforts;
    displace(scenario.model, q, k * e * ds.head(n), moved);
    for (std::size_t j = 0; j < driven.size(); ++j) forced[driven[j]] += k * e * du[static_cast<Index>(j)];
    const DiscreteDerivatives there =
        differentiate(system, scenario.integrator, moved, v + k * e * ds.segment(n, n), forced, h, t,
                      memory + k * e * ds.tail(m));
    if (result.A.size() == 0) {
      result.A.setZero(there.A.rows(), there.A.cols());
      result.B.setZero(there.B.rows(), there.B.cols());
    }
    result.A += weight / e * there.A;
    result.B += weight / e * there.B;
  }
  return result;
}

}  // namespace limber
