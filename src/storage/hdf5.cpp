// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <system_error>
#include <utility>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

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

void write_kind(hid_t file, const FileKind& kind) {
  write_text(file, "format", kind.format);
  write_count(file, "format_version", kind.version);
}

void refuse(const FileKind& kind, const char* found) {
  throw InputError(Problem{"", kind.expected, found, ""});
}

Handle open_file(const std::filesystem::path& file, const FileKind& kind) {
  silence();
  std::error_code ignored;
  if (!exists(file, ignored)) refuse(kind, "no such file");
  if (is_directory(file, ignored)) refuse(kind, "a directory");
  if (!is_regular_file(file, ignored)) refuse(kind, "a device or pipe");
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0 && H5Fis_hdf5(file.c_str()) > 0)
    refuse(kind, "an HDF5 file that cannot be opened: is it cut off?");
  if (id < 0) refuse(kind, "a file that is no HDF5, or cannot be opened");
  Handle handle(id, H5Fclose, "open a file");
  if (H5Aexists(handle, "format") <= 0 || read_text(handle, "format") != kind.format)
    refuse(kind, "another HDF5 file");
  if (const long version = read_count(handle, "format_version"); version != kind.version)
    throw InputError(Problem{"", fmt::format("{} in version {} of the format", kind.expected, kind.version),
                             fmt::format("one in version {}", version), kind.advice});
  return handle;
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
  if (texts.empty()) {  // none is no attribute
    if (H5Aexists(object, name) > 0) H5Adelete(object, name);
    return;
  }
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a dataspace");
  write_attribute(object, name, text_type(), space, pointers.data());
}

namespace {

template <typename Number>
void write_list(hid_t object, const char* name, hid_t type, const std::vector<Number>& values) {
  const hsize_t size = values.size();
  const Handle space(size > 0 ? H5Screate_simple(1, &size, nullptr) : H5Screate(H5S_NULL), H5Sclose,
                     "make a dataspace");
  write_attribute(object, name, type, space, size > 0 ? values.data() : nullptr);
}

}  // namespace

void write_numbers(hid_t object, const char* name, const std::vector<double>& values) {
  write_list(object, name, H5T_NATIVE_DOUBLE, values);
}
void write_sums(hid_t object, const char* name, const std::vector<std::uint64_t>& values) {
  write_list(object, name, H5T_NATIVE_UINT64, values);
}

Handle open_group(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) > 0)
    return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "open a group"};
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

namespace {

// Times in a file would make two of the same content differ.
Handle timeless() {
  Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list");
  require(H5Pset_obj_track_times(how, false), "leave out times");
  return how;
}

}  // namespace

void write_long_text(hid_t group, const std::string& name, const std::string& text) {
  const hid_t type = text_type();
  const Handle how(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "make a property list");
  constexpr std::size_t buffer = 1024;  // bytes, for pointers; else two of a megabyte
  require(H5Pset_buffer(how, buffer, nullptr, nullptr), "choose a buffer");
  const Handle timed_by_nothing = timeless();
  const Handle dataset(
      H5Dcreate2(group, name.c_str(), type, scalar(), H5P_DEFAULT, timed_by_nothing, H5P_DEFAULT), H5Dclose,
      "make a dataset");
  const char* pointer = text.c_str();
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, how, &pointer), "write a text");
}

// ---- reading ----

namespace {

constexpr hsize_t longest_list = 10'000'000;  // of names or numbers of an arm: far beyond any
constexpr double most_numbers = 1e12;         // of a dataset: eight terabytes

[[noreturn]] void refuse(const std::string& name, const std::string& expected, const std::string& found) {
  throw InputError(Problem{name, expected, found, "was it written by another program, or damaged?"});
}

/// Integers, numbers or texts: what H5T calls a class.
const char* kind_name(H5T_class_t kind) {
  switch (kind) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return "numbers";
    case H5T_STRING:
      return "texts";
    default:
      return "data of another kind";
  }
}

