// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_schema.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "io/files.hpp"

namespace limber {
namespace {

const std::filesystem::path docs = std::string(LIMBER_TESTS_DIR) + "/../docs";

/// Compares a stored document with what is generated; with LIMBER_UPDATE_DOCS set, writes it first.
void expect_stored(const std::string& name, const std::string& generated) {
  if (std::getenv("LIMBER_UPDATE_DOCS")) std::ofstream(docs / name, std::ios::binary) << generated;
  EXPECT_EQ(test::read_all(docs / name), generated)
      << "docs/" << name << " is out of date: run this test with LIMBER_UPDATE_DOCS=1";
}

std::string all_good_files() {
  std::string text;
  for (const auto& file : test::files_in(test::good_folder)) text += test::read_all(file);
  return text;
}

/// Whether `word` stands in `text` by itself.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '-');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (!is_part(at - 1) && !is_part(at + word.size())) return true;
  }
  return false;
}

TEST(ModelSchema, IsStoredInDocs) { expect_stored("model.schema.json", model_json_schema()); }
TEST(ModelSchema, TablesAreStoredInDocs) {
  expect_stored("model-file-reference.md", model_format_markdown());
}

TEST(ModelSchema, HasRangesInTheUnitOfTheKey) {
  const auto curve = nlohmann::json::parse(model_json_schema())["$defs"]["curve"]["properties"];
  EXPECT_NEAR(curve["angle"]["maximum"].get<double>(), 6.2832, 1e-4);
  EXPECT_EQ(curve["angle_deg"]["minimum"], -360);
  EXPECT_EQ(curve["angle_deg"]["maximum"], 360);
}

TEST(ScenarioSchema, IsStoredInDocs) { expect_stored("scenario.schema.json", scenario_json_schema()); }
TEST(ScenarioSchema, TablesAreStoredInDocs) {
  expect_stored("scenario-file-reference.md", scenario_format_markdown());
}

TEST(StudySchema, IsStoredInDocs) { expect_stored("study.schema.json", study_json_schema()); }
TEST(StudySchema, TablesAreStoredInDocs) {
  expect_stored("study-file-reference.md", study_format_markdown());
}

TEST(PlanSchema, IsStoredInDocs) { expect_stored("plan.schema.json", plan_json_schema()); }
TEST(PlanSchema, TablesAreStoredInDocs) { expect_stored("plan-file-reference.md", plan_format_markdown()); }

TEST(FitSchema, IsStoredInDocs) { expect_stored("fit.schema.json", fit_json_schema()); }
TEST(FitSchema, TablesAreStoredInDocs) { expect_stored("fit-file-reference.md", fit_format_markdown()); }

class Schema : public testing::TestWithParam<std::string> {};
std::string file_kind(const testing::TestParamInfo<std::string>& each) {
  const char* const kinds[] = {"model", "scenario", "study", "plan", "fit"};
  return kinds[each.index];
}
INSTANTIATE_TEST_SUITE_P(Files, Schema,
                         testing::Values(model_json_schema(), scenario_json_schema(), study_json_schema(),
                                         plan_json_schema(), fit_json_schema()),
                         file_kind);

/// Every block of keys with its name; where the keys depend on the type, one block for each type.
std::vector<std::pair<std::string, nlohmann::json>> blocks_of(const nlohmann::json& schema) {
  std::vector<std::pair<std::string, nlohmann::json>> blocks;
  for (const auto& [name, block] : schema.at("$defs").items()) {
    if (!block.contains("oneOf")) {
      blocks.emplace_back(name, block);
      continue;
    }
    for (const auto& type : block.at("oneOf")) blocks.emplace_back(name, type);
  }
  return blocks;
}

TEST_P(Schema, RefusesUnknownKeysAndDescribesEveryKey) {
  const auto schema = nlohmann::json::parse(GetParam());
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  for (const auto& [name, block] : blocks_of(schema)) {
    EXPECT_EQ(block.value("additionalProperties", true), false) << name;
    for (const auto& [key, value] : block.at("properties").items())
      EXPECT_FALSE(value.value("description", "").empty()) << name << "." << key;
  }
}

TEST_P(Schema, EveryReferenceExists) {
  const auto schema = nlohmann::json::parse(GetParam());
  const std::string text = schema.dump();
  const std::string start = "\"#/$defs/";
  int references = 0;
  for (std::size_t at = text.find(start); at != std::string::npos;
       at = text.find(start, at + 1), ++references) {
    const std::size_t begin = at + start.size();
    EXPECT_TRUE(schema.at("$defs").contains(text.substr(begin, text.find('"', begin) - begin)));
  }
  EXPECT_GE(references, 5);
}

// The reader's own tests would be worth little if a key were in none of their files.
TEST(GoodFiles, UseEveryKeyAndEveryChoice) {
  const std::string files = all_good_files();
  const auto choices_of = [](const nlohmann::json& value) -> nlohmann::json {
    if (value.contains("enum")) return value.at("enum");
    if (value.contains("anyOf")) return value.at("anyOf").at(0).value("enum", nlohmann::json::array());
    return nlohmann::json::array();
  };
  for (const auto& [name, block] : blocks_of(nlohmann::json::parse(model_json_schema()))) {
    for (const auto& [key, value] : block.at("properties").items()) {
      EXPECT_TRUE(has_word(files, key)) << name << "." << key;
      for (const std::string choice : choices_of(value))
        EXPECT_TRUE(has_word(files, choice)) << name << "." << key << ": " << choice;
    }
  }
}

}  // namespace
}  // namespace limber
