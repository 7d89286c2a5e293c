// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/section_forces.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/forward_dynamics.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/rotation.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

using detail::LinkWork;
using detail::NodeWork;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double same_place = 1e-12;  // of the beam's length

// p or theta at some places: functions of x by columns, and their products of coordinates.
struct Terms {
  std::vector<FieldTerm> terms;
  MatrixXd F;  // places x terms

  // Values, rates and second rates of x, y, z at all places: places x 9, three columns an axis.
  void sum(const VectorXd& eta, const VectorXd& rate, const VectorXd& second, MatrixXd& at_places) const {
    at_places.setZero();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const auto& [axis, j, k] = terms[t];
      const auto column = F.col(static_cast<Eigen::Index>(t));
      double mu = 1.0, mu_rate = 0.0, mu_second = 0.0;
      if (j >= 0 && k < 0) {
        mu = eta[j];
        mu_rate = rate[j];
        mu_second = second[j];
      } else if (j >= 0) {
        mu = eta[j] * eta[k];
        mu_rate = rate[j] * eta[k] + eta[j] * rate[k];
        mu_second = second[j] * eta[k] + 2.0 * rate[j] * rate[k] + eta[j] * second[k];
      }
      at_places.col(3 * axis) += mu * column;
      if (mu_rate != 0.0) at_places.col(3 * axis + 1) += mu_rate * column;
      if (mu_second != 0.0) at_places.col(3 * axis + 2) += mu_second * column;
    }
  }
};

Terms at_ends(const SampledTerms& sampled, const PanelGrid& grid, const std::vector<double>& places) {
  Terms result{sampled.terms, MatrixXd(static_cast<Eigen::Index>(places.size()), sampled.at_ends.cols())};
  for (std::size_t i = 0; i < places.size(); ++i)
    result.F.row(static_cast<Eigen::Index>(i)) = sampled.at_ends.row(grid.nearest_end(places[i]));
  return result;
}

// Panels between the places, and Gauss points enough that (2) is integrated to rounding.
//
// The error of n points on a panel of length h, relative to an integrand exp(kappa x), is (n!)^4 / ((2n + 1) (2n)!^3) (kappa h)^2n; products of
// two shapes have twice the wavenumber of one.
PanelGrid coarse_grid(const BeamBasis& basis, const std::vector<double>& ends) {
  constexpr double tolerated = 1e-13, panels = 20.0;
  constexpr int fewest = 4, most = 8;
  const double longest =
      std::min(basis.length() / panels, basis.wavenumber() > 0.0 ? 1.0 / basis.wavenumber() : basis.length());
  int n = 1;
  for (double error = 1.0; n < most; ++n) {
    const double kappa_h = 2.0 * basis.wavenumber() * longest;
    error = std::pow(std::tgamma(n + 1.0), 4) / ((2.0 * n + 1.0) * std::pow(std::tgamma(2.0 * n + 1.0), 3)) *
            std::pow(kappa_h, 2 * n);
    if (n >= fewest && error < tolerated) break;
  }
  return PanelGrid(ends, longest, n);
}

// A wrench about R's origin, at an end of the panels.
struct Attached {
  Eigen::Index end;
  Vector3d force, moment;
};

// What is constant of a beam, and scratch.
struct BeamWork {
  Eigen::Index points_per_panel = 0;
  Terms p, theta;            // at the Gauss points
  Terms p_end, theta_end;    // at panel ends where somebody looks
  VectorXd mass;             // at the Gauss points, with their weights
  Eigen::Matrix3Xd turning;  // rotary inertia likewise; no columns: there is none, and masses are on the axis
  Eigen::Matrix3Xd centers;  // of mass, from the axis in the section's axes; as many columns
  std::vector<int> end_of_place;  // panel end of each place
  std::vector<int> row_of_place;  // and its row of p_end, theta_end
  std::vector<int> end_of_node;   // of the link's nodes
  std::vector<int> children;      // links
  MatrixXd p_at, theta_at, p_end_at, theta_end_at;
  Eigen::Matrix<double, 6, Eigen::Dynamic> outer;  // (3) at panel ends, without what sits there
  std::vector<Attached> attached;
  VectorXd eta, rate, second;
};

