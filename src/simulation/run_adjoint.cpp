// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/run_adjoint.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "limber/algorithms/detail/constants_adjoint.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "varied_run.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// In which interval and modes a part of the run lies, and what is held there.
struct Context {
  double within;
  System::Past past;
  VectorXd samples;
};

/// A step as a linear map: [A, B_1, ...] for d, dv, dx, and forces and rates of memory at its stages.
struct StepMap {
  MatrixXd matrix;
  std::vector<StepStage> stages;
};

struct Step {
  StepStage start;
  double h;
  std::unique_ptr<StepMap> map;  ///< null where it was not kept
};
struct Row {
  double t;
  VectorXd y;
};
struct Sampled {
  double t;
  VectorXd y, before;
};
/// What happens one after the other; each is in the context of this index.
struct Part {
  std::size_t context;
  std::variant<Step, Row, Sampled> what;
};

bool is_same_load(const Load& a, const Load& b) {
  return a.link == b.link && a.node == b.node && a.axes == b.axes && a.force == b.force &&
         a.moment == b.moment && a.offset == b.offset && a.kind == b.kind;
}

}  // namespace

struct RunAdjoint::Inside : VariedRun {
  Inside(Scenario from, std::vector<ScenarioFamily> all) : VariedRun(std::move(from), std::move(all)) {
    if (steps.stages() == 0)
      throw InputError(Problem{"integrator.method", "a method whose steps stand for themselves",
                               "generalized-alpha", "take radau9, or go forward"});
  }

  // ---- forward ----

  void enter() override {
    const bool is_new = stepper.is_at_corner();
    const VectorXd before = system.samples();
    stepper.enter();
    const double t = stepper.state().t;
    if (is_new) {
      const double corner = system.next_corner(t);
      within = std::isfinite(corner) ? 0.5 * (t + corner) : t + 1.0;
    }
    if (!is_new && system.switch_count() == 0) return;
    contexts.push_back({within, system.past(), system.samples()});
    if (is_new && before.size() > 0) note(Sampled{t, has_begun ? state_vector() : stepper.state().y, before});
  }
  template <typename What>
  void note(What what) {
    parts.push_back({contexts.size() - 1, std::move(what)});
  }

  void forward(ResultSink& rows, double most_kept) {
    IntegratorState start;
    start.y = y0 = system.initial_state();
    stepper.begin(start);
    enter();
    steps.begin(0.0, y0.head(system.nq()), y0.segment(system.nq(), system.nv()),
                y0.tail(system.memory_size()), MatrixXd::Zero(steps.size(), 0));
    has_begun = true;
    double kept = 0.0;
    for_each_row([&](double t, bool is_last) {
      go_to(t, [&](double h) {
        Step step{steps.state(), h, nullptr};
        if (kept < most_kept) {
          step.map = std::make_unique<StepMap>(take_step(h));
          kept += static_cast<double>(step.map->matrix.size()) * sizeof(double);
        } else {
          steps.changes().resize(steps.size(), 0);
          steps.step(h);
        }
        note(std::move(step));
      });
      // A row at a corner belongs to the interval that begins there.
      if (!is_last) enter();
      note(Row{t, state_vector()});
      ++row_count;
      rows.add(sampler.at(t, state_vector(), {}));
    });
  }

  // From where the steps stand.
  StepMap take_step(double h) {
    const Index N = steps.size(), n = system.nv(), m = system.memory_size();
    StepMap map;
    steps.changes().setIdentity(N, N + steps.stages() * (n + m));
    for (const int link : system.held_links()) {
      const int held = scenario.model.links()[static_cast<std::size_t>(link)].joint.driven_index();
      steps.changes()(held, held) = steps.changes()(n + held, n + held) = 0.0;
    }
    steps.step(h, [&](const StepStage& stage, MatrixXd& force, MatrixXd& rates) {
      const Index first = N + static_cast<Index>(map.stages.size()) * (n + m);
      force.middleCols(first, n).setIdentity();
      rates.middleCols(first + n, m).setIdentity();
      map.stages.push_back(stage);
    });
    map.matrix = std::move(steps.changes());
    return map;
  }

  // ---- back ----

  /// m and e of (1), a column for each J, and what is summed on the way.
  struct Back {
    MatrixXd by_state, by_samples;
    MatrixXd by_constants;       // the bracket of (6): selected constants x J
    MatrixXd by_number, coarse;  // J x families
  };

  void use(std::size_t index) {
    if (index == in_use) return;
    in_use = index;
    const Context& context = contexts[index];
    system.enter_interval(context.within);
    system.set_past(context.past);
    system.set_samples(context.samples);
    for (auto& family : variants)
      for (auto& variant : family) {
        variant->system.enter_interval(context.within);
        variant->take_modes(context.past);
        variant->system.set_samples(context.samples);
      }
  }

