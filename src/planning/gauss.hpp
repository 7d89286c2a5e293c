// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gauss' collocation on one interval of length h, for q'' = a: with the nodes c_i, the weights b_i and A of the method (order 2 s for s stages),
//
//   v_i = v + h Sum A_ij a_j              q_i = q + c_i h v + h^2 Sum (A A)_ij a_j                     (1)
//   v+  = v + h Sum b_j a_j               q+  = q + h v + h^2 Sum (b^T A)_j a_j                        (2)
//
// It is symmetric and damps nothing: a mode that swings goes on to swing.

#include <cmath>

#include "limber/math/detail/decompositions.hpp"
#include "limber/math/eigen.hpp"

namespace limber {

/// (1) and (2) as rows of numbers in front of q, v, a_1 ... a_s.
struct GaussCollocation {
  Eigen::VectorXd c;
  Eigen::RowVectorXd b;
  Eigen::MatrixXd A;
  Eigen::MatrixXd position, velocity;             ///< s x (2 + s): q_i, v_i
  Eigen::RowVectorXd end_position, end_velocity;  ///< 2 + s: q+, v+
  Eigen::MatrixXd
      inverse;  ///< Lagrange's polynomials at the nodes: column j has the coefficients of the j-th, lowest power first

  GaussCollocation(int stages, double h) : c(stages) {
    const double outer = std::sqrt(0.15), inner = std::sqrt(3.0) / 6.0;
    if (stages == 1)
      c << 0.5;
    else if (stages == 2)
      c << 0.5 - inner, 0.5 + inner;
    else
      c << 0.5 - outer, 0.5, 0.5 + outer;
    // A and b integrate polynomials of degree s - 1 exactly: Sum_j A_ij c_j^k = c_i^(k+1)/(k+1).
    Eigen::MatrixXd powers(stages, stages), integrals(stages, stages);
    Eigen::RowVectorXd whole(stages);
    for (int k = 0; k < stages; ++k) {
      powers.col(k) = c.array().pow(k);
      integrals.col(k) = c.array().pow(k + 1) / (k + 1);
      whole[k] = 1.0 / (k + 1);
    }
    inverse = powers.inverse();
    A = integrals * inverse;
    b = whole * inverse;
    position.setZero(stages, 2 + stages);
    velocity.setZero(stages, 2 + stages);
    position.col(0).setOnes();
    position.col(1) = h * c;
    position.rightCols(stages) = h * h * A * A;
    velocity.col(1).setOnes();
    velocity.rightCols(stages) = h * A;
    end_position.setZero(2 + stages);
    end_velocity.setZero(2 + stages);
    end_position[0] = 1.0;
    end_position[1] = h;
    end_position.tail(stages) = h * h * b * A;
    end_velocity[1] = 1.0;
    end_velocity.tail(stages) = h * b;
  }

  /// q(x h) = q + x h v + h^2 Sum w_j a_j: Lagrange's polynomials, integrated twice from 0 to x.
  Eigen::RowVectorXd position_weights(double x) const {
    Eigen::RowVectorXd weights = Eigen::RowVectorXd::Zero(c.size());
    double power = x * x;
    for (Eigen::Index k = 0; k < c.size(); ++k, power *= x)
      weights += power / static_cast<double>((k + 1) * (k + 2)) * inverse.row(k);
    return weights;
  }
};

}  // namespace limber
