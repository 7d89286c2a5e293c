// SPDX-License-Identifier: BSD-3-Clause
#include "rehearsal.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr int has_refused = 3;  // exit code of the child; any other but 0 comes from elsewhere

/// Which file, and in which state.
using Identity = std::tuple<dev_t, ino_t, off_t, time_t, long>;

Identity identity_of(const fs::path& file) {
  struct stat found = {};
  if (::stat(file.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

// No core on the disk, no handlers of ours, and an end: a second for every five megabytes, beside what every file gets.
void confine(const fs::path& file) {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::error_code ignored;
  const auto size = fs::file_size(file, ignored);
  constexpr rlim_t least_seconds = 5, bytes_per_second = 5'000'000;
  const rlim_t seconds = least_seconds + (ignored ? 0 : size / bytes_per_second);
  const rlimit time = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &time);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_DFL);
}

// What is wrong, as text: the four parts of each problem, each with a zero behind it. The child has said it, so that the
// file is not opened here at all: HDF5 may have refused it after it had done damage of its own.
std::string text_of(const InputError& error) {
  std::string text;
  for (const Problem& problem : error.problems())
    for (const std::string* part : {&problem.path, &problem.expected, &problem.found, &problem.hint})
      text.append(part->c_str()).push_back('\0');
  return text;
}

InputError error_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0, end = 0; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    parts.push_back(text.substr(at, end - at));
  std::vector<Problem> problems;
  for (std::size_t i = 0; i + 4 <= parts.size(); i += 4)
    problems.push_back({parts[i], parts[i + 1], parts[i + 2], parts[i + 3]});
  return InputError(std::move(problems));
}

void send(int pipe, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(pipe, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

// Until the other end is closed.
std::string receive(int pipe) {
  std::string text;
  char buffer[4096];  // NOLINT
  for (;;) {
    const ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

[[noreturn]] void perform(const std::function<void()>& read, int pipe) {
  try {
    read();
  } catch (const InputError& error) {
    send(pipe, text_of(error));
    _exit(has_refused);
  } catch (...) {
    _exit(has_refused + 1);
  }
  _exit(0);
}

}  // namespace

void rehearse(const fs::path& file, const std::function<void()>& read) {
  static std::mutex guard;
  static Identity last;
  const Identity now = identity_of(file);
  const std::lock_guard<std::mutex> lock(guard);
  if (now == last) return;
  int ends[2] = {-1, -1};  // NOLINT: as pipe() wants it
  const pid_t child = ::pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  if (child == 0) {
    confine(file);
    perform(read, ends[1]);
  }
  if (ends[1] >= 0) ::close(ends[1]);
  const std::string said = child > 0 ? receive(ends[0]) : "";
  if (ends[0] >= 0) ::close(ends[0]);
  if (child < 0) return;  // no process to be had: what follows is as safe as HDF5 is
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == has_refused) throw error_of(said);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError(Problem{file.string(), "a result of `limber simulate`",
                             "one whose bytes are damaged: HDF5 cannot read them",
                             "take a copy of it, or run the scenario again"});
  last = now;
}

}  // namespace limber
