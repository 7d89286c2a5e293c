// SPDX-License-Identifier: BSD-3-Clause
#include "mujoco_file.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace limber::test {

MujocoArm read_by_mujoco(const std::string& mjcf) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "arm.xml", static_cast<int>(mjcf.size()));
  std::copy(mjcf.begin(), mjcf.end(), static_cast<char*>(files->filedata[0]));
  std::array<char, 1000> error{};
  mjModel* const model = mj_loadXML("arm.xml", files.get(), error.data(), error.size());
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(error.data());
  mjData* const data = mj_makeData(model);
  mj_forward(model, data);
  MujocoArm arm{model->nv, std::vector<double>(static_cast<std::size_t>(model->nv * model->nv)), {}, {}, 0.0};
  mj_fullM(model, arm.M.data(), data->qM);
  for (int i = 0; i < model->njnt; ++i) {
    arm.stiffness.push_back(model->jnt_stiffness[i]);
    arm.joints.emplace_back(mj_id2name(model, mjOBJ_JOINT, i));
  }
  for (int i = 0; i < model->nbody; ++i) arm.mass += model->body_mass[i];
  mj_deleteData(data);
  mj_deleteModel(model);
  return arm;
}

}  // namespace limber::test
