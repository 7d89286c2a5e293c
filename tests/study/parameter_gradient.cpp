// SPDX-License-Identifier: BSD-3-Clause
// Gradients by numbers of files: against closed forms, and against differences of the whole program.

#include "limber/study/parameter_gradient.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "limber/core/input_error.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/run_adjoint.hpp"
#include "limber/simulation/simulate.hpp"
#include "places.hpp"
#include "study_folder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

const std::string cantilever = R"(limber: 1
name: cantilever
gravity: [0, -9.81, 0]
kinematics: first
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1], damping: 0}
    beam: {length: 2, section: {EI_z: 500, mass_per_length: 3}, modes: {y: {shape: polynomial, count: 3}}}
)";

class ParameterGradient : public test::StudyFolder {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  static GradientQuestion question(const std::vector<std::string>& by, const std::vector<std::string>& of) {
    GradientQuestion asked;
    asked.by = by;
    for (const std::string& one : of) asked.of.push_back(parse_measure(one));
    return asked;
  }
  static std::string refusal(const std::filesystem::path& file, const GradientQuestion& asked) {
    try {
      parameter_gradients(file, asked);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

// A beam's frequencies are c sqrt(EI/m)/L^2, whatever its shapes; its tip sags by m g L^4/(8 EI), which the polynomials hold exactly.
TEST_F(ParameterGradient, OfABeamIsThatOfItsFormulas) {
  const auto file = write("cantilever.yaml", cantilever);
  const ParameterGradients found = parameter_gradients(
      file, question({"links.boom.beam.section.EI_z", "links.boom.beam.section.mass_per_length",
                      "links.boom.beam.length"},
                     {"modes.frequencies_hz[0]", "statics.links.boom.tip_deflection[1]",
                      "statics.joint_efforts.shoulder"}));
  const double EI = 500, m = 3, L = 2, g = 9.81, f = found.values[0],
               sag = -m * g * std::pow(L, 4) / (8 * EI);
  EXPECT_NEAR(found.values[1], sag, 1e-12);
  Eigen::Matrix3d wanted;
  wanted << f / (2 * EI), -f / (2 * m), -2 * f / L,  //
      -sag / EI, sag / m, 4 * sag / L,               //
      0, g * L * L / 2, m * g * L;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(found.gradient(i, j), wanted(i, j), 1e-9 * wanted.row(i).cwiseAbs().maxCoeff()) << i << j;
  EXPECT_TRUE(found.warnings.empty());
}

// a = tau/(armature + m L^2/3), of a rigid link.
TEST_F(ParameterGradient, OfAnAcceleration) {
  const auto file = write("rod.yaml", R"(limber: 1
gravity: [0, 0, 0]
links:
  - name: rod
    joint: {name: turn, axis: [0, 0, 1], armature: 0.5}
    rigid: {mass: 3, com: [0.5, 0, 0], inertia: [0, 0.25, 0.25, 0, 0, 0]}
)");
  GradientQuestion asked =
      question({"links.rod.joint.armature", "links[0].rigid.mass"}, {"eval.acceleration[0]"});
  asked.state = write("state.json", R"({"tau": [4]})");
  const ParameterGradients found = parameter_gradients(file, asked);
  const double I = 0.5 + 0.25 + 3 * 0.25;
  EXPECT_NEAR(found.values[0], 4 / I, 1e-13);
  EXPECT_NEAR(found.gradient(0, 0), -4 / (I * I), 1e-11);
  EXPECT_NEAR(found.gradient(0, 1), -4 / (I * I) * 0.25, 1e-11);
}

// x = x0 cos(w t): of a spring from its start on. The start itself is one of the numbers.
TEST_F(ParameterGradient, OfASwingingMassIsThatOfItsMotion) {
  const auto file = write("swing.yaml", R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0], stiffness: 50}, rigid: {mass: 2}}]
initial: {q: {rail: 0.1}}
integrator: {rtol: 1e-12, atol: 1e-14}
duration: 1.7
)");
  GradientQuestion asked = question({"model.links.cart.joint.stiffness", "model.links.cart.rigid.mass",
                                     "initial.q.rail", "model.links.cart.joint.damping"},
                                    {"rail", "rail.rate", "rail:rms"});
  asked.histories = true;
  const ParameterGradients found =
      parameter_gradients(file, asked, {{"model.links.cart.joint.damping", "0", {}}});
  EXPECT_EQ(found.method, "radau9");
  const double k = 50, m = 2, x0 = 0.1, w = std::sqrt(k / m), t = 1.7, s = std::sin(w * t),
               c = std::cos(w * t);
  EXPECT_NEAR(found.values[0], x0 * c, 1e-10);
  const double by_w = -x0 * t * s;
  EXPECT_NEAR(found.gradient(0, 0), by_w * w / (2 * k), 1e-9 * x0);
  EXPECT_NEAR(found.gradient(0, 1), -by_w * w / (2 * m), 1e-8 * x0);
  EXPECT_NEAR(found.gradient(0, 2), c, 1e-9);
  EXPECT_NEAR(found.gradient(1, 0), (-x0 * s - x0 * w * t * c) * w / (2 * k), 1e-8 * x0);
  // A damper of zero has one side only. x'' + 2 z x' + w^2 x = 0: dx/dz at 0 is -x0 (t cos(w t) - sin(w t)/w), z = d/(2 m).
  EXPECT_NEAR(found.gradient(0, 3), -x0 * (t * c - s / w) / (2 * m), 1e-8 * x0);
  // Row by row, and the measure from it.
  ASSERT_EQ(found.times.size(), 171);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < found.times.size(); ++i) sum += found.courses(i, 0) * found.gradients[0](i, 0);
  EXPECT_NEAR(found.gradient(2, 0), sum / 171 / found.values[2], 1e-14);
}

