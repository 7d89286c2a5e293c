// SPDX-License-Identifier: BSD-3-Clause
// One beam that slides through a guide (docs/telescoping.md): closed forms of cantilevers of its free length, motions, and what it cannot be.

#include <gtest/gtest.h>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// ---- closed forms ----

constexpr double rho = 7.5, EI = 900.0;

ModelBuilder single(double whole, double in_guide, int modes) {
  ModelBuilder builder("single");
  JointDescription slide{.name = "slide", .type = JointType::prismatic, .axis = Vector3d::UnitX()};
  slide.telescoping = true;
  builder.gravity(Vector3d::Zero())
      .link("beam")
      .joint(slide)
      .root({.xyz = {-in_guide, 0.0, 0.0}})
      .beam(whole, {.EI_z = EI, .mass_per_length = rho})
      .modes(Direction::y, modes);
  return builder;
}

TEST(TelescopingBeam, FrozenHasTheFrequenciesOfACantileverOfItsFreeLength) {
  ModelBuilder builder = single(3.0, 1.0, 3);
  builder.current_link().beam->modes.y->shape = ShapeFamily::clamped_free;
  const Model model = builder.build();
  for (const double slide : {-1.2, -0.3, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const double l = 2.0 + slide;
    const NaturalModes found = natural_modes(model, q, JointTreatment::held, 2);
    const double unit = std::sqrt(EI / (rho * l * l * l * l));
    EXPECT_NEAR(found.angular_frequencies[0], 1.8751040687119611 * 1.8751040687119611 * unit,
                1e-6 * found.angular_frequencies[0]);
    EXPECT_NEAR(found.angular_frequencies[1], 4.694091132974175 * 4.694091132974175 * unit,
                1e-5 * found.angular_frequencies[1]);
  }
}

TEST(TelescopingBeam, GivesWayAsACantileverOfItsFreeLength) {
  const Model model = single(3.0, 1.0, 2).build();
  for (const double slide : {-1.2, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const double l = 2.0 + slide, P = 0.5;
    const Equilibrium found =
        static_equilibrium(model, q, {{.link = 0, .node = 0, .axes = Axes::world, .force = {0.0, P, 0.0}}});
    const TipState tip = tip_state(model.links()[0], found.q);
    EXPECT_NEAR(tip.deflection.y(), P * l * l * l / (3.0 * EI), 1e-6 * tip.deflection.y());
    EXPECT_NEAR(tip.slope.z(), P * l * l / (2.0 * EI), 1e-6 * tip.slope.z());
    // The load leans on the bent tip and pulls the beam out: what holds it in is -dV/dl at a fixed load, (P l)^2 / (2 EI), inwards.
    EXPECT_NEAR(found.efforts[0], -P * P * l * l / (2.0 * EI), 1e-5 * P * P * l * l / (2.0 * EI));
    const WholeLink whole = whole_links(model)[0];
    EXPECT_NEAR(beam_strain(model, whole, found.q, 0.0).kappa_z, P * l / EI, 1e-5 * P * l / EI);
    EXPECT_NEAR(beam_length(model, whole, found.q), l, 1e-14);
  }
}

TEST(TelescopingBeam, KeepsItsDampingRatioAtEveryLength) {
  ModelBuilder builder = single(3.0, 1.0, 3);
  const Model model = builder.damping_ratio(0.02).build();
  for (const double slide : {-1.5, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const NaturalModes modes = natural_modes(model, q, JointTreatment::held, 3);
    const VectorXd ratios = damping_ratios(model, q, modes);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(ratios[k], 0.02, 1e-9) << slide;
  }
}

TEST(TelescopingBeam, WithoutModesIsAnOrdinaryLinkOnItsJoint) {
  ModelBuilder telescoping = single(3.0, 1.0, 2);
  telescoping.current_link().beam->modes = {};
  ModelBuilder ordinary = telescoping;
  ordinary.current_link().joint.telescoping = false;
  const Model one = telescoping.build(), other = ordinary.build();
  EXPECT_EQ(one.nv(), 1);
  EXPECT_FALSE(one.has_telescopes());
  EXPECT_DOUBLE_EQ(one.mass(), other.mass());
}

TEST(TelescopingBeam, HasAllItsMassWhereverItIs) {
  const Model model = single(3.0, 1.0, 2).build();
  EXPECT_NEAR(model.mass(), 3.0 * rho, 1e-12);
  Workspace<double> work(model);
  for (const double slide : {-1.9, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const Momentum<double> of = momentum<double>(model, work, q, VectorXd::Unit(model.nv(), 0));
    EXPECT_NEAR(of.mass, 3.0 * rho, 1e-12);
    EXPECT_NEAR(of.linear.x(), 3.0 * rho, 1e-12);  // all of it moves with the joint
    EXPECT_NEAR(of.center_of_mass.x(), 0.5 + slide, 1e-12);
  }
}

// ---- motions, by Runge and Kutta's classical method on forward dynamics alone ----

struct Motion {
  VectorXd q, v;
};
// `held`: the joint's place is extension(t) with its two derivatives; else it is free.
template <typename Extension>
void advance(const Model& model, Workspace<double>& work, bool held, Extension&& extension, double duration,
             int steps, Motion& at) {
  const double h = duration / steps;
  const VectorXd tau = VectorXd::Zero(model.nv());
  const auto rate = [&](double t, Motion state) {
    VectorXd a = VectorXd::Zero(model.nv());
    if (held) {
      const Vector3d e = extension(t);
      state.q[0] = e[0];
      state.v[0] = e[1];
      a[0] = e[2];
    }
    forward_dynamics<double>(model, work, state.q, state.v, tau, a);
    return Motion{state.v, a};
  };
  const auto moved = [&](const Motion& by, double part) {
    return Motion{at.q + part * by.q, at.v + part * by.v};
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Motion k1 = rate(t, at), k2 = rate(t + 0.5 * h, moved(k1, 0.5 * h)),
                 k3 = rate(t + 0.5 * h, moved(k2, 0.5 * h)), k4 = rate(t + h, moved(k3, h));
    at.q += h / 6.0 * (k1.q + 2.0 * k2.q + 2.0 * k3.q + k4.q);
    at.v += h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v);
  }
  if (!held) return;
  at.q[0] = extension(duration)[0];
  at.v[0] = extension(duration)[1];
}

double stored(const Model& model, Workspace<double>& work, const Motion& at) {
  const Energy<double> energy = limber::energy<double>(model, work, at.q, at.v);
  return energy.kinetic + energy.strain + energy.gravity;
}

// Bent and let go, it pushes itself out of its guide, and keeps its energy.
TEST(TelescopingBeam, KeepsItsEnergyWhileItSlides) {
  ModelBuilder builder = single(3.0, 1.0, 2);
  const Model model = builder.gravity({0.3, -0.5, 0.0}).build();
  Workspace<double> work(model);
  Motion at{VectorXd::Zero(3), VectorXd::Zero(3)};
  at.q[1] = 0.3;
  at.v[0] = -0.2;
  const double before = stored(model, work, at);
  advance(
      model, work, false, [](double) { return Vector3d(Vector3d::Zero()); }, 0.5, 2000, at);
  EXPECT_NEAR(stored(model, work, at), before, 1e-7 * before);
  EXPECT_GT(at.v[0], -0.1);
}

// Half the length, four times the frequency: drawn in slowly, a beam has four times the energy in the end.
TEST(TelescopingBeam, KeepsEnergyOverFrequencyWhileItIsDrawnInSlowly) {
  ModelBuilder builder = single(3.0, 1.0, 1);
  builder.current_link().beam->modes.y->shape = ShapeFamily::clamped_free;
  const Model model = builder.build();
  Workspace<double> work(model);
  work.prescribe({0});
  constexpr double duration = 10.0;
  const auto quintic = [&](double t) {
    const double x = t / duration;
    return Vector3d(-x * x * x * (10.0 + x * (6.0 * x - 15.0)),
                    -30.0 * x * x * (1.0 - x) * (1.0 - x) / duration,
                    -60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (duration * duration));
  };
  Motion at{VectorXd::Zero(2), VectorXd::Zero(2)};
  at.q[1] = 0.02;
  const double before = stored(model, work, at);
  // A first mode with unit deflection of its tip moves a quarter of the beam's mass.
  EXPECT_NEAR(before, 0.5 * 0.02 * 0.02 * 0.25 * 12.3623633 * EI / 8.0, 1e-6 * before);
  advance(model, work, true, quintic, duration, 4000, at);
  EXPECT_NEAR(stored(model, work, at) / before, 4.0, 0.02);
}

// ---- what is refused ----

void expect_problem(const ModelBuilder& builder, const std::string& path) {
  try {
    builder.build();
    FAIL() << "built, although " << path << " is wrong";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, path) << error.what();
  }
}

TEST(TelescopingBeam, SaysWhatItCannotBe) {
  const ModelBuilder good = single(3.0, 1.0, 2);
  const auto with = [&](auto&& change) {
    ModelBuilder builder = good;
    change(builder.current_link());
    return builder;
  };
  using Link = LinkDescription;
  expect_problem(with([](Link& link) { link.joint.type = JointType::revolute; }),
                 "links[0].joint.telescoping");
  expect_problem(with([](Link& link) { link.joint.axis = Vector3d::UnitY(); }), "links[0].joint.axis");
  expect_problem(with([](Link& link) { link.root.xyz.x() = -3.0; }), "links[0].root.xyz");
  expect_problem(with([](Link& link) { link.root.xyz.x() = 0.1; }), "links[0].root.xyz");
  expect_problem(with([](Link& link) { link.beam->section->kGA_y = 1e5; }), "links[0].beam.section");
  expect_problem(with([](Link& link) { link.beam->segments = 2; }), "links[0].beam.segments");
  expect_problem(with([](Link& link) { link.beam->section->center_of_mass.x() = 0.1; }),
                 "links[0].beam.section");
  expect_problem(with([](Link& link) {
                   link.beam->length = 0.0;
                   link.beam->curve = CurveDescription{3.0, 1.0};
                 }),
                 "links[0].beam.curve");
  expect_problem(with([](Link& link) { link.beam->modes.y->shape = ShapeFamily::pinned_free; }),
                 "links[0].beam.modes.y.shape");
  expect_problem(with([](Link& link) { link.beam->modes.y->normalize = Normalization::mass; }),
                 "links[0].beam.modes.y.normalize");
  expect_problem(with([](Link& link) { link.joint.limits = JointLimits{.upper = 1.5}; }),
                 "links[0].joint.limits.upper");
  expect_problem(with([](Link& link) {
                   link.joint.drive = DriveDescription{1.0, 1.0, 1e3};
                 }),
                 "links[0].joint.drive.stiffness");
  ModelBuilder child = good;
  child.link("child", "beam", 0.5).fixed().rigid({1.0, Vector3d::Zero(), InertiaElements::Zero(), {}});
  expect_problem(child, "links[1].attach");
  const Model model = good.build();
  VectorXd q = VectorXd::Zero(model.nq());
  for (const double slide : {-2.0, 1.01}) {
    q[0] = slide;
    EXPECT_THROW(require_free_lengths(model, q), InputError);
  }
  EXPECT_THROW(require_no_telescopes(model, "this"), InputError);
}

}  // namespace
}  // namespace limber
