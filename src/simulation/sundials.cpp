// SPDX-License-Identifier: BSD-3-Clause
// CVODE (Adams, BDF), IDA (BDF for implicit equations) and ARKODE (explicit Runge-Kutta) of SUNDIALS behind our
// interface.
//
// IDA sees F(t, y, y') = 0: forces that are missing for accelerations that it proposes itself. Nobody solves for
// accelerations, nor for wrenches, outside of its Newton iteration.
//
// BDF's linear systems (1 - gamma J) x = r are those of newton_matrix.hpp with lambda = 1/gamma, so SUNDIALS sees a
// matrix and a solver of our own. Where q has quaternions, r is split: what lies along a velocity is solved for, and
// what changes a quaternion's length is left as it is. What controllers remember has its part in them. IDA's systems (dF/dy + c dF/dy') x = r have lambda = c, and forces
// on the right-hand side.

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>
#include <exception>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "newton_matrix.hpp"
#include "one_step.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

Eigen::Map<VectorXd> values(N_Vector vector) {
  return {N_VGetArrayPointer(vector), static_cast<Eigen::Index>(N_VGetLength_Serial(vector))};
}

void require(bool fine, const char* what) {
  if (!fine) throw ComputationError(fmt::format("SUNDIALS: {} failed; is there enough memory?", what));
}

/// What SUNDIALS' callbacks share. They must not throw: exceptions wait here.
struct OdeProblem {
  System& system;
  VectorXd y, rate;
  std::exception_ptr thrown = {};
  std::string message = {};
  // BDF
  System::Tangent tangent = {};
  System::MemorySlopes slopes = {};
  NewtonMatrix newton = {};
  double lambda = 0.0;
  VectorXd q = {}, v = {}, integrals = {}, a = {}, r_q = {}, r_v = {}, r_x = {}, d_q = {}, d_v = {},
           along = {};

  explicit OdeProblem(System& of)
      : system(of), y(of.size()), rate(of.size()), q(of.nq()), v(of.nv()), a(of.nv()), along(of.nq()) {}

  template <typename Action>
  int guarded(Action&& action) {
    try {
      action();
      return 0;
    } catch (...) {
      thrown = std::current_exception();
      return -1;
    }
  }
};

int right_hand_side(double t, N_Vector y, N_Vector rate, void* data) {
  auto& problem = *static_cast<OdeProblem*>(data);
  return problem.guarded([&] { problem.system.derivative(t, values(y), values(rate)); });
}

int implicit_residual(double t, N_Vector y, N_Vector rate, N_Vector residual, void* data) {
  auto& problem = *static_cast<OdeProblem*>(data);
  return problem.guarded([&] {
    if (!problem.system.residual(t, values(y), values(rate), values(residual)))
      throw ComputationError(
          "method ida needs the equations of motion unsolved, which this formulation cannot give: take "
          "formulation "
          "recursive or dae, or method bdf");
  });
}

// Weights: one over the tolerances. The norm is a mean over all numbers; the ledger's have no say, so the others count
// for a little more.
int weights(N_Vector y, N_Vector weight, void* data) {
  auto& problem = *static_cast<OdeProblem*>(data);
  System& system = problem.system;
  const auto state = values(y);
  problem.q = state.head(system.nq());
  problem.v = state.segment(system.nq(), system.nv());
  system.note_sizes(problem.q, problem.v);
  auto w = values(weight);
  const double all = static_cast<double>(system.size());
  const double share = std::sqrt(all / std::max(all - ledger_size, 1.0));
  for (int i = 0; i < system.nq(); ++i) w[i] = share / system.q_tolerance(i);
  for (int i = 0; i < system.nv(); ++i) w[system.nq() + i] = share / system.v_tolerance(i);
  const int ledger = system.nq() + system.nv();
  constexpr double no_say = 1e-100;  // weights must be positive
  w.segment<ledger_size>(ledger).setConstant(no_say);
  for (int i = ledger + ledger_size; i < system.size(); ++i) w[i] = share / system.memory_tolerance(state[i]);
  return 0;
}

