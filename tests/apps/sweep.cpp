// SPDX-License-Identifier: BSD-3-Clause
// limber sweep as a user meets it.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "run_program.hpp"
#include "temporary_folder.hpp"

namespace limber::test {
namespace {

using Json = nlohmann::json;

class Sweep : public testing::Test {
 protected:
  Sweep() {
    folder_.write("study.yaml", "limber: 1\nscenario: " + model("lab_link/slew.yaml") +
                                    "\nvary:\n  model.links.strip.tip.mass: {uniform: [0.05, 0.15]}\n  "
                                    "actuation.hub.kp: {normal: [60, 3]}\n"
                                    "samples: 64\nmeasure:\n  - {name: tip, of: strip@1.0.y, what: max}\n");
  }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string bytes(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  Outcome sweep(const std::string& arguments, bool with_errors = false) const {
    return run("sweep " + file("study.yaml") + " " + arguments, with_errors);
  }
  /// Starts a sweep, sends it a signal once some variants are done, and returns its exit status.
  int interrupted(const std::string& output, int signal) const {
    const pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(99);
      execl(LIMBER_PROGRAM, "limber", "sweep", file("study.yaml").c_str(), "-o", file(output).c_str(),
            "--threads", "1", nullptr);
      _exit(99);
    }
    // The journal grows with every variant: 8 bytes, then 36 for each.
    std::error_code failed;
    for (int i = 0; i < 3000; ++i) {
      const auto size = std::filesystem::file_size(file(output) + ".part", failed);
      if (!failed && size > 8 + 3 * 32) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  TemporaryFolder folder_;
};

TEST_F(Sweep, SaysWhatVariesAndWhy) {
  const Outcome outcome = sweep("-o " + file("a.h5") + " --csv " + file("a.csv") + " --json");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const Json document = Json::parse(outcome.output);
  EXPECT_EQ(document["samples"], 64);
  EXPECT_EQ(document["status"], "complete");
  EXPECT_EQ(document["failed"].size(), 0U);
  const Json& indices = document["sensitivity"]["tip"]["parameters"];
  EXPECT_GT(indices["model.links.strip.tip.mass"]["total"].get<double>(), 0.5);
  EXPECT_LT(indices["actuation.hub.kp"]["total"].get<double>(), 0.5);
  std::istringstream table(bytes("a.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "variant,model.links.strip.tip.mass,actuation.hub.kp,tip,failed");
  int rows = 0;
  while (std::getline(table, line)) ++rows;
  EXPECT_EQ(rows, 64);
  const Outcome page = run("report " + file("a.h5") + " -o " + file("a.html"));
  EXPECT_EQ(page.code, 0);
  EXPECT_TRUE(contains(bytes("a.html"), "limber sweep study.yaml --replay"));
}

TEST_F(Sweep, ThatIsKilledLosesOnlyWhatWasUnderWay) {
  ASSERT_EQ(sweep("-o " + file("whole.h5") + " --threads 2").code, 0);
  const int killed = interrupted("killed.h5", SIGKILL);
  ASSERT_TRUE(WIFSIGNALED(killed));
  EXPECT_TRUE(std::filesystem::exists(file("killed.h5.part")));
  const Outcome rest = sweep("-o " + file("killed.h5") + " --resume --json");
  ASSERT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(bytes("whole.h5"), bytes("killed.h5"));

  const int stopped = interrupted("stopped.h5", SIGINT);
  ASSERT_TRUE(WIFEXITED(stopped));
  EXPECT_EQ(WEXITSTATUS(stopped), 130);
  ASSERT_EQ(sweep("-o " + file("stopped.h5") + " --resume").code, 0);
  EXPECT_EQ(bytes("whole.h5"), bytes("stopped.h5"));
}

TEST_F(Sweep, InPartsIsTheSame) {
  ASSERT_EQ(sweep("-o " + file("whole.h5")).code, 0);
  for (const char* part : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(sweep("-o " + file("b.h5") + " --part " + part).code, 0);
  ASSERT_EQ(sweep("-o " + file("b.h5") + " --merge").code, 0);
  EXPECT_EQ(bytes("whole.h5"), bytes("b.h5"));
  EXPECT_EQ(sweep("-o " + file("c.h5") + " --part 4/3").code, 2);
  const Outcome script = sweep("-o " + file("d.h5") + " --slurm 3");
  ASSERT_EQ(script.code, 0);
  EXPECT_TRUE(contains(bytes("d.slurm"), "#SBATCH --array=1-3"));
  // What Slurm would do with it.
  for (const char* task : {"1", "2", "3"})
    ASSERT_EQ(std::system(("cd " + file("") + " && LIMBER=" + std::string(LIMBER_PROGRAM) +
                           " SLURM_ARRAY_TASK_ID=" + task + " sh d.slurm >/dev/null")
                              .c_str()),
              0);
  ASSERT_EQ(sweep("-o " + file("d.h5") + " --merge").code, 0);
  EXPECT_EQ(bytes("whole.h5"), bytes("d.h5"));
}

// What was set besides is part of the study: scripts, pages and words that go on with it say it, as a shell takes it.
TEST_F(Sweep, IsSaidWithAllThatWasSet) {
  const std::string set = " --set model.links.strip.beam.length=0.9";
  folder_.write("it's mine.yaml", bytes("study.yaml"));
  const std::string mine =
      "sweep \"" + file("it's mine.yaml") + "\"" + set + " -o \"" + file("a b.h5") + "\" ";
  ASSERT_EQ(run(mine + "--slurm 2").code, 0);
  for (const char* task : {"1", "2"})
    ASSERT_EQ(std::system(("LIMBER=" + std::string(LIMBER_PROGRAM) + " SLURM_ARRAY_TASK_ID=" + task +
                           " sh '" + file("a b.slurm") + "' >/dev/null")
                              .c_str()),
              0);
  ASSERT_EQ(run(mine + "--merge").code, 0);
  ASSERT_EQ(sweep(set + " -o " + file("whole.h5") + " --csv " + file("whole.csv")).code, 0);
  ASSERT_EQ(run(mine + "--resume --csv " + file("parts.csv")).code, 0);
  EXPECT_EQ(bytes("whole.csv"), bytes("parts.csv"));
  ASSERT_EQ(run("report \"" + file("a b.h5") + "\" -o " + file("a.html")).code, 0);
  EXPECT_TRUE(
      contains(bytes("a.html"),
               "limber sweep 'it'\\''s mine.yaml' --set model.links.strip.beam.length=0.9 --replay "));
}

TEST_F(Sweep, RefusesWaysThatDoNotGoTogether) {
  const auto refused = [&](const std::string& arguments, const char* why) {
    const Outcome outcome = sweep(arguments, true);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(contains(outcome.output, why)) << outcome.output;
  };
  refused("-o " + file("a.h5") + " --csv " + file("") + "/../" + folder_.path().filename().string() + "/a.h5",
          "another file than -o");
  EXPECT_FALSE(std::filesystem::exists(file("a.h5")));
  refused("--replay 3 --part 1/2", "found `--replay` and `--part`");
  refused("--slurm 3 --merge", "found `--slurm` and `--merge`");
  refused("--replay 3 --csv " + file("a.csv"), "expected a sweep or `--merge`");
  refused("--part 2/9223372036854775807", "N at most 1000000");
}

TEST_F(Sweep, ReplaysAVariantAsItsOwnRun) {
  ASSERT_EQ(sweep("-o " + file("a.h5") + " --csv " + file("a.csv")).code, 0);
  const Outcome outcome = sweep("--replay 17 -o " + file("a17.h5") + " --json");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const Json document = Json::parse(outcome.output);
  std::istringstream table(bytes("a.csv"));
  std::string line;
  for (int i = 0; i < 19; ++i) std::getline(table, line);  // the header, 0 ... 17
  std::ostringstream expected;
  expected.precision(17);
  const std::string tip = line.substr(line.rfind(',', line.size() - 2) + 1);
  EXPECT_EQ(std::stod(tip), document["measures"]["tip"].get<double>());
  // And by the command that it names.
  const std::string command = document["command"];
  ASSERT_TRUE(command.starts_with("limber simulate "));
  EXPECT_EQ(run(command.substr(7) + " -o " + file("by_itself.h5") + " --json").code, 0);
  EXPECT_EQ(sweep("--replay 64").code, 2);
}

TEST_F(Sweep, RefusesWhatExistsAndWhatHasChanged) {
  ASSERT_EQ(sweep("-o " + file("a.h5")).code, 0);
  const Outcome again = sweep("-o " + file("a.h5"), true);
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.output, "--force replaces it, --resume continues it")) << again.output;
  EXPECT_EQ(sweep("-o " + file("a.h5") + " --force").code, 0);
  const std::string text = bytes("study.yaml");
  folder_.write("study.yaml", text + "seed: 2\n");
  const Outcome changed = sweep("-o " + file("a.h5") + " --resume", true);
  EXPECT_EQ(changed.code, 2);
  EXPECT_TRUE(contains(changed.output, "`seed: 2`, was nothing")) << changed.output;
}

TEST_F(Sweep, FindsTheBestAndDrawsTheFront) {
  folder_.write("beam.yaml",
                "limber: 1\nlinks:\n  - name: boom\n    joint: {name: shoulder, axis: [0, 0, 1]}\n    beam: "
                "{length: 2, section: {shape: "
                "rectangle, width: 0.05, height: 0.08, material: {E: 70e9, nu: 0.33, density: 2700}}, modes: "
                "{z: {count: 2}}}\n");
  const std::string text =
      "limber: 1\nmodel: beam.yaml\ntask: statics\noptimise:\n  links.boom.beam.section.width: {lower: 0.01, "
      "upper: 0.1}\n"
      "  links.boom.beam.section.height: {lower: 0.02, upper: 0.1}\nmeasure: [{of: mass}, {name: sag, of: "
      "sag.distance}]\n";
  folder_.write("study.yaml", text + "minimise: mass\nconstraints: [{measure: sag, below: 0.003}]\n");
  const Outcome best = sweep("-o " + file("best.h5") + " --json --quiet", true);
  if (contains(best.output, "one that was built without")) GTEST_SKIP() << "without NLopt";
  ASSERT_EQ(best.code, 0) << best.output;
  const Json found = Json::parse(best.output)["optimum"]["variants"];
  ASSERT_EQ(found.size(), 1U);
  // Sag under its own weight is rho g L^4 12 / (8 E h^2), whatever the width.
  const double height = std::sqrt(12.0 * 2700.0 * 9.81 * 16.0 / (8.0 * 70e9 * 0.003));
  EXPECT_NEAR(found[0]["parameters"]["links.boom.beam.section.height"].get<double>(), height, 1e-3 * height);
  EXPECT_NEAR(found[0]["parameters"]["links.boom.beam.section.width"].get<double>(), 0.01, 1e-6);
  EXPECT_EQ(sweep("--replay 0").code, 2);
  EXPECT_EQ(sweep("--slurm 2").code, 2);
  EXPECT_EQ(sweep("-o " + file("c.h5") + " --part 1/2").code, 2);

  folder_.write("study.yaml", text + "minimise: [mass, sag]\nsearch: {points: 4}\n");
  ASSERT_EQ(sweep("-o " + file("front.h5")).code, 0);
  ASSERT_EQ(run("report " + file("front.h5") + " -o " + file("front.html")).code, 0);
  EXPECT_TRUE(contains(bytes("front.html"), "<h2>The front</h2>"));
  EXPECT_TRUE(contains(bytes("front.html"), "limber statics beam.yaml --set links.boom.beam.section.width="));
  ASSERT_EQ(sweep("-o " + file("longer.h5") + " --set links.boom.beam.length=2.5").code, 0);
  ASSERT_EQ(run("report " + file("longer.h5") + " -o " + file("longer.html")).code, 0);
  EXPECT_TRUE(
      contains(bytes("longer.html"), "limber statics beam.yaml --set links.boom.beam.length=2.5 --set "));

  folder_.write("study.yaml", text + "minimise: mass\nconstraints: [{measure: sag, below: 1e-9}]\n");
  const Outcome none = sweep("-o " + file("none.h5"), true);
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(
      contains(none.output, "no design was found that keeps to all constraints; the nearest is variant"))
      << none.output;
}

#ifdef LIMBER_MPIRUN
/// Processes that this one has started.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> all;
  std::ifstream list("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; list >> child;) all.push_back(child);
  return all;
}

TEST_F(Sweep, WithAKilledRankEndsAndIsCompletedLater) {
  std::string text = bytes("study.yaml");
  folder_.write("study.yaml", text.replace(text.find("64"), 2, "160"));  // seconds, so that one can be killed
  ASSERT_EQ(sweep("-o " + file("whole.h5")).code, 0);
  const pid_t mpirun = fork();
  if (mpirun == 0) {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    if (!freopen("/dev/null", "w", stdout) || !freopen(file("said").c_str(), "w", stderr)) _exit(99);
    execl(LIMBER_MPIRUN, "mpirun", "--oversubscribe", "-n", "3", LIMBER_PROGRAM, "sweep",
          file("study.yaml").c_str(), "-o", file("killed.h5").c_str(), nullptr);
    _exit(99);
  }
  std::error_code failed;
  for (int i = 0; i < 6000; ++i) {
    const auto size = std::filesystem::file_size(file("killed.h5") + ".part", failed);
    if (!failed && size > 8 + 3 * 32) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::vector<pid_t> ranks = children_of(mpirun);
  ASSERT_EQ(ranks.size(), 3U);
  kill(ranks.back(), SIGKILL);
  int status = 0;
  waitpid(mpirun, &status, 0);
  EXPECT_NE(status, 0);
  EXPECT_TRUE(contains(bytes("said"), "signal 9")) << bytes("said");
  const Outcome rest = sweep("-o " + file("killed.h5") + " --resume");
  ASSERT_EQ(rest.code, 0) << rest.output;
  EXPECT_EQ(bytes("whole.h5"), bytes("killed.h5"));
}

TEST_F(Sweep, OnTheRanksOfMpirunIsTheSame) {
  ASSERT_EQ(sweep("-o " + file("whole.h5")).code, 0);
  const std::string command = std::string("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ") +
                              LIMBER_MPIRUN + " --oversubscribe -n 3 " + LIMBER_PROGRAM + " sweep " +
                              file("study.yaml") + " -o " + file("mpi.h5") + " --quiet 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  ASSERT_EQ(WEXITSTATUS(pclose(pipe)), 0) << output;
  EXPECT_TRUE(contains(output, "of each of 3 ranks")) << output;
  EXPECT_EQ(bytes("whole.h5"), bytes("mpi.h5"));
}

// What one process does is done by one of them: all three would write the same file at once.
TEST_F(Sweep, OnRanksReplaysOnce) {
  const std::string command = std::string("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ") +
                              LIMBER_MPIRUN + " --oversubscribe -n 3 " + LIMBER_PROGRAM + " sweep " +
                              file("study.yaml") + " --replay 3 -o " + file("3.h5") + " >" + file("said") +
                              " 2>&1";
  ASSERT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << bytes("said");
  const std::string said = bytes("said"), words = "the same by itself";
  EXPECT_NE(said.find(words), std::string::npos) << said;
  EXPECT_EQ(said.find(words), said.rfind(words)) << said;
}
#endif

}  // namespace
}  // namespace limber::test
