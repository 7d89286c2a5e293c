// SPDX-License-Identifier: BSD-3-Clause
#include "compiler_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"

namespace limber {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// This process's own, but for the folder of temporary files: what an ended compiler leaves there goes with it.
std::vector<std::string> environment_with(const std::filesystem::path& scratch) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string(*entry).rfind("TMPDIR=", 0) != 0) all.emplace_back(*entry);
  all.push_back("TMPDIR=" + scratch.string());
  return all;
}

// A child that leads a process group, so that compilers, assemblers and linkers below it can be ended together.
class ChildGroup {
 public:
  explicit ChildGroup(const CompilerRun& run) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, run.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     S_IRUSR | S_IWUSR);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> environment = environment_with(run.scratch);
    std::vector<char*> entries;
    for (std::string& entry : environment) entries.push_back(entry.data());
    entries.push_back(nullptr);
    std::string shell = "sh", option = "-c", line = run.command;
    char* arguments[] = {shell.data(), option.data(), line.data(), nullptr};  // NOLINT: as exec wants it
    const int failed = posix_spawn(&pid_, "/bin/sh", &files, &how, arguments, entries.data());
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0)
      throw ComputationError("formulation `generated`: no process could be started for a compiler");
  }
  ~ChildGroup() {
    if (!is_over_) end();
  }
  ChildGroup(const ChildGroup&) = delete;
  ChildGroup& operator=(const ChildGroup&) = delete;

  bool has_ended() {
    siginfo_t seen{};
    // left as it is, so that its number stays taken until the whole group is gone
    return waitid(P_PID, static_cast<id_t>(pid_), &seen, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           seen.si_pid == pid_;
  }
  /// After has_ended.
  bool succeeded() {
    int status = -1;
    is_over_ = true;
    return waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  // Asked first: compilers put their temporary files away.
  void end() {
    constexpr double patience_s = 0.5;
    const auto start = Clock::now();
    kill(-pid_, SIGTERM);
    while (!has_ended() && seconds_since(start) < patience_s)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    is_over_ = true;
  }

  pid_t pid_ = -1;
  bool is_over_ = false;
};

}  // namespace

CompilerEnd run_compiler(const CompilerRun& run) {
  const auto start = Clock::now();
  ChildGroup child(run);
  constexpr auto longest_pause = std::chrono::milliseconds(50);  // nobody feels it
  auto pause = std::chrono::milliseconds(1);
  while (!child.has_ended()) {
    stop_if_asked();
    const double seconds = seconds_since(start);
    if (seconds > run.most_seconds) return CompilerEnd::too_slow;
    run.watch(seconds);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest_pause);
  }
  return child.succeeded() ? CompilerEnd::success : CompilerEnd::failure;
}

}  // namespace limber
