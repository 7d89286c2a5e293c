// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The constants of one link as formulas of named parameters (symbolic_arm.hpp).

#include <string>
#include <unordered_map>
#include <vector>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/symbolic/symbolic_arm.hpp"

namespace limber {

using namespace detail;

using Vec3e = Vec3<Expression>;

/// Makes parameters: a symbol where there is something to name, else the number itself.
class Namer {
 public:
  Namer(ParameterStyle style, Graph& graph, std::vector<Parameter>& parameters)
      : style_(style), graph_(graph), parameters_(parameters) {}

  bool names() const { return style_ != ParameterStyle::numbers; }
  /// `base` with its link's number and, perhaps, axes: L2, c2x, I3zz.
  Expression name(const std::string& base, int link, const std::string& axes, double value,
                  const std::string& unit, const std::string& meaning);
  /// A number that belongs to a shape: a symbol only where constants are asked for.
  Expression shape_number(const std::string& name, double value, const std::string& meaning);
  /// One symbol where a vector lies along x, else one for each component.
  Vec3e vector(const std::string& base, int link, const Eigen::Vector3d& value, const std::string& unit,
               const std::string& meaning);
  Mat3<Expression> inertia(const std::string& base, int link, const InertiaElements& I,
                           const std::string& meaning);
  Expression add(const std::string& name, const std::string& latex, double value, const std::string& unit,
                 const std::string& meaning);

 private:
  ParameterStyle style_;
  Graph& graph_;
  std::vector<Parameter>& parameters_;
  std::unordered_map<std::string, Expression> shape_numbers_;
};

class LinkParameters {
 public:
  LinkParameters(const Model& model, int index, Namer& namer);

  void set_joint(const Model& model, const std::vector<LinkParameters>& others, LinkWork<Expression>& work);
  void set_drive(LinkWork<Expression>& work);
  void set_rigid(LinkWork<Expression>& work) const;
  void set_beam(LinkWork<Expression>& work);
  /// What the root's slope is in, of each elastic coordinate: s_j of (3) over the length. Empty where shapes keep their numbers.
  std::vector<ScaleOfShape> slope_scales() const;

 private:
  /// L^length (rhoA L)^(-mass/2) (rhoIp L)^(-polar/2): s_j of (3), and products of them.
  struct Powers {
    int length = 0, mass = 0, polar = 0;
    Powers operator+(const Powers& other) const {
      return {length + other.length, mass + other.mass, polar + other.polar};
    }
  };

  Vec3e rigid_node(int node) const;
  LaneInertia<Expression> in_root_frame(const LaneInertia<Expression>& body) const;
  bool is_length(int coordinate) const;
  int dimension(int j, int k) const;
  bool shapes_scale() const;
  void name_densities();
  Powers powers_of(int coordinate) const;
  ScaleOfShape scale(int length, std::initializer_list<int> coordinates) const;
  Expression scaled(const std::string& name, double value, const ScaleOfShape& scale,
                    const std::string& meaning);
  double length_value() const { return link_.beam->basis.length(); }
  void set_node(const BeamNode& node, int index, NodeWork<Expression>& work);
  void set_field(LinkWork<Expression>& work);
  void set_stiffness(LinkWork<Expression>& work);
  template <typename Set>
  void for_each_stiffness(const Set& set);
  void set_telescope(LinkWork<Expression>& work);

  const Link& link_;
  const LinkDescription description_;
  int number_;
  Namer& namer_;
  Vec3e origin_, root_, tip_;
  Expression length_, tip_mass_;
  LaneInertia<Expression> root_body_, rigid_, tip_body_;
  ScaleOfShape rhoA_, rhoIp_;  ///< mass and polar inertia per length, of a beam whose shapes scale
};

}  // namespace limber
