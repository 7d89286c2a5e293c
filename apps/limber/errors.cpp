// SPDX-License-Identifier: BSD-3-Clause
#include "errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "limber/core/computation_error.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/printable.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

constexpr std::size_t most_shown = 20;

// The line of the file at which a problem stands, with a mark below the column.
std::string source_lines(const LocatedProblem& located) {
  std::ifstream file(located.file);
  std::string line;
  for (int i = 0; i < located.mark.line && std::getline(file, line); ++i) {
  }
  constexpr std::size_t longest_line = 200;
  if (!file || located.mark.line < 1 || line.size() > longest_line) return "";
  const std::string number = fmt::format("{:>6}", located.mark.line);
  const std::string space(static_cast<std::size_t>(located.mark.column > 0 ? located.mark.column - 1 : 0),
                          ' ');
  return styled(Style::dim, fmt::format("{} | {}\n{:>6} | {}^", number, printable(line), "", space), true) +
         "\n";
}

void print_located(const FileError& error) {
  const auto& problems = error.located();
  for (std::size_t i = 0; i < problems.size() && i < most_shown; ++i)
    print_error_text(fmt::format("{} {}\n{}", styled(Style::bad, "error:", true),
                                 printable(problems[i].message()), source_lines(problems[i])));
  if (problems.size() > most_shown)
    print_error_text(fmt::format("... and {} more\n", problems.size() - most_shown));
}

nlohmann::ordered_json as_json(const Problem& problem) {
  return {{"path", problem.path},
          {"expected", problem.expected},
          {"found", problem.found},
          {"hint", problem.hint},
          {"message", InputError(problem).what()}};
}

nlohmann::ordered_json as_json(const LocatedProblem& located) {
  nlohmann::ordered_json entry = {
      {"file", located.file}, {"line", located.mark.line}, {"column", located.mark.column}};
  entry.update(as_json(located.problem));
  entry["message"] = located.message();
  return entry;
}

}  // namespace

// What the C++ library says about itself helps nobody who uses a program.
std::string message_of(const std::exception& error) {
  if (dynamic_cast<const InputError*>(&error) || dynamic_cast<const ComputationError*>(&error))
    return error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error))
    return "there is not enough memory for this: take fewer links, shapes, rows or points";
  if (const auto* in_files = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return fmt::format("{}: {}", in_files->path1().string(), in_files->code().message());
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) return system->code().message();
  return "limber has come to something that its authors did not think of. Please tell them, with the command "
         "and the files that it reads";
}

nlohmann::ordered_json error_entries(const std::exception& error) {
  auto entries = nlohmann::ordered_json::array();
  if (const auto* in_file = dynamic_cast<const FileError*>(&error))
    for (const LocatedProblem& problem : in_file->located()) entries.push_back(as_json(problem));
  else if (const auto* input = dynamic_cast<const InputError*>(&error))
    for (const Problem& problem : input->problems()) entries.push_back(as_json(problem));
  else
    entries.push_back({{"message", message_of(error)}});
  return entries;
}

void print_error(const std::exception& error) {
  if (const auto* in_file = dynamic_cast<const FileError*>(&error))
    print_located(*in_file);
  else
    print_error_text(
        fmt::format("{} {}\n", styled(Style::bad, "error:", true), printable(message_of(error))));
}

int exit_code_of(const std::exception& error) {
  return dynamic_cast<const InputError*>(&error) ? exit_input_error : exit_failed;
}

void report_usage_error(const std::string& message, const std::string& hint, const Common& common) {
  if (common.json) {
    auto entries = nlohmann::ordered_json::array();
    entries.push_back({{"message", message}, {"hint", hint}});
    print_json({{"errors", entries}});
  }
  if (!common.json || !common.quiet)
    print_error_text(fmt::format("{} {}\n{}", styled(Style::bad, "error:", true), printable(message),
                                 hint.empty() ? "" : hint + "\n"));
}

int report_error(const std::exception& error, const Common& common) {
  if (common.json) print_json({{"errors", error_entries(error)}});
  if (!common.json || !common.quiet) print_error(error);
  return exit_code_of(error);
}

}  // namespace limber::app
