// SPDX-License-Identifier: BSD-3-Clause
// Results on disk: what is in them, that nothing is overwritten, and that a kill at any moment loses nothing.

#include "limber/results/result_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <sstream>

#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

/// A scenario that takes about a second in small steps, and always the same ones.
const std::string slow_scenario = R"(limber: 1
model: )" + std::string(LIMBER_MODELS_DIR) +
                                  R"(/canadarm/canadarm.yaml
actuation: [{joint: all, type: pd, kp: 1e4, kd: 1e3, target: {trajectory: ref}}]
trajectories: {ref: {type: quintic, from: 0, to: 0.4, duration: 2}}
integrator: {method: rk4, step: 5e-5}
duration: 10
output: {rate: 200}
)";

struct Ended {
  int code = -1;   ///< of exit
  int signal = 0;  ///< that ended it
};

struct Limits {
  double kill_after_s = -1.0;
  long largest_file = -1;
};

pid_t start_program(const std::vector<std::string>& arguments, const Limits& limits = {}) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process to be had");  // kill(-1) would mean everybody
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (limits.largest_file >= 0) {
      const rlimit limit{static_cast<rlim_t>(limits.largest_file), static_cast<rlim_t>(limits.largest_file)};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<char*> argv = {const_cast<char*>(LIMBER_PROGRAM)};  // NOLINT
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));  // NOLINT
    argv.push_back(nullptr);
    execv(LIMBER_PROGRAM, argv.data());
    _exit(127);
  }
  return child;
}

Ended end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  Ended ended;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

Ended run_program(const std::vector<std::string>& arguments, const Limits& limits = {}) {
  const pid_t child = start_program(arguments, limits);
  if (limits.kill_after_s >= 0.0) {
    usleep(static_cast<useconds_t>(1e6 * limits.kill_after_s));
    kill(child, SIGKILL);
  }
  return end_of(child);
}

