// SPDX-License-Identifier: BSD-3-Clause
// Curved and twisted beams, mass and shear centres beside the axis (docs/curved-beams.md). The oracles are Ritz's method with polynomials on the
// differential equations of the curved, twisted or coupled beam itself, Castigliano's theorem, and published frequencies of Goland's wing; none of
// them knows segments, frames or nodes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/beam/field.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/inner_loads.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

Model parse(const std::string& text) { return build_model(parse_model_description(text, "arm.yaml", ".")); }

VectorXd frequencies(const Model& model, int count) {
  return natural_modes(model, neutral_configuration(model), JointTreatment::locked, count)
      .angular_frequencies;
}

// ---- Ritz's method: functions x^p of x in [0, 1], sampled at Gauss points ----

struct Ritz {
  static constexpr int points = 40;
  VectorXd x, w;  // Gauss and Legendre

  Ritz() : x(points), w(points) {
    MatrixXd T = MatrixXd::Zero(points, points);
    for (int i = 1; i < points; ++i) T(i, i - 1) = T(i - 1, i) = i / std::sqrt(4.0 * i * i - 1.0);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(T);
    x = 0.5 * (solver.eigenvalues().array() + 1.0);
    w = solver.eigenvectors().row(0).array().square();
  }
  // Derivative number d of x^p (1 - 2x)^0 ...: Legendre polynomials times x^p are well conditioned.
  MatrixXd functions(int p, int count, int d) const {
    MatrixXd F(points, count);
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < points; ++i) F(i, j) = jet(p, j, x[i])[static_cast<std::size_t>(d)];
    return F;
  }
  // x^p P_j(2x - 1) with two derivatives.
  static std::array<double, 3> jet(int p, int j, double x) {
    std::array<double, 3> before{1.0, 0.0, 0.0}, here{2.0 * x - 1.0, 2.0, 0.0};
    const double t = 2.0 * x - 1.0;
    if (j == 0) here = before;
    for (int n = 1; n < j; ++n) {
      std::array<double, 3> next{};
      next[0] = ((2 * n + 1) * t * here[0] - n * before[0]) / (n + 1);
      next[1] = ((2 * n + 1) * (2.0 * here[0] + t * here[1]) - n * before[1]) / (n + 1);
      next[2] = ((2 * n + 1) * (4.0 * here[1] + t * here[2]) - n * before[2]) / (n + 1);
      before = here;
      here = next;
    }
    const double a = std::pow(x, p), b = p * std::pow(x, p - 1),
                 c = p > 1 ? p * (p - 1) * std::pow(x, p - 2) : 0.0;
    return {a * here[0], b * here[0] + a * here[1], c * here[0] + 2.0 * b * here[1] + a * here[2]};
  }
  // Int A^T diag(k) B
  MatrixXd product(const MatrixXd& A, const VectorXd& k, const MatrixXd& B) const {
    return A.transpose() * (w.cwiseProduct(k)).asDiagonal() * B;
  }
  MatrixXd square(const MatrixXd& A, double k) const { return product(A, VectorXd::Constant(points, k), A); }
};

VectorXd roots(const MatrixXd& K, const MatrixXd& M, int count) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .head(count)
      .cwiseSqrt();
}

MatrixXd beside(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd both(A.rows(), A.cols() + B.cols());
  both << A, B;
  return both;
}

// ---- a quarter ring ----

constexpr double R = 1.3, EI_y = 700.0, EI_z = 400.0, GJ = 300.0, EA = 4e6, mass = 2.5, polar = 0.01;

std::string ring(int segments, const std::string& more = "", double angle = pi / 2,
                 const char* axis = "[0, 0, 1]") {
  return "limber: 1\ngravity: [0, 0, 0]\nkinematics: first\nlinks:\n  - name: ring\n    joint: {type: "
         "fixed}\n    beam:\n      curve: {radius: " +
         std::to_string(R) + ", angle: " + std::to_string(angle) + ", axis: " + axis +
         "}\n      section: {EI_y: 700, EI_z: 400, GJ: 300, EA: 4e6, mass_per_length: 2.5, rotary_inertia: "
         "[0.01, 0, 0]}\n"
         "      modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}, axial: {count: 1}}\n" +
         (segments > 0 ? "      segments: " + std::to_string(segments) + "\n" : "") + more;
}

