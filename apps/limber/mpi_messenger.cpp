// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_messenger.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <vector>

#include "limber/core/computation_error.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

namespace fs = std::filesystem;

/// How many processes were started together, as launchers tell them: Open MPI, MPICH and Slurm's own.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  return 1;
}

/// Beside the program, as it was built or installed. It calls its own MPI: MUMPS, which Ipopt rests on, has functions of the same names that do nothing.
void* open_library() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::vector<fs::path> places = {folder / "../lib/limber", folder / ".." / library_folder / "limber",
                                        folder};
  for (const fs::path& place : places)
    if (void* const library =
            dlopen((place / "limber_mpi.so").c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_DEEPBIND))
      return library;
  return nullptr;
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));  // NOLINT: POSIX's way
  if (!function)
    throw ComputationError(fmt::format("limber_mpi.so has no {}: is it of another version?", name));
}

class OpenedMpi : public MpiMessenger {
 public:
  explicit OpenedMpi(void* library) {
    int (*start)(int*, int*) = nullptr;
    find(library, "limber_mpi_start", start);
    find(library, "limber_mpi_send", send_);
    find(library, "limber_mpi_probe", probe_);
    find(library, "limber_mpi_receive", receive_);
    find(library, "limber_mpi_finish", finish_);
    find(library, "limber_mpi_abort", abort_);
    if (start(&rank_, &size_) != 0) throw ComputationError("MPI could not be started");
  }
  /// A process that fails ends without a word to the others, and mpirun ends them: they would wait for it.
  ~OpenedMpi() override {
    if (std::uncaught_exceptions() == 0) finish_();
  }
  OpenedMpi(const OpenedMpi&) = delete;
  OpenedMpi& operator=(const OpenedMpi&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const std::string& bytes) override {
    if (send_(to, bytes.data(), static_cast<int>(bytes.size())) != 0)
      throw ComputationError("MPI could not send a message");
  }
  bool receive(int& from, std::string& bytes) override {
    const int size = probe_(&from);
    if (size < 0) return false;
    bytes.resize(static_cast<std::size_t>(size));
    if (receive_(from, bytes.data(), size) != 0) throw ComputationError("MPI could not receive a message");
    return true;
  }
  void abort(int code) override { abort_(code); }

 private:
  int rank_ = 0, size_ = 1;
  int (*send_)(int, const char*, int) = nullptr;
  int (*probe_)(int*) = nullptr;
  int (*receive_)(int, char*, int) = nullptr;
  void (*finish_)() = nullptr;
  void (*abort_)(int) = nullptr;
};

}  // namespace

bool is_started_beside_another() {
  if (started_together() < 2) return false;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* const text = std::getenv(name)) return std::atoi(text) > 0;
  return false;
}

std::unique_ptr<MpiMessenger> mpi_messenger() {
  if (started_together() < 2) return nullptr;
  void* const library = open_library();
  if (!library)
    throw ComputationError(
        fmt::format("started as one of {} processes, and this limber was built without MPI "
                    "(LIMBER_WITH_MPI): start it once, with --threads",
                    started_together()));
  return std::make_unique<OpenedMpi>(library);
}

}  // namespace limber::app
