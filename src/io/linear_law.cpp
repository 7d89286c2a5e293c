// SPDX-License-Identifier: BSD-3-Clause
#include "linear_law.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "limber/model/field_checker.hpp"
#include "number_text.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

/// One file; JSON is YAML, so that everything has its place.
class LawReader {
 public:
  LawReader(ReadContext& context, std::string file) : context_(context), file_(std::move(file)) {}

  std::optional<LinearLaw> read(const YamlNode& root) {
    LinearLaw law;
    if (!root.is_map()) {
      add(root, "", "a map with the keys A, B, C, D, u0", show_node(root));
      return std::nullopt;
    }
    const std::pair<const char*, Eigen::MatrixXd*> matrices[] = {
        {"A", &law.A}, {"B", &law.B}, {"C", &law.C}, {"D", &law.D}};
    for (const YamlEntry& entry : root.entries) {
      bool is_known = entry.key == "u0";
      for (const auto& [name, matrix] : matrices)
        if (entry.key == name) {
          is_known = true;
          read_matrix(entry.value, name, *matrix);
        }
      if (entry.key == "u0") {
        const std::vector<double> numbers = read_row(entry.value, "u0");
        law.u0 = Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
      }
      if (!is_known) add(entry.value, path_step(entry.key), "one of the keys A, B, C, D, u0", "another one");
    }
    return problems_ == 0 ? std::optional(std::move(law)) : std::nullopt;
  }

 private:
  void add(const YamlNode& node, std::string path, std::string expected, std::string found,
           std::string hint = "") {
    ++problems_;
    context_.problems.add(file_, node.mark,
                          {std::move(path), std::move(expected), std::move(found), std::move(hint)});
  }

  std::vector<double> read_row(const YamlNode& node, const std::string& path) {
    std::vector<double> row;
    if (!node.is_sequence()) {
      add(node, path, "a list of numbers", show_node(node));
      return row;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& item = node.items[i];
      const NumberText number = parse_number(item);
      const auto refused = number.value ? why_refused(any_number, *number.value) : std::optional(number.hint);
      if (refused)
        add(item, indexed(path, i), "a number", number.value ? show_number(*number.value) : number.found,
            *refused);
      else
        row.push_back(*number.value);
    }
    return row;
  }

  void read_matrix(const YamlNode& node, const std::string& name, Eigen::MatrixXd& matrix) {
    if (!node.is_sequence())
      return add(node, name, "a list of rows, each a list of numbers", show_node(node));
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      rows.push_back(read_row(node.items[i], indexed(name, i)));
      if (rows.back().size() != rows.front().size())
        add(node.items[i], indexed(name, i),
            fmt::format("{} numbers, as in the first row", rows.front().size()),
            fmt::format("{}", rows.back().size()));
    }
    if (problems_ > 0 || rows.empty()) return;
    matrix.resize(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }

  ReadContext& context_;
  std::string file_;
  int problems_ = 0;
};

}  // namespace

std::optional<LinearLaw> read_linear_law(ReadContext& context, const Slot& slot, const std::string& name) {
  const FileContent content = context.read_named(name);
  const std::string file = (context.directory / name).string();
  if (!content.failure.empty()) {
    context.problems.add(slot.node.mark, {slot.path, "a readable JSON file, relative to the scenario",
                                          content.failure, "looked for " + show_text(file, 500)});
    return std::nullopt;
  }
  try {
    const YamlTree tree = parse_yaml(content.text, file);
    for (const LocatedProblem& problem : tree.problems)
      context.problems.add(problem.file, problem.mark, problem.problem);
    return LawReader(context, file).read(tree.root);
  } catch (const FileError& error) {
    for (const LocatedProblem& problem : error.located())
      context.problems.add(problem.file, problem.mark, problem.problem);
    return std::nullopt;
  }
}

}  // namespace limber
