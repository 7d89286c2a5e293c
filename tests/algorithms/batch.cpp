// SPDX-License-Identifier: BSD-3-Clause
// Arms in the lanes of a register compute what each computes alone.

#include "limber/algorithms/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "allocations.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/processor_level.hpp"
#include "limber/io/model_file.hpp"
#include "limber/math/detail/batch.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One column an arm.
struct States {
  States(const Model& model, int count)
      : q(model.nq(), count), v(model.nv(), count), tau(model.nv(), count), loads() {}
  MatrixXd q, v, tau;
  std::vector<Load> loads;
};

struct Results {
  Results(const Model& model, int count)
      : qdd(model.nv(), count), tau(model.nv(), count), M(model.nv(), model.nv() * count) {}
  MatrixXd qdd, tau, M;
};

Results together(BatchWorkspace& work, const Model& model, const States& states) {
  Results r(model, static_cast<int>(states.q.cols()));
  forward_dynamics(work, states.q, states.v, states.tau, r.qdd, states.loads);
  inverse_dynamics(work, states.q, states.v, states.tau, r.tau, states.loads);
  mass_matrix(work, states.q, r.M);
  return r;
}

Results alone(const std::vector<Model>& models, const States& states) {
  const int count = static_cast<int>(states.q.cols()), nv = models.front().nv();
  Results r(models.front(), count);
  for (int i = 0; i < count; ++i) {
    const Model& model = models[static_cast<std::size_t>(i) % models.size()];
    Workspace<double> work(model);
    forward_dynamics(model, work, states.q.col(i), states.v.col(i), states.tau.col(i), r.qdd.col(i),
                     states.loads);
    inverse_dynamics(model, work, states.q.col(i), states.v.col(i), states.tau.col(i), r.tau.col(i),
                     states.loads);
    mass_matrix(model, work, states.q.col(i), r.M.middleCols(i * nv, nv));
  }
  return r;
}

double distance(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / (1e-300 + b.norm()); }

/// Forces and mass matrices to 1e-13. Accelerations are a linear system's solution: rounding comes with the condition of M, so that what is compared is the forces that they are
/// wrong by, M (qdd - qdd'), beside those that there are.
void expect_same(const Results& here, const Results& expected, const char* what, bool directly = false) {
  EXPECT_LT(distance(here.tau, expected.tau), 1e-13) << what;
  EXPECT_LT(distance(here.M, expected.M), 1e-13) << what;
  const Eigen::Index nv = expected.qdd.rows();
  for (Eigen::Index i = 0; i < expected.qdd.cols(); ++i) {
    const auto M = expected.M.middleCols(i * nv, nv);
    const VectorXd wrong = M * (here.qdd.col(i) - expected.qdd.col(i)),
                   all = M.cwiseAbs() * expected.qdd.col(i).cwiseAbs();
    EXPECT_LT(wrong.norm(), 1e-13 * all.norm()) << what << ", column " << i;
    if (directly) {
      EXPECT_LT(distance(here.qdd.col(i), expected.qdd.col(i)), 1e-13) << what;
    }
  }
}

class EveryLevel : public ::testing::TestWithParam<ProcessorLevel> {
 protected:
  void SetUp() override { use_processor_level(GetParam()); }
  void TearDown() override { use_processor_level(before_); }
  ProcessorLevel before_ = processor_level();
};
using BatchOfArms = EveryLevel;

INSTANTIATE_TEST_SUITE_P(All, BatchOfArms, ::testing::ValuesIn(available_processor_levels()),
                         [](const auto& tested) {
                           std::string name = name_of(tested.param);
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

// More columns than lanes, and not a multiple of them; deflections small in some and large in others, so that lanes take different branches.
States states_of(const ModelDescription& description, const Model& model, int count, unsigned seed) {
  States states(model, count);
  for (int i = 0; i < count; ++i) {
    const double scales[] = {0.0, 1e-9, 0.02, 0.9};
    const reference::State state =
        reference::random_state(description, 100 * seed + static_cast<unsigned>(i), scales[i % 4]);
    states.q.col(i) = state.q;
    states.v.col(i) = state.v;
    states.tau.col(i) = state.tau;
  }
  return states;
}

TEST_P(BatchOfArms, ComputesWhatEachComputesAlone) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 6), order);
    const Model model = build_model(description);
    const States states = states_of(description, model, 11, seed);
    BatchWorkspace work(model);
    expect_same(together(work, model, states), alone({model}, states), std::to_string(seed).c_str());
  }
}