/// Waits until a result that is being written holds so many rows.
void wait_for_rows(const fs::path& result, long rows) {
  for (int i = 0; i < 600; ++i, usleep(50'000))
    if (fs::exists(result) && read_stored_run(result).checkpoint.rows > rows) return;
  FAIL() << "no " << rows << " rows in " << result;
}

class ResultFile : public testing::Test {
 protected:
  std::string folder_path(const std::string& name) { return (folder_.path() / name).string(); }
  void SetUp() override { folder_.write("slow.yaml", slow_scenario); }
  /// A run that is much too long, ended by a signal as soon as it has written more than ten rows.
  Ended interrupted_run(int signal) {
    std::string text = slow_scenario;
    text.replace(text.find("duration: 10\n"), 12, "duration: 1000");
    folder_.write("slow.yaml", text);
    const pid_t child = start_program({"simulate", scenario_, "-o", result_, "--flush", "0.05"});
    wait_for_rows(result_, 10);
    kill(child, signal);
    return end_of(child);
  }
  TemporaryFolder folder_;
  std::string scenario_ = folder_path("slow.yaml");
  std::string result_ = folder_path("result.h5");
};

TEST_F(ResultFile, HoldsWhatTheRunProduced) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(file.description, file.model);
  ResultWriter writer(result_, built, {"limber test", file.sources});
  const RunSummary summary = simulate(built, &writer);
  writer.finish(summary.last, "complete");
  const TestRun again = run(file);

  const ResultTable table = read_result_table(result_);
  ASSERT_EQ(table.values.rows(), 1001);
  ASSERT_EQ(static_cast<std::size_t>(table.values.cols()), table.columns.size());
  const auto column = [&](const std::string& name) {
    const auto at = std::find(table.columns.begin(), table.columns.end(), name);
    EXPECT_NE(at, table.columns.end()) << name;
    return table.values.col(at - table.columns.begin());
  };
  for (const std::size_t row : {0u, 500u, 1000u}) {
    const Sample& sample = again.rows[row];
    const auto r = static_cast<Eigen::Index>(row);
    EXPECT_EQ(column("time")[r], sample.t);
    EXPECT_EQ(column("q.link2.y1")[r], sample.q[4]);
    EXPECT_EQ(column("v.joint3")[r], sample.v[6]);
    EXPECT_EQ(column("effort.joint2")[r], sample.efforts[3]);
    EXPECT_EQ(column("end_effector.y")[r], sample.end_effector_position.y());
    EXPECT_EQ(column("energy.work_actuators")[r], sample.ledger.work_actuators);
    EXPECT_EQ(column("wrench.joint2.mz")[r], sample.wrenches[1].moment.z());
    EXPECT_EQ(column("reference.joint2")[r], joint_targets(built)[1].trajectory->at(sample.t).position);
  }
  // Less than a third of the 234 numbers that a row had when it held the shapes of all links.
  EXPECT_LE(table.columns.size(), 234u / 3u);
  const StoredRun stored = read_stored_run(result_);
  EXPECT_EQ(stored.status, "complete");
  EXPECT_EQ(stored.info.sources[0].text, file.sources[0].text);
  EXPECT_EQ(stored.info.sources[1].name, "canadarm.yaml");
  EXPECT_EQ(stored.checkpoint.rows, 1001);
  EXPECT_EQ(stored.checkpoint.integrator.y, summary.last.integrator.y);
  const Checkpoint &kept = stored.checkpoint, &last = summary.last;
  EXPECT_EQ(kept.integrator.t, last.integrator.t);
  EXPECT_EQ(kept.integrator.step, last.integrator.step);
  EXPECT_EQ(kept.start.kinetic, last.start.kinetic);
  EXPECT_EQ(kept.largest_error, last.largest_error);
  EXPECT_EQ(kept.energy_size, last.energy_size);
  EXPECT_EQ(kept.steps, last.steps);
  EXPECT_EQ(kept.rejected, last.rejected);
  EXPECT_EQ(kept.evaluations, last.evaluations);
  EXPECT_EQ(kept.tangents, last.tangents);
  using Kind = std::vector<Peak> RunPeaks::*;
  for (const Kind kind : {&RunPeaks::deviation, &RunPeaks::effort, &RunPeaks::asked, &RunPeaks::rate,
                          &RunPeaks::lowest, &RunPeaks::highest, &RunPeaks::deflection, &RunPeaks::slope}) {
    ASSERT_EQ((kept.peaks.*kind).size(), (last.peaks.*kind).size());
    for (std::size_t i = 0; i < (last.peaks.*kind).size(); ++i) {
      EXPECT_EQ((kept.peaks.*kind)[i].value, (last.peaks.*kind)[i].value);
      EXPECT_EQ((kept.peaks.*kind)[i].time, (last.peaks.*kind)[i].time);
    }
  }
  // Nothing hidden is left behind.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 2);
}

// What was decided when it was run, without which nobody could read it but by running it again.
TEST_F(ResultFile, HoldsWhatWasDecided) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(file.description, file.model);
  ResultWriter writer(result_, built, {"limber test", file.sources});
  const RunSummary summary = simulate(built, &writer);
  writer.set_frequencies(end_frequencies(built, summary.q));
  writer.finish(summary.last, "complete");
  const StoredRun stored = read_stored_run(result_);
  EXPECT_EQ(stored.info.integrator, "auto");
  EXPECT_EQ(stored.info.method, summary.integrator);
  EXPECT_EQ(stored.info.method_text(), summary.integrator + " (auto)");
  EXPECT_EQ(stored.info.formulation, "recursive");
  EXPECT_EQ(stored.info.rtol, 1e-6);
  EXPECT_EQ(stored.info.duration, 10.0);
  EXPECT_EQ(stored.info.rate, 100.0);
  EXPECT_EQ(stored.names.targets, (std::vector<std::string>{"joint1", "joint2", "joint3"}));
  EXPECT_EQ(outline_text(stored.arm), outline_text(outline_of(file.model, 20)));
  const auto hertz = [&](JointTreatment joints, std::size_t i) {
    std::vector<double> all;
    for (const double omega : natural_modes(file.model, summary.q, joints).angular_frequencies)
      if (omega > 1e-3) all.push_back(omega / (2.0 * M_PI));
    return all.at(i);
  };
  ASSERT_EQ(stored.frequencies.held.size(), 6u);
  ASSERT_EQ(stored.frequencies.as_modelled.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(stored.frequencies.held[i], hertz(JointTreatment::held, i),
                1e-9 * stored.frequencies.held[i]);
    EXPECT_NEAR(stored.frequencies.as_modelled[i], hertz(JointTreatment::as_modelled, i),
                1e-9 * stored.frequencies.as_modelled[i]);
  }
}

