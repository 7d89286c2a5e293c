// SPDX-License-Identifier: BSD-3-Clause
// Sensors as a user meets them: eval, linearize, zeros, simulate, plot.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

const std::string arm = model("lab_link/lab_link.yaml"), slew = model("lab_link/slew.yaml");

TEST(EvalWithSensors, ShowsWhatIsThere) {
  const limber::TemporaryFolder folder;
  folder.write(
      "state.json",
      R"({"q": {"hub": 0.3, "strip.y1": 0.02}, "v": {"hub": 1.5, "strip.y1": 0.1}, "tau": {"hub": 2}})");
  const std::string state = (folder.path() / "state.json").string();
  const Outcome outcome = run("eval --json --state " + state + " --sensors " + slew + " " + arm);
  ASSERT_EQ(outcome.code, 0);
  const Json all = Json::parse(outcome.output), &sensors = all["sensors"];
  ASSERT_EQ(sensors.size(), 10u);
  EXPECT_EQ(sensors["encoder"], 0.3);  // no rate, no quantum
  EXPECT_EQ(sensors["tacho"], 1.5);
  EXPECT_EQ(sensors["motor"], 2.0);
  EXPECT_NEAR(sensors["moment"].get<double>(), all["wrenches"]["hub"]["moment"][2].get<double>(), 1e-12);
  EXPECT_EQ(sensors["gauge"], sensors["strain"]);
  // The first Craig-Bampton shape is (3 s^2 - 2 s^3): v'' = 6 (1 - 2 s)/L^2 per coordinate.
  EXPECT_NEAR(sensors["strain"].get<double>(), -0.0015 * 0.02 * 6.0 * (1.0 - 0.1) / (0.8 * 0.8), 1e-15);
  EXPECT_TRUE(contains(run("eval --sensors " + slew + " " + arm).output, "accelerometer"));
  const Json only = Json::parse(run("eval --json --only sensors --sensors " + slew + " " + arm).output);
  EXPECT_TRUE(only.contains("sensors"));
  EXPECT_FALSE(only.contains("mass_matrix"));
}

TEST(LinearizeWithSensors, HasThemAsOutputs) {
  const Json linear = Json::parse(
      run("linearize --json --outputs encoder,imu,hub.rate,strain --sensors " + slew + " " + arm).output);
  EXPECT_EQ(linear["outputs"], (Json{"encoder", "imu", "hub.rate", "strain"}));
  EXPECT_EQ(linear["C"][0][0], 1.0);
  EXPECT_GT(std::abs(linear["D"][1][0].get<double>()), 1e-3);  // what the motor does, the tip feels at once
  EXPECT_EQ(linear["D"][3][0], 0.0);
  const Json all = Json::parse(run("linearize --json --sensors " + slew + " " + arm).output);
  EXPECT_EQ(all["outputs"].size(), 10u);
  const Outcome wrong = run("linearize --outputs gage --sensors " + slew + " " + arm, true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "did you mean `gauge`?")) << wrong.output;
}

TEST(ZerosWithSensors, TellWhichOneToFeedBack) {
  // Collocated: the hub's own angle. Not collocated: the camera at the tip.
  const Json hub = Json::parse(run("zeros --json --outputs encoder --sensors " + slew + " " + arm).output),
             tip = Json::parse(run("zeros --json --outputs camera --sensors " + slew + " " + arm).output);
  EXPECT_NE(hub["phase"], "non-minimum");
  EXPECT_EQ(tip["phase"], "non-minimum");
  const Json joint = Json::parse(run("zeros --json --outputs hub " + arm).output);
  EXPECT_EQ(hub["zeros"], joint["zeros"]);
}

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(SimulateWithSensors, RecordsWhatTheyShow) {
  const limber::TemporaryFolder folder;
  const std::string result = (folder.path() / "slew.h5").string(),
                    csv = (folder.path() / "slew.csv").string();
  ASSERT_EQ(run("simulate --quiet " + slew + " -o " + result + " --csv " + csv).code, 0);
  const auto rows = rows_of(csv);
  ASSERT_EQ(rows.size(), 2002u);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  const auto value = [&](std::size_t row, const std::string& name) {
    return std::stod(rows[row + 1].at(column(name)));
  };
  const double quantum = 7.669903939428206e-4;
  double difference = 0.0;
  for (std::size_t row = 10; row < 2001; ++row) {
    const double angle = value(row, "q.hub"), steps = value(row, "sensor.encoder") / quantum;
    EXPECT_NEAR(steps, std::round(steps), 1e-9);
    EXPECT_LE(std::abs(angle - quantum * steps), 0.5001 * quantum);
    EXPECT_EQ(value(row, "sensor.tacho"), value(row, "v.hub"));
    EXPECT_NEAR(value(row, "power.hub"), value(row, "effort.hub") * value(row, "v.hub"), 1e-12);
    // Two milliseconds old, with noise of 1e-6.
    const double noise = value(row, "sensor.gauge") - value(row - 2, "sensor.strain");
    difference += noise * noise;
  }
  EXPECT_NEAR(std::sqrt(difference / 1991.0), 1e-6, 1e-7);
  EXPECT_LT(column("acceleration.strip.y1"), rows[0].size());

  EXPECT_EQ(
      run("plot --what sensors --only gauge,strain -o " + (folder.path() / "a.svg").string() + " " + result)
          .code,
      0);
  EXPECT_EQ(run("plot --what sensors -o " + (folder.path() / "b.svg").string() + " " + result).code, 0);
  EXPECT_EQ(run("plot --what power -o " + (folder.path() / "c.svg").string() + " " + result).code, 0);
  // Once more: the same noise.
  const std::string again = (folder.path() / "again.csv").string();
  ASSERT_EQ(
      run("simulate --quiet " + slew + " -o " + (folder.path() / "again.h5").string() + " --csv " + again)
          .code,
      0);
  EXPECT_EQ(rows_of(again), rows);
}

