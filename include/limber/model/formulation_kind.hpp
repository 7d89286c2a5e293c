#pragma once

namespace limber {

/// Which equations of motion (formulations/formulation.hpp).
enum class FormulationKind { recursive, dense, dual_screw, dae, generated };

}  // namespace limber