// Equal distances, and what lies between them: nodes and steps, from both sides.
std::vector<SectionPlace> places_of(const Link& link, int points) {
  const double length = link.beam->basis.length();
  std::vector<SectionPlace> places;
  std::vector<double> doubled = link.beam->basis.profile().breakpoints();
  for (const Node& node : link.nodes) doubled.push_back(node.at * length);
  for (const double x : doubled)
    if (x > same_place * length && x < (1.0 - same_place) * length)
      places.insert(places.end(), {{x, true}, {x, false}});
  for (int i = 0; i < points; ++i) places.push_back({length * i / (points - 1), true});
  std::sort(places.begin(), places.end(), [](const SectionPlace& a, const SectionPlace& b) {
    return a.x != b.x ? a.x < b.x : a.inner_side && !b.inner_side;
  });
  const auto same = [&](const SectionPlace& a, const SectionPlace& b) {
    return b.x - a.x <= same_place * length && a.inner_side == b.inner_side;
  };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

BeamWork prepare(const Model& model, int index, const BeamSections& sections) {
  const Link& link = model.links()[static_cast<std::size_t>(index)];
  const BeamBasis& basis = link.beam->basis;
  BeamWork work;
  std::vector<double> ends = basis.breakpoints(), looked;
  for (const SectionPlace& place : sections.places) {
    if (looked.empty() || place.x > looked.back()) looked.push_back(place.x);
    work.row_of_place.push_back(static_cast<int>(looked.size()) - 1);
  }
  ends.insert(ends.end(), looked.begin(), looked.end());
  std::sort(ends.begin(), ends.end());
  const auto same = [&](double a, double b) { return b - a <= same_place * basis.length(); };
  ends.erase(std::unique(ends.begin(), ends.end(), same), ends.end());
  const PanelGrid grid = coarse_grid(basis, ends);
  work.points_per_panel = grid.points().size() / grid.panel_count();

  // The field has integrals of its own: a finer grid, whose ends are all the points above.
  const std::vector<double> points(grid.points().begin(), grid.points().end());
  std::vector<double> fine_ends = points;
  fine_ends.insert(fine_ends.end(), looked.begin(), looked.end());
  constexpr int points_per_fine_panel = 8;
  const PanelGrid fine = basis.grid(fine_ends, points_per_fine_panel);
  const SampledField field = sample_field(basis, model.kinematics(), fine);
  work.p = at_ends(field.position, fine, points);
  work.p_end = at_ends(field.position, fine, looked);
  work.theta_end = at_ends(field.rotation, fine, looked);

  const Eigen::Index count = grid.points().size();
  work.mass.resize(count);
  work.turning.resize(3, count);
  work.centers.setZero(3, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Section section = basis.profile().at(grid.points()[i]);
    work.mass[i] = grid.weights()[i] * section.mass_per_length;
    work.turning.col(i) = grid.weights()[i] * section.rotary_inertia;
    work.centers.col(i).tail<2>() = section.center_of_mass;
  }
  if (work.turning.isZero(0.0) && work.centers.isZero(0.0))
    work.turning.resize(3, 0);
  else
    work.theta = at_ends(field.rotation, fine, points);

  for (const SectionPlace& place : sections.places) work.end_of_place.push_back(grid.nearest_end(place.x));
  for (const Node& node : link.nodes) work.end_of_node.push_back(grid.nearest_end(node.at * basis.length()));
  const std::vector<Link>& links = model.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].parent == index) work.children.push_back(static_cast<int>(i));

  work.p_at.resize(count, 9);
  work.theta_at.resize(work.turning.cols(), 9);
  work.p_end_at.resize(static_cast<Eigen::Index>(looked.size()), 9);
  work.theta_end_at.resize(static_cast<Eigen::Index>(looked.size()), 9);
  work.outer.resize(6, grid.panel_count() + 1);
  return work;
}

// The motion of R.
struct RootMotion {
  Vector3d a, alpha, w;  // a with -g
};

Vector3d vector(const detail::Vec3<double>& lanes) { return lanes; }

// Per point all of this is of lanes (math/detail/lanes.hpp), which are inlined wherever they are compiled. Products of Eigen's small matrices are functions of which the linker
// keeps one copy, whoever compiled it: with that of a layer that is not optimised this took ten times as long.
using Lanes = detail::Vec3<double>;
using LanesMatrix = detail::Mat3<double>;

