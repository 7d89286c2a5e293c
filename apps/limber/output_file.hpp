// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where a command writes what it was asked for. Nothing that is read is ever written over, nor anything but regular
// files; what exists is replaced where --force says so, and then only what looks like a file of ours.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/io/source_text.hpp"

namespace limber::app {

/// What -o says, or the input's name with another ending, in the current folder.
std::string output_name(const std::string& option, const std::string& input, const std::string& ending);

/// A file that a command was asked to write.
struct Output {
  std::string option;  ///< "-o"
  std::string file;
  std::vector<std::string> endings;          ///< names of such files end so: ".csv"
  std::string hint = "--force replaces it";  ///< where there is one already
};

using InputFiles = std::vector<std::filesystem::path>;

/// The files that a model or a scenario is read from, tables included.
InputFiles files_of_model(const std::string& model, const std::string& state);
InputFiles files_of_scenario(const std::string& scenario, const std::vector<SourceText>& sources);

/// Throws InputError where nothing can be written, before any work is done: a missing or read-only folder, a directory,
/// a device, one of `inputs`.
void refuse_wrong_place(const Output& output, const InputFiles& inputs);
/// Where the file exists and `force` is not given, or it does not look like one of ours.
void refuse_existing(const Output& output, bool force);

/// Where `output` names what another option has named already, be it there or not.
void require_two_files(const Output& output, const Output& other);

/// Of these the first two.
void check_output(const Output& output, const InputFiles& inputs, bool force);

}  // namespace limber::app