// Love's ring: in its plane eps = u' - w/R, psi = w' + u/R turns sections, kappa = psi'; out of it kappa = phi/R - v'', twist phi' + v'/R.
VectorXd ring_in_plane(int count) {
  const Ritz ritz;
  const double L = R * pi / 2;
  constexpr int n = 12;
  const MatrixXd u = ritz.functions(1, n, 0), du = ritz.functions(1, n, 1) / L;
  const MatrixXd w = ritz.functions(2, n, 0), ddw = ritz.functions(2, n, 2) / (L * L);
  const MatrixXd zero = MatrixXd::Zero(Ritz::points, n);
  const MatrixXd stretch = beside(du, -w / R), kappa = beside(du / R, ddw);
  return roots(ritz.square(stretch, EA) + ritz.square(kappa, EI_z),
               ritz.square(beside(u, zero), mass) + ritz.square(beside(zero, w), mass), count);
}

VectorXd ring_out_of_plane(int count) {
  const Ritz ritz;
  const double L = R * pi / 2;
  constexpr int n = 12;
  const MatrixXd v = ritz.functions(2, n, 0), dv = ritz.functions(2, n, 1) / L,
                 ddv = ritz.functions(2, n, 2) / (L * L);
  const MatrixXd phi = ritz.functions(1, n, 0), dphi = ritz.functions(1, n, 1) / L;
  const MatrixXd zero = MatrixXd::Zero(Ritz::points, n);
  return roots(ritz.square(beside(-ddv, phi / R), EI_y) + ritz.square(beside(dv / R, dphi), GJ),
               ritz.square(beside(v, zero), mass) + ritz.square(beside(zero, phi), polar), count);
}

VectorXd ring_frequencies(int count) {
  VectorXd both(2 * count);
  both << ring_in_plane(count), ring_out_of_plane(count);
  std::sort(both.begin(), both.end());
  return both.head(count);
}

double largest_error(const VectorXd& found, const VectorXd& exact) {
  return (found.array() / exact.array() - 1.0).abs().maxCoeff();
}

TEST(QuarterRing, HasLovesFrequencies) {
  const VectorXd exact = ring_frequencies(6);
  EXPECT_LT(largest_error(frequencies(parse(ring(8)), 6), exact), 3e-3);
  EXPECT_LT(largest_error(frequencies(parse(ring(16)), 6), exact), 8e-4);
  // The error falls with the square of the segments.
  const double ratio = largest_error(frequencies(parse(ring(4)), 3), exact.head(3)) /
                       largest_error(frequencies(parse(ring(8)), 3), exact.head(3));
  EXPECT_GT(ratio, 3.0);
  // Without `segments`: eight of them.
  EXPECT_EQ(parse(ring(0)).links().size(), 8u);
}

TEST(QuarterRing, BendsInAnyPlane) {
  const VectorXd about_z = frequencies(parse(ring(8)), 6);
  // Turned about x by a quarter: what was z is y, and sections have turned with it.
  std::string turned = ring(8, "", pi / 2, "[0, -1, 0]");
  turned.replace(turned.find("EI_y: 700, EI_z: 400"), 20, "EI_y: 400, EI_z: 700");
  EXPECT_LT(largest_error(frequencies(parse(turned), 6), about_z), 1e-9);
  EXPECT_LT(largest_error(frequencies(parse(ring(8, "", -pi / 2)), 6), about_z), 1e-9);
}

