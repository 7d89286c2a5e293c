#include "state_option.hpp"

namespace limber::app {

State read_state_or_neutral(const std::string& file, const Model& model) {
  return file.empty() ? neutral_state(model) : read_state(file, model);
}

std::vector<ExternalWrench> place_loads(const std::vector<StateLoad>& loads, Model& model) {
  std::vector<ExternalWrench> placed;
  for (const StateLoad& load : loads) {
    ExternalWrench wrench{load.link,  node_at(model, load.link, load.at), {}, load.force, load.moment,
                          load.offset};
    switch (load.frame) {
      case StateLoad::Frame::world:
        wrench.axes = ExternalWrench::Axes::world;
        break;
      case StateLoad::Frame::body:
        wrench.axes = ExternalWrench::Axes::body;
        break;
      case StateLoad::Frame::section:
        wrench.axes = ExternalWrench::Axes::section;
        break;
    }
    placed.push_back(wrench);
  }
  return placed;
}

}  // namespace limber::app
