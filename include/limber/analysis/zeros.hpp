// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Zero dynamics: what can still move inside an arm while chosen outputs are held at zero.
//
// Of x' = A x + B u, y = C x + D u the invariant zeros are the s at which
//
//   P(s) = [A - s, B; C, D]                                                                           (1)
//
// has a smaller rank than elsewhere. Most eigenvalues of this pencil are infinite, and an iteration that meets them loses
// digits. They are taken off beforehand by orthogonal steps (Emami-Naeini and Van Dooren, Automatica 18 (1982), 415-430).
// Rows of D that can be made zero are outputs that u does not reach at once:
//
//   U^T D = [D1; 0],  U^T C = [C1; C2],    C2 = [0 S] V^T,  V = [V1 V2]                                (2)
//
// y = 0 asks for V2^T x = 0, now and always: its rate V2^T (A V1 z + B u) becomes an output in its place,
//
//   x = V1 z:   A <- V1^T A V1,  B <- V1^T B,  C <- [C1 V1; V2^T A V1],  D <- [D1; V2^T B]             (3)
//
// until D's rows are independent. The same with the transposed system makes its columns independent (where there are more
// inputs than outputs). Then u = -D^-1 C z keeps the outputs at zero, and
//
//   z' = (A - B D^-1 C) z                                                                             (4)
//
// are the zero dynamics; the zeros are the eigenvalues of (4). On which side of the imaginary axis a zero lies is decided for each
// by itself: rounding moves (4) by about
//
//   delta = eps (|A| + |B| |D^-1| |C|)                                                                (5)
//
// and a zero that this can carry to the axis, or to 0, counts as lying there (resolved_eigenvalues.hpp). So slow, lightly damped zeros are
// told from undamped ones however fast others are. Zeros at 0 come in chains: the second of a double one grows like t.
//
// With more inputs than outputs, (3) of the transposed system leaves only those zeros that no choice of inputs moves. The surplus
// inputs can hold the rest still, or move it at will: whether the outputs' own motors would be stable is then not decided.

#include <string>
#include <vector>

#include "limber/analysis/linear_model.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Where the zeros lie, and what that means for a controller that inverts the plant.
enum class Phase {
  minimum,      ///< all in the left half-plane, or none: the zero dynamics die away
  marginal,     ///< none in the right half-plane, some on the imaginary axis: they ring on
  non_minimum,  ///< some in the right half-plane: exact tracking makes the inside of the arm diverge
  undetermined  ///< more inputs than outputs, and nothing in the right half-plane that all of them leave there
};

/// Of the imaginary axis.
enum class Side { left, axis, right };

/// What can move while outputs are held at zero, and where that leads.
struct ZeroDynamics {
  Eigen::MatrixXd matrix;  ///< (4)
  Eigen::MatrixXd basis;   ///< x = basis z; empty if inputs had to be taken off as well
  Eigen::VectorXcd
      zeros;  ///< 1/s, in ascending order of |s|, positive imaginary part first; Re s = 0 on the axis
  std::vector<Side> sides;  ///< of each zero
  Phase phase;              ///< where the zeros lie
  int chain_at_zero;        ///< of the zeros at 0: from 2 on the zero dynamics grow like t^(chain - 1)
  std::vector<std::string> inputs;  ///< that hold the outputs
  int surplus_inputs;               ///< how many more than are needed to hold the outputs
};

/// Throws ComputationError where (1) has no full rank at any s: an output that no input reaches, or two that say the same.
ZeroDynamics zero_dynamics(const LinearModel& model);

/// `minimum phase: ...` in words.
std::string verdict(const ZeroDynamics& dynamics);
///@{
/// `minimum`, `marginal`, `non-minimum`, `undetermined`; `left`, `axis`, `right`.
const char* name_of(Phase phase);
const char* name_of(Side side);
///@}

/// Which motors hold outputs, and which outputs are held, where nobody says so. Joints and cylinders are held by their own drives, anything else by all joints' motors; and
/// where no outputs are given, all joints are held. Of an arm with closed loops these are the joints that tell all others at q.
struct HeldOutputs {
  std::vector<std::string> outputs, inputs;  ///< names, none of them empty
};
/// Fills in what is empty.
HeldOutputs held_outputs(const Model& model, std::vector<std::string> outputs,
                         std::vector<std::string> inputs, const Eigen::VectorXd& q = {});

/// As linearize(), with outputs at any point of the arm too: `LINK@AT.x` is the place of the point at a fraction AT of a link's
/// beam (1 on rigid links); y z rx ry rz ... as for the end effector. `inputs`: joint coordinates, all of them if empty.
/// `sensors`: their names are outputs, too; no outputs given: they are the outputs.
LinearModel linearize_at_points(Model model, const OperatingPoint& about,
                                const std::vector<std::string>& outputs,
                                const std::vector<std::string>& inputs = {},
                                const std::vector<SensorDescription>& sensors = {});

}  // namespace limber