TEST(QuarterRing, LiesWhereItIsAndWeighsWhatItDoes) {
  const Model model =
      parse(ring(5, "    tip: {mass: 2, com: [0.1, 0.2, 0.3], inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]}\n"));
  Workspace<double> work(model);
  update_positions(model, work, neutral_configuration(model));
  update_world_poses(work);
  const Pose tip = frame_pose(model, work, frame(model, "ring", 1.0));
  EXPECT_LT((tip.p - Vector3d(R, R, 0.0)).norm(), 1e-5);  // six digits of pi in the file
  Matrix3d quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_LT((tip.R - quarter).norm(), 1e-5);
  EXPECT_NEAR(model.mass(), 2.0 + mass * R * pi / 2, 1e-5);
  // The end effector is the tip of the last link, in its section's axes.
  EXPECT_LT((frame_pose(model, work, model.end_effector()).R - tip.R).norm(), 1e-12);
  // Inside a segment, too.
  const LinkPlace third = place_on(model, "ring", 1.0 / 3.0);
  const Model with = with_node(model, third);
  Workspace<double> other(with);
  update_positions(with, other, neutral_configuration(with));
  update_world_poses(other);
  const Pose inside = frame_pose(with, other, frame(with, "ring", 1.0 / 3.0));
  EXPECT_LT((inside.p - R * Vector3d(std::sin(pi / 6), 1.0 - std::cos(pi / 6), 0.0)).norm(), 1e-5);
  // The body on the tip is turned with it.
  const RigidInertia& body = model.links().back().tip_body;
  const Pose X_WL = root_pose(model, work, static_cast<int>(model.links().size()) - 1);
  const Vector3d com =
      X_WL * (Vector3d(model.links().back().length(), 0, 0) + Vector3d(body.moment) / body.mass);
  EXPECT_LT((com - Vector3d(R, R, 0) - quarter * Vector3d(0.1, 0.2, 0.3)).norm(), 1e-5);
}

// Castigliano: M = R (1 - sin) F_y - R cos F_x in the plane, R cos F_z and R (1 - sin) F_z out of it.
TEST(QuarterRing, DeflectsAsCastiglianoSays) {
  const auto tip = [](int segments, const Vector3d& force) {
    std::string text = ring(segments);
    text.replace(text.find(", axial: {count: 1}"), 19, "");
    const Model model = parse(text);
    const Load load = load_on(model, place_on(model, "ring"), {0, 0, Axes::world, force});
    const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {load});
    return tip_state(model, whole_links(model).front(), e.q).deflection;
  };
  const double R3 = R * R * R, F = 1e-3;
  const Vector3d along_y = Vector3d(-0.5, 0.75 * pi - 2.0, 0.0) * F * R3 / EI_z;
  const Vector3d along_x = Vector3d(pi / 4, -0.5, 0.0) * F * R3 / EI_z;
  const Vector3d along_z(0.0, 0.0, F * R3 * (pi / 4 / EI_y + (0.75 * pi - 2.0) / GJ));
  for (const auto& [segments, bar] : {std::pair(8, 8e-3), std::pair(32, 5e-4)}) {
    EXPECT_LT((tip(segments, {0, F, 0}) - along_y).norm(), bar * along_y.norm()) << segments;
    EXPECT_LT((tip(segments, {F, 0, 0}) - along_x).norm(), bar * along_x.norm()) << segments;
    EXPECT_LT((tip(segments, {0, 0, F}) - along_z).norm(), bar * along_z.norm()) << segments;
  }
}

// A load and a child in the axes of the tip's section.
TEST(QuarterRing, CarriesInItsSectionsAxes) {
  const Model model = parse(ring(6));
  const LinkPlace place = place_on(model, "ring");
  const Load section = load_on(model, place, {0, 0, Axes::section, Vector3d(0.0, 1e-3, 0.0)});
  const Load world = load_on(model, place, {0, 0, Axes::world, Vector3d(-1e-3, 0.0, 0.0)});
  const VectorXd q = neutral_configuration(model);
  const VectorXd a = static_equilibrium(model, q, {section}).q, b = static_equilibrium(model, q, {world}).q;
  EXPECT_LT((a - b).norm(), 1e-5 * b.norm());
  const Model child = parse(
      ring(6) +
      "  - name: hand\n    origin: {xyz: [0.5, 0, 0]}\n    joint: {type: fixed}\n    rigid: {mass: 1}\n");
  Workspace<double> work(child);
  update_positions(child, work, neutral_configuration(child));
  update_world_poses(work);
  EXPECT_LT((root_pose(child, work, 6).p - Vector3d(R, R + 0.5, 0.0)).norm(), 1e-5);
}