const std::string run_of_two = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], armature: 0.2}
      beam: {length: 1.2, section: {EI_z: 400, mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.02}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1], damping: 0.3}
      beam: {length: 0.8, section: {EI_z: 250, mass_per_length: 1}, modes: {y: {count: 1}}}
      tip: {mass: 0.5}
initial: {q: {shoulder: 0.2}, settle: true}
trajectories: {up: {type: quintic, from: 0.2, to: 0.7, duration: 0.3}}
sensors: [{name: gauge, type: strain, link: boom, at: 0.1, offset: [0.02, 0]}]
actuation:
  - {joint: shoulder, type: ACTUATION, target: {trajectory: up}}
  - {joint: elbow, type: pd, kp: 60, kd: 6, target: {value: 0}, gravity_compensation: target}
duration: 0.4
output: {rate: 100}
)";

std::string driven_by(std::string text, const std::string& actuation, const std::string& integrator) {
  text.replace(text.find("ACTUATION"), 9, actuation);
  return text + "integrator: {method: " + integrator + "}\n";
}

class LastRow : public ResultSink {
 public:
  void add(const Sample& sample) override {
    tip = std::max(tip, sample.end_effector_position.y());
    last << sample.end_effector_position.x(), sample.v[0], sample.sensors[0], sample.efforts[0];
  }
  Eigen::Vector4d last;
  double tip = -1e9;
};

// Of the whole program: reading, preparing, settling, designing feedback, running. By differences of its runs.
void expect_as_the_program(const std::filesystem::path& file, const std::vector<std::string>& paths,
                           double tolerance) {
  GradientQuestion asked;
  asked.by = paths;
  for (const char* one :
       {"end_effector.x", "shoulder.rate", "gauge", "effort.shoulder", "end_effector.y:max"})
    asked.of.push_back(parse_measure(one));
  const ParameterGradients found = parameter_gradients(file, asked);
  const auto run = [&](const std::string& path, double value) {
    std::ostringstream text;
    text << std::setprecision(17) << value;
    const ScenarioFile read = read_scenario(file, {{path, text.str(), {}}});
    Scenario scenario = build_scenario(read.description, read.model);
    LastRow rows;
    simulate(scenario, &rows);
    VectorXd all(5);
    all << rows.last, rows.tip;
    return all;
  };
  for (std::size_t j = 0; j < paths.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    // Differences have errors of their own. The phase of what swings follows lengths most, and there steps must be short; damping does little, and rounding of runs
    // counts. Two of sixth order make one of eighth.
    const double way = paths[j].ends_with("length") ? 5e-4 : paths[j].ends_with("ratio") ? 2e-2 : 2e-3;
    const double p = found.parameters[column];
    const auto difference = [&](double e) {
      const auto pair = [&](double k) {
        return VectorXd(run(paths[j], p + k * e) - run(paths[j], p - k * e));
      };
      return VectorXd((45.0 * pair(1) - 9.0 * pair(2) + pair(3)) / (60.0 * e));
    };
    const double e = way * p;
    const VectorXd wanted = (64.0 * difference(0.5 * e) - difference(e)) / 63.0;
    for (int i = 0; i < 5; ++i) {
      const double size = std::abs(wanted[i]) + 1e-3 * std::abs(found.values[i] / p);
      EXPECT_NEAR(found.gradient(i, column), wanted[i], tolerance * size)
          << found.measures[static_cast<std::size_t>(i)] << " " << paths[j];
    }
  }
}

