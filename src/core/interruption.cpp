// SPDX-License-Identifier: BSD-3-Clause
#include "limber/core/interruption.hpp"

namespace limber {

std::atomic<int> stop_signal{0};

}  // namespace limber