// ---- pre-twist ----

// EI of a strip whose sections are turned by alpha x/L; v and w in fixed axes.
VectorXd twisted_frequencies(double alpha, double L, int count) {
  const Ritz ritz;
  constexpr int n = 12;
  const MatrixXd f = ritz.functions(2, n, 0), ddf = ritz.functions(2, n, 2) / (L * L);
  const MatrixXd zero = MatrixXd::Zero(Ritz::points, n);
  const VectorXd c = (alpha * ritz.x).array().cos(), s = (alpha * ritz.x).array().sin();
  // Curvatures along the section's own y and z.
  const MatrixXd along_y = beside(c.asDiagonal() * ddf, s.asDiagonal() * ddf),
                 along_z = beside(-(s.asDiagonal() * ddf), c.asDiagonal() * ddf);
  return roots(ritz.square(along_y, EI_z) + ritz.square(along_z, 40.0 * EI_z),
               ritz.square(beside(f, zero), mass) + ritz.square(beside(zero, f), mass), count);
}

TEST(TwistedBeam, HasTheFrequenciesOfItsEquation) {
  const std::string section = "{EI_y: 16000, EI_z: 400, mass_per_length: 2.5}";
  for (const double degrees : {45.0, 90.0}) {
    const auto model = [&](int segments) {
      return parse(
          "limber: 1\ngravity: [0, 0, 0]\nkinematics: first\nlinks:\n  - name: blade\n    joint: {type: "
          "fixed}\n    beam:\n      length: 2\n"
          "      stations: [{x: 0, section: " +
          section + "}, {x: 2, section: " + section + ", rpy_deg: [" + std::to_string(degrees) +
          ", 0, 0]}]\n      modes: {y: {count: 2}, z: {count: 2}}\n      segments: " +
          std::to_string(segments) + "\n");
    };
    const VectorXd exact = twisted_frequencies(degrees * pi / 180, 2.0, 4);
    // Sections of one segment have one direction: with EI of 40 to 1 that costs more than a curve does. It falls with the square of the segments.
    const double coarse = largest_error(frequencies(model(16), 4), exact),
                 fine = largest_error(frequencies(model(32), 4), exact);
    EXPECT_LT(coarse, 1e-2) << degrees;
    EXPECT_LT(fine, 2.5e-3) << degrees;
    EXPECT_NEAR(coarse / fine, 4.0, 0.5) << degrees;
  }
}

// Stations that turn as a curve does are the curve.
TEST(TwistedBeam, OfYawIsACurve) {
  const std::string section =
      "{EI_y: 700, EI_z: 400, GJ: 300, EA: 4e6, mass_per_length: 2.5, rotary_inertia: [0.01, 0, 0]}";
  std::string text = ring(8);
  const auto from = text.find("      curve:"), to = text.find("      modes:");
  const std::string L = std::to_string(R * pi / 2), half = std::to_string(R * pi / 4);
  text.replace(from, to - from,
               "      length: " + L + "\n      stations: [{x: 0, section: " + section + "}, {x: " + half +
                   ", section: " + section + ", rpy_deg: [0, 0, 45]}, {x: " + L + ", section: " + section +
                   ", rpy_deg: [0, 0, 90]}]\n");
  EXPECT_LT(largest_error(frequencies(parse(text), 6), frequencies(parse(ring(8)), 6)), 1e-5);
}

// ---- mass and shear centres ----

// Goland's wing with the numbers of J. R. Banerjee: EI, GJ, mass, inertia about the elastic axis, and the mass centre behind it.
constexpr double wing_L = 6.0, wing_EI = 9.75e6, wing_GJ = 9.88e5, wing_m = 35.75, wing_I = 8.65,
                 wing_x = 0.18;

