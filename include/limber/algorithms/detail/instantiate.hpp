// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What must be compiled for a scalar, by parts: who compiles which part with which options is said in src/CMakeLists.txt; own_scalar.hpp takes
// all of them.

/// section_sums.hpp
#define LIMBER_INSTANTIATE_SECTIONS(Scalar)                                                                  \
  template void limber::detail::add_sections<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*,       \
                                                     const Scalar*);                                         \
  template Scalar limber::detail::section_energy<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*,   \
                                                         const Scalar*);                                     \
  template void limber::detail::add_section_forces<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*, \
                                                           const Scalar*, const Scalar*);

/// sweeps.hpp: stages of one link, for what is built of them elsewhere (one_link.hpp).
#define LIMBER_INSTANTIATE_STAGES(Scalar)                                                                    \
  template void limber::detail::update_velocities_of<Scalar>(                                                \
      limber::detail::ArmWork<Scalar>&, limber::detail::LinkWork<Scalar>&, const Scalar*, const Scalar*);    \
  template void limber::detail::update_nodes_of<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*,    \
                                                        const Scalar*);                                      \
  template void limber::detail::update_inertia_of<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*,  \
                                                          const Scalar*);                                    \
  template void limber::detail::update_field_mass<Scalar>(limber::detail::LinkWork<Scalar>&, const Scalar*); \
  template void limber::detail::apply_loads<Scalar>(const limber::Model&, limber::detail::ArmWork<Scalar>&,  \
                                                    const Scalar*, const std::vector<limber::Load>&);        \
  template void limber::detail::joint_efforts<Scalar>(const limber::detail::LinkWork<Scalar>&,               \
                                                      const Scalar*, const Scalar*, const Scalar*, Scalar*); \
  template void limber::detail::elastic_and_damping_forces<Scalar>(const limber::detail::ArmWork<Scalar>&,   \
                                                                   const Scalar*, const Scalar*, Scalar*);

/// sweeps.hpp, for a scalar that has one table only.
#define LIMBER_INSTANTIATE_SWEEPS(Scalar)                                               \
  LIMBER_INSTANTIATE_STAGES(Scalar)                                                     \
  template <>                                                                           \
  const limber::detail::KernelTable<Scalar>& limber::detail::chosen_kernels<Scalar>() { \
    return limber::detail::sweeps<Scalar>;                                              \
  }

/// prepare.hpp, checked_calls.hpp, jacobian.hpp: what the public headers declare.
#define LIMBER_INSTANTIATE_CALLS(Scalar)                                                                     \
  template struct limber::detail::ArmWork<Scalar>;                                                           \
  template void limber::detail::set_field_constants<Scalar>(const limber::detail::FieldConstants<Scalar>&,   \
                                                            int, limber::detail::FieldWork<Scalar>&);        \
  template class limber::Workspace<Scalar>;                                                                  \
  template void limber::update_positions<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,           \
                                                 const limber::Input<Scalar>&);                              \
  template void limber::update_velocities<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,          \
                                                  const limber::Input<Scalar>&,                              \
                                                  const limber::Input<Scalar>&);                             \
  template void limber::update_world_poses<Scalar>(limber::Workspace<Scalar>&);                              \
  template void limber::update_link_masses<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,         \
                                                   const limber::Input<Scalar>&);                            \
  template void limber::update_velocities_and_inertias<Scalar>(                                              \
      const limber::Model&, limber::Workspace<Scalar>&, const limber::Input<Scalar>&,                        \
      const limber::Input<Scalar>&);                                                                         \
  template void limber::forward_dynamics<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,           \
                                                 const limber::Input<Scalar>&, const limber::Input<Scalar>&, \
                                                 const limber::Input<Scalar>&, limber::Output<Scalar>,       \
                                                 const std::vector<limber::Load>&);                          \
  template void limber::joint_efforts<Scalar>(const limber::Model&, const limber::Workspace<Scalar>&, int,   \
                                              const limber::Input<Scalar>&, const limber::Input<Scalar>&,    \
                                              const limber::Input<Scalar>&, limber::Output<Scalar>);         \
  template limber::WrenchOf<Scalar> limber::joint_wrench<Scalar>(const limber::Model&,                       \
                                                                 const limber::Workspace<Scalar>&, int);     \
  template void limber::joint_wrenches<Scalar>(const limber::Model&, const limber::Workspace<Scalar>&,       \
                                               std::vector<limber::WrenchOf<Scalar>>&);                      \
  template void limber::inverse_dynamics<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,           \
                                                 const limber::Input<Scalar>&, const limber::Input<Scalar>&, \
                                                 const limber::Input<Scalar>&, limber::Output<Scalar>,       \
                                                 const std::vector<limber::Load>&);                          \
  template void limber::bias_forces<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,                \
                                            const limber::Input<Scalar>&, const limber::Input<Scalar>&,      \
                                            limber::Output<Scalar>);                                         \
  template void limber::gravity_forces<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,             \
                                               const limber::Input<Scalar>&, limber::Output<Scalar>);        \
  template void limber::elastic_and_damping_forces<Scalar>(                                                  \
      const limber::Model&, const limber::Workspace<Scalar>&, const limber::Input<Scalar>&,                  \
      const limber::Input<Scalar>&, limber::Output<Scalar>);                                                 \
  template void limber::mass_matrix<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,                \
                                            const limber::Input<Scalar>&, limber::MatrixOutput<Scalar>);     \
  template limber::Energy<Scalar> limber::energy<Scalar>(const limber::Model&, limber::Workspace<Scalar>&,   \
                                                         const limber::Input<Scalar>&,                       \
                                                         const limber::Input<Scalar>&);                      \
  template limber::Momentum<Scalar> limber::momentum<Scalar>(                                                \
      const limber::Model&, limber::Workspace<Scalar>&, const limber::Input<Scalar>&,                        \
      const limber::Input<Scalar>&);                                                                         \
  template limber::PoseOf<Scalar> limber::frame_pose<Scalar>(                                                \
      const limber::Model&, const limber::Workspace<Scalar>&, const limber::Frame&);                         \
  template limber::PoseOf<Scalar> limber::root_pose<Scalar>(const limber::Model&,                            \
                                                            const limber::Workspace<Scalar>&, int);          \
  template limber::TwistOf<Scalar> limber::frame_twist<Scalar>(                                              \
      const limber::Model&, const limber::Workspace<Scalar>&, const limber::Frame&, limber::MotionAxes);     \
  template void limber::frame_jacobian<Scalar>(const limber::Model&, const limber::Workspace<Scalar>&,       \
                                               const limber::Frame&, limber::MotionAxes,                     \
                                               limber::JacobianOutput<Scalar>);                              \
  template limber::TwistOf<Scalar> limber::frame_bias_acceleration<Scalar>(                                  \
      const limber::Model&, limber::Workspace<Scalar>&, const limber::Frame&, limber::MotionAxes,            \
      const limber::Input<Scalar>&, const limber::Input<Scalar>&);
