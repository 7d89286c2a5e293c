// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

namespace fs = std::filesystem;

namespace {

fs::path hidden_name(const fs::path& file) {
  static std::atomic<int> count = 0;  // threads of one process write the same file, too
  return file.parent_path() / fmt::format(".{}.{}.{}", file.filename().string(), ::getpid(), count++);
}

}  // namespace

WholeFile::WholeFile(fs::path file) : file_(std::move(file)), hidden_(hidden_name(file_)) {
  const int descriptor = ::open(hidden_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw InputError(Problem{file_.string(), "a folder that can be written", std::strerror(errno), ""});
  note_unfinished(hidden_);
  stream_ = ::fdopen(descriptor, "wb");
  is_good_ = stream_ != nullptr;
  if (!stream_) ::close(descriptor);
}

WholeFile::~WholeFile() {
  if (stream_) std::fclose(stream_);
  if (hidden_.empty()) return;
  ::unlink(hidden_.c_str());
  forget_unfinished(hidden_);
}

void WholeFile::write(std::string_view text) {
  is_good_ = is_good_ && std::fwrite(text.data(), 1, text.size(), stream_) == text.size();
}

void WholeFile::finish() {
  const bool is_closed = stream_ && std::fclose(stream_) == 0;
  stream_ = nullptr;
  if (!is_closed || !is_good_)
    throw ComputationError(fmt::format("{} could not be written: is the disk full?", file_.string()));
  std::error_code failed;
  fs::rename(hidden_, file_, failed);
  if (failed)
    throw ComputationError(fmt::format("{} could not be written: {}", file_.string(), failed.message()));
  forget_unfinished(hidden_);
  hidden_.clear();
}

void write_whole_file(const fs::path& file, std::string_view text) {
  WholeFile whole(file);
  whole.write(text);
  whole.finish();
}

bool synchronise(const fs::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool is_done =
      ::fsync(opened) == 0 || errno == EINVAL || errno == EROFS;  // not every file system can
  ::close(opened);
  return is_done;
}

namespace {

// In a table of fixed size: a handler of signals may neither wait for a lock nor free memory. A name is there from its
// first character on, which is written last and taken away first.
constexpr std::size_t most_files = 32, longest_name = 4096;
struct Slot {
  std::atomic<char> first = '\0';
  char rest[longest_name] = {};
};
std::array<Slot, most_files> unfinished;  // NOLINT
std::mutex unfinished_guard;              // NOLINT

}  // namespace

void note_unfinished(const fs::path& file) {
  // The current folder may have changed when the name is needed.
  std::error_code failed;
  const std::string name = fs::absolute(file, failed).string();
  if (failed || name.size() >= longest_name) return;
  const std::lock_guard<std::mutex> lock(unfinished_guard);
  for (Slot& slot : unfinished) {
    if (slot.first != '\0') continue;
    std::memcpy(slot.rest, name.c_str() + 1, name.size());
    slot.first = name.front();
    return;
  }
}

void forget_unfinished(const fs::path& file) {
  std::error_code failed;
  const std::string name = fs::absolute(file, failed).string();
  const std::lock_guard<std::mutex> lock(unfinished_guard);
  for (Slot& slot : unfinished)
    if (slot.first != '\0' && name.compare(1, std::string::npos, slot.rest) == 0) slot.first = '\0';
}

void remove_unfinished() noexcept {
  for (const Slot& slot : unfinished) {
    if (slot.first == '\0') continue;
    char name[longest_name];  // NOLINT
    name[0] = slot.first;
    std::memcpy(name + 1, slot.rest, longest_name - 1);
    ::unlink(name);
  }
}

}  // namespace limber
