#pragma once

// What has one row per sample in a result.

#include "check_sum.hpp"
#include "hdf5.hpp"
#include "limber/results/result_file.hpp"
#include "row_buffer.hpp"

namespace limber {

struct Quantity {
  std::string path;                  ///< "end_effector/position"
  std::vector<hsize_t> shape;        ///< of one row
  std::string unit;                  ///< of all numbers; empty where `units` has them
  std::vector<std::string> columns;  ///< names of the numbers of the first axis
  RowBuffer waiting = {};            ///< rows that one of the copies, or both, still lack
  CheckSum sum = {};                 ///< of all rows that were written

  std::size_t width() const {
    std::size_t product = 1;
    for (const hsize_t size : shape) product *= size;
    return product;
  }
};

/// Coordinates of joints: the efforts that are stored.
std::vector<int> driven_coordinates(const Model& model);

/// In the order in which ResultWriter::add takes them. What an arm has nothing of is left out.
std::vector<Quantity> quantities_of(const Scenario& scenario);

ResultNames result_names(const Scenario& scenario);

}  // namespace limber
