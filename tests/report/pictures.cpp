// SPDX-License-Identifier: BSD-3-Clause
// Pictures of several results, of parts of a figure, and of the arm in motion.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "apps/run_program.hpp"
#include "limber/core/input_error.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/svg.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;
using test::contains;
using test::Outcome;

/// Two joints, one with a reference, over ten seconds; `offset` makes results differ.
Figure joint_figure(double offset, double reference = 1.0) {
  const VectorXd x = VectorXd::LinSpaced(50, 0.0, 10.0);
  return {.id = "joints",
          .title = "Joint positions",
          .x_label = "time [s]",
          .y_label = "[rad]",
          .x = x,
          .curves = {{"shoulder", x.array() + offset, "shoulder", false, true},
                     {"shoulder reference", VectorXd::Constant(50, reference), "shoulder", true, true},
                     {"elbow", offset - x.array(), "elbow", false, true}},
          .parts = FigureParts::joints};
}

/// Attributes of how a line is drawn.
std::string style_of(const std::string& path) {
  std::smatch found;
  const std::regex style(
      "stroke=\"[^\"]*\" stroke-width=\"[^\"]*\" stroke-linejoin=\"round\"( stroke-dasharray=\"[^\"]*\")?");
  return std::regex_search(path, found, style) ? found.str() : "";
}

/// Lines of a picture that hold a text.
std::vector<std::string> lines_with(const std::string& svg, const std::string& part) {
  std::vector<std::string> all;
  std::istringstream stream(svg);
  for (std::string line; std::getline(stream, line);)
    if (contains(line, part)) all.push_back(line);
  return all;
}

std::string attribute(const std::string& style, const std::string& name) {
  std::smatch found;
  return std::regex_search(style, found, std::regex(name + "=\"([^\"]*)\"")) ? found[1].str() : "";
}

TEST(PicturesOfSeveralResults, HaveOneColourAndOneDashPerResultInLegendAndCurves) {
  const std::string svg =
      figure_svg({joint_figure(0.0), joint_figure(1.0), joint_figure(2.0)}, {"one", "two", "three"});
  // Two panels; in each three curves, in the first the reference that all follow besides.
  const auto curves = lines_with(svg, "clip-path=\"url(");
  ASSERT_EQ(curves.size(), 7u);
  EXPECT_EQ(lines_with(svg, "<clipPath").size(), 2u);
  std::set<std::string> colors, dashes, styles;
  for (const std::string name : {"one", "two", "three"}) {
    const auto legend = lines_with(svg, ">" + name + "<");
    ASSERT_EQ(legend.size(), 1u) << name;
    const std::string style = style_of(legend.front());
    styles.insert(style);
    colors.insert(attribute(style, "stroke"));
    dashes.insert(attribute(style, "stroke-dasharray"));
    EXPECT_EQ(
        std::count_if(curves.begin(), curves.end(), [&](const auto& c) { return style_of(c) == style; }), 2)
        << name;
  }
  EXPECT_EQ(styles.size(), 3u);
  EXPECT_EQ(colors.size(), 3u);
  EXPECT_EQ(dashes.size(), 3u);
  EXPECT_EQ(lines_with(svg, ">reference<").size(), 1u);
  for (const char* quantity : {"shoulder", "elbow"})
    EXPECT_EQ(lines_with(svg, std::string(">") + quantity + "<").size(), 1u);
}

TEST(PicturesOfSeveralResults, DrawReferencesThatDiffer) {
  const std::string svg = figure_svg({joint_figure(0.0, 1.0), joint_figure(1.0, 2.0)}, {"one", "two"});
  EXPECT_EQ(lines_with(svg, "clip-path=\"url(").size(), 6u);
}

