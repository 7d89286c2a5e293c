// SPDX-License-Identifier: BSD-3-Clause
#include "module_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <system_error>

#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr mode_t only_mine = S_IRWXU, others_may_write = S_IWGRP | S_IWOTH;
constexpr mode_t permissions = 07777;  // of st_mode, which says what kind of file it is, too
constexpr const char* build_prefix = "build-";
constexpr const char* seal_mark = "limber module ";  // before the hash, at a file's end

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path named_folder() {
  if (const std::string own = environment("LIMBER_CACHE"); !own.empty()) return own;
  if (const std::string shared = environment("XDG_CACHE_HOME"); !shared.empty())
    return fs::path(shared) / "limber";
  if (const std::string home = environment("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "limber";
  return fs::temp_directory_path() / ("limber-" + std::to_string(geteuid()));
}

// Without a slash at its end, which would have links followed.
fs::path cache_folder() {
  const fs::path folder = fs::absolute(named_folder()).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

[[noreturn]] void refuse(const fs::path& what, const std::string& why) {
  throw ComputationError(
      "formulation `generated` runs what it keeps in its cache, and `" + what.string() + "` " + why +
      ": it is not used.\n  Remove it, or name another folder by LIMBER_CACHE; `recursive` needs none");
}

std::string octal(mode_t mode) {
  std::ostringstream text;
  text << std::oct << std::setw(4) << std::setfill('0') << (mode & permissions);
  return text.str();
}

// Of a folder or file that is open: nobody but the user can have written it.
void refuse_others(const struct stat& status, const fs::path& what) {
  if (status.st_uid != geteuid())
    refuse(what,
           "belongs to user " + std::to_string(status.st_uid) + ", not to user " + std::to_string(geteuid()));
  if ((status.st_mode & others_may_write) != 0)
    refuse(what, "can be written to by others (mode " + octal(status.st_mode) + ")");
}

// O_NOFOLLOW and fstat are lstat and open in one: nobody can exchange what was looked at for something else in between.
Descriptor open_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder.parent_path(), failed);
  if (mkdir(folder.c_str(), only_mine) != 0 && errno != EEXIST)
    refuse(folder, std::string("cannot be made (") + std::strerror(errno) + ")");
  Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (descriptor.number() < 0)
    refuse(folder, errno == ELOOP || errno == ENOTDIR
                       ? "is a link or a file, not a folder"
                       : std::string("cannot be opened (") + std::strerror(errno) + ")");
  struct stat status {};
  if (fstat(descriptor.number(), &status) != 0) refuse(folder, "cannot be looked at");
  refuse_others(status, folder);
  if ((status.st_mode & permissions) != only_mine && fchmod(descriptor.number(), only_mine) != 0)
    refuse(folder, "cannot be set to 0700");
  return descriptor;
}

std::string read_all(int descriptor) {
  std::string content;
  char part[1 << 16];  // NOLINT: for read
  for (;;) {
    const ssize_t count = read(descriptor, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return content;
    content.append(part, static_cast<std::size_t>(count));
  }
}

bool write_all(int descriptor, const std::string& content) {
  for (std::size_t at = 0; at < content.size();) {
    const ssize_t count = write(descriptor, content.data() + at, content.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return fsync(descriptor) == 0;
}

// Stands behind the library in its file, where loaders do not look.
std::string seal_of(const std::string& library) { return seal_mark + fingerprint(library); }

bool is_whole(const std::string& content) {
  const std::size_t seal = seal_of("").size();
  return content.size() > seal &&
         content.substr(content.size() - seal) == seal_of(content.substr(0, content.size() - seal));
}

// Left by processes that were killed without a chance to put things away.
void remove_old_builds(const fs::path& folder) {
  constexpr auto old = std::chrono::hours(24);
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().filename().string().rfind(build_prefix, 0) != 0) continue;
    const auto written = entry.last_write_time(failed);
    if (!failed && fs::file_time_type::clock::now() - written > old) fs::remove_all(entry.path(), failed);
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

// Two sums that have nothing to do with each other: FNV-1a with its offset and prime, and multiplication by 2^64 over the golden ratio from
// an arbitrary start.
std::string fingerprint(const std::string& text) {
  std::uint64_t first = 1469598103934665603ULL, second = 88172645463325252ULL;
  for (const char c : text) {
    first = (first ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    second = (second + static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15ULL;
    second ^= second >> 29;
  }
  std::ostringstream stream;
  stream << std::hex << std::setfill('0') << std::setw(16) << first << std::setw(16) << second;
  return stream.str();
}

ModuleCache::ModuleCache() : folder_(cache_folder()), descriptor_(open_folder(folder_)) {}

std::shared_ptr<void> ModuleCache::load(const std::string& name) const {
  const fs::path path = folder_ / name;
  // what is no file must not make us wait either
  const Descriptor file(
      openat(descriptor_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0 && errno == ENOENT) return nullptr;
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    refuse(path, "is a link, or no file that can be read");
  refuse_others(status, path);
  void* library = nullptr;
  if (is_whole(read_all(file.number()))) {
    // below the folder that was looked at, not below its path
    const std::string held = "/proc/self/fd/" + std::to_string(descriptor_.number()) + "/" + name;
    library = dlopen(held.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {  // damaged, or made on another machine
    unlinkat(descriptor_.number(), name.c_str(), 0);
    return nullptr;
  }
  return {library, [](void* opened) { dlclose(opened); }};
}

void ModuleCache::keep(const std::string& name, const fs::path& built) const {
  const fs::path sealed = built.string() + ".sealed";
  const Descriptor from(open(built.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (from.number() >= 0 && fstat(from.number(), &status) == 0) refuse_others(status, built);
  const std::string library = from.number() < 0 ? "" : read_all(from.number());
  if (library.empty())
    throw ComputationError("formulation `generated`: the compiler succeeded, and wrote nothing");
  const Descriptor to(
      open(sealed.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (to.number() < 0 || !write_all(to.number(), library + seal_of(library)) ||
      renameat(AT_FDCWD, sealed.c_str(), descriptor_.number(), name.c_str()) != 0)
    throw ComputationError(std::string("formulation `generated`: its code cannot be kept in ") +
                           folder_.string() + " (" + std::strerror(errno) +
                           "). LIMBER_CACHE names another folder");
}

BuildFolder::BuildFolder(const ModuleCache& cache) {
  remove_old_builds(cache.folder());
  std::string name = (cache.folder() / (std::string(build_prefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw ComputationError(std::string("formulation `generated`: nothing can be written to ") +
                           cache.folder().string() + " (" + std::strerror(errno) +
                           "). LIMBER_CACHE names another folder, and `recursive` needs none");
  path_ = name;
}

BuildFolder::~BuildFolder() {
  std::error_code no_matter;
  fs::remove_all(path_, no_matter);
}

}  // namespace limber
