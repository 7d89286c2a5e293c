// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "limber/model/coordinates.hpp"
#include "limber/model/sensors.hpp"

namespace limber::test {

/// Sensors of every kind, wherever this arm can have one.
inline std::vector<SensorDescription> every_sensor(const Model& model) {
  std::vector<SensorDescription> all;
  const auto add = [&](SensorKind kind) {
    SensorDescription sensor;
    sensor.name = "s" + std::to_string(all.size());
    sensor.kind = std::move(kind);
    if (check_sensors({sensor}, model).empty()) all.push_back(sensor);
  };
  const Eigen::Vector3d skewed(0.3, -0.5, 0.7), offset(0.05, -0.02, 0.1);
  for (const std::string& name : position_names(model)) add(sensors::Position{name});
  for (const std::string& name : model.coordinates()) {
    add(sensors::Velocity{name});
    add(sensors::Acceleration{name});
    add(sensors::Effort{name});
  }
  for (const Link& link : model.links()) {
    for (const Eigen::Vector2d& fibre : {Eigen::Vector2d(0.05, 0.0), Eigen::Vector2d(-0.01, 0.03)})
      add(sensors::Strain{link.name, 0.05, fibre});
    for (const CurvatureAxis axis : {CurvatureAxis::x, CurvatureAxis::y, CurvatureAxis::z})
      add(sensors::Curvature{link.name, 0.3, axis});
    for (const double at : {0.0, 0.6, 1.0}) {
      add(sensors::Accelerometer{{link.name, at, offset}, skewed, true});
      add(sensors::Accelerometer{{link.name, at, Eigen::Vector3d::Zero()}, Eigen::Vector3d::UnitY(), false});
      add(sensors::Gyroscope{link.name, at, skewed});
      add(sensors::Point{{link.name, at, offset}, skewed, PointReference::world});
      add(sensors::Point{{link.name, at, offset}, skewed, PointReference::rigid});
    }
    for (int c = 0; c < 6; ++c) add(sensors::Wrench{link.joint.name, static_cast<WrenchComponent>(c)});
  }
  return all;
}

}  // namespace limber::test
