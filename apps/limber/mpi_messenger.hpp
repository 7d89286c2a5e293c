// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/study/messenger.hpp"

namespace limber::app {

/// Processes that mpirun (or srun) has started together; none where this one was started by itself.
class MpiMessenger : public Messenger {
 public:
  /// Ends all processes at once.
  virtual void abort(int code) = 0;
};

/// Whether mpirun (or srun) has started several, and this is not the first: what one process does alone is none of its business.
bool is_started_beside_another();

/// Throws ComputationError where mpirun has started several and this program was built without MPI.
std::unique_ptr<MpiMessenger> mpi_messenger();

}  // namespace limber::app