// Without `set_warnings` a result warns of what its rows show.
TEST_F(ResultFile, WarnsOfWhatItsRowsShow) {
  const ScenarioFile file = scenario(R"(limber: 1
model: spin_up_beam/spin_up_beam_first.yaml
initial: {q: {beam.y1: 3}}
integrator: {method: euler, step: 1e-4}
duration: 0.02
)");
  Scenario built = build_scenario(file.description, file.model);
  ResultWriter writer(result_, built, {"limber test", {}});
  writer.finish(simulate(built, &writer).last, "complete");
  const StoredRun stored = read_stored_run(result_);
  ASSERT_FALSE(stored.warnings.empty());
  EXPECT_NE(stored.warnings.front().find("beyond 10 % or 15 deg"), std::string::npos)
      << stored.warnings.front();
}

// Another program than the one that began a result may go on with it: what stands at its head stays as it is.
TEST_F(ResultFile, IsContinuedByAnotherProgram) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(file.description, file.model);
  ResultWriter first(result_, built, {"limber of yesterday", file.sources});
  RunOptions half;
  half.progress = [](const Progress& progress) { return progress.t < 4.0; };
  first.finish(simulate(built, &first, half).last, "interrupted");
  RunOptions rest;
  rest.resume = read_stored_run(result_).checkpoint;
  ResultWriter second(result_, built, {"limber of today", file.sources}, rest.resume->rows);
  second.finish(simulate(built, &second, rest).last, "complete");
  const StoredRun stored = read_stored_run(result_);
  EXPECT_EQ(stored.info.program, "limber of yesterday");
  EXPECT_EQ(stored.status, "complete");
  EXPECT_EQ(stored.checkpoint.rows, 1001);
  EXPECT_FALSE(stored.info.method.empty());
}

// A run so short that its file is written only once: interrupted, continued, and continued when nothing is left to do.
TEST_F(ResultFile, OfAShortRunGrows) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  const ResultOrigin info{"limber test", file.sources};
  Scenario built = build_scenario(file.description, file.model);
  const auto go_until = [&](double end, ResultWriter& writer, const Checkpoint* from) {
    RunOptions options;
    if (from) options.resume = *from;
    options.progress = [end](const Progress& progress) { return progress.t < end; };
    const RunSummary run = simulate(built, &writer, options);
    writer.finish(run.last, run.finished ? "complete" : "interrupted");
    return run.last;
  };
  ResultWriter first(result_, built, info);
  Checkpoint reached = go_until(4.0, first, nullptr);
  EXPECT_EQ(read_stored_run(result_).status, "interrupted");
  EXPECT_EQ(read_result_table(result_).values.rows(), reached.rows);
  for (int again = 0; again < 2; ++again) {
    ResultWriter writer(result_, built, info, reached.rows);
    reached = go_until(11.0, writer, &reached);
    EXPECT_EQ(read_stored_run(result_).status, "complete");
    const ResultTable table = read_result_table(result_);
    ASSERT_EQ(table.values.rows(), 1001);
    for (int row = 0; row <= 1000; ++row) ASSERT_EQ(table.values(row, 0), row / 100.0);
  }
}

