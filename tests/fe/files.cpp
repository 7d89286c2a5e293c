// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"
#include "limber/fe/matrices.hpp"
#include "limber/fe/mesh.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;

class FeFiles : public testing::Test {
 protected:
  FeFiles() : folder_(fs::temp_directory_path() / ("limber_fe_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~FeFiles() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// What is said, without the folder.
  template <typename Action>
  std::string message(Action&& action) const {
    try {
      action();
    } catch (const InputError& error) {
      std::string words = error.what();
      for (std::size_t at; (at = words.find(folder_.string() + "/")) != std::string::npos;)
        words.erase(at, folder_.string().size() + 1);
      return words;
    }
    return "";
  }
  std::string mesh_message(const std::string& text) const {
    return message([&] { read_solid_mesh(write("m.inp", text)); });
  }
  std::string matrix_message(const std::string& text) const {
    const std::string dof = write("m.dof", "1.1\n1.2\n1.3\n"), good = write("m.mas", "1 1 1\n2 2 1\n3 3 1\n");
    return message([&] { read_matrices(write("m.sti", text), good, dof); });
  }

  fs::path folder_;
};

constexpr const char* one_tetrahedron =
    "*HEADING\nanything, at all\n** a comment\n"
    "*Node, nset=All\n 1, 0., 0., 0.\n2, 1.0, 0, 0\n3,0,1e0,0\n4, 0, 0, +1.0\n10, 5, 5, 5\n"
    "*ELEMENT, TYPE=C3D4, ELSET=E\n7, 1, 2, 3,\n 4\n"
    "*ELEMENT, TYPE=CPS3\n8, 1, 2, 3\n"
    "*NSET, NSET=root\n1, 2,\n3\n*NSET, NSET=Some, GENERATE\n2, 10, 2\n*NSET,NSET=both\nroot, 4\n";

TEST_F(FeFiles, MeshHasNodesElementsAndSets) {
  const Mesh mesh = read_solid_mesh(write("m.inp", one_tetrahedron));
  EXPECT_EQ(mesh.numbers, (std::vector<int>{1, 2, 3, 4, 10}));
  EXPECT_EQ(mesh.positions(2, 3), 1.0);
  ASSERT_EQ(mesh.elements.size(), 1u);  // plane elements are none of ours
  EXPECT_NEAR(mesh.volume(), 1.0 / 6.0, 1e-15);
  EXPECT_EQ(mesh.sets.at("ALL").size(), 5u);
  EXPECT_EQ(mesh.sets.at("ROOT"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(mesh.sets.at("SOME"), (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(mesh.sets.at("BOTH"), (std::vector<int>{0, 1, 2, 3}));
}

// As many looks as there are nodes, not as there are numbers: two thousand million took minutes.
TEST_F(FeFiles, SetsMayBeGeneratedFarBeyondTheNodes) {
  const Mesh mesh = read_solid_mesh(
      write("m.inp", std::string(one_tetrahedron) + "*NSET, NSET=WIDE, GENERATE\n2, 2147483647, 2\n"));
  EXPECT_EQ(mesh.sets.at("WIDE"), (std::vector<int>{1, 3, 4}));
}

TEST_F(FeFiles, MeshMayBeIncluded) {
  write("inner.inp", one_tetrahedron);
  EXPECT_EQ(
      read_solid_mesh(write("outer.inp", "*INCLUDE, INPUT=inner.inp\n*STEP\n*END STEP\n")).numbers.size(),
      5u);
  EXPECT_EQ(message([&] { read_solid_mesh(write("self.inp", "*INCLUDE, INPUT=self.inp\n")); }),
            "self.inp:1: expected files that do not include each other, found `self.inp`");
}

TEST_F(FeFiles, VolumesOfBricksAndWedges) {
  const std::string brick = "*NODE\n1,0,0,0\n2,2,0,0\n3,2,3,0\n4,0,3,0\n5,0,0,4\n6,2,0,4\n7,2,3,4\n8,0,3,4\n";
  EXPECT_NEAR(read_solid_mesh(write("m.inp", brick + "*ELEMENT,TYPE=C3D8I\n1,1,2,3,4,5,6,7,8\n")).volume(),
              24.0, 1e-12);
  EXPECT_NEAR(read_solid_mesh(write("m.inp", brick + "*ELEMENT,TYPE=C3D6\n1,1,2,3,5,6,7\n")).volume(), 12.0,
              1e-12);
}

TEST_F(FeFiles, MeshErrorsHaveTheirPlace) {
  EXPECT_EQ(mesh_message("*NODE\n1, 0, 0, 0\nx, 0, 0, 0\n"),
            "m.inp:3: expected a number of a node or element, found `x`");
  EXPECT_EQ(mesh_message("*NODE\n1, 0, nan, 0\n"), "m.inp:2: expected a coordinate, found `nan`");
  EXPECT_EQ(mesh_message("*NODE\n1, 0, 0, 0\n1, 1, 0, 0\n"),
            "m.inp:3: expected a number for each node, found 1 twice");
  EXPECT_EQ(mesh_message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n"),
            "m.inp:4: expected nodes that stand before the elements, found node 2, which does not");
  EXPECT_EQ(mesh_message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1\n*NSET, NSET=A\n"),
            "m.inp:5: expected the other nodes of the element before, found `*NSET`");
  EXPECT_EQ(mesh_message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1\n"),
            "m.inp:4: expected the other nodes of the element before, found the end of the file");
  EXPECT_EQ(mesh_message("*STEP\n"),
            "m.inp: expected nodes (*NODE), found none (is this the file with the mesh?)");
  EXPECT_EQ(message([&] { read_solid_mesh(path("none.inp")); }),
            "none.inp: expected a mesh in an input file of CalculiX or Abaqus (.inp), found no such file");
}

TEST_F(FeFiles, MatricesOfOneTriangleOrOfBoth) {
  const std::string dof = write("m.dof", "1.1\n1.2\n12.3\n");
  MatrixXd A(3, 3);
  A << 4, -1, 0, -1, 5, 2, 0, 2, 6;
  const char* const upper = "1 1 4.0E+00\n1 2 -1\n2 2 5\n2 3  2.0e0\n3 3 6\n1 3 0.0\n";
  const std::string as_calculix = write("a.sti", upper);
  const std::string symmetric =
      write("b.mtx", std::string("%%MatrixMarket matrix coordinate real symmetric\n% words\n3 3 5\n") +
                         "1 1 4\n2 1 -1\n2 2 5\n3 2 2\n3 3 6\n");
  const std::string general =
      write("c.mtx", std::string("%%MatrixMarket matrix coordinate real general\n3 3 7\n") +
                         "1 1 4\n2 1 -1\n1 2 -1\n2 2 5\n3 2 2\n2 3 2\n3 3 6\n");
  for (const std::string& file : {as_calculix, symmetric, general}) {
    const MeshMatrices read = read_matrices(file, as_calculix, dof);
    EXPECT_EQ(MatrixXd(read.stiffness), A) << file;
    EXPECT_EQ(MatrixXd(read.mass), A);
    ASSERT_EQ(read.freedoms.size(), 3u);
    EXPECT_EQ(read.freedoms[2].node, 12);
    EXPECT_EQ(read.freedoms[2].direction, 3);
  }
}

TEST_F(FeFiles, MatrixErrorsHaveTheirPlace) {
  EXPECT_EQ(matrix_message("1 1 1\n1 4 2\n"),
            "m.sti:2: expected rows and columns from 1 to 3, the lines of the file of freedoms, found 1 4");
  EXPECT_EQ(matrix_message("1 1 1\n1 2\n"), "m.sti:2: expected row, column and value, found `1 2`");
  EXPECT_EQ(matrix_message("1 1 inf\n"), "m.sti:1: expected row, column and value, found `1 1 inf`");
  EXPECT_EQ(matrix_message(""), "m.sti: expected entries of a matrix, found none");
  EXPECT_EQ(matrix_message("%%MatrixMarket matrix array real general\n3 3\n"),
            "m.sti:1: expected a Matrix Market file: coordinate, real, symmetric or general, found "
            "`%%MatrixMarket matrix array real general`");
  EXPECT_EQ(matrix_message("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 4\n2 2 5\n3 3 6\n"),
            "m.sti: expected 4 entries, as many as its header says, found 3 (is the file whole?)");
  EXPECT_NE(matrix_message("1 1 2\n1 2 1\n2 1 1.5\n2 2 2\n3 3 1\n")
                .find("m.sti: expected a symmetric matrix, found (2, 1) = 1.5 and (1, 2) = 1 ("),
            std::string::npos);
  // Entries of mass matrices are small.
  EXPECT_NE(matrix_message("1 1 2e-8\n1 2 1e-8\n2 1 1.001e-8\n2 2 2e-8\n3 3 1e-8\n")
                .find("found (2, 1) = 1.001e-08 and (1, 2) = 1e-08 ("),
            std::string::npos);
  const std::string good = write("g.sti", "1 1 1\n");
  EXPECT_EQ(message([&] { read_matrices(good, good, write("m.dof", "1.1\n1.4\n")); }),
            "m.dof:2: expected directions 1, 2 and 3: displacements of solid elements, found `1.4` (shells "
            "and beams "
            "with rotations are not reduced)");
  EXPECT_EQ(message([&] { read_matrices(good, good, write("m.dof", "11\n")); }),
            "m.dof:1: expected node.direction, as 12.3, found `11`");
}

// Two modes, with numbers of no body that ever was.
ReducedBody some_body() {
  ReducedBody body;
  body.mass = 3.25;
  body.frequencies = Eigen::Vector2d(10.1, 1.0 / 3.0);
  body.stiffness = Eigen::Vector2d(1e5, 2e7);
  std::srand(3);
  body.moment = Eigen::VectorXd::Random(9);
  const MatrixXd A = MatrixXd::Random(9, 9);
  body.gram = A * A.transpose();
  body.gram = (0.5 * (body.gram + body.gram.transpose())).eval();
  for (const char* name : {"tip", "mount"})
    body.interfaces.push_back(
        {name, Eigen::Vector3d::Random(), Eigen::Matrix3Xd::Random(3, 2), Eigen::Matrix3Xd::Random(3, 2)});
  body.skin.points = Eigen::Matrix3Xd::Random(3, 4);
  body.skin.triangles = (Eigen::Matrix3Xi(3, 2) << 0, 1, 1, 2, 2, 3).finished();
  body.skin.modes = MatrixXd::Random(12, 2);
  return body;
}

TEST_F(FeFiles, BodyIsReadAsItWasWritten) {
  const ReducedBody body = some_body();
  write_body(body, path("b.h5"));
  const ReducedBody read = read_body(path("b.h5"));
  EXPECT_EQ(body_text(read), body_text(body));
  EXPECT_EQ(read.source, path("b.h5"));
  EXPECT_EQ(body_text(parse_body(body_text(body))), body_text(body));
  EXPECT_EQ(read.gram, body.gram);
  EXPECT_EQ(read.skin.triangles, body.skin.triangles);
}

TEST_F(FeFiles, WithoutModesABodyIsRigid) {
  const ReducedBody rigid = without_modes(some_body());
  EXPECT_EQ(rigid.size(), 0);
  EXPECT_NO_THROW(require_valid(rigid));
  EXPECT_EQ(rigid.rest_inertia().inertia, some_body().rest_inertia().inertia);
  write_body(rigid, path("r.h5"));
  EXPECT_EQ(read_body(path("r.h5")).size(), 0);
}

TEST_F(FeFiles, BodiesThatAreNoneAreRefused) {
  EXPECT_EQ(message([&] { read_body(path("none.h5")); }),
            "expected a body that `limber reduce` has written (HDF5), found no such file");
  EXPECT_EQ(message([&] { read_body(write("text.h5", "no HDF5")); }),
            "expected a body that `limber reduce` has written (HDF5), found a file that is no HDF5, or "
            "cannot be opened");
  ReducedBody body = some_body();
  body.stiffness[1] = -1.0;
  EXPECT_EQ(message([&] { write_body(body, path("b.h5")); }),
            "stiffness: expected numbers > 0, found one that is not");
  body = some_body();
  body.skin.triangles(0, 0) = 4;
  EXPECT_NE(message([&] { require_valid(body); }).find("skin.triangles"), std::string::npos);
  body = some_body();
  body.interfaces[1].name = "tip";
  EXPECT_NE(message([&] { require_valid(body); }).find("`tip` twice"), std::string::npos);
  body = some_body();
  body.gram.row(3).setZero();
  body.gram.col(3).setZero();
  body.gram.row(4).setZero();
  body.gram.col(4).setZero();
  body.gram.row(5).setZero();
  body.gram.col(5).setZero();
  EXPECT_NE(message([&] { require_valid(body); }).find("modes with an inertia of their own"),
            std::string::npos);
  body = some_body();
  body.interfaces[0].Phi.resize(3, 1);
  EXPECT_NE(
      message([&] { require_valid(body); }).find("interfaces.tip.Phi: expected 3 x 2 numbers, found 3 x 1"),
      std::string::npos);
}

// Every part of the file cut away or turned over: an error, or the same body, and never a crash.
TEST_F(FeFiles, DamagedBodiesAreRefused) {
  write_body(some_body(), path("b.h5"));
  std::ostringstream bytes;
  bytes << std::ifstream(path("b.h5"), std::ios::binary).rdbuf();
  const std::string whole = bytes.str();
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 60 + 1) {
    std::string damaged = whole;
    for (std::size_t i = at; i < std::min(at + 16, whole.size()); ++i)
      damaged[i] = static_cast<char>(~damaged[i]);
    for (const std::string& content : {damaged, whole.substr(0, at)}) {
      std::ofstream(path("d.h5"), std::ios::binary | std::ios::trunc) << content;
      try {
        require_valid(read_body(path("d.h5")));
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 60);
  for (std::size_t at = 0; at + 1 < body_text(some_body()).size(); at += 37)
    EXPECT_THROW(parse_body(body_text(some_body()).substr(0, at)), InputError) << at;
}

}  // namespace
}  // namespace limber
