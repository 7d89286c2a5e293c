// SPDX-License-Identifier: BSD-3-Clause
// Beams that many arms share: to the last bit those of an arm that is built by itself, found where nothing of theirs has changed, and made where anything has.

#include "limber/model/prepared_beams.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "places.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

bool same(const Eigen::Ref<const MatrixXd>& a, const Eigen::Ref<const MatrixXd>& b) {
  const MatrixXd x = a, y = b;
  return x.rows() == y.rows() && x.cols() == y.cols() &&
         (x.size() == 0 ||
          std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) == 0);
}

bool same(const BeamNode& a, const BeamNode& b) {
  bool all = a.x == b.x && a.y == b.y && a.z == b.z && same(a.Phi, b.Phi) && same(a.Psi, b.Psi);
  for (std::size_t i = 0; i < 3; ++i) all = all && same(a.Phi2[i], b.Phi2[i]) && same(a.Psi2[i], b.Psi2[i]);
  return all;
}

bool same(const RigidInertia& a, const RigidInertia& b) {
  return a.mass == b.mass && same(a.moment, b.moment) && same(a.inertia, b.inertia);
}

// All numbers of a beam, bit by bit.
bool same(const Beam& a, const Beam& b) {
  const ShapeIntegrals &x = a.integrals, &y = b.integrals;
  bool all = x.mass == y.mass && same(x.moment, y.moment) && same(x.gram, y.gram) &&
             same(x.stiffness, y.stiffness) && same(x.rest_inertia, y.rest_inertia) &&
             x.lumps.size() == y.lumps.size() && a.directions.size() == b.directions.size() &&
             same(a.damping, b.damping) && same(a.inner.strains, b.inner.strains) &&
             same(a.inner.moments, b.inner.moments) && same(a.inner.foreshortening, b.inner.foreshortening) &&
             a.tip_rotation == b.tip_rotation && a.strength == b.strength;
  for (std::size_t i = 0; all && i < x.lumps.size(); ++i)
    all = same(x.lumps[i].node, y.lumps[i].node) && same(x.lumps[i].body, y.lumps[i].body);
  for (std::size_t i = 0; all && i < a.directions.size(); ++i)
    all = same(a.directions[i].frequencies, b.directions[i].frequencies);
  for (const double part : {0.0, 0.31, 0.77, 1.0})
    for (int j = 0; all && j < a.basis.size(); ++j) {
      const double at = part * a.basis.length();
      all = a.basis.coordinates()[static_cast<std::size_t>(j)].shape.at(at) ==
            b.basis.coordinates()[static_cast<std::size_t>(j)].shape.at(at);
    }
  return all && a.basis.length() == b.basis.length();
}

bool same(const Model& a, const Model& b) {
  if (a.links().size() != b.links().size()) return false;
  for (std::size_t i = 0; i < a.links().size(); ++i) {
    const Link &x = a.links()[i], &y = b.links()[i];
    if (static_cast<bool>(x.beam) != static_cast<bool>(y.beam) || (x.beam && !same(*x.beam, *y.beam)) ||
        x.nodes.size() != y.nodes.size() || !same(x.rigid, y.rigid))
      return false;
    for (std::size_t k = 0; k < x.nodes.size(); ++k)
      if (!same(x.nodes[k].field, y.nodes[k].field)) return false;
  }
  return true;
}

// A tapered boom and a jib, shapes of two families, one of them with what hangs on it.
ModelDescription arm() {
  ModelBuilder builder("arm");
  builder.link("boom")
      .revolute(Vector3d::UnitZ(), "shoulder")
      .beam(6.0, {.EI_y = 2e4, .EI_z = 1e4, .GJ = 8e3, .EA = 1e7, .mass_per_length = 5.0})
      .modes(Direction::y, 3)
      .modes(Direction::z, 2)
      .modes(Direction::torsion, 1)
      .tip({.mass = 2.0, .com = {0.1, 0.0, 0.0}});
  BeamDescription& boom = *builder.current_link().beam;
  boom.section->rotary_inertia = Vector3d(0.02, 0.01, 0.01);
  boom.damping = DampingDescription{.ratio = 0.01};
  builder.link("jib").revolute(Vector3d::UnitY(), "elbow").beam(3.0, SectionDescription{});
  BeamDescription& jib = *builder.current_link().beam;
  jib.section.reset();
  SectionDescription tube{.shape = SectionShape::tube,
                          .outer_diameter = 0.1,
                          .thickness = 0.004,
                          .material = MaterialDescription{.E = 7e10, .nu = 0.33, .density = 2700.0}};
  jib.stations.push_back({0.0, tube});
  tube.outer_diameter = 0.06;
  jib.stations.push_back({3.0, tube});
  jib.modes.y = ModesDescription{.shape = ShapeFamily::finite_element,
                                 .count = 2,
                                 .tip_mass = NumberOrAuto{true, 0.0},
                                 .tip_inertia = NumberOrAuto{true, 0.0}};
  builder.tip({.mass = 1.0});
  return builder.description();
}

