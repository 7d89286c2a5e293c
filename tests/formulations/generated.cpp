// SPDX-License-Identifier: BSD-3-Clause
// Formulation `generated`: the code of an arm gives what the recursion gives; and the cache of it is nobody else's.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "flexible_chain.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::VectorXd;

class Generated : public testing::Test {
 protected:
  void SetUp() override { setenv("LIMBER_CACHE", folder_.path().c_str(), 1); }
  void TearDown() override {
    for (const char* name : {"LIMBER_CACHE", "CXX", "LIMBER_COMPILE_SECONDS"}) unsetenv(name);
    forget_stop();
  }
  std::size_t kept() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }
  fs::path library() const { return fs::directory_iterator(folder_.path())->path(); }
  // What was said when it was refused; empty where it was not.
  std::string refusal() const {
    try {
      make_formulation(FormulationKind::generated, model_);
    } catch (const ComputationError& error) {
      return error.what();
    }
    return "";
  }
  void expect_right_accelerations() const {
    const VectorXd q = (VectorXd(6) << 0.4, 0.5, 0.03, -0.02, 0.05, 0.01).finished(), v = 2.0 * q,
                   tau = 10.0 * q;
    DynamicsOutput found, expected;
    make_formulation(FormulationKind::generated, model_)->evaluate({q, v, tau, {}}, found);
    make_formulation(FormulationKind::recursive, model_)->evaluate({q, v, tau, {}}, expected);
    EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-12 * expected.acceleration.norm());
  }
  // A compiler of our own: a shell script.
  void use_compiler(const std::string& script) const {
    const fs::path file = tools_.write("compiler", "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
    setenv("CXX", file.c_str(), 1);
  }

  TemporaryFolder folder_, tools_;
  Model model_ = read_model(std::string(LIMBER_MODELS_DIR) + "/lin_lewis_turret/lin_lewis_turret.yaml");
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_the_recursion(const Model& model, double bent) {
  const auto generated = make_formulation(FormulationKind::generated, model),
             recursive = make_formulation(FormulationKind::recursive, model);
  VectorXd q(model.nq()), v(model.nv()), tau(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    q[i] = bent * std::sin(1.0 + 3.0 * i);
    v[i] = 0.3 * std::cos(2.0 * i);
    tau[i] = 5.0 * std::sin(0.7 * i);
  }
  for (const Link& link : model.links()) q[link.joint.q_index] = 0.4;
  DynamicsOutput found, expected;
  generated->evaluate({q, v, tau, {}}, found);
  recursive->evaluate({q, v, tau, {}}, expected);
  EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-10 * expected.acceleration.norm())
      << model.name() << " " << bent;
  VectorXd missing_found, missing;
  ASSERT_TRUE(generated->missing_forces({q, v, tau, {}}, v, missing_found));
  ASSERT_TRUE(recursive->missing_forces({q, v, tau, {}}, v, missing));
  EXPECT_LT((missing_found - missing).norm(), 1e-12 * missing.norm()) << model.name() << " " << bent;
}

// Sections that turn are summed in loops over packets of points: small angles, large ones, both in a packet, and (18 of the ladder's) points that do not fill the last one.
TEST_F(Generated, SumsOverThePointsOfSectionsThatTurn) {
  const auto arm = [](const std::string& name) {
    return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml");
  };
  for (const double bent : {0.0, 0.02, 0.5, 3.0}) expect_the_recursion(arm("crane"), bent);
  expect_the_recursion(arm("fire_ladder"), 0.02);
}

TEST_F(Generated, IsTheRecursionWithLoadsAndWrenches) {
  const VectorXd q = (VectorXd(6) << 0.4, 0.5, 0.03, -0.02, 0.05, 0.01).finished(), v = 2.0 * q,
                 tau = 10.0 * q, a = 3.0 * q;
  const std::vector<Load> loads{{.link = 1, .force = {1.0, -2.0, 3.0}, .moment = {0.1, 0.2, 0.3}}};
  const auto generated = make_formulation(FormulationKind::generated, model_),
             recursive = make_formulation(FormulationKind::recursive, model_);
  for (const auto& acting : {std::vector<Load>{}, loads}) {
    const DynamicsInput input{q, v, tau, acting};
    DynamicsOutput found, expected;
    generated->evaluate(input, found);
    recursive->evaluate(input, expected);
    EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-12 * expected.acceleration.norm());
    for (std::size_t i = 0; i < expected.wrenches.size(); ++i)
      EXPECT_LT((found.wrenches[i] - expected.wrenches[i]).vector().norm(),
                1e-11 * expected.wrenches[i].vector().norm());
    VectorXd missing, as_recursive;
    ASSERT_TRUE(generated->missing_forces(input, a, missing));
    ASSERT_TRUE(recursive->missing_forces(input, a, as_recursive));
    EXPECT_LT((missing - as_recursive).norm(), 1e-12 * as_recursive.norm());
  }
}