std::string size_words(const std::vector<hsize_t>& size) {
  std::string words;
  for (const hsize_t n : size) words += fmt::format("{}{}", words.empty() ? "" : " x ", n);
  return words.empty() ? "one" : words;
}

void refuse_other_kinds(hid_t type, H5T_class_t wanted, const std::string& name) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != wanted) refuse(name, kind_name(wanted), kind_name(kind));
  if (kind == H5T_STRING && H5Tis_variable_str(type) <= 0)
    refuse(name, "texts of any length", "texts of a fixed one");
}

/// The extent of a dataspace; empty for a single value.
std::vector<hsize_t> extent_of(hid_t space, const std::string& name) {
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_SCALAR) return {};
  if (kind == H5S_NULL) return {0};
  const int rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 0 || rank > H5S_MAX_RANK) refuse(name, "an extent", "none");
  std::vector<hsize_t> size(static_cast<std::size_t>(rank), 0);
  if (rank > 0) require(H5Sget_simple_extent_dims(space, size.data(), nullptr), "read an extent");
  return size;
}

/// An attribute that holds what it should: one value, or a list.
struct Attribute {
  Handle handle;
  Handle space;
  std::size_t count;

  Attribute(hid_t object, const char* name, H5T_class_t kind, bool is_list)
      : handle(opened(object, name)), space(H5Aget_space(handle), H5Sclose, "read an attribute"), count(1) {
    const Handle type(H5Aget_type(handle), H5Tclose, "read the type of an attribute");
    refuse_other_kinds(type, kind, name);
    const std::vector<hsize_t> size = extent_of(space, name);
    if (size.empty()) return;
    if (!is_list || size.size() != 1 || size[0] > longest_list)
      refuse(name, is_list ? "a list" : "one value", size_words(size));
    count = size[0];
  }

  static Handle opened(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) refuse(name, "an attribute of that name", "none");
    return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "open an attribute"};
  }
};

/// Texts that HDF5 has allocated, and takes back.
class BorrowedTexts {
 public:
  BorrowedTexts(hid_t space, std::size_t count) : space_(space), pointers_(count, nullptr) {}
  ~BorrowedTexts() { H5Dvlen_reclaim(text_type(), space_, H5P_DEFAULT, pointers_.data()); }
  BorrowedTexts(const BorrowedTexts&) = delete;
  BorrowedTexts& operator=(const BorrowedTexts&) = delete;

  void* data() { return pointers_.data(); }
  std::vector<std::string> copies() const {
    std::vector<std::string> texts;
    for (const char* pointer : pointers_) texts.emplace_back(pointer ? pointer : "");
    return texts;
  }

 private:
  hid_t space_;
  std::vector<char*> pointers_;
};

void refuse_non_finite(const std::vector<double>& values, const std::string& name) {
  const auto at = std::find_if_not(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  if (at != values.end())
    refuse(fmt::format("{}[{}]", name, at - values.begin()), "a finite number", fmt::format("{}", *at));
}

}  // namespace

