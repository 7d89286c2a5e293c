// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The format of fits, once, as study_fields.hpp has it for studies that vary.

#include "limber/io/fit_file.hpp"
#include "limber/io/study_choices.hpp"
#include "limber/scenario/description_fields.hpp"

namespace limber {

template <typename Visitor>
void describe(Visitor& v, Maybe<FittedDescription> auto& fitted) {
  v.block("fitted", "A value that is to be found.");
  v.field({.key = "start", .meaning = "where the search begins", .otherwise = "the file's value"},
          fitted.start);
  v.field({.key = "lower", .meaning = "not less than this", .otherwise = "any"}, fitted.lower);
  v.field({.key = "upper", .meaning = "not more than this", .otherwise = "any"}, fitted.upper);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DataDescription> auto& data) {
  v.block("data", "What was measured in one experiment.");
  v.field({.key = "file",
           .meaning = "CSV with a time history, relative to this file",
           .text = TextRule::reference,
           .otherwise = "`frequencies_hz` or `readings` is given"},
          data.file);
  v.field({.key = "time", .meaning = "the column with times", .unit = "s", .text = TextRule::reference},
          data.time);
  v.field({.key = "columns",
           .meaning = "column of the file, by output: a sensor, a coordinate, `<coordinate>.rate`, "
                      "`end_effector.x` ..., "
                      "`LINK@0.5.y` ...",
           .text = TextRule::reference},
          data.columns);
  v.field({.key = "from", .meaning = "rows before are left out", .unit = "s", .otherwise = "the first row"},
          data.from);
  v.field({.key = "to", .meaning = "rows behind are left out", .unit = "s", .otherwise = "the last row"},
          data.to);
  v.field({.key = "initial",
           .meaning = "coordinates and `<coordinate>.rate` whose value at t = 0 is to be found, too",
           .text = TextRule::reference,
           .otherwise = "none"},
          data.initial);
  v.field({.key = "scenario",
           .meaning = "scenario of this experiment, relative to this file",
           .text = TextRule::reference,
           .otherwise = "the study's"},
          data.scenario);
  v.field({.key = "frequencies_hz", .meaning = "natural frequencies", .unit = "Hz", .range = positive},
          data.frequencies_hz);
  v.field({.key = "modes",
           .meaning = "which of the arm's modes they are, counted from 1",
           .range = {1.0, 1e4},
           .otherwise = "the first ones"},
          data.modes);
  v.field({.key = "readings", .meaning = "what is shown at rest, by output"}, data.readings);
  v.numbers({.key = "sigma",
             .meaning = "standard deviations: by output; of frequencies a list; or one number for all",
             .range = positive,
             .otherwise = "the sensors' `noise`; without any, they are estimated"},
            data.sigma);
  v.field({.key = "state",
           .meaning = "frequencies, readings: state file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "q = 0"},
          data.state);
  v.field({.key = "settle", .meaning = "frequencies: about the static equilibrium"}, data.settle);
  v.field({.key = "joints",
           .meaning = "frequencies: held, locked, free or as-modelled",
           .text = TextRule::reference,
           .otherwise = "held"},
          data.joints);
  v.exactly_one_of(
      {{"`file`", {"file"}}, {"`frequencies_hz`", {"frequencies_hz"}}, {"`readings`", {"readings"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<CandidateDescription> auto& candidate) {
  v.block("candidate", "An experiment that could be made.");
  v.field({.key = "name", .meaning = "what it is called", .otherwise = "its scenario's file"},
          candidate.name);
  v.field({.key = "scenario",
           .meaning = "scenario file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "the study's"},
          candidate.scenario);
  v.field(
      {.key = "set", .meaning = "values of the scenario, by path, as `--set` has them", .otherwise = "none"},
      candidate.set);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<OutputLimitsDescription> auto& limits) {
  v.block("limits", "What an output may show during an experiment.");
  v.field({.key = "lower", .meaning = "not less than this", .otherwise = "any"}, limits.lower);
  v.field({.key = "upper", .meaning = "not more than this", .otherwise = "any"}, limits.upper);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ExperimentDesignDescription> auto& design) {
  v.block("design", "Which experiment tells most about the values of `fit`.");
  v.field({.key = "outputs",
           .meaning = "what is to be read: as in `columns`",
           .required = true,
           .text = TextRule::reference},
          design.outputs);
  v.field({.key = "rate",
           .meaning = "how often",
           .unit = "Hz",
           .range = positive,
           .otherwise = "the scenario's `output.rate`"},
          design.rate);
  v.field({.key = "to",
           .meaning = "until when",
           .unit = "s",
           .range = positive,
           .otherwise = "the scenario's `duration`"},
          design.to);
  v.numbers({.key = "sigma",
             .meaning = "standard deviations by output, or one number for all",
             .range = positive,
             .otherwise = "the sensors' `noise`"},
            design.sigma);
  v.field({.key = "candidates",
           .meaning = "experiments to choose from",
           .otherwise = "the study's scenario alone"},
          design.candidates);
  v.field({.key = "choose", .meaning = "how many of the candidates are to be made", .range = {1.0, 1e4}},
          design.choose);
  v.field({.key = "vary",
           .meaning = "values of the scenario that may be chosen, by path, each with `lower` and `upper`",
           .otherwise = "none"},
          design.vary);
  v.field(
      {.key = "limits", .meaning = "what outputs may show on the way, by output", .otherwise = "anything"},
      design.limits);
  v.field(
      {.key = "method", .meaning = "how `vary` is looked through; `auto`: without derivatives, from `start`"},
      design.method);
  v.field({.key = "evaluations", .meaning = "experiments that are computed, at most", .range = {1.0, 1e6}},
          design.evaluations);
  v.field({.key = "seed", .meaning = "of what is random in `global`", .range = {0.0, 1e9}}, design.seed);
  v.at_most_one_of({{"`candidates`", {"candidates"}}, {"`vary`", {"vary"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<FitDescription> auto& fit) {
  v.block("fit", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.field({.key = "scenario",
           .meaning = "scenario file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "`model` is given"},
          fit.scenario);
  v.field({.key = "model",
           .meaning = "model file, relative to this file; where nothing moves",
           .text = TextRule::reference,
           .otherwise = "`scenario` is given"},
          fit.model);
  v.field({.key = "fit",
           .meaning = "values that are to be found, by path (`links.boom.beam.length`, in a scenario "
                      "`model.links.boom...`)",
           .required = true},
          fit.fit);
  v.one_or_more({.key = "data",
                 .meaning = "what was measured: one experiment, or a list of them",
                 .otherwise = "`design` is given"},
                fit.data);
  v.field({.key = "tolerance",
           .meaning = "of the sum of squares, relative, at which to stop",
           .range = {1e-15, 0.1}},
          fit.tolerance);
  v.field({.key = "iterations", .meaning = "at most", .range = {1.0, 1e6}}, fit.iterations);
  v.field({.key = "design",
           .meaning = "for `identify --design`: what to measure, so that it tells most; with `data`, what to "
                      "measure next",
           .otherwise = "none"},
          fit.design);
  v.exactly_one_of({{"`scenario`", {"scenario"}}, {"`model`", {"model"}}});
}

}  // namespace limber