void keep_message(int, const char*, const char*, char* text, void* data) {
  static_cast<OdeProblem*>(data)->message = text;
}

// ---- the matrix 1 - gamma J ----

SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }
SUNLinearSolver_Type solver_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
int set_up_solver(SUNLinearSolver, SUNMatrix) { return 0; }
int clear_matrix(SUNMatrix) { return 0; }

int form_matrix(double t, N_Vector y, N_Vector rate, SUNMatrix, booleantype tangent_is_good,
                booleantype* renewed, double gamma, void* data, N_Vector, N_Vector, N_Vector) {
  auto& problem = *static_cast<OdeProblem*>(data);
  System& system = problem.system;
  return problem.guarded([&] {
    *renewed = tangent_is_good ? SUNFALSE : SUNTRUE;
    if (!tangent_is_good) {
      const auto state = values(y);
      problem.q = state.head(system.nq());
      problem.v = state.segment(system.nq(), system.nv());
      problem.a = values(rate).segment(system.nq(), system.nv());
      if (system.has_quaternions()) normalize_quaternions(system.model(), problem.q);
      system.apply_prescribed(t, problem.q, problem.v);
      problem.integrals = state.tail(system.integral_count());
      system.tangent(t, problem.q, problem.v, problem.integrals, problem.a, problem.tangent);
      system.memory_slopes(t, problem.q, problem.v, problem.integrals, problem.slopes);
    }
    problem.lambda = 1.0 / gamma;
    problem.newton.factor(problem.tangent, problem.slopes, problem.lambda);
  });
}

// The same for IDA, which asks for a new matrix when c has changed much.
int form_implicit_matrix(double t, double c, N_Vector y, N_Vector rate, N_Vector, SUNMatrix, void* data,
                         N_Vector, N_Vector, N_Vector) {
  booleantype renewed = SUNFALSE;
  return form_matrix(t, y, rate, nullptr, SUNFALSE, &renewed, 1.0 / c, data, nullptr, nullptr, nullptr);
}

int solve_implicit_system(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector r, double) {
  auto& problem = *static_cast<OdeProblem*>(solver->content);
  System& system = problem.system;
  const auto right = values(r);
  auto result = values(x);
  problem.r_v = right.segment(system.nq(), system.nv());
  problem.r_x = right.tail(system.memory_size());
  if (!system.has_quaternions()) {
    problem.r_q = right.head(system.nq());
    problem.newton.solve_residual(problem.r_q, problem.r_v, problem.r_x, problem.d_q, problem.d_v);
    result.head(system.nq()) = problem.d_q;
  } else {
    problem.r_q.resize(system.nv());
    problem.rate.head(system.nq()) = right.head(system.nq());
    velocity_from_rate(system.model(), problem.q, problem.rate, problem.r_q);
    configuration_rate(system.model(), problem.q, problem.r_q, problem.along);
    result.head(system.nq()) = (right.head(system.nq()) - problem.along) / problem.lambda;
    problem.newton.solve_residual(problem.r_q, problem.r_v, problem.r_x, problem.d_q, problem.d_v);
    configuration_rate(system.model(), problem.q, problem.d_q, problem.along);
    result.head(system.nq()) += problem.along;
  }
  result.segment(system.nq(), system.nv()) = problem.d_v;
  result.tail(system.integral_count()) = right.tail(system.integral_count()) / problem.lambda;
  problem.newton.memory_change(problem.d_q, result.tail(system.memory_size()));
  return 0;
}

