// SPDX-License-Identifier: BSD-3-Clause
// `dae` with its body frames anywhere on the beams: another choice of unknowns, the same motion.

#include <gtest/gtest.h>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/lookup.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(BodyFrame, ChangesNeitherAccelerationsNorWrenches) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 5), order);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.03);
    const VectorXd tau = VectorXd::LinSpaced(model.nv(), -1.0, 1.0);
    DynamicsOutput expected, found;
    make_formulation(FormulationKind::recursive, model)->evaluate({state.q, state.v, tau, {}}, expected);
    for (const double at : {0.37, 1.0}) {
      FormulationOptions options;
      options.body_frame = at;
      const auto formulation = make_formulation(FormulationKind::dae, model, options);
      formulation->evaluate({state.q, state.v, tau, {}}, found);
      EXPECT_LT((found.acceleration - expected.acceleration).norm(),
                1e-8 * (1.0 + expected.acceleration.norm()));
      for (std::size_t i = 0; i < found.wrenches.size(); ++i)
        EXPECT_LT((found.wrenches[i] - expected.wrenches[i]).vector().norm(),
                  1e-8 * (1.0 + expected.wrenches[i].vector().norm()));
    }
  }
}

// The same force; its moment is about where the parent's frame rides, and both are in the axes that it has there.
TEST(BodyFrame, IsWhatInteractionWrenchesAreAbout) {
  ModelDescription description = reference::random_arm(3, 4, KinematicOrder::second);
  const Model model = build_model(description);
  const reference::State state = reference::random_state(description, 3, 0.03);
  const VectorXd tau = VectorXd::LinSpaced(model.nv(), -1.0, 1.0);
  constexpr double at = 0.37;
  LinkByLink root = link_by_link(model, 0.0), inside = link_by_link(model, at);
  int compared = 0;
  for (LinkByLink* links : {&root, &inside}) {
    links->update(state.q, state.v);
    links->assemble(state.q, state.v, tau, VectorXd::Zero(model.nv()), {});
    links->solve();
  }
  Workspace<double> work(inside.model());
  update_positions(inside.model(), work, state.q);
  update_world_poses(work);
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const Link& link = model.links()[static_cast<std::size_t>(i)];
    if (link.parent < 0) continue;
    const Link& parent = model.links()[static_cast<std::size_t>(link.parent)];
    const Wrench about_B = root.interaction_wrench(i), found = inside.interaction_wrench(i);
    if (parent.elastic_count == 0) {
      EXPECT_LT((found - about_B).vector().norm(), 1e-9 * about_B.vector().norm());
      continue;
    }
    ++compared;
    const PoseOf<double> X_WN =
        frame_pose(inside.model(), work, {link.parent, node_index(inside.model(), link.parent, at), {}});
    const Pose X_WB = root_pose(inside.model(), work, link.parent) * parent.X_BR.inverse();
    const Matrix3d R_NB = X_WN.R.transpose() * X_WB.R;
    const Vector3d force = R_NB * about_B.force, p_NB = X_WN.R.transpose() * (X_WB.p - X_WN.p);
    const Vector3d moment = R_NB * about_B.moment + p_NB.cross(force);
    EXPECT_LT((found.force - force).norm(), 1e-9 * force.norm());
    EXPECT_LT((found.moment - moment).norm(), 1e-9 * (moment.norm() + force.norm()));
  }
  EXPECT_GT(compared, 0);
}

TEST(BodyFrame, IsAFraction) {
  const Model model = build_model(reference::random_arm(3, 2, KinematicOrder::second));
  FormulationOptions options;
  options.body_frame = 1.5;
  EXPECT_THROW(make_formulation(FormulationKind::dae, model, options), InputError);
}

}  // namespace
}  // namespace limber
