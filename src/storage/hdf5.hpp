// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What we use of HDF5: identifiers that close themselves, attributes, groups, rows of numbers. A call that fails is a
// ComputationError. Whatever is read is looked at first: what is not of the kind, the rank and the size that we write is an
// InputError with its name in the file. Nobody calls H5Aread or H5Dread but hdf5.cpp.

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace limber::hdf5 {

/// An identifier that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws where `id` is none: "HDF5 could not `what`".
  Handle(hid_t id, Close closer, const char* what);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;
  ~Handle();
  operator hid_t() const { return id_; }  // NOLINT
  /// Closing a file writes: it can fail.
  void close(const char* what);

 private:
  hid_t id_;
  Close close_;
};

void require(herr_t status, const char* what);

/// Before anything else: no messages of HDF5's own, and no work when the program ends.
void silence();

/// What kind a file of ours is: two attributes say it.
struct FileKind {
  const char* expected;  ///< in words
  const char* format;
  long version;
  const char* advice;  ///< where the version is another
};
void write_kind(hid_t file, const FileKind& kind);
/// A file of this kind was expected: throws InputError, without the file's name.
[[noreturn]] void refuse(const FileKind& kind, const char* found);
/// A file of this kind, to read; where it is none, refuse().
Handle open_file(const std::filesystem::path& file, const FileKind& kind);

hid_t text_type();
hid_t scalar();
Handle open_group(hid_t parent, const char* name);  ///< made where there is none

// Attributes. What is written replaces what is there.
void write_text(hid_t object, const char* name, const std::string& text);
void write_number(hid_t object, const char* name, double value);
void write_count(hid_t object, const char* name, long value);
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts);
void write_numbers(hid_t object, const char* name, const std::vector<double>& values);
void write_sums(hid_t object, const char* name, const std::vector<std::uint64_t>& values);

double read_number(hid_t object, const char* name);                   ///< finite
long read_count(hid_t object, const char* name);                      ///< >= 0
std::string read_text(hid_t object, const char* name);                ///< empty where there is none
std::vector<std::string> read_texts(hid_t object, const char* name);  ///< likewise
std::vector<double> read_numbers(hid_t object, const char* name);     ///< finite
std::vector<std::uint64_t> read_sums(hid_t object, const char* name);

/// A group that must be there.
Handle existing_group(hid_t parent, const char* name);
/// A dataset with one text: attributes hold 64 KiB.
void write_long_text(hid_t group, const std::string& name, const std::string& text);
std::string read_long_text(hid_t group, const std::string& name);

/// A list of texts, each with a number: a dataset of (`number_name`, `text_name`).
struct NumberedText {
  long number;
  std::string text;
};
void write_numbered_texts(hid_t file, const std::string& path, const char* number_name, const char* text_name,
                          const std::vector<NumberedText>& list);
std::vector<NumberedText> read_numbered_texts(hid_t file, const std::string& path, const char* number_name,
                                              const char* text_name);
/// A dataset of numbers that never grows, of this extent; the same bytes whenever it is written.
void write_table(hid_t file, const std::string& path, const std::vector<hsize_t>& size, const double* values,
                 const std::vector<std::string>& columns = {});

/// A dataset of numbers, one row after another.
class Rows {
 public:
  /// Throws InputError where `path` is no such dataset, or a row of it has another shape; 0 stands for any size.
  Rows(hid_t file, const std::string& path, const std::vector<hsize_t>& shape);

  const std::string& path() const { return path_; }
  long count() const { return static_cast<long>(size_.front()); }
  std::size_t width() const;  ///< numbers in a row
  std::vector<std::string> columns() const;
  /// `values` takes count * width() numbers.
  void read(long first, long count, double* values) const;

 private:
  std::string path_;
  Handle dataset_;
  std::vector<hsize_t> size_;
};

/// Whether there is a dataset, a group or something else of that name.
bool has(hid_t file, const std::string& path);

}  // namespace limber::hdf5
