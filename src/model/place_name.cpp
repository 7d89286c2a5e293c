// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/place_name.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {

LinkPlace place_named(const Model& model, const std::string& text, const std::string& what,
                      const std::string& whole) {
  const std::string shown = show_text(whole.empty() ? text : whole);
  const std::size_t sign = text.find('@');
  const std::string link = text.substr(0, sign);
  const std::vector<std::string> names = link_names(model);
  if (std::find(names.begin(), names.end(), link) == names.end())
    throw InputError(
        Problem{what, "LINK@X with the name of a link", shown, suggestion(link, names, "links")});
  if (sign == std::string::npos) return place_on(model, link);
  const std::string place = text.substr(sign + 1);
  double at = -1.0;
  const char* const end = place.data() + place.size();
  const auto [stop, failed] = std::from_chars(place.data(), end, at);
  const bool is_number = failed == std::errc() && stop == end;
  const LinkPlace there = is_number ? place_on(model, link, std::clamp(at, 0.0, 1.0)) : place_on(model, link);
  if (is_number && at >= 0.0 && at <= 1.0) return there;
  const Link& found = model.links()[static_cast<std::size_t>(there.link)];
  if (!found.body || is_number || place.empty())
    throw InputError(Problem{what, "LINK@X with X from 0 (root) to 1 (tip) of the link's length", shown,
                             "e.g. " + link + (found.body ? "@1" : "@0.5")});
  const LinkPlace named = place_on(model, link, 1.0, place);
  if (const auto problem = place_problem(model, named))
    throw InputError(Problem{what, "LINK@X, X " + problem->expected, shown, problem->hint});
  return named;
}

Frame frame(const Model& model, const LinkPlace& place) {
  return {place.link, node_index(model, place), place.X_NS};
}

}  // namespace limber