VectorXd wing_frequencies(int count) {
  const Ritz ritz;
  constexpr int n = 12;
  const MatrixXd w = ritz.functions(2, n, 0), ddw = ritz.functions(2, n, 2) / (wing_L * wing_L);
  const MatrixXd a = ritz.functions(1, n, 0), da = ritz.functions(1, n, 1) / wing_L;
  const MatrixXd zero = MatrixXd::Zero(Ritz::points, n);
  const MatrixXd moved = beside(w, wing_x * a), turned = beside(zero, a);
  return roots(ritz.square(beside(ddw, zero), wing_EI) + ritz.square(beside(zero, da), wing_GJ),
               ritz.square(moved, wing_m) + ritz.square(turned, wing_I - wing_m * wing_x * wing_x), count);
}

// The elastic axis is the beam's axis, or the mass centre is.
Model wing(bool on_elastic_axis, const char* kinematics = "first", int count = 8) {
  const double about_com = wing_I - wing_m * wing_x * wing_x;
  const std::string place = std::to_string(wing_x);
  return parse(std::string("limber: 1\ngravity: [0, 0, 0]\nkinematics: ") + kinematics +
               "\nlinks:\n  - name: wing\n    joint: {type: fixed}\n    beam:\n      length: 6\n      "
               "section: {EI_y: 9.75e6, GJ: 9.88e5, "
               "mass_per_length: 35.75, rotary_inertia: [" +
               std::to_string(about_com) + ", 0, 0], " +
               (on_elastic_axis ? "center_of_mass: [" + place : "shear_center: [-" + place) +
               ", 0]}\n      modes: {z: {shape: clamped-free, count: " + std::to_string(count) +
               "}, torsion: {shape: clamped-free, count: " + std::to_string(count) + "}}\n");
}

TEST(OffsetSection, GivesGolandsWingItsFrequencies) {
  const VectorXd exact = wing_frequencies(4);
  // J. R. Banerjee's four, in rad/s.
  const Eigen::Vector4d published(49.6, 97.0, 248.9, 355.6);
  EXPECT_LT(largest_error(exact, published), 2e-3);
  EXPECT_LT(largest_error(frequencies(wing(true), 4), exact), 1e-5);
  EXPECT_LT(largest_error(frequencies(wing(false), 4), exact), 1e-5);
  EXPECT_LT(largest_error(frequencies(wing(true, "second"), 4), exact), 1e-5);
  EXPECT_LT(largest_error(frequencies(wing(false, "second"), 4), exact), 1e-5);
}

// A force on the axis at e from the shear centre twists: a = F e L/GJ, and the axis gives way by e a besides.
TEST(OffsetSection, OfAChannelTwistsUnderAForceOnItsAxis) {
  const double L = 1.5, EIy = 8e4, EIz = 2e4, GJt = 30.0, ys = -0.04, zs = 0.03;
  const Model model = parse(
      "limber: 1\ngravity: [0, 0, 0]\nkinematics: first\nlinks:\n  - name: channel\n    joint: {type: "
      "fixed}\n    beam:\n      "
      "length: 1.5\n"
      "      section: {EI_y: 8e4, EI_z: 2e4, GJ: 30, mass_per_length: 4, shear_center: [-0.04, 0.03]}\n"
      "      modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}\n");
  const double Fy = 0.02, Fz = 0.05;
  const Load load{0, 0, Axes::world, Vector3d(0.0, Fy, Fz)};
  const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {load});
  const TipState tip = tip_state(model, whole_links(model).front(), e.q);
  const double twist = (zs * Fy - ys * Fz) * L / GJt;
  EXPECT_NEAR(tip.slope.x(), twist, 1e-6 * std::abs(twist));
  EXPECT_NEAR(tip.deflection.y(), Fy * L * L * L / 3.0 / EIz + zs * twist, 1e-3 * std::abs(zs * twist));
  EXPECT_NEAR(tip.deflection.z(), Fz * L * L * L / 3.0 / EIy - ys * twist, 1e-3 * std::abs(ys * twist));
}

