#pragma once

// Documentation of the model file, generated from description_fields.hpp. The results are stored as
// docs/model.schema.json and docs/model-file-reference.md; a test holds them to what is generated.

#include <string>

namespace limber {

/// JSON Schema (draft 2020-12) for editors that complete and check YAML while it is typed. Rules that compare
/// values with each other are not in it; reading the file finds those.
std::string model_json_schema();

/// One table of keys per block.
std::string model_format_markdown();

}  // namespace limber
