#include "compiled_module.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path cache_folder() {
  if (const std::string own = environment("LIMBER_CACHE"); !own.empty()) return own;
  if (const std::string shared = environment("XDG_CACHE_HOME"); !shared.empty())
    return fs::path(shared) / "limber";
  if (const std::string home = environment("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "limber";
  return fs::temp_directory_path() / "limber";
}

// Two hashes of 64 bits: the chance that different sources share them is nil.
std::string fingerprint(const std::string& text) {
  std::uint64_t first = 1469598103934665603ULL, second = 88172645463325252ULL;
  for (const char c : text) {
    first = (first ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    second = (second + static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15ULL;
    second ^= second >> 29;
  }
  std::ostringstream stream;
  stream << std::hex << first << second;
  return stream.str();
}

std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string first_lines(const fs::path& file) {
  std::ifstream stream(file);
  std::string text, line;
  for (int i = 0; i < 5 && std::getline(stream, line); ++i) text += "\n  " + line;
  return text;
}

// Compiled beside its place and moved there in one step: others may do the same at the same time.
void compile(const std::string& source, const std::string& command, const fs::path& library) {
  const fs::path own = library.string() + "." + std::to_string(getpid());
  const fs::path text = own.string() + ".cpp", log = own.string() + ".log";
  std::ofstream(text) << source;
  const std::string line = command + " -o " + quoted(own) + " " + quoted(text) + " 2> " + quoted(log);
  const int code = std::system(line.c_str());
  const std::string complaint = code == 0 ? "" : first_lines(log);
  std::error_code no_matter;
  fs::remove(text, no_matter);
  fs::remove(log, no_matter);
  if (code == 0) {
    fs::rename(own, library, no_matter);
    if (!no_matter) return;
  }
  throw ComputationError("formulation `generated` compiles its code, and this failed: " + command +
                         complaint + "\n  Is there a C++ compiler (or one named by CXX), and room in " +
                         library.parent_path().string() + "? `recursive` needs neither");
}

}  // namespace

CompiledModule::CompiledModule(const std::string& source) {
  const std::string compiler = environment("CXX").empty() ? "c++" : environment("CXX");
  const std::string command = compiler + " -std=c++17 -O1 -shared -fPIC";
  const fs::path library = cache_folder() / (fingerprint(command + "\n" + source) + ".so");
  std::error_code failed;
  fs::create_directories(library.parent_path(), failed);
  if (!fs::exists(library, failed)) compile(source, command, library);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw ComputationError(std::string("formulation `generated`: ") + dlerror());
  library_ = std::shared_ptr<void>(handle, [](void* opened) { dlclose(opened); });
}

void* CompiledModule::symbol(const std::string& name) const {
  void* found = dlsym(library_.get(), name.c_str());
  if (found == nullptr) throw ComputationError("formulation `generated`: no function `" + name + "`");
  return found;
}

}  // namespace limber
