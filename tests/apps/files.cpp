// SPDX-License-Identifier: BSD-3-Clause
// What the program does to files and with signals: it never writes over what it reads, two runs never share a result, and
// whatever ends it, nothing hidden is left behind.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "apps/run_program.hpp"
#include "library_words.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::Outcome;
using Json = nlohmann::json;

constexpr const char* quick = R"(limber: 1
model: arm.yaml
trajectories: {way: {type: table, file: way.csv}}
actuation: [{joint: shoulder, type: pd, kp: 10, kd: 10, target: {trajectory: way}}]
duration: 0.2
)";
constexpr const char* arm = R"(limber: 1
name: arm
links:
  - name: upper
    joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
    beam: {length: 2, section: {EI_y: 50, EI_z: 80, GJ: 30, mass_per_length: 1.5}, modes: {y: {count: 2}}}
)";
/// Takes many seconds, in small steps.
const std::string slow = R"(limber: 1
model: )" + std::string(LIMBER_MODELS_DIR) +
                         R"(/canadarm/canadarm.yaml
integrator: {method: rk4, step: 5e-5}
duration: 600
)";

class Files : public testing::Test {
 protected:
  void SetUp() override {
    fs::current_path(folder_.path());  // where commands write what nobody named
    folder_.write("arm.yaml", arm);
    folder_.write("way.csv", "0, 0\n0.1, 0.2\n0.2, 0.1\n");
    folder_.write("quick.yaml", quick);
    folder_.write("slow.yaml", slow);
  }
  void TearDown() override { fs::current_path("/"); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Exit code 2, a message with `words` in it, and the file as it was.
  void expect_refused(const std::string& arguments, const std::string& words,
                      const std::string& kept = "") const {
    const std::string before = kept.empty() ? "" : content(kept);
    const Outcome outcome = test::run(arguments, true);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
    EXPECT_TRUE(contains(outcome.output, words)) << arguments << "\n" << outcome.output;
    if (kept.empty()) return;
    EXPECT_EQ(content(kept), before) << arguments;
  }
  std::vector<std::string> hidden_files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (entry.path().filename().string().front() == '.') names.push_back(entry.path().filename().string());
    return names;
  }
  void simulate_quickly(const std::string& result) const {
    const Outcome outcome = test::run("simulate " + path("quick.yaml") + " -o " + path(result), true);
    ASSERT_EQ(outcome.code, 0) << outcome.output;
  }

  TemporaryFolder folder_;
};

TEST_F(Files, ThatAreReadAreNeverWrittenOver) {
  const std::string simulate = "simulate " + path("quick.yaml") + " --force ";
  simulate_quickly("r.h5");
  for (const char* input : {"quick.yaml", "arm.yaml", "way.csv"}) {
    expect_refused(simulate + "-o " + path(input), "an input", input);
    expect_refused(simulate + "-o " + path("new.h5") + " --csv " + path(input), "an input", input);
  }
  expect_refused("report " + path("r.h5") + " --force -o " + path("r.h5"), "an input", "r.h5");
  fs::create_hard_link(path("r.h5"), path("r.svg"));
  expect_refused("plot --what joints " + path("r.h5") + " --force -o " + path("r.svg"), "an input", "r.h5");
  expect_refused("modes " + path("arm.yaml") + " --force --report " + path("arm.yaml"), "an input",
                 "arm.yaml");
  expect_refused("linearize " + path("arm.yaml") + " --force --frequency-response " + path("arm.yaml"),
                 "an input", "arm.yaml");
  EXPECT_FALSE(fs::exists(path("new.h5")));
  EXPECT_TRUE(hidden_files().empty());
}

TEST_F(Files, OfOneRunAreTwo) {
  const std::string simulate = "simulate " + path("quick.yaml") + " ";
  for (const std::string& same :
       {path("x"), path("./x"), path("../" + folder_.path().filename().string() + "/x")})
    expect_refused(simulate + "-o " + path("x") + " --csv " + same, "another file than -o");
  EXPECT_FALSE(fs::exists(path("x")));
  simulate_quickly("r.h5");
  folder_.write("old.csv", "time,precious\n");
  expect_refused(simulate + "--resume -o " + path("r.h5") + " --csv " + path("old.csv"), "does not exist yet",
                 "old.csv");
  EXPECT_EQ(test::run(simulate + "--resume --force -o " + path("r.h5") + " --csv " + path("old.csv")).code,
            0);
  EXPECT_EQ(content("old.csv").find("time,q.shoulder"), 0u);
}

