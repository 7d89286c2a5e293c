#pragma once

// Scratch for the algorithms: everything that depends on the state, and the model's constants as numbers of
// the chosen scalar. One workspace per thread and scalar; made once, then no algorithm allocates (for
// double).
//
// Working frame. All of a link's quantities are expressed in its frame F, which is the root frame R of
// model.hpp: a beam lies along x of F, and its shape integrals are sparse there. F is fixed in B, so the
// joint's motion subspace S is constant in F (but for the universal joint's first axis). Where a user sees B
// (wrenches), results are converted.
//
// 6-vectors: linear first. Accelerations are true accelerations of F's origin, in F's axes.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "limber/math/rotation.hpp"
#include "limber/model/model.hpp"

namespace limber {

template <typename Scalar>
using Vector6 = Eigen::Matrix<Scalar, 6, 1>;
template <typename Scalar>
using Matrix6 = Eigen::Matrix<Scalar, 6, 6>;
template <typename Scalar>
using VectorX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <typename Scalar>
using MatrixX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
template <typename Scalar>
using Matrix3X = Eigen::Matrix<Scalar, 3, Eigen::Dynamic>;
template <typename Scalar>
using Matrix6X = Eigen::Matrix<Scalar, 6, Eigen::Dynamic>;
/// At most six columns, kept without heap: a joint's motion subspace.
template <typename Scalar>
using MotionSubspace = Eigen::Matrix<Scalar, 6, Eigen::Dynamic, 0, 6, 6>;

/// A place on a flexible link and how it moves: constants, then what kinematics() fills in, in the link's F.
template <typename Scalar>
struct NodeWork {
  // Constants (field.hpp).
  Scalar x;
  Matrix3X<Scalar> Phi;
  Matrix3X<Scalar> Psi;
  std::array<MatrixX<Scalar>, 3> B;
  std::array<MatrixX<Scalar>, 3> C;
  bool second_order = false;

  // Positions.
  Vector3<Scalar> r;  ///< of the node
  Matrix3<Scalar> E;  ///< exp(theta): from the section's axes to F's
  Vector3<Scalar> theta;
  Matrix3X<Scalar> r_eta;  ///< dr/deta
  Matrix3X<Scalar> T;      ///< angular velocity of the section relative to F per etad: Jl(theta) dtheta/deta
  // Velocities.
  Vector3<Scalar> r_rate;      ///< relative to F
  Vector3<Scalar> w_relative;  ///< T etad
  Vector3<Scalar> v;           ///< absolute velocity of the node
  Vector3<Scalar> w;           ///< absolute angular velocity of the section
  // Accelerations that remain when F's acceleration and etadd are zero.
  Vector3<Scalar> a_bias;
  Vector3<Scalar> alpha_bias;
};

/// A rigid body at a node of a flexible link (Lump), in the section's frame.
template <typename Scalar>
struct LumpWork {
  NodeWork<Scalar> node;
  Scalar mass;
  Vector3<Scalar> moment;
  Matrix3<Scalar> inertia;
};

/// The distributed mass of a flexible link: constants of ShapeIntegrals, and scratch of as many rows as it
/// has terms.
template <typename Scalar>
struct FieldWork {
  std::vector<FieldTerm> terms;
  VectorX<Scalar> moment;
  MatrixX<Scalar> gram;
  // mu_a, its rate, and its second derivative at etadd = 0; then gram * (mu of one axis), one column an axis.
  VectorX<Scalar> mu, mu_rate, mu_bias;
  Matrix3X<Scalar> gram_mu, gram_rate, gram_bias;
};

template <typename Scalar>
struct LinkWork {
  // ---- constants ----
  int parent;       ///< -1: the ground
  int parent_node;  ///< -1: the parent is rigid (or the ground), and the joint frame is fixed in its F
  JointType joint_type;
  int q_index, v_index;  ///< of the link's first number in q and v
  int joint_nq, joint_nv;
  int m;  ///< elastic coordinates
  Matrix3<Scalar>
      R_NJ;  ///< from the joint frame (turned by R_BF) to the node's axes, or the parent's F if it is rigid
  Vector3<Scalar> p_NJ;
  std::array<Matrix3<Scalar>, 3> revolute;  ///< R = revolute[0] + sin(q) revolute[1] + cos(q) revolute[2]
  Vector3<Scalar> p_BF;                     ///< in F's axes
  Matrix3<Scalar> R_BF;
  std::vector<Vector3<Scalar>> axes;  ///< the joint's, in F's axes at q = 0
  Scalar stiffness, rest, damping, armature;
  Scalar rigid_mass;
  Vector3<Scalar> rigid_moment;
  Matrix3<Scalar> rigid_inertia;
  FieldWork<Scalar> field;
  std::vector<LumpWork<Scalar>> lumps;
  MatrixX<Scalar> K, C;  ///< of the elastic coordinates
  bool flexible;

  // ---- kinematics ----
  MotionSubspace<Scalar> S;  ///< constant in F, but for the universal joint's first column
  Matrix3<Scalar> R;         ///< from F's axes to the parent's F
  Vector3<Scalar> d;         ///< from the node to F's origin, in the parent's axes
  Vector6<Scalar> V;         ///< twist of F
  Vector6<Scalar> c;         ///< acceleration that remains when the parent's, etadd and qdd are zero
  Matrix3<Scalar> R_W;       ///< from F's axes to the world's
  Vector3<Scalar> p_W;       ///< F's origin in the world
  std::vector<NodeWork<Scalar>> nodes;  ///< of a flexible link; in the order of Link::nodes

  // ---- inertia: M = [M_rr M_re; . M_ee], forces at zero acceleration p = [p_r; p_e] ----
  Matrix6<Scalar> M_rr;
  Matrix6X<Scalar> M_re;
  MatrixX<Scalar> M_ee;
  Vector6<Scalar> p_r;
  VectorX<Scalar> p_e;

  // ---- elimination (forward dynamics): D = L L^T, Z = L^-1 W^T, z = L^-1 u ----
  MatrixX<Scalar> L;
  Matrix6X<Scalar> Zt;  ///< Z^T
  VectorX<Scalar> z;

  // ---- results ----
  Vector6<Scalar> A;       ///< acceleration of F
  Vector6<Scalar> wrench;  ///< by the parent on this link, about F's origin, in F's axes

  int size() const { return joint_nv + m; }
};

template <typename Scalar>
struct Workspace {
  explicit Workspace(const Model& model);

  std::vector<LinkWork<Scalar>> links;
  Vector3<Scalar> gravity;
  VectorX<Scalar> qdd;  ///< scratch for accelerations, nv
};

}  // namespace limber