// dual-screw by code: what it computes without, with loads (which code does not know), prescribed joints and wrenches.
TEST_F(Generated, IsDualScrewWhereItIsAskedForSo) {
  const VectorXd q = (VectorXd(6) << 0.4, 0.5, 0.03, -0.02, 0.05, 0.01).finished(), v = 2.0 * q,
                 tau = 10.0 * q, a = 3.0 * q;
  const std::vector<Load> loads{{.link = 1, .force = {1.0, -2.0, 3.0}, .moment = {0.1, 0.2, 0.3}}};
  for (const FormulationOptions& how : {FormulationOptions{}, FormulationOptions{.consistent = true},
                                        FormulationOptions{.consistent = true, .definite = true}}) {
    FormulationOptions as_code = how;
    as_code.generated = true;
    const auto code = make_formulation(FormulationKind::dual_screw, model_, as_code),
               plain = make_formulation(FormulationKind::dual_screw, model_, how);
    for (const bool is_prescribed : {false, true}) {
      for (const auto& one : {code.get(), plain.get()})
        one->prescribe(is_prescribed ? std::vector<int>{0} : std::vector<int>{});
      for (const auto& acting : {std::vector<Load>{}, loads}) {
        const DynamicsInput input{q, v, tau, acting};
        DynamicsOutput found, expected, accelerated;
        found.acceleration = expected.acceleration = accelerated.acceleration = VectorXd::Constant(6, 0.7);
        code->evaluate(input, found);
        plain->evaluate(input, expected);
        code->accelerate(input, accelerated);
        EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-11 * expected.acceleration.norm());
        EXPECT_EQ(found.acceleration, accelerated.acceleration);
        for (std::size_t i = 0; i < expected.wrenches.size(); ++i)
          EXPECT_LT((found.wrenches[i] - expected.wrenches[i]).vector().norm(),
                    1e-10 * expected.wrenches[i].vector().norm());
        VectorXd missing, as_plain;
        ASSERT_TRUE(code->missing_forces(input, a, missing));
        ASSERT_TRUE(plain->missing_forces(input, a, as_plain));
        EXPECT_LT((missing - as_plain).norm(), 1e-11 * as_plain.norm());
      }
    }
  }
  EXPECT_EQ(kept(), 2u);  // as published, and consistent: `definite` is found beside the code
}

TEST_F(Generated, IsCompiledOnceForAnArm) {
  make_formulation(FormulationKind::generated, model_);
  EXPECT_EQ(kept(), 1u);
  setenv("CXX", "/no/such/compiler", 1);  // another compiler is another code
  EXPECT_THROW(make_formulation(FormulationKind::generated, model_), ComputationError);
  unsetenv("CXX");
  make_formulation(FormulationKind::generated, model_);
  EXPECT_EQ(kept(), 1u);
}

// Its code knows nothing of them: the efforts that move them are found beside it.
TEST_F(Generated, MovesPrescribedJointsAsRecursiveDoes) {
  const auto generated = make_formulation(FormulationKind::generated, model_),
             recursive = make_formulation(FormulationKind::recursive, model_);
  VectorXd q = neutral_configuration(model_), v = VectorXd::LinSpaced(model_.nv(), -0.2, 0.3),
           tau = VectorXd::LinSpaced(model_.nv(), 40.0, -30.0);
  q.array() += 0.01;
  std::vector<int> links;
  for (std::size_t i = 0; i < model_.links().size(); ++i)
    if (model_.links()[i].joint.nv > 0) links.push_back(static_cast<int>(i));
  for (const std::vector<int>& told : {std::vector<int>{links.front()}, links, std::vector<int>{}}) {
    DynamicsOutput found, expected;
    found.acceleration = expected.acceleration = VectorXd::Constant(model_.nv(), 0.7);
    VectorXd efforts = VectorXd::Zero(model_.nv()), as_recursive = efforts;
    for (auto* one : {generated.get(), recursive.get()}) {
      const bool is_generated = one == generated.get();
      DynamicsOutput& output = is_generated ? found : expected;
      one->prescribe(told);
      one->evaluate({q, v, tau, {}}, output);
      one->prescribed_efforts({q, v, tau, {}}, output, is_generated ? efforts : as_recursive);
    }
    EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-10 * expected.acceleration.norm());
    EXPECT_LT((efforts - as_recursive).norm(), 1e-10 * (1.0 + as_recursive.norm()));
    for (std::size_t i = 0; i < found.wrenches.size(); ++i)
      EXPECT_LT((found.wrenches[i] - expected.wrenches[i]).vector().norm(),
                1e-9 * (1.0 + expected.wrenches[i].vector().norm()));
  }
}

