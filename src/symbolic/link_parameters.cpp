// SPDX-License-Identifier: BSD-3-Clause
#include "link_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact_numbers.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/lookup.hpp"

namespace limber {

using namespace detail;

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

std::string latex_base(const std::string& base) {
  constexpr const char* greek[] = {"phi", "psi", "beta", "gamma"};
  for (const char* letter : greek)
    if (base == letter) return "\\" + base;
  if (base == "rhoA") return "(\\rho A)";
  if (base == "rhoIp") return "(\\rho I_p)";
  return base.size() == 1 ? base : "\\mathit{" + base + "}";
}

Expression power(Expression x, int exponent) {
  Expression result(1.0);
  for (int i = 0; i < std::abs(exponent); ++i) result *= x;
  return exponent < 0 ? Expression(1.0) / result : result;
}

// Of rotations.
Mat3<Expression> numbers(const Eigen::Matrix3d& R) {
  return Matrix3<Expression>(without_rounding(R).cast<Expression>());
}

// The same body in a frame in which its own stands at R, p.
LaneInertia<Expression> moved(const LaneInertia<Expression>& body, const Eigen::Matrix3d& R, const Vec3e& p) {
  const Mat3<Expression> turn = numbers(R);
  return body.turned_by(turn, turn.transposed()).seen_from(p);
}

// phi2_1_1 and the like: what kind, link, which.
std::string shape_name(const char* kind, int link, std::initializer_list<int> which) {
  std::string name = fmt::format("{}{}", kind, link);
  for (const int i : which) name += fmt::format("_{}", i + 1);
  return name;
}

}  // namespace

Expression Namer::name(const std::string& base, int link, const std::string& axes, double value,
                       const std::string& unit, const std::string& meaning) {
  if (value == 0.0 || !names()) return Expression(value);
  const std::string name = fmt::format("{}{}{}", base, link, axes);
  const std::string latex = axes.empty() ? fmt::format("{}_{{{}}}", latex_base(base), link)
                                         : fmt::format("{}_{{{},{}}}", latex_base(base), link, axes);
  return add(name, latex, value, unit, meaning);
}

Expression Namer::shape_number(const std::string& name, double value, const std::string& meaning) {
  if (style_ != ParameterStyle::constants || value == 0.0) return Expression(value);
  if (const auto known = shape_numbers_.find(name); known != shape_numbers_.end()) return known->second;
  const auto digit = name.find_first_of("0123456789");
  std::string indices = name.substr(digit);
  std::replace(indices.begin(), indices.end(), '_', ',');
  const std::string latex = fmt::format("{}_{{{}}}", latex_base(name.substr(0, digit)), indices);
  return shape_numbers_[name] = add(name, latex, value, "", meaning);
}

Vec3e Namer::vector(const std::string& base, int link, const Eigen::Vector3d& value, const std::string& unit,
                    const std::string& meaning) {
  if (value[1] == 0.0 && value[2] == 0.0) return {name(base, link, "", value[0], unit, meaning), 0.0, 0.0};
  Expression component[3];  // NOLINT
  for (int i = 0; i < 3; ++i)
    component[i] = name(base, link, axis_names[i], value[i], unit, meaning + ", along " + axis_names[i]);
  return {component[0], component[1], component[2]};
}

