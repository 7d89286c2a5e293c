// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// For the small functions of which kernels consist: a call among them costs more than what it does.
#if defined(__GNUC__)
#define LIMBER_INLINE [[gnu::always_inline]] inline
#else
#define LIMBER_INLINE inline
#endif