// How a section turns: its axes in R, and its angular velocity and acceleration in R's axes.
struct SectionTurn {
  LanesMatrix R;
  Lanes w, alpha;
};

Lanes lanes(const MatrixXd& at_places, Eigen::Index place, int derivative) {
  return {at_places(place, derivative), at_places(place, 3 + derivative), at_places(place, 6 + derivative)};
}

// From its rotation vector with rates.
SectionTurn turn_of(const Lanes& root_w, const Lanes& root_alpha, const Lanes& theta, const Lanes& rate,
                    const Lanes& second) {
  const detail::RotationAt<double> rotation{theta};
  const LanesMatrix Jl = rotation.left_jacobian();
  const Lanes w_rel = Jl * rate;
  return {rotation.exp(), root_w + w_rel,
          root_alpha + cross(root_w, w_rel) + Jl * second + rotation.left_jacobian_rate_times(rate)};
}

// What the turning of a section takes, (2): in the section's axes the inertia is diagonal.
Lanes turning_moment(const double* inertia, const SectionTurn& turn) {
  const Lanes w_S = transposed_times(turn.R, turn.w), alpha_S = transposed_times(turn.R, turn.alpha);
  const auto scaled = [inertia](const Lanes& x) {
    return Lanes(inertia[0] * x[0], inertia[1] * x[1], inertia[2] * x[2]);
  };
  return turn.R * (scaled(alpha_S) + cross(w_S, scaled(w_S)));
}

// (2) at all points, summed into (3) at all panel ends.
void sum_inertia(const RootMotion& root, BeamWork& beam) {
  const bool turns = beam.turning.cols() > 0;
  const Lanes root_a(root.a), root_w(root.w), root_alpha(root.alpha);
  beam.outer.rightCols<1>().setZero();
  Lanes force = Lanes::zero(), moment = force;
  for (Eigen::Index panel = beam.outer.cols() - 2, i = beam.mass.size() - 1; panel >= 0; --panel) {
    for (Eigen::Index n = 0; n < beam.points_per_panel; ++n, --i) {
      const Lanes p = lanes(beam.p_at, i, 0), dp = lanes(beam.p_at, i, 1), ddp = lanes(beam.p_at, i, 2);
      Lanes a = root_a + cross(root_alpha, p) + cross(root_w, cross(root_w, p) + dp * 2.0) + ddp;
      Lanes center = p;
      if (turns) {
        const SectionTurn turn = turn_of(root_w, root_alpha, lanes(beam.theta_at, i, 0),
                                         lanes(beam.theta_at, i, 1), lanes(beam.theta_at, i, 2));
        const double* const c_S = beam.centers.col(i).data();
        const Lanes c = turn.R * Lanes(c_S[0], c_S[1], c_S[2]);
        a += cross(turn.alpha, c) + cross(turn.w, cross(turn.w, c));
        center += c;
        moment += turning_moment(beam.turning.col(i).data(), turn);
      }
      const Lanes df = a * beam.mass[i];
      force += df;
      moment += cross(center, df);
    }
    for (int k = 0; k < 3; ++k) {
      beam.outer(k, panel) = force[k];
      beam.outer(3 + k, panel) = moment[k];
    }
  }
}

// What a rigid body takes in a frame that moves so, about the frame's origin; all in the same axes.
Wrench taken_by(const RigidInertia& body, const Matrix3d& R, const Vector3d& a, const Vector3d& alpha,
                const Vector3d& w) {
  const Vector3d h = R * Vector3d(body.moment);
  const Matrix3d I = R * Matrix3d(body.inertia) * R.transpose();
  return {body.mass * a + alpha.cross(h) + w.cross(w.cross(h)), h.cross(a) + I * alpha + w.cross(I * w)};
}

