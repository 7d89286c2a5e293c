// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Places of an arm as options and outputs name them: `boom@0.5`, `boom@lug`.

#include <string>

#include "limber/core/export.hpp"
#include "limber/model/lookup.hpp"

namespace limber LIMBER_EXPORT {

/// The place of `LINK@X`: X a fraction of the link's length from 0 (root) to 1 (tip), or the name of an interface of its body; the tip without `@X`. Throws InputError under
/// the name of `what` was asked for, where it is none, which shows the `whole` that it is a part of. with_node() makes an arm that has a node there.
LinkPlace place_named(const Model& model, const std::string& text, const std::string& what,
                      const std::string& whole = {});

/// The frame there, of an arm that has a node there.
Frame frame(const Model& model, const LinkPlace& place);

}  // namespace limber
