#include "limber/symbolic/symbolic_arm.hpp"

#include <fmt/format.h>

#include <cmath>

namespace limber {
namespace {

using Vec3e = Vec3<Expression>;

constexpr const char* axis_names[] = {"x", "y", "z"};

// Makes parameters: a symbol where there is something to name, else the number itself.
class Namer {
 public:
  Namer(ParameterStyle style, Graph& graph, std::vector<Parameter>& parameters)
      : style_(style), graph_(graph), parameters_(parameters) {}

  bool names() const { return style_ != ParameterStyle::numbers; }

  // `base` with its link's number and, perhaps, axes: L2, c2x, I3zz.
  Expression name(const std::string& base, int link, const std::string& axes, double value,
                  const std::string& unit, const std::string& meaning) {
    if (value == 0.0 || !names()) return Expression(value);
    const std::string name = fmt::format("{}{}{}", base, link, axes);
    const std::string latex = axes.empty() ? fmt::format("{}_{{{}}}", latex_base(base), link)
                                           : fmt::format("{}_{{{},{}}}", latex_base(base), link, axes);
    return add(name, latex, value, unit, meaning);
  }

  // A number that belongs to a shape: a symbol only where constants are asked for.
  Expression shape_number(const std::string& name, double value, const std::string& meaning) {
    if (style_ != ParameterStyle::constants || value == 0.0) return Expression(value);
    for (const Parameter& known : parameters_)
      if (known.name == name) return known.symbol;
    const auto digit = name.find_first_of("0123456789");
    return add(name, fmt::format("{}_{{{}}}", name.substr(0, digit), name.substr(digit)), value, "", meaning);
  }

  // One symbol where a vector lies along x, else one for each component.
  Vec3e vector(const std::string& base, int link, const Eigen::Vector3d& value, const std::string& unit,
               const std::string& meaning) {
    if (value[1] == 0.0 && value[2] == 0.0) return {name(base, link, "", value[0], unit, meaning), 0.0, 0.0};
    Expression component[3];  // NOLINT
    for (int i = 0; i < 3; ++i)
      component[i] = name(base, link, axis_names[i], value[i], unit, meaning + ", along " + axis_names[i]);
    return {component[0], component[1], component[2]};
  }

