// SPDX-License-Identifier: BSD-3-Clause
// Reports: figures are what the result holds, pages carry it safely, and what is no result is refused with a reason.
// How pages look and behave is tested in a browser (viewer/tests).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "apps/run_program.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/page.hpp"
#include "limber/report/svg.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A beam that was let go out of its first locked mode's direction, joint held stiffly: it rings.
constexpr const char* ringing = R"(limber: 1
model:
  name: ringing
  gravity: [0, 0, 0]
  links:
    - name: beam
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam:
        length: 2
        section: {EI_y: 50, EI_z: 80, GJ: 30, mass_per_length: 1.5, rotary_inertia: [0.002, 0.001, 0.001]}
        modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}
initial: {q: {beam.y1: 0.03}}
actuation: [{joint: hub, type: prescribed, target: {value: 0.25}}]
integrator: {method: radau, rtol: 1e-8}
duration: 20
output: {rate: 100}
)";

class Report : public testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }

  /// Runs a scenario into a result.
  std::string result(const ScenarioFile& file, const std::string& name = "result.h5") {
    Scenario built = build_scenario(file.description, file.model);
    ResultWriter writer(path(name), built, {"limber test", file.sources});
    const RunSummary summary = simulate(built, &writer);
    writer.set_frequencies(end_frequencies(built, summary.q));
    writer.finish(summary.last, "complete");
    return path(name);
  }
  RunRecord record_of(const ScenarioFile& file) { return read_run(result(file)); }

  TemporaryFolder folder_;
};

const Curve& curve(const Figure& figure, const std::string& name) {
  for (const Curve& one : figure.curves)
    if (one.name == name) return one;
  throw std::runtime_error("no curve " + name);
}

using test::Outcome;

Outcome program(const std::string& arguments) { return test::run(arguments, true); }

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// ---- records ----

TEST_F(Report, IsMadeOfTheResultAlone) {
  // The scenario names a model and a table beside it; both are gone when the report is made.
  const fs::path scenario_path = folder_.write("scenario.yaml", R"(limber: 1
model: sub/arm.yaml
actuation: [{joint: all, type: pd, kp: 1e3, kd: 1e2, target: {trajectory: ref}}]
trajectories: {ref: {type: table, file: ref.csv}}
duration: 0.5
)");
  fs::create_directory(folder_.path() / "sub");
  std::ifstream model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml");
  std::ostringstream text;
  text << model.rdbuf();
  folder_.write("sub/arm.yaml", text.str());
  folder_.write("ref.csv", "0,0\n0.2,0.1\n0.4,0.1\n0.5,0.2\n");
  const std::string file = result(read_scenario(scenario_path));
  fs::remove_all(folder_.path() / "sub");
  fs::remove(folder_.path() / "ref.csv");
  fs::remove(scenario_path);

  const RunRecord record = read_run(file);
  EXPECT_EQ(record.arm().name, "canadarm");
  EXPECT_EQ(record.table.values.rows(), 51);
  EXPECT_EQ(record.run.info.method_text(), record.run.info.method + " (auto)");
  EXPECT_FALSE(record.run.info.method.empty());
  const Figure joints = figure(record, "joints");
  EXPECT_NEAR(curve(joints, "joint2 reference").values[20], 0.1, 1e-12);
  EXPECT_NEAR(curve(joints, "joint2 reference").values[50], 0.2, 1e-12);
}

// Whatever stands in the texts that a result carries: they are shown, and never built. An arm that settles, with an LQR, would take
// a Riccati equation and an equilibrium.
TEST_F(Report, BuildsNothing) {
  ScenarioFile file = scenario(R"(limber: 1
model: lin_lewis_one_link/lin_lewis_one_link.yaml
initial: {settle: true}
actuation: [{joint: all, type: lqr, target: {value: 0.1}}]
duration: 0.5
)");
  const RunRecord sound = record_of(file);
  file.sources = {{"scenario.yaml", "limber: 99\nmodel: [nothing of this kind"}};
  const std::string broken_file = result(file, "broken.h5");
  const RunRecord broken = read_run(broken_file);
  EXPECT_EQ(broken.run.info.method_text(), sound.run.info.method_text());
  const std::vector<Figure> all = figures(sound), same = figures(broken);
  ASSERT_EQ(all.size(), same.size());
  ASSERT_GE(all.size(), 8u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].curves.size(), same[i].curves.size()) << all[i].id;
    EXPECT_EQ(all[i].marks.size(), same[i].marks.size());
    for (std::size_t c = 0; c < all[i].curves.size(); ++c)
      EXPECT_EQ(all[i].curves[c].values, same[i].curves[c].values) << all[i].id;
  }
  EXPECT_EQ(motion_svg(sound), motion_svg(broken));
  EXPECT_EQ(program("plot --what deviation " + broken_file + " -o " + path("x.svg")).code, 0);
