// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What programs see of the library: namespaces of public headers are opened with LIMBER_EXPORT, everything else stays hidden in a
// shared library.

#if defined(__GNUC__)
#define LIMBER_EXPORT __attribute__((visibility("default")))
#else
#define LIMBER_EXPORT
#endif