TEST_F(Files, ThatAreNoneOfOursStayAsTheyAre) {
  simulate_quickly("r.h5");
  folder_.write("thesis.tex", "precious");
  fs::create_symlink(path("thesis.tex"), path("link.h5"));
  fs::create_directory(path("folder"));
  ASSERT_EQ(mkfifo(path("pipe.h5").c_str(), 0600), 0);
  const std::string commands[] = {
      "simulate " + path("quick.yaml") + " --force -o ",
      "simulate " + path("quick.yaml") + " --force -o " + path("n.h5") + " --csv ",
      "report " + path("r.h5") + " --force -o ", "modes " + path("arm.yaml") + " --force --report ",
      "linearize " + path("arm.yaml") + " --force --frequency-response "};
  for (const std::string& command : commands) {
    expect_refused(command + path("thesis.tex"), "something else", "thesis.tex");
    expect_refused(command + path("link.h5"), "a symbolic link", "thesis.tex");
    expect_refused(command + path("folder"), "a directory");
    expect_refused(command + path("pipe.h5"), "a device or pipe");
    expect_refused(command + "/dev/null", "a device or pipe");
    expect_refused(command + "/proc/r.h5", "a folder that can be written");
    expect_refused(command + path("nowhere/r.h5"), "a folder that exists");
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(hidden_files().empty());
}

TEST_F(Files, PicturesStandWhereFilesCan) {
  simulate_quickly("r.h5");
  folder_.write("thesis.tex", "precious");
  fs::create_symlink(path("thesis.tex"), path("link.svg"));
  fs::create_directory(path("folder.svg"));
  ASSERT_EQ(mkfifo(path("pipe.svg").c_str(), 0600), 0);
  const std::string plot = "plot --what joints " + path("r.h5") + " --force -o ";
  expect_refused(plot + path("thesis.tex"), "a name that ends in .svg", "thesis.tex");
  expect_refused(plot + path("link.svg"), "a symbolic link", "thesis.tex");
  expect_refused(plot + path("folder.svg"), "a directory");
  expect_refused(plot + path("pipe.svg"), "a device or pipe");
  expect_refused(plot + "/proc/r.svg", "a folder that can be written");
  expect_refused(plot + path("nowhere/r.svg"), "a folder that exists");
  EXPECT_TRUE(hidden_files().empty());
}

TEST_F(Files, EquationsStandWhereFilesCan) {
  folder_.write("thesis.tex", "precious");
  fs::create_directories(path("links"));
  fs::create_symlink(path("thesis.tex"), path("links/arm.txt"));
  fs::copy_file(path("arm.yaml"), path("arm.txt"));
  const std::string derive = "derive --only G --force " + path("arm.txt") + " -o ";
  expect_refused(derive + path("thesis.tex"), "a folder", "thesis.tex");
  expect_refused(derive + path("thesis.tex/new"), "a folder", "thesis.tex");
  expect_refused(derive + "/dev/null", "a folder");
  expect_refused(derive + "/proc", "a folder that can be written");
  expect_refused(derive + "/proc/new", "a folder that can be written");
  expect_refused(derive + path("links"), "a symbolic link", "thesis.tex");
  expect_refused(derive + folder_.path().string(), "an input", "arm.txt");
  EXPECT_EQ(test::run(derive + path("new/one")).code, 0);
  EXPECT_TRUE(contains(content("new/one/arm.txt"), "G[1]"));
  EXPECT_TRUE(hidden_files().empty());
}

TEST_F(Files, ARunThatFailsAtOnceLeavesNone) {
  folder_.write("massless.yaml",
                "limber: 1\nmodel:\n  links:\n    - {name: a, joint: {type: revolute, axis: [1, 0, 0]}, "
                "rigid: {mass: 1}}\n"
                "duration: 1\n");
  const Outcome check = test::run("check --json " + path("massless.yaml"));
  EXPECT_EQ(check.code, 0);
  EXPECT_TRUE(Json::parse(check.output)["fails"].get<bool>()) << check.output;
  const Outcome run = test::run("simulate " + path("massless.yaml") + " -o " + path("m.h5"), true);
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_FALSE(fs::exists(path("m.h5")));
  EXPECT_TRUE(hidden_files().empty());
}

// ---- checkpoints that no run wrote ----

void set_in_checkpoint(const std::string& file, const char* name, double value) {
  const hid_t handle = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(handle, "checkpoint", H5P_DEFAULT);
  const hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
  const hid_t space = H5Aget_space(attribute);
  std::vector<double> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data());
  numbers.front() = value;
  ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data()), 0);
  H5Sclose(space);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Fclose(handle);
}