  Mat3<Expression> inertia(const std::string& base, int link, const InertiaElements& I,
                           const std::string& meaning) {
    constexpr const char* axes[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    Expression e[6];  // NOLINT
    for (int i = 0; i < 6; ++i) e[i] = name(base, link, axes[i], I[i], "kg m^2", meaning);
    return {{e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
  }

  Expression add(const std::string& name, const std::string& latex, double value, const std::string& unit,
                 const std::string& meaning) {
    parameters_.push_back({name, latex, unit, meaning, value, graph_.symbol(name)});
    return parameters_.back().symbol;
  }

 private:
  static std::string latex_base(const std::string& base) {
    return base.size() == 1 ? base : base == "rhoA" ? "\\rho A" : "\\mathit{" + base + "}";
  }

  ParameterStyle style_;
  Graph& graph_;
  std::vector<Parameter>& parameters_;
};

Expression power(Expression x, int exponent) {
  Expression result(1.0);
  for (int i = 0; i < std::abs(exponent); ++i) result *= x;
  return exponent < 0 ? Expression(1.0) / result : result;
}

Mat3<Expression> numbers(const Eigen::Matrix3d& A) { return Matrix3<Expression>(A.cast<Expression>()); }
Vec3e numbers(const Eigen::Vector3d& a) { return Vector3<Expression>(a.cast<Expression>()); }

// A body about the origin of the frame in which its centre of mass and its pose are given.
BodyInertia<Expression> body_at(Expression mass, const Vec3e& com, const Mat3<Expression>& inertia) {
  return BodyInertia<Expression>{mass, Vec3e::zero(), inertia}.seen_from(com);
}
BodyInertia<Expression> moved(const BodyInertia<Expression>& body, const Eigen::Matrix3d& R, const Vec3e& p) {
  const Mat3<Expression> turn = numbers(R);
  return body.turned_by(turn, turn.transposed()).seen_from(p);
}

// What one link's constants are made of.
class LinkParameters {
 public:
  LinkParameters(const Model& model, int index, Namer& namer)
      : link_(model.links[static_cast<std::size_t>(index)]),
        description_(model.description.links[static_cast<std::size_t>(index)]),
        number_(index + 1),
        namer_(namer) {
    const std::string of = " of " + link_.name;
    origin_ =
        namer.vector("a", number_, link_.X_NJ.p, "m", "place of the joint of " + link_.name + " in its node");
    root_ = namer.vector("b", number_, link_.X_BR.p, "m", "from the joint to the root" + of);
    if (description_.rigid)
      tip_ = namer.vector("L", number_, description_.rigid->tip.xyz, "m", "length" + of);
    else
      length_ = namer.name("L", number_, "", link_.beam->basis.length(), "m", "length" + of);
    root_body_ = BodyInertia<Expression>{0.0, Vec3e::zero(), Mat3<Expression>::scaled_identity(0.0)};
    if (const RootDescription& root = description_.root; root.mass != 0.0 || !root.inertia.isZero(0.0))
      root_body_ = body_at(namer.name("mr", number_, "", root.mass, "kg", "mass at the root" + of),
                           namer.vector("cr", number_, root.com, "m", "its centre of mass"),
                           namer.inertia("Ir", number_, root.inertia, "its inertia"));
    if (description_.rigid)
      rigid_ = body_at(
          namer.name("m", number_, "", description_.rigid->mass, "kg", "mass" + of),
          namer.vector("c", number_, description_.rigid->com, "m", "centre of mass" + of),
          namer.inertia("I", number_, description_.rigid->inertia, "inertia at the centre of mass" + of));
    tip_mass_ = Expression(0.0);
    tip_body_ = root_body_;
    if (const auto& tip = description_.tip) {
      tip_mass_ = namer.name("mp", number_, "", tip->mass, "kg", "payload on the tip" + of);
      tip_body_ =
          body_at(tip_mass_, namer.vector("cp", number_, tip->com, "m", "centre of mass of the payload" + of),
                  namer.inertia("Ip", number_, tip->inertia, "inertia of the payload" + of));
    } else {
      tip_body_ = BodyInertia<Expression>{0.0, Vec3e::zero(), Mat3<Expression>::scaled_identity(0.0)};
    }
  }

  // A rigid link's node in R; where the link has a beam without modes, on its axis.
  Vec3e rigid_node(int node) const {
    if (description_.rigid) return tip_;
    return {length_ * link_.nodes[static_cast<std::size_t>(node)].at, 0.0, 0.0};
  }

  void set_joint(const Model& model, const std::vector<LinkParameters>& others, LinkWork<Expression>& work) {
    Vec3e p = origin_;
    if (link_.parent >= 0 && model.links[static_cast<std::size_t>(link_.parent)].elastic_count == 0) {
      const Node& node = model.links[static_cast<std::size_t>(link_.parent)]
                             .nodes[static_cast<std::size_t>(link_.parent_node)];
      p = others[static_cast<std::size_t>(link_.parent)].rigid_node(link_.parent_node) +
          numbers(node.X_RN.R) * origin_;
    }
    work.p_NJ = p;
    work.p_BF = transposed_times(numbers(link_.X_BR.R), root_);
    for (int j = 0; j < work.joint_nv; ++j) {
      // F's origin is carried along by what turns; forces act along columns without a turn
      const bool turns =
          work.joint_type != JointType::prismatic && !(work.joint_type == JointType::free && j < 3);
      if (turns) work.S[j].linear = cross(work.S[j].angular, work.p_BF);
    }
    const Joint& joint = link_.joint;
    const std::string of = " of " + joint.name;
    const bool slides = joint.type == JointType::prismatic;
    work.stiffness =
        namer_.name("k", number_, "", joint.stiffness, slides ? "N/m" : "N m/rad", "spring" + of);
    work.damping =
        namer_.name("d", number_, "", joint.damping, slides ? "N s/m" : "N m s/rad", "damping" + of);
    work.armature = namer_.name("J", number_, "", joint.armature, slides ? "kg" : "kg m^2", "armature" + of);
  }

  void set_rigid(LinkWork<Expression>& work) const {
    if (!description_.rigid) return;  // a beam without modes keeps its numbers
    const Node& tip = link_.nodes.front();
    BodyInertia<Expression> body = in_root_frame(root_body_);
    body += rigid_;
    body += moved(tip_body_, tip.X_RN.R, tip_);
    work.rigid = body;
  }

  void set_beam(LinkWork<Expression>& work);

  /// The beam's length, where shapes scale with it; else 1, a number.
  Expression scaling_length() const {
    return link_.elastic_count > 0 && shapes_scale() ? length_ : Expression(1.0);
  }

 private:
  // From B to F: the same point of the body seen from F's origin, in F's axes.
  BodyInertia<Expression> in_root_frame(const BodyInertia<Expression>& body) const {
    return moved(body, link_.X_BR.R.transpose(), -transposed_times(numbers(link_.X_BR.R), root_));
  }
  bool is_length(int coordinate) const {
    return link_.beam->basis.coordinates()[static_cast<std::size_t>(coordinate)].direction !=
           Direction::torsion;
  }
  // k of (1): the power of length in F of a term of p (theta: one less).
  int dimension(int j, int k) const {
    return 1 - (j >= 0 && is_length(j) ? 1 : 0) - (k >= 0 && is_length(k) ? 1 : 0);
  }
  // Whether the shapes scale with the beam's length: `peak`, or families that are functions of x / L by themselves.
  bool shapes_scale() const {
    for (const DirectionShapes& direction : link_.beam->directions) {
      const ShapeRequest& request = direction.request;
      if (request.normalize == Normalization::mass) return false;
      if (request.normalize == Normalization::none &&
          (request.family == ShapeFamily::polynomial || request.family == ShapeFamily::table))
        return false;
    }
    return true;
  }
  // value = N scale: N is the shape's.
  Expression scaled(const std::string& name, double value, Expression scale, double scale_value,
                    const std::string& meaning) {
    constexpr double rounding =
        1e-13;  // N are numbers of about one: integrals of orthogonal shapes are zero but for this
    if (std::abs(value / scale_value) < rounding) return Expression(0.0);
    return namer_.shape_number(name, value / scale_value, meaning) * scale;
  }
  Expression length_power(int k) const { return power(length_, k); }
  double length_value() const { return link_.beam->basis.length(); }

  void set_node(const BeamNode& node, int index, NodeWork<Expression>& work);
  void set_field(LinkWork<Expression>& work);
  void set_stiffness(LinkWork<Expression>& work);

  const Link& link_;
  const LinkDescription& description_;
  int number_;
  Namer& namer_;
  Vec3e origin_, root_, tip_;
  Expression length_, tip_mass_;
  BodyInertia<Expression> root_body_, rigid_, tip_body_;
};

// phi2_1_1 and the like: what kind, link, which.
std::string shape_name(const char* kind, int link, std::initializer_list<int> which) {
  std::string name = fmt::format("{}{}", kind, link);
  for (const int i : which) name += fmt::format("_{}", i + 1);
  return name;
}

void LinkParameters::set_node(const BeamNode& node, int index, NodeWork<Expression>& work) {
  const double L = length_value();
  const int m = static_cast<int>(node.Phi.cols());
  work.r0 = {length_ * (node.x / L), 0.0, 0.0};
  const auto value = [&](const char* kind, int axis, int j, int k, double number, int power_of_length) {
    if (number == 0.0) return Expression(0.0);
    const std::string name =
        k < 0 ? shape_name(kind, number_, {index, axis, j}) : shape_name(kind, number_, {index, axis, j, k});
    return scaled(
        name, number, length_power(power_of_length), std::pow(L, power_of_length),
        fmt::format("{} of {} at x = {:.6g} m, along {}", kind, link_.name, node.x, axis_names[axis]));
  };
  const auto triple = [&](const char* kind, int j, int k, const Eigen::Vector3d& v, int less) {
    const int d = dimension(j, k) - less;
    return Vec3e(value(kind, 0, j, k, v[0], d), value(kind, 1, j, k, v[1], d), value(kind, 2, j, k, v[2], d));
  };
  for (int j = 0; j < m; ++j) {
    work.r_eta[j] = work.Phi[j] = triple("phi", j, -1, node.Phi.col(j), 0);
    work.T[j] = work.Psi[j] = triple("psi", j, -1, node.Psi.col(j), 1);
    if (!node.is_second_order()) continue;
    for (int k = 0; k < m; ++k) {
      const int first = std::max(j, k), second = std::min(j, k);
      work.B[j * m + k] =
          triple("beta", first, second, {node.B[0](j, k), node.B[1](j, k), node.B[2](j, k)}, 0);
      work.C[j * m + k] =
          triple("gamma", first, second, {node.C[0](j, k), node.C[1](j, k), node.C[2](j, k)}, 1);
    }
  }
}

// (1)
void LinkParameters::set_field(LinkWork<Expression>& work) {
  const ShapeIntegrals& integrals = link_.beam->integrals;
  const double L = length_value();
  const bool on_axis = link_.tip_body.moment.isZero(0.0);
  const double tip_mass = on_axis ? link_.tip_body.mass : 0.0;
  const Expression tip_symbol = on_axis ? tip_mass_ : Expression(0.0);
  const double rhoA_value = (integrals.mass - tip_mass) / L;
  const Expression rhoA =
      namer_.name("rhoA", number_, "", rhoA_value, "kg/m", "mass per length of " + link_.name);
  const BeamNode& tip = link_.nodes.front().field;
  const auto count = static_cast<Eigen::Index>(integrals.terms.size());

  // F_a(L), as a number and as a formula
  Eigen::VectorXd at_tip(count);
  VectorX<Expression> tip_value(count);
  for (Eigen::Index a = 0; a < count; ++a) {
    const auto& [axis, j, k] = integrals.terms[static_cast<std::size_t>(a)];
    const double half = j == k ? 0.5 : 1.0;
    at_tip[a] = j < 0 ? L : k < 0 ? tip.Phi(axis, j) : tip.B[axis](j, k) * half;
    const NodeWork<Expression>& node = work.nodes.front();
    if (j < 0)
      tip_value[a] = length_;
    else
      tip_value[a] = k < 0 ? node.Phi[j][axis] : node.B[j * work.m + k][axis] * half;
  }
  const auto mass_integral = [&](const std::string& name, double total, double at_the_tip, int k,
                                 const Expression& tip_formula) {
    const double distributed = total - tip_mass * at_the_tip;
    const double cancelled = 1e-14 * std::abs(total);
    const double scale = rhoA_value * std::pow(L, k);
    return scaled(name, std::abs(distributed) <= cancelled ? 0.0 : distributed, rhoA * length_power(k), scale,
                  "shape integral of " + link_.name) +
           tip_symbol * tip_formula;
  };
  const auto dim = [&](Eigen::Index a) {
    const FieldTerm& term = integrals.terms[static_cast<std::size_t>(a)];
    return dimension(term.j, term.k);
  };
  FieldConstants<Expression> constants{integrals.terms, VectorX<Expression>(count),
                                       MatrixX<Expression>(count, count)};
  for (Eigen::Index a = 0; a < count; ++a) {
    constants.moment[a] = mass_integral(shape_name("s", number_, {static_cast<int>(a)}), integrals.moment[a],
                                        at_tip[a], dim(a) + 1, tip_value[a]);
    for (Eigen::Index b = 0; b <= a; ++b)
      constants.gram(a, b) = constants.gram(b, a) = mass_integral(
          shape_name("S", number_, {static_cast<int>(a), static_cast<int>(b)}), integrals.gram(a, b),
          at_tip[a] * at_tip[b], dim(a) + dim(b) + 1, tip_value[a] * tip_value[b]);
  }
  set_field_constants(constants, work.m, work.field);
  work.rigid = in_root_frame(root_body_);
  work.rigid.mass += rhoA * length_ + tip_symbol;
}

// (2)
void LinkParameters::set_stiffness(LinkWork<Expression>& work) {
  const Beam& beam = *link_.beam;
  const Section section = beam.basis.profile().at(0.0);
  const double L = length_value();
  const int m = work.m;
  struct Named {
    const char *name, *unit, *meaning;
  };
  constexpr Named stiffnesses[] = {{"EIz", "N m^2", "bending stiffness about z"},
                                   {"EIy", "N m^2", "bending stiffness about y"},
                                   {"GJ", "N m^2", "torsional stiffness"},
                                   {"EA", "N", "axial stiffness"}};
  for (const Direction direction : all_directions) {
    std::vector<int> own;
    for (int j = 0; j < m; ++j)
      if (beam.basis.coordinates()[static_cast<std::size_t>(j)].direction == direction) own.push_back(j);
    if (own.empty()) continue;
    const Named& named = stiffnesses[static_cast<int>(direction)];
    const double value = section.stiffness(direction);
    const Expression symbol = namer_.name(named.name, number_, "", value, named.unit,
                                          std::string(named.meaning) + " of " + link_.name);
    const int k = is_bending(direction) ? -3 : -1;
    for (const int i : own)
      for (const int j : own)
        work.K[i * m + j] =
            scaled(shape_name("K", number_, {std::max(i, j), std::min(i, j)}), beam.integrals.stiffness(i, j),
                   symbol * length_power(k), value * std::pow(L, k), "stiffness integral of " + link_.name);
  }
}

void LinkParameters::set_beam(LinkWork<Expression>& work) {
  if (!shapes_scale()) return;
  // Nodes of the link, the tip first; then those of lumps that have a place of their own.
  for (std::size_t i = 0; i < link_.nodes.size(); ++i)
    set_node(link_.nodes[i].field, static_cast<int>(i), work.nodes[i]);
  set_field(work);
  set_stiffness(work);
  // The payload's inertia sits on the tip; its mass does too unless it is part of the field.
  for (LumpWork<Expression>& lump : work.lumps) {
    if (lump.node != 0) continue;
    lump.body = tip_body_;
    if (link_.tip_body.moment.isZero(0.0)) lump.body.mass = Expression(0.0);
  }
}

void set_parameters(const Model& model, Namer& namer, SymbolicArm& arm) {
  arm.scaling_lengths.assign(model.links.size(), Expression(1.0));
  if (!namer.names()) return;
  Workspace<Expression>& work = *arm.work;
  std::vector<LinkParameters> links;
  links.reserve(model.links.size());
  for (int i = 0; i < static_cast<int>(model.links.size()); ++i) links.emplace_back(model, i, namer);
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkWork<Expression>& link = work.links[i];
    arm.scaling_lengths[i] = links[i].scaling_length();
    links[i].set_joint(model, links, link);
    if (link.flexible)
      links[i].set_beam(link);
    else
      links[i].set_rigid(link);
  }
  // g in the direction it has.
  const double g = model.gravity.norm();
  if (g == 0.0) return;
  const Expression symbol = namer.add("g", "g", g, "m/s^2", "gravity");
  work.gravity = numbers(Eigen::Vector3d(model.gravity / g)) * symbol;
}

VectorX<Expression> symbols(Graph& graph, const char* base, int count) {
  VectorX<Expression> result(count);
  for (int i = 0; i < count; ++i) result[i] = graph.symbol(fmt::format("{}{}", base, i + 1));
  return result;
}

}  // namespace

SymbolicArm::SymbolicArm(const Model& arm, ParameterStyle style)
    : model(arm), graph(std::make_shared<Graph>()) {
  const UseGraph use(*graph);
  q = symbols(*graph, "q", arm.nq);
  v = symbols(*graph, "v", arm.nv);
  a = symbols(*graph, "a", arm.nv);
  tau = symbols(*graph, "u", arm.nv);
  work = std::make_unique<Workspace<Expression>>(arm);
  Namer namer(style, *graph, parameters);
  set_parameters(arm, namer, *this);
}

std::vector<double> SymbolicArm::values(const Eigen::VectorXd& q_values, const Eigen::VectorXd& v_values,
                                        const Eigen::VectorXd& a_values,
                                        const Eigen::VectorXd& tau_values) const {
  std::vector<double> all(static_cast<std::size_t>(graph->symbol_count()), 0.0);
  const auto set = [&](const VectorX<Expression>& names, const Eigen::VectorXd& numbers) {
    for (Eigen::Index i = 0; i < names.size(); ++i)
      all[static_cast<std::size_t>((*graph)[names[i]].a)] = numbers[i];
  };
  set(q, q_values);
  set(v, v_values);
  set(a, a_values);
  set(tau, tau_values);
  for (const Parameter& parameter : parameters)
    all[static_cast<std::size_t>((*graph)[parameter.symbol].a)] = parameter.value;
  return all;
}

}  // namespace limber
