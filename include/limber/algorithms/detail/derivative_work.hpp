// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a DerivativeWorkspace holds. Equations: limber/algorithms/derivatives.hpp. Everything is about O in the world's axes unless a name says R.

#include <memory>
#include <vector>

#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/motion_columns.hpp"
#include "limber/math/dual.hpp"

namespace limber::detail {

/// What all that a coordinate moves answers: P, Y, Z of (6), and the changes of the wrench on its link by q and v, (7).
struct Row {
  LaneWrench<double> P;
  Vec3<double> Y, Z;
  LaneWrench<double> F_q, F_v;
};

/// Forces (or momenta) that keep their directions while what they act on turns by xi_w: [xi_w x force; moment xi_w], of (5).
struct Turning {
  Vec3<double> force;
  Mat3<double> moment;

  LIMBER_INLINE static Turning zero() { return {Vec3<double>::zero(), Mat3<double>::zero()}; }
  LIMBER_INLINE Turning& operator+=(const Turning& other) {
    force += other.force;
    moment += other.moment;
    return *this;
  }
  LIMBER_INLINE LaneWrench<double> operator*(const Vec3<double>& xi_w) const {
    return {cross(xi_w, force), moment * xi_w};
  }
  /// The transpose, times a motion.
  LIMBER_INLINE Vec3<double> in_row_of(const LaneTwist<double>& J) const {
    return cross(force, J.linear) + transposed_times(moment, J.angular);
  }
};

/// All that moves with a frame as one body while only what carries it moves.
struct CarriedBody {
  LaneInertia<double> inertia;
  Turning momentum;  ///< p and N
  Turning load;      ///< of external forces that keep the world's axes
  LaneWrench<double> wrench;

  LIMBER_INLINE static CarriedBody zero() {
    return {{0.0, Vec3<double>::zero(), Mat3<double>::zero()},
            Turning::zero(),
            Turning::zero(),
            LaneWrench<double>::zero()};
  }
  LIMBER_INLINE CarriedBody& operator+=(const CarriedBody& other) {
    inertia += other.inertia;
    momentum += other.momentum;
    load += other.load;
    wrench += other.wrench;
    return *this;
  }
};

/// A node of a flexible link.
struct DerivativeNode {
  bool carries = false;         ///< a link, a lump, or a load: else there is nothing to do
  bool always_carries = false;  ///< whatever the loads
  CarriedBody body;
  Turning held;  ///< as body.load, of forces that keep the axes of the link's B: for its own coordinates
  std::vector<Column> columns;  ///< one per elastic coordinate
};

/// One derivative of a term: dmu_term/deta_coordinate = 1, or eta_factor (at second order; -1: 1).
struct Incidence {
  int term, axis, coordinate, factor;
};

struct DerivativeLink {
  int depth = 0;               ///< coordinates that carry it, before its joint's own
  Vec3<double> rho;            ///< from O to R's origin
  LaneTwist<double> V_R, A_R;  ///< true ones of R's origin, in the world's axes
  SpatialMotion motion;
  CarriedBody body;
  std::vector<Column> columns;  ///< of its joint
  std::vector<Row> rows;        ///< of joint and elastic coordinates; the latter's without what is in rows_R
  // ---- of a flexible link ----
  int m_filled = 0;  ///< m, filled up
  std::vector<DerivativeNode> nodes;
  std::vector<Row> rows_R;      ///< of its field and sections: about R's origin, in its axes; Z is not used
  std::vector<double> K, C, M;  ///< (8) and the field's part: column j from j m_filled on
  // Of a body's field by its own coordinates z (field_coordinates.hpp).
  std::vector<Row> rows_z;
  std::vector<double> K_z, C_z, B_second;  ///< the last: B(etadd)
  std::vector<Incidence> incidences;
  std::vector<double> G;  ///< Int F_a p_k: (a, axis) x k, filled up; constant at first order
  std::vector<Vec3<double>> velocity_sums, force_sums;  ///< Int F_b dr/dt, Int F_b d^2r/dt^2
  std::vector<Vec3<double>> theta_eta;                  ///< dtheta/deta of a node
  std::vector<double> section_sums;                     ///< of packets, each filled up
};

struct DerivativeKernels;

/// Numbers of a column on the stack: J, U_q, W_q, W_v.
inline constexpr int derivative_column_rows = 21;

/// Numbers in the widest register of any level, to which columns are filled up.
inline constexpr int widest_register = 8;
/// Rows that are swept together when M is inverted: a number of it is then loaded and stored once for all of them.
inline constexpr int swept_together = 4;

struct DerivativeWork {
  DerivativeWork(const Model& model, Kernels choice);

  const DerivativeKernels* kernels;
  Workspace<double> arm;
  std::vector<DerivativeLink> links;
  bool is_chain = true;    ///< of any two coordinates one carries the other
  std::vector<int> order;  ///< of links, depth first: columns that carry a link then stand side by side
  // Columns that carry the link at hand: rows of numbers, and the coordinate of each.
  int stride = 0;
  std::vector<double> stack;
  std::vector<int> path;
  bool has_world_loads = false;
  // Scratch of nv.
  Eigen::VectorXd tau, acceleration;
  // For forward dynamics.
  Eigen::MatrixXd stiffness, damping, mass_matrix;
  std::vector<double> inverse, factors;  ///< columns of the inverse are `stride` apart
  /// By dual numbers, for arms with telescoping beams.
  struct Duals {
    explicit Duals(const Model& model);
    Workspace<Dual> arm;
    VectorX<Dual> q, v, qdd, forces, passive;
    Eigen::VectorXd unit, along;
  };
  std::unique_ptr<Duals> duals;
};

/// The sweeps of derivatives, compiled once per level of processors.
struct DerivativeKernels {
  using Loads = std::vector<Load>;
  /// Columns are `stride` numbers apart.
  struct Matrices {
    double *dq, *dv, *da;
    Eigen::Index dq_stride, dv_stride, da_stride;
  };
  void (*force_derivatives)(const Model&, DerivativeWork&, const double* q, const double* v,
                            const double* qdd, const Loads&, const Matrices&);
  /// (9), from df/dq, df/dv and M: the latter in work.mass_matrix.
  void (*solve)(DerivativeWork&, DynamicsDerivatives&);
};
const DerivativeKernels& chosen_derivative_kernels();

}  // namespace limber::detail
