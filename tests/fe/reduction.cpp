// SPDX-License-Identifier: BSD-3-Clause
#include "limber/fe/reduction.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "bar.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Bar;
using test::BarOptions;

ReductionRequest request(int modes) { return {"ROOT", {{"tip", "TIP"}}, modes}; }

// u = T x with the root held and the tip's nodes as one rigid piece, its six freedoms last: written down by itself, dense.
MatrixXd held_and_rigid(const Bar& bar, bool rigid_tip) {
  const Mesh& mesh = bar.mesh();
  const auto contains = [&](const char* set, int node) {
    const auto& nodes = mesh.sets.at(set);
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  const BarOptions& o = bar.options();
  const MatrixXd S = bar.rigid_motions(o.origin + Vector3d(o.length, 0.0, 0.0));
  const auto n = static_cast<int>(mesh.numbers.size());
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (!contains("ROOT", i) && !(rigid_tip && contains("TIP", i))) free.push_back(i);
  MatrixXd T = MatrixXd::Zero(3 * n, 3 * static_cast<Eigen::Index>(free.size()) + (rigid_tip ? 6 : 0));
  for (std::size_t k = 0; k < free.size(); ++k)
    T.block<3, 3>(3 * free[k], 3 * static_cast<Eigen::Index>(k)).setIdentity();
  for (int i = 0; i < n && rigid_tip; ++i)
    if (contains("TIP", i)) T.block(3 * i, T.cols() - 6, 3, 6) = S.middleRows(3 * i, 3);
  return T;
}

VectorXd full_frequencies(const Bar& bar, bool rigid_tip) {
  const MatrixXd T = held_and_rigid(bar, rigid_tip);
  const MatrixXd K = T.transpose() * bar.K() * T, M = T.transpose() * bar.M() * T;
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseSqrt();
}

TEST(Reduction, KeepsTheFirstTenFrequenciesOfTheWholeMesh) {
  const Bar bar({});
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(14));
  ASSERT_LE(body.size(), 20);
  ASSERT_GE(body.size(), 16);
  const VectorXd exact = full_frequencies(bar, true);
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(body.frequencies[i] / exact[i], 1.0, 1e-3) << i;
    EXPECT_GE(body.frequencies[i] / exact[i], 1.0 - 1e-9) << i;  // Rayleigh-Ritz: from above
  }
}

TEST(Reduction, OfAnAveragingTipAddsNoStiffness) {
  const Bar bar({});
  ReductionRequest wanted = request(10);
  wanted.interfaces.front().spider = Spider::averaging;
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), wanted);
  const VectorXd exact = full_frequencies(bar, false);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(body.frequencies[i] / exact[i], 1.0, 1e-6) << i;

  // Loads on it are spread, its motion is the mean: the flexibility of the whole mesh, exactly.
  const MatrixXd T = held_and_rigid(bar, false);
  const BarOptions& o = bar.options();
  const auto& tip = bar.mesh().sets.at("TIP");
  const MatrixXd S = bar.rigid_motions(o.origin + Vector3d(o.length, 0.0, 0.0));
  MatrixXd G(3 * static_cast<Eigen::Index>(tip.size()), 6), P = MatrixXd::Zero(G.rows(), S.rows());
  for (std::size_t k = 0; k < tip.size(); ++k) {
    G.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = S.middleRows<3>(3 * tip[k]);
    P.block<3, 3>(3 * static_cast<Eigen::Index>(k), 3 * tip[k]).setIdentity();
  }
  const MatrixXd A = (G.transpose() * G).inverse() * G.transpose() * P * T;
  const MatrixXd exact_flexibility = A * MatrixXd(T.transpose() * bar.K() * T).llt().solve(A.transpose());
  MatrixXd modes(6, body.size());
  modes << body.interfaces[0].Phi, body.interfaces[0].Psi;
  const MatrixXd flexibility = modes * body.stiffness.cwiseInverse().asDiagonal() * modes.transpose();
  const VectorXd size = exact_flexibility.diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((size.asDiagonal() * (flexibility - exact_flexibility) * size.asDiagonal()).cwiseAbs().maxCoeff(),
            1e-7);
}

