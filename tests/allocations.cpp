// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <cstdlib>
#include <new>

// The test is linked with --wrap=malloc: every call of malloc in our own and in inlined code comes here. Calls inside of
// shared libraries do not, so operator new is replaced as well.

namespace {
bool counting = false;
long allocations = 0;
}  // namespace

extern "C" void* __real_malloc(std::size_t size);   // NOLINT: names that the linker gives
extern "C" void* __wrap_malloc(std::size_t size) {  // NOLINT
  if (counting) ++allocations;
  return __real_malloc(size);
}

void* operator new(std::size_t size) {
  if (void* memory = __wrap_malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return __wrap_malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace limber::test {

AllocationCounter::AllocationCounter() {
  allocations = 0;
  counting = true;
}
AllocationCounter::~AllocationCounter() { counting = false; }
long AllocationCounter::count() const { return allocations; }

}  // namespace limber::test
