// SPDX-License-Identifier: BSD-3-Clause
// MuJoCo. Forward dynamics is the stages of mj_forward that a smooth open chain needs, and no others.

#include <mujoco/mujoco.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "peer.hpp"

namespace limber::peers {
namespace {

template <std::size_t N>
std::string numbers(const std::array<double, N>& values) {
  std::ostringstream text;
  text.precision(17);
  for (const double value : values) text << value << ' ';
  return text.str();
}

std::string head(const std::array<double, 3>& gravity) {
  return "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\"/><option gravity=\"" +
         numbers(gravity) +
         "\"><flag constraint=\"disable\" contact=\"disable\" actuation=\"disable\"/></option><worldbody>";
}

std::string chain_xml(const RigidChain& chain) {
  std::string xml = head(chain.gravity);
  for (std::size_t i = 0; i < chain.axes.size(); ++i)
    xml += "<body pos=\"" + numbers<3>({i == 0 ? 0.0 : chain.length, 0.0, 0.0}) +
           "\"><joint type=\"hinge\" axis=\"" + numbers(chain.axes[i]) + "\"/><inertial pos=\"" +
           numbers(chain.com) + "\" mass=\"" + numbers<1>({chain.mass}) + "\" quat=\"" +
           numbers(chain.principal_axes) + "\" diaginertia=\"" + numbers(chain.principal_inertia) + "\"/>";
  for (std::size_t i = 0; i < chain.axes.size(); ++i) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

// One piece from its hinge (or joint) to the next: a slender rod of no thickness. MuJoCo wants a positive
// inertia about the rod too; 1e-6 of the others does not matter.
std::string rod(double length, double mass) {
  const double across = mass * length * length / 12.0;
  return "<inertial pos=\"" + numbers<3>({0.5 * length, 0.0, 0.0}) + "\" mass=\"" + numbers<1>({mass}) +
         "\" diaginertia=\"" + numbers<3>({1e-6 * across, across, across}) + "\"/>";
}

std::string arm_xml(const ChoppedArm& arm) {
  std::string xml = head({0.0, 0.0, 0.0});
  int bodies = 0;
  double offset = 0.0;  // of the next body in the one before
  for (const ChoppedArm::Link& link : arm.links) {
    const double h = link.length / arm.elements, mass_per_length = link.mass / link.length;
    const auto open = [&](double length, const std::string& joints) {
      xml += "<body pos=\"" + numbers<3>({offset, 0.0, 0.0}) + "\">" + joints +
             rod(length, mass_per_length * length);
      offset = length;
      ++bodies;
    };
    std::string spring =
        "<joint type=\"hinge\" axis=\"0 0 1\" stiffness=\"" + numbers<1>({link.EI / h}) + "\"/>";
    if (arm.both_planes)
      spring += "<joint type=\"hinge\" axis=\"0 1 0\" stiffness=\"" + numbers<1>({link.EI / h}) + "\"/>";
    open(0.5 * h, "<joint type=\"hinge\" axis=\"0 0 1\"/>");
    for (int e = 0; e < arm.elements; ++e) open(e + 1 < arm.elements ? h : 0.5 * h, spring);
  }
  for (int i = 0; i < bodies; ++i) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

/// A model and its scratch.
class Loaded {
 public:
  explicit Loaded(const std::string& xml) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "arm.xml", static_cast<int>(xml.size()));
    std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[0]));
    std::array<char, 1000> error{};
    model_ = mj_loadXML("arm.xml", files.get(), error.data(), error.size());
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error.data());
    data_ = mj_makeData(model_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

 protected:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

class MujocoRoller final : public Roller, Loaded {
 public:
  MujocoRoller(const std::string& xml, double step, RollerMethod method) : Loaded(xml) {
    model_->opt.integrator = method == RollerMethod::rk4 ? mjINT_RK4 : mjINT_EULER;
    model_->opt.timestep = step;
  }
  void roll(double* q, double* v, int steps) override {
    std::copy_n(q, model_->nq, data_->qpos);
    std::copy_n(v, model_->nv, data_->qvel);
    for (int k = 0; k < steps; ++k) mj_step(model_, data_);
    std::copy_n(data_->qpos, model_->nq, q);
    std::copy_n(data_->qvel, model_->nv, v);
  }
};

class Mujoco final : public Peer, Loaded {
 public:
  explicit Mujoco(const std::string& xml) : Loaded(xml) {}

  void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) override {
    std::copy_n(q, model_->nq, data_->qpos);
    std::copy_n(v, model_->nv, data_->qvel);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    mj_factorM(model_, data_);
    mj_comVel(model_, data_);
    mj_passive(model_, data_);
    mj_rne(model_, data_, 0, data_->qfrc_bias);
    for (int i = 0; i < model_->nv; ++i)
      data_->qfrc_smooth[i] = tau[i] + data_->qfrc_passive[i] - data_->qfrc_bias[i];
    mj_solveM(model_, data_, qdd, data_->qfrc_smooth, 1);
  }
  void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) override {
    std::copy_n(q, model_->nq, data_->qpos);
    std::copy_n(v, model_->nv, data_->qvel);
    std::copy_n(qdd, model_->nv, data_->qacc);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 1, tau);
  }
  void mass_matrix(const double* q, double* M) override {
    std::copy_n(q, model_->nq, data_->qpos);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    mj_fullM(model_, M, data_->qM);
  }
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const RigidChain& chain) {
  return std::make_unique<Mujoco>(chain_xml(chain));
}
std::unique_ptr<Roller> make_mujoco_roller(const ChoppedArm& arm, double step, RollerMethod method) {
  return std::make_unique<MujocoRoller>(arm_xml(arm), step, method);
}
std::unique_ptr<Peer> make_mujoco(const ChoppedArm& arm) { return std::make_unique<Mujoco>(arm_xml(arm)); }

}  // namespace limber::peers