TEST(Reduction, AnswersStaticLoadsOnItsTipAsTheWholeMeshDoes) {
  const Bar bar({});
  const MatrixXd T = held_and_rigid(bar, true);
  const MatrixXd exact = MatrixXd(T.transpose() * bar.K() * T)
                             .llt()
                             .solve(MatrixXd::Identity(T.cols(), T.cols()))
                             .bottomRightCorner(6, 6);
  const VectorXd size = exact.diagonal().cwiseSqrt().cwiseInverse();
  for (const int count : {0, 3, 14}) {  // of many, what the others nearly make is left out
    const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(count));
    MatrixXd modes(6, body.size());
    modes << body.interfaces[0].Phi, body.interfaces[0].Psi;
    const MatrixXd flexibility = modes * body.stiffness.cwiseInverse().asDiagonal() * modes.transpose();
    EXPECT_LT((size.asDiagonal() * (flexibility - exact) * size.asDiagonal()).cwiseAbs().maxCoeff(),
              count > 3 ? 1e-6 : 1e-8)
        << count;
  }
}

TEST(Reduction, KnowsMassAndInertiaOfABox) {
  BarOptions o;
  o.origin = {3.0, -2.0, 1.0};  // where the mesh lies does not matter
  const Bar bar(o);
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(2));
  const double mass = o.density * o.length * o.width * o.height;
  const RigidInertia rest = body.rest_inertia();
  EXPECT_NEAR(rest.mass, mass, 1e-10 * mass);
  EXPECT_LT((rest.moment / mass - Vector3d(0.5 * o.length, 0.0, 0.0)).norm(), 1e-12);
  const Vector3d about_root =
      mass / 12.0 *
      Vector3d(o.width * o.width + o.height * o.height, 4 * o.length * o.length + o.height * o.height,
               4 * o.length * o.length + o.width * o.width);
  EXPECT_LT((rest.inertia - Eigen::Matrix3d(about_root.asDiagonal())).cwiseAbs().maxCoeff(), 1e-10 * mass);
  EXPECT_LT((body.interfaces[0].p_RI - Vector3d(o.length, 0.0, 0.0)).norm(), 1e-12);
}

// Euler and Bernoulli, corrected by Timoshenko's shear (5/6) and rotary inertia to first order, is within 0.02 % here.
TEST(Reduction, OfASlenderBarGivesTheBeamsFrequencies) {
  BarOptions o;
  o.length = 1.0;
  o.width = 0.02;
  o.height = 0.01;
  o.elements = 24;
  const Bar bar(o);
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(8));
  const double k1 = 1.875104068711961, k2 = 4.694091132974175;
  const auto omega = [&](double k, double h) { return k * k * std::sqrt(o.E * h * h / 12.0 / o.density); };
  EXPECT_NEAR(body.frequencies[0] / omega(k1, o.height), 1.0, 2e-3);
  EXPECT_NEAR(body.frequencies[1] / omega(k1, o.width), 1.0, 2e-3);
  EXPECT_NEAR(body.frequencies[2] / omega(k2, o.height), 1.0, 2e-3);
}

