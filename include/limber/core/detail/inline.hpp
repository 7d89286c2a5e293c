// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions of a few instructions, in loops where a call would take longer than they do: inlined whatever the compiler thinks of it.

#if defined(__GNUC__)
#define LIMBER_INLINE [[gnu::always_inline]] inline
#else
#define LIMBER_INLINE inline
#endif