TEST_F(Generated, CanDoArmsThatCannotMove) {
  ModelBuilder builder("post");
  builder.link("post").fixed().beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .mass_per_length = 3.0});
  const Model post = builder.build();
  const VectorXd none(0);
  DynamicsOutput found, expected;
  make_formulation(FormulationKind::generated, post)->evaluate({none, none, none, {}}, found);
  make_formulation(FormulationKind::recursive, post)->evaluate({none, none, none, {}}, expected);
  EXPECT_EQ(found.acceleration.size(), 0);
  EXPECT_LT((found.wrenches.at(0) - expected.wrenches.at(0)).vector().norm(),
            1e-12 * expected.wrenches.at(0).vector().norm());
}

// ---- size ----

TEST_F(Generated, RefusesArmsThatACompilerWouldChokeOn) {
  setenv("CXX", "/no/such/compiler", 1);  // it does not come to that
  const Model chain = flexible_chain(40);
  try {
    make_formulation(FormulationKind::generated, chain);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "operations")) << error.what();
    EXPECT_TRUE(contains(error.what(), "`recursive`")) << error.what();
  }
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Generated, TellsBeforehandHowLongItWillTakeAndHowFarItIs) {
  use_compiler("sleep 0.3; exit 1");
  std::vector<std::string> notes, stages;
  FormulationOptions options;
  options.note = [&](const std::string& sentence) {
    EXPECT_TRUE(std::none_of(stages.begin(), stages.end(),
                             [](const std::string& stage) { return contains(stage, "compiling"); }));
    notes.push_back(sentence);
  };
  options.progress = [&](const std::string& what, double part) {
    EXPECT_GE(part, 0.0);
    EXPECT_LT(part, 1.0);
    stages.push_back(what);
  };
  EXPECT_THROW(make_formulation(FormulationKind::generated, flexible_chain(4), options), ComputationError);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(contains(notes[0], "operations takes about ")) << notes[0];
  EXPECT_GT(std::count_if(stages.begin(), stages.end(),
                          [](const std::string& s) { return contains(s, "compiling"); }),
            2);
}

// ---- the folder is the user's, and nobody else's ----

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST_F(Generated, KeepsItsCodeInAFolderOfTheUsersOwn) {
  const fs::path fresh = folder_.path() / "a" / "b";
  setenv("LIMBER_CACHE", (fresh.string() + "/").c_str(), 1);
  make_formulation(FormulationKind::generated, model_);
  EXPECT_EQ(mode_of(fresh), 0700u);
  fs::permissions(fresh, fs::perms(0755));
  setenv("CXX", "/no/such/compiler", 1);
  EXPECT_THROW(make_formulation(FormulationKind::generated, model_), ComputationError);
  EXPECT_EQ(mode_of(fresh), 0700u);
  for (const auto& entry : fs::directory_iterator(fresh)) EXPECT_EQ(mode_of(entry.path()) & 077u, 0u);
}

TEST_F(Generated, RefusesAFolderThatOthersCanWriteTo) {
  for (const unsigned mode : {0777u, 0770u, 0707u}) {
    fs::permissions(folder_.path(), fs::perms(mode));
    EXPECT_TRUE(contains(refusal(), "can be written to by others")) << refusal();
  }
  fs::permissions(folder_.path(), fs::perms(0700));
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Generated, RefusesALinkInPlaceOfTheFolder) {
  const fs::path link = tools_.path() / "cache";
  fs::create_directory_symlink(folder_.path(), link);
  for (const std::string end : {"", "/", "/."}) {
    setenv("LIMBER_CACHE", (link.string() + end).c_str(), 1);
    EXPECT_TRUE(contains(refusal(), "is a link or a file")) << refusal();
  }
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Generated, RefusesWhatBelongsToSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  constexpr uid_t somebody = 65534;
  make_formulation(FormulationKind::generated, model_);
  ASSERT_EQ(chown(library().c_str(), somebody, somebody), 0);
  EXPECT_TRUE(contains(refusal(), "belongs to user 65534")) << refusal();
  fs::remove(library());
  ASSERT_EQ(chown(folder_.path().c_str(), somebody, somebody), 0);
  EXPECT_TRUE(contains(refusal(), "belongs to user 65534")) << refusal();
  EXPECT_EQ(kept(), 0u);
}

