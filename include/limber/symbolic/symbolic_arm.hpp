#pragma once

// An arm whose coordinates and parameters are symbols: the workspace in which the algorithms write its equations.
//
// Every constant of the workspace is replaced by a formula of named parameters that has the same value. Parameters are what a
// model file gives: lengths, masses, centres of mass, inertias, EI, payloads. Of a beam's shape integrals, the dimension says how
// they depend on its length and mass per length; what remains is a number that belongs to the shape alone:
//
//   Int m F_a F_b dx = N_ab rhoA L^(k_a + k_b + 1) + m_tip F_a(L) F_b(L),   k = 1 - (coordinates of F that are lengths)   (1)
//   K_jk = N_jk EI / L^3 (bending), GJ / L (torsion), EA / L (stretching)                                           (2)
//
// The numbers N are those of the model's own shapes. Clamped-mass shapes change with the payload, and finite-element shapes with
// the taper: there N holds for the given ratio. Shapes scaled by mass, or by powers of x, have no such number: their integrals
// are parameters, or numbers, as they are.

#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/model/model.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber {

enum class ParameterStyle {
  numbers,   ///< no parameters
  symbols,   ///< lengths, masses, stiffnesses, payloads ... are symbols; N of (1) and (2) are numbers
  constants  ///< N are symbols as well, with their values in the table
};

struct Parameter {
  std::string name;     ///< an identifier: L2, rhoA2, EIz2
  std::string latex;    ///< L_{2}, EI_{z,2}
  std::string unit;     ///< empty: none
  std::string meaning;  ///< "length of link2"
  double value;
  Expression symbol;
};

struct SymbolicArm {
  SymbolicArm(const Model& model, ParameterStyle style);

  const Model& model;
  std::shared_ptr<Graph> graph;
  std::vector<Parameter> parameters;
  VectorX<Expression> q, v, a, tau;  ///< symbols q1.. v1.. a1.. u1..
  std::unique_ptr<Workspace<Expression>> work;
  std::vector<Expression>
      scaling_lengths;  ///< L of each link whose shapes scale with it; 1 where there is none

  /// Values of all symbols of the graph: the parameters', and these.
  std::vector<double> values(const Eigen::VectorXd& q_values, const Eigen::VectorXd& v_values,
                             const Eigen::VectorXd& a_values, const Eigen::VectorXd& tau_values) const;
};

}  // namespace limber
