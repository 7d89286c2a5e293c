// SPDX-License-Identifier: BSD-3-Clause
#include "documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/basis_error.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/units.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Eigen::Ref<const Eigen::VectorXd>& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}

Json pairs(const Eigen::VectorXcd& numbers) {
  Json all = Json::array();
  for (const std::complex<double>& number : numbers) all.push_back({number.real(), number.imag()});
  return all;
}

JointTreatment treatment_of(const std::string& name) {
  for (const JointTreatment treatment : all_joint_treatments)
    if (name == name_of(treatment)) return treatment;
  return JointTreatment::held;  // the study has been checked
}

Json modes_document(const StudyDescription& study, Model& model, State state) {
  const JointTreatment joints = treatment_of(study.joints);
  const std::vector<Load> loads = place_loads(state.loads, model);
  if (study.settle) {
    if (joints == JointTreatment::locked) state.hold = {"all"};
    state.q = static_equilibrium(model, state.q, loads, StaticModel::exact, {}, state.hold).q;
  }
  const NaturalModes modes = natural_modes(model, state.q, joints, study.count, loads, state.hold);
  Json document = {{"frequencies_hz", list(modes.angular_frequencies * hertz)},
                   {"frequencies_rad_s", list(modes.angular_frequencies)},
                   {"mass", model.mass()}};
  if (const Eigen::VectorXd damping = damping_ratios(model, state.q, modes); damping.size() > 0)
    document["damping_ratios"] = list(damping);
  Json growth = Json::array();
  for (const std::complex<double>& s : modes.exponents) growth.push_back(s.real());
  document["growth_rates"] = growth;
  return document;
}

Json info_document(const Model& model, PreparedBeams& kept) {
  Json links = Json::array();
  for (const Link& link : model.links()) {
    Json frequencies = Json::object();
    if (link.body) frequencies["body"] = list(link.body->reduced->frequencies * hertz);
    if (link.beam)
      for (const DirectionShapes& shapes : link.beam->directions)
        frequencies[to_string(shapes.request.direction)] = list(shapes.frequencies * hertz);
    links.push_back({{"name", link.name},
                     {"length", link.nodes.front().X_RN.p.norm()},
                     {"mass", link.rest_inertia().mass},
                     {"frequencies_hz", frequencies}});
  }
  const BasisError basis = basis_error(model, kept);
  return {{"nq", model.nq()},
          {"nv", model.nv()},
          {"mass", model.mass()},
          {"basis_error", basis.largest},
          {"arm_frequencies_hz", list(basis.frequencies * hertz)},
          {"links", links}};
}

Json statics_document(Model& model, const State& state) {
  const std::vector<Load> loads = place_loads(state.loads, model);
  const Equilibrium found = static_equilibrium(model, state.q, loads, StaticModel::exact, {}, state.hold);
  Workspace<double> work(model);
  update_positions<double>(model, work, found.q);
  update_world_poses(work);
  const Eigen::Vector3d place = frame_pose<double>(model, work, model.end_effector()).p;
  const Sag sagged = sag(model, found.q, state.q);
  Json efforts = Json::object(), positions = Json::object(), links = Json::array();
  for (const Link& link : model.links()) {
    for (int j = 0; j < link.joint.nv; ++j)
      efforts[model.coordinates()[static_cast<std::size_t>(link.joint.v_index + j)]] =
          found.efforts[link.joint.v_index + j];
  }
  for (const WholeLink& link : whole_links(model)) {
    const TipState tip = tip_state(model, link, found.q);
    links.push_back(
        {{"name", link.name}, {"tip_deflection", list(tip.deflection)}, {"tip_slope", list(tip.slope)}});
  }
  const std::vector<std::string> names = position_names(model);
  for (std::size_t i = 0; i < names.size(); ++i) positions[names[i]] = found.q[static_cast<Eigen::Index>(i)];
  return {{"q", positions},
          {"joint_efforts", efforts},
          {"end_effector", {{"position", list(place)}, {"x", place.x()}, {"y", place.y()}, {"z", place.z()}}},
          {"sag",
           {{"displacement", list(sagged.displacement)},
            {"distance", sagged.displacement.norm()},
            {"rotation", list(sagged.rotation)}}},
          {"mass", model.mass()},
          {"stable", found.stable ? 1.0 : 0.0},
          {"links", links}};
}

