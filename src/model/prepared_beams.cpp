// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/prepared_beams.hpp"

#include <cstring>
#include <optional>
#include <type_traits>

#include "beam_shelf.hpp"
#include "limber/model/description_fields.hpp"

namespace limber {
namespace {

/// Visitor of description_fields.hpp: a key that is added there is part of the content.
class Content {
 public:
  std::string bytes;

  void block(const char*, const char*) {}
  void exactly_one_of(const std::vector<Alternative>&) {}
  void at_most_one_of(const std::vector<Alternative>&) {}

  template <typename T>
  void field(const Field& field, const T& member) {
    add(std::string(field.key));
    add(member);
  }
  void shape(const Field& field, ShapeFamily family, const std::optional<ModeTable>& table) {
    add(std::string(field.key));
    add(family);
    add(table.has_value());
    if (!table) return;
    add_list(table->x);
    add_list(table->values);
  }

  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  }
  void add(const std::string& text) {
    add(text.size());
    bytes += text;
  }
  void add(const NumberOrAuto& number) {
    add(number.automatic);
    add(number.value);
  }
  template <int Size>
  void add(const Eigen::Matrix<double, Size, 1>& numbers) {
    add_list(numbers);
  }
  template <typename T>
  void add(const std::optional<T>& member) {
    add(member.has_value());
    if (member) add(*member);
  }
  template <typename T>
  void add(const std::vector<T>& list) {
    add(list.size());
    for (const T& item : list) add(item);
  }
  template <typename Description>
  requires requires(Content& content, const Description& description) { describe(content, description); }
  void add(const Description& description) { describe(*this, description); }

 private:
  void add_list(const Eigen::Ref<const Eigen::MatrixXd>& numbers) {
    add(numbers.rows());
    add(numbers.cols());
    for (Eigen::Index j = 0; j < numbers.cols(); ++j)
      for (Eigen::Index i = 0; i < numbers.rows(); ++i) add(numbers(i, j));
  }
};

}  // namespace

std::string content_of(const BeamOrigin& origin, KinematicOrder order, double length,
                       const std::vector<ShapeRequest>& requests) {
  BeamDescription bare = origin.whole;
  bare.damping.reset();
  bare.strength.reset();
  bare.sn_curve.reset();
  Content content;
  content.add(bare);
  content.add(order);
  content.add(origin.segment);
  content.add(origin.segments);
  content.add(length);
  for (const ShapeRequest& request : requests) {
    content.add(request.tip.mass);
    content.add(request.tip.static_moment);
    content.add(request.tip.inertia);
  }
  return std::move(content.bytes);
}

// What is missing is made without the lock: two threads may make the same, of which the first is kept.
std::shared_ptr<const PreparedBeam> BeamStore::find_or_make(const std::string& content,
                                                            const std::function<PreparedBeam()>& make) {
  {
    const std::lock_guard lock(guard);
    if (const auto place = places.find(content); place != places.end()) {
      ++found;
      entries.splice(entries.begin(), entries, place->second);
      return entries.front().second;
    }
  }
  auto beam = std::make_shared<const PreparedBeam>(make());
  const std::lock_guard lock(guard);
  ++made;
  if (most == 0 || places.count(content) > 0) return beam;
  entries.emplace_front(content, beam);
  places.emplace(content, entries.begin());
  if (entries.size() > most) {
    places.erase(entries.back().first);
    entries.pop_back();
  }
  return beam;
}

PreparedBeams::PreparedBeams(std::size_t most) : shelf_(new Shelf{{most}, {most}}) {}
PreparedBeams::~PreparedBeams() = default;

std::size_t PreparedBeams::size() const {
  const std::lock_guard lock(shelf_->beams.guard);
  return shelf_->beams.entries.size();
}

long PreparedBeams::made() const {
  const std::lock_guard lock(shelf_->beams.guard);
  return shelf_->beams.made;
}

long PreparedBeams::found() const {
  const std::lock_guard lock(shelf_->beams.guard);
  return shelf_->beams.found;
}

}  // namespace limber
