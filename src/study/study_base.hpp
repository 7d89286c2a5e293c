// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/model/prepared_beams.hpp"
#include "limber/study/study.hpp"
#include "run_measures.hpp"

namespace limber {

/// What a study reads once.
struct Study::Base {
  explicit Base(const StudyDescription& study) : measures(study) {}

  std::vector<SourceText> sources = {};  ///< of the scenario; or the model
  std::optional<SourceText> state = {};  ///< where there is one
  std::string model_file = {};           ///< as the scenario names it; empty: the model stands in it
  std::optional<Model> model = {};       ///< of the file as it is
  bool varies_model = false;             ///< whether a path leads into it
  PreparedBeams beams;                   ///< of variants whose models differ
  RunMeasures measures;                  ///< of the task `simulate`
};

inline constexpr std::string_view model_prefix = "model.";

/// The same path without `model.` in front.
inline std::string without_model(std::string_view path) {
  return std::string(path.starts_with(model_prefix) ? path.substr(model_prefix.size()) : path);
}

}  // namespace limber