int solve_system(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector r, double) {
  auto& problem = *static_cast<OdeProblem*>(solver->content);
  System& system = problem.system;
  const auto right = values(r);
  auto result = values(x);
  // (1 - gamma J) x = r is (lambda - J) x = lambda r.
  problem.r_v = problem.lambda * right.segment(system.nq(), system.nv());
  problem.r_x = problem.lambda * right.tail(system.memory_size());
  if (!system.has_quaternions()) {
    problem.r_q = problem.lambda * right.head(system.nq());
    problem.newton.solve(problem.r_q, problem.r_v, problem.r_x, problem.d_q, problem.d_v);
    result.head(system.nq()) = problem.d_q;
  } else {
    problem.r_q.resize(system.nv());
    problem.rate.head(system.nq()) = right.head(system.nq());
    velocity_from_rate(system.model(), problem.q, problem.rate, problem.r_q);
    configuration_rate(system.model(), problem.q, problem.r_q, problem.along);
    result.head(system.nq()) = right.head(system.nq()) - problem.along;
    problem.r_q *= problem.lambda;
    problem.newton.solve(problem.r_q, problem.r_v, problem.r_x, problem.d_q, problem.d_v);
    configuration_rate(system.model(), problem.q, problem.d_q, problem.along);
    result.head(system.nq()) += problem.along;
  }
  result.segment(system.nq(), system.nv()) = problem.d_v;
  result.tail(system.integral_count()) = right.tail(system.integral_count());
  problem.newton.memory_change(problem.d_q, result.tail(system.memory_size()));
  return 0;
}

enum class Solver { bdf, ida, adams, erk };

/// Frees SUNDIALS' objects in the right order.
class Sundials : public Integrator {
 public:
  template <typename Method>
  Sundials(System& system, Solver solver, const Method& method)
      : system_(system), name_(Method::type), method_(solver), max_step_(method.max_step), problem_(system) {
    require(SUNContext_Create(nullptr, &context_) == 0, "SUNContext_Create");
    y_ = N_VNew_Serial(system.size(), context_);
    between_ = N_VNew_Serial(system.size(), context_);
    rate_ = N_VNew_Serial(system.size(), context_);
    require(y_ && between_ && rate_, "N_VNew_Serial");
  }
  ~Sundials() override {
    free_memory();
    if (matrix_) SUNMatFreeEmpty(matrix_);
    if (linear_) SUNLinSolFreeEmpty(linear_);
    if (nonlinear_) SUNNonlinSolFree(nonlinear_);
    if (rate_) N_VDestroy(rate_);
    if (between_) N_VDestroy(between_);
    if (y_) N_VDestroy(y_);
    if (context_) SUNContext_Free(&context_);
  }
  Sundials(const Sundials&) = delete;
  Sundials& operator=(const Sundials&) = delete;

  const char* name() const override { return name_; }

  void start(const IntegratorState& state, double end) override {
    state_ = state;
    end_ = end;
    start_ = state.t;
    values(y_) = state.y;
    if (method_ == Solver::erk)
      start_arkode();
    else if (method_ == Solver::ida)
      start_ida();
    else
      start_cvode();
  }

  using Integrator::limit_steps;
  void limit_steps(double end, double longest, double stop) override {
    end_ = std::min(end, stop);
    // Multistep methods look at inputs once a step, at its end. On a stretch of a table that begins and ends at one value they would see no hump in
    // between; no cubic hides from three steps.
    constexpr double fewest_on_a_stretch = 3.0;
    const double seen = method_ == Solver::erk ? longest : longest / fewest_on_a_stretch;
    const double most = std::min(max_step_.value_or(seen), seen);
    const double limit = std::isfinite(most) ? most : 0.0;  // 0: none
    if (method_ == Solver::erk) {
      require(ERKStepSetStopTime(memory_, end_) == 0, "ERKStepSetStopTime");
      ERKStepSetMaxStep(memory_, limit);
    } else if (method_ == Solver::ida) {
      require(IDASetStopTime(memory_, end_) == 0, "IDASetStopTime");
      IDASetMaxStep(memory_, limit);
    } else {
      require(CVodeSetStopTime(memory_, end_) == 0, "CVodeSetStopTime");
      CVodeSetMaxStep(memory_, limit);
    }
  }

  // Values between the last steps are of the method's own order.
  bool cut(double t) override {
    interpolate(t, state_.y);
    state_.t = t;
    return true;
  }

