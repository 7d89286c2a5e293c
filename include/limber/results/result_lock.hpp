#pragma once

#include <concepts>
#include <filesystem>
#include <utility>

namespace limber {

/// The right to write a result: one process at a time has it. A file beside the result is locked for as long as this lives,
/// and removed at the end; a process that is killed loses the lock with its life.
class ResultLock {
 public:
  /// Throws InputError where another process writes this result, or nothing can be written there.
  explicit ResultLock(std::filesystem::path result);
  template <typename Path>
  requires std::convertible_to<const Path&, std::filesystem::path> ResultLock(
      const Path& result)  // NOLINT: a path will do
      : ResultLock(std::filesystem::path(result)) {}
  ResultLock(ResultLock&& other) noexcept;
  ResultLock& operator=(ResultLock&&) = delete;
  ~ResultLock();

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::filesystem::path lock_;
  int descriptor_ = -1;
};

}  // namespace limber