OperatingPoint point_of(const StudyDescription& study, Model& model, const State& state) {
  const std::vector<Load> loads = place_loads(state.loads, model);
  if (study.settle) return settled_point(model, state.q, loads, {}, state.hold);
  return {state.q, state.v, state.tau, loads};
}

Json linearize_document(const StudyDescription& study, Model& model, const State& state) {
  const OperatingPoint point = point_of(study, model, state);
  const LinearModel linear = linearize_at_points(model, point, study.outputs, study.inputs);
  Json frequencies = Json::array(), damping = Json::array();
  const Eigen::VectorXcd roots = poles(linear);
  for (const std::complex<double>& s : roots) {
    if (s.imag() <= 0.0) continue;  // one of each pair
    frequencies.push_back(std::abs(s) * hertz);
    damping.push_back(-s.real() / std::abs(s));
  }
  const auto rows = [](const Eigen::MatrixXd& matrix) {
    Json all = Json::array();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) all.push_back(list(matrix.row(i).transpose()));
    return all;
  };
  return {{"poles", pairs(roots)}, {"frequencies_hz", frequencies}, {"damping_ratios", damping},
          {"A", rows(linear.A)},   {"B", rows(linear.B)},           {"C", rows(linear.C)},
          {"D", rows(linear.D)}};
}

Json zeros_document(const StudyDescription& study, Model& model, const State& state) {
  const OperatingPoint point = point_of(study, model, state);
  const HeldOutputs held = held_outputs(model, study.outputs, study.inputs, point.q);
  const ZeroDynamics dynamics = zero_dynamics(linearize_at_points(model, point, held.outputs, held.inputs));
  double largest = 0.0;
  for (const std::complex<double>& zero : dynamics.zeros) largest = std::max(largest, zero.real());
  return {{"zeros", pairs(dynamics.zeros)},
          {"chain_at_zero", dynamics.chain_at_zero},
          {"non_minimum_phase", dynamics.phase == Phase::non_minimum ? 1.0 : 0.0},
          {"largest_real_part", largest}};
}

// ---- numbers by path ----

[[noreturn]] void refuse(const std::string& of, const std::string& expected, const std::string& found,
                         std::string hint) {
  throw InputError(Problem{"of", expected, show_text(found) + " in " + show_text(of), std::move(hint)});
}

std::vector<std::string> keys_of(const Json& node) {
  std::vector<std::string> keys;
  if (node.is_object())
    for (const auto& item : node.items()) keys.push_back(item.key());
  if (node.is_array())
    for (const Json& element : node)
      if (element.is_object() && element.contains("name")) keys.push_back(element["name"]);
  return keys;
}

// Coordinates have dots in their names: the longest key that the rest begins with.
const Json& enter_key(const Json& node, std::string_view& rest, const std::string& of) {
  std::string best;
  for (const std::string& key : keys_of(node))
    if (key.size() > best.size() && rest.starts_with(key) &&
        (rest.size() == key.size() || rest[key.size()] == '.' || rest[key.size()] == '['))
      best = key;
  if (best.empty()) {
    const std::string word(rest.substr(0, rest.find_first_of(".[")));
    refuse(of, "a name that the task's JSON has there", word, suggestion(word, keys_of(node), "names"));
  }
  rest.remove_prefix(best.size());
  if (node.is_object()) return node.at(best);
  return *std::find_if(node.begin(), node.end(), [&](const Json& element) {
    return element.is_object() && element.contains("name") && element["name"] == best;
  });
}

