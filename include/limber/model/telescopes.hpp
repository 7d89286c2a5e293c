// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Beams that slide through a guide (docs/telescoping.md): what of an arm depends on how far they are out.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Refuses an arm with telescoping beams: InputError with the path of the first one, where `what` ("`plan`") has no equations for them.
void require_no_telescopes(const Model& model, const char* what);

/// Where q lets a telescoping beam out by less than nothing or by more than there is: InputError with path q.JOINT, lengths and the range. `q` has nq numbers.
void require_free_lengths(const Model& model, const Eigen::VectorXd& q);
/// The same as a sentence for a run; empty where all is well.
std::string free_length_problem(const Model& model, const Eigen::VectorXd& q);

/// K at a configuration with forces K (q - rest): elastic_stiffness() but for telescoping beams, whose rows are K(l) of their shapes, and
/// 1/2 eta^T dK/dl in the joint's row: a bent beam pushes itself out of its guide.
Eigen::MatrixXd elastic_stiffness_at(const Model& model, const Eigen::VectorXd& q);
/// D at a configuration: damping_matrix() but for telescoping beams.
Eigen::MatrixXd damping_matrix_at(const Model& model, const Eigen::VectorXd& q);

}  // namespace limber