// Nothing of it is shared, not even between its own links.
Model alone(const ModelDescription& description) {
  PreparedBeams none(0);
  return build_model(description, none);
}

using Change = std::function<void(ModelDescription&)>;

TEST(PreparedBeams, OfEveryArmOfTheHouseAreThoseOfAFreshOne) {
  PreparedBeams kept(10000);
  int arms = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    ModelDescription description;
    try {
      description = read_model_description(entry.path());
    } catch (const InputError&) {
      continue;  // a scenario
    }
    const Model fresh = alone(description), first = build_model(description, kept);
    const long made = kept.made();
    const Model again = build_model(description, kept);
    EXPECT_TRUE(same(fresh, first)) << entry.path();
    EXPECT_TRUE(same(fresh, again)) << entry.path();
    EXPECT_TRUE(same(fresh, build_model(description))) << entry.path();
    EXPECT_EQ(kept.made(), made) << entry.path();
    ++arms;
  }
  EXPECT_GT(arms, 30);
}

TEST(PreparedBeams, AreFoundWhereWhatHasChangedIsNoPartOfThem) {
  PreparedBeams kept;
  build_model(arm(), kept);
  ASSERT_EQ(kept.made(), 2);
  const Change changes[] = {
      [](ModelDescription& arm) { arm.links[0].tip->mass = 0.0; },
      [](ModelDescription& arm) {
        arm.links[0].tip->com = {0.0, 0.2, 0.0};
      },
      [](ModelDescription& arm) { arm.links[0].root.mass = 7.0; },
      [](ModelDescription& arm) {
        arm.links[1].root.xyz = {0.1, 0.0, 0.0};
      },
      [](ModelDescription& arm) { arm.links[1].joint.stiffness = 100.0; },
      [](ModelDescription& arm) { arm.links[1].attach = 0.5; },
      [](ModelDescription& arm) { arm.links[0].beam->damping->ratio = 0.2; },
      [](ModelDescription& arm) { arm.links[0].beam->damping.reset(); },
      [](ModelDescription& arm) { arm.links[1].beam->strength = 1e8; },
      [](ModelDescription& arm) { arm.gravity = Vector3d::Zero(); },
      // A name is no part of shapes, nor is which link has them.
      [](ModelDescription& arm) { arm.links[0].name = "mast"; },
  };
  int number = 0;
  for (const Change& change : changes) {
    ModelDescription other = arm();
    change(other);
    EXPECT_TRUE(same(alone(other), build_model(other, kept))) << number;
    EXPECT_EQ(kept.made(), 2) << number;
    ++number;
  }
  EXPECT_EQ(kept.found(), 2 * number);
}

