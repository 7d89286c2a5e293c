// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace limber::test {

/// Counts heap allocations of this program while it exists: through operator new, and through malloc (as Eigen does).
class AllocationCounter {
 public:
  AllocationCounter();
  ~AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;
  long count() const;
};

}  // namespace limber::test
