// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include "limber/model/description.hpp"

namespace limber::python {

/// A description as the dictionary that Model.from_dict makes it of again, without what is as if nobody had said it. Tables of shapes
/// stand in it as numbers: {"table": {"x": [...], "values": [[...], ...]}}.
pybind11::dict dictionary_of(const ModelDescription& description);

}  // namespace limber::python