TEST_F(Files, WithImpossibleCheckpointsAreRefused) {
  for (const char* name : {"y", "numbers", "peaks"})
    for (const double value : {std::nan(""), HUGE_VAL, 1e18}) {
      fs::remove(path("r.h5"));
      simulate_quickly("r.h5");
      set_in_checkpoint(path("r.h5"), name, value);
      expect_refused("simulate " + path("quick.yaml") + " --resume -o " + path("r.h5"), "r.h5: checkpoint",
                     "r.h5");
      expect_refused("report " + path("r.h5") + " -o " + path("r.html"), "r.h5: checkpoint");
      expect_refused("plot --what joints " + path("r.h5") + " -o " + path("r.svg"), "r.h5: checkpoint");
    }
}

// ---- signals, and two at once ----

class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments) : child_((std::fflush(nullptr), fork())) {
    if (child_ < 0) throw std::runtime_error("no process to be had");  // kill(-1) would mean everybody
    if (child_ != 0) return;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(126);
    std::vector<char*> argv = {const_cast<char*>(LIMBER_PROGRAM)};  // NOLINT
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));  // NOLINT
    argv.push_back(nullptr);
    execv(LIMBER_PROGRAM, argv.data());
    _exit(127);
  }
  /// Waits until it has said what signals shall do, which takes a moment.
  void wait_until_it_listens() const {
    for (int i = 0; i < 600; ++i, usleep(50'000)) {
      std::ifstream status("/proc/" + std::to_string(child_) + "/status");
      for (std::string line; std::getline(status, line);) {
        constexpr unsigned long interrupt = 1UL << (SIGINT - 1U);
        if (line.rfind("SigCgt:", 0) == 0 && (std::stoul(line.substr(7), nullptr, 16) & interrupt) != 0)
          return;
      }
    }
    FAIL() << "it never listened";
  }
  /// Its exit code after a signal.
  int end(int signal) const {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t child_;
};

void wait_for(const std::string& file) {
  for (int i = 0; i < 600 && !fs::exists(file); ++i) usleep(50'000);
  ASSERT_TRUE(fs::exists(file));
}

TEST_F(Files, HaveOneWriterAtATime) {
  const std::string simulate = "simulate " + path("slow.yaml") + " -o " + path("r.h5");
  const Running first({"simulate", path("slow.yaml"), "-o", path("r.h5"), "--flush", "0.05"});
  wait_for(path(".r.h5.lock"));
  expect_refused(simulate, "writes it");
  expect_refused(simulate + " --force", "writes it");
  wait_for(path("r.h5"));
  expect_refused(simulate + " --resume", "writes it");
  EXPECT_EQ(first.end(SIGINT), 130);
  EXPECT_TRUE(hidden_files().empty());
}

TEST_F(Files, AreInOrderWhateverEndsTheProgram) {
  const std::pair<int, int> ends[] = {{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}};
  for (const auto& [signal, code] : ends) {
    fs::remove(path("r.h5"));
    const Running run({"simulate", path("slow.yaml"), "-o", path("r.h5"), "--flush", "0.05"});
    wait_for(path("r.h5"));
    EXPECT_EQ(run.end(signal), code);
    EXPECT_TRUE(hidden_files().empty()) << hidden_files().front();
    EXPECT_EQ(test::run("plot --what joints --force " + path("r.h5") + " -o " + path("r.svg")).code, 0);
  }
}

TEST_F(Files, CommandsEndWithTheNumberOfTheSignal) {
  for (const char* command : {"check", "compare"})
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
      const Running run({command, path("slow.yaml")});
      run.wait_until_it_listens();
      EXPECT_EQ(run.end(signal), code) << command;
    }
}

// ---- arms without coordinates ----

TEST_F(Files, OfAnArmThatCannotMove) {
  folder_.write("fixed.yaml",
                "limber: 1\nmodel:\n  name: post\n  links:\n    - {name: a, joint: {type: fixed}, rigid: "
                "{mass: 1, tip: "
                "{xyz: [1, 0, 0]}}}\n    - {name: b, joint: {type: fixed}, beam: {length: 1, section: {EI_y: "
                "1, EI_z: 1, "
                "GJ: 1, mass_per_length: 1}}}\nduration: 0.5\n");
  const Outcome run =
      test::run("simulate --json " + path("fixed.yaml") + " -o " + path("f.h5") + " --csv " + path("f.csv"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(Json::parse(run.output)["status"], "complete");
  EXPECT_EQ(test::run("simulate --resume " + path("fixed.yaml") + " -o " + path("f.h5")).code, 0);
  const Outcome compare = test::run("compare --json " + path("fixed.yaml"));
  ASSERT_EQ(compare.code, 0) << compare.output;
  const Json compared = Json::parse(compare.output);
  EXPECT_FALSE(compared.at("formulations").empty());
  for (const auto& one : compared.at("formulations"))
    EXPECT_EQ(one.value("/largest_difference/q"_json_pointer, 0.0), 0.0);
  EXPECT_EQ(test::run("plot --what motion " + path("f.h5") + " -o " + path("f.svg")).code, 0);
  expect_refused("plot --what joints " + path("f.h5") + " --force -o " + path("f.svg"), "something to draw");
  const int page = LIMBER_WITH_VIEWER ? 0 : 1;
  EXPECT_EQ(test::run("report " + path("f.h5") + " -o " + path("f.html")).code, page);
  // 0.5 s at 100 rows a second; the weight of both is in the first joint's wrench.
  std::ifstream table(path("f.csv"));
  std::string line;
  int rows = -1;
  for (; std::getline(table, line); ++rows) {
  }
  EXPECT_EQ(rows, 51);
}

// ---- what is said ----

TEST_F(Files, NumbersThatAreNoneAreRefused) {
  simulate_quickly("r.h5");
  const std::string arm_file = path("arm.yaml"), result = path("r.h5");
  for (const char* bad : {"nan", "inf", "-inf", "1e999", "NaN", "infinity"}) {
    const std::string value = std::string("=") + bad;
    for (const std::string& line :
         {"check --dae --step" + value + " " + arm_file,
          "simulate --flush" + value + " " + path("quick.yaml"),
          "linearize --frequency-response " + path("f.csv") + " --from" + value + " " + arm_file,
          "linearize --frequency-response " + path("f.csv") + " --to" + value + " " + arm_file,
          "plot --what joints -o " + path("p.svg") + " --from" + value + " " + result,
          "plot --what joints -o " + path("p.svg") + " --to" + value + " " + result,
          "statics --critical" + value + " " + arm_file, "modes --spin shoulder" + value + " " + arm_file,
          "statics " + arm_file + " --gauge upper@" + bad, "statics " + arm_file + " --reach 0 0 " + bad})
      EXPECT_EQ(test::run(line).code, 2) << line;
  }
}

TEST_F(Files, MistakesOnTheCommandLineAreJsonWhereThatIsAskedFor) {
  for (const std::string line :
       {"bend --json", "--json", "info --json", "info --json --colour x", "statics --json a b c",
        "modes --json --count x", "check --json --step 1 x"}) {
    const Outcome outcome = test::run(line);
    EXPECT_EQ(outcome.code, 2) << line;
    ASSERT_TRUE(Json::accept(outcome.output)) << line << outcome.output;
    EXPECT_FALSE(Json::parse(outcome.output)["errors"][0]["message"].get<std::string>().empty());
  }
}

TEST_F(Files, NamesThatAreNoTextAreShownSafely) {
  const Outcome latin = test::run("check --json 'caf\xe9.yaml'");
  EXPECT_EQ(latin.code, 2);
  EXPECT_TRUE(Json::accept(latin.output)) << latin.output;
  for (const std::string line : {"check 'a\033[31mb.yaml'", "'\033[31m'", "info --colour '\033[2J'",
                                 "check --json '\033[31m'", "plot --what '\033[31m' r.h5"}) {
    const Outcome outcome = test::run(line, true);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_FALSE(contains(outcome.output, "\033")) << outcome.output;
  }
  folder_.write("coloured.yaml",
                "limber: 1\nname: \"\\e[31mred\"\nlinks: [{name: \"\\e[2J\", rigid: {mass: 1}}]\n");
  folder_.write("raw.yaml", "limber: 1\nname: \033[31m\nlinks: []\n");
  for (const char* file : {"coloured.yaml", "raw.yaml"})
    for (const char* command : {"check ", "info ", "eval ", "modes "})
      EXPECT_FALSE(contains(test::run(command + path(file), true).output, "\033")) << command << file;
}

// No message of the C++ library reaches a user, whatever the command line is made of.
TEST_F(Files, NoCommandLineBringsOutTheLibrarysOwnWords) {
  simulate_quickly("r.h5");
  const std::vector<std::string> commands = {"check",     "info",   "eval",      "modes",   "statics",
                                             "linearize", "zeros",  "simulate",  "compare", "report",
                                             "plot",      "schema", "completion"};
  const std::vector<std::string> words = {path("arm.yaml"),
                                          path("quick.yaml"),
                                          path("r.h5"),
                                          path("way.csv"),
                                          path("none"),
                                          folder_.path().string(),
                                          "--json",
                                          "--quiet",
                                          "--state",
                                          "--outputs",
                                          "shoulder",
                                          "upper@0.5.y",
                                          "upper@.y",
                                          "end_effector.x",
                                          "--joints",
                                          "free",
                                          "--count",
                                          "1",
                                          "0",
                                          "-1",
                                          "999999999",
                                          "99999999999999999999",
                                          "1e300",
                                          "x",
                                          "''",
                                          "--spin",
                                          "shoulder=1",
                                          "=",
                                          "--points",
                                          "2",
                                          "--from",
                                          "--to",
                                          "--reach",
                                          "0.5,0.5",
                                          "--gauge",
                                          "upper@1",
                                          "@",
                                          "--critical",
                                          "--linear",
                                          "--settle",
                                          "--what",
                                          "joints",
                                          "motion",
                                          "spectrum",
                                          "--width",
                                          "300",
                                          "--snapshots",
                                          "--formulation",
                                          "dense",
                                          "dual-screw",
                                          "--consistent",
                                          "--nonlinear",
                                          "upper",
                                          "--dae",
                                          "--step",
                                          "0.001",
                                          "--csv",
                                          path("t.csv"),
                                          "-o",
                                          path("o.h5"),
                                          path("o.svg"),
                                          "--force",
                                          "--resume",
                                          "--inputs",
                                          "--compare",
                                          "clamped-free",
                                          "--scenario",
                                          "--help",
                                          "--report",
                                          path("o.html"),
                                          "--frequency-response",
                                          path("f.csv")};
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    std::string line = commands[random() % commands.size()];
    if (random() % 4 != 0) line += " " + path(random() % 2 == 0 ? "arm.yaml" : "quick.yaml");
    for (std::size_t n = random() % 6; n > 0; --n) line += " " + words[random() % words.size()];
    const Outcome outcome = test::run(line, true);
    EXPECT_LE(outcome.code, 2) << line << "\n" << outcome.output;
    EXPECT_EQ(test::library_words(outcome.output), "") << line << "\n" << outcome.output;
    for (const char* output : {"o.h5", "o.svg", "o.html", "t.csv", "f.csv"}) fs::remove(path(output));
  }
}

}  // namespace
}  // namespace limber