// `[2]`, or `.2`: brackets would need quotes between the braces of YAML.
const Json& enter_index(const Json& node, std::string_view& rest, const std::string& of) {
  const bool in_brackets = rest.starts_with('[');
  if (in_brackets) rest.remove_prefix(1);
  const std::string word(rest.substr(0, rest.find_first_of(in_brackets ? "]" : ".[")));
  std::size_t index = 0;
  const char* const last = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), last, index);
  if (!node.is_array()) refuse(of, "a key", word, "there is no list");
  if (error != std::errc() || stop != last || index >= node.size())
    refuse(of,
           node.empty() ? "a list that is not empty" : fmt::format("an index from 0 to {}", node.size() - 1),
           word, "");
  rest.remove_prefix(std::min(rest.size(), word.size() + (in_brackets ? 1 : 0)));
  return node[index];
}

}  // namespace

nlohmann::ordered_json task_document(StudyTask task, const StudyDescription& study, Model model,
                                     const State& state, PreparedBeams& kept) {
  switch (task) {
    case StudyTask::modes:
      return modes_document(study, model, state);
    case StudyTask::statics:
      return statics_document(model, state);
    case StudyTask::linearize:
      return linearize_document(study, model, state);
    case StudyTask::zeros:
      return zeros_document(study, model, state);
    case StudyTask::info:
    case StudyTask::simulate:
      break;
  }
  return info_document(model, kept);
}

const nlohmann::ordered_json& TaskDocuments::of(StudyTask task) {
  const auto known = found_.find(task);
  if (known != found_.end()) return known->second;
  const State state = state_ ? parse_state(state_->text, study_.state, model_) : neutral_state(model_);
  return found_[task] = task_document(task, study_, model_, state, kept_);
}

double number_in(const nlohmann::ordered_json& document, const MeasureDescription& measure) {
  const Json* node = &document;
  std::string_view rest = measure.of;
  while (!rest.empty()) {
    if (rest.starts_with('.')) rest.remove_prefix(1);
    const bool is_index = rest.starts_with('[') ||
                          (node->is_array() && !rest.empty() && rest.front() >= '0' && rest.front() <= '9');
    node = is_index ? &enter_index(*node, rest, measure.of) : &enter_key(*node, rest, measure.of);
  }
  if (node->is_number() && measure.what)
    refuse(measure.of, "a list, over which `what` goes", "one number", "leave `what` out");
  if (node->is_number()) return node->get<double>();
  if (node->is_array() && measure.what && *measure.what != MeasureKind::settling_time) {
    std::vector<double> values;
    for (const Json& element : *node) {
      if (!element.is_number())
        refuse(measure.of, "a list of numbers", "a list of something else", "go on with an index or a name");
      values.push_back(element.get<double>());
    }
    if (values.empty()) refuse(measure.of, "a list that is not empty", "an empty one", "");
    return reduced(*measure.what, values, {});
  }
  refuse(measure.of, "a number", node->is_array() ? "a list" : "a map",
         node->is_array() ? "give an index, or `what: max`" : suggestion("", keys_of(*node), "names"));
}

double reduced(MeasureKind what, const std::vector<double>& values, const std::vector<double>& times) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  switch (what) {
    case MeasureKind::final:
      return values.back();
    case MeasureKind::max:
      return *most;
    case MeasureKind::min:
      return *least;
    case MeasureKind::peak_to_peak:
      return *most - *least;
    case MeasureKind::mean: {
      double sum = 0.0;
      for (const double value : values) sum += value;
      return sum / static_cast<double>(values.size());
    }
    case MeasureKind::rms: {
      double sum = 0.0;
      for (const double value : values) sum += value * value;
      return std::sqrt(sum / static_cast<double>(values.size()));
    }
    case MeasureKind::settling_time:
      break;
  }
  // The last row that is farther than 1 % of the way from the last one.
  constexpr double settled = 0.01;
  const double way = std::abs(values.back() - values.front());
  for (std::size_t i = values.size(); i-- > 0;)
    if (std::abs(values[i] - values.back()) > settled * way) return times[i];
  return times.front();
}

}  // namespace limber
