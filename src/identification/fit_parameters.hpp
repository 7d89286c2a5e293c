// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The values that a fit looks for: where they stand, where the search begins, and what is wrong with them.

#include <string>
#include <vector>

#include "experiment.hpp"

namespace limber {

/// Those of `fit`, with the values of the experiment's files. Throws FileError.
std::vector<FitParameter> parameters_of(const FitFile& file, const Experiment& experiment);

Eigen::VectorXd start_values(const std::vector<FitParameter>& parameters);
std::vector<std::string> paths_of(const std::vector<FitParameter>& parameters);

/// What the files' own rules say about the start. Throws FileError.
void check_start(const FitFile& file, const std::vector<FitParameter>& parameters,
                 const Experiment& experiment);

/// Throws FileError for parameters that change nothing: `slopes` in units of their scales.
void refuse_idle(const FitFile& file, const std::vector<FitParameter>& parameters,
                 const Eigen::MatrixXd& slopes);

/// What an error of a changed file says, at a place of the fit.
Problem problem_at(const InputError& error, std::string place);

}  // namespace limber
