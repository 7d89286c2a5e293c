// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/result_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

bool is_same_file(int descriptor, const fs::path& file) {
  struct stat mine = {}, there = {};
  return ::fstat(descriptor, &mine) == 0 && ::lstat(file.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

std::string owner_of(int descriptor) {
  char text[32] = {};  // NOLINT: a number of 20 digits at most
  const auto size = ::pread(descriptor, text, sizeof text - 1, 0);
  return size > 0 ? fmt::format("process {} writes it", text) : "another process writes it";
}

}  // namespace

ResultLock::ResultLock(fs::path result) : file_(std::move(result)) {
  const fs::path folder = file_.parent_path().empty() ? fs::path(".") : file_.parent_path();
  if (!fs::is_directory(folder))
    throw InputError(Problem{"-o", "a file in a folder that exists", file_.string(), "make the folder"});
  lock_ = file_.parent_path() / ("." + file_.filename().string() + ".lock");
  while (true) {
    descriptor_ = ::open(lock_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw InputError(
          Problem{"-o", "a folder that can be written", folder.string() + ": " + std::strerror(errno), ""});
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string owner = owner_of(descriptor_);
      ::close(std::exchange(descriptor_, -1));
      throw InputError(Problem{"-o", "a result that nobody else writes", "`" + file_.string() + "`: " + owner,
                               "wait for its end, or take another -o"});
    }
    // Whoever held the lock before may have removed the file that we have just locked.
    if (is_same_file(descriptor_, lock_)) break;
    ::close(std::exchange(descriptor_, -1));
  }
  note_unfinished(lock_);
  const std::string owner = std::to_string(::getpid());
  if (::ftruncate(descriptor_, 0) == 0)
    (void)!::pwrite(descriptor_, owner.data(), owner.size(), 0);  // only to be told to others
}

ResultLock::ResultLock(ResultLock&& other) noexcept
    : file_(std::move(other.file_)),
      lock_(std::move(other.lock_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

ResultLock::~ResultLock() {
  if (descriptor_ < 0) return;
  // Removed while it is still locked: nobody else can have it then.
  ::unlink(lock_.c_str());
  forget_unfinished(lock_);
  ::close(descriptor_);
}

}  // namespace limber
