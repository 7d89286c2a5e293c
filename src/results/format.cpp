// SPDX-License-Identifier: BSD-3-Clause
#include "format.hpp"

#include "check_sum.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

using namespace hdf5;

namespace {

struct NamedValues {
  std::vector<std::string> names;
  std::vector<double> values;
};
NamedValues metrics_of(const StoredRun& run) {
  NamedValues all;
  for (const auto& [name, value] : run.metrics) {
    all.names.push_back(name);
    all.values.push_back(value);
  }
  return all;
}
NamedValues occurrences_of(const StoredRun& run) {
  NamedValues all;
  for (const Occurrence& occurrence : run.occurrences) {
    all.names.push_back(occurrence.name);
    all.values.push_back(occurrence.t);
  }
  return all;
}
void write_named(hid_t file, const char* names, const char* values, const NamedValues& all) {
  write_texts(file, names, all.names);
  write_numbers(file, values, all.values);
}
NamedValues read_named(hid_t file, const char* names, const char* values) {
  NamedValues all{read_texts(file, names), read_numbers(file, values)};
  if (all.names.size() != all.values.size())
    throw InputError(Problem{values, std::to_string(all.names.size()) + " numbers, as many as " + names,
                             std::to_string(all.values.size()), ""});
  return all;
}

}  // namespace

std::uint64_t ResultWords::sum() const {
  const ResultInfo& info = run.info;
  const ResultNames& names = run.names;
  CheckSum sum;
  for (const std::string* text :
       {&info.program, &info.formulation, &info.integrator, &info.method, &run.status, &arm})
    sum.add(*text);
  for (const auto* list : {&names.links, &names.joints, &names.coordinates, &names.targets, &names.sensors,
                           &names.sensor_units, &names.loops, &names.cylinders, &names.chambers,
                           &names.quantities, &run.warnings, &names.beams, &names.stressed, &names.places})
    for (const std::string& text : *list) sum.add(text);
  for (const SourceText& source : info.sources) {
    sum.add(source.name);
    sum.add(source.text);
  }
  for (const double number : {info.rtol, info.atol, info.step, info.duration, info.rate}) sum.add(&number, 1);
  for (const auto* list : {&run.frequencies.held, &run.frequencies.as_modelled})
    sum.add(list->data(), list->size());
  for (const NamedValues& all : {metrics_of(run), occurrences_of(run)}) {
    for (const std::string& name : all.names) sum.add(name);
    sum.add(all.values.data(), all.values.size());
  }
  return sum.value();
}

void write_head(hid_t file, const ResultWords& words) {
  const ResultInfo& info = words.run.info;
  const ResultNames& names = words.run.names;
  write_kind(file, result_kind);
  write_text(file, "program", info.program);
  write_text(file, "model", words.run.arm.name);
  write_text(file, "formulation", info.formulation);
  write_text(file, "integrator", info.integrator);
  write_number(file, "rtol", info.rtol);
  write_number(file, "atol", info.atol);
  write_number(file, "step", info.step);
  write_number(file, "duration", info.duration);
  write_number(file, "rate", info.rate);
  write_texts(file, "links", names.links);
  write_texts(file, "joints", names.joints);
  write_texts(file, "coordinates", names.coordinates);
  write_texts(file, "targets", names.targets);
  write_texts(file, "sensor_names", names.sensors);
  write_texts(file, "sensor_units", names.sensor_units);
  if (!names.loops.empty()) write_texts(file, "loop_names", names.loops);
  if (!names.cylinders.empty()) write_texts(file, "cylinder_names", names.cylinders);
  if (!names.chambers.empty()) write_texts(file, "chamber_names", names.chambers);
  write_texts(file, "quantities", names.quantities);
  if (!names.beams.empty()) {
    write_texts(file, "section_beams", names.beams);
    write_texts(file, "section_stressed", names.stressed);
    write_texts(file, "section_places", names.places);
  }
  write_long_text(file, "arm", words.arm);
  const Handle sources = open_group(file, "sources");
  std::vector<std::string> source_names;
  for (const SourceText& source : info.sources) {
    write_long_text(sources, std::to_string(source_names.size()), source.text);
    source_names.push_back(source.name);
  }
  write_texts(sources, "names", source_names);
}

void write_state(hid_t file, const ResultWords& words) {
  write_text(file, "method", words.run.info.method);
  write_text(file, "status", words.run.status);
  write_texts(file, "warnings", words.run.warnings);
  write_numbers(file, "frequencies_held", words.run.frequencies.held);
  write_numbers(file, "frequencies_as_modelled", words.run.frequencies.as_modelled);
  write_named(file, "metrics", "metrics_values", metrics_of(words.run));
  write_named(file, "events", "events_times", occurrences_of(words.run));
}

ResultWords read_words(hid_t file) {
  ResultWords words;
  ResultInfo& info = words.run.info;
  ResultNames& names = words.run.names;
  info.program = read_text(file, "program");
  info.formulation = read_text(file, "formulation");
  info.integrator = read_text(file, "integrator");
  info.method = read_text(file, "method");
  info.rtol = read_number(file, "rtol");
  info.atol = read_number(file, "atol");
  info.step = read_number(file, "step");
  info.duration = read_number(file, "duration");
  info.rate = read_number(file, "rate");
  const Handle sources = existing_group(file, "sources");
  for (const std::string& name : read_texts(sources, "names"))
    info.sources.push_back({name, read_long_text(sources, std::to_string(info.sources.size()))});
  names.links = read_texts(file, "links");
  names.joints = read_texts(file, "joints");
  names.coordinates = read_texts(file, "coordinates");
  names.targets = read_texts(file, "targets");
  names.sensors = read_texts(file, "sensor_names");
  names.sensor_units = read_texts(file, "sensor_units");
  names.loops = read_texts(file, "loop_names");
  names.cylinders = read_texts(file, "cylinder_names");
  names.chambers = read_texts(file, "chamber_names");
  names.quantities = read_texts(file, "quantities");
  if (H5Aexists(file, "section_beams") > 0) {
    names.beams = read_texts(file, "section_beams");
    names.stressed = read_texts(file, "section_stressed");
    names.places = read_texts(file, "section_places");
  }
  words.run.status = read_text(file, "status");
  words.run.warnings = read_texts(file, "warnings");
  words.run.frequencies = {read_numbers(file, "frequencies_held"),
                           read_numbers(file, "frequencies_as_modelled")};
  const NamedValues metrics = read_named(file, "metrics", "metrics_values"),
                    events = read_named(file, "events", "events_times");
  for (std::size_t i = 0; i < metrics.names.size(); ++i)
    words.run.metrics.emplace_back(metrics.names[i], metrics.values[i]);
  for (std::size_t i = 0; i < events.names.size(); ++i)
    words.run.occurrences.push_back({events.values[i], events.names[i]});
  words.arm = read_long_text(file, "arm");
  return words;
}

}  // namespace limber