#if LIMBER_WITH_VIEWER
  EXPECT_EQ(program("report " + broken_file + " -o " + path("x.html")).code, 0);
#endif
}

TEST_F(Report, ReadsEveryStridethRowOfWhatIsTooLong) {
  const std::string file = result(shipped("canadarm/manoeuvre.yaml"));
  const RunRecord all = read_run(file), some = read_run(file, 10'000.0);
  ASSERT_GT(some.stride, 2);
  ASSERT_EQ(some.table.values.rows(), (1001 + some.stride - 1) / some.stride);
  for (Eigen::Index row = 0; row < some.table.values.rows(); ++row)
    EXPECT_EQ(some.table.values.row(row), all.table.values.row(row * some.stride));
}

TEST_F(Report, WarnsOfWhatIsWrongWithARun) {
  std::string text = ringing;
  text.replace(text.find("beam.y1: 0.03"), 13, "beam.y1: 0.40");
  text.replace(text.find("{method: radau, rtol: 1e-8}"), 27, "{method: euler, step: 1e-4}");
  text.replace(text.find("duration: 20"), 12, "duration: 0.2");
  const auto warnings = record_of(scenario(text)).warnings();
  std::string all;
  for (const std::string& warning : warnings) all += warning + "\n";
  EXPECT_NE(all.find("beyond 10 % or 15 deg"), std::string::npos) << all;
  EXPECT_NE(all.find("energy ledger is off"), std::string::npos) << all;
  EXPECT_TRUE(record_of(scenario(ringing)).warnings().empty());
}

// ---- figures ----

TEST_F(Report, FiguresHoldWhatTheRunProduced) {
  const ScenarioFile file = shipped("crane/manoeuvre.yaml");
  const RunRecord record = record_of(file);
  const TestRun run_again = run(file);
  const Model& model = file.model;
  for (const std::size_t row : {0u, 300u, 600u}) {
    const Sample& sample = run_again.rows[row];
    const auto r = static_cast<Eigen::Index>(row);
    const auto at = [&](const char* id, const char* name) {
      return curve(figure(record, id), name).values[r];
    };
    EXPECT_EQ(at("joints", "joint3"), sample.q[model.links()[2].joint.q_index]);
    EXPECT_EQ(at("rates", "joint2"), sample.v[model.links()[1].joint.v_index]);
    EXPECT_EQ(at("efforts", "joint1"), sample.efforts[0]);
    EXPECT_EQ(at("forces", "joint2 fz"), sample.wrenches[1].force.z());
    EXPECT_EQ(at("moments", "joint4 mx"), sample.wrenches[3].moment.x());
    EXPECT_EQ(at("end-effector", "z"), sample.end_effector_position.z());
    EXPECT_EQ(at("energy", "strain"), sample.ledger.strain);
    EXPECT_EQ(at("energy", "gravity, change"), sample.ledger.gravity - run_again.rows[0].ledger.gravity);
    EXPECT_EQ(at("energy-error", "error"), sample.ledger.error);
    // The deflection is that of the link's tip node, seen in its root frame.
    const Link& link = model.links()[1];
    const Eigen::VectorXd eta = sample.q.segment(link.elastic_q_index, link.elastic_count);
    const Eigen::Vector3d local = link.nodes[0].field.position<double>(eta);
    EXPECT_NEAR(at("deflection", "link2 y"), 1e3 * local.y(), 1e-9);
    EXPECT_NEAR(at("deflection", "link2 z"), 1e3 * local.z(), 1e-9);
    EXPECT_NEAR(at("torsion", "link2"),
                link.nodes[0].field.rotation_vector<double>(eta).x() * 180.0 / std::numbers::pi, 1e-12);
  }
  EXPECT_EQ(
      figures(record).size() + 13,
      figure_names()
          .size());  // no sensors, no friction, no cylinders, no loops, no section forces and stress, and nothing measured
}

TEST_F(Report, ErrorOfTheEndEffectorIsMeasuredFromWhereItShouldBe) {
  // One straight beam of 2 m about z: the tip should be at 2 (cos 0.25, sin 0.25).
  const RunRecord record = record_of(scenario(ringing));
  const Figure figure_of_error = figure(record, "error");
  const Eigen::Vector3d wanted(2.0 * std::cos(0.25), 2.0 * std::sin(0.25), 0.0);
  for (const Eigen::Index row : {0L, 777L, 2000L}) {
    const Eigen::Vector3d tip(record.column("end_effector/position", "x")[row],
                              record.column("end_effector/position", "y")[row],
                              record.column("end_effector/position", "z")[row]);
    EXPECT_NEAR(curve(figure_of_error, "from the reference").values[row], 1e3 * (tip - wanted).norm(), 1e-9);
    // The joint is where it should be: bending is all there is.
    EXPECT_NEAR(curve(figure_of_error, "by bending alone").values[row], 1e3 * (tip - wanted).norm(), 1e-6);
  }
  EXPECT_GT(curve(figure_of_error, "from the reference").values[0], 29.0);
}

TEST_F(Report, SpectrumPeaksAtTheNaturalFrequencyWithTheAmplitudeOfTheVibration) {
  const RunRecord record = record_of(scenario(ringing));
  const Figure spectrum = figure(record, "spectrum");
  const Curve& y = curve(spectrum, "beam y");
  Eigen::Index highest = 0;
  const double amplitude = y.values.maxCoeff(&highest);
  ASSERT_FALSE(spectrum.marks.empty());
  // "held 1" is bending along z here, the softer way; the beam rings along y.
  const double first_y = std::sqrt(80.0 / 50.0) * spectrum.marks[0].x;
  EXPECT_EQ(spectrum.marks[0].name, "held 1");
  EXPECT_NEAR(spectrum.x[highest], first_y, 0.05 * first_y);
  // The same amplitude by a plain sum over whole periods.
  const Curve deflection = curve(figure(record, "deflection"), "beam y");
  const Eigen::VectorXd time = record.time();
  const double f = spectrum.x[highest];
  const auto rows = static_cast<Eigen::Index>(std::floor(20.0 * f) / f * 100.0);
  double cosine = 0.0, sine = 0.0;
  for (Eigen::Index i = 0; i < rows; ++i) {
    cosine += deflection.values[i] * std::cos(2.0 * std::numbers::pi * f * time[i]);
    sine += deflection.values[i] * std::sin(2.0 * std::numbers::pi * f * time[i]);
  }
  const double expected = 2.0 * std::hypot(cosine, sine) / double(rows);
  EXPECT_NEAR(amplitude, expected, 0.03 * expected);
  EXPECT_LT(curve(spectrum, "beam z").values.maxCoeff(), 1e-9);
}

// A gear that gives way, with the beam behind it: it swings at its own frequency, which `modes` calls "held 1".
TEST_F(Report, SpectrumMarksWhatPassiveJointsDo) {
  std::string text = ringing;
  const std::string joint = "{name: hub, type: revolute, axis: [0, 0, 1]}";
  text.replace(text.find(joint), joint.size(),
               "{name: hub, type: revolute, axis: [0, 0, 1], stiffness: 100, damping: 0.01}");
  const std::string held = "actuation: [{joint: hub, type: prescribed, target: {value: 0.25}}]\n";
  text.erase(text.find(held), held.size());
  const ScenarioFile file = scenario(text);
  const RunRecord record = record_of(file);
  const Figure spectrum = figure(record, "spectrum");
  const Eigen::VectorXd q = record.configuration(record.table.values.rows() - 1);
  const auto hertz = [&](JointTreatment joints) {
    return natural_modes(file.model, q, joints, 1).angular_frequencies[0] / (2.0 * std::numbers::pi);
  };
  const auto mark = [&](const std::string& name) {
    for (const AxisMark& one : spectrum.marks)
      if (one.name == name) return one.x;
    ADD_FAILURE() << "no mark " << name;
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(mark("held 1"), hertz(JointTreatment::held));
  EXPECT_DOUBLE_EQ(mark("as-modelled 1"), hertz(JointTreatment::as_modelled));
  EXPECT_LT(mark("held 1"), 0.9 * hertz(JointTreatment::locked));
  // The beam's y rings there.
  const Curve& y = curve(spectrum, "beam y");
  Eigen::Index highest = 0;
  y.values.maxCoeff(&highest);
  EXPECT_NEAR(spectrum.x[highest], mark("held 1"), 0.05 * mark("held 1"));
}

TEST_F(Report, LeavesOutFiguresWithoutCurves) {
  const RunRecord record = record_of(shipped("canadarm/manoeuvre.yaml"));
  for (const Figure& one : figures(record)) {
    EXPECT_NE(one.id, "torsion");
    EXPECT_FALSE(one.curves.empty()) << one.id;
    for (const Curve& c : one.curves) EXPECT_EQ(c.values.size(), one.x.size()) << one.id << " " << c.name;
  }
}

TEST_F(Report, LabelsTellResultsApart) {
  std::vector<RunRecord> records;
  for (const char* formulation : {"recursive", "dense"}) {
    records.push_back(record_of(scenario(ringing)));
    records.back().run.info.formulation = formulation;
  }
  EXPECT_EQ(labels(records), (std::vector<std::string>{"recursive", "dense"}));
  records[1].run.info.formulation = "recursive";
  records[1].run.arm.kinematics = KinematicOrder::first;
  EXPECT_EQ(labels(records), (std::vector<std::string>{"second order", "first order"}));
  records[1].run.arm.kinematics = KinematicOrder::second;
  EXPECT_EQ(labels(records), (std::vector<std::string>{"result (1)", "result (2)"}));
}

// ---- pictures ----

TEST_F(Report, PicturesHaveAPointPerPixelAtMost) {
  const RunRecord record = record_of(shipped("canadarm/manoeuvre.yaml"));
  SvgOptions narrow;
  narrow.width = 300;
  const std::string svg = figure_svg({figure(record, "efforts")}, {"canadarm"}, narrow);
  // Three curves on some 150 pixels with four corners each, of 1001 rows.
  EXPECT_LT(std::count(svg.begin(), svg.end(), 'L'), 3 * 4 * 200);
  EXPECT_GT(std::count(svg.begin(), svg.end(), 'L'), 3 * 100);
  EXPECT_NE(svg.find("Joint efforts: canadarm"), std::string::npos);
}

TEST_F(Report, PicturesEscapeWhatStandsInThem) {
  const Figure odd{.id = "odd",
                   .title = "<a href=\"x\">&</a>",
                   .x_label = "x",
                   .y_label = "<",
                   .x = Eigen::Vector2d(0.0, 1.0),
                   .curves = {{"<b>", Eigen::Vector2d(0.0, 1.0)}}};
  const std::string svg = figure_svg({odd}, {""});
  EXPECT_NE(svg.find("&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<a"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
}

TEST_F(Report, PicturesOfNothingAreRefused) {
  const RunRecord record = record_of(shipped("canadarm/manoeuvre.yaml"));
  EXPECT_THROW(figure_svg({figure(record, "torsion")}, {""}), InputError);
  SvgOptions later;
  later.from = 20.0;
  EXPECT_THROW(figure_svg({figure(record, "joints")}, {""}, later), InputError);
  EXPECT_THROW(motion_svg(record, later), InputError);
}

// ---- pages ----

#if LIMBER_WITH_VIEWER
std::string bytes_of(const std::string& base64) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255u);
  }
  return bytes;
}

template <typename Number>
std::vector<double> numbers_of(const std::string& base64) {
  const std::string bytes = bytes_of(base64);
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
  return {values.begin(), values.end()};
}

Json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"limber-data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST_F(Report, PagesCarryTheNumbers) {
  std::vector<RunRecord> records;
  records.push_back(record_of(shipped("canadarm/manoeuvre.yaml")));
  const RunRecord& record = records.front();
  const std::string page = run_page(records);
  EXPECT_LT(page.size(), 2'000'000u);
  const Json data = data_of(page)["runs"][0];
  const auto time = numbers_of<double>(data["time"]), q = numbers_of<float>(data["q"]);
  ASSERT_EQ(time.size(), 1001u);
  ASSERT_EQ(q.size(), 1001u * 9u);
  EXPECT_EQ(time[303], record.time()[303]);
  EXPECT_EQ(q[303 * 9 + 4], static_cast<float>(record.column("q", "link2.y1")[303]));
  EXPECT_EQ(data["figures"].size(), figures(record).size());
  EXPECT_EQ(data["note"], "");
  EXPECT_NEAR(data["links"][0]["deflection"]["value"].get<double>(), 0.1528, 1e-4);
}

