// SPDX-License-Identifier: BSD-3-Clause
#include "compiled_module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>

#include "compiler_process.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/processor_level.hpp"
#include "module_cache.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

double most_seconds() {
  constexpr double usual = 600.0;
  const double asked = std::atof(environment("LIMBER_COMPILE_SECONDS", "0").c_str());
  return asked > 0.0 ? asked : usual;
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

void compile(const std::string& source, const std::string& command, const ModuleCache& cache,
             const std::string& name, const CompiledModule::Watch& watch) {
  const BuildFolder build(cache);
  const fs::path text = build.path() / "module.cpp", library = build.path() / "module.so";
  std::ofstream(text) << source;
  CompilerRun run;
  run.command = command + " -o " + quoted(library) + " " + quoted(text);
  run.log = build.path() / "log";
  run.scratch = build.path();
  run.most_seconds = most_seconds();
  run.watch = watch;
  const CompilerEnd end = run_compiler(run);
  if (end == CompilerEnd::success) return cache.keep(name, library);
  const std::string what = "formulation `generated` compiles its code, and this ";
  if (end == CompilerEnd::too_slow)
    throw ComputationError(what + "had not ended after " +
                           std::to_string(static_cast<int>(run.most_seconds)) + " s: " + command +
                           "\n  LIMBER_COMPILE_SECONDS gives it longer; `recursive` needs no compiler");
  throw ComputationError(what + "failed: " + command + first_lines(run.log) +
                         "\n  Is there a C++ compiler (or one named by CXX), and room in " +
                         cache.folder().string() + "? `recursive` needs neither");
}

}  // namespace

// What is compiled runs on this machine alone. Fused multiplications halve the time of straight lines (the crane's M and h: 1.0 and 0.4 us).
static std::string for_this_processor() {
  if (processor_level() == ProcessorLevel::plain) return "";
  return " -march=x86-64-v3 -ffp-contract=fast";
}

CompiledModule::CompiledModule(const std::string& source, const Watch& watch) {
  const std::string command =
      environment("CXX", "c++") + " -std=c++17 -O1" + for_this_processor() + " -shared -fPIC";
  const std::string name = fingerprint(command + "\n" + source) + ".so";
  const ModuleCache cache;
  library_ = cache.load(name);
  if (library_) return;
  watch(0.0);
  compile(source, command, cache, name, watch);
  library_ = cache.load(name);
  if (!library_) {
    const char* reason = dlerror();
    throw ComputationError(std::string("formulation `generated`: what was compiled cannot be loaded") +
                           (reason == nullptr ? "" : std::string(": ") + reason) +
                           "\n  A folder from which programs may be run can be named by LIMBER_CACHE");
  }
}

void* CompiledModule::symbol(const std::string& name) const {
  void* found = dlsym(library_.get(), name.c_str());
  if (found == nullptr) throw ComputationError("formulation `generated`: no function `" + name + "`");
  return found;
}

}  // namespace limber
