// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/plan_file.hpp"

#include <fmt/format.h>

#include <string>

#include "map_reader.hpp"
#include "plan_fields.hpp"
#include "study_places.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {
namespace {

void check_motion(const MotionDescription& plan, std::vector<Problem>& problems) {
  if (plan.to.empty() && plan.to_deg.empty() && plan.via.empty())
    problems.push_back({"plan", "`to`, `to_deg` or `via`", "none of them", "such as to: {shoulder: 1.2}"});
  if (plan.minimise != PlanGoal::time && !plan.duration)
    problems.push_back({"plan", "`duration`", "nothing", "only `minimise: time` can do without"});
  for (std::size_t i = 0; i < plan.via.size(); ++i) {
    const ViaDescription& via = plan.via[i];
    const std::string path = fmt::format("plan.via[{}]", i);
    if (via.q.empty() && via.q_deg.empty())
      problems.push_back({path, "`q` or `q_deg`", "neither", "such as q: {shoulder: 0.7}"});
    if (!(via.at < 1.0))
      problems.push_back({path + ".at", "a number between 0 and 1, both excluded", show_number(via.at),
                          "`from` and `to` are the ends"});
    if (i > 0 && !(plan.via[i - 1].at < via.at))
      problems.push_back({path + ".at",
                          "more than that of the place before, " + show_number(plan.via[i - 1].at),
                          show_number(via.at), ""});
  }
  for (std::size_t i = 0; i < plan.payloads.size(); ++i)
    if (plan.payloads[i].set.empty())
      problems.push_back({fmt::format("plan.payloads[{}].set", i), "at least one value", "none",
                          "such as links.boom.tip.mass: 3"});
}

}  // namespace

FileError PlanFile::located(const std::vector<Problem>& problems) const {
  return at_places(problems, file, places);
}

PlanFile parse_plan(const std::string& text, const std::string& file_name) {
  YamlTree tree = parse_yaml(text, file_name);
  PlanFile plan{{}, file_name, {}};
  note_places(tree.root, "", plan.places);
  if (!tree.root.find("plan") && (tree.root.find("links") || tree.root.find("duration")))
    throw plan.located({{"", "a plan file, with the key `plan`",
                         tree.root.find("links") ? "a model file" : "a scenario file", "docs/planning.md"}});
  ProblemList problems(file_name, std::move(tree.problems));
  ReadContext context{problems, {}, true, nullptr, nullptr};
  read_map(context, tree.root, "", plan.description);
  if (!problems.empty()) throw FileError(problems.all());
  std::vector<Problem> wrong;
  check_motion(plan.description.plan, wrong);
  if (!wrong.empty()) throw plan.located(wrong);
  return plan;
}

PlanFile read_plan(const std::filesystem::path& file) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError({{{"", "a readable plan file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_plan(content.text, file.string());
}

bool is_plan(const std::filesystem::path& file) {
  try {
    const FileContent content = read_text_file(file);
    return content.failure.empty() && parse_yaml(content.text, file.string()).root.find("plan") != nullptr;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace limber
