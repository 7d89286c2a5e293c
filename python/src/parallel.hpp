// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Batches on all cores. Threads live as long as one batch: what a batch is worth threads for takes longer than to start them, and a
// process that forks (multiprocessing) has none to lose.

#include <cstddef>
#include <functional>

namespace limber::python {

/// How many threads a batch may use, the caller's among them.
int thread_count();
/// 0: as many as the machine has cores, or as LIMBER_THREADS says.
void set_thread_count(int count);

/// Works through a run of states: `i` is the one at hand, so that whoever catches knows where it failed; `last` is one behind the end.
using WorkOnRun = std::function<void(std::size_t& i, std::size_t last)>;

/// Works through `count` states, on several threads where that is worth while. What is thrown is what the first of the states (in their
/// order) throws, whatever the number of threads, with its index in front. Called without the interpreter's lock; looks for Ctrl-C now and then.
/// `run_length`: states that a thread takes at a time; 1 where each is work for itself.
void for_each_run(std::size_t count, const WorkOnRun& work, std::size_t run_length = 16);

}  // namespace limber::python