// Numbers that have no say in the arm's topology.
ModelDescription varied(ModelDescription description, double factor) {
  description.gravity *= factor;
  for (LinkDescription& link : description.links) {
    if (link.origin) link.origin->xyz *= factor;
    link.joint.damping *= factor;
    link.joint.stiffness *= factor;
    link.joint.rest *= factor;
    link.joint.armature *= factor;
    if (link.joint.pitch) *link.joint.pitch *= factor;
    if (link.joint.axis) *link.joint.axis += Eigen::Vector3d(0.1, 0.2, -0.1) * (factor - 1.0);
    if (link.joint.drive && link.joint.drive->stiffness) *link.joint.drive->stiffness *= factor;
    link.root.mass *= factor;
    link.root.xyz *= factor;
    link.root.rpy *= factor;
    if (link.tip) link.tip->mass *= factor;
    if (link.rigid) link.rigid->mass *= factor;
    if (!link.beam) continue;
    if (link.beam->stations.empty()) link.beam->length *= factor;
    if (link.beam->damping && link.beam->damping->ratio) *link.beam->damping->ratio *= factor;
    if (!link.beam->section) continue;
    for (auto* stiffness : {&link.beam->section->EI_y, &link.beam->section->EI_z, &link.beam->section->GJ})
      if (*stiffness) **stiffness *= factor;
    if (link.beam->section->rotary_inertia) *link.beam->section->rotary_inertia *= factor;
  }
  return description;
}

TEST_P(BatchOfArms, TakesArmsThatDifferInNumbers) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 5), order);
    std::vector<Model> models;
    for (int i = 0; i < 11; ++i) models.push_back(build_model(varied(description, 1.0 + 0.03 * i)));
    const States states = states_of(description, models.front(), 11, seed);
    BatchWorkspace work(models);
    EXPECT_EQ(work.model_count(), 11);
    expect_same(together(work, models.front(), states), alone(models, states), std::to_string(seed).c_str());
  }
}

TEST_P(BatchOfArms, ComputesEveryShippedArm) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() != ".yaml") continue;
    std::optional<Model> model;
    try {
      model.emplace(read_model(entry.path().string()));
    } catch (const InputError&) {
      continue;  // a scenario
    }
    if (!model->loops().empty() || !model->cylinders().empty() || model->has_telescopes())
      continue;  // refused, or swept one by one
    States states(*model, 9);
    states.q = MatrixXd::Random(model->nq(), 9);
    for (const Link& link : model->links()) {
      for (int e = 0; e < link.elastic_count; ++e) states.q.row(link.elastic_q_index + e) *= 0.02;
      if (link.joint.has_quaternion())
        for (int i = 0; i < 9; ++i) states.q.col(i).segment<4>(link.joint.quaternion_index()).normalize();
    }
    states.v = 0.5 * MatrixXd::Random(model->nv(), 9);
    states.tau = 10.0 * MatrixXd::Random(model->nv(), 9);
    BatchWorkspace work(*model);
    expect_same(together(work, *model, states), alone({*model}, states), name.c_str(),
                name == "canadarm_spatial.yaml");
  }
}

TEST_P(BatchOfArms, TakesLoads) {
  const ModelDescription description = reference::random_arm(3, 4, KinematicOrder::second);
  const Model model = build_model(description);
  States states = states_of(description, model, 9, 3);
  for (const Axes axes : {Axes::world, Axes::body, Axes::section}) {
    Load load;
    load.link = 2;
    load.node = 0;
    load.axes = axes;
    load.force = {1.0, 2.0, -3.0};
    load.moment = {0.3, -0.2, 0.1};
    states.loads.push_back(load);
  }
  BatchWorkspace work(model);
  expect_same(together(work, model, states), alone({model}, states), "loads");
  std::vector<Model> models;
  for (int i = 0; i < 9; ++i) models.push_back(build_model(varied(description, 1.0 + 0.1 * i)));
  BatchWorkspace different(models);
  expect_same(together(different, model, states), alone(models, states), "loads on different arms");
}