TEST_F(Report, PagesOfLongResultsAreThinnedAndSaySo) {
  std::vector<RunRecord> records;
  records.push_back(record_of(shipped("canadarm/manoeuvre.yaml")));
  const Json data = data_of(run_page(records, 10'000.0))["runs"][0];
  const auto time = numbers_of<double>(data["time"]);
  EXPECT_LT(time.size(), 260u);
  EXPECT_GT(time.size(), 100u);
  EXPECT_NE(data["note"].get<std::string>().find("1001 rows"), std::string::npos);
  for (const Json& one : data["figures"]) {
    if (!one["over_time"]) continue;
    for (const Json& c : one["curves"]) EXPECT_EQ(numbers_of<float>(c["values"]).size(), time.size());
  }
}

TEST_F(Report, NoTextEndsTheBlockOfData) {
  std::string text = ringing;
  text.replace(text.find("name: ringing"), 13, "name: \"</script><script>alert(1)</script><!--\"");
  std::vector<RunRecord> records;
  records.push_back(record_of(scenario(text + "# </script><!-- \xe2\x80\xa8 &lt; <\n")));
  const std::string page = run_page(records);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  const Json data = data_of(page)["runs"][0];
  EXPECT_EQ(data["model"], "</script><script>alert(1)</script><!--");
  EXPECT_NE(data["sources"][0]["text"].get<std::string>().find("# </script><!-- \xe2\x80\xa8 &lt; <"),
            std::string::npos);
}
#else
TEST_F(Report, PagesNeedTheViewer) {
  std::vector<RunRecord> records;
  records.push_back(record_of(scenario(ringing)));
  EXPECT_THROW(run_page(records), std::runtime_error);
}
#endif

// ---- mistakes ----

TEST_F(Report, RefusesWhatIsNoResult) {
  const std::string good = result(scenario(ringing));
  const std::string whole = content(good);
  folder_.write("cut.h5", whole.substr(0, whole.size() / 2));
  folder_.write("text.h5", "precious");
  folder_.write("empty.h5", "");
  struct Case {
    std::string file, message;
  };
  for (const auto& [file, message] :
       {Case{"cut.h5", "is it cut off?"}, Case{"text.h5", "a file that is no HDF5"},
        Case{"empty.h5", "a file that is no HDF5"}, Case{"none.h5", "no such file"}}) {
    for (const std::string command : {"report", "plot --what joints"}) {
      const Outcome outcome = program(command + " " + path(file) + " -o " + path("out"));
      EXPECT_EQ(outcome.code, 2) << outcome.output;
      EXPECT_NE(outcome.output.find("expected a result of `limber simulate`"), std::string::npos)
          << outcome.output;
      EXPECT_NE(outcome.output.find(message), std::string::npos) << outcome.output;
      EXPECT_FALSE(fs::exists(path("out")));
    }
  }
}

TEST_F(Report, RefusesToReplaceWhatItWasNotAskedTo) {
  const std::string good = result(scenario(ringing));
  folder_.write("page", "precious");
  for (const std::string command : {"report", "plot --what joints"}) {
    const std::string to_page = command + " " + good + " -o " + path("page");
    EXPECT_EQ(program(to_page).code, 2);
    EXPECT_EQ(content(path("page")), "precious");
    EXPECT_EQ(program(command + " " + good + " -o " + path("nowhere/page")).code, 2);
  }
  EXPECT_EQ(program("plot --what joints " + good + " --force -o " + path("page")).code, 2);  // none of ours
  EXPECT_EQ(content(path("page")), "precious");
  folder_.write("page.svg", "old");
  EXPECT_EQ(program("plot --what joints " + good + " --force -o " + path("page.svg")).code, 0);
  EXPECT_EQ(content(path("page.svg")).find("<svg"), 0u);
}

TEST_F(Report, NamesWhatCanBeDrawn) {
  const std::string good = result(scenario(ringing));
  const Outcome outcome = program("plot --what nonsense " + good + " -o " + path("x.svg"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.output.find("expected one of motion, joints, deviation"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(program("plot --what joints " + good + " -o " + path("x.png")).code, 2);
  EXPECT_EQ(program("plot --what joints --from 3 --to 2 " + good + " -o " + path("x.svg")).code, 2);
  EXPECT_EQ(program("plot --what joints --from 30 " + good + " -o " + path("x.svg")).code, 2);
}

TEST_F(Report, SaysWhatItWroteAsJson) {
  const std::string good = result(scenario(ringing));
  const Outcome plot = program("plot --what joints --json " + good + " -o " + path("x.svg"));
  EXPECT_EQ(Json::parse(plot.output)["bytes"], fs::file_size(path("x.svg")));
#if LIMBER_WITH_VIEWER
  const Outcome report = program("report --json " + good + " -o " + path("x.html"));
  EXPECT_EQ(Json::parse(report.output)["bytes"], fs::file_size(path("x.html")));
#endif
}

}  // namespace
}  // namespace limber