// The tip body, children and loads, in R.
void collect_attached(const Model& model, int index, const detail::ArmWork<double>& arm, const VectorXd& a,
                      const std::vector<Load>& loads, const RootMotion& root, BeamWork& beam) {
  const Link& link = model.links()[static_cast<std::size_t>(index)];
  const LinkWork<double>& work = arm.links[static_cast<std::size_t>(index)];
  const auto node_place = [&](int node) -> Vector3d {
    if (work.flexible) return vector(work.nodes[static_cast<std::size_t>(node)].p_RN);
    return link.nodes[static_cast<std::size_t>(node)].X_RN.p;
  };
  const auto add = [&](int node, const Vector3d& force, const Vector3d& moment) {
    const Vector3d p = node_place(node);
    beam.attached.push_back(
        {beam.end_of_node[static_cast<std::size_t>(node)], force, moment + p.cross(force)});
  };
  beam.attached.clear();

  Matrix3d R = link.nodes[0].X_RN.R;
  const Vector3d p = node_place(0);
  Vector3d linear = root.a + root.alpha.cross(p) + root.w.cross(root.w.cross(p)), angular = root.alpha,
           w = root.w;
  if (work.flexible) {
    const NodeWork<double>& tip = work.nodes[0];
    R = Matrix3d(tip.R_RN);
    const detail::LaneTwist<double> A = motion_at(tip, work.A_R, a.data() + work.elastic_v(), work.m);
    linear = vector(A.linear) + vector(tip.A_bias.linear);
    angular = vector(A.angular) + vector(tip.A_bias.angular);
    w = vector(tip.V_N.angular);
  }
  const Wrench body = taken_by(link.tip_body, R, linear, angular, w);
  add(0, body.force, body.moment);

  for (const int child : beam.children) {
    const LinkWork<double>& of = arm.links[static_cast<std::size_t>(child)];
    const detail::LaneWrench<double> wrench = wrench_at_node(of, of.wrench);
    // On a beam without shapes N is R, and the wrench is about R's origin already.
    const int node = model.links()[static_cast<std::size_t>(child)].parent_node;
    const Vector3d force = vector(wrench.force), moment = vector(wrench.moment);
    if (of.parent_node >= 0)
      add(node, force, moment);
    else
      beam.attached.push_back({beam.end_of_node[static_cast<std::size_t>(node)], force, moment});
  }
  for (const Load& load : loads) {
    if (load.link != index || load.is_inner()) continue;
    const detail::LaneWrench<double> wrench = load_in_link_axes(model, work, load);
    add(load.node, -vector(wrench.force), -vector(wrench.moment));
  }
}

// (3) and (4) at all places.
void fill(const BeamWork& beam, BeamSections& sections) {
  for (std::size_t i = 0; i < sections.places.size(); ++i) {
    const int end = beam.end_of_place[i], row = beam.row_of_place[i];
    Vector3d F = beam.outer.col(end).head<3>(), M = beam.outer.col(end).tail<3>();
    for (const Attached& one : beam.attached) {
      if (one.end < end || (one.end == end && !sections.places[i].inner_side)) continue;
      F += one.force;
      M += one.moment;
    }
    const Lanes p = lanes(beam.p_end_at, row, 0), F_R(F);
    const LanesMatrix R = detail::RotationAt<double>(lanes(beam.theta_end_at, row, 0)).exp();
    const Lanes force = transposed_times(R, F_R), bending = transposed_times(R, cross(p, F_R) - Lanes(M));
    for (int k = 0; k < 3; ++k) {
      sections.forces(k, static_cast<Eigen::Index>(i)) = -force[k];
      sections.forces(3 + k, static_cast<Eigen::Index>(i)) = bending[k];
    }
  }
}

}  // namespace

struct SectionForces::Parts {
  explicit Parts(const Model& of) : model(of), work(of), tau(of.nv()) {}

  Model model;
  Workspace<double> work;
  VectorXd tau, a;
  std::vector<BeamSections> beams;
  std::vector<BeamWork> works;
  std::optional<Struts> struts;  ///< none where there are no cylinders
  std::vector<Load> all_loads;   ///< with what cylinders and loops do

  const std::vector<Load>& with_inner_loads(const Input<double>& q, const Input<double>& v,
                                            const std::vector<Load>& from_outside, const VectorXd& cylinders,
                                            const std::vector<Load>& loops) {
    if (!struts && loops.empty()) return from_outside;
    all_loads = from_outside;
    all_loads.insert(all_loads.end(), loops.begin(), loops.end());
    if (!struts) return all_loads;
    struts->update(q, v);
    struts->add_loads(cylinders.size() > 0 ? cylinders : struts->passive_forces(), all_loads);
    return all_loads;
  }
};

