#include "format.hpp"

#include "check_sum.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

std::vector<hsize_t> row_shape(const std::string& path, const ResultNames& names) {
  if (path == "time" || path.rfind("energy/", 0) == 0) return {};
  if (path == "q" || path == "efforts") return {0};
  if (path == "v") return {names.coordinates.size()};
  if (path == "end_effector/position") return {3};
  if (path == "end_effector/quaternion") return {4};
  if (path == "wrenches") return {names.joints.size(), 6};
  if (path == "shapes") return {names.links.size(), 0, 3};
  throw InputError(Problem{"quantities", "quantities that this version knows", "`" + path + "`", ""});
}

std::uint64_t sum_of_texts(const ResultInfo& info, const ResultNames& names, const std::string& status,
                           const std::vector<std::string>& warnings) {
  CheckSum sum;
  for (const std::string* text : {&info.program, &info.formulation, &info.integrator, &status})
    sum.add(*text);
  for (const auto* list : {&names.links, &names.joints, &names.coordinates, &names.quantities, &warnings})
    for (const std::string& name : *list) sum.add(name);
  for (const SourceText& source : info.sources) {
    sum.add(source.name);
    sum.add(source.text);
  }
  for (const double number : {info.rtol, info.atol, info.step}) sum.add(&number, 1);
  return sum.value();
}

}  // namespace limber