TEST_F(ParameterGradient, OfARunIsThatOfTheWholeProgram) {
  expect_as_the_program(
      write("pd.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005")),
      {"model.links.boom.beam.section.EI_z", "model.links.boom.beam.length", "model.links.jib.tip.mass",
       "model.links.boom.beam.damping.ratio", "model.links.jib.joint.damping", "actuation[0].kp"},
      1e-9);
}

// Feedback that is designed for the arm, or sampled, or remembered, changes with it.
TEST_F(ParameterGradient, GoesThroughControllers) {
  const std::vector<std::string> paths = {"model.links.boom.beam.section.EI_z", "model.links.jib.tip.mass"};
  std::string both_by_lqr = driven_by(run_of_two, "lqr, integral: true", "rk4, step: 0.0002");
  const std::string pd = "type: pd, kp: 60, kd: 6, target: {value: 0}, gravity_compensation: target";
  both_by_lqr.replace(both_by_lqr.find(pd), pd.size(), "type: lqr, target: {value: 0}");
  expect_as_the_program(write("lqr.yaml", both_by_lqr), paths, 1e-9);
  expect_as_the_program(write("pid.yaml", driven_by(run_of_two, "pid, kp: 300, ki: 100, kd: 20, rate: 100",
                                                    "rk4, step: 0.0005")),
                        paths, 1e-9);
  expect_as_the_program(write("alpha.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20",
                                                      "generalized-alpha, step: 0.001, rtol: 1e-10")),
                        paths, 1e-9);
}

// Back through the run is the same as along with it: through continuous, designed and sampled controllers, loads, limits, quaternions, and numbers of each of them.
void expect_the_same_back(const std::filesystem::path& file, const std::vector<std::string>& paths) {
  GradientQuestion asked;
  asked.by = paths;
  for (const char* one : {"end_effector.x", "shoulder.rate:rms", "gauge:peak_to_peak", "effort.shoulder:mean",
                          "end_effector.y:max"})
    asked.of.push_back(parse_measure(one));
  asked.way = GradientWay::forward;
  const ParameterGradients forward = parameter_gradients(file, asked);
  asked.way = GradientWay::adjoint;
  const ParameterGradients back = parameter_gradients(file, asked);
  EXPECT_EQ(forward.way, GradientWay::forward);
  EXPECT_EQ(back.way, GradientWay::adjoint);
  EXPECT_EQ(back.steps, forward.steps);
  EXPECT_EQ(back.values, forward.values);
  for (Eigen::Index i = 0; i < forward.gradient.rows(); ++i)
    for (Eigen::Index j = 0; j < forward.gradient.cols(); ++j) {
      const double size =
          std::abs(forward.gradient(i, j)) + 1e-3 * std::abs(forward.values[i] / forward.parameters[j]);
      EXPECT_NEAR(back.gradient(i, j), forward.gradient(i, j), 2e-9 * size)
          << back.measures[static_cast<std::size_t>(i)] << " " << paths[static_cast<std::size_t>(j)];
    }
}

