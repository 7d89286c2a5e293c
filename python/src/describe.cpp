// SPDX-License-Identifier: BSD-3-Clause
#include "describe.hpp"

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "limber/model/description_fields.hpp"

namespace limber::python {
namespace {

namespace py = pybind11;

template <typename T>
py::object value_of(const T& value);

template <int Size>
py::object list_of(const Eigen::Matrix<double, Size, 1>& values) {
  py::list list;
  for (const double value : values) list.append(value);
  return list;
}

/// Visitor of description_fields.hpp: a block as a dictionary. `usual` is the same block as nobody has touched it.
class Dictionary {
 public:
  void block(const char*, const char*) {}
  void version(const Field& field) { result[field.key] = 1; }
  template <typename T>
  void field(const Field& field, const T& member) {
    py::object value = value_of(member);
    const bool is_said = !value.is_none() && !(py::isinstance<py::dict>(value) && py::len(value) == 0) &&
                         !(py::isinstance<py::list>(value) && py::len(value) == 0) &&
                         !(py::isinstance<py::str>(value) && py::len(value) == 0);
    if (is_said || field.required) result[field.key] = value;
  }
  void shape(const Field& field, const ShapeFamily& family, const std::optional<ModeTable>& table) {
    if (!table) {
      result[field.key] = choice_name(family);
      return;
    }
    py::list values;
    for (Eigen::Index i = 0; i < table->values.rows(); ++i)
      values.append(list_of<Eigen::Dynamic>(table->values.row(i).transpose()));
    py::dict numbers, shape;
    numbers["x"] = list_of<Eigen::Dynamic>(table->x);
    numbers["values"] = values;
    shape["table"] = numbers;
    result[field.key] = shape;
  }
  void place(const Field& member_field, double at, const std::string& interface) {
    if (interface.empty())
      field(member_field, at);
    else
      field(member_field, interface);
  }
  void body(const Field& field, const std::string& file, const std::shared_ptr<const ReducedBody>& reduced) {
    result[field.key] = reduced && !reduced->source.empty() ? reduced->source : file;
  }
  template <typename Variant>
  void variant(const Field& field, const Variant& member) {
    result[field.key] = type_name(member);
    std::visit([this](const auto& held) { describe(*this, held); }, member);
  }
  void exactly_one_of(const std::vector<Alternative>&) {}
  void at_most_one_of(const std::vector<Alternative>&) {}

  py::dict result;
};

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<std::vector<T>> : std::true_type {};
template <typename T, std::size_t Size>
struct IsList<std::array<T, Size>> : std::true_type {};

template <typename T>
py::object value_of(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? value_of(*value) : py::none();
  } else if constexpr (IsList<T>::value) {
    py::list list;
    for (const auto& item : value) list.append(value_of(item));
    return list;
  } else if constexpr (std::is_same_v<T, bool>) {
    return py::bool_(value);
  } else if constexpr (std::is_same_v<T, int>) {
    return py::int_(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return py::float_(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return py::str(value);
  } else if constexpr (std::is_same_v<T, NumberOrAuto>) {
    return value.automatic ? py::object(py::str("auto")) : py::object(py::float_(value.value));
  } else if constexpr (Named<T>) {
    return py::str(choice_name(value));
  } else if constexpr (std::is_base_of_v<Eigen::MatrixBase<T>, T>) {
    return list_of<T::RowsAtCompileTime>(value);
  } else {
    Dictionary dictionary;
    describe(dictionary, value);
    return std::move(dictionary.result);
  }
}

}  // namespace

py::dict dictionary_of(const ModelDescription& description) { return value_of(description); }

}  // namespace limber::python
