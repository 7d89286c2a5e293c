// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a study that looks for the best (`optimise`): values p between their bounds, so that a measure m becomes as small as it can be.
//
// search.hpp sees numbers without units. With p_i = lower_i + (upper_i - lower_i) x_i:
//
//   f = +- m(p) / |m(start)|        minimise +, maximise -                                               (1)
//   g = (a - m(p)) / |a|            above: a; below: b likewise, with the other sign. A bound of 0 is taken in units of |m(start)|       (2)
//
// Two measures have no smallest pair, but a front: all designs of which neither becomes smaller without the other becoming larger. Its ends are the smallest of
// each alone (and, of designs that are as small, the one with the smallest other); between them, for levels e of the second that lie evenly between the ends (where one is more than ten times the other, evenly in their
// logarithms),
//
//   smallest m_1   with   m_2 <= e                                                                       (3)
//
// and, for as many levels of the first, the smallest m_2: a front that is steep here and flat there has points in both. That finds fronts of any shape
// (Haimes, Lasdon and Wismer, IEEE Trans. Syst. Man Cybern. 1 (1971), 296-297). Each level is a search of its own, begun between the ends' designs; what is
// worse in both than another point of the front is left out.
//
// Every evaluation is a variant of the result, in the order of the searches and of what each of them asked for: the same whatever the number of threads. A search
// that was interrupted is gone through again, and what it had computed is known.

#include "limber/core/export.hpp"
#include "limber/study/sweep.hpp"

namespace limber LIMBER_EXPORT {

/// As sweep(), which calls it where a study has `optimise`. Throws InputError for parts and remote workers;
/// ComputationError, with the nearest design, where none keeps to all constraints: the result has been written.
SweepSummary optimise(const Study& study, ResultLock file, StudyResult begun,
                      const SweepOptions& options = {});

}  // namespace limber