Mat3<Expression> Namer::inertia(const std::string& base, int link, const InertiaElements& I,
                                const std::string& meaning) {
  constexpr const char* axes[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  Expression e[6];  // NOLINT
  for (int i = 0; i < 6; ++i) e[i] = name(base, link, axes[i], I[i], "kg m^2", meaning);
  return {{e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
}

Expression Namer::add(const std::string& name, const std::string& latex, double value,
                      const std::string& unit, const std::string& meaning) {
  parameters_.push_back({name, latex, unit, meaning, value, graph_.symbol(name)});
  return parameters_.back().symbol;
}

LinkParameters::LinkParameters(const Model& model, int index, Namer& namer)
    : link_(model.links()[static_cast<std::size_t>(index)]),
      description_(described_link(model, index)),
      number_(index + 1),
      namer_(namer) {
  const std::string of = " of " + link_.name;
  origin_ =
      namer.vector("a", number_, link_.X_NJ.p, "m", "place of the joint of " + link_.name + " in its node");
  root_ = namer.vector("b", number_, link_.X_BR.p, "m", "from the joint to the root" + of);
  if (description_.rigid)
    tip_ = namer.vector("L", number_, description_.rigid->tip.xyz, "m", "length" + of);
  else
    length_ = namer.name("L", number_, "",
                         link_.telescopes() ? link_.beam->telescope->length : link_.beam->basis.length(), "m",
                         "length" + of);
  root_body_ = LaneInertia<Expression>{0.0, Vec3e::zero(), Mat3<Expression>::scaled_identity(0.0)};
  if (const RootDescription& root = description_.root; root.mass != 0.0 || !root.inertia.isZero(0.0))
    root_body_ = LaneInertia<Expression>::about_com(
        namer.name("mr", number_, "", root.mass, "kg", "mass at the root" + of),
        namer.vector("cr", number_, root.com, "m", "its centre of mass"),
        namer.inertia("Ir", number_, root.inertia, "its inertia"));
  if (description_.rigid)
    rigid_ = LaneInertia<Expression>::about_com(
        namer.name("m", number_, "", description_.rigid->mass, "kg", "mass" + of),
        namer.vector("c", number_, description_.rigid->com, "m", "centre of mass" + of),
        namer.inertia("I", number_, description_.rigid->inertia, "inertia at the centre of mass" + of));
  tip_mass_ = Expression(0.0);
  tip_body_ = root_body_;
  if (const auto& tip = description_.tip) {
    tip_mass_ = namer.name("mp", number_, "", tip->mass, "kg", "payload on the tip" + of);
    tip_body_ = LaneInertia<Expression>::about_com(
        tip_mass_, namer.vector("cp", number_, tip->com, "m", "centre of mass of the payload" + of),
        namer.inertia("Ip", number_, tip->inertia, "inertia of the payload" + of));
  } else {
    tip_body_ = LaneInertia<Expression>{0.0, Vec3e::zero(), Mat3<Expression>::scaled_identity(0.0)};
  }
}

// A rigid link's node in R; where the link has a beam without modes, on its axis.
Vec3e LinkParameters::rigid_node(int node) const {
  if (description_.rigid) return tip_;
  return {length_ * link_.nodes[static_cast<std::size_t>(node)].at, 0.0, 0.0};
}

void LinkParameters::set_joint(const Model& model, const std::vector<LinkParameters>& others,
                               LinkWork<Expression>& work) {
  Vec3e p = origin_;
  if (link_.parent >= 0 && model.links()[static_cast<std::size_t>(link_.parent)].elastic_count == 0) {
    const Node& node = model.links()[static_cast<std::size_t>(link_.parent)]
                           .nodes[static_cast<std::size_t>(link_.parent_node)];
    p = others[static_cast<std::size_t>(link_.parent)].rigid_node(link_.parent_node) +
        numbers(node.X_RN.R) * origin_;
  }
  work.p_NJ = p;
  work.p_BR_R = transposed_times(numbers(link_.X_BR.R), root_);
  const Joint& joint = link_.joint;
  const std::string of = " of " + joint.name;
  if (const JointParameter& parameter = joint.facts().parameter; parameter.key)
    work.parameter =
        namer_.name(parameter.symbol, number_, "", joint.parameter, parameter.unit, parameter.meaning + of);
  with_joint_kind(joint.type, [&](auto kind) { kind.prepare(work); });
  const bool slides = !joint.facts().turns();
  work.stiffness = namer_.name("k", number_, "", joint.stiffness, slides ? "N/m" : "N m/rad", "spring" + of);
  // where the spring is relaxed matters where there is one
  work.rest = joint.stiffness == 0.0 ? Expression(joint.rest)
                                     : namer_.name("rest", number_, "", joint.rest, slides ? "m" : "rad",
                                                   "position at which the spring" + of + " is relaxed");
  work.damping = namer_.name("d", number_, "", joint.damping, slides ? "N s/m" : "N m s/rad", "damping" + of);
  const char* const inertia_unit = slides ? "kg" : "kg m^2";
  work.armature[0] =
      namer_.name("J", number_, "", description_.joint.armature, inertia_unit, "armature" + of);
  for (int j = 1; j < joint.nv; ++j) work.armature[j] = work.armature[0];
  if (description_.joint.drive) set_drive(work);
}

// The gear and the rotor behind it: ratio^2 times its inertia, both by name.
void LinkParameters::set_drive(LinkWork<Expression>& work) {
  const DriveDescription& drive = *description_.joint.drive;
  const std::string of = " of " + link_.joint.name;
  const bool slides = !link_.joint.facts().turns();
  const Expression ratio =
      namer_.name("n", number_, "", drive.ratio, slides ? "rad/m" : "1", "ratio of the gear" + of);
  const Expression rotor =
      namer_.name("Jr", number_, "", drive.rotor_inertia, "kg m^2", "inertia of the rotor" + of);
  if (!drive.stiffness) {
    work.armature[0] += ratio * ratio * rotor;
    return;
  }
  work.armature[1] = ratio * ratio * rotor;
  work.gear_stiffness = namer_.name("kg", number_, "", *drive.stiffness, slides ? "N/m" : "N m/rad",
                                    "stiffness of the gear" + of);
  work.gear_damping = namer_.name("dg", number_, "", drive.damping, slides ? "N s/m" : "N m s/rad",
                                  "damping of the gear" + of);
}

void LinkParameters::set_rigid(LinkWork<Expression>& work) const {
  if (!description_.rigid) return;  // a beam without modes keeps its numbers
  const Node& tip = link_.nodes.front();
  LaneInertia<Expression> body = in_root_frame(root_body_);
  body += rigid_;
  body += moved(tip_body_, tip.X_RN.R, tip_);
  work.rigid = body;
}

// From B to R: the same point of the body seen from R's origin, in R's axes.
LaneInertia<Expression> LinkParameters::in_root_frame(const LaneInertia<Expression>& body) const {
  return moved(body, link_.X_BR.R.transpose(), -transposed_times(numbers(link_.X_BR.R), root_));
}
bool LinkParameters::is_length(int coordinate) const {
  return link_.beam->basis.coordinates()[static_cast<std::size_t>(coordinate)].direction !=
         Direction::torsion;
}
// k of (1): the power of length in F of a term of p (theta: one less).
int LinkParameters::dimension(int j, int k) const {
  return 1 - (j >= 0 && is_length(j) ? 1 : 0) - (k >= 0 && is_length(k) ? 1 : 0);
}
// Whether the shapes scale with the beam's length: all but a table that is taken as it is, and those of a beam that shears, which depend on
// EI / (kGA L^2), or whose mass or shear centres lie beside its axis. What does not keeps its numbers.
bool LinkParameters::shapes_scale() const {
  if (link_.beam->basis.profile().is_offset()) return false;
  const auto& shapes = link_.beam->basis.coordinates();
  if (std::any_of(shapes.begin(), shapes.end(),
                  [](const BeamBasis::Coordinate& c) { return c.shape.bending != nullptr; }))
    return false;
  return std::none_of(
      link_.beam->directions.begin(), link_.beam->directions.end(), [](const DirectionShapes& d) {
        return d.request.normalize == Normalization::none && d.request.family == ShapeFamily::table;
      });
}

// (3)
LinkParameters::Powers LinkParameters::powers_of(int coordinate) const {
  if (coordinate < 0) return {};
  const auto& all = link_.beam->basis.coordinates();
  const Direction direction = all[static_cast<std::size_t>(coordinate)].direction;
  const auto own = std::find_if(link_.beam->directions.begin(), link_.beam->directions.end(),
                                [&](const DirectionShapes& d) { return d.request.direction == direction; });
  const ShapeRequest& request = own->request;
  const bool as_it_is = request.normalize == Normalization::none;
  if (request.normalize == Normalization::mass || (as_it_is && request.family == ShapeFamily::finite_element))
    return direction == Direction::torsion ? Powers{0, 0, 1} : Powers{0, 1, 0};
  if (!as_it_is || request.family != ShapeFamily::polynomial) return {};
  // x^2, x^3, ... in bending, else x, x^2, ...
  int exponent = is_bending(direction) ? 2 : 1;
  for (int j = 0; j < coordinate; ++j)
    if (all[static_cast<std::size_t>(j)].direction == direction) ++exponent;
  return {exponent, 0, 0};
}

// L^length s_j s_k ... Half powers in pairs are whole ones: roots stay where there is an odd number of them.
ScaleOfShape LinkParameters::scale(int length, std::initializer_list<int> coordinates) const {
  Powers powers{length, 0, 0};
  for (const int j : coordinates) powers = powers + powers_of(j);
  const double L = length_value();
  ScaleOfShape result{power(length_, powers.length), std::pow(L, powers.length)};
  const auto divide_by_root = [&](const ScaleOfShape& density, int halves) {
    if (halves == 0) return;
    const Expression total = density.symbol * length_;
    result.symbol /= power(total, halves / 2);
    if (halves % 2 == 1) result.symbol /= sqrt(total);
    result.value /= std::pow(density.value * L, 0.5 * halves);
  };
  divide_by_root(rhoA_, powers.mass);
  divide_by_root(rhoIp_, powers.polar);
  return result;
}

std::vector<ScaleOfShape> LinkParameters::slope_scales() const {
  std::vector<ScaleOfShape> scales;
  if (link_.elastic_count == 0 || link_.telescopes() || !shapes_scale()) return scales;
  for (int j = 0; j < link_.elastic_count; ++j) scales.push_back(scale(is_length(j) ? -1 : 0, {j}));
  return scales;
}

// value = N scale: N is the shape's.
Expression LinkParameters::scaled(const std::string& name, double value, const ScaleOfShape& scale,
                                  const std::string& meaning) {
  // N are numbers of about one: integrals of orthogonal shapes, and ends of held ones with many waves, are zero but for this.
  constexpr double rounding = 1e-12;
  const double N = value / scale.value;
  if (std::abs(N) < rounding) return Expression(0.0);
  return namer_.shape_number(name, without_rounding(N), meaning) * scale.symbol;
}

// What does not vary along the beam. Where the section does, they are means, and N holds for its taper.
void LinkParameters::name_densities() {
  const SectionProfile& profile = link_.beam->basis.profile();
  const double L = length_value();
  const std::string of = " of " + link_.name, mean = profile.is_uniform() ? "" : "mean ";
  const bool on_axis = link_.tip_body.moment.isZero(0.0);
  rhoA_.value = (link_.beam->integrals.mass - (on_axis ? link_.tip_body.mass : 0.0)) / L;
  rhoA_.symbol = namer_.name("rhoA", number_, "", rhoA_.value, "kg/m", mean + "mass per length" + of);
  const auto& directions = link_.beam->directions;
  const bool is_needed = std::any_of(directions.begin(), directions.end(), [](const DirectionShapes& d) {
    return d.request.direction == Direction::torsion && d.request.normalize != Normalization::peak;
  });
  if (!is_needed) return;
  rhoIp_.value = profile.total_inertia(Direction::torsion) / L;
  rhoIp_.symbol =
      namer_.name("rhoIp", number_, "", rhoIp_.value, "kg m", mean + "polar inertia per length" + of);
}

void LinkParameters::set_node(const BeamNode& node, int index, NodeWork<Expression>& work) {
  const double L = length_value();
  const int m = static_cast<int>(node.Phi.cols());
  work.p0_RN = {length_ * (node.x / L), 0.0, 0.0};
  const auto value = [&](const char* kind, int axis, int j, int k, double number, int power_of_length) {
    if (number == 0.0) return Expression(0.0);
    const std::string name =
        k < 0 ? shape_name(kind, number_, {index, axis, j}) : shape_name(kind, number_, {index, axis, j, k});
    return scaled(
        name, number, scale(power_of_length, {j, k}),
        fmt::format("{} of {} at x = {:.6g} m, along {}", kind, link_.name, node.x, axis_names[axis]));
  };
  const auto triple = [&](const char* kind, int j, int k, const Eigen::Vector3d& v, int less) {
    const int d = dimension(j, k) - less;
    return Vec3e(value(kind, 0, j, k, v[0], d), value(kind, 1, j, k, v[1], d), value(kind, 2, j, k, v[2], d));
  };
  for (int j = 0; j < m; ++j) {
    work.p_eta[j] = work.Phi[j] = triple("phi", j, -1, node.Phi.col(j), 0);
    work.w_eta[j] = work.Psi[j] = triple("psi", j, -1, node.Psi.col(j), 1);
    if (!node.is_second_order()) continue;
    for (int k = 0; k < m; ++k) {
      const int first = std::max(j, k), second = std::min(j, k);
      work.Phi2[j * m + k] =
          triple("beta", first, second, {node.Phi2[0](j, k), node.Phi2[1](j, k), node.Phi2[2](j, k)}, 0);
      work.Psi2[j * m + k] =
          triple("gamma", first, second, {node.Psi2[0](j, k), node.Psi2[1](j, k), node.Psi2[2](j, k)}, 1);
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
  const BeamNode& tip = link_.nodes.front().field;
  const auto count = static_cast<Eigen::Index>(integrals.terms.size());

  // F_a(L), as a number and as a formula
  Eigen::VectorXd at_tip(count);
  VectorX<Expression> tip_value(count);
  for (Eigen::Index a = 0; a < count; ++a) {
    const auto& [axis, j, k] = integrals.terms[static_cast<std::size_t>(a)];
    const double half = j == k ? 0.5 : 1.0;
    at_tip[a] = j < 0 ? L : k < 0 ? tip.Phi(axis, j) : tip.Phi2[axis](j, k) * half;
    const NodeWork<Expression>& node = work.nodes.front();
    if (j < 0)
      tip_value[a] = length_;
    else
      tip_value[a] = k < 0 ? node.Phi[j][axis] : node.Phi2[j * work.m + k][axis] * half;
  }
  const auto mass_integral = [&](const std::string& name, double total, double at_the_tip,
                                 const ScaleOfShape& shapes, const Expression& tip_formula) {
    const double distributed = total - tip_mass * at_the_tip;
    constexpr double rounding = 1e-14;
    const double cancelled = rounding * std::abs(total);
    return scaled(name, std::abs(distributed) <= cancelled ? 0.0 : distributed,
                  {rhoA_.symbol * shapes.symbol, rhoA_.value * shapes.value},
                  "shape integral of " + link_.name) +
           tip_symbol * tip_formula;
  };
  const auto term = [&](Eigen::Index a) { return integrals.terms[static_cast<std::size_t>(a)]; };
  const auto dim = [&](Eigen::Index a) { return dimension(term(a).j, term(a).k); };
  FieldConstants<Expression> constants{integrals.terms, VectorX<Expression>(count),
                                       MatrixX<Expression>(count, count)};
  for (Eigen::Index a = 0; a < count; ++a) {
    constants.moment[a] = mass_integral(shape_name("s", number_, {static_cast<int>(a)}), integrals.moment[a],
                                        at_tip[a], scale(dim(a) + 1, {term(a).j, term(a).k}), tip_value[a]);
    for (Eigen::Index b = 0; b <= a; ++b)
      constants.gram(a, b) = constants.gram(b, a) = mass_integral(
          shape_name("S", number_, {static_cast<int>(a), static_cast<int>(b)}), integrals.gram(a, b),
          at_tip[a] * at_tip[b], scale(dim(a) + dim(b) + 1, {term(a).j, term(a).k, term(b).j, term(b).k}),
          tip_value[a] * tip_value[b]);
  }
  set_field_constants(constants, work.m, work.field);
  work.rigid = in_root_frame(root_body_);
  work.rigid.mass += rhoA_.symbol * length_ + tip_symbol;
}

// Calls set(i, j, stiffness, whether it is one of bending) for coordinates of one direction.
template <typename Set>
void LinkParameters::for_each_stiffness(const Set& set) {
  const Beam& beam = *link_.beam;
  const Section section = beam.basis.profile().at(0.0);
  const std::string where = beam.basis.profile().is_uniform() ? "" : " at its root, x = 0";
  struct Named {
    const char *name, *unit, *meaning;
  };
  constexpr Named stiffnesses[] = {{"EIz", "N m^2", "bending stiffness about z"},
                                   {"EIy", "N m^2", "bending stiffness about y"},
                                   {"GJ", "N m^2", "torsional stiffness"},
                                   {"EA", "N", "axial stiffness"}};
  for (const Direction direction : all_directions) {
    std::vector<int> own;
    for (int j = 0; j < link_.elastic_count; ++j)
      if (beam.basis.coordinates()[static_cast<std::size_t>(j)].direction == direction) own.push_back(j);
    if (own.empty()) continue;
    const Named& named = stiffnesses[static_cast<int>(direction)];
    const double value = section.stiffness(direction);
    const ScaleOfShape stiffness{namer_.name(named.name, number_, "", value, named.unit,
                                             std::string(named.meaning) + " of " + link_.name + where),
                                 value};
    for (const int i : own)
      for (const int j : own) set(i, j, stiffness, is_bending(direction));
  }
}

// (2)
void LinkParameters::set_stiffness(LinkWork<Expression>& work) {
  for_each_stiffness([&](int i, int j, const ScaleOfShape& stiffness, bool bends) {
    const ScaleOfShape shapes = scale(bends ? -3 : -1, {i, j});
    work.K[i * work.m + j] = scaled(shape_name("K", number_, {std::max(i, j), std::min(i, j)}),
                                    link_.beam->integrals.stiffness(i, j),
                                    {stiffness.symbol * shapes.symbol, stiffness.value * shapes.value},
                                    "stiffness integral of " + link_.name);
  });
}

// A beam that slides through a guide (telescope.hpp). Its field is numbers and powers of the free length l as it stands; names have L and the part c of it that is in
// the guide at zero, l = L - c + q, its mass per length and stiffness, and what sits on its ends.
void LinkParameters::set_telescope(LinkWork<Expression>& work) {
  const Telescope& telescope = *link_.beam->telescope;
  TelescopeWork<Expression>& t = work.telescope;
  const std::string of = " of " + link_.name;
  const Expression behind =
      namer_.name("c", number_, "", telescope.length - telescope.free_length, "m",
                  "part" + of + " in its guide where " + link_.joint.name + " is at zero");
  t.free_length = length_ - behind;

  // Lumps as they were prepared: the free part's points, two in the guide, what moves with the inner end, and the tip's.
  const Expression mass =
      namer_.name("rhoA", number_, "", telescope.per_length.mass, "kg/m", "mass per length" + of);
  const std::size_t of_beam = telescope.points.size() + 2;
  for (std::size_t i = 0; i < work.lumps.size(); ++i) {
    LaneInertia<Expression>& body = t.lumps[i].body;
    TelescopeNode<Expression>& node = t.nodes[static_cast<std::size_t>(work.lumps[i].node)];
    if (i < of_beam) {
      body.mass = mass;
      if (node.bends) continue;
      node.p0 = Vec3e(-node.per_length * length_, 0.0, 0.0);
      t.lumps[i].constant = 0.5 * length_;
    } else if (work.lumps[i].node == 0) {
      body = tip_body_;
    } else {
      body = moved(root_body_, link_.X_BR.R.transpose(), Vec3e::zero());
      node.p0 = -work.p_BR_R - Vec3e(t.free_length, 0.0, 0.0);
    }
  }
  for_each_stiffness([&](int i, int j, const ScaleOfShape& stiffness, bool) {
    t.K[i * link_.elastic_count + j] =
        scaled(shape_name("K", number_, {std::max(i, j), std::min(i, j)}), telescope.stiffness.at_one(i, j),
               stiffness, "stiffness integral" + of + " at l = 1");
  });
}

void LinkParameters::set_beam(LinkWork<Expression>& work) {
  if (link_.telescopes()) return set_telescope(work);
  if (!shapes_scale()) return;
  name_densities();
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

}  // namespace limber
