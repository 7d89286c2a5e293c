// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Member by member, for programs in C++20; in C++17 a type that says this cannot be compared.
#if __cplusplus >= 202002L
#define LIMBER_COMPARES(Type) bool operator==(const Type&) const = default;
#else
#define LIMBER_COMPARES(Type)
#endif