  void step() override {
    double t = state_.t;
    const int flag = method_ == Solver::erk   ? ERKStepEvolve(memory_, end_, y_, &t, ARK_ONE_STEP)
                     : method_ == Solver::ida ? IDASolve(memory_, end_, &t, y_, rate_, IDA_ONE_STEP)
                                              : CVode(memory_, end_, y_, &t, CV_ONE_STEP);
    if (flag < 0) fail(flag);
    constexpr double rounding = 1e-14;
    state_.t = end_ - t <= rounding * std::abs(end_) ? end_ : t;
    state_.y = values(y_);
    put_in_order(state_.t, state_.y);
    count();
  }

  const IntegratorState& state() const override { return state_; }

  void interpolate(double t, VectorXd& y) override {
    const int flag = method_ == Solver::erk   ? ERKStepGetDky(memory_, t, 0, between_)
                     : method_ == Solver::ida ? IDAGetDky(memory_, t, 0, between_)
                                              : CVodeGetDky(memory_, t, 0, between_);
    if (flag < 0) {  // rounding put t just outside
      y = state_.y;
      return;
    }
    y = values(between_);
    put_in_order(t, y);
  }

  IntegratorStatistics statistics() const override { return statistics_; }

 private:
  // Unit quaternions; prescribed joints where they belong.
  void put_in_order(double t, VectorXd& y) {
    problem_.q = y.head(system_.nq());
    problem_.v = y.segment(system_.nq(), system_.nv());
    normalize_quaternions(system_.model(), problem_.q);
    system_.apply_prescribed(t, problem_.q, problem_.v);
    y.head(system_.nq()) = problem_.q;
    y.segment(system_.nq(), system_.nv()) = problem_.v;
  }

  void start_cvode() {
    const bool is_stiff = method_ == Solver::bdf;
    if (memory_) {
      require(CVodeReInit(memory_, start_, y_) == 0, "CVodeReInit");
      counted_ = {};
    } else {
      memory_ = CVodeCreate(is_stiff ? CV_BDF : CV_ADAMS, context_);
      require(memory_ != nullptr, "CVodeCreate");
      CVodeSetErrHandlerFn(memory_, keep_message, &problem_);
      require(CVodeInit(memory_, right_hand_side, start_, y_) == 0, "CVodeInit");
      CVodeSetUserData(memory_, &problem_);
      CVodeWFtolerances(memory_, weights);
      if (is_stiff)
        attach_newton();
      else {
        nonlinear_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
        require(nonlinear_ && CVodeSetNonlinearSolver(memory_, nonlinear_) == 0, "CVodeSetNonlinearSolver");
      }
    }
    limit_steps(end_, std::numeric_limits<double>::infinity());
  }

  // y' at the start is f(t, y): both together solve F.
  void start_ida() {
    system_.derivative(start_, values(y_), values(rate_));
    if (memory_) {
      require(IDAReInit(memory_, start_, y_, rate_) == 0, "IDAReInit");
      counted_ = {};
    } else {
      memory_ = IDACreate(context_);
      require(memory_ != nullptr, "IDACreate");
      IDASetErrHandlerFn(memory_, keep_message, &problem_);
      require(IDAInit(memory_, implicit_residual, start_, y_, rate_) == 0, "IDAInit");
      IDASetUserData(memory_, &problem_);
      IDAWFtolerances(memory_, weights);
      make_newton(solve_implicit_system);
      require(IDASetLinearSolver(memory_, linear_, matrix_) == 0, "IDASetLinearSolver");
      require(IDASetJacFn(memory_, form_implicit_matrix) == 0, "IDASetJacFn");
    }
    limit_steps(end_, std::numeric_limits<double>::infinity());
  }

  void make_newton(int (*solve)(SUNLinearSolver, SUNMatrix, N_Vector, N_Vector, double)) {
    matrix_ = SUNMatNewEmpty(context_);
    linear_ = SUNLinSolNewEmpty(context_);
    require(matrix_ && linear_, "SUNMatNewEmpty");
    matrix_->content = &problem_;
    matrix_->ops->getid = matrix_id;
    matrix_->ops->zero = clear_matrix;
    linear_->content = &problem_;
    linear_->ops->gettype = solver_type;
    linear_->ops->setup = set_up_solver;
    linear_->ops->solve = solve;
  }

