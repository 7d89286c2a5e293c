// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check_sum.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

using namespace hdf5;

namespace {

std::vector<double> as_list(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }
Eigen::VectorXd as_vector(const std::vector<double>& list) {
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

// The kinds of RunPeaks in the order of the file.
using PeakKind = std::vector<Peak> RunPeaks::*;
constexpr PeakKind of_coordinates[] = {&RunPeaks::deviation, &RunPeaks::effort, &RunPeaks::asked,
                                       &RunPeaks::rate,      &RunPeaks::lowest, &RunPeaks::highest};
constexpr PeakKind of_links[] = {&RunPeaks::deflection, &RunPeaks::slope};
constexpr PeakKind of_whole_links[] = {&RunPeaks::whole_deflection, &RunPeaks::whole_slope};

// Links as described, where some are in segments `<link>.1`, `<link>.2`, ...: names as described have no dots. Else 0.
std::size_t count_whole_links(const std::vector<std::string>& links) {
  const auto has_dot = [](const std::string& name) { return name.find('.') != std::string::npos; };
  if (std::none_of(links.begin(), links.end(), has_dot)) return 0;
  return static_cast<std::size_t>(std::count_if(links.begin(), links.end(), [&](const std::string& name) {
    return !has_dot(name) || name.ends_with(".1");
  }));
}
// Six for each link, and one; in runs that look at sections.
constexpr PeakKind of_sections[] = {&RunPeaks::section_forces, &RunPeaks::stress};
constexpr std::size_t sections_per_link = 7;

// value, time, value, time, ...
std::vector<double> flat(const RunPeaks& peaks) {
  std::vector<double> values;
  const auto add = [&](PeakKind kind) {
    for (const Peak& peak : peaks.*kind) values.insert(values.end(), {peak.value, peak.time});
  };
  for (const PeakKind kind : of_coordinates) add(kind);
  for (const PeakKind kind : of_links) add(kind);
  for (const PeakKind kind : of_whole_links) add(kind);
  for (const PeakKind kind : of_sections) add(kind);
  return values;
}
std::size_t flat_size(std::size_t coordinates, std::size_t links, std::size_t whole_links) {
  return 2 * (std::size(of_coordinates) * coordinates + std::size(of_links) * links +
              std::size(of_whole_links) * whole_links);
}
std::size_t sections_size(std::size_t links) { return 2 * sections_per_link * links; }
RunPeaks peaks_of(const std::vector<double>& values, std::size_t coordinates, std::size_t links,
                  std::size_t whole_links) {
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    std::vector<Peak> peaks(count);
    for (Peak& peak : peaks) {
      peak = {values[at], values[at + 1]};
      at += 2;
    }
    return peaks;
  };
  RunPeaks peaks;
  for (const PeakKind kind : of_coordinates) peaks.*kind = take(coordinates);
  for (const PeakKind kind : of_links) peaks.*kind = take(links);
  for (const PeakKind kind : of_whole_links) peaks.*kind = take(whole_links);
  if (at == values.size()) return peaks;
  peaks.section_forces = take((sections_per_link - 1) * links);
  peaks.stress = take(links);
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
    *value = numbers[at++];
  constexpr double largest_count = 9007199254740992.0;  // 2^53: every integer up to there is a double
  for (long* value : {&c.rows, &c.steps, &c.rejected, &c.evaluations, &c.tangents}) {
    const double number = numbers[at++];
    if (!(number >= 0.0 && number <= largest_count))
      throw InputError(Problem{"checkpoint/numbers", "counts", fmt::format("{}", number), ""});
    *value = static_cast<long>(number);
  }
}

constexpr const char* parts[] = {"y", "auxiliary", "numbers", "peaks", "readings", "samples"};
constexpr std::size_t part_count = std::size(parts), number_count = 13;

std::uint64_t sum_of(const std::vector<double> (&values)[part_count]) {  // NOLINT: one for each of `parts`
  CheckSum sum;
  for (const auto& list : values) sum.add(list.data(), list.size());
  return sum.value();
}

std::vector<double> read_part(hid_t group, const char* name) {
  try {
    return read_numbers(group, name);
  } catch (const InputError& error) {
    Problem problem = error.problems().front();
    problem.path = "checkpoint/" + problem.path;
    throw InputError(problem);
  }
}

void require_length(const char* name, std::size_t expected, std::size_t found) {
  if (expected != found)
    throw InputError(Problem{std::string("checkpoint/") + name, fmt::format("{} numbers", expected),
                             fmt::format("{}", found), ""});
}

// Of rows, then of texts, then of the checkpoint itself.
std::vector<std::uint64_t> read_all_sums(hid_t group, const ResultNames& names) {
  const std::vector<std::uint64_t> sums = hdf5::read_sums(group, "sums");
  require_length("sums", names.quantities.size() + 2, sums.size());
  return sums;
}

}  // namespace

// In few attributes: to make one takes as long as to evaluate an arm twenty times.
void write_checkpoint(hid_t file, const Checkpoint& c, const ResultSums& sums) {
  const Handle group = open_group(file, "checkpoint");
  const std::vector<double> values[part_count] = {
      as_list(c.integrator.y),      as_list(c.integrator.auxiliary), numbers_of(c), flat(c.peaks), c.readings,
      as_list(c.integrator.samples)};
  for (std::size_t i = 0; i < part_count; ++i) write_numbers(group, parts[i], values[i]);
  write_texts(group, "notes", c.notes);
  std::vector<std::uint64_t> all = sums.rows;
  all.insert(all.end(), {sums.texts, sum_of(values)});
  write_sums(group, "sums", all);
}

Checkpoint read_checkpoint(hid_t file, const ResultNames& names) {
  const Handle group = existing_group(file, "checkpoint");
  const std::vector<double> values[part_count] = {read_part(group, parts[0]), read_part(group, parts[1]),
                                                  read_part(group, parts[2]), read_part(group, parts[3]),
                                                  read_part(group, parts[4]), read_part(group, parts[5])};
  require_length("numbers", number_count, values[2].size());
  if (sum_of(values) != read_all_sums(group, names).back())
    throw InputError(Problem{"checkpoint", "the numbers that were written there", "others",
                             "the file was damaged or changed; start the run anew"});
  Checkpoint c;
  c.integrator.y = as_vector(values[0]);
  c.integrator.auxiliary = as_vector(values[1]);
  c.readings = values[4];
  c.integrator.samples = as_vector(values[5]);
  c.notes = read_texts(group, "notes");
  set_numbers(values[2], c);
  if (c.rows == 0) return c;  // of a run that failed before its first row
  const std::size_t coordinates = names.coordinates.size() + names.cylinders.size(),
                    links = names.links.size(), whole_links = count_whole_links(names.links),
                    without_sections = flat_size(coordinates, links, whole_links);
  if (values[3].size() != without_sections + sections_size(links))
    require_length("peaks", without_sections, values[3].size());
  c.peaks = peaks_of(values[3], coordinates, links, whole_links);
  return c;
}

ResultSums read_result_sums(hid_t file, const ResultNames& names) {
  const std::vector<std::uint64_t> all = read_all_sums(existing_group(file, "checkpoint"), names);
  return {{all.begin(), all.end() - 2}, all[all.size() - 2]};
}

}  // namespace limber
