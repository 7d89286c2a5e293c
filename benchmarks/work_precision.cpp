// SPDX-License-Identifier: BSD-3-Clause
// Error against time of whole simulations: one JSON document on standard output.
//   limber_work_precision [REPETITIONS]
//
// The Canadarm in its plane is let go while its joints turn, its beams straight and at rest beside them, without gravity and efforts: what turns bends it, and it
// swings. The error is the distance of its tip, when the time is over, from where it should be.
//
// "methods": the error of integration alone. One arm (four Craig-Bampton shapes a link, first order), every method at several tolerances or steps, beside the same arm
// integrated by radau13 to rounding.
//
// "continuum": the error of everything. Limber with 2 to 6 shapes a link, and MuJoCo with each link chopped into 2 to 16 pieces, beside beams that bend as
// much as they like. `auto` has the loosest tolerance at which integration adds less than a tenth to what the shapes leave; rk4, ours and MuJoCo's, the longest step
// at which it is stable (with shorter ones both are slower, and the error is that of shapes and pieces).
//
// "reference": where that tip is, by several ways that share less and less.
//
// Times are of integration alone, without rows and files: the processor's, which other work on the machine does not count in, the fastest of the repetitions, all
// candidates in turns.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arms.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/simulate.hpp"
#include "peers/peer.hpp"