  // dJ/dp += weights^T d(of)/dp.
  template <typename Of>
  void add_family(std::size_t f, const MatrixXd& weights, const VectorXd& own, Of&& of, Back& back) {
    std::vector<VectorXd> values;
    for (std::size_t i = 0; i < variants[f].size(); ++i) values.push_back(of(i));
    const auto value = [&](std::size_t i) -> const VectorXd& { return values[i]; };
    const VectorXd fine = difference_of(f, own, value);
    if (fine.isZero(0.0)) return;
    effect[f] = true;
    const auto column = static_cast<Index>(f);
    back.by_number.col(column) += weights.transpose() * fine;
    back.coarse.col(column) += weights.transpose() * difference_by(families[f].formula.coarse, f, own, value);
  }

  // Columns d(of)/d(number j), by differences of sixth order: `of` is given how far the number is moved.
  template <typename Of>
  static VectorXd slope(double size, Of&& of) {
    static const DifferenceFormula formula = DifferenceFormula::central();
    const double e = 1e-3 * std::max(1.0, size);
    VectorXd sum;
    for (std::size_t i = 0; i < formula.at.size(); ++i) {
      const VectorXd value = formula.weights[i] * of(formula.at[i] * e);
      sum = i == 0 ? value : VectorXd(sum + value);
    }
    return sum / e;
  }
  // by_state += (d(of)/ds)^T weights, of(y).
  template <typename Of>
  void add_states(const VectorXd& y, const MatrixXd& weights, Of&& of, Back& back) {
    const int n = system.nv(), m = system.memory_size();
    for (Index j = 0; j < steps.size(); ++j) {
      const double size =
          j < n ? 0.0 : std::abs(y[j < 2 * n ? system.nq() + j - n : y.size() - m + j - 2 * n]);
      const VectorXd column = slope(
          size, [&](double way) { return VectorXd(of(moved(y, way * VectorXd::Unit(steps.size(), j)))); });
      back.by_state.row(j) += column.transpose() * weights;
    }
  }
  // sums += (d(of)/dh)^T weights, of() with other samples held.
  template <typename Of>
  void add_samples(const MatrixXd& weights, Of&& of, MatrixXd& sums) {
    const VectorXd held = system.samples();
    for (Index j = 0; j < held.size(); ++j) {
      const VectorXd column = slope(std::abs(held[j]), [&](double way) {
        system.set_samples(held + way * VectorXd::Unit(held.size(), j));
        return VectorXd(of());
      });
      sums.row(j) += column.transpose() * weights;
    }
    system.set_samples(held);
  }

  // (2)
  void over(const Row& row, const MatrixXd& weights, const RowReading& own,
            const std::vector<std::vector<RowReading>>& varied, Back& back) {
    if (weights.isZero(0.0)) return;
    const auto read = [&](const VectorXd& y) { return own(sampler.at(row.t, y, {})); };
    add_states(row.y, weights, read, back);
    add_samples(
        weights, [&] { return read(row.y); }, back.by_samples);
    const VectorXd here = read(row.y);
    for (std::size_t f = 0; f < families.size(); ++f)
      add_family(
          f, weights, here,
          [&](std::size_t i) { return varied[f][i](variants[f][i]->sampler.at(row.t, row.y, {})); }, back);
  }

  // (4)
  void over(const Sampled& sampled, Back& back) {
    const MatrixXd weights = back.by_samples;
    back.by_samples.setZero();
    if (!weights.isZero(0.0)) {
      const VectorXd& before = sampled.before;
      const auto held = [&](const VectorXd& was, const VectorXd& y) {
        return held_by(system, sampled.t, was, y);
      };
      const auto add = [&](const Slope& slope, auto&& row) {
        row += slope.value.transpose() * weights;
        if (slope.is_rough) rough.assign(rough.size(), true);
      };
      for (Index j = 0; j < steps.size(); ++j)
        add(slope_of_samples(sample_way,
                             [&](double way) {
                               return held(before, moved(sampled.y, way * VectorXd::Unit(steps.size(), j)));
                             }),
            back.by_state.row(j));
      for (Index j = 0; j < before.size(); ++j)
        add(slope_of_samples(
                sample_way * std::max(1.0, std::abs(before[j])),
                [&](double way) { return held(before + way * VectorXd::Unit(before.size(), j), sampled.y); }),
            back.by_samples.row(j));
      const VectorXd here = held(before, sampled.y);
      for (std::size_t f = 0; f < families.size(); ++f) {
        const auto of_variant = [&](std::size_t i) {
          return held_by(variants[f][i]->system, sampled.t, before, sampled.y);
        };
        add_family(f, weights, here, of_variant, back);
        if (VariedRun::is_rough(difference_of(f, here, of_variant),
                                difference_by(families[f].formula.coarse, f, here, of_variant)))
          rough[f] = true;
      }
    }
    in_use = none;  // samples stand elsewhere
  }

