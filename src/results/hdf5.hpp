#pragma once

// What we use of HDF5: identifiers that close themselves, attributes, groups. Failure is a ComputationError.

#include <hdf5.h>

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

hid_t text_type();
hid_t scalar();
Handle open_group(hid_t parent, const char* name);  ///< made where there is none

// Attributes. What is written replaces what is there.
void write_text(hid_t object, const char* name, const std::string& text);
void write_number(hid_t object, const char* name, double value);
void write_count(hid_t object, const char* name, long value);
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts);
void write_numbers(hid_t object, const char* name, const std::vector<double>& values);
double read_number(hid_t object, const char* name);
long read_count(hid_t object, const char* name);
std::string read_text(hid_t object, const char* name);                ///< empty where there is none
std::vector<std::string> read_texts(hid_t object, const char* name);  ///< likewise
std::vector<double> read_numbers(hid_t object, const char* name);

}  // namespace limber::hdf5
