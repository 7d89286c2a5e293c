// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/detail/arguments.hpp"

#include <string>

#include "limber/core/input_error.hpp"

namespace limber::detail {
namespace {

std::string place(const char* function, const char* argument) {
  return std::string(function) + ": " + argument;
}

std::string extent(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace

void throw_wrong_size(const char* function, const char* argument, const Model& model, const char* meaning,
                      int expected, Eigen::Index found) {
  throw InputError(
      Problem{place(function, argument),
              std::to_string(expected) + " numbers (" + meaning + " of model `" + model.name() + "`)",
              std::to_string(found), ""});
}

void throw_wrong_matrix(const char* function, const char* argument, const Model& model, int rows, int columns,
                        Eigen::Index found_rows, Eigen::Index found_columns) {
  throw InputError(Problem{place(function, argument),
                           "a matrix of " + extent(rows, columns) + " (nv of model `" + model.name() +
                               "` is " + std::to_string(model.nv()) + ")",
                           extent(found_rows, found_columns), ""});
}

void throw_wrong_workspace(const char* function, const Model& model) {
  throw InputError(Problem{place(function, "work"),
                           "a workspace made for this model (`" + model.name() + "`)", "one of another model",
                           "make it from the model it is used with: Workspace<double> work(model)"});
}

void throw_wrong_link_of_workspace(int links, int found) {
  throw InputError(Problem{"Workspace: link", "the index of a link, 0 to " + std::to_string(links - 1),
                           std::to_string(found), "link_index(model, name) finds it"});
}

void throw_wrong_link(const char* function, const char* argument, const Model& model, int link) {
  throw InputError(Problem{place(function, argument),
                           "the index of a link of model `" + model.name() + "`, 0 to " +
                               std::to_string(static_cast<int>(model.links().size()) - 1),
                           std::to_string(link), "link_index(model, name) finds it"});
}

void throw_wrong_node(const char* function, const char* argument, const Model& model, int link, int node) {
  const Link& at = model.links()[static_cast<std::size_t>(link)];
  throw InputError(Problem{place(function, argument),
                           "the index of a node of link `" + at.name + "`, 0 to " +
                               std::to_string(static_cast<int>(at.nodes.size()) - 1),
                           std::to_string(node), "0 is the link's tip"});
}

void throw_wrong_coordinate(const char* function, const char* argument, const Model& model, int coordinate,
                            bool of_a_joint) {
  const std::string found = std::to_string(coordinate);
  const bool is_there = coordinate >= 0 && coordinate < model.nv();
  throw InputError(Problem{
      place(function, argument),
      of_a_joint ? "the index in v of a joint's coordinate of model `" + model.name() + "`"
                 : "the index in v of a coordinate of model `" + model.name() + "`, 0 to " +
                       std::to_string(model.nv() - 1),
      is_there ? found + ", `" + model.coordinates()[static_cast<std::size_t>(coordinate)] + "`" : found,
      "coordinate_index(model, name) finds it"});
}

void throw_moved(const char* function, const char* argument) {
  throw InputError(Problem{place(function, argument), "one that is whole", "one that has been moved from",
                           "make another one"});
}

void throw_wrong_extent(const char* function, const char* argument, Eigen::Index rows, Eigen::Index columns,
                        Eigen::Index found_rows, Eigen::Index found_columns) {
  if (columns == 1 && found_columns == 1)
    throw InputError(Problem{place(function, argument), std::to_string(rows) + " numbers",
                             std::to_string(found_rows), ""});
  throw InputError(Problem{place(function, argument), "a matrix of " + extent(rows, columns),
                           extent(found_rows, found_columns), ""});
}

void throw_not_square(const char* function, const char* argument, Eigen::Index rows, Eigen::Index columns) {
  throw InputError(Problem{place(function, argument), "a square matrix", extent(rows, columns), ""});
}

void throw_wrong_index(const char* function, const char* argument, int count, int found) {
  throw InputError(Problem{place(function, argument),
                           count > 0 ? "an index, 0 to " + std::to_string(count - 1) : "none: there are none",
                           std::to_string(found), ""});
}

void throw_not_finite(const char* function, const char* argument) {
  throw InputError(Problem{place(function, argument), "finite numbers", "nan or inf", ""});
}

// Most calls have no loads: the loop would only be in the way.
void Call::require_each(const std::vector<Load>& loads) const {
  for (const Load& load : loads) require_node("loads", load.link, load.node);
}

}  // namespace limber::detail
