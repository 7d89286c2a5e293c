// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where compiled modules are kept from one run to the next: $LIMBER_CACHE, $XDG_CACHE_HOME/limber, ~/.cache/limber, or limber-UID among the
// temporary files, whichever is set first.
//
// What lies there is run, so nobody else may have written it. The folder must be one (no link), belong to the user, and be nobody
// else's to write to; it is made, or set, to 0700. It is opened once and held: all that follows happens below that very folder,
// whatever is done to its path meanwhile. Files are opened without following links, must belong to the user as well, and carry a hash
// of their content: half a library, from a full disk or a machine that went down, is seen before it is loaded.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace limber {

/// A file of the system, closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  int number() const { return number_; }

 private:
  int number_;
};

/// 32 digits, by which texts are told apart. (Not against forgers: who could write here needs to forge nothing.)
std::string fingerprint(const std::string& text);

class ModuleCache {
 public:
  /// Throws ComputationError, which says what is wrong and what to do, where the folder is not safe.
  ModuleCache();

  const std::filesystem::path& folder() const { return folder_; }
  /// The library of that name; none where there is none, or only a damaged one, which is removed. Throws ComputationError where
  /// somebody else may have put it there.
  std::shared_ptr<void> load(const std::string& name) const;
  /// Takes the file over under that name, in one step: others may do the same at the same time.
  void keep(const std::string& name, const std::filesystem::path& built) const;

 private:
  std::filesystem::path folder_;
  Descriptor descriptor_;
};

/// A folder of its own inside the cache, with all that is in it gone when the object goes: unique among processes and threads.
class BuildFolder {
 public:
  explicit BuildFolder(const ModuleCache& cache);
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace limber
