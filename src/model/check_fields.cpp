// SPDX-License-Identifier: BSD-3-Clause
#include "check_rules.hpp"
#include "limber/model/field_checker.hpp"

namespace limber {

void check_fields(const ModelDescription& model, Problems& problems) {
  FieldChecker checker("", problems);
  describe(checker, model);
}

}  // namespace limber