TEST(PicturesOfSeveralResults, GrowWithTheirPanelsAndFitAHeightThatIsAskedFor) {
  Figure many = joint_figure(0.0);
  for (int i = 0; i < 6; ++i) many.curves.push_back({"c" + std::to_string(i), many.x, "c"});
  const auto height = [](const std::string& svg) { return std::stoi(attribute(svg, " height")); };
  EXPECT_EQ(height(figure_svg({joint_figure(0.0)}, {"one"})), 420);
  EXPECT_GT(height(figure_svg({many, many}, {"one", "two"})), 8 * 100);
  SvgOptions options;
  options.height = 300;
  EXPECT_EQ(height(figure_svg({many, many}, {"one", "two"}, options)), 300);
  // One result with more curves than the legend had room for.
  for (int i = 0; i < 40; ++i) many.curves.push_back({"d" + std::to_string(i), many.x, "d"});
  EXPECT_GT(height(figure_svg({many}, {"one"})), 48 * 16);
}

/// An arm of two links, for the names alone.
ArmOutline named_arm() {
  return outline_of(scenario(R"(limber: 1
model:
  links:
    - {name: boom, joint: {name: shoulder, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}
    - {name: forearm, joint: {name: elbow, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}
duration: 1
)")
                        .model,
                    0);
}

TEST(PartsOfAFigure, AreCurvesByTheirNameByJointOrByLink) {
  const ArmOutline arm = named_arm();
  const auto names = [&](const std::vector<std::string>& wanted) {
    std::vector<std::string> all;
    for (const Curve& curve : only(joint_figure(0.0), wanted, arm).curves) all.push_back(curve.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({"elbow"}), (Names{"elbow"}));
  EXPECT_EQ(names({"shoulder"}), (Names{"shoulder", "shoulder reference"}));
  EXPECT_EQ(names({"boom"}), (Names{"shoulder", "shoulder reference"}));
  EXPECT_EQ(names({"forearm", "boom"}).size(), 3u);
  try {
    names({"elbwo"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "did you mean `elbow`?")) << error.what();
  }
}

TEST(PartsOfAFigure, MayBeInDegrees) {
  Figure figure = joint_figure(0.5);
  figure.y_label = "[rad or m]";
  figure.curves[2].is_angle = false;
  const Figure turned = in_degrees(figure);
  EXPECT_EQ(turned.y_label, "[deg or m]");
  EXPECT_NEAR(turned.curves[0].values[0], 28.64788975654116, 1e-12);
  EXPECT_NEAR(turned.curves[1].values[7], 57.29577951308232, 1e-12);
  EXPECT_EQ(turned.curves[2].values, figure.curves[2].values);
}

// ---- the program ----

/// A mast along z that carries a jib along x; the mast is much taller than the jib goes round.
constexpr const char* slewing = R"(limber: 1
model:
  name: tower
  gravity: [0, 0, 0]
  links:
    - {name: mast, joint: {name: slew, axis: [0, 0, 1]}, rigid: {mass: 10, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [0, 0, 20]}}}
    - name: jib
      joint: {name: luff, axis: [0, 1, 0]}
      beam: {length: 5, section: {EI_y: 1e6, EI_z: 1e6, mass_per_length: 5}, modes: {y: {count: 2}, z: {count: 2}}}
actuation:
  - {joint: slew, type: prescribed, target: {trajectory: turn}}
  - {joint: luff, type: prescribed, target: {value: 0}}
trajectories: {turn: {type: quintic, from: -0.35, to: 0.35, duration: 2}}
duration: 2
)";

class PlotCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    const auto file = folder_->write("slewing.yaml", slewing);
    const Outcome outcome =
        test::run("simulate " + file.string() + " -o " + path("tower.h5") + " --quiet", true);
    ASSERT_EQ(outcome.code, 0) << outcome.output;
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string path(const std::string& name) { return (folder_->path() / name).string(); }

  /// The picture, or what the program said instead.
  static std::string plotted(const std::string& options, int code = 0) {
    const Outcome outcome =
        test::run("plot " + path("tower.h5") + " --force -o " + path("x.svg") + " " + options, true);
    EXPECT_EQ(outcome.code, code) << outcome.output;
    if (code != 0) return outcome.output;
    std::ifstream stream(path("x.svg"));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::unique_ptr<TemporaryFolder> folder_;
};
std::unique_ptr<TemporaryFolder> PlotCommand::folder_;

TEST_F(PlotCommand, ShowsMotionInThePlaneInWhichItIsSeen) {
  // The arm extends most along z and x, but only from above is its slewing seen.
  const std::string svg = plotted("--what motion");
  EXPECT_TRUE(contains(svg, ">x [m]<") && contains(svg, ">y [m]<") && !contains(svg, ">z [m]<"));
}

TEST_F(PlotCommand, ShowsMotionInThePlaneThatIsAskedFor) {
  const std::string svg = plotted("--what motion --plane xz");
  EXPECT_TRUE(contains(svg, ">x [m]<") && contains(svg, ">z [m]<") && !contains(svg, ">y [m]<"));
  // The first axis lies: its name stands below, unturned.
  const std::string turned = plotted("--what motion --plane zy");
  EXPECT_EQ(lines_with(turned, ">z [m]<").size(), 1u);
  EXPECT_FALSE(contains(lines_with(turned, ">z [m]<").front(), "rotate"));
  for (const char* wrong : {"xx", "x", "xw", "xyz"})
    EXPECT_TRUE(contains(plotted("--what motion --plane " + std::string(wrong), 2),
                         "--plane: expected two of x, y and z"));
  EXPECT_TRUE(contains(plotted("--what joints --plane xy", 2), "--plane: expected --what motion"));
}

TEST_F(PlotCommand, ShowsOnlyWhatIsAskedFor) {
  const std::string svg = plotted("--what joints --only slew --degrees");
  EXPECT_EQ(lines_with(svg, "clip-path=\"url(").size(), 2u);
  EXPECT_TRUE(contains(svg, ">[deg]<"));
  EXPECT_EQ(lines_with(plotted("--what forces --only jib"), "clip-path=\"url(").size(), 3u);
  EXPECT_EQ(lines_with(plotted("--what forces --only mast --only 'luff fz'"), "clip-path=\"url(").size(), 4u);
  EXPECT_TRUE(contains(plotted("--what joints --only slwe", 2), "did you mean `slew`?"));
  EXPECT_TRUE(contains(plotted("--what motion --only slew", 2), "--only: expected a figure with curves"));
}

// One run has that sensor alone, the other has one of another unit beside it: both stand on one axis.
TEST_F(PlotCommand, LaysRunsOverEachOtherWhoseSensorsDiffer) {
  const std::string tip = "sensors: [{name: tip, type: point, link: jib, axis: [0, 1, 0]}",
                    turn = ", {name: turn, type: position, joint: slew}";
  for (const std::string name : {"one", "two"}) {
    const auto file =
        folder_->write(name + ".yaml", slewing + tip + (name == "two" ? turn : std::string()) + "]\n");
    ASSERT_EQ(test::run("simulate " + file.string() + " -o " + path(name + ".h5") + " --quiet", true).code,
              0);
  }
  const auto drawn = [&](const std::string& what) {
    const Outcome outcome = test::run("plot " + path("one.h5") + " " + path("two.h5") +
                                          " --what sensors --only " + what + " --force -o " + path("y.svg"),
                                      true);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    std::ifstream stream(path("y.svg"));
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  EXPECT_EQ(lines_with(drawn("tip"), "clip-path=\"url(").size(), 2u);
  EXPECT_EQ(lines_with(drawn("tip"), ">[m]<").size(), 1u);
  EXPECT_FALSE(contains(drawn("tip"), "in the unit of each"));
}

TEST_F(PlotCommand, SaysWhatWasMeant) {
  EXPECT_TRUE(contains(plotted("--what defection", 2), "found `defection` (did you mean `deflection`?)"));
}

}  // namespace
}  // namespace limber
