// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a Workspace holds: everything that depends on the state, and the model's constants as numbers of the chosen scalar. Its layout
// does not depend on the flags of the compiler, so that kernels of every processor level (kernel_table.hpp) work in it.
//
// Symbols: docs/notation.md has a table of all of them, with axes and producer.
//
// Working frame. All of a link's quantities are expressed in its root frame R: a beam lies along x of R, and its shape
// integrals are sparse there. R is fixed in B, so the joint's motion subspace S is constant in R (but for the universal joint's first
// axis). Where a user sees B (wrenches), results are converted. P is the root frame of the parent (W on the ground), N the node of the
// parent on which the link sits; on a rigid parent and on the ground N is P.
//
// 6-vectors: linear first. Accelerations are true accelerations of a frame's origin.

#include <memory>
#include <memory_resource>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/math/detail/lanes.hpp"
#include "limber/math/detail/packets.hpp"
#include "limber/model/detail/joint_work.hpp"
#include "limber/model/model.hpp"

namespace limber::detail {

/// Arrays of a workspace lie one after the other in memory. (A copy of a workspace is valid, but not so tidy.)
template <typename Element>
using Array = std::pmr::vector<Element>;
using Memory = std::pmr::memory_resource;

/// Rows are filled up to a multiple of this, which is one of the width of every level's packets.
inline constexpr int widest_packet = 4;
/// The next multiple.
constexpr int filled_up(int count) { return (count + widest_packet - 1) / widest_packet * widest_packet; }

/// A node N of a flexible link and how it moves: constants, then what kinematics fills in, all in the axes of the link's R.
/// One element per elastic coordinate; Phi2 and Psi2 are m x m by rows, each element the three axes.
template <typename Scalar>
struct NodeWork {
  explicit NodeWork(Memory* memory)
      : Phi(memory), Psi(memory), Phi2(memory), Psi2(memory), p_eta(memory), w_eta(memory) {}

  // Constants (field.hpp).
  Vec3<Scalar> p0_RN;  ///< p_RN at rest
  Array<Vec3<Scalar>> Phi, Psi;
  Array<Vec3<Scalar>> Phi2, Psi2;
  bool second_order = false;
  /// w_eta stays Psi whatever eta: the projecting form of the dual-screw formulation (formulations/dual_screw.hpp).
  bool constant_screws = false;

  // Positions.
  Vec3<Scalar> p_RN;
  Mat3<Scalar> R_RN;  ///< exp(theta)
  RotationAt<Scalar> rotation;
  Mat3<Scalar> Jl;            ///< Jl(theta)
  Array<Vec3<Scalar>> p_eta;  ///< dp_RN/deta; constant (Phi) at first order
  Array<Vec3<Scalar>> w_eta;  ///< w_RN per etad: Jl dtheta/deta
  // Velocities.
  Vec3<Scalar> v_RN;      ///< d/dt p_RN
  Vec3<Scalar> w_RN;      ///< angular velocity of the section relative to R
  LaneTwist<Scalar> V_N;  ///< absolute
  // What remains of N's acceleration when R's and etadd are zero.
  LaneTwist<Scalar> A_bias;
};

/// A rigid body at a node of a flexible link (Lump), in the section's frame.
template <typename Scalar>
struct LumpWork {
  int node;  ///< index into LinkWork::nodes
  LaneInertia<Scalar> body;
};

/// The sections of a flexible link whose rotary inertia is summed (section_sums.hpp): constants at all
/// points, and scratch. Rows of numbers have one for each point, filled up with points without inertia.
template <typename Scalar>
struct SectionWork {
  using Number = typename PacketTraits<typename PacketsOf<Scalar>::Constant>::Number;

  explicit SectionWork(Memory* memory)
      : terms(memory),
        F(memory),
        inertia(memory),
        linear_term(memory),
        products(memory),
        slopes(memory),
        slopes_begin(memory),
        mu(memory),
        mu_rate(memory),
        mu_second(memory),
        scratch(memory) {}

