// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Curves of a result, with everything a reader needs to know about them: what the page draws and what `limber plot`
// writes. Every derived quantity is computed here, once.
//
//   deflection   of a link's tip, in its root frame R: p(L) - r0(L), along y and z
//   torsion      of a link's tip: theta_x(L)
//   sensors      what the scenario's instruments show: on the page one figure for each unit, in `plot` all in one
//   error        |p_E(q) - p_E(q_ref)|, q_ref with links unbent and joints at their references (a joint without one:
//                where it is); beside it |p_E(q) - p_E(q, links unbent)|, what bending alone does
//   spectrum     2 |DFT(w s)| / Sum w of the signal s without its straight line of best fit, w Hann's window: the
//                amplitude of a steady vibration is the height of its peak
//   section-forces, section-moments, section-stress   along the beams: of each place the highest and the lowest value of all rows
//   stress       of each link: the largest of its places, over time

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/report/run_record.hpp"

namespace limber LIMBER_EXPORT {

/// A curve of a figure.
struct Curve {
  std::string name;           ///< in legends: the coordinate, joint or link
  Eigen::VectorXd values;     ///< as many as the figure's x
  std::string group = {};     ///< the joint or link it belongs to; empty: the arm as a whole
  bool is_reference = false;  ///< drawn dashed, in the colour of the curve before it
  bool is_angle = false;      ///< in radians, or radians per second: a reader may want degrees
  std::string note = {};      ///< in legends behind its name: "12.3 N at 0.4 s"
};

/// A place on the x axis with a name.
struct AxisMark {
  double x;          ///< on the axis
  std::string name;  ///< what is there
};

/// What the groups of a figure's curves are.
enum class FigureParts { whole, joints, links };

/// Curves over one x axis.
struct Figure {
  std::string id;                          ///< as `--what` has it
  std::string title;                       ///< with the quantity
  std::string x_label, y_label;            ///< with units
  Eigen::VectorXd x;                       ///< places of all curves' values
  bool over_time = true;                   ///< x is the time of the result's rows
  bool logarithmic = false;                ///< both axes, for spectra
  std::vector<Curve> curves;               ///< in the order of the model
  std::vector<AxisMark> marks = {};        ///< on the x axis, as natural frequencies in a spectrum
  FigureParts parts = FigureParts::whole;  ///< what its curves belong to
};

/// Names that figures() and figure() know, in the order of a report.
const std::vector<std::string>& figure_names();

/// All figures that make sense for this result: no torsion where nothing twists, no efforts where nothing drives.
std::vector<Figure> figures(const RunRecord& record);

/// One of them; a figure without curves where it makes no sense.
Figure figure(const RunRecord& record, const std::string& id);

/// The same figure with those curves alone whose own name, or whose joint's or link's, is among `names`; a reference goes
/// with the curve before it. A link stands for its joint in figures of joints, and a joint for its link in figures of links.
/// Throws InputError for a name of which this figure knows nothing.
Figure only(const Figure& figure, const std::vector<std::string>& names, const ArmOutline& arm);

/// The same figure with angles in degrees.
Figure in_degrees(Figure figure);

/// Short names that tell results apart: by formulation, kinematics or method if that does, else by file.
std::vector<std::string> labels(const std::vector<RunRecord>& records);

}  // namespace limber
