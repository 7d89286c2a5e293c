#include "checkpoint.hpp"

namespace limber {

using namespace hdf5;

namespace {

std::vector<double> as_list(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }
Eigen::VectorXd as_vector(const std::vector<double>& list) {
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

// value, time, value, time, ...: the five kinds of RunPeaks one after another.
std::vector<double> flat(const RunPeaks& peaks) {
  std::vector<double> values;
  for (const auto* kind : {&peaks.deviation, &peaks.effort, &peaks.rate, &peaks.deflection, &peaks.slope})
    for (const Peak& peak : *kind) values.insert(values.end(), {peak.value, peak.time});
  return values;
}
RunPeaks peaks_of(const std::vector<double>& values, std::size_t coordinates, std::size_t links) {
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    std::vector<Peak> peaks(count);
    for (Peak& peak : peaks) {
      peak = {values.at(at), values.at(at + 1)};
      at += 2;
    }
    return peaks;
  };
  RunPeaks peaks;
  for (auto* kind : {&peaks.deviation, &peaks.effort, &peaks.rate}) *kind = take(coordinates);
  for (auto* kind : {&peaks.deflection, &peaks.slope}) *kind = take(links);
  return peaks;
}

// The single numbers, in the order of the file.
std::vector<double> numbers_of(const Checkpoint& c) {
  const auto count = [](long n) { return static_cast<double>(n); };
  return {c.integrator.t,    c.integrator.step,    c.start.kinetic,  c.start.gravity, c.start.strain,
          c.largest_error,   c.energy_size,        c.wall_s,         count(c.rows),   count(c.steps),
          count(c.rejected), count(c.evaluations), count(c.tangents)};
}
void set_numbers(const std::vector<double>& numbers, Checkpoint& c) {
  std::size_t at = 0;
  for (double* value : {&c.integrator.t, &c.integrator.step, &c.start.kinetic, &c.start.gravity,
                        &c.start.strain, &c.largest_error, &c.energy_size, &c.wall_s})
    *value = numbers.at(at++);
  for (long* value : {&c.rows, &c.steps, &c.rejected, &c.evaluations, &c.tangents})
    *value = static_cast<long>(numbers.at(at++));
}

}  // namespace

// In few attributes: to make one takes as long as to evaluate an arm twenty times.
void write_checkpoint(hid_t file, const Checkpoint& c) {
  const Handle group = open_group(file, "checkpoint");
  write_numbers(group, "y", as_list(c.integrator.y));
  write_numbers(group, "auxiliary", as_list(c.integrator.auxiliary));
  write_numbers(group, "numbers", numbers_of(c));
  write_numbers(group, "peaks", flat(c.peaks));
}

Checkpoint read_checkpoint(hid_t file) {
  const Handle group(H5Gopen2(file, "checkpoint", H5P_DEFAULT), H5Gclose, "open the checkpoint");
  Checkpoint c;
  set_numbers(read_numbers(group, "numbers"), c);
  c.integrator.y = as_vector(read_numbers(group, "y"));
  c.integrator.auxiliary = as_vector(read_numbers(group, "auxiliary"));
  c.peaks = peaks_of(read_numbers(group, "peaks"), read_texts(file, "coordinates").size(),
                     read_texts(file, "links").size());
  return c;
}

}  // namespace limber
