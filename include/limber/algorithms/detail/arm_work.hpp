// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a Workspace holds: everything that depends on the state, and the model's constants as numbers of the chosen scalar. Its layout
// does not depend on the flags of the compiler, so that kernels of every processor level (kernel_table.hpp) work in it.
//
// Working frame. All of a link's quantities are expressed in its frame F, which is the root frame R of
// model.hpp: a beam lies along x of F, and its shape integrals are sparse there. F is fixed in B, so the
// joint's motion subspace S is constant in F (but for the universal joint's first axis). Where a user sees B
// (wrenches), results are converted.
//
// 6-vectors: linear first. Accelerations are true accelerations of F's origin, in F's axes.

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

/// A place on a flexible link and how it moves: constants, then what kinematics fills in, in the link's F.
/// One element per elastic coordinate; B and C are m x m by rows, each element the three axes.
template <typename Scalar>
struct NodeWork {
  explicit NodeWork(Memory* memory)
      : Phi(memory), Psi(memory), B(memory), C(memory), r_eta(memory), T(memory) {}

  // Constants (field.hpp).
  Vec3<Scalar> r0;
  Array<Vec3<Scalar>> Phi, Psi;
  Array<Vec3<Scalar>> B, C;
  bool second_order = false;
  /// T stays Psi whatever eta: the projecting form of the dual-screw formulation (formulations/dual_screw.hpp).
  bool constant_screws = false;

  // Positions.
  Vec3<Scalar> r;  ///< of the node
  Mat3<Scalar> E;  ///< exp(theta): from the section's axes to F's
  RotationAt<Scalar> rotation;
  Mat3<Scalar> J;             ///< Jl(theta)
  Array<Vec3<Scalar>> r_eta;  ///< dr/deta; constant (Phi) at first order
  Array<Vec3<Scalar>> T;      ///< angular velocity of the section relative to F per etad: Jl dtheta/deta
  // Velocities.
  Vec3<Scalar> r_rate;      ///< relative to F
  Vec3<Scalar> w_relative;  ///< T etad
  Vec3<Scalar> v;           ///< absolute velocity of the node
  Vec3<Scalar> w;           ///< absolute angular velocity of the section
  // Accelerations that remain when F's acceleration and etadd are zero.
  Vec3<Scalar> a_bias;
  Vec3<Scalar> alpha_bias;
};

/// A rigid body at a node of a flexible link (Lump), in the section's frame.
template <typename Scalar>
struct LumpWork {
  int node;  ///< index into LinkWork::nodes
  BodyInertia<Scalar> body;
};

/// The sections of a flexible link whose rotary inertia is summed (src/algorithms/sections.cpp): constants at all
/// points, and scratch. Rows of numbers have one for each point, filled up with points without inertia.
template <typename Scalar>
struct SectionWork {
  using Number = typename PacketTraits<typename PacketsOf<Scalar>::Constant>::Number;

  explicit SectionWork(Memory* memory)
      : terms(memory),
        F(memory),
        J(memory),
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
  bool constant_screws = false;  ///< as in NodeWork; known to Workspace<Dual> only, and at first order
  Array<FieldTerm> terms;        ///< of theta, in the order of their axes
  int axis_begin[4] = {};        ///< terms of axis a: from axis_begin[a] to axis_begin[a + 1]  NOLINT
  Array<Number> F;               ///< terms x points
  Array<Number> J;               ///< inertia about the section's x, y, z: 3 x points
  // At first order: dtheta/deta_j is F of the coordinate's only term (-1: the coordinate turns nothing).
  Array<int> linear_term;
  Array<Number> products;  ///< F_j F_k for k <= j, row by row
  // At second order: component a of dtheta/deta_j is the sum of slopes from slopes_begin[3 j + a] to the next.
  Array<Slope> slopes;
  Array<int> slopes_begin;
  Array<Scalar> mu, mu_rate, mu_second;  ///< of each term; the last at etadd = 0 where that is unknown
  Array<Number> scratch;
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
        gram_mu(memory),
        alpha(memory) {}

  Array<FieldTerm> terms;
  int axis_begin[4] = {};  ///< terms of axis a: from axis_begin[a] to axis_begin[a + 1]  NOLINT
  int stride = 0;          ///< the number of terms, rounded up to a multiple of four
  bool second_order = false;
  Array<Scalar> moment;
  Array<Scalar> gram;               ///< count x stride, filled up with zeros
  Array<Vec3<Scalar>> M_re_linear;  ///< Int p_j at first order, where it is constant
  Array<Scalar> M_ee;               ///< m x m at first order, where it is constant
  // At second order M_ee is the sum of a block for each monomial 1, eta_j, or eta_j eta_k, times its value. Of
  // blocks and sum the lower triangle is kept by rows, filled up to a multiple of four.
  Array<FieldTerm> M_ee_monomials;  ///< but the first, which is 1
  Array<Scalar> M_ee_blocks;
  Array<Scalar> M_ee_sum;
  Array<Scalar> mu;           ///< mu_a(eta)
  Array<Scalar> gram_mu;      ///< 3 x stride: element (i, b) is Int F_b (component i of the field)
  Array<Vec3<Scalar>> alpha;  ///< the acceleration of each term
};