// To the last bit, wherever an arm stands and whoever stands beside it, one whose numbers are none among them.
TEST_P(BatchOfArms, LanesDoNotKnowOfEachOther) {
  const ModelDescription description = reference::random_arm(6, 5, KinematicOrder::second);
  const Model model = build_model(description);
  const States states = states_of(description, model, 16, 6);
  BatchWorkspace work(model);
  const Results expected = together(work, model, states);
  States turned = states;
  for (int i = 0; i < 16; ++i) {
    turned.q.col(i) = states.q.col((i + 5) % 16);
    turned.v.col(i) = states.v.col((i + 5) % 16);
    turned.tau.col(i) = states.tau.col((i + 5) % 16);
  }
  turned.q.col(3).setConstant(1e300);
  turned.v.col(3).setConstant(-1e300);
  Results here(model, 16);
  inverse_dynamics(work, turned.q, turned.v, turned.tau, here.tau);
  for (int i = 0; i < 16; ++i) {
    if (i == 3) continue;
    EXPECT_EQ(here.tau.col(i), expected.tau.col((i + 5) % 16)) << i;
  }
}

TEST_P(BatchOfArms, NamesTheColumnThatCannotBeAccelerated) {
  ModelDescription light;
  light.links.resize(1);
  light.links[0].name = "nothing";
  light.links[0].joint.name = "hinge";
  light.links[0].rigid.emplace();
  light.links[0].rigid->mass = 1.0;  // on the axis
  light.links[0].joint.armature = 1.0;
  std::vector<Model> hinges(10, build_model(light));
  light.links[0].joint.armature = 0.0;
  hinges[7] = build_model(light);
  BatchWorkspace work(hinges);
  const MatrixXd zero = MatrixXd::Zero(1, 10);
  MatrixXd qdd(1, 10);
  try {
    forward_dynamics(work, zero, zero, MatrixXd::Ones(1, 10), qdd);
    FAIL();
  } catch (const ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("column 7: the mass matrix is singular at coordinate `hinge`"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(qdd.leftCols(7), MatrixXd::Ones(1, 7));
}

TEST_P(BatchOfArms, UsesNoHeap) {
  const ModelDescription description = reference::random_arm(5, 5, KinematicOrder::second);
  const Model model = build_model(description);
  const States states = states_of(description, model, 20, 5);
  BatchWorkspace work(model);
  Results r = together(work, model, states);
  const test::AllocationCounter heap;
  forward_dynamics(work, states.q, states.v, states.tau, r.qdd);
  inverse_dynamics(work, states.q, states.v, states.tau, r.tau);
  mass_matrix(work, states.q, r.M);
  EXPECT_EQ(heap.count(), 0);
}

TEST(BatchWorkspaces, RefuseArmsOfAnotherTopology) {
  const auto refused = [](const ModelDescription& a, const ModelDescription& b) {
    try {
      BatchWorkspace work({build_model(a), build_model(a), build_model(b)});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  const ModelDescription arm =
      read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm_spatial.yaml").description();
  EXPECT_EQ(refused(arm, varied(arm, 1.1)), "taken");
  ModelDescription other = arm;
  other.links.pop_back();
  EXPECT_NE(refused(arm, other).find("BatchWorkspace: models[2]: expected links as models[0] has them: "),
            std::string::npos)
      << refused(arm, other);
  other = arm;
  for (LinkDescription& link : other.links)
    if (link.beam) link.beam->modes.y.reset();
  EXPECT_NE(refused(arm, other).find("elastic coordinates as models[0] has them"), std::string::npos)
      << refused(arm, other);
  other = arm;
  other.links.back().joint.type = JointType::prismatic;
  EXPECT_NE(refused(arm, other).find("joints as models[0] has them"), std::string::npos)
      << refused(arm, other);
  other = arm;
  other.kinematics =
      other.kinematics == KinematicOrder::first ? KinematicOrder::second : KinematicOrder::first;
  EXPECT_NE(refused(arm, other).find("as models[0] has them"), std::string::npos) << refused(arm, other);
  EXPECT_THROW(BatchWorkspace(std::vector<Model>()), InputError);
}

TEST(BatchWorkspaces, RefuseWrongSizes) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm_spatial.yaml");
  BatchWorkspace work(model);
  const MatrixXd q = MatrixXd::Zero(model.nq(), 3), v = MatrixXd::Zero(model.nv(), 3),
                 few = MatrixXd::Zero(model.nv(), 2), low = MatrixXd::Zero(model.nv() - 1, 3);
  MatrixXd a(model.nv(), 3), M(model.nv(), 3 * model.nv()), narrow(model.nv(), model.nv());
  EXPECT_THROW(forward_dynamics(work, low, v, v, a), InputError);
  EXPECT_THROW(forward_dynamics(work, q, low, v, a), InputError);
  EXPECT_THROW(forward_dynamics(work, q, few, v, a), InputError);
  EXPECT_THROW(forward_dynamics(work, q, v, few, a), InputError);
  EXPECT_THROW(forward_dynamics(work, q, v, v, M), InputError);
  EXPECT_THROW(inverse_dynamics(work, q, v, few, a), InputError);
  EXPECT_THROW(mass_matrix(work, q, narrow), InputError);
  Load load;
  load.link = 99;
  EXPECT_THROW(forward_dynamics(work, q, v, v, a, {load}), InputError);
  BatchWorkspace three(std::vector<Model>(3, model));
  EXPECT_NO_THROW(forward_dynamics(three, q, v, v, a));
  EXPECT_THROW(forward_dynamics(three, q.leftCols(2), v.leftCols(2), v.leftCols(2), a.leftCols(2)),
               InputError);
  BatchWorkspace other = std::move(three);
  EXPECT_THROW(forward_dynamics(three, q, v, v, a), InputError);  // NOLINT: moved from
  EXPECT_THROW(three.width(), InputError);                        // NOLINT
  BatchWorkspace none(model);
  EXPECT_NO_THROW(forward_dynamics(none, q.leftCols(0), v.leftCols(0), v.leftCols(0), a.leftCols(0)));
}

// ---- the scalar's own branches ----

template <typename Lanes>
void expect_sines(double x) {
  Lanes all(0.3);
  for (int i = 0; i < Lanes::width; ++i) all.set(i, i == Lanes::width / 2 ? x : 0.1 * i - 0.3);
  const Lanes s = sin(all), c = cos(all);
  for (int i = 0; i < Lanes::width; ++i) {
    if (!std::isfinite(all[i])) {
      EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i]));
      continue;
    }
    const long double sine = std::sin(static_cast<long double>(all[i])),
                      cosine = std::cos(static_cast<long double>(all[i]));
    EXPECT_LE(std::abs(s[i] - sine), 3e-16L * std::abs(sine)) << all[i];
    EXPECT_LE(std::abs(c[i] - cosine), 3e-16L * std::abs(cosine)) << all[i];
  }
}