  /// A derivative of a term: F_term, times eta_factor unless that is -1.
  struct Slope {
    int term, factor;
  };

  int count = 0;  ///< of points, full packets; 0 if there are none
  bool second_order = false;
  bool constant_screws = false;  ///< as in NodeWork; known to derivatives and formulas, and at first order
  Array<FieldTerm> terms;        ///< of theta, in the order of their axes
  int axis_begin[4] = {};        ///< terms of axis a: from axis_begin[a] to axis_begin[a + 1]  NOLINT
  Array<Number> F;               ///< terms x points
  Array<Number> inertia;         ///< I_s about the section's x, y, z: 3 x points
  // At first order: dtheta/deta_j is F of the coordinate's only term (-1: the coordinate turns nothing).
  Array<int> linear_term;
  Array<Number> products;  ///< F_j F_k for k <= j, row by row
  // At second order: component a of dtheta/deta_j is the sum of slopes from slopes_begin[3 j + a] to the next.
  Array<Slope> slopes;
  Array<int> slopes_begin;
  Array<Scalar> mu, mu_rate, mu_second;  ///< of each term; the last at etadd = 0 where that is unknown
  Array<Number> scratch;
};

/// The coordinates z of a body in which its field is linear (field_coordinates.hpp), where they are not the link's own eta.
template <typename Scalar>
struct FieldCoordinates {
  explicit FieldCoordinates(Memory* memory)
      : A(memory),
        B(memory),
        B_rate(memory),
        M_B(memory),
        place(memory),
        rate(memory),
        second(memory),
        M_re(memory),
        f_e(memory) {}

  int stiffened = 0;  ///< how many of eta, the lowest, A is about; 0: z is eta, and nothing else is there
  int stride = 0;     ///< their number, filled up
  Array<Scalar> A;    ///< element (k, i, j) is (A_i)_jk: stiffened x m x stride, filled up with zeros
  Array<Scalar> B, B_rate;            ///< m x stride: B(eta), B(etad)
  Array<Scalar> M_B;                  ///< M_ee of z times B
  Array<Scalar> place, rate, second;  ///< z, zd, zdd; the last at etadd = 0 where that is unknown
  Array<LaneWrench<Scalar>> M_re;     ///< of z
  Array<Scalar> f_e;                  ///< of z
};

/// The distributed mass of a flexible link: constants of ShapeIntegrals, and scratch, one element per term. Terms
/// stand in the order of their axes, so that sums over the terms of one axis run over neighbours.
template <typename Scalar>
struct FieldWork {
  explicit FieldWork(Memory* memory)
      : terms(memory),
        moment(memory),
        gram(memory),
        M_re_linear(memory),
        M_ee(memory),
        M_ee_monomials(memory),
        M_ee_blocks(memory),
        M_ee_sum(memory),
        mu(memory),
        mu_rate(memory),
        mu_second(memory),
        gram_mu(memory),
        gram_rate(memory),
        gram_second(memory),
        own(memory) {}

