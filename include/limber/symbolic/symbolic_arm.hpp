// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm whose coordinates and parameters are symbols: the workspace in which the algorithms write its equations.
//
// Every constant of the workspace is replaced by a formula of named parameters that has the same value. Parameters are what a
// model file gives: lengths, masses, centres of mass, inertias, EI, payloads. Of a beam's shape integrals, the dimension says how
// they depend on its length and mass per length; what remains is a number that belongs to the shape alone:
//
//   Int F_a F_b dm = N_ab   rhoA L^(k_a + k_b + 1) + m_tip F_a(L) F_b(L),   k = 1 - (coordinates of F that are lengths)   (1)
//   K_jk = N_jk EI / L^3 (bending), GJ / L (torsion), EA / L (stretching)                                           (2)
//
// Shapes that are not scaled to a peak carry a unit of their own, which multiplies every integral once for each of its coordinates:
//
//   s_j = 1 (peak), (rhoA L)^-1/2 (scaled by mass; torsion: with the polar inertia per length), L^p (x^p)                   (3)
//
// The numbers N are those of the model's own shapes. Clamped-mass shapes and those scaled by mass with a payload change with it, and
// all that is tapered with the taper: there N holds for the given ratio. A table of shapes that is taken as it is has no such number: its
// integrals are numbers as they are.

#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/model/model.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber LIMBER_EXPORT {

/// What the parameters of an arm become.
enum class ParameterStyle {
  numbers,   ///< no parameters
  symbols,   ///< lengths, masses, stiffnesses, payloads ... are symbols; N of (1) and (2) are numbers
  constants  ///< N are symbols as well, with their values in the table
};

/// A parameter of an arm.
struct Parameter {
  std::string name;     ///< an identifier: L2, rhoA2, EIz2
  std::string latex;    ///< L_{2}, EI_{z,2}
  std::string unit;     ///< empty: none
  std::string meaning;  ///< "length of link2"
  double value;         ///< in the model, SI
  Expression symbol;    ///< in formulas
};

/// A formula and its value: what multiplies a number that belongs to a shape.
struct ScaleOfShape {
  Expression symbol;   ///< such as L^2
  double value = 0.0;  ///< its value in the model
};

/// Of a beam that slides through a guide (docs/telescoping.md), how much of it is out. Formulas have it as a symbol of its own: all else is polynomials in
/// it and in one over it.
struct FreeLength {
  int link;           ///< its index
  std::string name;   ///< l3
  Expression symbol;  ///< of that name; stands for `sum` where formulas are written
  Expression sum;     ///< L3 - c3 + q8
};

/// An arm whose coordinates and parameters are symbols.
struct SymbolicArm {
  /// Of an arm, of which it keeps a copy.
  SymbolicArm(const Model& model, ParameterStyle style);

  Model model;                                  ///< whose equations these are
  std::shared_ptr<Graph> graph;                 ///< in which its expressions stand
  std::vector<Parameter> parameters;            ///< all that occur, in the order of links
  VectorX<Expression> q, v, a, tau;             ///< symbols q1.. v1.. qdd1.. u1..
  VectorX<Expression> w;                        ///< symbols w1..: rates of a reference (regressor.hpp)
  std::unique_ptr<Workspace<Expression>> work;  ///< in which the algorithms run
  /// Of each link and elastic coordinate, what a slope of its shape is in; none where shapes keep their numbers.
  std::vector<std::vector<ScaleOfShape>> slope_scales;

  std::vector<FreeLength> free_lengths;  ///< of telescoping beams, in the order of links

  /// Values of all symbols of the graph: the parameters', and these. (w: zero where none are given.)
  std::vector<double> values(const Eigen::VectorXd& q_values, const Eigen::VectorXd& v_values,
                             const Eigen::VectorXd& a_values, const Eigen::VectorXd& tau_values,
                             const Eigen::VectorXd& w_values = {}) const;
};

}  // namespace limber
