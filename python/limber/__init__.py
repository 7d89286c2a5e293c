# SPDX-License-Identifier: BSD-3-Clause
"""Robot arms whose links bend: models, algorithms, modes, statics, control design and simulation.

    import limber
    arm = limber.load("boom.yaml")
    a = limber.forward_dynamics(arm, q, v, tau)      # one state, or arrays of them with leading axes
    run = limber.simulate("slew.yaml")

docs/python.md is the tour; names are those of the C++ library and of the files."""

from . import _limber
from ._limber import (ComputationError, CriticalLoad, Derivatives, Energy, Evaluation, InputError, LinearModel, Link, Model, Modes,
                      Momentum, Statics, Zeros, __version__, bias, bias_acceleration, configuration_rate, coriolis_matrix,
                      critical_load, derivatives, difference, displace, elastic_and_damping_forces, energy, figures, formulations,
                      forward_dynamics, get_threads, gravity, input_matrix, inverse_dynamics, jacobian, joint_wrenches, linearize,
                      lqr_gain, mass_matrix, modes, momentum, pose, reach, set_threads, shapes, solve_riccati, statics, strains, twist,
                      zeros)
from .builder import ModelBuilder
from .comparison import Comparison, compare
from .model import from_dict, load
from .picture import plot
from .run import Run, read, report, simulate
from .symbolic import derive, equations, parameter_values

__all__ = [
    "Comparison", "ComputationError", "CriticalLoad", "Derivatives", "Energy", "Evaluation", "InputError", "LinearModel", "Link",
    "Model", "ModelBuilder", "Modes", "Momentum", "Run", "Statics", "Zeros", "__version__", "bias", "bias_acceleration", "compare",
    "configuration_rate", "coriolis_matrix", "critical_load", "derivatives", "derive", "difference", "displace",
    "elastic_and_damping_forces", "energy", "equations", "figures", "formulations", "forward_dynamics", "from_dict", "get_threads", "gravity",
    "input_matrix", "inverse_dynamics", "jacobian", "joint_wrenches", "linearize", "load", "lqr_gain", "mass_matrix", "modes",
    "momentum", "parameter_values", "plot", "pose", "reach", "read", "report", "set_threads", "shapes", "simulate", "solve_riccati", "statics", "strains", "twist", "zeros",
]