TEST_F(ParameterGradient, IsTheSameBackThroughTheRun) {
  const std::vector<std::string> paths = {"model.links.boom.beam.section.EI_z",
                                          "model.links.boom.beam.length",
                                          "model.links.jib.tip.mass",
                                          "model.links.boom.beam.damping.ratio",
                                          "model.links.jib.joint.damping",
                                          "model.links.boom.joint.armature",
                                          "initial.q.shoulder"};
  const auto with = [&](const std::string& name, const std::string& text, const std::string& path) {
    std::vector<std::string> all = paths;
    if (!path.empty()) all.push_back(path);
    expect_the_same_back(write(name, text), all);
  };
  with("pd.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005"), "actuation[0].kp");
  with("radau.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "radau9, rtol: 1e-7"), "actuation[0].kd");
  with("euler.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "euler, step: 0.0002"), "");
  with("pid.yaml", driven_by(run_of_two, "pid, kp: 300, ki: 100, kd: 20", "rk4, step: 0.0005"),
       "actuation[0].ki");
  with("sampled.yaml", driven_by(run_of_two, "pid, kp: 300, ki: 100, kd: 20, rate: 100", "rk4, step: 0.0005"),
       "actuation[0].ki");
  std::string both_by_lqr = driven_by(run_of_two, "lqr, integral: true", "radau, rtol: 1e-6");
  const std::string pd = "type: pd, kp: 60, kd: 6, target: {value: 0}, gravity_compensation: target";
  both_by_lqr.replace(both_by_lqr.find(pd), pd.size(), "type: lqr, target: {value: 0}");
  with("lqr.yaml", both_by_lqr, "");
  with("loads.yaml",
       driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005") +
           "loads: [{link: jib, at: 1.0, force: [0, -5, 0], from: 0.1, to: 0.3}]\n",
       "loads[0].force[1]");
}

// Numbers that do more than change constants of the arm are differenced as a whole (cylinders, loads); quaternions, and joints that move as they are told.
TEST_F(ParameterGradient, IsTheSameBackOnArmsOfOtherKinds) {
  const std::string rest = "duration: 0.2\noutput: {rate: 20}\nintegrator: {method: radau, rtol: 1e-7}\n";
  const std::string models = LIMBER_MODELS_DIR;
  const auto compare = [&](const std::string& name, const std::string& text,
                           const std::vector<std::string>& by, const std::vector<std::string>& of) {
    GradientQuestion asked = question(by, of);
    const auto file = write(name, "limber: 1\n" + text + rest);
    asked.way = GradientWay::forward;
    const Eigen::MatrixXd forward = parameter_gradients(file, asked).gradient;
    asked.way = GradientWay::adjoint;
    const Eigen::MatrixXd back = parameter_gradients(file, asked).gradient;
    for (Eigen::Index i = 0; i < forward.rows(); ++i)
      for (Eigen::Index j = 0; j < forward.cols(); ++j) {
        EXPECT_NE(forward(i, j), 0.0)
            << of[static_cast<std::size_t>(i)] << " " << by[static_cast<std::size_t>(j)];
        EXPECT_NEAR(back(i, j), forward(i, j), 2e-8 * std::abs(forward(i, j)))
            << of[static_cast<std::size_t>(i)] << " " << by[static_cast<std::size_t>(j)];
      }
  };
  compare("cylinder.yaml",
          "model: " + models +
              "/boom_cylinder/boom_cylinder.yaml\ninitial: {q: {pivot: 0}}\n"
              "actuation: [{joint: lift, type: torque, signal: {value: 2.1e4}}]\n",
          {"model.cylinders[0].damping", "model.links.boom.beam.length"},
          {"end_effector.z:rms", "end_effector.x"});
  compare("free.yaml", R"(model:
  gravity: [0, 0, 0]
  links:
    - {name: bus, joint: {name: floating, type: free}, rigid: {mass: 100, inertia: [20, 25, 30, 0, 0, 0], tip: {xyz: [0.5, 0, 0]}}}
    - name: boom
      joint: {name: mount, type: fixed}
      beam: {length: 4, section: {EI_y: 500, EI_z: 500, mass_per_length: 1}, modes: {y: {count: 1}, z: {count: 1}}}
initial: {v: {floating.4: 0.3, floating.5: -0.2, floating.6: 0.4}, q: {boom.y1: 0.05}}
loads: [{link: boom, at: 1.0, force: [0.5, 1, 2], from: 0, to: 0.1}]
)",
          {"model.links.boom.beam.length", "model.links.bus.rigid.mass", "loads[0].force[1]"},
          {"end_effector.z", "end_effector.x:rms"});
  compare("told.yaml",
          "model: " + models +
              "/canadarm/canadarm.yaml\n"
              "actuation: [{joint: joint1, type: prescribed, target: {trajectory: t}}]\n"
              "trajectories: {t: {type: quintic, from: 0, to: 0.1, duration: 0.15}}\n",
          {"model.links.link2.beam.length", "model.links.link3.beam.section.mass_per_length"},
          {"end_effector.y", "joint2:rms", "effort.joint1:rms"});
}

