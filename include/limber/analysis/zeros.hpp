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
// are the zero dynamics; the zeros are the eigenvalues of (4).

#include <Eigen/Core>
#include <string>
#include <vector>

#include "limber/analysis/linear_model.hpp"
#include "limber/analysis/linearize.hpp"

namespace limber {

/// Where the zeros lie, and what that means for a controller that inverts the plant.
enum class Phase {
  minimum,     ///< all in the left half-plane, or none: the zero dynamics die away
  marginal,    ///< none in the right half-plane, some on the imaginary axis: they ring on
  non_minimum  ///< some in the right half-plane: exact tracking makes the inside of the arm diverge
};

struct ZeroDynamics {
  Eigen::MatrixXd matrix;  ///< (4)
  Eigen::MatrixXd basis;   ///< x = basis z; empty if inputs had to be taken off as well
  Eigen::VectorXcd zeros;  ///< 1/s, in ascending order of |s|, positive imaginary part first
  Phase phase;
  double on_axis;  ///< |Re s| below this counts as zero: what rounding leaves
};

/// Throws ComputationError where (1) has no full rank at any s: an output that no input reaches, or two that say the same.
ZeroDynamics zero_dynamics(const LinearModel& model);

/// `minimum phase: ...` in words.
std::string verdict(const ZeroDynamics& dynamics);

/// As linearize(), with outputs at any point of the arm too: `LINK@AT.x` is the place of the point at a fraction AT of a link's
/// beam (1 on rigid links); y z rx ry rz ... as for the end effector. `inputs`: joint coordinates, all of them if empty.
LinearModel linearize_at_points(Model model, const OperatingPoint& about,
                                const std::vector<std::string>& outputs,
                                const std::vector<std::string>& inputs = {});

}  // namespace limber
