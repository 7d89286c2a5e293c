// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How the equations of motion are integrated, as its author writes it: each method with its keys, and with the function that makes it.
//
// A new method is a struct and its describe() here (a method that finds its own steps has `max_step`, and needs no describe), its name in
// IntegrationMethod, and a file of its own in src/simulation that defines `make` (one_step.hpp there helps); src/CMakeLists.txt names that
// file. Schema, reference, messages and checks of keys follow. `is_explicit` is said by methods whose steps, found by themselves, follow the
// fastest motion.

#include <memory>
#include <optional>
#include <variant>

#include "limber/core/export.hpp"
#include "limber/model/description.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {

// Of the layer that integrates.
class Integrator;
class System;
struct IntegratorDescription;

/// What keeps joints together where every link has a pose of its own (rkmk4).
enum class ConstraintCorrection { projection, baumgarte, none };

namespace integrators {

struct Automatic {
  static constexpr const char* type = "auto";
  static constexpr const char* meaning = "variable-radau or erk, by how stiff the arm is where it starts.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// VariableRadau at work on the system: simulate() calls choose_method() first, and makes what that takes.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Radau {
  static constexpr const char* type = "radau";
  static constexpr const char* meaning = "Radau IIA of order 5: stiff arms.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Radau9 {
  static constexpr const char* type = "radau9";
  static constexpr const char* meaning = "Radau IIA of order 9: stiff arms, small tolerances.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Radau13 {
  static constexpr const char* type = "radau13";
  static constexpr const char* meaning = "Radau IIA of order 13: stiff arms, very small tolerances.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct VariableRadau {
  static constexpr const char* type = "variable-radau";
  static constexpr const char* meaning = "Radau IIA of order 5, 9 or 13, as the motion allows: stiff arms.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Bdf {
  static constexpr const char* type = "bdf";
  static constexpr const char* meaning = "Backward differentiation (CVODE): stiff and strongly damped arms.";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Ida {
  static constexpr const char* type = "ida";
  static constexpr const char* meaning = "The same for implicit equations (IDA).";
  std::optional<double> max_step = {};  ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Adams {
  static constexpr const char* type = "adams";
  static constexpr const char* meaning = "Adams-Moulton (CVODE): arms that are not stiff.";
  static constexpr bool is_explicit = true;  ///< steps follow the fastest motion
  std::optional<double> max_step = {};       ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Erk {
  static constexpr const char* type = "erk";
  static constexpr const char* meaning = "Explicit Runge-Kutta of order 5 (ARKODE): arms that are not stiff.";
  static constexpr bool is_explicit = true;  ///< steps follow the fastest motion
  std::optional<double> max_step = {};       ///< the longest step [s]; none: as error control finds
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Rk4 {
  static constexpr const char* type = "rk4";
  static constexpr const char* meaning = "The classical Runge-Kutta method with a fixed step.";
  double step = not_given;  ///< [s]; steps are this long, or shorter to end at corners and to see all inputs
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Rkmk4 {
  static constexpr const char* type = "rkmk4";
  static constexpr const char* meaning =
      "The same where every link has a pose of its own (docs/dae.md); formulation dae only.";
  double step = not_given;  ///< [s]; steps are this long, or shorter to end at corners and to see all inputs
  /// What keeps the joints together.
  ConstraintCorrection constraints = ConstraintCorrection::projection;
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct GeneralizedAlpha {
  static constexpr const char* type = "generalized-alpha";
  static constexpr const char* meaning =
      "Chung and Hulbert's method of structural dynamics, with a fixed step.";
  double step = not_given;  ///< [s]; steps are this long, or shorter to end at corners and to see all inputs
  /// What one step leaves of infinitely fast modes, from 0 (nothing) to 1 (all); none: 0.8.
  std::optional<double> spectral_radius = {};
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

struct Euler {
  static constexpr const char* type = "euler";
  static constexpr const char* meaning =
      "Forward Euler with a fixed step: unstable for undamped vibration, there to repeat what papers did.";
  double step = not_given;  ///< [s]; steps are this long, or shorter to end at corners and to see all inputs
  /// The method at work on the system, which must outlive it; `all`: the description that it stands in.
  std::unique_ptr<Integrator> make(System& system, const IntegratorDescription& all) const;
};

}  // namespace integrators

/// A method, with its keys.
using IntegrationMethod =
    std::variant<integrators::Automatic, integrators::Radau, integrators::Radau9, integrators::Radau13,
                 integrators::VariableRadau, integrators::Bdf, integrators::Ida, integrators::Adams,
                 integrators::Erk, integrators::Rk4, integrators::Rkmk4, integrators::GeneralizedAlpha,
                 integrators::Euler>;

/// Of a method that has one.
std::optional<double> fixed_step(const IntegrationMethod& method);

/// How the equations of motion are integrated.
struct IntegratorDescription {
  IntegrationMethod method = {};  ///< which, with its keys
  double rtol = 1e-6;             ///< relative tolerance per step
  double atol = 1e-9;             ///< absolute tolerance per step, in the unit of each number
};

}  // namespace limber

// Their keys, for what reads, checks and documents files. Programs need the types alone, and C++17 for them.
#if __cplusplus >= 202002L

#include "limber/model/description_fields.hpp"

namespace limber LIMBER_EXPORT {

template <>
inline constexpr auto choices<ConstraintCorrection> = std::to_array<Choice<ConstraintCorrection>>({
    {ConstraintCorrection::projection, "projection"},
    {ConstraintCorrection::baumgarte, "baumgarte"},
    {ConstraintCorrection::none, "none"},
});

namespace integrators {

/// Methods that find their own steps.
template <typename Method>
concept Adaptive = requires(Method& method) {
  method.max_step;
};

template <typename Visitor, Adaptive Method>
void describe(Visitor& v, Method& method) {
  v.field({.key = "max_step",
           .meaning = "the longest step",
           .unit = "s",
           .range = positive,
           .otherwise = "as error control finds",
           .nullable = true},
          method.max_step);
}

/// Methods with a fixed step.
template <typename Visitor>
void describe_step(Visitor& v, auto& step) {
  v.field({.key = "step",
           .meaning = "of which the steps are, or a little shorter",
           .required = true,
           .unit = "s",
           .range = positive,
           .nullable = true},
          step);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Rk4> auto& method) {
  describe_step(v, method.step);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Rkmk4> auto& method) {
  describe_step(v, method.step);
  v.field({.key = "constraints", .meaning = "what keeps the joints together (docs/dae.md)"},
          method.constraints);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<GeneralizedAlpha> auto& method) {
  describe_step(v, method.step);
  v.field({.key = "spectral_radius",
           .meaning = "1 keeps the energy of fast modes, 0 removes it within one step",
           .range = {0.0, 1.0},
           .otherwise = "0.8",
           .nullable = true},
          method.spectral_radius);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Euler> auto& method) {
  describe_step(v, method.step);
}

}  // namespace integrators

template <typename Visitor>
void describe(Visitor& v, Maybe<IntegratorDescription> auto& integrator) {
  v.block("integrator",
          "How the equations of motion are integrated (docs/simulation.md says which method is for what).");
  v.field({.key = "rtol", .meaning = "relative tolerance per step", .range = {1e-14, 0.1}}, integrator.rtol);
  v.field({.key = "atol", .meaning = "absolute tolerance per step", .range = positive}, integrator.atol);
  v.variant({.key = "method", .meaning = "the method"}, integrator.method);
}

}  // namespace limber

#endif