TEST(PreparedBeams, AreMadeWhereAnythingOfThemHasChanged) {
  const Change changes[] = {
      [](ModelDescription& arm) { arm.links[0].beam->length = 6.000001; },
      [](ModelDescription& arm) { arm.links[0].beam->section->EI_y = 2.1e4; },
      [](ModelDescription& arm) { arm.links[0].beam->section->EI_z = std::nextafter(1e4, 2e4); },
      [](ModelDescription& arm) { arm.links[0].beam->section->GJ = 8.1e3; },
      [](ModelDescription& arm) { arm.links[0].beam->section->mass_per_length = 5.1; },
      [](ModelDescription& arm) { arm.links[0].beam->section->kGA_y = 1e6; },
      [](ModelDescription& arm) { arm.links[0].beam->section->rotary_inertia->x() = 0.021; },
      [](ModelDescription& arm) { arm.links[0].beam->section->center_of_mass.x() = 0.01; },
      [](ModelDescription& arm) { arm.links[0].beam->section->shear_center.y() = 0.01; },
      [](ModelDescription& arm) { arm.links[0].beam->modes.y->count = 2; },
      [](ModelDescription& arm) { arm.links[0].beam->modes.z.reset(); },
      [](ModelDescription& arm) { arm.links[0].beam->modes.y->normalize = Normalization::mass; },
      [](ModelDescription& arm) { arm.links[0].beam->modes.z->shape = ShapeFamily::clamped_free; },
      [](ModelDescription& arm) { arm.links[0].beam->tip_rotation = TipRotation::chord; },
      [](ModelDescription& arm) { arm.links[0].beam->segments = 2; },
      [](ModelDescription& arm) { arm.links[1].beam->stations[1].section.outer_diameter = 0.061; },
      [](ModelDescription& arm) { arm.links[1].beam->stations[0].section.material->E = 7.1e10; },
      [](ModelDescription& arm) {
        for (StationDescription& station : arm.links[1].beam->stations) station.section.shear = true;
      },
      [](ModelDescription& arm) { arm.links[1].beam->stations[1].rpy.x() = 0.3; },
      // What `auto` imagines on the tip.
      [](ModelDescription& arm) { arm.links[1].tip->mass = 1.1; },
  };
  int number = 0;
  for (const Change& change : changes) {
    PreparedBeams kept;
    build_model(arm(), kept);
    ModelDescription other = arm();
    change(other);
    EXPECT_TRUE(same(alone(other), build_model(other, kept))) << number;
    EXPECT_GT(kept.made(), 2) << number;
    ++number;
  }
  PreparedBeams kept;
  build_model(arm(), kept);
  ModelDescription second = arm();
  second.kinematics =
      second.kinematics == KinematicOrder::first ? KinematicOrder::second : KinematicOrder::first;
  EXPECT_TRUE(same(alone(second), build_model(second, kept)));
  EXPECT_EQ(kept.made(), 4);
}

TEST(PreparedBeams, KeepThoseThatWereUsedLast) {
  PreparedBeams kept(3), none(0);
  ModelDescription other = arm();
  for (int i = 0; i < 10; ++i) {
    other.links[0].beam->length = 6.0 + 0.1 * i;  // the jib is used each time, and stays
    build_model(other, kept);
    EXPECT_LE(kept.size(), 3u);
    EXPECT_TRUE(same(alone(other), build_model(other, none)));
  }
  EXPECT_EQ(kept.made(), 11);
  EXPECT_EQ(kept.found(), 9);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.made(), 20);
}

TEST(PreparedBeams, AreMadeOnceForLinksThatAreAlike) {
  ModelDescription chain = arm();
  for (int i = 0; i < 9; ++i) {
    chain.links.push_back(chain.links[0]);
    chain.links.back().name = "link" + std::to_string(i);
    chain.links.back().joint.name.clear();
    chain.links.back().tip->mass = 0.1 * i;
  }
  PreparedBeams kept;
  EXPECT_TRUE(same(alone(chain), build_model(chain, kept)));
  EXPECT_EQ(kept.made(), 2);
  EXPECT_EQ(kept.found(), 9);
}

TEST(PreparedBeams, OfAnArmThatIsRefusedAreNotKept) {
  PreparedBeams kept;
  ModelDescription wrong = arm();
  wrong.links[0].beam->modes.y->shape = ShapeFamily::polynomial;
  wrong.links[0].beam->modes.y->count = 40;  // nearly combinations of each other
  for (int i = 0; i < 2; ++i) {
    try {
      build_model(wrong, kept);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
      EXPECT_EQ(error.problems().front().path.substr(0, 21), "links[0].beam.modes.y");
    }
  }
  EXPECT_EQ(kept.size(), 0u);
}

TEST(PreparedBeams, AreSharedByThreads) {
  PreparedBeams kept(4);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        ModelDescription mine = arm();
        mine.links[0].beam->length = 6.0 + 0.1 * (i % 5);
        mine.links[0].tip->mass = 0.1 * static_cast<double>(t);
        if (!same(alone(mine), build_model(mine, kept))) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int one : wrong) EXPECT_EQ(one, 0);
}

}  // namespace
}  // namespace limber
