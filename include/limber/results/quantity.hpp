// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What has one row per sample in a result. Here and in quantity.cpp stands all that there is to say about each such quantity: its name
// in the file, its unit, how many numbers it has and what they are called, where they come from, and how it is drawn. The writer, the
// reader, CSV tables and figures go by this table: to record something more is one more entry.

#include <string>
#include <string_view>
#include <vector>

#include "limber/core/comparison.hpp"
#include "limber/core/export.hpp"
#include "limber/results/arm_outline.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// Names of what the numbers of a result belong to.
struct ResultNames {
  std::vector<std::string> links, joints;  ///< in the arm's order: each link has one joint
  std::vector<std::string> positions;      ///< of q's numbers
  std::vector<std::string> coordinates;    ///< of v's numbers
  std::vector<std::string> driven;         ///< coordinates of joints: those with efforts
  std::vector<std::string> targets;        ///< coordinates that should follow something
  std::vector<std::string> sensors;        ///< instruments of the scenario
  std::vector<std::string> sensor_units;   ///< of each: "m/s^2", or empty
  std::vector<std::string> loops;          ///< closed loops of the arm
  std::vector<std::string> cylinders;      ///< struts of the arm
  std::vector<std::string> chambers;       ///< of those with hydraulics: `lift.a`, `lift.b`
  std::vector<std::string> quantities;     ///< paths of what was recorded
  std::vector<std::string> beams;     ///< links whose section forces were recorded; none where nobody asked
  std::vector<std::string> stressed;  ///< those with a stress
  std::vector<std::string> places;    ///< where on them, as fractions of each beam: "0.05"

  LIMBER_COMPARES(ResultNames)
};
/// All but `quantities`.
ResultNames names_of(const Scenario& scenario);
/// The same of an arm that a result holds; targets and sensors are those of the scenario that made it, `stored`.
ResultNames names_of(const ArmOutline& arm, const ResultNames& stored);

/// What a quantity's numbers are taken from.
struct RowSource {
  const Sample& sample;            ///< what the run produced at that time
  const std::vector<int>& driven;  ///< in v
};

/// Something that has one row per sample: one number, or several.
struct Quantity {
  using Names = std::vector<std::string>;  ///< in the order of the numbers

  const char* path;               ///< in the file: "end_effector/position"
  const char* label;              ///< of its columns in tables: "end_effector.", then their names
  const char* unit = "";          ///< of all numbers
  const char* sliding_unit = "";  ///< of joints that slide, where that is another one
  /// Names of its numbers; none: it is a single one, without a name.
  Names (*columns)(const ResultNames&) = nullptr;
  Names (*places)(const ResultNames&) = nullptr;  ///< of each column, where it has numbers at several
  Names components = {};                        ///< of each column (and place), where it has several numbers
  void (*fill)(const RowSource&, double* row);  ///< puts a row's numbers
  bool (*is_asked_for)(const Scenario&) = nullptr;  ///< and there; none: it always is
  /// Its own figure, with a curve for each number: the id and the title. None: it is drawn with others, or not at all.
  const char* figure = "";
  const char* title = "";  ///< of that figure

  /// Extent of a row: none for a single number.
  std::vector<std::size_t> shape(const ResultNames& names) const;
  /// Numbers in a row: the product of shape().
  std::size_t width(const ResultNames& names) const;
  /// As tables call them: "wrench.shoulder.fx".
  Names column_names(const ResultNames& names) const;
  /// "rad or m".
  std::string unit_text() const;
};

/// In the order of files and tables.
const std::vector<Quantity>& all_quantities();
/// None where there is no quantity of that path.
const Quantity* find_quantity(std::string_view path);

/// How a scenario's rows are made. What an arm has nothing of is left out.
class RowLayout {
 public:
  /// Of all quantities that the scenario's output asks for and its arm has.
  explicit RowLayout(const Scenario& scenario);

  /// A quantity in a row.
  struct Part {
    const Quantity* quantity;  ///< one of all_quantities()
    std::size_t width;         ///< numbers in a row of it
  };
  /// Of links, joints and coordinates; `quantities` are those of parts().
  const ResultNames& names() const { return names_; }
  /// In the order of files and tables.
  const std::vector<Part>& parts() const { return parts_; }
  /// Numbers in a row of all parts.
  std::size_t width() const;
  /// Throws InputError, in the name of a function, for a sample whose vectors are not of the scenario's sizes.
  void require_fit(const char* function, const Sample& sample) const;
  /// The numbers of one part: its width.
  void fill(const Part& part, const Sample& sample, double* row) const {
    part.quantity->fill({sample, driven_}, row);
  }

 private:
  ResultNames names_;
  std::vector<int> driven_;
  std::vector<Part> parts_;
};

}  // namespace limber