// Steps whose maps were not kept are taken once more.
TEST_F(ParameterGradient, FindsStepsAgain) {
  const auto file =
      write("pd.yaml", driven_by(run_of_two, "pid, kp: 300, ki: 100, kd: 20", "radau, rtol: 1e-6"));
  const auto scenario_at = [&](double EI) {
    const ScenarioFile read = read_scenario(
        file, {{"model.links.boom.beam.section.EI_z", std::to_string(EI), {}}, {"duration", "0.1", {}}});
    return build_scenario(read.description, read.model);
  };
  const auto gradient = [&](double most_kept) {
    const DifferenceFormula formula = DifferenceFormula::central();
    ScenarioFamily family{"EI", 2.0, formula, {}};
    for (const double k : formula.at) family.scenarios.push_back(scenario_at(400.0 + 2.0 * k));
    std::vector<ScenarioFamily> families;
    families.push_back(std::move(family));
    RunAdjoint run(scenario_at(400.0), std::move(families));
    LastRow rows;
    EXPECT_THROW(run.gradient({Eigen::MatrixXd::Zero(11, 3)}, {}, {{}}), InputError);
    run.run(rows, most_kept);
    EXPECT_THROW(run.gradient({}, {}, {{}}), InputError);
    EXPECT_THROW(run.gradient({Eigen::MatrixXd::Zero(10, 3)}, {}, {{}}), InputError);
    EXPECT_THROW(run.gradient({Eigen::MatrixXd::Zero(11, 3)}, {}, {{}}), InputError);
    const RowReading tip = [](const Sample& row) { return VectorXd(row.end_effector_position); };
    Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(11, 3);
    weights(10, 0) = weights(7, 1) = 1.0;
    const auto once = [&] {
      return run.gradient({weights}, tip, {std::vector<RowReading>(6, tip)}).by_number(0, 0);
    };
    const double first = once();
    EXPECT_NEAR(once(), first, 1e-13 * std::abs(first));
    return first;
  };
  const double kept = gradient(1e9);
  EXPECT_GT(std::abs(kept), 1e-9);
  EXPECT_NEAR(gradient(0.0), kept, 1e-12 * std::abs(kept));
}

TEST_F(ParameterGradient, GoesBackWhereThatIsShorter) {
  const auto file = write("pd.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005"));
  const std::vector<std::string> many = {"model.links.boom.beam.section.EI_z",
                                         "model.links.boom.beam.length",
                                         "model.links.boom.beam.section.mass_per_length",
                                         "model.links.boom.beam.damping.ratio",
                                         "model.links.boom.joint.armature",
                                         "model.links.jib.beam.section.EI_z",
                                         "model.links.jib.beam.length",
                                         "model.links.jib.beam.section.mass_per_length",
                                         "model.links.jib.joint.damping",
                                         "model.links.jib.tip.mass",
                                         "actuation[0].kp"};
  EXPECT_EQ(parameter_gradients(file, question({many[0]}, {"end_effector.x"})).way, GradientWay::forward);
  EXPECT_EQ(parameter_gradients(file, question(many, {"end_effector.x"})).way, GradientWay::adjoint);
  GradientQuestion asked = question(many, {"end_effector.x"});
  asked.histories = true;
  EXPECT_EQ(parameter_gradients(file, asked).way, GradientWay::forward);
  asked.way = GradientWay::adjoint;
  EXPECT_NE(refusal(file, asked).find("row by row"), std::string::npos);
  const auto alpha =
      write("alpha.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "generalized-alpha, step: 0.001"));
  EXPECT_EQ(parameter_gradients(alpha, question(many, {"end_effector.x"})).way, GradientWay::forward);
  asked.histories = false;
  EXPECT_NE(refusal(alpha, asked).find("generalized-alpha"), std::string::npos);
  std::vector<std::string> and_one = many;
  and_one.push_back("output.rate");
  EXPECT_NE(refusal(file, question(and_one, {"end_effector.x"})).find("by: output.rate"), std::string::npos);
}