// The kinetic energy of all nodes, which move with a frame that turns and glides while the body bends.
TEST(Reduction, HasTheKineticEnergyOfTheWholeMesh) {
  const Bar bar({});
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(4));
  std::srand(7);
  const VectorXd eta = 0.05 * VectorXd::Random(body.size()), rate = VectorXd::Random(body.size());
  const Vector3d v = Vector3d::Random(), w = Vector3d::Random();
  // p = N F and its rate = N' F, with F the terms' functions: x, y, z of r0, then of each mode.
  MatrixXd N = MatrixXd::Zero(3, body.moment.size()), N_rate = N;
  N.leftCols<3>().setIdentity();
  for (Eigen::Index j = 0; j < body.size(); ++j) {
    N.middleCols<3>(3 + 3 * j).diagonal().setConstant(eta[j]);
    N_rate.middleCols<3>(3 + 3 * j).diagonal().setConstant(rate[j]);
  }
  const Vector3d first = N * body.moment, momentum = N_rate * body.moment;
  const Eigen::Matrix3d second = N * body.gram * N.transpose(), mixed = N * body.gram * N_rate.transpose();
  const Vector3d angular(mixed(1, 2) - mixed(2, 1), mixed(2, 0) - mixed(0, 2), mixed(0, 1) - mixed(1, 0));
  const double energy = 0.5 * body.mass * v.squaredNorm() + v.dot(w.cross(first) + momentum) +
                        0.5 * (second.trace() * w.squaredNorm() - w.dot(second * w)) + w.dot(angular) +
                        0.5 * (N_rate * body.gram * N_rate.transpose()).trace();

  // The modes at all nodes, made once more from the whole matrices.
  const MatrixXd T = held_and_rigid(bar, true);
  const MatrixXd K = T.transpose() * bar.K() * T, M = T.transpose() * bar.M() * T;
  const Eigen::Index inner = T.cols() - 6;
  const MatrixXd K_ii = K.topLeftCorner(inner, inner), M_ii = M.topLeftCorner(inner, inner);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> free(K, M), held(K_ii, M_ii);
  MatrixXd V =
      MatrixXd::Zero(T.cols(), 10);  // three modes with a free tip, one with a held one, six static shapes
  V.leftCols(3) = free.eigenvectors().leftCols(3);
  V.block(0, 3, inner, 1) = held.eigenvectors().leftCols(1);
  V.bottomRightCorner(6, 6).setIdentity();
  V.topRightCorner(inner, 6) = -Eigen::LLT<MatrixXd>(K_ii).solve(MatrixXd(K.topRightCorner(inner, 6)));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> reduced(V.transpose() * K * V,
                                                                   V.transpose() * M * V);
  MatrixXd U = T * V * reduced.eigenvectors();
  for (Eigen::Index j = 0; j < U.cols(); ++j) {
    double largest = 0.0;
    for (Eigen::Index i = 0; i < U.rows(); i += 3) largest = std::max(largest, U.col(j).segment<3>(i).norm());
    U.col(j) /= largest;
    VectorXd own(6);  // sign, by the tip's motion
    own << body.interfaces[0].Phi.col(j), body.interfaces[0].Psi.col(j);
    const VectorXd other = V.bottomRows<6>() * reduced.eigenvectors().col(j);
    if (own.dot(other) < 0.0) U.col(j) *= -1.0;
  }
  const Eigen::Index n = bar.mesh().positions.cols();
  VectorXd velocity(3 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vector3d p = Vector3d(bar.mesh().positions.col(i)) + U.middleRows<3>(3 * i) * eta;
    velocity.segment<3>(3 * i) = v + w.cross(p) + U.middleRows<3>(3 * i) * rate;
  }
  const double exact = 0.5 * velocity.dot(bar.M() * velocity);
  EXPECT_NEAR(energy / exact, 1.0, 1e-7);
}

TEST(Reduction, ScalesItsModesToOneMetre) {
  const Bar bar({});
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), request(2));
  // The first one bends the bar: its tip moves farthest.
  EXPECT_NEAR(body.interfaces[0].Phi.col(0).norm(), 1.0, 1e-2);
  ASSERT_GT(body.skin.points.cols(), 0);
  ASSERT_GT(body.skin.triangles.cols(), 0);
  for (Eigen::Index j = 0; j < body.size(); ++j)
    EXPECT_LT(body.skin.modes.col(j).cwiseAbs().maxCoeff(), 1.0 + 1e-12);
}

// Seen from outside, the skin encloses the bar's volume.
TEST(Reduction, SkinEnclosesTheBody) {
  const Bar bar({});
  const BodySkin skin = reduce(bar.mesh(), bar.matrices(), request(0)).skin;
  double volume = 0.0;
  for (Eigen::Index t = 0; t < skin.triangles.cols(); ++t) {
    const auto p = [&](int k) -> Vector3d { return skin.points.col(skin.triangles(k, t)); };
    volume += p(0).dot(p(1).cross(p(2))) / 6.0;
  }
  EXPECT_NEAR(volume, 1.0 * 0.1 * 0.06, 1e-12);
}

// A third interface in the middle: held there as well, its own six shapes follow it.
TEST(Reduction, TakesMoreInterfaces) {
  const Bar bar({});
  ReductionRequest wanted = request(5);
  wanted.interfaces.push_back({"mount", "MIDDLE"});
  const ReducedBody body = reduce(bar.mesh(), bar.matrices(), wanted);
  EXPECT_EQ(body.size(), 17);
  ASSERT_NE(body.find("mount"), nullptr);
  EXPECT_NEAR(body.find("mount")->p_RI.x(), 0.5, 1e-12);
  EXPECT_EQ(body.find("TIP"), nullptr);
  // First bending: half way out a cantilever has 0.34 of its tip's deflection.
  EXPECT_NEAR(body.find("mount")->Phi.col(0).norm() / body.find("tip")->Phi.col(0).norm(), 0.34, 0.01);
}

