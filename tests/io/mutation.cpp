// SPDX-License-Identifier: BSD-3-Clause
// Valid files, broken in every way that fingers, editors and transfers break them: whatever comes out is
// either read or refused with an InputError. Nothing else may be thrown, crash, hang or be caught by a
// sanitizer.

#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/files.hpp"
#include "library_words.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

constexpr int shards = 4;
constexpr int mutations_per_shard = 6000;
constexpr double longest_time = 20.0;  // [s] of the processor for one text, sanitized; most take milliseconds

struct Source {
  std::string text;
  std::filesystem::path folder;
};

std::vector<Source> read_sources() {
  std::vector<Source> sources;
  std::vector<std::filesystem::path> files = test::valid_models();
  for (const auto& file : test::files_in(std::string(LIMBER_TESTS_DIR) + "/io/urdf", ".urdf"))
    files.push_back(file);
  files.emplace_back(std::string(LIMBER_MODELS_DIR) + "/ur10/ur10.yaml");
  for (const auto& file : files) sources.push_back({test::read_all(file), file.parent_path()});
  return sources;
}

constexpr std::string_view significant[] = {
    ":",    ": ", "-",      "- ",  "{",   "}", "[",     "]",     ",",  "#",     "&a ", "*a",
    "*two", "!",  "!!int ", "|\n", ">\n", "'", "\"",    "?",     "%",  "@",     "`",   "<<: ",
    "\t",   "\n", "\r",     " ",   "  ",  "~", "---\n", "...\n", "\\", "\\x00", "é",   "\xEF\xBB\xBF"};
constexpr std::string_view numbers[] = {".nan",   ".inf", "-.inf", "nan",   "1e400",
                                        "1e-400", "1e31", "1e-31", "1e300", "-1",
                                        "-0",     "0",    "1",     "100",   "101",
                                        "2.5",    "1e9",  "0x10",  "010",   "1_000",
                                        "1,5",    "auto", "true",  "\"1\"", "99999999999999999999",
                                        "1e-300", "-1e-9"};
constexpr std::string_view words[] = {
    "name", "links",  "beam",    "rigid",    "section",  "stations",     "shape",          "table",  "modes",
    "y",    "count",  "joint",   "type",     "free",     "fixed",        "universal",      "axes",   "base",
    "mass", "limber", "rpy_deg", "material", "tip_mass", "clamped-mass", "finite-element", "parent", "model"};

/// Breaks texts; the same seed always breaks them the same way.
class Mutator {
 public:
  Mutator(std::uint32_t seed, const std::vector<Source>& sources) : random_(seed), sources_(sources) {}

  Source next() {
    Source source = sources_[below(sources_.size())];
    const std::size_t changes = 1 + below(3);
    for (std::size_t i = 0; i < changes; ++i) change(source.text);
    return source;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }  // the same on every platform
  std::string_view any_of(const auto& list) { return list[below(std::size(list))]; }

  void change(std::string& text) {
    switch (below(12)) {
      case 0:
        return insert_character(text);
      case 1:
        return delete_some(text);
      case 2:
        return swap_two(text);
      case 3:
      case 4:
        return replace_token(text, "0123456789.eE+-", numbers);
      case 5:
      case 6:
        return replace_token(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-", words);
      case 7:
        return misspell(text);
      case 8:
        return change_line(text);
      case 9:
        return text.resize(below(text.size() + 1));
      case 10:
        return add_noise(text);
      default:
        return splice(text);
    }
  }

  void insert_character(std::string& text) { text.insert(below(text.size() + 1), any_of(significant)); }
  void delete_some(std::string& text) { text.erase(below(text.size() + 1), 1 + below(4)); }

  void swap_two(std::string& text) {
    if (text.size() < 2) return;
    const std::size_t at = below(text.size() - 1);
    std::swap(text[at], text[below(2) == 0 ? at + 1 : below(text.size())]);
  }

  /// Replaces one run of the given characters.
  void replace_token(std::string& text, std::string_view characters, const auto& replacements) {
    const std::size_t begin = text.find_first_of(characters, below(text.size() + 1));
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find_first_not_of(characters, begin), text.size());
    text.replace(begin, end - begin, any_of(replacements));
  }

  void misspell(std::string& text) {
    const std::size_t at = text.find_first_of("abcdefghijklmnopqrstuvwxyz", below(text.size() + 1));
    if (at != std::string::npos) text[at] = static_cast<char>('a' + below(26));
  }

  /// Doubles, removes, moves, indents or outdents a line.
  void change_line(std::string& text) {
    const std::size_t end = std::min(text.find('\n', below(text.size() + 1)), text.size());
    const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line = text.substr(begin, end - begin) + "\n";
    switch (below(5)) {
      case 0:
        text.insert(begin, line);
        break;
      case 1:
        text.erase(begin, line.size());
        break;
      case 2:
        text.erase(begin, line.size());
        text.insert(below(text.size() + 1), line);
        break;
      case 3:
        text.insert(begin, std::string(1 + below(4), ' '));
        break;
      default:
        text.erase(begin, std::min(1 + below(4), line.size()));
        break;
    }
  }

  void add_noise(std::string& text) {
    for (std::size_t i = 1 + below(4); i > 0 && !text.empty(); --i) {
      text[below(text.size())] = static_cast<char>(below(256));
    }
  }

  /// The beginning of one file and the end of another.
  void splice(std::string& text) {
    const std::string& other = sources_[below(sources_.size())].text;
    text = text.substr(0, below(text.size() + 1)) + other.substr(below(other.size() + 1));
  }

  std::mt19937 random_;
  const std::vector<Source>& sources_;
};

class Mutation : public testing::TestWithParam<int> {};

TEST_P(Mutation, IsReadOrRefused) {
  const std::vector<Source> sources = read_sources();
  ASSERT_FALSE(sources.empty());
  Mutator mutator(1000u + static_cast<std::uint32_t>(GetParam()), sources);
  int accepted = 0, refused = 0;
  for (int i = 0; i < mutations_per_shard; ++i) {
    const Source source = mutator.next();
    const std::clock_t start = std::clock();
    try {
      const auto description = parse_model_description(source.text, "mutation.yaml", source.folder);
      ++accepted;
      build_model(description);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_FALSE(error.problems().empty());
      EXPECT_NE(std::string(error.what()).find(": expected "), std::string::npos) << error.what();
      EXPECT_EQ(test::library_words(error.what()), "") << error.what();
    } catch (const std::exception& error) {
      FAIL() << "mutation " << i << " threw `" << error.what() << "` for\n" << source.text;
    }
    ASSERT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, longest_time) << source.text;
  }
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
  std::cout << accepted << " accepted, " << refused << " refused\n";
  EXPECT_GT(accepted, mutations_per_shard / 100);
  EXPECT_GT(refused, mutations_per_shard / 100);
}

INSTANTIATE_TEST_SUITE_P(Io, Mutation, testing::Range(0, shards));

}  // namespace
}  // namespace limber
