// SPDX-License-Identifier: BSD-3-Clause
#include "output_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/whole_file.hpp"

namespace limber::app {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

/// What a name stands for that is no regular file; empty for one, and where there is nothing.
std::string other_kind(const fs::path& file) {
  std::error_code failed;
  switch (fs::symlink_status(file, failed).type()) {
    case fs::file_type::regular:
    case fs::file_type::not_found:
      return "";
    case fs::file_type::directory:
      return "a directory";
    case fs::file_type::symlink:
      return "a symbolic link";
    case fs::file_type::none:
      return failed.message();
    default:
      return "a device or pipe";
  }
}

bool is_one_of_ours(const Output& output) {
  std::error_code ignored;
  const fs::path file = output.file;
  if (fs::file_size(file, ignored) == 0) return true;
  const auto& endings = output.endings;
  if (std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end()) return true;
  std::array<char, 32> first = {};  // longer than any of the beginnings
  std::ifstream(file, std::ios::binary).read(first.data(), first.size() - 1);
  const std::string_view text(first.data(), first.size());
  constexpr std::string_view beginnings[] = {"\x89HDF\r\n\x1a\n", "time,",         "frequency_hz", "<svg",
                                             "<!doctype html",    "<!DOCTYPE html"};
  return std::any_of(std::begin(beginnings), std::end(beginnings), [&](std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
  });
}

}  // namespace

std::string output_name(const std::string& option, const std::string& input, const std::string& ending) {
  return option.empty() ? fs::path(input).stem().string() + ending : option;
}

InputFiles files_of_model(const std::string& model, const std::string& state) {
  InputFiles files = {model, state};
  ModelNotes notes;
  const ModelDescription description = read_model_description(model, {}, notes);
  files.insert(files.end(), notes.files.begin(), notes.files.end());
  for (const LinkDescription& link : description.links) {
    if (link.body && link.body->reduced) files.emplace_back(link.body->reduced->source);
    if (!link.beam) continue;
    const auto& modes = link.beam->modes;
    for (const auto* direction : {&modes.y, &modes.z, &modes.torsion, &modes.axial})
      if (*direction && (*direction)->table) files.emplace_back((*direction)->table->source);
  }
  return files;
}

InputFiles files_of_scenario(const std::string& scenario, const std::vector<SourceText>& sources) {
  InputFiles files = {scenario};
  for (const SourceText& source : sources) files.push_back(source.file);
  return files;
}

void refuse_wrong_place(const Output& output, const InputFiles& inputs) {
  const fs::path file = output.file, folder = folder_of(file);
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    throw InputError(
        Problem{output.option, "a file in a folder that exists", output.file, "make the folder"});
  if (const std::string kind = other_kind(file); !kind.empty())
    throw InputError(
        Problem{output.option, "the name of a file", "`" + output.file + "`, " + kind,
                fs::is_directory(file, failed) ? "name a file in it" : "only files are replaced"});
  for (const fs::path& input : inputs)
    if (!input.empty() && fs::equivalent(file, input, failed))
      throw InputError(Problem{output.option, "a file that is not read",
                               "`" + output.file + "`, which is an input",
                               "inputs are never written over, with --force neither"});
  const WholeFile attempt(file);  // read-only folders, and those that only look like folders
}

void refuse_existing(const Output& output, bool force) {
  std::error_code failed;
  if (!fs::exists(output.file, failed)) return;
  if (!force)
    throw InputError(
        Problem{output.option, "a file that does not exist yet", "`" + output.file + "`", output.hint});
  if (!is_one_of_ours(output))
    throw InputError(Problem{
        output.option, "a file that limber has written, or a name that ends in " + output.endings.front(),
        "`" + output.file + "`, which is something else",
        "--force replaces results, tables, pages and pictures only"});
}

void require_two_files(const Output& output, const Output& other) {
  std::error_code failed;
  const auto place = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, failed), failed);
  };
  if (place(output.file) == place(other.file) || fs::equivalent(output.file, other.file, failed))
    throw InputError(
        Problem{output.option, "another file than " + other.option, "`" + output.file + "`", ""});
}

void check_output(const Output& output, const InputFiles& inputs, bool force) {
  refuse_wrong_place(output, inputs);
  refuse_existing(output, force);
}

}  // namespace limber::app