  Array<FieldTerm> terms;     ///< products of the field's coordinates z
  int axis_begin[4] = {};     ///< terms of axis a: from axis_begin[a] to axis_begin[a + 1]  NOLINT
  int stride = 0;             ///< the number of terms, filled up
  bool second_order = false;  ///< in z
  Array<Scalar> moment;
  Array<Scalar> gram;               ///< count x stride, filled up with zeros
  Array<Vec3<Scalar>> M_re_linear;  ///< Int p_j at first order, where it is constant
  Array<Scalar> M_ee;               ///< m x m at first order, where it is constant
  // At second order M_ee is the sum of a block for each monomial 1, eta_j, or eta_j eta_k, times its value. Of
  // blocks and sum the lower triangle is kept by rows, filled up.
  Array<FieldTerm> M_ee_monomials;  ///< but the first, which is 1
  Array<Scalar> M_ee_blocks;
  Array<Scalar> M_ee_sum;
  Array<Scalar> mu, mu_rate;  ///< mu_a(eta), and its rate
  Array<Scalar> mu_second;    ///< its second rate; at etadd = 0 where that is unknown
  // 3 x stride: element (i, b) is Int F_b (component i) of the field, its rate, its second rate.
  Array<Scalar> gram_mu, gram_rate, gram_second;
  FieldCoordinates<Scalar> own;
};

/// The constants of a link's distributed mass: `moment` and `gram` of ShapeIntegrals, in the order of their terms.
template <typename Scalar>
struct FieldConstants {
  std::vector<FieldTerm> terms;
  VectorX<Scalar> moment;
  MatrixX<Scalar> gram;
  MatrixX<Scalar> second_order = {};  ///< as in ReducedBody, of terms that are linear; empty: z is eta
};

/// Sorts the constants into a FieldWork and computes what follows from them alone; m elastic coordinates.
template <typename Scalar>
void set_field_constants(const FieldConstants<Scalar>& constants, int m, FieldWork<Scalar>& field);

/// A node of a telescoping beam: at rest it is at p0 + per_length l e_x, and moves with the material.
template <typename Scalar>
struct TelescopeNode {
  Vec3<Scalar> p0;
  Scalar per_length;
  bool bends;  ///< else it is in the guide
};

/// What is on a node of a telescoping beam: (constant + per_length l) times the body.
template <typename Scalar>
struct TelescopeLump {
  LaneInertia<Scalar> body;
  Scalar constant, per_length;
};

/// A beam that slides through a guide (telescope.hpp): constants, and scratch.
template <typename Scalar>
struct TelescopeWork {
  explicit TelescopeWork(Memory* memory)
      : power(memory),
        nodes(memory),
        lumps(memory),
        units(memory),
        K(memory),
        K_power(memory),
        D(memory),
        D_power(memory),
        forms(memory),
        theta_eta(memory) {}

  Scalar free_length;  ///< at q = 0
  bool second_order = false;
  int block = 0;     ///< numbers of a node's Phi, Psi, Phi2 and Psi2
  Array<int> power;  ///< of each of them
  Array<TelescopeNode<Scalar>> nodes;
  Array<TelescopeLump<Scalar>> lumps;
  Array<Vec3<Scalar>> units;  ///< ExtendingNode::jets of every node: 3 blocks each
  Array<Scalar> K;            ///< of the shapes at l = 1
  Array<int> K_power;
  Array<Array<Scalar>> D;  ///< D is the sum of these, each with its powers
  Array<Array<int>> D_power;
  // Positions.
  Array<Vec3<Scalar>> forms;      ///< `units` at the present length
  Array<Vec3<Scalar>> theta_eta;  ///< dtheta/d(q, eta) of every node
};

template <typename Scalar>
struct LinkWork : JointWork<Scalar> {
  explicit LinkWork(Memory* memory)
      : field(memory),
        sections(memory),
        lumps(memory),
        K(memory),
        D(memory),
        nodes(memory),
        M_re(memory),
        M_ee(memory),
        f_e(memory),
        L(memory),
        Z(memory),
        z(memory),
        telescope(memory) {}

  // ---- constants ----
  int parent;       ///< -1: the ground
  int parent_node;  ///< -1: the parent is rigid (or the ground), and N is P
  JointType joint_type;
  int q_index, v_index;  ///< of the link's first number in q and v
  int joint_nq, joint_nv;
  bool has_quaternion;
  int m;  ///< elastic coordinates; of a telescoping beam the joint's, then those of its shapes
  bool flexible;
  bool telescopes = false;  ///< on a fixed joint, as sweeps see it
  bool prescribed = false;  ///< the joint's acceleration is given, and no unknown of forward dynamics
  bool fixed_sizes;         ///< use the kernels made for this number of coordinates, if there are any
  Scalar stiffness, rest, damping;
  Scalar armature
      [6];  ///< of each of the joint's coordinates; of a motor behind an elastic gear its rotor's  NOLINT
  bool has_motor = false;  ///< the joint's last coordinate is that of a motor behind an elastic gear
  bool motor_is_prescribed = false;     ///< its acceleration is given; the joint's own is an unknown
  Scalar gear_stiffness, gear_damping;  ///< between joint and motor
  LaneInertia<Scalar> rigid;            ///< what does not deform; its mass includes the field's
  FieldWork<Scalar> field;
  SectionWork<Scalar> sections;
  Array<LumpWork<Scalar>> lumps;
  Array<Scalar> K, D;  ///< stiffness and damping of the elastic coordinates, m x m

