#pragma once

// C++ text, compiled by the system's compiler and loaded into this process. What was compiled once is kept in a cache:
// $LIMBER_CACHE, $XDG_CACHE_HOME/limber, ~/.cache/limber, or a folder for temporary files, whichever is set first.

#include <memory>
#include <string>

namespace limber {

class CompiledModule {
 public:
  /// Throws ComputationError with the compiler's words where it does not work.
  explicit CompiledModule(const std::string& source);

  template <typename Function>
  Function* function(const std::string& name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const std::string& name) const;

  std::shared_ptr<void> library_;
};

}  // namespace limber
