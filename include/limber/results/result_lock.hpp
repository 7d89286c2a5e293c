// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <type_traits>
#include <utility>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// The right to write a result: one process at a time has it. A file beside the result is locked for as long as this lives,
/// and removed at the end; a process that is killed loses the lock with its life.
class ResultLock {
 public:
  /// Throws InputError where another process writes this result, or nothing can be written there.
  explicit ResultLock(std::filesystem::path result);
  /// For whatever std::filesystem::path is made of.
  template <typename Path,
            typename = std::enable_if_t<std::is_convertible_v<const Path&, std::filesystem::path>>>
  ResultLock(const Path& result)  // NOLINT: a path will do
      : ResultLock(std::filesystem::path(result)) {}
  /// Hands the right on.
  ResultLock(ResultLock&& other) noexcept;
  ResultLock& operator=(ResultLock&&) = delete;
  ~ResultLock();

  /// The result that may be written.
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::filesystem::path lock_;
  int descriptor_ = -1;
};

}  // namespace limber
