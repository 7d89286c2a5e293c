// SPDX-License-Identifier: BSD-3-Clause
#include "eval_papers.hpp"

#include "json_numbers.hpp"
#include "limber/analysis/section_loads.hpp"
#include "limber/literature/denoc.hpp"
#include "limber/literature/dual_screw_arm.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json dual_screws_json(const Model& model, const State& state) {
  const DualScrewArm arm(model, state.q, state.v);
  Json document;
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const Frame tip{i, 0, {}};
    const std::string& name = model.links()[static_cast<std::size_t>(i)].name;
    document["dual_twists"][name] = vector_json(arm.twist(tip));
    document["projections"][name] = {{"jacobian", matrix_json(arm.jacobian_form(tip))},
                                     {"projecting", matrix_json(arm.projecting_form(tip))}};
  }
  return document;
}

Json denoc_json(const Model& model, const State& state, const std::vector<Load>& loads) {
  Workspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  const DeNocMotion motion = make_denoc_motion(model, work, denoc, state.q, state.v, state.tau, loads);
  Json masses;
  for (std::size_t i = 0; i < denoc.M.size(); ++i) masses[model.links()[i].name] = matrix_json(denoc.M[i]);
  return {{"rows", denoc_rows(model)},
          {"columns", model.coordinates()},
          {"N_l", matrix_json(denoc.N_l)},
          {"N_d", matrix_json(denoc.N_d)},
          {"N_l_rate", matrix_json(motion.N_l_rate)},
          {"N_d_rate", matrix_json(motion.N_d_rate)},
          {"M", masses},
          {"I", matrix_json(denoc.inertia)},
          {"U", matrix_json(denoc.U)},
          {"D", matrix_json(denoc.D)},
          {"gamma", vector_json(motion.gamma)},
          {"phi", vector_json(motion.phi)}};
}

Json section_loads_json(const Model& model, const State& state, const Eigen::VectorXd& a,
                        const std::vector<Load>& loads) {
  Json document = Json::object();
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const Link& link = model.links()[static_cast<std::size_t>(i)];
    if (!link.beam || link.elastic_count == 0) continue;
    const SectionLoads along = section_loads(model, i, state.q, state.v, a, loads);
    document[link.name] = {{"x", vector_json(along.x)},
                           {"force", matrix_json(along.force)},
                           {"moment", matrix_json(along.moment)},
                           {"elastic_force", vector_json(along.elastic_force.transpose())},
                           {"elastic_moment", matrix_json(along.elastic_moment)},
                           {"residual", along.residual}};
  }
  return document;
}

}  // namespace limber::app