  // (3) and (6)
  void over(Step& step, Back& back) {
    if (!step.map) {
      steps.begin(step.start.t, step.start.q, step.start.v, step.start.integrals.tail(system.memory_size()),
                  MatrixXd::Zero(steps.size(), 0));
      step.map = std::make_unique<StepMap>(take_step(step.h));
    }
    const Index N = steps.size(), n = system.nv(), m = system.memory_size();
    const MatrixXd all = step.map->matrix.transpose() * back.by_state;
    back.by_state = all.topRows(N);
    for (std::size_t i = 0; i < step.map->stages.size(); ++i)
      add_stage(step.map->stages[i], all.middleRows(N + static_cast<Index>(i) * (n + m), n + m), back);
    step.map.reset();
  }

  void add_stage(const StepStage& stage, const MatrixXd& weights, Back& back) {
    const VectorXd own = applied_at(system, stage);
    if (adjoint) {
      const MatrixXd of_forces = -weights.topRows(system.nv());
      adjoint->add(stage.q, stage.v, stage.a, system.active_loads(), of_forces, back.by_constants);
    }
    const VectorXd missing = any_whole ? missing_at(system, stage) : own;
    for (std::size_t f = 0; f < families.size(); ++f)
      add_family(
          f, weights, whole[f] ? missing : own,
          [&](std::size_t i) {
            System& other = variants[f][i]->system;
            return whole[f] ? missing_at(other, stage) : applied_at(other, stage);
          },
          back);
    add_samples(
        weights, [&] { return applied_at(system, stage); }, back.by_samples);
  }

  // What acts at a stage, and rates of memory.
  VectorXd applied_at(System& of, const StepStage& stage) {
    const int n = system.nv(), m = system.memory_size();
    q_ = stage.q;
    v_ = stage.v;
    a_ = stage.a;
    VectorXd both(n + m);
    both.head(n) = of.applied_forces(stage.t, q_, v_, stage.integrals, a_).tau;
    if (m > 0) {
      rates_.resize(m);
      of.memory_rates(stage.t, q_, v_, stage.integrals, rates_);
      both.tail(m) = rates_;
    }
    return both;
  }

  // Which families change constants alone, and dc/dp of those.
  void find_constants() {
    whole.assign(families.size(), true);
    if (scenario.model.cylinders().empty()) adjoint = detail::ConstantsAdjoint::make(scenario.model);
    if (!adjoint) return;
    const VectorXd own = *adjoint->constants(scenario.model);
    MatrixXd fine = MatrixXd::Zero(own.size(), static_cast<Index>(families.size())), coarse = fine;
    for (std::size_t f = 0; f < families.size(); ++f) {
      std::vector<VectorXd> values;
      bool alike = true;
      for (std::size_t i = 0; alike && i < families[f].scenarios.size(); ++i) {
        std::optional<VectorXd> one = adjoint->constants(families[f].scenarios[i].model);
        alike = one && has_same_loads(families[f].scenarios[i]);
        if (one) values.push_back(std::move(*one));
      }
      whole[f] = !alike;
      if (!alike) continue;
      const auto value = [&](std::size_t i) -> const VectorXd& { return values[i]; };
      fine.col(static_cast<Index>(f)) = difference_of(f, own, value);
      coarse.col(static_cast<Index>(f)) = difference_by(families[f].formula.coarse, f, own, value);
    }
    for (Index c = 0; c < own.size(); ++c)
      if (!fine.row(c).isZero(0.0)) selected.push_back(static_cast<int>(c));
    if (selected.empty())
      adjoint.reset();
    else
      adjoint->select(selected);
    constants = fine(selected, Eigen::all);
    coarse_constants = coarse(selected, Eigen::all);
  }
  // Loads within beams act through shapes, which are no constants of sweeps, and what a load follows may follow the number.
  bool has_same_loads(const Scenario& other) const {
    if (scenario.loads.size() != other.loads.size()) return false;
    for (std::size_t i = 0; i < scenario.loads.size(); ++i) {
      const TimedLoad &a = scenario.loads[i], &b = other.loads[i];
      if (a.wrench.is_inner() || !is_same_load(a.wrench, b.wrench) || a.from != b.from || a.to != b.to ||
          a.factor || b.factor)
        return false;
    }
    return true;
  }

  void require_fit(const std::vector<MatrixXd>& weights,
                   const std::vector<std::vector<RowReading>>& varied) const {
    const char* const name = "RunAdjoint::gradient";
    if (row_count == 0)
      throw InputError(Problem{name, "a run that has been taken", "none", "call run() before"});
    if (weights.empty())
      throw InputError(Problem{std::string(name) + ": weights", "at least one matrix", "none", ""});
    for (const MatrixXd& one : weights)
      detail::require_extent(name, "weights", one, row_count, weights.front().cols());
    bool fits = varied.size() == families.size();
    for (std::size_t f = 0; fits && f < families.size(); ++f) fits = varied[f].size() == variants[f].size();
    if (!fits)
      throw InputError(Problem{std::string(name) + ": varied", "a reading for each scenario of each family",
                               "others", ""});
  }

