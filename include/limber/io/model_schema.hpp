// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Documentation of our files, generated from description_fields.hpp. The results are stored as
// docs/model.schema.json and docs/model-file-reference.md; a test holds them to what is generated.

#include <string>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// JSON Schema (draft 2020-12) for editors that complete and check YAML while it is typed. Rules that compare
/// values with each other are not in it; reading the file finds those.
std::string model_json_schema();

/// One table of keys per block.
std::string model_format_markdown();

///@{
/// The same for scenario files: docs/scenario.schema.json and docs/scenario-file-reference.md. Which keys a trajectory
/// or an actuation needs depends on its type, and is not in the schema.
std::string scenario_json_schema();
std::string scenario_format_markdown();
///@}

///@{
/// The same for study files: docs/study.schema.json and docs/study-file-reference.md.
std::string study_json_schema();
std::string study_format_markdown();
///@}

///@{
/// The same for plan files: docs/plan.schema.json and docs/plan-file-reference.md.
std::string plan_json_schema();
std::string plan_format_markdown();
///@}

///@{
/// The same for study files with `fit`: docs/fit.schema.json and docs/fit-file-reference.md.
std::string fit_json_schema();
std::string fit_format_markdown();
///@}

}  // namespace limber
