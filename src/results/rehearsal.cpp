#include "rehearsal.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <mutex>
#include <tuple>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr int has_thrown = 3;  // exit code of the child; any other but 0 comes from elsewhere

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
  const rlim_t seconds = 5 + (ignored ? 0 : size / 5'000'000);
  const rlimit time = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &time);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_DFL);
}

}  // namespace

void rehearse(const fs::path& file, const std::function<void()>& read) {
  static std::mutex guard;
  static Identity last;
  const Identity now = identity_of(file);
  const std::lock_guard<std::mutex> lock(guard);
  if (now == last) return;
  const pid_t child = fork();
  if (child < 0) return;  // no process to be had: what follows is as safe as HDF5 is
  if (child == 0) {
    confine(file);
    try {
      read();
    } catch (...) {
      _exit(has_thrown);
    }
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == has_thrown) return read();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError(Problem{file.string(), "a result of `limber simulate`",
                             "one whose bytes are damaged: HDF5 cannot read them",
                             "take a copy of it, or run the scenario again"});
  last = now;
}

}  // namespace limber