SectionForces::SectionForces(const Model& model, int points) {
  if (points < 2)
    throw InputError(Problem{"SectionForces: points", "at least 2", std::to_string(points), ""});
  parts_ = std::make_unique<Parts>(model);
  if (!model.cylinders().empty()) parts_->struts.emplace(model);
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    if (!link.beam || link.telescopes()) continue;
    BeamSections sections;
    sections.link = static_cast<int>(i);
    sections.places = places_of(link, points);
    const double length = link.beam->basis.length();
    for (int k = 0; k < points; ++k) {
      const double x = length * k / (points - 1);
      const auto at =
          std::find_if(sections.places.begin(), sections.places.end(), [&](const SectionPlace& place) {
            return place.inner_side && std::abs(place.x - x) <= same_place * length;
          });
      sections.regular.push_back(static_cast<int>(at - sections.places.begin()));
    }
    sections.forces = Matrix6X<double>::Zero(6, static_cast<Eigen::Index>(sections.places.size()));
    parts_->works.push_back(prepare(model, sections.link, sections));
    // Later updates find their room here.
    parts_->works.back().attached.reserve(parts_->works.back().children.size() + 16);
    parts_->beams.push_back(std::move(sections));
  }
}

SectionForces::SectionForces(SectionForces&&) noexcept = default;
SectionForces& SectionForces::operator=(SectionForces&&) noexcept = default;
SectionForces::~SectionForces() = default;

void SectionForces::update(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                           const std::vector<Load>& from_outside, const VectorXd& cylinders,
                           const std::vector<Load>& loops) {
  Parts& parts = *parts_;
  const detail::Call call{"SectionForces::update", parts.model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(from_outside);
  call.require_loads(loops);
  if (loops.empty() && !parts.model.loops().empty())
    throw InputError(Problem{"SectionForces::update: loops", "what the closed loops do to the links", "none",
                             "LoopSolver::loads_of has it"});
  const std::vector<Load>& loads = parts.with_inner_loads(q, v, from_outside, cylinders, loops);
  inverse_dynamics<double>(parts.model, parts.work, q, v, a, parts.tau, loads);
  parts.a = a;
  const detail::ArmWork<double>& arm = parts.work.arm();
  for (std::size_t b = 0; b < parts.beams.size(); ++b) {
    BeamWork& beam = parts.works[b];
    const int index = parts.beams[b].link;
    const Link& link = parts.model.links()[static_cast<std::size_t>(index)];
    const LinkWork<double>& work = arm.links[static_cast<std::size_t>(index)];
    const RootMotion root{vector(work.A_R.linear), vector(work.A_R.angular), vector(work.V_R.angular)};
    beam.eta = q.segment(link.elastic_q_index, link.elastic_count);
    beam.rate = v.segment(link.elastic_v_index, link.elastic_count);
    beam.second = a.segment(link.elastic_v_index, link.elastic_count);
    beam.p.sum(beam.eta, beam.rate, beam.second, beam.p_at);
    if (beam.turning.cols() > 0) beam.theta.sum(beam.eta, beam.rate, beam.second, beam.theta_at);
    beam.p_end.sum(beam.eta, beam.rate, beam.second, beam.p_end_at);
    beam.theta_end.sum(beam.eta, beam.rate, beam.second, beam.theta_end_at);
    sum_inertia(root, beam);
    collect_attached(parts.model, index, arm, parts.a, loads, root, beam);
    fill(beam, parts.beams[b]);
  }
}

const std::vector<BeamSections>& SectionForces::beams() const { return parts_->beams; }

const BeamSections& SectionForces::beam(int link) const {
  for (const BeamSections& beam : parts_->beams)
    if (beam.link == link) return beam;
  const auto& links = parts_->model.links();
  const bool exists = link >= 0 && link < static_cast<int>(links.size());
  throw InputError(
      Problem{"SectionForces::beam: link", "a link with a beam",
              !exists ? std::to_string(link)
              : links[static_cast<std::size_t>(link)].body
                  ? "`" + links[static_cast<std::size_t>(link)].name + "`, a body of finite elements"
                  : "`" + links[static_cast<std::size_t>(link)].name + "`, which is rigid",
              ""});
}

}  // namespace limber