// A sampled integral is kept while its motor is at the limit: what is decided at samples is the same a little beside them, and not a little farther.
TEST_F(ParameterGradient, GoesThroughMotorsAtTheirLimits) {
  std::string text = driven_by(run_of_two, "pid, kp: 300, ki: 400, kd: 10, rate: 250", "rk4, step: 0.0005");
  const std::string armature = "armature: 0.2";
  text.replace(text.find(armature), armature.size(), armature + ", limits: {effort: 45}");
  const auto file = write("limit.yaml", text);
  const std::string path = "model.links.jib.tip.mass";
  GradientQuestion asked = question({path}, {"shoulder:rms", "end_effector.y"});
  asked.way = GradientWay::forward;
  const ParameterGradients forward = parameter_gradients(file, asked);
  asked.way = GradientWay::adjoint;
  const ParameterGradients back = parameter_gradients(file, asked);
  const auto run = [&](double mass) {
    std::ostringstream text_of_mass;
    text_of_mass << std::setprecision(17) << mass;
    const ScenarioFile read = read_scenario(file, {{path, text_of_mass.str(), {}}});
    Scenario scenario = build_scenario(read.description, read.model);
    struct Rows : ResultSink {
      void add(const Sample& sample) override {
        squares += sample.q[0] * sample.q[0];
        y = sample.end_effector_position.y();
        ++count;
        if (std::abs(sample.efforts[0]) >= 45.0) ++at_limit;
      }
      double squares = 0.0, y = 0.0;
      int count = 0, at_limit = 0;
    } rows;
    simulate(scenario, &rows);
    EXPECT_GT(rows.at_limit, 3);
    EXPECT_LT(rows.at_limit, 35);  // of 41
    return Eigen::Vector2d(std::sqrt(rows.squares / rows.count), rows.y);
  };
  constexpr double e = 1e-6;
  const Eigen::Vector2d wanted = (run(0.5 + e) - run(0.5 - e)) / (2.0 * e);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(forward.gradient(i, 0), wanted[i], 1e-6 * std::abs(wanted[i])) << i;
    EXPECT_NEAR(back.gradient(i, 0), wanted[i], 1e-6 * std::abs(wanted[i])) << i;
  }
}

TEST_F(ParameterGradient, SaysWhatHasNone) {
  const auto model = write("cantilever.yaml", cantilever);
  const auto file = write("pd.yaml", driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005"));
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal(model, question({"links.bom.beam.length"}, {"modes.frequencies_hz[0]"})), "boom"));
  EXPECT_TRUE(has(refusal(model, question({"links.boom.beam.lenght"}, {"modes.frequencies_hz[0]"})),
                  "by: links.boom.beam.lenght"));
  EXPECT_TRUE(has(refusal(model, question({"links.boom.beam.section"}, {"modes.frequencies_hz[0]"})),
                  "a number that stands in the file"));
  EXPECT_TRUE(has(refusal(model, question({"name"}, {"modes.frequencies_hz[0]"})), "by: name"));
  EXPECT_TRUE(has(refusal(model, question({"links.boom.joint.damping"}, {"modes.frequencies_hz[0]"})),
                  "changes nothing"));
  EXPECT_TRUE(has(refusal(model, question({"links.boom.beam.modes.y.count"}, {"modes.frequencies_hz[0]"})),
                  "counted"));
  EXPECT_TRUE(
      has(refusal(model, question({"links.boom.beam.length"}, {"modes.frequency[0]"})), "frequencies_hz"));
  EXPECT_TRUE(has(refusal(model, question({"links.boom.beam.length"}, {"end_effector.x"})), "name the task"));
  EXPECT_TRUE(has(refusal(file, question({"actuation[0].kp"}, {"end_efector.x"})), "end_effector"));
  EXPECT_TRUE(
      has(refusal(file, question({"actuation[0].kp"}, {"end_effector.x:settling_time"})), "smoothly"));
  EXPECT_TRUE(has(refusal(file, question({"output.rate"}, {"end_effector.x"})), "changes nothing"));
  const auto sampled = write(
      "sampled.yaml", driven_by(run_of_two, "pid, kp: 300, ki: 100, kd: 20, rate: 100", "rk4, step: 0.0005"));
  EXPECT_TRUE(
      has(refusal(sampled, question({"actuation[0].rate"}, {"end_effector.x"})), "samples of a controller"));
  EXPECT_TRUE(has(refusal(file, question({"duration"}, {"end_effector.x"})), "the end of the run"));
  std::string loaded = driven_by(run_of_two, "pd, kp: 300, kd: 20", "rk4, step: 0.0005");
  const std::string armature = "armature: 0.2";
  loaded.replace(loaded.find(armature), armature.size(), armature + ", limits: {effort: 90}");
  const auto limited =
      write("limited.yaml", loaded + "loads: [{link: jib, force: [0, -5, 0], from: 0.1, to: 0.3}]\n");
  EXPECT_TRUE(
      has(refusal(limited, question({"loads[0].from"}, {"end_effector.x"})), "the beginning or the end"));
  EXPECT_TRUE(has(refusal(limited, question({"model.links.boom.joint.limits.effort"}, {"end_effector.x"})),
                  "no limit of an effort"));
  EXPECT_THROW(parse_measure("tip:largest"), InputError);
}

}  // namespace
}  // namespace limber
