// SPDX-License-Identifier: BSD-3-Clause
// Where points of an arm are, how they move, and how configurations change; of one state or of many.

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "axes.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/frame_derivatives.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "named.hpp"

namespace limber::python {

MotionAxes axes_named(const std::string& name) {
  if (name == "world") return MotionAxes::local_world_aligned;
  if (name == "local") return MotionAxes::local;
  if (name == "spatial") return MotionAxes::world;
  throw InputError(Problem{
      "axes", "world, local or spatial", show_text(name),
      "world: of the point, in the world's axes; local: in its own; spatial: of the point that passes the "
      "world's origin"});
}

namespace {

using MaybeLink = std::optional<std::string>;

std::pair<Array, Array> poses(const ArmPointer& arm, const Numbers& q, const MaybeLink& link, double at) {
  const PlacedFrame place = place_frame(arm, link, at);
  const Model& model = place.arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  Array place_of = batch.array({3}), rotation_of = batch.array({3, 3});
  double *const p = place_of.mutable_data(), *const R = rotation_of.mutable_data();
  batch.run(*place.arm, [&](Workspace<double>& work, std::size_t i) {
    update_positions(model, work, positions[i]);
    update_world_poses(work);
    const PoseOf<double> pose = frame_pose(model, work, place.frame);
    row(p, i, 3) = pose.p;
    matrix(R, i, 3, 3) = pose.R;
  });
  return {place_of, rotation_of};
}

Array jacobians(const ArmPointer& arm, const Numbers& q, const MaybeLink& link, double at,
                const std::string& axes) {
  const MotionAxes in = axes_named(axes);
  const PlacedFrame place = place_frame(arm, link, at);
  const Model& model = place.arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  Array result = batch.array({6, model.nv()});
  double* const out = result.mutable_data();
  batch.run(*place.arm, [&](Workspace<double>& work, std::size_t i) {
    Matrix6X<double> J(6, model.nv());
    update_positions(model, work, positions[i]);
    update_world_poses(work);
    frame_jacobian(model, work, place.frame, in, J);
    matrix(out, i, 6, model.nv()) = J;
  });
  return result;
}

// Twists, or what else a frame has six numbers of, at states of motion: find(model, workspace, frame, axes, q, v).
template <typename Find>
Array of_frame(const ArmPointer& arm, const Numbers& q, const Numbers& v, const MaybeLink& link, double at,
               const std::string& axes, Find&& find) {
  const MotionAxes in = axes_named(axes);
  const PlacedFrame place = place_frame(arm, link, at);
  const Model& model = place.arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv());
  const Batch batch({&positions, &rates});
  Array result = batch.array({6});
  double* const out = result.mutable_data();
  batch.run(*place.arm, [&](Workspace<double>& work, std::size_t i) {
    row(out, i, 6) = find(model, work, place.frame, in, positions[i], rates[i]).vector();
  });
  return result;
}

Array twists(const ArmPointer& arm, const Numbers& q, const Numbers& v, const MaybeLink& link, double at,
             const std::string& axes) {
  return of_frame(arm, q, v, link, at, axes,
                  [](const Model& model, Workspace<double>& work, const Frame& frame, MotionAxes in,
                     const VectorView& position, const VectorView& rate) {
                    update_velocities(model, work, position, rate);
                    update_world_poses(work);
                    return frame_twist(model, work, frame, in);
                  });
}

Array bias_accelerations(const ArmPointer& arm, const Numbers& q, const Numbers& v, const MaybeLink& link,
                         double at, const std::string& axes) {
  return of_frame(arm, q, v, link, at, axes,
                  [](const Model& model, Workspace<double>& work, const Frame& frame, MotionAxes in,
                     const VectorView& position, const VectorView& rate) {
                    return frame_bias_acceleration(model, work, frame, in, Input<double>(position),
                                                   Input<double>(rate));
                  });
}

// FrameDerivatives of many states.
struct FrameSlopes {
  Array J, twist_dq, acceleration_dq, acceleration_dv;
};

FrameSlopes frame_slopes(const ArmPointer& arm, const Numbers& q, const Numbers& v, const Numbers& a,
                         const MaybeLink& link, double at, const std::string& axes) {
  const MotionAxes in = axes_named(axes);
  const PlacedFrame place = place_frame(arm, link, at);
  const Model& model = place.arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), accelerations("a", a, model.nv());
  const Batch batch({&positions, &rates, &accelerations});
  const auto matrices = [&] { return batch.array({6, model.nv()}); };
  FrameSlopes result{matrices(), matrices(), matrices(), matrices()};
  double *const J = result.J.mutable_data(), *const twist_dq = result.twist_dq.mutable_data(),
                *const by_q = result.acceleration_dq.mutable_data(),
                *const by_v = result.acceleration_dv.mutable_data();
  batch.run(*place.arm, [&](Workspace<double>& work, std::size_t i) {
    FrameDerivatives found;
    frame_derivatives(model, work, place.frame, in, Eigen::VectorXd(positions[i]), Eigen::VectorXd(rates[i]),
                      Eigen::VectorXd(accelerations[i]), found);
    matrix(J, i, 6, model.nv()) = found.J;
    matrix(twist_dq, i, 6, model.nv()) = found.twist_dq;
    matrix(by_q, i, 6, model.nv()) = found.acceleration_dq;
    matrix(by_v, i, 6, model.nv()) = found.acceleration_dv;
  });
  return result;
}

