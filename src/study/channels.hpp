// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is followed through a run, by name: columns of `simulate --csv`, short names of coordinates and sensors, points of the arm.

#include <memory>
#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/results/quantity.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {

/// A sink that keeps the rows of what was asked for.
class Channels : public ResultSink {
 public:
  /// Throws InputError, with the closest name and `names[i]` as its path, for what is none.
  Channels(const Scenario& scenario, const std::vector<std::string>& names);

  void add(const Sample& sample) override;
  /// What add() would keep of a row.
  Eigen::VectorXd read(const Sample& sample);
  const std::vector<double>& times() const { return times_; }
  /// Row by row, of names[i].
  const std::vector<double>& values(std::size_t i) const { return values_[i]; }

  /// Whether there is one of this name.
  static bool has(const Scenario& scenario, const std::string& name);

 private:
  struct Column {
    std::size_t part, offset;
  };
  struct Point {
    std::size_t frame;  ///< which of frames_
    int component;      ///< 0 ... 2: place, 3 ... 8: velocity
  };
  struct Source {
    bool is_point;
    Column column = {};
    Point point = {};
  };

  Source find(const std::string& name);
  bool find_column(const std::string& name, Source& source) const;
  bool find_point(const std::string& name, Source& source);
  std::vector<std::string> known_names() const;

  RowLayout layout_;
  std::vector<bool> is_used_;                 ///< which parts of the layout
  std::vector<std::vector<double>> scratch_;  ///< of each part
  Model model_;                               ///< with the nodes of all points
  std::vector<Frame> frames_;
  std::unique_ptr<Workspace<double>> work_;
  std::vector<Source> sources_;
  std::vector<double> times_;
  std::vector<std::vector<double>> values_;
};

}  // namespace limber
