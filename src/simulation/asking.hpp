// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Methods that ask: a step is a sequence of states at which the acceleration is wanted, each known when the one before has been answered. A single arm answers by itself,
// System::accelerate; who takes several arms along answers the questions of all of them together (lockstep.hpp). Both take the same steps.

#include "one_step.hpp"

namespace limber {

class AskingIntegrator : public OneStepIntegrator {
 public:
  using OneStepIntegrator::OneStepIntegrator;

  /// Where System::accelerate is wanted.
  struct Question {
    double t = 0.0;
    Eigen::VectorXd *q = nullptr, *v = nullptr;
    const Eigen::VectorXd* integrals = nullptr;
    Eigen::VectorXd *a = nullptr, *rates = nullptr;  ///< the answer
  };
  /// Null: what was begun has come to its end.
  const Question* question() const { return asks_ ? &question_ : nullptr; }
  /// The answer is there.
  void answered() {
    asks_ = false;
    if (is_starting_)
      enter_there();
    else
      go_on();
  }

  /// start() and step(), up to their first question.
  void begin_start(const IntegratorState& state, double end) {
    go_to(state, end);
    is_starting_ = true;
    ask_there();
  }
  void begin_step_asking() {
    asks_ = is_starting_ = false;
    begin_step();
  }

  void start(const IntegratorState& state, double end) final {
    begin_start(state, end);
    answer_all();
  }
  void step() final {
    begin_step_asking();
    answer_all();
  }

 protected:
  /// Up to the step's first question, which there always is.
  virtual void begin_step() = 0;
  /// Up to the next one, or to the end.
  virtual void go_on() = 0;

  void ask(double t, Eigen::VectorXd& q, Eigen::VectorXd& v, const Eigen::VectorXd& integrals,
           Eigen::VectorXd& a, Eigen::VectorXd& rates) {
    question_ = {t, &q, &v, &integrals, &a, &rates};
    asks_ = true;
  }
  /// Of the end of the step (OneStepIntegrator::end_at).
  void ask_there() { ask(to_.t, to_.q, to_.v, to_.integrals, to_.a, to_.rates); }

 private:
  void answer_all() {
    while (asks_) {
      const Question& at = question_;
      system_.accelerate(at.t, *at.q, *at.v, *at.integrals, *at.a, *at.rates);
      answered();
    }
  }

  Question question_;
  bool asks_ = false, is_starting_ = false;
};

}  // namespace limber
