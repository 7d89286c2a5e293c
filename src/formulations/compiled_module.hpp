// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// C++ text, compiled by the system's compiler and loaded into this process. What was compiled once is kept (module_cache.hpp).

#include <functional>
#include <memory>
#include <string>

namespace limber {

class CompiledModule {
 public:
  /// Called before the compiler starts, and often while it works, with the seconds since: may throw to stop it.
  using Watch = std::function<void(double seconds)>;

  /// Throws ComputationError with the compiler's words where it does not work, where it takes longer than $LIMBER_COMPILE_SECONDS
  /// (default 600), and where the cache is not safe. Throws Interrupted where somebody asked to stop. Neither leaves anything behind.
  explicit CompiledModule(
      const std::string& source, const Watch& watch = [](double) {});

  template <typename Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const std::string& name) const;

  std::shared_ptr<void> library_;
};

}  // namespace limber
