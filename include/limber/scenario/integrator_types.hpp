#pragma once

// How the equations of motion are integrated, as its author writes it. A new method stands here, and in src/simulation (one_step.hpp
// there).

#include <optional>
#include <variant>

#include "limber/model/variant_block.hpp"

namespace limber {

/// What keeps joints together where every link has a pose of its own (rkmk4).
enum class ConstraintCorrection { projection, baumgarte, none };

namespace integrators {

struct Automatic {
  static constexpr const char* type = "auto";
  static constexpr const char* meaning = "radau, radau9 or erk, by how stiff the arm is where it starts.";
  std::optional<double> max_step = {};
};

struct Radau {
  static constexpr const char* type = "radau";
  static constexpr const char* meaning = "Radau IIA of order 5: stiff arms.";
  std::optional<double> max_step = {};
};

struct Radau9 {
  static constexpr const char* type = "radau9";
  static constexpr const char* meaning = "Radau IIA of order 9: stiff arms, small tolerances.";
  std::optional<double> max_step = {};
};

struct Bdf {
  static constexpr const char* type = "bdf";
  static constexpr const char* meaning = "Backward differentiation (CVODE): stiff and strongly damped arms.";
  std::optional<double> max_step = {};
};

struct Ida {
  static constexpr const char* type = "ida";
  static constexpr const char* meaning = "The same for implicit equations (IDA).";
  std::optional<double> max_step = {};
};

struct Adams {
  static constexpr const char* type = "adams";
  static constexpr const char* meaning = "Adams-Moulton (CVODE): arms that are not stiff.";
  std::optional<double> max_step = {};
};

struct Erk {
  static constexpr const char* type = "erk";
  static constexpr const char* meaning = "Explicit Runge-Kutta of order 5 (ARKODE): arms that are not stiff.";
  std::optional<double> max_step = {};
};

struct Rk4 {
  static constexpr const char* type = "rk4";
  static constexpr const char* meaning = "The classical Runge-Kutta method with a fixed step.";
  double step = not_given;
};

struct Rkmk4 {
  static constexpr const char* type = "rkmk4";
  static constexpr const char* meaning =
      "The same where every link has a pose of its own (docs/dae.md); formulation dae only.";
  double step = not_given;
  ConstraintCorrection constraints = ConstraintCorrection::projection;
};

struct GeneralizedAlpha {
  static constexpr const char* type = "generalized-alpha";
  static constexpr const char* meaning =
      "Chung and Hulbert's method of structural dynamics, with a fixed step.";
  double step = not_given;
  std::optional<double> spectral_radius = {};
};

struct Euler {
  static constexpr const char* type = "euler";
  static constexpr const char* meaning =
      "Forward Euler with a fixed step: unstable for undamped vibration, there to repeat what papers did.";
  double step = not_given;
};

}  // namespace integrators

using IntegrationMethod =
    std::variant<integrators::Automatic, integrators::Radau, integrators::Radau9, integrators::Bdf,
                 integrators::Ida, integrators::Adams, integrators::Erk, integrators::Rk4, integrators::Rkmk4,
                 integrators::GeneralizedAlpha, integrators::Euler>;

/// Of a method that has one.
std::optional<double> fixed_step(const IntegrationMethod& method);

struct IntegratorDescription {
  IntegrationMethod method = {};
  double rtol = 1e-6;
  double atol = 1e-9;
};

}  // namespace limber