Array jacobian_slopes(const ArmPointer& arm, const Numbers& q, const MaybeLink& link, double at,
                      const std::string& axes) {
  const MotionAxes in = axes_named(axes);
  const PlacedFrame place = place_frame(arm, link, at);
  const Model& model = place.arm->model();
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  const int nv = model.nv();
  Array result = batch.array({nv, 6, nv});
  double* const out = result.mutable_data();
  batch.run(*place.arm, [&](Workspace<double>& work, std::size_t i) {
    FrameJacobianDerivatives found;
    frame_jacobian_derivatives(model, work, place.frame, in, Eigen::VectorXd(positions[i]), found);
    for (int j = 0; j < nv; ++j)
      matrix(out, i * static_cast<std::size_t>(nv) + static_cast<std::size_t>(j), 6, nv) =
          found.dq[static_cast<std::size_t>(j)];
  });
  return result;
}

// Functions of two vectors that need no workspace.
using OfTwoVectors = void (*)(const Model&, const Input<double>&, const Input<double>&, Output<double>);

template <OfTwoVectors function>
Array of_two(const Model& model, Arm& arm, const Rows& a, const Rows& b, py::ssize_t width) {
  const Batch batch({&a, &b});
  Array result = batch.array({width});
  double* const out = result.mutable_data();
  batch.run(arm, [&](Workspace<double>&, std::size_t i) { function(model, a[i], b[i], row(out, i, width)); });
  return result;
}

Array displaced(const ArmPointer& arm, const Numbers& q, const Numbers& delta) {
  const Model& model = arm->model();
  return of_two<displace>(model, *arm, Rows("q", q, model.nq()), Rows("delta", delta, model.nv()),
                          model.nq());
}

Array differences(const ArmPointer& arm, const Numbers& from, const Numbers& to) {
  const Model& model = arm->model();
  return of_two<difference>(model, *arm, Rows("q_from", from, model.nq()), Rows("q_to", to, model.nq()),
                            model.nv());
}

Array configuration_rates(const ArmPointer& arm, const Numbers& q, const Numbers& v) {
  const Model& model = arm->model();
  return of_two<configuration_rate>(model, *arm, Rows("q", q, model.nq()), Rows("v", v, model.nv()),
                                    model.nq());
}

Array input_matrices(const ArmPointer& arm, const Numbers& q) {
  const Model& model = arm->model();
  if (q.is_none()) return array_of(input_matrix(model));
  const Rows positions("q", q, model.nq());
  const Batch batch({&positions});
  const auto columns = static_cast<py::ssize_t>(input_matrix(model).cols());
  Array result = batch.array({model.nv(), columns});
  double* const out = result.mutable_data();
  batch.run(*arm, [&](Workspace<double>&, std::size_t i) {
    matrix(out, i, model.nv(), columns) = input_matrix(model, positions[i]);
  });
  return result;
}

}  // namespace

void bind_kinematics(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  const std::string places =
      " link=None: the end effector; else the point at a fraction `at` of the link. Gives position and "
      "rotation "
      "matrix.";
  module.def("pose", &poses, arg("arm").none(false), arg("q"), arg("link") = none, arg("at") = 1.0,
             ("Pose of a frame in the world." + places).c_str());
  const std::string axes =
      " axes: `world`, of the frame's origin in the world's axes; `local`, in its own; `spatial`, of the "
      "point "
      "that passes the world's origin.";
  module.def("jacobian", &jacobians, arg("arm").none(false), arg("q"), arg("link") = none, arg("at") = 1.0,
             arg("axes") = "world", ("J with twist = J v, 6 x nv, linear rows first." + axes).c_str());
  module.def("twist", &twists, arg("arm").none(false), arg("q"), arg("v"), arg("link") = none,
             arg("at") = 1.0, arg("axes") = "world",
             ("Velocity of a frame, linear part first." + axes).c_str());
  module.def("bias_acceleration", &bias_accelerations, arg("arm").none(false), arg("q"), arg("v"),
             arg("link") = none, arg("at") = 1.0, arg("axes") = "world", doc::frame_bias_acceleration);
  Named<FrameSlopes>(module, "FrameDerivatives", doc::FrameDerivatives)
      .field("J", &FrameSlopes::J, doc::FrameDerivatives_J)
      .field("twist_dq", &FrameSlopes::twist_dq, doc::FrameDerivatives_twist_dq)
      .field("acceleration_dq", &FrameSlopes::acceleration_dq, doc::FrameDerivatives_acceleration_dq)
      .field("acceleration_dv", &FrameSlopes::acceleration_dv, "Of the same by v.");
  module.def("frame_derivatives", &frame_slopes, arg("arm").none(false), arg("q"), arg("v") = none,
             arg("a") = none, arg("link") = none, arg("at") = 1.0, arg("axes") = "world",
             (std::string(
                  "How a frame moves with q, v and the accelerations a, 6 x nv each, along v's components.") +
              axes)
                 .c_str());
  module.def("jacobian_derivatives", &jacobian_slopes, arg("arm").none(false), arg("q"), arg("link") = none,
             arg("at") = 1.0, arg("axes") = "world",
             ("dJ/dq_j for each component j of v, nv x 6 x nv." + axes).c_str());
  module.def("displace", &displaced, arg("arm").none(false), arg("q"), arg("delta"), doc::displace);
  module.def("difference", &differences, arg("arm").none(false), arg("q_from"), arg("q_to"), doc::difference);
  module.def("configuration_rate", &configuration_rates, arg("arm").none(false), arg("q"), arg("v"),
             doc::configuration_rate);
  module.def("input_matrix", &input_matrices, arg("arm").none(false), arg("q") = none, doc::input_matrix);
}

}  // namespace limber::python