// (5) of field.hpp: p of the axis is that of the line of shear centres carried by the section, to second order; and the axis keeps its length.
TEST(OffsetSection, CarriesTheAxisAroundItsShearCenter) {
  const auto basis = [](const Vector2d& s) {
    Section section{1.0, 1.0, 1.0, 1.0, 1.0, Vector3d::Zero()};
    section.shear_center = s;
    const SectionProfile profile(2.0, section);
    BeamBasis beam(profile);
    for (const Direction d : {Direction::y, Direction::z, Direction::torsion})
      beam.add(d, make_shapes({d, ShapeFamily::polynomial, 2, {}, Normalization::peak, {}}, profile));
    return beam;
  };
  const Vector2d s(0.3, -0.2);
  const Vector3d s3(0.0, s.x(), s.y());
  const BeamBasis plain = basis(Vector2d::Zero()), offset = basis(s);
  const VectorXd direction = (VectorXd(6) << 0.5, -0.3, 0.4, 0.2, 0.6, -0.5).finished();
  const auto error = [&](double size) {
    const VectorXd eta = size * direction;
    double worst = 0.0;
    for (const double x : {0.7, 2.0}) {
      const BeamNode a = make_nodes(plain, KinematicOrder::second, {x}).front(),
                     b = make_nodes(offset, KinematicOrder::second, {x}).front();
      const Vector3d carried =
          a.position<double>(eta) + s3 - exp_rotation<double>(a.rotation_vector<double>(eta)) * s3;
      EXPECT_LT((a.rotation_vector<double>(eta) - b.rotation_vector<double>(eta)).norm(), 1e-14);
      worst = std::max(worst, (carried - b.position<double>(eta)).tail<2>().norm());
    }
    return worst;
  };
  EXPECT_LT(error(0.1), 1e-3);
  EXPECT_GT(error(0.1) / error(0.05), 7.0);  // third order is left
  // The length of the axis.
  std::vector<double> places;
  for (int i = 0; i <= 400; ++i) places.push_back(2.0 * i / 400);
  const auto stretch = [&](double size) {
    double length = 0.0;
    const std::vector<BeamNode> nodes = make_nodes(offset, KinematicOrder::second, places);
    for (std::size_t i = 1; i < nodes.size(); ++i)
      length += (nodes[i].position<double>(VectorXd(size * direction)) -
                 nodes[i - 1].position<double>(VectorXd(size * direction)))
                    .norm();
    return std::abs(length - 2.0);
  };
  EXPECT_GT(stretch(0.1) / stretch(0.05), 7.0);
}

// Mass and weight sit where they are said to: the rigid body of the beam, its potential energy and the section forces at its root.
TEST(OffsetSection, WeighsWhereItsMassIs) {
  const Model model = parse(
      "limber: 1\nlinks:\n  - name: bar\n    joint: {name: hinge, axis: [1, 0, 0]}\n    beam:\n      length: "
      "2\n"
      "      section: {EI_y: 8e6, EI_z: 2e6, GJ: 3e6, mass_per_length: 4, rotary_inertia: [0.1, 0.02, 0.08], "
      "center_of_mass: [0.3, -0.1]}\n"
      "      modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}\n");
  const VectorXd q = neutral_configuration(model);
  const Equilibrium e = static_equilibrium(model, q, {});
  const VectorXd zero = VectorXd::Zero(model.nv());
  SectionForces forces(model, 3);
  forces.update(e.q, zero, zero, {}, {}, {});
  const auto& beam = forces.beam(0);
  // T at the root: the weight at y = 0.3 (the beam hardly bends).
  EXPECT_NEAR(std::abs(beam.forces(3, 0)), 8.0 * 9.81 * 0.3, 1e-3 * 8.0 * 9.81 * 0.3);
  EXPECT_NEAR(std::abs(beam.forces(2, 0)), 8.0 * 9.81, 1e-9);
  const RigidInertia body = model.links()[0].rest_inertia();
  EXPECT_LT((Vector3d(body.moment) - 8.0 * Vector3d(1.0, 0.3, -0.1)).norm(), 1e-12);
}

}  // namespace
}  // namespace limber