// A library of somebody else under the name that ours has: it would say so when it is loaded.
TEST_F(Generated, RunsNoPlantedLibrary) {
  make_formulation(FormulationKind::generated, model_);
  const fs::path ours = library(), planted = tools_.path() / "planted.so", ran = tools_.path() / "ran";
  tools_.write("planted.cpp", "#include <cstdio>\nstruct Say { Say() { std::fclose(std::fopen(\"" +
                                  ran.string() + "\", \"w\")); } } say;\n");
  ASSERT_EQ(std::system(
                ("cd " + tools_.path().string() + " && c++ -shared -fPIC planted.cpp -o planted.so").c_str()),
            0);
  // behind a link
  fs::rename(ours, tools_.path() / "ours.so");
  fs::create_symlink(planted, ours);
  EXPECT_TRUE(contains(refusal(), "is a link")) << refusal();
  fs::remove(ours);
  // something that is no file, and would make us wait
  ASSERT_EQ(mkfifo(ours.c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(), "no file")) << refusal();
  fs::remove(ours);
  // one that others can write to
  fs::copy_file(tools_.path() / "ours.so", ours);
  fs::permissions(ours, fs::perms(0666));
  EXPECT_TRUE(contains(refusal(), "can be written to by others")) << refusal();
  fs::remove(ours);
  // without the hash of what it holds it is made anew
  fs::copy_file(planted, ours);
  fs::permissions(ours, fs::perms(0600));
  expect_right_accelerations();
  EXPECT_FALSE(fs::exists(ran));
}

TEST_F(Generated, BuildsADamagedLibraryAgain) {
  make_formulation(FormulationKind::generated, model_);
  const fs::path file = library();
  const auto whole = fs::file_size(file);
  for (const double part : {0.0, 0.1, 0.5, 0.99}) {
    SCOPED_TRACE(part);
    fs::resize_file(file, static_cast<std::uintmax_t>(part * static_cast<double>(whole)));
    expect_right_accelerations();
    EXPECT_EQ(fs::file_size(file), whole);
  }
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(whole / 2));
    stream.write("damaged", 7);
  }
  expect_right_accelerations();
  EXPECT_EQ(kept(), 1u);
}

// ---- the compiler ----

TEST_F(Generated, LeavesNothingWhereTheCompilerFails) {
  for (const char* script :
       {"echo no licence >&2; exit 3", "while [ \"$1\" != -o ]; do shift; done; echo half > \"$2\"; exit 1",
        "exit 0", "while [ \"$1\" != -o ]; do shift; done; echo nonsense > \"$2\""}) {
    SCOPED_TRACE(script);
    use_compiler(script);
    EXPECT_NE(refusal(), "");
    EXPECT_EQ(kept(), 0u);
  }
  use_compiler("echo no licence >&2; exit 3");
  EXPECT_TRUE(contains(refusal(), "no licence")) << refusal();
}

// Its own process, and one below it, as compilers have: neither is left when it is ended.
constexpr const char* endless_compiler =
    "echo $$ > $(dirname $0)/pid\nsleep 1000 &\necho $! > $(dirname $0)/below\nwait\n";

// Killing takes a moment.
bool is_alive(const fs::path& file) {
  std::ifstream stream(file);
  int pid = 0;
  stream >> pid;
  EXPECT_GT(pid, 0) << file;
  for (int i = 0; i < 200; ++i) {
    std::ifstream state("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, letter;
    // what was ended may still wait for somebody to ask for its result
    if (!(state >> number >> name >> letter) || letter == "Z") return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

TEST_F(Generated, EndsACompilerThatTakesTooLong) {
  use_compiler(endless_compiler);
  setenv("LIMBER_COMPILE_SECONDS", "1", 1);
  EXPECT_TRUE(contains(refusal(), "had not ended after 1 s")) << refusal();
  EXPECT_FALSE(is_alive(tools_.path() / "pid"));
  EXPECT_FALSE(is_alive(tools_.path() / "below"));
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Generated, EndsTheCompilerWhenAskedToStop) {
  use_compiler(endless_compiler);
  FormulationOptions options;
  options.progress = [&](const std::string&, double) {
    if (fs::exists(tools_.path() / "below") && fs::file_size(tools_.path() / "below") > 0)
      ask_to_stop(SIGTERM);
  };
  try {
    make_formulation(FormulationKind::generated, model_, options);
    FAIL();
  } catch (const Interrupted& stopped) {
    EXPECT_EQ(stopped.signal, SIGTERM);
  }
  EXPECT_FALSE(is_alive(tools_.path() / "pid"));
  EXPECT_FALSE(is_alive(tools_.path() / "below"));
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Generated, IsMadeByManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      try {
        const Model chain = flexible_chain(1 + i % 2);
        make_formulation(FormulationKind::generated, chain);
      } catch (...) {
        ++failed;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(kept(), 2u);
}

}  // namespace
}  // namespace limber