  // ---- kinematics ----
  Mat3<Scalar> R_PR, R_RP;
  Vec3<Scalar> p_NR_P;       ///< from the node to R's origin, in P's axes
  LaneTwist<Scalar> V_R;     ///< absolute
  LaneTwist<Scalar> A_bias;  ///< what remains of R's acceleration when the parent's, etadd and qdd are zero
  Mat3<Scalar> R_WR;
  Vec3<Scalar> p_WR;
  // (4) of mass_matrix.hpp: O is the root frame of the link that stands on the ground.
  Mat3<Scalar> R_OR;
  Vec3<Scalar> p_OR;
  int screws_node;  ///< the node whose screws the mass matrix has at hand; -1: none
  Array<NodeWork<Scalar>>
      nodes;  ///< of a flexible link; in the order of Link::nodes, then those of lumps only

  // ---- inertia: M = [M_rr, M_re; ., M_ee], forces at zero acceleration f = [f_r; f_e] ----
  LaneInertia<Scalar> M_rr;
  Array<LaneWrench<Scalar>> M_re;  ///< one element per elastic coordinate
  Array<Scalar> M_ee;              ///< m x m
  LaneWrench<Scalar> f_r;
  Array<Scalar> f_e;

  // ---- elimination (forward dynamics) of n = joint_nv + m coordinates: M_ii = L diag(pivots) L^T ----
  ArticulatedInertia<Scalar> articulated;  ///< M_rr with all that the link carries, then M_a
  Array<Scalar> L;                         ///< n x n by rows, below the diagonal; on it 1/pivot
  Array<LaneWrench<Scalar>> Z;             ///< rows of L^-1 M_ri^T
  Array<Scalar> z;                         ///< L^-1 u

  // ---- results ----
  LaneTwist<Scalar> A_R;      ///< absolute; contains -g
  LaneWrench<Scalar> wrench;  ///< by the parent on this link, about R's origin

  TelescopeWork<Scalar> telescope;  ///< where it telescopes

  int size() const { return joint_nv + m; }
  int moving() const {
    return has_motor ? joint_nv - 1 : joint_nv;
  }  ///< joint coordinates that move the link
  int elastic_q() const { return q_index + joint_nq; }
  int elastic_v() const { return v_index + joint_nv; }
};

template <typename Scalar>
struct KernelTable;

/// All links of an arm, and what computes with them.
template <typename Scalar>
struct ArmWork {
  ArmWork(const Model& model, Kernels choice);
  /// Of several arms at once, one in each lane of a Batch (gather.hpp).
  explicit ArmWork(const std::vector<const ArmWork<double>*>& arms);

  const KernelTable<Scalar>* kernels;
  Model model;                     ///< that it was made for
  std::shared_ptr<Memory> memory;  ///< of the arrays
  std::vector<LinkWork<Scalar>> links;
  std::vector<int> turning;  ///< those of JointFacts::turns_about_axis()
  Vec3<Scalar> gravity;
  bool is_chain;            ///< every link sits on the one before
  bool has_many_ancestors;  ///< whether (4) of mass_matrix.hpp takes less than (3)
  VectorX<Scalar> qdd;      ///< scratch for accelerations, nv
  /// Of the mass matrix: six rows, one number for each coordinate, filled up.
  VectorX<Scalar> screws;
  int screws_stride() const { return filled_up(static_cast<int>(qdd.size())); }
};

}  // namespace limber::detail
