// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

bool imagines_tip(ShapeFamily family) {
  return family == ShapeFamily::clamped_mass || family == ShapeFamily::finite_element;
}

bool is_for_bending_only(ShapeFamily family) {
  return family == ShapeFamily::clamped_pinned || family == ShapeFamily::pinned_pinned ||
         family == ShapeFamily::pinned_free;
}

std::vector<std::string> families_for_torsion_and_axial() {
  std::vector<std::string> names = choice_names<ShapeFamily>();
  std::erase_if(
      names, [](const std::string& name) { return is_for_bending_only(*choice_named<ShapeFamily>(name)); });
  return names;
}

/// The rules of the shapes in one direction; `path` is that of the direction.
class ModesChecker {
 public:
  ModesChecker(std::string_view direction, const ModesDescription& modes, double length, std::string path,
               Problems& problems)
      : direction_(direction), modes_(modes), length_(length), path_(std::move(path)), problems_(problems) {}

  void check() {
    check_family();
    check_tip_keys();
    check_tip_body();
    if (modes_.table) check_table(*modes_.table);
    if (!modes_.count && !modes_.table) add("", "the key `count`", "none", "how many shapes");
  }

 private:
  void add(const std::string& key, std::string expected, std::string found, std::string hint = "") {
    problems_.push_back({join_path(path_, key), std::move(expected), std::move(found), std::move(hint)});
  }

  bool is_bending() const { return direction_ == "y" || direction_ == "z"; }

  void check_family() {
    const std::string name = choice_name(modes_.shape);
    if (!is_bending() && is_for_bending_only(modes_.shape)) {
      add("shape", fmt::format("{} for {}", expected_choice(families_for_torsion_and_axial()), direction_),
          show_text(name));
    }
    if ((modes_.shape == ShapeFamily::table) != modes_.table.has_value()) {
      add("shape", "the family `table` together with a table of numbers", show_text(name));
    }
  }

  void check_tip_keys() {
    if (modes_.tip_mass) check_tip_key("tip_mass", is_bending() || direction_ == "axial");
    if (modes_.tip_static_moment) check_tip_key("tip_static_moment", is_bending());
    if (modes_.tip_inertia) check_tip_key("tip_inertia", is_bending() || direction_ == "torsion");
  }

  void check_tip_key(const std::string& key, bool is_for_direction) {
    const std::string name = choice_name(modes_.shape);
    if (!imagines_tip(modes_.shape)) {
      add(key, fmt::format("no `{}` with {}", key, name), show_text(key),
          "only clamped-mass and finite-element know it");
    } else if (!is_for_direction) {
      add(key, fmt::format("no `{}` for {}", key, direction_), show_text(key),
          fmt::format("{} knows `{}` only", direction_, direction_ == "axial" ? "tip_mass" : "tip_inertia"));
    }
  }

  /// A body's static moment S and inertia J about the tip obey S^2 <= m J.
  void check_tip_body() {
    if (!modes_.tip_static_moment || !is_bending()) return;
    const NumberOrAuto mass = modes_.tip_mass.value_or(NumberOrAuto{});
    const NumberOrAuto inertia = modes_.tip_inertia.value_or(NumberOrAuto{});
    const NumberOrAuto moment = *modes_.tip_static_moment;
    if (mass.automatic || inertia.automatic || moment.automatic) return;
    constexpr double slack = 1e-9;  // of the digits of a file: a point mass has S^2 = m J
    const double most = mass.value * inertia.value;
    if (moment.value * moment.value <= most * (1.0 + slack)) return;
    add("tip_static_moment", "tip_static_moment^2 <= tip_mass * tip_inertia",
        fmt::format("{} > {}", moment.value * moment.value, most),
        "`tip_inertia` is about the tip: at least tip_mass * distance^2");
  }

  void check_table(const ModeTable& table) {
    const std::string path = "shape.table";
    const Eigen::Index rows = table.x.size(), columns = table.values.cols();
    if (table.values.rows() != rows) {
      add(path, "as many rows of values as of x", fmt::format("{} and {}", table.values.rows(), rows));
      return;
    }
    if (rows < 2 || columns < 1) {
      add(path, "at least 2 rows and 1 shape", fmt::format("{} and {}", rows, columns));
      return;
    }
    if (!table.x.allFinite() || !table.values.allFinite() ||
        std::max(table.x.cwiseAbs().maxCoeff(), table.values.cwiseAbs().maxCoeff()) > largest_magnitude) {
      add(path, fmt::format("finite numbers up to {}", largest_magnitude), "others");
      return;
    }
    check_places(table, path);
    if (modes_.count && *modes_.count > columns) {
      add("count", fmt::format("at most {}, the shapes in the table", columns),
          std::to_string(*modes_.count));
    }
  }

  void check_places(const ModeTable& table, const std::string& path) {
    const double first = table.x[0], last = table.x[table.x.size() - 1];
    if (!is_same_length(first, 0.0, length_) || !is_same_length(last, length_, length_)) {
      add(path, fmt::format("x from 0 to {} [m], the beam's length", length_),
          fmt::format("x from {} to {}", first, last));
    }
    for (Eigen::Index i = 1; i < table.x.size(); ++i) {
      if (table.x[i] > table.x[i - 1]) continue;
      add(path, "ascending x", fmt::format("{} after {}", table.x[i], table.x[i - 1]));
      return;
    }
  }

  std::string direction_;
  const ModesDescription& modes_;
  double length_;
  std::string path_;
  Problems& problems_;
};

}  // namespace

void check_modes(const char* direction, const std::optional<ModesDescription>& modes, double length,
                 const std::string& beam_path, Problems& problems) {
  if (!modes) return;
  ModesChecker(direction, *modes, length, beam_path + ".modes." + direction, problems).check();
}

}  // namespace limber
