// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// The first `count` columns of a table as shapes: splines of degree 5 (less for fewer than six rows) through
/// its values. Throws InputError at `shape.table` for a table that cannot be one of shapes of this beam.
ShapeSet table_shapes(const ModeTable& table, Direction direction, int count, const SectionProfile& profile);

}  // namespace limber