// What controllers remember is part of the checkpoint, and of what a scenario asks for.
TEST_F(ResultFile, HoldsWhatControllersRemember) {
  const auto text = [](const char* integral) {
    return std::string(
               "limber: 1\nmodel: lin_lewis_one_link/lin_lewis_one_link.yaml\nactuation: [{joint: all, type: "
               "lqr, ") +
           integral + "target: {value: 0.1}}]\nduration: 4\n";
  };
  const auto built = [&](const char* integral) {
    const ScenarioFile file = scenario(text(integral));
    return build_scenario(file.description, file.model);
  };
  Scenario with = built("integral: true, "), without = built("");
  const ResultOrigin info{"limber test", {}};
  ResultWriter writer(result_, with, info);
  RunOptions half;
  half.progress = [](const Progress& progress) { return progress.t < 1.0; };
  writer.finish(simulate(with, &writer, half).last, "interrupted");
  const StoredRun stored = read_stored_run(result_);
  EXPECT_NO_THROW(require_fit(stored, with, result_));
  EXPECT_THROW(require_fit(stored, without, result_), InputError);
  // Positions, velocities and works that no machine has.
  const int nq = with.model.nq(), nv = with.model.nv();
  for (const int at : {0, nq, nq + nv, nq + nv + 1, nq + nv + 2}) {
    StoredRun changed = stored;
    changed.checkpoint.integrator.y[at] = 1e18;
    EXPECT_THROW(require_fit(changed, with, result_), InputError) << at;
  }
  RunOptions rest;
  rest.resume = stored.checkpoint;
  EXPECT_NEAR(simulate(with, nullptr, rest).q[0], simulate(with).q[0], 1e-6);
}

TEST_F(ResultFile, IsNeverOverwrittenSilently) {
  folder_.write("result.h5", "precious");
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_}).code, 2);
  std::ifstream stream(result_);
  std::string content;
  std::getline(stream, content);
  EXPECT_EQ(content, "precious");
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_, "--resume"}).code, 2);  // none of ours
}

TEST_F(ResultFile, IsRefusedByAnotherScenario) {
  ASSERT_EQ(interrupted_run(SIGINT).code, 130);
  folder_.write("slow.yaml", std::string(slow_scenario) + "# changed\n");
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_, "--resume"}).code, 2);
}

TEST_F(ResultFile, InAFolderThatIsNotThere) {
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", folder_path("nowhere/r.h5")}).code, 2);
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_, "--csv", folder_path("nowhere/r.csv")}).code,
            2);
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", "/proc/r.h5"}).code, 2);
  EXPECT_FALSE(fs::exists(result_));
}

TEST_F(ResultFile, IsFinishedOnCtrlC) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    fs::remove(result_);
    EXPECT_EQ(interrupted_run(signal).code, code);
    const StoredRun stored = read_stored_run(result_);
    EXPECT_EQ(stored.status, "interrupted");
    EXPECT_GT(stored.checkpoint.rows, 10);
    EXPECT_EQ(read_result_table(result_).values.rows(), stored.checkpoint.rows);
  }
}

TEST_F(ResultFile, SurvivesAFullDisk) {
  const Ended ended =
      run_program({"simulate", scenario_, "-o", result_, "--flush", "0.02"}, {.largest_file = 600'000});
  EXPECT_EQ(ended.code, 1);
  const StoredRun stored = read_stored_run(result_);
  EXPECT_GT(stored.checkpoint.rows, 1);
  EXPECT_EQ(read_result_table(result_).values.rows(), stored.checkpoint.rows);
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_, "--resume"}).code, 0);
}

TEST_F(ResultFile, OfADivergingRunHoldsWhatWasReached) {
  std::string text = slow_scenario;
  text.replace(text.find("5e-5"), 4, "5e-3");
  folder_.write("slow.yaml", text);
  EXPECT_EQ(run_program({"simulate", scenario_, "-o", result_}).code, 1);
  const StoredRun stored = read_stored_run(result_);
  EXPECT_EQ(stored.status.find("failed: the motion diverges"), 0u) << stored.status;
  EXPECT_EQ(read_result_table(result_).values.rows(), stored.checkpoint.rows);
}

// Kills at random moments, most of them near a write: what is there opens, and going on gives what one run gives.
class Killed : public ResultFile, public testing::WithParamInterface<int> {};