namespace {

using namespace limber;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double duration = 5.0;                         // s
constexpr std::array<double, 3> angles{0.3, -0.9, 1.2};  // of the joints at the start [rad]
constexpr std::array<double, 3> rates{0.6, -0.9, 1.2};   // [rad/s]

// Limber

struct Beams {
  int shapes;  // a link
  KinematicOrder order = KinematicOrder::first;
  std::optional<int> segments = {};  // none: one beam a link
};

Model canadarm(const Beams& beams) {
  ModelDescription description = benchmarks::canadarm("").description();
  description.kinematics = beams.order;
  for (LinkDescription& link : description.links) {
    link.beam->modes.y = ModesDescription{.shape = ShapeFamily::craig_bampton, .count = beams.shapes};
    link.beam->segments = beams.segments;
  }
  return build_model(description);
}

Scenario let_go(const Model& model, const IntegrationMethod& method, double rtol) {
  Scenario scenario(model);
  scenario.q = neutral_configuration(model);
  scenario.v = VectorXd::Zero(model.nv());
  std::size_t joint = 0;
  for (const Link& link : model.links()) {
    if (link.joint.nq == 0) continue;
    scenario.q[link.joint.q_index] = angles[joint];
    scenario.v[link.joint.v_index] = rates[joint++];
  }
  constexpr double absolute = 1e-3;  // of rtol: as the defaults of scenario files have it
  scenario.integrator = {method, rtol, absolute * rtol};
  scenario.duration = duration;
  return scenario;
}

Vector2d tip_of(const Model& model, const VectorXd& q) {
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  return Eigen::Vector3d(frame_pose(model, work, end_effector_frame(model)).p).head<2>();
}

/// What came out, and what it took.
struct Outcome {
  Vector2d tip;
  long steps = 0;
};

Outcome run(Scenario& scenario) {
  RunOptions integrate_only;
  integrate_only.sample = false;
  const RunSummary done = simulate(scenario, nullptr, integrate_only);
  return {tip_of(scenario.model, done.q), done.last.steps};
}

Outcome converged(const Beams& beams) {
  Scenario scenario = let_go(canadarm(beams), integrators::Radau13{}, 1e-11);
  return run(scenario);
}

/// Of any link's tip across it [m].
double largest_deflection(const Beams& beams) {
  Scenario scenario = let_go(canadarm(beams), integrators::VariableRadau{}, 1e-6);
  double largest = 0.0;
  for (const Peak& peak : simulate(scenario).last.peaks.deflection) largest = std::max(largest, peak.value);
  return largest;
}

// MuJoCo

peers::ChoppedArm chopped_canadarm(int elements) {
  peers::ChoppedArm arm = peers::make_chopped_canadarm(elements);
  arm.both_planes = false;
  return arm;
}

struct Chopped {
  explicit Chopped(int elements) : arm(chopped_canadarm(elements)), q(VectorXd::Zero(arm.size())), v(q) {
    for (std::size_t link = 0; link < arm.links.size(); ++link) {
      const Eigen::Index joint = static_cast<Eigen::Index>(link) * (1 + elements);
      q[joint] = angles[link];
      v[joint] = rates[link];
    }
  }
  /// The fastest frequency at the start [rad/s].
  double fastest() const {
    const int n = arm.size();
    Eigen::MatrixXd M(n, n);
    peers::make_mujoco(arm)->mass_matrix(q.data(), M.data());
    const std::vector<double> stiffness = arm.stiffness();
    const Eigen::MatrixXd K = Eigen::Map<const VectorXd>(stiffness.data(), n).asDiagonal();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(K, M, Eigen::EigenvaluesOnly);
    return std::sqrt(modes.eigenvalues().maxCoeff());
  }
  /// Half a piece, a hinge, whole ones, half a piece: as peers/mujoco.cpp has them.
  Vector2d tip_of(const VectorXd& angles_of_hinges) const {
    Vector2d place = Vector2d::Zero();
    double angle = 0.0;
    Eigen::Index i = 0;
    for (const peers::ChoppedArm::Link& link : arm.links)
      for (int piece = 0; piece <= arm.elements; ++piece) {
        const bool is_half = piece == 0 || piece == arm.elements;
        angle += angles_of_hinges[i++];
        place +=
            (is_half ? 0.5 : 1.0) * link.length / arm.elements * Vector2d(std::cos(angle), std::sin(angle));
      }
    return place;
  }
  peers::ChoppedArm arm;
  VectorXd q, v;
};

// What is measured

struct Candidate {
  std::string series;   // one curve of the figure
  std::string setting;  // one point of it
  int coordinates;
  std::function<Outcome()> run;
  Outcome outcome = {};
  int runs = 0;
  double fastest = std::numeric_limits<double>::infinity(), all = 0.0;  // s
};

void measure(Candidate& candidate) {
  const std::clock_t start = std::clock();
  candidate.outcome = candidate.run();
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  candidate.fastest = std::min(candidate.fastest, took);
  candidate.all += took;
  ++candidate.runs;
}

// In turns; what takes seconds is repeated twice only. What diverges is left out: the step was too long.
void measure(std::vector<Candidate>& candidates, int repetitions) {
  constexpr double patience = 1.0;  // s
  for (int i = 0; i < repetitions; ++i)
    for (Candidate& candidate : candidates) {
      if (candidate.runs < 0 || (candidate.all > patience && candidate.runs >= 2)) continue;
      try {
        measure(candidate);
      } catch (const ComputationError&) {
        candidate.runs = -1;
      }
    }
  std::erase_if(candidates, [](const Candidate& candidate) {
    return candidate.runs < 0 || !candidate.outcome.tip.allFinite();
  });
}

std::string as_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

Candidate ours(const Model& model, const IntegrationMethod& method, double rtol, const std::string& series,
               const std::string& setting) {
  auto scenario = std::make_shared<Scenario>(let_go(model, method, rtol));
  return {series, setting, model.nv(), [scenario] { return run(*scenario); }};
}

std::vector<Candidate> methods(const Model& model) {
  std::vector<Candidate> all;
  const std::vector<IntegrationMethod> adaptive = {
      integrators::Radau{}, integrators::Radau9{}, integrators::Radau13{}, integrators::VariableRadau{},
      integrators::Bdf{},   integrators::Adams{},  integrators::Erk{}};
  for (const IntegrationMethod& method : adaptive)
    for (int digits = 2; digits <= 10; ++digits) {
      const double rtol = std::pow(10.0, -digits);
      all.push_back(ours(model, method, rtol, type_name(method), as_text(rtol)));
    }
  for (const double step : {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4})
    all.push_back(ours(model, integrators::Rk4{step}, 1e-6, "rk4", as_text(step)));
  for (const double step : {4e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4})
    all.push_back(ours(model, integrators::GeneralizedAlpha{step}, 1e-6, "generalized-alpha", as_text(step)));
  return all;
}

// The classical Runge-Kutta method on both sides: stable at this product of step and frequency, less a few per cent, because frequencies change as the arm moves (2.83).
constexpr double longest_rk4 = 2.6;

int rk4_steps(double fastest) { return static_cast<int>(std::ceil(duration * fastest / longest_rk4)); }

Candidate ours_by_rk4(const Beams& beams, const std::string& series) {
  const Model model = canadarm(beams);
  const Scenario start = let_go(model, {}, 1e-6);
  const VectorXd frequencies = natural_modes(model, start.q, JointTreatment::free).angular_frequencies;
  const double step = duration / rk4_steps(frequencies.maxCoeff());
  return ours(model, integrators::Rk4{step}, 1e-6, series, std::to_string(beams.shapes));
}

Candidate mujoco(int elements, peers::RollerMethod method) {
  const bool is_rk4 = method == peers::RollerMethod::rk4;
  auto chopped = std::make_shared<Chopped>(elements);
  // Its other method is stable up to a product of 2 and of first order: as many steps as rk4 has evaluations are what it is given.
  const int steps = rk4_steps(chopped->fastest()) * (is_rk4 ? 1 : 4);
  std::shared_ptr<peers::Roller> roller = peers::make_mujoco_roller(chopped->arm, duration / steps, method);
  return {is_rk4 ? "MuJoCo, rk4" : "MuJoCo, euler", std::to_string(elements), chopped->arm.size(), [=] {
            VectorXd q = chopped->q, v = chopped->v;
            roller->roll(q.data(), v.data(), steps);
            return Outcome{chopped->tip_of(q), steps};
          }};
}

// The loosest tolerance at which integration adds less than a tenth to what the shapes leave.
Candidate just_enough(const Beams& beams, const std::string& series, const Vector2d& reference) {
  constexpr double share = 0.1, strictest = 1e-11;
  const Model model = canadarm(beams);
  const Vector2d own = converged(beams).tip;
  const double of_shapes = (own - reference).norm();
  for (double rtol = 1e-2; rtol > strictest; rtol /= 10.0) {
    Candidate candidate = ours(model, integrators::Automatic{}, rtol, series, std::to_string(beams.shapes));
    if ((candidate.run().tip - own).norm() < share * of_shapes) return candidate;
  }
  return ours(model, integrators::Automatic{}, strictest, series, std::to_string(beams.shapes));
}

void print(const char* key, const std::vector<Candidate>& candidates, const Vector2d& reference) {
  std::printf("\"%s\": [\n", key);
  for (const Candidate& c : candidates)
    std::printf(
        "  {\"series\": \"%s\", \"setting\": \"%s\", \"coordinates\": %d, \"steps\": %ld, \"time_s\": %.5g, "
        "\"error_m\": %.4g}%s\n",
        c.series.c_str(), c.setting.c_str(), c.coordinates, c.outcome.steps, c.fastest,
        (c.outcome.tip - reference).norm(), &c == &candidates.back() ? "" : ",");
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
  const Beams finest{.shapes = 8, .order = KinematicOrder::second};
  const Vector2d reference = converged(finest).tip;

  std::printf("{\"duration_s\": %g, \"largest_deflection_m\": %.3g, \"reference\": [\n", duration,
              largest_deflection(finest));
  const auto compare = [&](const std::string& name, const Vector2d& tip, bool is_last = false) {
    std::printf("  {\"name\": \"%s\", \"distance_m\": %.2g}%s\n", name.c_str(), (tip - reference).norm(),
                is_last ? "" : ",");
  };
  for (const int shapes : {6, 10})
    compare(std::to_string(shapes) + " shapes", converged({shapes, KinematicOrder::second}).tip);
  compare("each link of 6 beams, second order", converged({4, KinematicOrder::second, 6}).tip);
  compare("each link of 6 beams, first order", converged({4, KinematicOrder::first, 6}).tip, true);
  const Beams four{.shapes = 4};
  std::vector<Candidate> of_methods = methods(canadarm(four)), of_beams;
  for (const auto& [name, order] :
       {std::pair("first", KinematicOrder::first), std::pair("second", KinematicOrder::second)})
    for (const int shapes : {2, 3, 4, 5, 6}) {
      const std::string series = std::string("Limber, ") + name + " order, ";
      of_beams.push_back(just_enough({shapes, order}, series + "auto", reference));
      of_beams.push_back(ours_by_rk4({shapes, order}, series + "rk4"));
    }
  for (const peers::RollerMethod method : {peers::RollerMethod::rk4, peers::RollerMethod::euler})
    for (const int elements : {2, 3, 4, 6, 8, 12, 16}) of_beams.push_back(mujoco(elements, method));
  measure(of_methods, repetitions);
  measure(of_beams, repetitions);
  std::printf("],\n");
  print("methods", of_methods, converged(four).tip);
  std::printf(",\n");
  print("continuum", of_beams, reference);
  std::printf("}\n");
}
