// SPDX-License-Identifier: BSD-3-Clause
// Many arms per instruction beside one arm per instruction, on one core: algorithms, steps, and MuJoCo's steps of the arm cut into pieces. What is compared is measured in turns, each
// the fastest of many, so that other work on the machine meets all of them alike.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string_view>

#include "limber/algorithms/batch.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/processor_level.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/simulators.hpp"

#if defined(LIMBER_WITH_PEERS)
#include "peers/peer.hpp"
#endif

namespace {

using namespace limber;
using Eigen::MatrixXd;

/// Fastest of `rounds` [us], in turns.
std::vector<double> fastest(int rounds, const std::vector<std::function<void()>>& works) {
  std::vector<double> best(works.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      works[i]();
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
      best[i] = std::min(best[i], took.count());
    }
  return best;
}

void compare_algorithms(const char* name, const Model& model) {
  constexpr int count = 64;
  MatrixXd q = 0.01 * MatrixXd::Random(model.nq(), count);
  for (const Link& link : model.links())
    if (link.joint.nq == 1) q.row(link.joint.q_index) *= 100.0;
  const MatrixXd v = 0.1 * MatrixXd::Random(model.nv(), count), tau = MatrixXd::Random(model.nv(), count);
  MatrixXd one(model.nv(), count), many(model.nv(), count), M(model.nv(), model.nv() * count), Ms = M;
  Workspace<double> work(model);
  BatchWorkspace batch(model);
  std::vector<Model> different;
  for (int i = 0; i < count; ++i) {
    ModelDescription description = model.description();
    description.links.back().root.mass += 0.01 * i;
    different.push_back(build_model(description));
  }
  BatchWorkspace others(different);
  const auto report = [&](const char* what, const std::vector<double>& us, double wrong) {
    std::printf("%-10s %-12s %-17s one %.3f us, batch %.3f us (%.2f x)", name_of(processor_level()), name,
                what, us[0] / count, us[1] / count, us[0] / us[1]);
    if (us.size() > 2) std::printf(", arms that differ %.3f us (%.2f x)", us[2] / count, us[0] / us[2]);
    std::printf(", difference %.1e\n", wrong);
  };
  std::vector<double> us =
      fastest(400, {[&] {
                      for (int i = 0; i < count; ++i)
                        forward_dynamics(model, work, q.col(i), v.col(i), tau.col(i), one.col(i));
                    },
                    [&] { forward_dynamics(batch, q, v, tau, many); },
                    [&] { forward_dynamics(others, q, v, tau, Ms.leftCols(count)); }});
  report("forward dynamics", us, (one - many).norm() / one.norm());
  us = fastest(400, {[&] {
                       for (int i = 0; i < count; ++i)
                         inverse_dynamics(model, work, q.col(i), v.col(i), tau.col(i), one.col(i));
                     },
                     [&] { inverse_dynamics(batch, q, v, tau, many); }});
  report("inverse dynamics", us, (one - many).norm() / one.norm());
  us = fastest(400, {[&] {
                       for (int i = 0; i < count; ++i)
                         mass_matrix(model, work, q.col(i), M.middleCols(i * model.nv(), model.nv()));
                     },
                     [&] { mass_matrix(batch, q, Ms); }});
  report("mass matrix", us, (M - Ms).norm() / M.norm());
}

Scenario free_arm(const Model& model, const IntegrationMethod& method) {
  Scenario scenario(model);
  scenario.q = neutral_configuration(model);
  scenario.v = Eigen::VectorXd::Zero(model.nv());
  scenario.integrator.method = method;
  scenario.duration = 1e9;
  return scenario;
}

/// Steps of 1 ms, ten for each new effort.
void compare_steps(const char* name, const Model& model, const IntegrationMethod& method, double step) {
  constexpr int steps = 10;
  const double h = steps * step;
  std::printf("%-10s %-12s %s, step %g s: ", name_of(processor_level()), name, type_name(method), step);
  double single = 0.0;
  for (const int count : {16, 1024}) {
    std::vector<Scenario> scenarios;
    std::vector<Simulator> alone;
    for (int i = 0; i < count; ++i) {
      scenarios.push_back(free_arm(model, method));
      alone.emplace_back(free_arm(model, method));
    }
    Simulators together(std::move(scenarios));
    int k = 0;
    MatrixXd efforts = MatrixXd::Zero(model.nv(), count);
    const auto push = [&] {
      ++k;
      for (const Link& link : model.links())
        for (int i = 0; i < count; ++i) efforts(link.joint.v_index, i) = (k + i) % 2 == 0 ? 1.0 : -1.0;
    };
    const std::vector<double> us =
        fastest(count < 100 ? 60 : 6, {[&] {
                                         push();
                                         for (int i = 0; i < count; ++i)
                                           alone[static_cast<std::size_t>(i)].step(h, efforts.col(i));
                                       },
                                       [&] {
                                         push();
                                         together.step(h, efforts);
                                       }});
    single = us[0] / count / steps;
    std::printf("%d arms one by one %.2f us, together %.2f us a step (%.2f x, %.0f steps/s) ", count, single,
                us[1] / count / steps, us[0] / us[1], 1e6 * count * steps / us[1]);
  }
  std::printf("\n");
}

#if defined(LIMBER_WITH_PEERS)
void compare_with_mujoco(const Model& model, double step) {
  constexpr int count = 64, steps = 10;
  for (const int elements : {2, 8}) {
    const peers::ChoppedArm chopped = peers::make_chopped_canadarm(elements);
    const auto mujoco = peers::make_mujoco_roller(chopped, step);
    MatrixXd q = MatrixXd::Zero(chopped.size(), count), v = q;
    std::vector<Scenario> scenarios;
    for (int i = 0; i < count; ++i) scenarios.push_back(free_arm(model, integrators::Rk4{step}));
    Simulators together(std::move(scenarios));
    const MatrixXd efforts = MatrixXd::Zero(model.nv(), count);
    const std::vector<double> us = fastest(30, {[&] {
                                                  for (int i = 0; i < count; ++i)
                                                    mujoco->roll(q.col(i).data(), v.col(i).data(), steps);
                                                },
                                                [&] { together.step(steps * step, efforts); }});
    std::printf(
        "%-10s rk4, step %g s, %d arms: MuJoCo of %d joints %.0f steps/s, Simulators of %d coordinates %.0f "
        "steps/s (%.1f x)\n",
        name_of(processor_level()), step, count, chopped.size(), 1e6 * count * steps / us[0], model.nv(),
        1e6 * count * steps / us[1], us[0] / us[1]);
  }
}
#endif

}  // namespace

// With the word `algorithms`: these alone, for whoever repeats them.
int main(int argc, char** argv) {
  const bool algorithms_alone = argc > 1 && std::string_view(argv[1]) == "algorithms";
  const Model canadarm = read_model(LIMBER_MODELS_DIR "/canadarm/canadarm_spatial.yaml");
  for (const ProcessorLevel level : available_processor_levels()) {
    use_processor_level(level);
    compare_algorithms("Canadarm", canadarm);
    compare_algorithms("Canadarm, CB", read_model(LIMBER_MODELS_DIR "/canadarm/canadarm_craig_bampton.yaml"));
    compare_algorithms("UR10", read_model(LIMBER_MODELS_DIR "/ur10/ur10.yaml"));
    if (algorithms_alone) continue;
    compare_steps("Canadarm", canadarm, integrators::Rk4{1e-3}, 1e-3);
    compare_steps("Canadarm", canadarm, integrators::GeneralizedAlpha{1e-3}, 1e-3);
#if defined(LIMBER_WITH_PEERS)
    compare_with_mujoco(canadarm, 1e-3);
#endif
  }
}
