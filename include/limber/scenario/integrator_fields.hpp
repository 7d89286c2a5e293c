#pragma once

// The keys of each method of integration (integrator_types.hpp).

#include "limber/model/description_fields.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/scenario/integrator_types.hpp"

namespace limber {
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