TEST(SensorsOfAFile, AreRefusedWithTheirPlace) {
  const limber::TemporaryFolder folder;
  folder.write("s.yaml", "sensors:\n  - {name: g, type: strain, link: stripe, at: 0.1, offset: [0.01, 0]}\n");
  for (const char* command : {"eval ", "linearize ", "zeros "}) {
    const Outcome outcome = run(command + arm + " --sensors " + (folder.path() / "s.yaml").string(), true);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.output,
                         "s.yaml:2:35: sensors[0].link: expected the name of a link, found `stripe` (did "
                         "you mean `strip`?)"))
        << outcome.output;
  }
}

// What a run shows, half a unit higher, at every third row: residuals are known.
TEST(Measured, IsLaidOverAResultWithItsResiduals) {
  const limber::TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  ASSERT_EQ(run("simulate --quiet " + slew + " -o " + path("slew.h5") + " --csv " + path("slew.csv")).code,
            0);
  const auto rows = rows_of(path("slew.csv"));
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  std::string csv = "t; a_tip; torque\n";
  for (std::size_t row = 1; row < rows.size(); row += 3)
    csv += rows[row][0] + ";" + std::to_string(std::stod(rows[row][column("sensor.gyro")]) + 0.5) + ";" +
           rows[row][column("effort.hub")] + "\n";
  folder.write("hit.csv", csv);
  const std::string measured = " --measured " + path("hit.csv") + " --columns gyro=a_tip,efforts/hub=torque ";
  const Outcome svg = run("plot --what residuals -o " + path("r.svg") + measured + path("slew.h5"), true);
  EXPECT_EQ(svg.code, 0) << svg.output;
  std::ifstream picture(path("r.svg"));
  const std::string text{std::istreambuf_iterator<char>(picture), {}};
  EXPECT_TRUE(contains(text, "gyro [rad/s]")) << text.substr(0, 500);
  EXPECT_EQ(run("plot --what sensors --only gyro -o " + path("s.svg") + measured + path("slew.h5")).code, 0);
  std::ifstream overlaid(path("s.svg"));
  EXPECT_TRUE(contains(std::string{std::istreambuf_iterator<char>(overlaid), {}}, "gyro measured"));
  if (const Outcome page = run("report --json -o " + path("r.html") + measured + path("slew.h5"));
      page.code == 0) {
    const Json residuals = Json::parse(page.output)["residuals"];
    EXPECT_EQ(residuals["gyro"]["samples"], 667);
    EXPECT_NEAR(residuals["gyro"]["rms"].get<double>(), 0.5, 1e-6);
    EXPECT_NEAR(residuals["gyro"]["largest"].get<double>(), 0.5, 1e-6);
    EXPECT_NEAR(residuals["hub"]["rms"].get<double>(), 0.0, 1e-12);
    EXPECT_NEAR(residuals["hub"]["fit_percent"].get<double>(), 100.0, 1e-6);
  }
}

TEST(Measured, IsRefusedWithWhatIsWrong) {
  const limber::TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  ASSERT_EQ(run("simulate --quiet " + slew + " --set duration=0.2 -o " + path("slew.h5")).code, 0);
  folder.write("good.csv", "t,a\n0,1\n0.1,2\n");
  folder.write("word.csv", "t,a\n0,1\n0.1,two\n");
  folder.write("late.csv", "t,a\n5,1\n6,2\n");
  folder.write("bare.csv", "0,1\n0.1,2\n");
  const auto complaint = [&](const std::string& options) {
    const Outcome outcome =
        run("plot --what sensors -o " + path("x.svg") + " " + options + " " + path("slew.h5"), true);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    return outcome.output;
  };
  EXPECT_TRUE(contains(complaint("--measured " + path("good.csv") + " --columns imu=b"),
                       "found `b` (known columns: `t` and `a`)"));
  EXPECT_TRUE(
      contains(complaint("--measured " + path("good.csv") + " --columns imo=a"), "did you mean `imu`?"));
  EXPECT_TRUE(contains(complaint("--measured " + path("good.csv") + " --columns imu"),
                       "expected CURVE=COLUMN, found `imu`"));
  EXPECT_TRUE(contains(complaint("--measured " + path("good.csv")), "--columns: expected CURVE=COLUMN"));
  EXPECT_TRUE(contains(complaint("--measured " + path("word.csv") + " --columns imu=a"),
                       "word.csv:3:5: expected a number"));
  EXPECT_TRUE(contains(complaint("--measured " + path("late.csv") + " --columns imu=a"),
                       "times between 0 s and 0.2 s"));
  EXPECT_TRUE(contains(complaint("--measured " + path("bare.csv") + " --columns imu=a"),
                       "bare.csv:1:1: expected the name of a column"));
}

}  // namespace
