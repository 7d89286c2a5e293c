# SPDX-License-Identifier: BSD-3-Clause
"""Robot arms whose links bend: models, algorithms, modes, statics, control design and simulation.

    import limber
    arm = limber.load("boom.yaml")
    a = limber.forward_dynamics(arm, q, v, tau)      # one state, or arrays of them with leading axes
    run = limber.simulate("slew.yaml")

docs/python.md is the tour; names are those of the C++ library and of the files."""

from . import _limber
from ._limber import (ComputationError, CriticalLoad, Cylinders, DeNoc, Derivatives, DualScrews, EndpointCompliance, EndpointForce, Energy, Evaluation,
                      FrameDerivatives, InputError, LinearModel, Link, LocalJacobians, Loops, Model, Modes, Momentum, MotionPlan, SectionLoads, Statics, StrainGauge, ZeroMotion, Zeros,
                      __version__, assemble, bias, bias_acceleration, configuration_rate, coriolis_matrix, count_operations, critical_load, cylinders, denoc, derivatives, design_experiment,
                      difference, displace, dual_screws, elastic_and_damping_forces, endpoint_compliance, endpoint_force, energy, estimate, figures,
                      formulations, forward_dynamics, frame_derivatives, friction_forces, get_threads, gravity, identify, input_matrix, inverse_dynamics, jacobian, jacobian_derivatives,
                      joint_wrenches,
                      linearize, local_jacobians, loops, lqr_gain, mass_matrix, measure, miner_damage, modal_assurance, modes, momentum, paired_modes, piedboeuf_jacobian, pose, published_counts, rainflow, reach,
                      reach_along, reduce, residual_statistics, section_loads, seen_shapes, sensitivity, set_threads, shapes, solve_riccati, statics, strains, twist, zero_motion, zeros)
from .builder import ModelBuilder
from .comparison import Comparison, compare
from .compiled import compile
from .controller import Controller, Watch
from .env import Env
from . import linear as _linear  # adds figures to LinearModel
from . import pickling as _pickling  # of results
from .model import from_dict, load
from .picture import plot
from .planning import plan
from .run import Run, read, report, simulate
from .simulator import Simulator, State, discrete_derivatives
from .study import Sweep, read_sweep, sweep
from .symbolic import derive, equations, parameter_values

__all__ = [
    "Comparison", "ComputationError", "Controller", "CriticalLoad", "Cylinders", "DeNoc", "Derivatives", "DualScrews", "EndpointCompliance", "EndpointForce",
    "Energy", "Env", "Evaluation", "FrameDerivatives", "InputError", "LinearModel", "Link", "LocalJacobians", "Loops", "Model", "ModelBuilder", "Modes", "Momentum", "MotionPlan",
    "Run", "SectionLoads", "Simulator", "State", "Statics", "StrainGauge", "Sweep", "Watch", "ZeroMotion", "Zeros", "__version__", "assemble", "bias",
    "bias_acceleration", "compare", "compile", "configuration_rate", "coriolis_matrix", "count_operations", "critical_load", "cylinders", "denoc", "derivatives",
    "derive", "design_experiment", "difference", "discrete_derivatives", "displace", "dual_screws", "elastic_and_damping_forces", "endpoint_compliance", "endpoint_force", "energy", "equations", "estimate",
    "figures", "formulations", "forward_dynamics", "frame_derivatives", "friction_forces", "from_dict", "get_threads", "gravity", "identify", "input_matrix", "inverse_dynamics",
    "jacobian", "jacobian_derivatives", "joint_wrenches", "linearize", "load", "local_jacobians", "loops", "lqr_gain", "mass_matrix", "measure", "miner_damage", "modal_assurance", "modes", "momentum",
    "paired_modes", "parameter_values", "piedboeuf_jacobian", "plan", "plot", "pose", "published_counts", "rainflow", "reach", "reach_along", "read", "read_sweep", "reduce", "report",
    "residual_statistics", "section_loads", "seen_shapes", "sensitivity", "set_threads", "shapes", "simulate", "solve_riccati", "statics", "strains", "sweep", "twist", "zero_motion", "zeros",
]
