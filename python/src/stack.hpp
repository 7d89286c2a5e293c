// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What was computed for each state of a batch, as one array with the batch's axes in front.

#include <complex>
#include <vector>

#include "arrays.hpp"

namespace limber::python {

using ComplexArray = py::array_t<std::complex<double>>;

/// Of `results`, the vector or matrix that `member` gives of each; all of one size.
template <typename Result, typename Member>
Array stacked(const Batch& batch, const std::vector<Result>& results, Member&& member) {
  using Value = std::decay_t<decltype(member(results.front()))>;
  const Eigen::Index rows = results.empty() ? 0 : member(results.front()).rows();
  const Eigen::Index columns = results.empty() ? 0 : member(results.front()).cols();
  constexpr bool is_vector = Value::ColsAtCompileTime == 1;
  Array array = is_vector ? batch.array({rows}) : batch.array({rows, columns});
  for (std::size_t i = 0; i < results.size(); ++i)
    matrix(array.mutable_data(), i, rows, columns) = member(results[i]);
  return array;
}

/// The same for complex vectors.
template <typename Result, typename Member>
ComplexArray stacked_complex(const Batch& batch, const std::vector<Result>& results, Member&& member) {
  const py::ssize_t size = results.empty() ? 0 : member(results.front()).size();
  Shape shape = batch.leading();
  shape.push_back(size);
  ComplexArray array(shape);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& values = member(results[i]);
    std::copy(values.data(), values.data() + size, array.mutable_data() + static_cast<py::ssize_t>(i) * size);
  }
  return array;
}

/// work(i) for every state, without the interpreter's lock; of many on all cores.
template <typename Result, typename Work>
std::vector<Result> computed(const Batch& batch, Work&& work) {
  std::vector<Result> results(batch.count());
  const py::gil_scoped_release unlocked;
  if (batch.is_single()) {
    results.front() = work(std::size_t{0});
    return results;
  }
  for_each_run(batch.count(), [&](std::size_t& i, std::size_t last) {
    for (; i < last; ++i) results[i] = work(i);
  });
  return results;
}

}  // namespace limber::python