  void attach_newton() {
    make_newton(solve_system);
    require(CVodeSetLinearSolver(memory_, linear_, matrix_) == 0, "CVodeSetLinearSolver");
    require(CVodeSetLinSysFn(memory_, form_matrix) == 0, "CVodeSetLinSysFn");
  }

  void start_arkode() {
    if (memory_) {
      require(ERKStepReInit(memory_, right_hand_side, start_, y_) == 0, "ERKStepReInit");
      counted_ = {};
    } else {
      memory_ = ERKStepCreate(right_hand_side, start_, y_, context_);
      require(memory_ != nullptr, "ERKStepCreate");
      ERKStepSetErrHandlerFn(memory_, keep_message, &problem_);
      ERKStepSetUserData(memory_, &problem_);
      ERKStepWFtolerances(memory_, weights);
      ERKStepSetOrder(memory_, 5);
      ERKStepSetInterpolantDegree(memory_, 5);
    }
    limit_steps(end_, std::numeric_limits<double>::infinity());
  }

  // SUNDIALS counts from its last start.
  void count() {
    ++statistics_.steps;
    long errors = 0, iterations = 0, unconverged = 0;
    if (method_ == Solver::erk) {
      ERKStepGetNumErrTestFails(memory_, &errors);
    } else if (method_ == Solver::ida) {
      IDAGetNumErrTestFails(memory_, &errors);
      IDAGetNumNonlinSolvIters(memory_, &iterations);
      IDAGetNumNonlinSolvConvFails(memory_, &unconverged);
    } else {
      CVodeGetNumErrTestFails(memory_, &errors);
      CVodeGetNumNonlinSolvIters(memory_, &iterations);
      CVodeGetNumNonlinSolvConvFails(memory_, &unconverged);
    }
    statistics_.rejected += errors + unconverged - counted_.rejected;
    statistics_.newton_iterations += iterations - counted_.newton_iterations;
    counted_.rejected = errors + unconverged;
    counted_.newton_iterations = iterations;
  }

  [[noreturn]] void fail(int flag) {
    if (problem_.thrown) std::rethrow_exception(std::exchange(problem_.thrown, nullptr));
    const char* why = "it could not go on";
    const char* advice = "try method radau, or a larger rtol";
    switch (flag) {
      case CV_ERR_FAILURE:  // the same number in ARKODE
        why = "the error test failed again and again, or the step became too short";
        advice =
            "the motion is not smooth there, or diverges: try method radau, a larger rtol, or kinematics: "
            "second";
        break;
      case CV_CONV_FAILURE:
        why = "the equations of a step could not be solved, however short the step";
        advice = "the motion diverges, or a controller jumps with the state: try method radau";
        break;
      case CV_TOO_MUCH_ACC:
        why = "it was asked for more accuracy than numbers have";
        advice = "take a larger rtol or atol";
        break;
      default:
        break;
    }
    throw ComputationError(
        fmt::format("{} failed: {}; {}{}", name(), why, advice,
                    problem_.message.empty() ? "" : fmt::format(" (SUNDIALS: {})", problem_.message)));
  }

  void free_memory() {
    if (!memory_) return;
    if (method_ == Solver::erk)
      ERKStepFree(&memory_);
    else if (method_ == Solver::ida)
      IDAFree(&memory_);
    else
      CVodeFree(&memory_);
  }

  System& system_;
  const char* name_;
  Solver method_;
  std::optional<double> max_step_;
  OdeProblem problem_;
  IntegratorState state_;
  IntegratorStatistics statistics_, counted_;
  double start_ = 0.0, end_ = 0.0;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, between_ = nullptr, rate_ = nullptr;
  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
};

}  // namespace

std::unique_ptr<Integrator> integrators::Bdf::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<Sundials>(system, Solver::bdf, *this);
}
std::unique_ptr<Integrator> integrators::Ida::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<Sundials>(system, Solver::ida, *this);
}
std::unique_ptr<Integrator> integrators::Adams::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<Sundials>(system, Solver::adams, *this);
}
std::unique_ptr<Integrator> integrators::Erk::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<Sundials>(system, Solver::erk, *this);
}

}  // namespace limber