double read_number(hid_t object, const char* name) {
  const Attribute attribute(object, name, H5T_FLOAT, false);
  double value = 0.0;
  require(H5Aread(attribute.handle, H5T_NATIVE_DOUBLE, &value), "read a number");
  refuse_non_finite({value}, name);
  return value;
}
long read_count(hid_t object, const char* name) {
  const Attribute attribute(object, name, H5T_INTEGER, false);
  long value = 0;
  require(H5Aread(attribute.handle, H5T_NATIVE_LONG, &value), "read a number");
  if (value < 0) refuse(name, "a count", std::to_string(value));
  return value;
}
std::vector<std::string> read_texts(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Attribute attribute(object, name, H5T_STRING, true);
  if (attribute.count == 0) return {};
  BorrowedTexts texts(attribute.space, attribute.count);
  require(H5Aread(attribute.handle, text_type(), texts.data()), "read a text");
  return texts.copies();
}
std::string read_text(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Attribute attribute(object, name, H5T_STRING, false);
  BorrowedTexts text(attribute.space, 1);
  require(H5Aread(attribute.handle, text_type(), text.data()), "read a text");
  return text.copies().front();
}
std::vector<double> read_numbers(hid_t object, const char* name) {
  const Attribute attribute(object, name, H5T_FLOAT, true);
  std::vector<double> values(attribute.count);
  if (!values.empty()) require(H5Aread(attribute.handle, H5T_NATIVE_DOUBLE, values.data()), "read numbers");
  refuse_non_finite(values, name);
  return values;
}
std::vector<std::uint64_t> read_sums(hid_t object, const char* name) {
  const Attribute attribute(object, name, H5T_INTEGER, true);
  std::vector<std::uint64_t> values(attribute.count);
  if (!values.empty()) require(H5Aread(attribute.handle, H5T_NATIVE_UINT64, values.data()), "read sums");
  return values;
}