TEST_P(Killed, CanBeOpenedAndContinued) {
  const std::string whole = folder_path("whole.h5");
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program({"simulate", scenario_, "-o", whole, "--flush", "0.003"}).code, 0);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const ResultTable expected = read_result_table(whole);
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  std::uniform_real_distribution<double> when(0.02 * took.count(),
                                              0.9 * took.count());  // on a busy machine, too
  int killed = 0, existed = 0;
  for (int i = 0; i < 10; ++i) {
    fs::remove(result_);
    const Ended ended = run_program({"simulate", scenario_, "-o", result_, "--flush", "0.003"},
                                    {.kill_after_s = when(random)});
    if (ended.signal == SIGKILL) ++killed;
    if (fs::exists(result_)) {
      ++existed;
      const StoredRun stored = read_stored_run(result_);
      EXPECT_EQ(read_result_table(result_).values.rows(), stored.checkpoint.rows);
    }
    ASSERT_EQ(run_program({"simulate", scenario_, "-o", result_, "--resume"}).code, 0);
    const ResultTable table = read_result_table(result_);
    ASSERT_EQ(table.values.rows(), expected.values.rows());
    // The same steps, so the same numbers, to the rounding of times.
    EXPECT_LT((table.values - expected.values).cwiseAbs().maxCoeff(),
              1e-9 * expected.values.cwiseAbs().maxCoeff());
  }
  EXPECT_GE(killed, 5);
  EXPECT_GE(existed, 5);
}

INSTANTIATE_TEST_SUITE_P(AtTenMoments, Killed, testing::Range(1, 6));

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Rows at hand become a table, whether or not there is a result; it has all that a result has, to the last digit.
TEST_F(ResultFile, AndItsCsvHoldTheSameNumbers) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(file.description, file.model);
  const std::string csv = folder_path("table.csv"), again = folder_path("again.csv");
  CsvWriter alone(csv, built);
  simulate(built, &alone);
  EXPECT_FALSE(fs::exists(csv));  // not complete yet
  alone.finish();
  ResultWriter writer(result_, built, {"limber test", file.sources});
  writer.finish(simulate(built, &writer).last, "complete");
  const ResultTable table = read_result_table(result_);
  CsvWriter stored(again, built);
  stored.add(table);
  stored.finish();
  const std::vector<std::string> lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 1002u);
  EXPECT_EQ(lines, lines_of(again));
  std::string header;
  for (const std::string& column : table.columns) header += (header.empty() ? "" : ",") + column;
  EXPECT_EQ(lines.front(), header);
  std::istringstream row(lines[501]);
  std::string cell;
  for (Eigen::Index c = 0; std::getline(row, cell, ','); ++c)
    EXPECT_EQ(std::stod(cell), table.values(500, c));
}

// A run that is continued has its first rows from the result.
TEST_F(ResultFile, OfAContinuedRunBecomesAWholeCsv) {
  ASSERT_EQ(interrupted_run(SIGINT).code, 130);
  const long rows = read_stored_run(result_).checkpoint.rows;
  const std::string csv = folder_path("table.csv");
  const pid_t child =
      start_program({"simulate", scenario_, "-o", result_, "--resume", "--csv", csv, "--flush", "0.05"});
  wait_for_rows(result_, rows + 10);
  kill(child, SIGINT);
  ASSERT_EQ(end_of(child).code, 130);
  const std::vector<std::string> lines = lines_of(csv);
  ASSERT_EQ(static_cast<long>(lines.size()), 1 + read_stored_run(result_).checkpoint.rows);
  for (std::size_t row = 1; row < lines.size(); ++row)
    ASSERT_NEAR(std::stod(lines[row]), double(row - 1) / 200.0, 1e-12);
}

TEST_F(ResultFile, BecomesACsv) {
  const std::string csv = folder_path("table.csv");
  ASSERT_EQ(run_program({"simulate", std::string(LIMBER_MODELS_DIR) + "/canadarm/manoeuvre.yaml", "-o",
                         result_, "--csv", csv})
                .code,
            0);
  std::ifstream stream(csv);
  std::string header, first;
  std::getline(stream, header);
  std::getline(stream, first);
  EXPECT_EQ(header.find("time,q.joint1,q.link1.y1"), 0u);
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(first.begin(), first.end(), ','));
  EXPECT_EQ(run_program({"simulate", std::string(LIMBER_MODELS_DIR) + "/canadarm/manoeuvre.yaml", "-o",
                         folder_path("b.h5"), "--csv", csv})
                .code,
            2);
}

}  // namespace
}  // namespace limber
