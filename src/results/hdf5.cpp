#include "hdf5.hpp"

#include <fmt/format.h>

#include <utility>

#include "limber/core/computation_error.hpp"

namespace limber::hdf5 {

Handle::Handle(hid_t id, Close closer, const char* what) : id_(id), close_(closer) {
  if (id < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::close(const char* what) {
  if (close_(std::exchange(id_, -1)) < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
}

void require(herr_t status, const char* what) {
  if (status < 0) throw ComputationError(fmt::format("HDF5 could not {}", what));
}

// HDF5 would print its own stack of errors on standard error; and it would try to close, when the program ends, what a
// full disk kept it from closing before, and crash. We close everything ourselves.
void silence() {
  static const bool once = [] { return H5dont_atexit() >= 0; }();
  (void)once;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

hid_t text_type() {
  static const Handle type = [] {
    Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    return text;
  }();
  return type;
}

namespace {

void write_attribute(hid_t object, const char* name, hid_t memory_type, hid_t space, const void* data) {
  if (H5Aexists(object, name) > 0) H5Adelete(object, name);
  const Handle attribute(H5Acreate2(object, name, memory_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  if (!data) return;
  require(H5Awrite(attribute, memory_type, data), "write an attribute");
}

}  // namespace

hid_t scalar() {
  static const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  return space;
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const char* pointer = text.c_str();
  write_attribute(object, name, text_type(), scalar(), &pointer);
}
void write_number(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, scalar(), &value);
}
void write_count(hid_t object, const char* name, long value) {
  write_attribute(object, name, H5T_NATIVE_LONG, scalar(), &value);
}
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a dataspace");
  write_attribute(object, name, text_type(), space, pointers.data());
}
void write_numbers(hid_t object, const char* name, const std::vector<double>& values) {
  const hsize_t size = values.size();
  const Handle space(size > 0 ? H5Screate_simple(1, &size, nullptr) : H5Screate(H5S_NULL), H5Sclose,
                     "make a dataspace");
  write_attribute(object, name, H5T_NATIVE_DOUBLE, space, size > 0 ? values.data() : nullptr);
}

namespace {

Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "read an attribute"};
}

}  // namespace

double read_number(hid_t object, const char* name) {
  double value = 0.0;
  require(H5Aread(open_attribute(object, name), H5T_NATIVE_DOUBLE, &value), "read a number");
  return value;
}
long read_count(hid_t object, const char* name) {
  long value = 0;
  require(H5Aread(open_attribute(object, name), H5T_NATIVE_LONG, &value), "read a number");
  return value;
}
std::vector<std::string> read_texts(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read an attribute");
  std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), nullptr);
  const hid_t type = text_type();
  require(H5Aread(attribute, type, pointers.data()), "read a text");
  std::vector<std::string> texts;
  for (char* pointer : pointers) texts.emplace_back(pointer ? pointer : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}
std::string read_text(hid_t object, const char* name) {
  const auto texts = read_texts(object, name);
  return texts.empty() ? "" : texts.front();
}
std::vector<double> read_numbers(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read an attribute");
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!values.empty()) require(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()), "read numbers");
  return values;
}

Handle open_group(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0)
    return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "open a group"};
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

}  // namespace limber::hdf5
