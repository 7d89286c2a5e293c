// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Quadratic programs with the structure of time, as predictive control has one at each sample: a linear system that changes from stage to stage, a quadratic cost, efforts within limits,
//
//   min  Sum_k=0..N-1 w/2 [ |x_k - r_k|^2_Q + |u_k - h_k|^2_R ] + 1/2 |x_N - r_N|^2_P + Sum_k=1..N Sum_i s_i/2 d_i(x_k)^2
//   x_k+1 = A_k x_k + B_k u_k + c_k,   x_0 given,   lower <= u_k <= upper                                                 (1)
//
// d_i is how far number i of the state is beyond its own limits: these are soft, so that there always is a solution.
//
// **If it were known which limits hold** (an effort at its limit: its value; a state beyond its own: s_i counts for it), (1) would be a problem of Riccati's recursion. With the cost
// from stage k on V_k(x) = x^T P_k x/2 + p_k^T x, and
//
//   H = w R + B^T P B,   G = B^T P A,   g = -w R h + B^T (P c + p)     (A, B, c of stage k, P, p of k + 1)                (2)
//
// the efforts F that are free and C that are at a limit are u = K x + kappa,
//
//   K_C = 0,  kappa_C = limit,   K_F = -H_FF^-1 G_F,   kappa_F = -H_FF^-1 (g_F + H_FC kappa_C)                            (3)
//   P_k = w Q + A^T P A + G_F^T K_F,    p_k = -w Q r + A^T (P c + p) + G^T kappa                                          (4)
//
// and the sweep forwards gives x, u, and what the cost would gain, H u + G x + g, where an effort is at its limit.
//
// **Which they are** is found by repeating: an effort that went beyond its limit is put there, one whose cost falls away from its limit is set free, and s_i counts where a state was
// beyond (a primal-dual active set method, which is Newton's on the conditions of Karush, Kuhn and Tucker: M. Hintermueller, K. Ito and K. Kunisch, SIAM J. Optim. 13 (2002), 865-888).
// It ends where nothing changes, and what it found is the solution then. From the sets of the sample before that takes one or two sweeps.
//
// **Far from the sets that hold** it may go round in circles. After some sweeps an interior-point method begins. With z <= limit one of the limits, lambda its multiplier and the slack
// t = limit - z + lambda/s (s infinite for efforts), lambda t = mu is brought to zero step by step; Newton's direction of each step is a problem (1) without limits, with
//
//   + W/2 z^2 + (l - W z_now) z,   W = lambda/(t + lambda/s),   l = lambda + (mu - lambda t - lambda r)/(t + lambda/s),  r = limit - z_now + lambda/s - t       (5)
//
// in its cost, which is one sweep. Multipliers then say which limits hold, and the method above finds the exact solution from there.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// (1): n states, m efforts, N stages.
struct BoundedLqrProblem {
  std::vector<Eigen::MatrixXd> A, B;         ///< of each stage
  Eigen::MatrixXd c;                         ///< n x N
  Eigen::MatrixXd Q, R, P;                   ///< symmetric; R and P >= 0, and R > 0
  double weight = 1.0;                       ///< w
  Eigen::MatrixXd r, h;                      ///< n x (N + 1), m x N
  Eigen::VectorXd x_0;                       ///< n
  Eigen::VectorXd lower, upper;              ///< m; infinite: none
  Eigen::VectorXd state_lower, state_upper;  ///< n; infinite: none
  Eigen::VectorXd softness;                  ///< s: n
};

/// Solves one problem after the other; keeps its scratch.
class BoundedLqr {
 public:
  /// What is found.
  struct Solution {
    Eigen::MatrixXd x, u;  ///< n x (N + 1), m x N
    Eigen::MatrixXd K;     ///< m x n: of the first stage, how u_0 follows x_0 as long as no limit changes
    int sweeps = 0;        ///< that it took
    bool is_settled =
        false;  ///< whether it is the solution: else the last sweep's, with efforts put within their limits
  };
  /// `solution` holds x and u from which the limits are guessed, or nothing. Throws InputError where sizes do not fit, ComputationError where R is not positive definite.
  void solve(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps = 100);

 private:
  struct Stage {
    Eigen::MatrixXd K, H, G;
    Eigen::VectorXd kappa, g;
  };
  void require_sizes(const BoundedLqrProblem& problem) const;
  void guess(const BoundedLqrProblem& problem, const Solution& solution);
  void follow_sets(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps);
  void go_inside(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps);
  void sweep(const BoundedLqrProblem& problem, Solution& solution);
  void reduce(const BoundedLqrProblem& problem, Eigen::Index k);
  void count_states(const BoundedLqrProblem& problem);
  bool change_sets(const BoundedLqrProblem& problem, const Solution& solution);

  std::vector<Stage> stages_;
  Solution inside_;
  Eigen::MatrixXi at_limit_, beyond_;  ///< -1, 0, 1: of efforts, and of states 1 ... N
  /// (5), and s_i where it counts: weights of squares, and of the numbers themselves.
  Eigen::MatrixXd effort_weight_, effort_push_, state_weight_, state_push_;
  Eigen::MatrixXd P_, PA_, PB_, next_P_, H_free_, G_free_;
  Eigen::VectorXd p_, Pc_, next_p_, g_free_;
};

}  // namespace limber
