#include "limber/algorithms/mass_matrix.hpp"

#include <cassert>

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// (1)
template <typename Scalar>
void carry_composite(Workspace<Scalar>& work, const LinkWork<Scalar>& link) {
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const Matrix6<Scalar> M = inertia_at_node(link, link.M_rr);
  if (link.parent_node >= 0)
    add_inertia(parent.nodes[link.parent_node], M, parent);
  else
    parent.M_rr += M;
}

// (3): what a momentum F at the link's frame means for every coordinate of its ancestors.
template <typename Scalar>
void spread_to_ancestors(const Workspace<Scalar>& work, const LinkWork<Scalar>& from, Vector6<Scalar> F,
                         int column, MatrixX<Scalar>& M) {
  const auto set = [&](int row, const Scalar& value) { M(row, column) = M(column, row) = value; };
  for (const LinkWork<Scalar>* link = &from; link->parent >= 0; link = &work.links[link->parent]) {
    const LinkWork<Scalar>& parent = work.links[link->parent];
    F = wrench_at_node(*link, F);
    if (link->parent_node >= 0) {
      const NodeWork<Scalar>& node = parent.nodes[link->parent_node];
      for (int i = 0; i < parent.m; ++i) set(parent.v_index + parent.joint_nv + i, elastic_force(node, i, F));
      F = wrench_from_node(node, F);
    }
    for (int j = 0; j < parent.joint_nv; ++j) set(parent.v_index + j, parent.S.col(j).dot(F));
  }
}

}  // namespace

template <typename Scalar>
void mass_matrix(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q, MatrixX<Scalar>& M) {
  assert(M.rows() == model.nv && M.cols() == model.nv);
  update_positions(model, work, q);
  update_link_masses(model, work, q);
  M.setZero();
  for (auto i = work.links.rbegin(); i != work.links.rend(); ++i) {
    const LinkWork<Scalar>& link = *i;
    carry_composite(work, link);
    const int nj = link.joint_nv, first = link.v_index;
    for (int j = 0; j < nj; ++j) {
      const Vector6<Scalar> F = link.M_rr * link.S.col(j);
      for (int k = 0; k <= j; ++k) M(first + j, first + k) = M(first + k, first + j) = link.S.col(k).dot(F);
      M(first + j, first + j) += link.armature;
      spread_to_ancestors(work, link, F, first + j, M);
    }
    for (int e = 0; e < link.m; ++e) {
      const Vector6<Scalar> F = link.M_re.col(e);
      const int column = first + nj + e;
      for (int j = 0; j < nj; ++j) M(first + j, column) = M(column, first + j) = link.S.col(j).dot(F);
      for (int k = 0; k < link.m; ++k) M(first + nj + k, column) = link.M_ee(k, e);
      spread_to_ancestors(work, link, F, column, M);
    }
  }
}

#define LIMBER_INSTANTIATE(Scalar) \
  template void mass_matrix(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, MatrixX<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