TEST(BatchScalar, HasSinesOfEveryAngle) {
  const double pi = 3.141592653589793;
  std::vector<double> angles{0.0,     -0.0,     5e-324, 1e-300, 1e-8,     1.0,
                             99999.9, 100000.1, 1e9,    1e22,   INFINITY, NAN};
  for (int n = 1; n < 200; ++n) {
    angles.push_back(n * pi / 4);  // where quarters meet, and zeros of both
    angles.push_back(std::nextafter(n * pi / 4, 0.0));
    angles.push_back(0.7123 * n * n);
  }
  for (const double x : angles)
    for (const double sign : {1.0, -1.0}) {
      expect_sines<detail::Batch<4>>(sign * x);
      expect_sines<detail::Batch<8>>(sign * x);
    }
}

TEST(BatchScalar, TakesEachLanesOwnSeries) {
  using Lanes = detail::Batch<8>;
  const double squares[] = {0.0, 1e-20, 0.2499, 0.2501, 3.0, 9.9, 30.0, 1e-3};
  Lanes s(0.0);
  for (int i = 0; i < 8; ++i) s.set(i, squares[i]);
  const rotation_series::Values<Lanes> all = rotation_series::values(s);
  for (int i = 0; i < 8; ++i) {
    const rotation_series::Values<double> one = rotation_series::values(squares[i]);
    EXPECT_NEAR(all.c1[i], one.c1, 2e-16) << squares[i];
    EXPECT_NEAR(all.c2[i], one.c2, 1e-16) << squares[i];
    EXPECT_NEAR(all.c3[i], one.c3, 1e-16) << squares[i];
    EXPECT_NEAR(all.dc2[i], one.dc2, 1e-16) << squares[i];
    EXPECT_NEAR(all.dc3[i], one.dc3, 1e-16) << squares[i];
  }
}

}  // namespace
}  // namespace limber
