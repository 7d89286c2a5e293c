// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_writer.hpp"

#include <gtest/gtest.h>

#include <variant>

#include "io/files.hpp"
#include "limber/fe/body_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/description_fields.hpp"

namespace limber {
namespace {

/// Visitor: every number and word of a description, one after the other.
class Lister {
 public:
  std::vector<std::string> words;

  void block(const char* name, const char*) { words.emplace_back(name); }
  void version(const Field&) {}
  void exactly_one_of(const std::vector<Alternative>&) {}
  void at_most_one_of(const std::vector<Alternative>&) {}
  template <typename T>
  void field(const Field& field, const T& member) {
    words.emplace_back(field.key);
    list(member);
  }
  template <typename Variant>
  void variant(const Field&, const Variant& member) {
    words.emplace_back(type_name(member));
    std::visit([this](const auto& held) { describe(*this, held); }, member);
  }
  void shape(const Field&, ShapeFamily family, const std::optional<ModeTable>& table) {
    list(family);
    if (!table) return;
    for (const double x : table->x) list(x);
    for (const double value : table->values.reshaped()) list(value);
  }
  void place(const Field&, double at, const std::string& interface) {
    list(at);
    list(interface);
  }
  void body(const Field&, const std::string&, const std::shared_ptr<const ReducedBody>& reduced) {
    if (reduced) list(body_text(*reduced));
  }

 private:
  void list(double value) {
    std::ostringstream text;
    text << std::hexfloat << value;
    words.push_back(text.str());
  }
  void list(int value) { words.push_back(std::to_string(value)); }
  void list(bool value) { words.emplace_back(value ? "true" : "false"); }
  void list(const std::string& text) { words.push_back(text); }
  void list(const NumberOrAuto& number) {
    words.emplace_back(number.automatic ? "auto" : "");
    list(number.value);
  }
  template <Named Enum>
  void list(const Enum& value) {
    words.emplace_back(choice_name(value));
  }
  template <int Size>
  void list(const Eigen::Matrix<double, Size, 1>& numbers) {
    for (const double number : numbers) list(number);
  }
  template <typename T, std::size_t Size>
  void list(const std::array<T, Size>& all) {
    for (const T& one : all) list(one);
  }
  template <typename T>
  void list(const std::optional<T>& member) {
    words.emplace_back(member ? "given" : "none");
    if (member) list(*member);
  }
  template <typename T>
  void list(const std::vector<T>& all) {
    words.push_back(std::to_string(all.size()));
    for (const T& one : all) list(one);
  }
  template <typename Description>
  void list(const Description& description) {
    describe(*this, description);
  }
};

std::vector<std::string> words_of(const ModelDescription& description) {
  Lister lister;
  describe(lister, description);
  return lister.words;
}

class WrittenModel : public testing::TestWithParam<std::filesystem::path> {};
INSTANTIATE_TEST_SUITE_P(Files, WrittenModel, testing::ValuesIn(test::valid_models()),
                         [](const auto& file) { return test::name_of(file.param); });

TEST_P(WrittenModel, ReadsAsTheSameNumbers) {
  const ModelDescription description = read_model_description(GetParam());
  // As seen from the current folder, wherever the tests run.
  const std::string text = model_file_text(description, ".");
  EXPECT_EQ(words_of(parse_model_description(text, "again.yaml", ".")), words_of(description)) << text;
}

TEST(WrittenModel, LeavesOutWhatIsTheDefault) {
  const std::string text = "limber: 1\nname: arm\nlinks:\n  - name: boom\n    rigid: {mass: 2}\n";
  EXPECT_EQ(model_file_text(parse_model_description(text, "arm.yaml", {})), text);
}

TEST(WrittenModel, QuotesWhatYamlWouldTakeForSomethingElse) {
  ModelDescription description;
  description.name = "an \"arm\": yes";
  description.links.emplace_back();
  description.links.back().name = "no";
  description.links.back().rigid = RigidDescription{};
  description.links.back().rigid->mass = 0.1;
  description.links.back().joint.type = JointType::fixed;
  const ModelDescription again = parse_model_description(model_file_text(description), "arm.yaml", {});
  EXPECT_EQ(again.name, description.name);
  EXPECT_EQ(again.links.front().name, "no");
}

TEST(WrittenModel, NeedsAFileForABody) {
  const ModelDescription read = read_model_description(test::good_folder / "body.yaml");
  EXPECT_NE(model_file_text(read, test::good_folder).find("../../../examples/finite_elements/boom.h5"),
            std::string::npos);
  ModelDescription description = read;
  auto body = std::make_shared<ReducedBody>(*read.links[0].body->reduced);
  body->source.clear();
  description.links[0].body->reduced = body;
  EXPECT_THROW(model_file_text(description), InputError);
}

TEST(WrittenModel, NeedsAFileForATableOfShapes) {
  ModelDescription description;
  description.links.emplace_back();
  BeamDescription& beam = description.links.back().beam.emplace();
  beam.modes.y.emplace();
  beam.modes.y->shape = ShapeFamily::table;
  beam.modes.y->table = ModeTable{"", Eigen::VectorXd::LinSpaced(3, 0.0, 1.0), Eigen::MatrixXd::Random(3, 1)};
  EXPECT_THROW(model_file_text(description), InputError);
}

}  // namespace
}  // namespace limber
