// SPDX-License-Identifier: BSD-3-Clause
// What docs/dae.md shows of ELLA, as one JSON document on standard output (scripts/plot_dae.py draws it):
//   limber_dae_study [LONG_RUN_SECONDS]
// how far joints come apart with each correction; forward Euler; and what becomes of the
// equations when a correction of the paper is left out.

#include <Eigen/Dense>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/free_bodies.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/well_posedness.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/simulate.hpp"

namespace {

using namespace limber;
using namespace limber::detail;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

const std::string ella_folder = std::string(LIMBER_MODELS_DIR) + "/ella/";

// A run, and the processor's time that it took: others may use the machine too.
struct Timed {
  RunSummary run;
  double cpu_s;
};
Timed timed(Scenario& scenario) {
  const std::clock_t start = std::clock();
  RunSummary run = simulate(scenario);
  return {std::move(run), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

// ---- drift ----

struct Choice {
  const char* name;
  ConstraintCorrection correction;
};
constexpr Choice all_corrections[] = {{"projection", ConstraintCorrection::projection},  // NOLINT
                                      {"baumgarte", ConstraintCorrection::baumgarte},
                                      {"none", ConstraintCorrection::none}};

// All joints to and fro for as long as it takes: a sine as a table.
std::string swinging(double duration) {
  std::string times, lift, turn;
  for (double t = 0.0; t <= duration + 1.0; t += 0.125) {
    const std::string comma = times.empty() ? "" : ", ";
    times += comma + std::to_string(t);
    lift += comma + std::to_string(0.4 * (1.0 - std::cos(2.0 * t)));
    turn += comma + std::to_string(0.5 * std::sin(1.3 * t) * std::sin(1.3 * t));
  }
  return "limber: 1\nmodel: ella_polynomial.yaml\nformulation: dae\ninitial: {settle: true}\nactuation:\n"
         "  - {joint: shoulder.1, type: pd, kp: 4000, kd: 400, target: {trajectory: turn}}\n"
         "  - {joint: shoulder.2, type: pd, kp: 4000, kd: 400, target: {trajectory: lift}, "
         "gravity_compensation: "
         "target}\n"
         "  - {joint: elbow, type: pd, kp: 1500, kd: 100, target: {trajectory: lift}, gravity_compensation: "
         "target}\n"
         "trajectories:\n  lift: {type: table, times: [" +
         times + "], values: [" + lift + "]}\n  turn: {type: table, times: [" + times + "], values: [" +
         turn + "]}\nintegrator: {method: rkmk4, step: 0.001}\nduration: " + std::to_string(duration) +
         "\noutput: {rate: 10, shape_points: 0, wrenches: false}\n";
}

Json drift(const ScenarioFile& file, const Choice& choice) {
  ScenarioDescription description = file.description;
  std::get<integrators::Rkmk4>(description.integrator.method).constraints = choice.correction;
  Scenario scenario = build_scenario(description, file.model);
  const auto [run, cpu_s] = timed(scenario);
  return {{"name", choice.name},
          {"duration", description.duration},
          {"gap", run.constraint_violation->position},
          {"twist", run.constraint_violation->rotation},
          {"energy_error", run.last.largest_error},
          {"energy", run.last.energy_size},
          {"us_per_step", 1e6 * cpu_s / static_cast<double>(run.last.steps)}};
}

Json all_drift(double longest) {
  Json result = Json::array();
  const ScenarioFile reach = read_scenario(ella_folder + "reach_dae.yaml");
  for (const Choice& choice : all_corrections) result.push_back(drift(reach, choice));
  for (const double duration : {longest / 100.0, longest / 10.0, longest}) {
    const ScenarioFile file = parse_scenario(swinging(duration), "swinging.yaml", ella_folder);
    for (const Choice& choice : all_corrections) result.push_back(drift(file, choice));
  }
  return result;
}

// ---- methods on the same manoeuvre ----

Json methods() {
  Json result = Json::array();
  const std::pair<std::string, IntegrationMethod> pairs[] = {
      // NOLINT
      {"ella_clamped_free", integrators::Euler{1e-3}}, {"ella_clamped_free", integrators::Euler{1e-4}},
      {"ella_clamped_free", integrators::Rk4{1e-3}},   {"ella_polynomial", integrators::Euler{1e-3}},
      {"ella_polynomial", integrators::Rkmk4{1e-3}},   {"ella_polynomial", integrators::Bdf{}},
      {"ella_polynomial", integrators::Ida{}},         {"ella_polynomial", integrators::Radau9{}},
      {"ella_converged", integrators::Radau{}}};
  for (const auto& [model_name, method] : pairs) {
    const double step = fixed_step(method).value_or(0.0);
    ScenarioFile file = read_scenario(ella_folder + "reach_dae.yaml");
    file.model = read_model(ella_folder + model_name + ".yaml");
    file.description.model = file.model.description();
    file.description.integrator = {.method = method};
    file.description.output.shape_points = 0;
    Json row = {{"model", model_name}, {"step", step}};
    try {
      Scenario scenario = build_scenario(file.description, file.model);
      const auto [run, cpu_s] = timed(scenario);
      row.update({{"method", run.integrator},
                  {"steps", run.last.steps},
                  {"evaluations", run.last.evaluations},
                  {"jacobians", run.last.tangents},
                  {"cpu_s", cpu_s},
                  {"energy_error", run.last.largest_error},
                  {"largest_deflection_mm", 1e3 * run.last.peaks.deflection[1].value}});
    } catch (const ComputationError& error) {
      row["method"] = "euler";
      row["error"] = error.what();
    }
    result.push_back(row);
  }
  return result;
}

// ---- the paper's equations without one of their corrections ----

// At a state in which everything moves: the largest change of any acceleration of joints or shapes, of the largest one.
class LeftOut {
 public:
  LeftOut() : model_(read_model(ella_folder + "ella_clamped_free.yaml")), arm_(model_) {
    const Equilibrium rest = static_equilibrium(model_, neutral_configuration(model_));
    q_ = rest.q;
    tau_ = rest.efforts;  // so that nothing accelerates but by what moves
    v_ = VectorXd::Zero(model_.nv());
    for (int i = 0; i < model_.nv(); ++i) v_[i] = std::sin(1.0 + i) * (is_joint(i) ? 1.0 : 0.05);
    arm_.update(q_, v_);
    arm_.assemble(q_, v_, tau_, tau_, {});
    arm_.solve();
    right_ = VectorXd::Zero(model_.nv());
    arm_.accelerations(right_);
  }

  int unknowns() const { return arm_.system().size(); }
  int rank_without_effort_rows() const {
    StackedSystem system = arm_.system();
    for (int i = 0; i < system.link_count(); ++i) {
      const int free = model_.links()[static_cast<std::size_t>(i)].joint.nv;
      system.block(i).Jf.setZero();
      system.block(i).Ja.topRows(free).setZero();
    }
    return unknowns() - static_cast<int>(dependent_rows(system.matrix()).size());
  }
  // The wrench of the next link left out of the modal rows.
  double without_boundary_wrenches() {
    MatrixXd A = arm_.system().matrix();
    const int modal = arm_.system().offset(0) + 12, m = model_.links()[0].elastic_count;
    A.block(modal, arm_.system().offset(1), m, 6).setZero();
    return change(A.partialPivLu().solve(arm_.system().right_hand_side()));
  }
  // Relative acceleration without what turning frames do to it: (30) drops Pdot, (17) a product of velocities.
  double without_joint_bias() {
    VectorXd right = arm_.system().right_hand_side();
    for (int i = 0; i < arm_.system().link_count(); ++i)
      right.segment<6>(arm_.system().offset(i)) -=
          arm_.system().block(i).Ja *
          (arm_.to_body(i) * arm_.workspace().arm().links[static_cast<std::size_t>(i)].A_bias.vector());
    return change(arm_.system().matrix().partialPivLu().solve(right));
  }
  // (12): m w x v of the frame missing in the force row.
  double without_frame_term() {
    VectorXd right = arm_.system().right_hand_side();
    for (int i = 0; i < arm_.system().link_count(); ++i) {
      const LinkWork<double>& link = arm_.workspace().arm().links[static_cast<std::size_t>(i)];
      right.segment<3>(arm_.system().offset(i) + 6) +=
          Eigen::Vector3d(cross(link.V_R.angular, link.V_R.linear) * link.M_rr.mass);
    }
    return change(arm_.system().matrix().partialPivLu().solve(right));
  }
  // (10), (11): arms r_b of the straight link in place of r_ib.
  double with_straight_inertia() {
    LinkByLink straight(model_);
    VectorXd q = q_;
    for (const Link& link : model_.links()) q.segment(link.elastic_q_index, link.elastic_count).setZero();
    straight.update(q, v_);
    straight.assemble(q, v_, tau_, tau_, {});
    MatrixXd A = arm_.system().matrix();
    for (int i = 0; i < arm_.system().link_count(); ++i) {
      const int at = arm_.system().offset(i) + 6, n = arm_.system().block(i).size();
      A.block(at, at, n, n) = straight.system().block(i).M;
    }
    return change(A.partialPivLu().solve(arm_.system().right_hand_side()));
  }
  // Sections that do not turn: of the sag, what moments and slopes do is missing.
  std::pair<double, double> sag_mm() const {
    const Model ella = read_model(ella_folder + "ella_converged.yaml");
    Workspace<double> work(ella);
    update_positions(ella, work, static_equilibrium(ella, neutral_configuration(ella)).q);
    update_world_poses(work);
    const double right = -frame_pose(ella, work, end_effector_frame(ella)).p.y();
    constexpr double EI = 3.67e3, weight = 1.6302 * 9.81, elbow = 3.3 * 9.81, payload = 2.1 * 9.81, L1 = 0.95,
                     L2 = 0.93;
    const auto cantilever = [](double L, double q, double P) {
      return q * std::pow(L, 4) / (8.0 * EI) + P * std::pow(L, 3) / (3.0 * EI);
    };
    const double without =
        cantilever(L1, weight, elbow + weight * L2 + payload) + cantilever(L2, weight, payload);
    return {1e3 * right, 1e3 * without};
  }

 private:
  bool is_joint(int coordinate) const {
    for (const Link& link : model_.links())
      if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv) return true;
    return false;
  }
  double change(const VectorXd& x) {
    LinkByLink other(model_);
    other.update(q_, v_);
    other.assemble(q_, v_, tau_, tau_, {});
    other.take_solution(x);
    VectorXd qdd = VectorXd::Zero(model_.nv());
    other.accelerations(qdd);
    return (qdd - right_).cwiseAbs().maxCoeff() / right_.cwiseAbs().maxCoeff();
  }

  Model model_;
  LinkByLink arm_;
  VectorXd q_, v_, tau_, right_;
};

Json equations() {
  LeftOut study;
  const auto [right, without] = study.sag_mm();
  return {{"unknowns", study.unknowns()},
          {"rank_without_effort_rows", study.rank_without_effort_rows()},
          {"without_boundary_wrenches", study.without_boundary_wrenches()},
          {"without_joint_bias", study.without_joint_bias()},
          {"without_frame_term", study.without_frame_term()},
          {"with_straight_inertia", study.with_straight_inertia()},
          {"sag_mm", right},
          {"sag_without_turning_sections_mm", without}};
}

}  // namespace

int main(int argc, char** argv) {
  const double longest = argc > 1 ? std::atof(argv[1]) : 100.0;
  std::cout << Json{{"drift", all_drift(longest)}, {"methods", methods()}, {"equations", equations()}}.dump()
            << "\n";
}
