// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The page of an identification: what was found and how well it is known, what the data do not tell, and of every instrument what was measured beside what the fitted
// arm shows, what is left over, its autocorrelation with the band in which that of white noise lies, and its distribution beside the normal one. One HTML file of text
// and vector graphics, without scripts.

#include <string>

#include "limber/core/export.hpp"
#include "limber/identification/identify.hpp"

namespace limber LIMBER_EXPORT {

/// `title`: as a rule the study's file.
std::string fit_page(const Identified& found, const std::string& title);

}  // namespace limber
