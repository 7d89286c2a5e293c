// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The study file's format, once, as scenario/description_fields.hpp has it for the scenario file.

#include "limber/io/study_choices.hpp"
#include "limber/io/study_file.hpp"
#include "limber/scenario/description_fields.hpp"

namespace limber {

template <typename Visitor>
void describe_distribution(Visitor& v, auto& spread) {
  v.field({.key = "uniform", .meaning = "[from, to], all between equally likely"}, spread.uniform);
  v.field({.key = "normal", .meaning = "[mean, standard deviation]"}, spread.normal);
  v.field({.key = "lognormal", .meaning = "[median, standard deviation of the logarithm]"}, spread.lognormal);
  v.field({.key = "values", .meaning = "a list: these values, each as often"}, spread.values);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DistributionDescription> auto& spread) {
  v.block("distribution", "How a factor on the file's value is spread.");
  describe_distribution(v, spread);
  v.exactly_one_of({{"`uniform`", {"uniform"}},
                    {"`normal`", {"normal"}},
                    {"`lognormal`", {"lognormal"}},
                    {"`values`", {"values"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<VariationDescription> auto& variation) {
  v.block("variation", "How a value is varied.");
  describe_distribution(v, variation.distribution);
  v.field({.key = "scale", .meaning = "a factor on the file's value, spread like this", .otherwise = "none"},
          variation.scale);
  v.field({.key = "levels",
           .meaning = "method: grid: how many values",
           .range = {2.0, 1e6},
           .otherwise = "as many as `samples` allows"},
          variation.levels);
  v.exactly_one_of({{"`uniform`", {"uniform"}},
                    {"`normal`", {"normal"}},
                    {"`lognormal`", {"lognormal"}},
                    {"`values`", {"values"}},
                    {"`scale`", {"scale"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<CorrelationDescription> auto& correlation) {
  v.block("correlation", "Two values that go together (a Gaussian copula).");
  v.field({.key = "between", .meaning = "two paths of `vary`", .required = true, .text = TextRule::reference},
          correlation.between);
  v.field({.key = "value",
           .meaning = "correlation of the two as normal numbers; between -1 and 1",
           .required = true,
           .range = {-1.0, 1.0}},
          correlation.value);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<MeasureDescription> auto& measure) {
  v.block("measure", "One number per variant.");
  v.field({.key = "name", .meaning = "what results call it", .otherwise = "`of`, and `what` behind it"},
          measure.name);
  v.field(
      {.key = "of",
       .meaning =
           "simulate: a coordinate, `<coordinate>.rate`, `end_effector.x` ..., `LINK@0.5.y` ..., a sensor, a "
           "column of `simulate --csv`, a metric of `simulate --json`; other tasks: a place in the task's "
           "JSON, such as `frequencies_hz[0]`",
       .required = true,
       .text = TextRule::reference},
      measure.of);
  v.field({.key = "what",
           .meaning = "over the time of the run, or over the elements of a list",
           .otherwise = "final; of a single number, that"},
          measure.what);
  v.field({.key = "task",
           .meaning = "another task that has it: of a scenario's arm, too",
           .otherwise = "the study's"},
          measure.task);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DesignVariableDescription> auto& variable) {
  v.block("variable", "A value that is to be chosen.");
  v.field({.key = "lower", .meaning = "smallest value", .required = true}, variable.lower);
  v.field({.key = "upper", .meaning = "largest value", .required = true}, variable.upper);
  v.field({.key = "start",
           .meaning = "where the search begins",
           .otherwise = "the file's value; where that is beyond the others, their middle"},
          variable.start);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ConstraintDescription> auto& constraint) {
  v.block("constraint", "What a measure has to keep to: `above`, `below`, or both.");
  v.field({.key = "measure", .meaning = "name of a measure", .required = true, .text = TextRule::reference},
          constraint.measure);
  v.field({.key = "above", .meaning = "not less than this", .otherwise = "any"}, constraint.above);
  v.field({.key = "below", .meaning = "not more than this", .otherwise = "any"}, constraint.below);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SearchDescription> auto& search) {
  v.block("search", "How the best is looked for.");
  v.field({.key = "method",
           .meaning = "`gradient`: local, by derivatives; `derivative-free`: local; `global`: everywhere "
                      "between `lower` and `upper`; `auto`: gradient where all measures are smooth (no "
                      "simulation), otherwise global"},
          search.method);
  v.field({.key = "tolerance",
           .meaning = "of values, as parts of upper - lower, and of measures, relative",
           .range = {1e-12, 0.1}},
          search.tolerance);
  v.field({.key = "evaluations", .meaning = "variants at most, of each search", .range = {1.0, 1e9}},
          search.evaluations);
  v.field({.key = "points", .meaning = "two objectives: points of the front", .range = {3.0, 1e4}},
          search.points);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<HistoriesDescription> auto& histories) {
  v.block("histories", "What is kept of a run's course.");
  v.field(
      {.key = "of", .meaning = "names, as a measure's `of`", .required = true, .text = TextRule::reference},
      histories.of);
  v.field({.key = "points", .meaning = "rows of each, evenly spread over the run's", .range = {2.0, 1e6}},
          histories.points);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<StudyDescription> auto& study) {
  v.block("study", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.field({.key = "scenario",
           .meaning = "scenario file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "`model` is given"},
          study.scenario);
  v.field({.key = "model",
           .meaning = "model file, relative to this file; with another task than simulate",
           .text = TextRule::reference,
           .otherwise = "`scenario` is given"},
          study.model);
  v.field({.key = "task", .meaning = "what is computed for every variant"}, study.task);
  v.field({.key = "state",
           .meaning = "modes, statics, linearize, zeros: state file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "q = 0"},
          study.state);
  v.field({.key = "settle", .meaning = "modes, linearize, zeros: about the static equilibrium"},
          study.settle);
  v.field({.key = "joints",
           .meaning = "modes: held, locked, free or as-modelled",
           .text = TextRule::reference,
           .otherwise = "held"},
          study.joints);
  v.field({.key = "count", .meaning = "modes: how many", .range = {1.0, 1e6}}, study.count);
  v.field({.key = "outputs",
           .meaning = "linearize, zeros: names of outputs",
           .text = TextRule::reference,
           .otherwise = "the command's"},
          study.outputs);
  v.field({.key = "inputs",
           .meaning = "zeros: joints whose motors act",
           .text = TextRule::reference,
           .otherwise = "the command's"},
          study.inputs);
  v.field({.key = "vary",
           .meaning = "values that are varied, by path (`links.boom.beam.length`, in a scenario "
                      "`model.links.boom...`)",
           .otherwise = "`optimise` is given"},
          study.vary);
  v.field({.key = "correlation", .meaning = "values that go together", .otherwise = "none"},
          study.correlation);
  v.field({.key = "method", .meaning = "how variants are chosen"}, study.method);
  v.field({.key = "samples",
           .meaning = "how many variants; of a grid at most",
           .range = {1.0, 2e9},
           .otherwise = "what the levels of a grid make"},
          study.samples);
  v.field({.key = "seed", .meaning = "of everything random", .range = {0.0, 2e9}}, study.seed);
  v.field({.key = "scramble", .meaning = "sobol: Owen's scrambling of the points"}, study.scramble);
  v.field({.key = "measure", .meaning = "numbers per variant", .required = true}, study.measure);
  v.field({.key = "histories", .meaning = "simulate: courses that are kept", .otherwise = "none"},
          study.histories);
  v.field({.key = "optimise",
           .meaning = "in place of `vary`: values that are to be chosen, by path",
           .otherwise = "`vary` is given"},
          study.optimise);
  v.field({.key = "minimise",
           .meaning = "optimise: the measure that should be small; two (of `minimise` and `maximise` "
                      "together): their front",
           .text = TextRule::reference,
           .otherwise = "`maximise` is given"},
          study.minimise);
  v.field({.key = "maximise",
           .meaning = "optimise: the measure that should be large",
           .text = TextRule::reference,
           .otherwise = "`minimise` is given"},
          study.maximise);
  v.field({.key = "constraints", .meaning = "optimise: what designs have to keep to", .otherwise = "none"},
          study.constraints);
  v.field({.key = "search", .meaning = "optimise: how", .otherwise = "as below"}, study.search);
  v.exactly_one_of({{"`vary`", {"vary"}}, {"`optimise`", {"optimise"}}});
}

}  // namespace limber