std::string message(const Mesh& mesh, const MeshMatrices& matrices, const ReductionRequest& wanted) {
  try {
    reduce(mesh, matrices, wanted);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Reduction, SaysWhatIsWrongWithItsInput) {
  const Bar bar({});
  const auto says = [&](const ReductionRequest& wanted, const std::string& words) {
    const std::string found = message(bar.mesh(), bar.matrices(), wanted);
    EXPECT_NE(found.find(words), std::string::npos) << found;
  };
  says({"FLANGE", {{"tip", "TIP"}}, 3},
       "root: expected a set of nodes of bar.inp, found `FLANGE` (its sets: EDGE, MIDDLE, ROOT, TIP)");
  says({"ROOT", {{"tip", "EDGE"}}, 3}, "interfaces without common nodes");
  says({"EDGE", {{"tip", "TIP"}}, 3}, "`EDGE` with 17 nodes on a line");
  says({"ROOT", {{"tip", "TIP"}, {"tip", "MIDDLE"}}, 3}, "`tip` twice");
  says({"ROOT", {{"tip", "TIP"}}, 501}, "modes: expected a number from 0 to 500, found 501");
  says({"ROOT", {}, 3}, "`tip` as the first interface");
}

TEST(Reduction, RefusesAMeshThatIsNotFree) {
  const Bar bar({});
  MeshMatrices held = bar.matrices();
  held.stiffness.coeffRef(40, 40) += 1e9;  // a spring to the ground
  EXPECT_NE(message(bar.mesh(), held, request(3)).find("bar.sti: expected a free mesh"), std::string::npos);

  // Also beside a flat element, which makes a few entries far larger: here a stiff rod between two nodes along x.
  MeshMatrices sliver = bar.matrices();
  Eigen::Index a = 0, b = 1;
  const Eigen::Matrix3Xd& places = bar.mesh().positions;
  while ((places.col(b) - places.col(a)).tail<2>().norm() > 1e-12) ++b;
  const double stiff = 1e6 * Eigen::VectorXd(sliver.stiffness.diagonal()).maxCoeff();
  sliver.stiffness.coeffRef(3 * a, 3 * a) += stiff;
  sliver.stiffness.coeffRef(3 * b, 3 * b) += stiff;
  sliver.stiffness.coeffRef(3 * a, 3 * b) -= stiff;
  sliver.stiffness.coeffRef(3 * b, 3 * a) -= stiff;
  EXPECT_EQ(message(bar.mesh(), sliver, request(3)), "");
  sliver.stiffness.coeffRef(40, 40) += 1e9;
  EXPECT_NE(message(bar.mesh(), sliver, request(3)).find("springs to the ground"), std::string::npos);

  Mesh moved = bar.mesh();  // after its matrices were written
  moved.positions.row(0) *= 1.001;
  EXPECT_NE(message(moved, bar.matrices(), request(3)).find("are these the matrices of this mesh"),
            std::string::npos);

  MeshMatrices cut = bar.matrices();  // one direction of a node is missing
  const Eigen::Index size = cut.stiffness.rows() - 1;
  cut.stiffness = Eigen::SparseMatrix<double>(cut.stiffness.topLeftCorner(size, size));
  cut.mass = Eigen::SparseMatrix<double>(cut.mass.topLeftCorner(size, size));
  cut.freedoms.pop_back();
  EXPECT_NE(message(bar.mesh(), cut, request(3)).find("all three directions of every node, found node"),
            std::string::npos);
}

TEST(Reduction, RefusesOtherUnitsAndOtherMasses) {
  BarOptions o;
  o.density = 7.85e-9;  // t/mm^3
  const Bar in_tonnes(o);
  const std::string words = message(in_tonnes.mesh(), in_tonnes.matrices(), request(3));
  EXPECT_NE(words.find("found 7.85e-09 ("), std::string::npos) << words;
  EXPECT_NE(words.find("must be in m, kg, s"), std::string::npos) << words;

  o.density = 7.85;  // t/m^3, and kN
  o.E = 2.1e8;
  const Bar in_kilonewtons(o);
  EXPECT_NE(message(in_kilonewtons.mesh(), in_kilonewtons.matrices(), request(3)).find("found 7.85 ("),
            std::string::npos);

  o.density = 7850.0;
  o.E = 2.1e5;  // MPa; nu is 0, so that sqrt(E / density) is the speed
  const Bar in_megapascals(o);
  const std::string speed = message(in_megapascals.mesh(), in_megapascals.matrices(), request(3));
  EXPECT_NE(speed.find("bar.sti: expected the stiffness of a material"), std::string::npos) << speed;
  EXPECT_NE(speed.find("found 5.172 m/s (matrices must be in N/m and kg: *ELASTIC in Pa, not in MPa)"),
            std::string::npos)
      << speed;

  const Bar bar({});
  MeshMatrices other = bar.matrices();
  other.mass.coeffRef(4, 4) *= 1.5;
  EXPECT_NE(message(bar.mesh(), other, request(3)).find("the same along x, y and z"), std::string::npos);
}

}  // namespace
}  // namespace limber
