// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests every field of a description by itself: numbers against their ranges, texts, keys that exclude each other.

#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/description_fields.hpp"

namespace limber LIMBER_EXPORT {

/// `links[3]`
inline std::string indexed(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

/// The visitor of description_fields.hpp that tests every field by itself.
class FieldChecker {
 public:
  FieldChecker(std::string path, std::vector<Problem>& problems)
      : path_(std::move(path)), problems_(problems) {}

  void block(const char*, const char*) {}
  void version(const Field&) {}
  /// A model inside another block is checked by itself.
  void model(const Field&, const auto&, const auto&) {}

  template <typename T>
  void field(const Field& field, const T& member) {
    if (is_given(member)) present_keys_.emplace_back(field.key);
    test(field, join_path(path_, field.key), member);
  }

  void shape(const Field& field, ShapeFamily family, const std::optional<ModeTable>&) {
    test(field, join_path(path_, field.key), family);
  }

  void place(const Field& field, double at, const std::string& interface) {
    const std::string path = join_path(path_, field.key);
    if (interface.empty())
      test(field, path, at);
    else if (!obeys(TextRule::name, interface))
      problems_.push_back(
          {path, "a number from 0 to 1, or the name of an interface", show_text(interface), ""});
  }

  void body(const Field& field, const std::string& file, const std::shared_ptr<const ReducedBody>& reduced) {
    if (!reduced)
      problems_.push_back({join_path(path_, field.key), "a reduced body",
                           file.empty() ? "none" : show_text(file) + ", not read",
                           "`limber reduce` writes such a file"});
  }

  template <typename Variant>
  void variant(const Field&, const Variant& member) {
    std::visit([this](const auto& held) { describe(*this, held); }, member);
  }

  void exactly_one_of(const std::vector<Alternative>& alternatives) { test(alternatives, true); }
  void at_most_one_of(const std::vector<Alternative>& alternatives) { test(alternatives, false); }

 private:
  template <typename T>
  static bool is_given(const T&) {
    return true;
  }
  template <typename T>
  static bool is_given(const std::optional<T>& member) {
    return member.has_value();
  }
  template <typename T>
  static bool is_given(const std::vector<T>& member) {
    return !member.empty();
  }

  void test(const Field& field, const std::string& path, double value) {
    test_number(field, path, value, expected_number(field.range, field.unit));
  }
  void test(const Field& field, const std::string& path, int value) {
    test_number(field, path, value, expected_number(field.range, field.unit, true));
  }
  void test(const Field& field, const std::string& path, const NumberOrAuto& member) {
    const std::string expected = or_auto(expected_number(field.range, field.unit));
    if (!member.automatic) test_number(field, path, member.value, expected);
  }

  void test(const Field&, const std::string&, bool) {}

  void test(const Field& field, const std::string& path, const std::string& text) {
    // An empty text is how a description says that the key is absent.
    if ((!text.empty() || field.required) && !obeys(field.text, text)) {
      problems_.push_back({path, expected_text(field.text), show_text(text), ""});
    }
  }

  template <Named Enum>
  void test(const Field&, const std::string& path, const Enum& value) {
    if (choice_name(value)) return;
    problems_.push_back(
        {path, expected_choice(choice_names<Enum>()), std::to_string(static_cast<int>(value)), ""});
  }

  template <int Size>
  void test(const Field& field, const std::string& path, const Eigen::Matrix<double, Size, 1>& list) {
    for (Eigen::Index i = 0; i < Size; ++i) test(field, indexed(path, static_cast<std::size_t>(i)), list[i]);
  }

  template <typename T, std::size_t Size>
  void test(const Field& field, const std::string& path, const std::array<T, Size>& list) {
    for (std::size_t i = 0; i < Size; ++i) test(field, indexed(path, i), list[i]);
  }

  template <typename T>
  void test(const Field& field, const std::string& path, const std::optional<T>& member) {
    if (member) test(field, path, *member);
  }

  template <typename T>
  void test(const Field& field, const std::string& path, const std::vector<T>& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) test(field, indexed(path, i), blocks[i]);
  }

  /// Values by name.
  template <typename T>
  void test(const Field& field, const std::string& path,
            const std::vector<std::pair<std::string, T>>& values) {
    for (const auto& [name, value] : values) test(field, join_path(path, name), value);
  }

  template <typename Description>
  void test(const Field&, const std::string& path, const Description& description) {
    FieldChecker checker(path, problems_);
    describe(checker, description);
  }

  void test(const std::vector<Alternative>& alternatives, bool needed) {
    if (auto problem = alternatives_problem(alternatives, needed, present_keys_)) {
      problem->path = join_path(path_, problem->path);
      problems_.push_back(std::move(*problem));
    }
  }

  void test_number(const Field& field, const std::string& path, double value, const std::string& expected) {
    if (const auto hint = why_refused(field.range, value)) {
      problems_.push_back({path, expected, show_number(value), *hint});
    }
  }

  std::string path_;
  std::vector<Problem>& problems_;
  std::vector<std::string> present_keys_;
};

}  // namespace limber
