// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arrays of numpy as arguments and as results.
//
// An argument of `width` numbers is one vector, or a batch of them with any number of leading axes: (width), (n, width), (n, m, width).
// Arguments of one call are all of the same batch, or single vectors that stand for every state of it. What is float64 and
// contiguous is read where it is; other real numbers are converted first.

#include <pybind11/numpy.h>

#include <cstddef>
#include <vector>

#include "arm.hpp"
#include "limber/math/types.hpp"
#include "parallel.hpp"

namespace limber::python {

/// What a user hands over as numbers.
struct Numbers {
  py::object given = py::none();
  bool is_none() const { return given.is_none(); }
};
/// What a function gives back.
struct Array : py::array_t<double> {
  using py::array_t<double>::array_t;
};

using Shape = std::vector<py::ssize_t>;
using VectorView = Eigen::Map<const Eigen::VectorXd>;
using VectorTarget = Eigen::Map<Eigen::VectorXd>;
using MatrixTarget = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// An argument's rows.
class Rows {
 public:
  /// Throws InputError for what are no real numbers, or too many or few. None: zeros.
  Rows(const char* name, const Numbers& numbers, py::ssize_t width);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  /// Of one state.
  VectorView operator[](std::size_t i) const { return {data_ + i * step_, width_}; }
  const char* name() const { return name_; }
  const Shape& leading() const { return leading_; }

 private:
  const char* name_;
  py::object keep_;
  Eigen::VectorXd zeros_;
  const double* data_ = nullptr;
  std::size_t step_ = 0;  ///< 0: the same vector for every state
  py::ssize_t width_;
  Shape leading_;
};

/// The states of a call.
class Batch {
 public:
  /// Throws InputError for arguments of different batches.
  explicit Batch(std::initializer_list<const Rows*> arguments);

  /// A batch of one, without a leading axis.
  bool is_single() const { return leading_.empty(); }
  std::size_t count() const { return count_; }
  const Shape& leading() const { return leading_; }
  /// An array with the batch's axes in front of `shape`.
  Array array(std::initializer_list<py::ssize_t> shape) const;

  /// work(workspace, i) for every state: in order where there is one, on all cores and without the interpreter's lock where there are many.
  template <typename Work>
  void run(Arm& arm, Work&& work) const {
    if (count_ == 0) return;
    if (is_single()) {
      const Arm::Lease lease(arm);
      work(*lease, std::size_t{0});
      return;
    }
    const py::gil_scoped_release unlocked;
    for_each_run(count_, [&](std::size_t& i, std::size_t last) {
      const Arm::Lease lease(arm);
      for (; i < last; ++i) work(*lease, i);
    });
  }

 private:
  Shape leading_;
  std::size_t count_ = 1;
};

/// Row i of a result, as a vector.
inline VectorTarget row(double* data, std::size_t i, py::ssize_t width) {
  return {data + i * static_cast<std::size_t>(width), width};
}
/// Matrix i of a result, row by row in memory.
inline MatrixTarget matrix(double* data, std::size_t i, py::ssize_t rows, py::ssize_t columns) {
  return {data + i * static_cast<std::size_t>(rows * columns), rows, columns};
}

/// An Eigen matrix as an array of two axes, a vector as one of one.
template <typename Derived>
Array array_of(const Eigen::MatrixBase<Derived>& source) {
  constexpr bool is_vector = Derived::ColsAtCompileTime == 1;
  Array array(is_vector ? Shape{source.rows()} : Shape{source.rows(), source.cols()});
  matrix(array.mutable_data(), 0, source.rows(), source.cols()) = source;
  return array;
}

}  // namespace limber::python

namespace pybind11::detail {

template <>
struct type_caster<limber::python::Numbers> {
  PYBIND11_TYPE_CASTER(limber::python::Numbers, const_name("numpy.typing.ArrayLike"));
  bool load(handle source, bool) {
    value.given = reinterpret_borrow<object>(source);
    return true;
  }
  static handle cast(const limber::python::Numbers& numbers, return_value_policy, handle) {
    return object(numbers.given).release();
  }
};

template <>
struct type_caster<limber::python::Array> {
  PYBIND11_TYPE_CASTER(limber::python::Array, const_name("numpy.typing.NDArray[numpy.float64]"));
  bool load(handle source, bool) {
    if (!array_t<double>::check_(source)) return false;
    value = reinterpret_borrow<limber::python::Array>(source);
    return true;
  }
  static handle cast(const limber::python::Array& array, return_value_policy, handle) {
    return object(array).release();
  }
};

}  // namespace pybind11::detail