// Every step of the way: H5Lexists fails where one before the last is missing.
bool has(hid_t file, const std::string& path) {
  for (std::size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    if (H5Lexists(file, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

namespace {

// A link may lead to another file, or to nothing.
Handle open_object(hid_t file, const std::string& path, H5I_type_t wanted, const char* what) {
  if (!has(file, path)) refuse(path, what, "nothing of that name");
  Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose, "open an object");
  if (H5Iget_type(object) != wanted) refuse(path, what, "something else");
  H5O_info_t here, there;
  require(H5Oget_info2(file, &here, H5O_INFO_BASIC), "look at the file");
  require(H5Oget_info2(object, &there, H5O_INFO_BASIC), "look at an object");
  if (here.fileno != there.fileno)
    refuse(path, std::string(what) + " of this file", "a link to another file");
  return object;
}

Handle open_dataset(hid_t file, const std::string& path) {
  Handle dataset = open_object(file, path, H5I_DATASET, "a dataset");
  const Handle how(H5Dget_create_plist(dataset), H5Pclose, "look at a dataset");
  if (H5Pget_layout(how) == H5D_VIRTUAL || H5Pget_external_count(how) != 0)
    refuse(path, "a dataset with its data in this file", "one with its data elsewhere");
  return dataset;
}

}  // namespace

Handle existing_group(hid_t parent, const char* name) {
  return open_object(parent, name, H5I_GROUP, "a group");
}

std::string read_long_text(hid_t group, const std::string& name) {
  const Handle dataset = open_dataset(group, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of a dataset");
  refuse_other_kinds(type, H5T_STRING, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, "open a dataspace");
  if (const auto size = extent_of(space, name); !size.empty()) refuse(name, "one text", size_words(size));
  BorrowedTexts text(space, 1);
  require(H5Dread(dataset, text_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "read a text");
  return text.copies().front();
}

// ---- lists and tables of studies ----

namespace {

/// As it lies in memory.
struct RawNumberedText {
  std::int64_t number;
  char* text;
};

Handle numbered_text_type(const char* number_name, const char* text_name) {
  Handle type(H5Tcreate(H5T_COMPOUND, sizeof(RawNumberedText)), H5Tclose, "make a compound type");
  require(H5Tinsert(type, number_name, offsetof(RawNumberedText, number), H5T_NATIVE_INT64),
          "make a compound type");
  require(H5Tinsert(type, text_name, offsetof(RawNumberedText, text), text_type()), "make a compound type");
  return type;
}

}  // namespace

void write_numbered_texts(hid_t file, const std::string& path, const char* number_name, const char* text_name,
                          const std::vector<NumberedText>& list) {
  const Handle type = numbered_text_type(number_name, text_name);
  const hsize_t size = list.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a dataspace");
  const Handle how = timeless();
  const Handle dataset(H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose,
                       "make a dataset");
  if (list.empty()) return;
  std::vector<std::string> texts;
  std::vector<RawNumberedText> raw;
  for (const NumberedText& one : list) texts.push_back(one.text);
  for (std::size_t i = 0; i < list.size(); ++i) raw.push_back({list[i].number, texts[i].data()});
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), "write a list");
}

std::vector<NumberedText> read_numbered_texts(hid_t file, const std::string& path, const char* number_name,
                                              const char* text_name) {
  const Handle dataset = open_dataset(file, path);
  const Handle stored(H5Dget_type(dataset), H5Tclose, "read the type of a dataset");
  const Handle type = numbered_text_type(number_name, text_name);
  const bool is_ours =
      H5Tget_class(stored) == H5T_COMPOUND && H5Tget_nmembers(stored) == 2 &&
      H5Tget_member_index(stored, number_name) == 0 && H5Tget_member_class(stored, 0) == H5T_INTEGER &&
      H5Tget_member_index(stored, text_name) == 1 && H5Tget_member_class(stored, 1) == H5T_STRING;
  if (!is_ours) refuse(path, "a list of numbers and texts", "something else");
  const Handle space(H5Dget_space(dataset), H5Sclose, "open a dataspace");
  const std::vector<hsize_t> size = extent_of(space, path);
  if (size.size() != 1 || size[0] > longest_list) refuse(path, "a list", size_words(size));
  std::vector<RawNumberedText> raw(size[0], RawNumberedText{0, nullptr});
  if (raw.empty()) return {};
  require(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), "read a list");
  std::vector<NumberedText> list;
  for (const RawNumberedText& one : raw)
    list.push_back({static_cast<long>(one.number), one.text ? one.text : ""});
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
  return list;
}

void write_table(hid_t file, const std::string& path, const std::vector<hsize_t>& size, const double* values,
                 const std::vector<std::string>& columns) {
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
                     "make a dataspace");
  const Handle how = timeless();
  const Handle dataset(
      H5Dcreate2(file, path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose,
      "make a dataset");
  write_texts(dataset, "columns", columns);
  for (const hsize_t n : size)
    if (n == 0) return;
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a table");
}

Rows::Rows(hid_t file, const std::string& path, const std::vector<hsize_t>& shape)
    : path_(path), dataset_(open_dataset(file, path)) {
  const Handle type(H5Dget_type(dataset_), H5Tclose, "read the type of a dataset");
  refuse_other_kinds(type, H5T_FLOAT, path);
  const Handle space(H5Dget_space(dataset_), H5Sclose, "open a dataspace");
  size_ = extent_of(space, path);
  std::vector<hsize_t> wanted = {0};
  wanted.insert(wanted.end(), shape.begin(), shape.end());
  bool fits = size_.size() == wanted.size();
  double numbers = 1.0;
  for (std::size_t i = 0; fits && i < wanted.size(); ++i) {
    fits = wanted[i] == 0 || size_[i] == wanted[i];
    numbers *= static_cast<double>(size_[i]);
  }
  if (!fits || numbers > most_numbers) {
    std::string words = "rows";
    for (const hsize_t n : shape) words += n > 0 ? fmt::format(" x {}", n) : " x any";
    refuse(path, words, size_words(size_));
  }
}

std::size_t Rows::width() const {
  std::size_t product = 1;
  for (std::size_t i = 1; i < size_.size(); ++i) product *= size_[i];
  return product;
}

std::vector<std::string> Rows::columns() const { return read_texts(dataset_, "columns"); }

void Rows::read(long first, long count, double* values) const {
  if (count == 0 || width() == 0) return;
  std::vector<hsize_t> start(size_.size(), 0), block = size_;
  start.front() = static_cast<hsize_t>(first);
  block.front() = static_cast<hsize_t>(count);
  const Handle in_file(H5Dget_space(dataset_), H5Sclose, "open a dataspace");
  require(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr),
          "select rows");
  const Handle in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose,
                         "make a dataspace");
  require(H5Dread(dataset_, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values), "read rows");
}

}  // namespace limber::hdf5