  Gradient back(const std::vector<MatrixXd>& weights, const RowReading& own,
                const std::vector<std::vector<RowReading>>& varied) {
    require_fit(weights, varied);
    if (whole.empty()) find_constants();
    any_whole = std::find(whole.begin(), whole.end(), true) != whole.end();
    const auto J = static_cast<Index>(weights.size()), F = static_cast<Index>(families.size());
    Back way{MatrixXd::Zero(steps.size(), J), MatrixXd::Zero(system.samples().size(), J),
             MatrixXd::Zero(static_cast<Index>(selected.size()), J), MatrixXd::Zero(J, F),
             MatrixXd::Zero(J, F)};
    Index row = row_count;
    for (std::size_t i = parts.size(); i-- > 0;) {
      use(parts[i].context);
      if (Step* step = std::get_if<Step>(&parts[i].what)) over(*step, way);
      if (const Sampled* sampled = std::get_if<Sampled>(&parts[i].what)) over(*sampled, way);
      if (const Row* at = std::get_if<Row>(&parts[i].what)) {
        --row;
        MatrixXd of_row(weights.front().cols(), J);
        for (Index k = 0; k < J; ++k)
          of_row.col(k) = weights[static_cast<std::size_t>(k)].row(row).transpose();
        over(*at, of_row, own, varied, way);
      }
      if (is_stop_asked_for()) throw Interrupted();
    }
    // (5)
    const VectorXd still = VectorXd::Zero(steps.size());
    for (std::size_t f = 0; f < families.size(); ++f) {
      add_family(
          f, way.by_state, still, [&](std::size_t i) { return start_change(f, i, y0); }, way);
      // Constants that no sweep reads may be anything, and have no weight.
      for (Index c = 0; c < constants.rows(); ++c) {
        const double slope = constants(c, static_cast<Index>(f));
        if (slope == 0.0 || way.by_constants.row(c).isZero(0.0)) continue;
        effect[f] = true;
        way.by_number.col(static_cast<Index>(f)) += slope * way.by_constants.row(c).transpose();
        way.coarse.col(static_cast<Index>(f)) +=
            coarse_constants(c, static_cast<Index>(f)) * way.by_constants.row(c).transpose();
      }
    }
    return {std::move(way.by_number), std::move(way.coarse)};
  }

  static constexpr auto none = static_cast<std::size_t>(-1);
  VectorXd y0;
  bool has_begun = false;
  double within = 0.0;
  Index row_count = 0;
  std::vector<Context> contexts;
  std::vector<Part> parts;
  std::size_t in_use = none;

  std::unique_ptr<detail::ConstantsAdjoint> adjoint;
  std::vector<int> selected;
  std::vector<bool> whole;  // families that are differenced as a whole
  bool any_whole = false;
  MatrixXd constants, coarse_constants;  // selected x families: dc/dp

  VectorXd q_, v_, a_, rates_;
};

RunAdjoint::RunAdjoint(Scenario scenario, std::vector<ScenarioFamily> families)
    : inside_(std::make_unique<Inside>(std::move(scenario), std::move(families))) {}
RunAdjoint::~RunAdjoint() = default;
RunAdjoint::RunAdjoint(RunAdjoint&&) noexcept = default;
RunAdjoint& RunAdjoint::operator=(RunAdjoint&&) noexcept = default;

bool RunAdjoint::knows(const Scenario& scenario) {
  return !std::holds_alternative<integrators::GeneralizedAlpha>(scenario.integrator.method);
}

const Scenario& RunAdjoint::scenario() const { return inside_->scenario; }
const Scenario& RunAdjoint::scenario_of(std::size_t family, std::size_t which) const {
  return inside_->families.at(family).scenarios.at(which);
}
const char* RunAdjoint::method() const { return inside_->stepper.method_name(); }
void RunAdjoint::run(ResultSink& rows, double most_kept) { inside_->forward(rows, most_kept); }
RunAdjoint::Gradient RunAdjoint::gradient(const std::vector<MatrixXd>& weights, const RowReading& own,
                                          const std::vector<std::vector<RowReading>>& varied) {
  return inside_->back(weights, own, varied);
}
bool RunAdjoint::has_effect(std::size_t family) const { return inside_->effect.at(family); }
bool RunAdjoint::is_rough(std::size_t family) const { return inside_->rough.at(family); }
long RunAdjoint::steps() const { return inside_->count; }

}  // namespace limber
