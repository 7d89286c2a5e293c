// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm as Python holds it: the model, and workspaces for whoever computes with it, one for each thread at a time.

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber::python {

namespace py = pybind11;

class Arm;
using ArmPointer = std::shared_ptr<Arm>;

/// Any number of threads may use it.
class Arm : public std::enable_shared_from_this<Arm> {
 public:
  explicit Arm(Model model) : model_(std::move(model)) {}

  const Model& model() const { return model_; }

  /// A workspace for as long as it lives.
  class Lease {
   public:
    explicit Lease(Arm& arm) : arm_(arm), work_(arm.take()) {}
    ~Lease() { arm_.give_back(std::move(work_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace<double>& operator*() const { return *work_; }

   private:
    Arm& arm_;
    std::unique_ptr<Workspace<double>> work_;
  };

  /// The same arm with a node there; made once, then kept.
  ArmPointer with_node(int link, double at);

 private:
  std::unique_ptr<Workspace<double>> take();
  void give_back(std::unique_ptr<Workspace<double>> work);

  Model model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace<double>>> idle_;
  std::map<std::pair<int, double>, ArmPointer> with_nodes_;
};

/// A frame on an arm that has the node it needs.
struct PlacedFrame {
  ArmPointer arm;
  Frame frame;
};
/// The end effector where there is no link's name.
PlacedFrame place_frame(const ArmPointer& arm, const std::optional<std::string>& link, double at);

/// Loads on an arm that has the nodes they need.
struct PlacedLoads {
  ArmPointer arm;
  std::vector<Load> loads;
};
/// From a list of maps as state files have them; None: no loads.
PlacedLoads place_loads(const ArmPointer& arm, const py::object& loads);

}  // namespace limber::python
