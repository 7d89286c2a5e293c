// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows that wait to be written, one behind another.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace limber {

/// Memory in large pages where the system has them. A page is zeroed when it is first touched; in small ones, that
/// takes longer than to compute the row that is put there.
template <typename T>
struct LargePages {
  using value_type = T;

  static T* allocate(std::size_t count) {
    constexpr std::size_t page = std::size_t{2} << 20U;
    const std::size_t bytes = count * sizeof(T);
    const std::size_t alignment = bytes < page / 2 ? alignof(std::max_align_t) : page;
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, whole);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (alignment == page) madvise(memory, whole, MADV_HUGEPAGE);  // a wish: failure is no error
#endif
    return static_cast<T*>(memory);
  }
  static void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const LargePages&) const = default;
};

using RowBuffer = std::vector<double, LargePages<double>>;

}  // namespace limber