/// The constants of a link's distributed mass: `moment` and `gram` of ShapeIntegrals, in the order of their terms.
template <typename Scalar>
struct FieldConstants {
  std::vector<FieldTerm> terms;
  VectorX<Scalar> moment;
  MatrixX<Scalar> gram;
};

/// Sorts the constants into a FieldWork and computes what follows from them alone; m elastic coordinates.
template <typename Scalar>
void set_field_constants(const FieldConstants<Scalar>& constants, int m, FieldWork<Scalar>& field);

template <typename Scalar>
struct LinkWork : JointWork<Scalar> {
  explicit LinkWork(Memory* memory)
      : field(memory),
        sections(memory),
        lumps(memory),
        K(memory),
        C(memory),
        nodes(memory),
        M_re(memory),
        M_ee(memory),
        p_e(memory),
        L(memory),
        Z(memory),
        z(memory) {}

  // ---- constants ----
  int parent;       ///< -1: the ground
  int parent_node;  ///< -1: the parent is rigid (or the ground), and the joint frame is fixed in its F
  JointType joint_type;
  int q_index, v_index;  ///< of the link's first number in q and v
  int joint_nq, joint_nv;
  bool has_quaternion;
  int m;  ///< elastic coordinates
  bool flexible;
  bool prescribed = false;  ///< the joint's acceleration is given, and no unknown of forward dynamics
  bool fixed_sizes;         ///< use the kernels made for this number of coordinates, if there are any
  Scalar stiffness, rest, damping, armature;
  BodyInertia<Scalar> rigid;  ///< what does not deform; its mass includes the field's
  FieldWork<Scalar> field;
  SectionWork<Scalar> sections;
  Array<LumpWork<Scalar>> lumps;
  Array<Scalar> K, C;  ///< of the elastic coordinates, m x m

  // ---- kinematics ----
  Mat3<Scalar> R, Rt;  ///< from F's axes to the parent's F, and back
  Vec3<Scalar> d;      ///< from the node to F's origin, in the parent's axes
  Vec6<Scalar> V;      ///< twist of F
  Vec6<Scalar> c;      ///< acceleration that remains when the parent's, etadd and qdd are zero
  Mat3<Scalar> R_W;    ///< from F's axes to the world's
  Vec3<Scalar> p_W;    ///< F's origin in the world
  Array<NodeWork<Scalar>>
      nodes;  ///< of a flexible link; in the order of Link::nodes, then those of lumps only

  // ---- inertia: M = [body, M_re; ., M_ee], forces at zero acceleration p = [p_r; p_e] ----
  BodyInertia<Scalar> body;
  Array<Vec6<Scalar>> M_re;  ///< one element per elastic coordinate
  Array<Scalar> M_ee;        ///< m x m
  Vec6<Scalar> p_r;
  Array<Scalar> p_e;

  // ---- elimination (forward dynamics) of n = joint_nv + m coordinates: D = L diag(pivots) L^T ----
  ArticulatedInertia<Scalar> articulated;
  Array<Scalar> L;        ///< n x n by rows, below the diagonal; on it 1/pivot
  Array<Vec6<Scalar>> Z;  ///< rows of L^-1 W^T
  Array<Scalar> z;        ///< L^-1 u

  // ---- results ----
  Vec6<Scalar> A;       ///< acceleration of F
  Vec6<Scalar> wrench;  ///< by the parent on this link, about F's origin, in F's axes

  int size() const { return joint_nv + m; }
  int elastic_q() const { return q_index + joint_nq; }
  int elastic_v() const { return v_index + joint_nv; }
};

template <typename Scalar>
struct KernelTable;

/// All links of an arm, and what computes with them.
template <typename Scalar>
struct ArmWork {
  ArmWork(const Model& model, Kernels choice);

  const KernelTable<Scalar>* kernels;
  Model model;                     ///< that it was made for
  std::shared_ptr<Memory> memory;  ///< of the arrays
  std::vector<LinkWork<Scalar>> links;
  Vec3<Scalar> gravity;
  VectorX<Scalar> qdd;  ///< scratch for accelerations, nv
};

}  // namespace limber::detail
