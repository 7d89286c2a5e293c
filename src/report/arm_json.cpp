#include "arm_json.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "limber/analysis/beam_state.hpp"
#include "limber/model/choices.hpp"
#include "section_size.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "browsers read little-endian numbers");

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0u;
    };
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
  return text;
}

template <typename Number>
std::string packed(const double* values, std::size_t count) {
  std::string bytes(count * sizeof(Number), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<Number>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Number), &value, sizeof(Number));
  }
  return base64(bytes);
}

std::string packed_matrix(
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>& matrix) {
  return packed_floats(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

Json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json pose_json(const Pose& X) {
  const Eigen::Quaterniond u(X.R);
  return {X.p.x(), X.p.y(), X.p.z(), u.x(), u.y(), u.z(), u.w()};
}

int products(int m, bool second_order) { return second_order ? m + m * (m + 1) / 2 : m; }

// Rows of one node in a matrix over the products of eta: linear columns, then 1/2 eta^T Q eta by its elements.
void put_form(const Eigen::Matrix3Xd& linear, const std::array<Eigen::MatrixXd, 3>& quadratic,
              Eigen::Ref<Eigen::MatrixXd> rows) {
  const auto m = linear.cols();
  rows.leftCols(m) = linear;
  if (rows.cols() == m) return;
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::Index column = m;
    for (Eigen::Index j = 0; j < m; ++j)
      for (Eigen::Index k = 0; k <= j; ++k)
        rows(axis, column++) = (j == k ? 0.5 : 1.0) * quadratic[static_cast<std::size_t>(axis)](j, k);
  }
}

constexpr int station_count = 25;

Json beam_json(const Link& link, KinematicOrder order) {
  const BeamBasis& basis = link.beam->basis;
  std::vector<double> places;
  for (int i = 0; i < station_count; ++i) places.push_back(basis.length() * i / (station_count - 1));
  std::vector<BeamNode> nodes = make_nodes(basis, order, places);
  nodes.back() = link.nodes.front().field;  // the tip may turn by its chord
  for (const Node& node : link.nodes) nodes.push_back(node.field);

  const int m = link.elastic_count;
  const int columns = products(m, order == KinematicOrder::second);
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd position = Eigen::MatrixXd::Zero(3 * count, columns), rotation = position;
  for (Eigen::Index i = 0; m > 0 && i < count; ++i) {
    const BeamNode& node = nodes[static_cast<std::size_t>(i)];
    put_form(node.Phi, node.B, position.middleRows(3 * i, 3));
    put_form(node.Psi, node.C, rotation.middleRows(3 * i, 3));
  }
  Eigen::MatrixXd strain(3 * station_count, m), stiffness(3, station_count);
  for (int i = 0; i < station_count; ++i) {
    const double x = places[static_cast<std::size_t>(i)];
    for (int j = 0; j < m; ++j) {
      const BeamStrain unit = beam_strain(link, Eigen::VectorXd::Unit(m, j), x);
      strain.block<3, 1>(3 * i, j) << unit.kappa_y, unit.kappa_z, unit.twist;
    }
    const Section section = basis.profile().at(x);
    // A stiffness that nobody gave belongs to a curvature that is zero.
    stiffness.col(i) = Eigen::Vector3d(section.EI_y, section.EI_z, section.GJ).unaryExpr([](double value) {
      return std::isfinite(value) ? value : 0.0;
    });
  }
  Json rest = Json::array();
  for (const BeamNode& node : nodes) rest.push_back(vector_json(node.r0()));
  return {{"stations", station_count},           {"rest", rest},
          {"position", packed_matrix(position)}, {"rotation", packed_matrix(rotation)},
          {"strain", packed_matrix(strain)},     {"stiffness", packed_matrix(stiffness.transpose())}};
}

Json rigid_json(const Link& link) {
  Json rest = {vector_json(Eigen::Vector3d::Zero()), vector_json(link.nodes.front().X_RN.p)};
  for (const Node& node : link.nodes) rest.push_back(vector_json(node.X_RN.p));
  return {{"stations", 2}, {"rest", rest}};
}

Json link_json(const Model& model, std::size_t index, const std::vector<LinkSize>& sizes) {
  const Link& link = model.links[index];
  Json axes = Json::array(), nodes = Json::array(), half_sizes = Json::array();
  for (const Eigen::Vector3d& axis : link.joint.axes) axes.push_back(vector_json(axis));
  for (const Node& node : link.nodes) nodes.push_back(pose_json(node.X_RN));
  Json shape = link.beam ? beam_json(link, model.kinematics) : rigid_json(link);
  const int stations = shape["stations"];
  for (int i = 0; i < stations; ++i) {
    const auto half = sizes[index].at(double(i) / (stations - 1));
    half_sizes.push_back({half.x(), half.y()});
  }
  shape["half_sizes"] = half_sizes;
  shape["is_round"] = sizes[index].is_round;
  const double tip_mass = link.tip_body.mass;
  Json payload = nullptr;
  if (tip_mass > 0.0) payload = {{"mass", tip_mass}, {"com", vector_json(link.tip_body.moment / tip_mass)}};
  return {
      {"name", link.name},
      {"parent", link.parent},
      {"parent_node", link.parent_node},
      {"X_NJ", pose_json(link.X_NJ)},
      {"X_BR", pose_json(link.X_BR)},
      {"joint",
       {{"name", link.joint.name},
        {"type", choice_name(link.joint.type)},
        {"axes", axes},
        {"q", link.joint.q_index},
        {"v", link.joint.v_index}}},
      {"elastic", {{"q", link.elastic_q_index}, {"v", link.elastic_v_index}, {"count", link.elastic_count}}},
      {"shape", shape},
      {"nodes", nodes},
      {"payload", payload}};
}

}  // namespace

std::string packed_floats(const double* values, std::size_t count) { return packed<float>(values, count); }
std::string packed_doubles(const double* values, std::size_t count) { return packed<double>(values, count); }

Json arm_json(const Model& model) {
  Json links = Json::array();
  const std::vector<LinkSize> sizes = link_sizes(model);
  for (std::size_t i = 0; i < model.links.size(); ++i) links.push_back(link_json(model, i, sizes));
  const EndEffector& end = model.end_effector;
  return {{"name", model.name},
          {"gravity", vector_json(model.gravity)},
          {"second_order", model.kinematics == KinematicOrder::second},
          {"nq", model.nq},
          {"nv", model.nv},
          {"coordinates", model.coordinates},
          {"reach", reach(model)},
          {"links", links},
          {"end_effector", {{"link", end.link}, {"node", end.node}, {"pose", pose_json(end.X_NE)}}}};
}

}  // namespace limber
