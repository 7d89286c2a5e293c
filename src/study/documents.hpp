// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tasks other than `simulate` find, as the JSON of the commands of the same name (of it, the numbers that can be measured), and numbers in it by path.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "limber/io/source_text.hpp"
#include "limber/io/state_file.hpp"
#include "limber/io/study_file.hpp"
#include "limber/model/model.hpp"
#include "limber/model/prepared_beams.hpp"

namespace limber {

/// What `task` finds, with the study's options for it. `state` is of this model. Other arms that are built on the way share beams in `kept`.
nlohmann::ordered_json task_document(StudyTask task, const StudyDescription& study, Model model,
                                     const State& state, PreparedBeams& kept);

/// What tasks find of one model, each of them computed once.
class TaskDocuments {
 public:
  /// `state`: the text of the study's, if there is one. All of it must live as long as this.
  TaskDocuments(const StudyDescription& study, const Model& model, const std::optional<SourceText>& state,
                PreparedBeams& kept)
      : study_(study), model_(model), state_(state), kept_(kept) {}
  const nlohmann::ordered_json& of(StudyTask task);

 private:
  const StudyDescription& study_;
  const Model& model_;
  const std::optional<SourceText>& state_;
  PreparedBeams& kept_;
  std::map<StudyTask, nlohmann::ordered_json> found_;
};

/// The number at `measure.of`, or what `measure.what` makes of the list there. A path has keys and indices, elements of lists by their `name`, too:
/// `links.boom.frequencies_hz.y[0]`. Throws InputError, with the closest name, where it leads nowhere.
double number_in(const nlohmann::ordered_json& document, const MeasureDescription& measure);

/// Over the elements of a list, or the rows of a run (settling_time needs `times`).
double reduced(MeasureKind what, const std::vector<double>& values, const std::vector<double>& times);

}  // namespace limber
