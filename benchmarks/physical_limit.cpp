// SPDX-License-Identifier: BSD-3-Clause
// How far forward dynamics is from what this processor could do: one JSON document on standard output.
//   limber_physical_limit [ROUNDS]
//
// Two bounds from below, of which neither can be passed by any order of the same operations:
//
//   work   operations counted by the scalar Counting, over operations per second of a loop in registers in which nothing waits   (1)
//   path   the longest way of operations that wait for each other, by the scalar Clocked with measured latencies                  (2)
//
// and what is measured: one arm, many arms at a time (each lane an arm: nothing waits for another arm), and two to four chains of one arm whose links stand
// one chain after another or in turns. In turns the operations are the same, but a processor finds two that do not wait for each other side by side. (3)
//
// Peak, latencies and times are measured in turns, each the fastest of all rounds.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "arms.hpp"
#include "clocked.hpp"
#include "limber/algorithms/batch.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/processor_level.hpp"
#include "limber/math/counting.hpp"
#include "processor_peak.hpp"

namespace {

using namespace limber;
using benchmarks::Bench;
using benchmarks::Clocked;
using benchmarks::Latencies;
using benchmarks::ProcessorPeak;

constexpr int arms_at_a_time = 64;

template <typename Scalar>
VectorX<Scalar> accelerations(const Bench& arm) {
  Workspace<Scalar> work(arm.model);
  const VectorX<Scalar> q = arm.q.cast<Scalar>(), v = arm.v.cast<Scalar>(), tau = arm.tau.cast<Scalar>();
  VectorX<Scalar> qdd(arm.model.nv());
  forward_dynamics(arm.model, work, q, v, tau, qdd);
  return qdd;
}

/// That another scalar went the way of double: same numbers, to rounding.
template <typename Scalar>
void require_same(const Bench& arm, const VectorX<Scalar>& found) {
  const Eigen::VectorXd expected = accelerations<double>(arm);
  constexpr double rounding = 1e-9;
  for (Eigen::Index i = 0; i < expected.size(); ++i)
    if (!(std::abs(found[i].value() - expected[i]) <= rounding * expected.norm()))
      throw std::logic_error("physical_limit: what is counted is not what is timed: acceleration " +
                             std::to_string(i) + " is " + std::to_string(found[i].value()) + " in place of " +
                             std::to_string(expected[i]));
}

// (1)
Operations count_operations(const Bench& arm) {
  Counting::reset();
  const VectorX<Counting> found = accelerations<Counting>(arm);
  const Operations counted = Counting::operations();
  require_same(arm, found);
  return counted;
}

// (2) [s]
double longest_path(const Bench& arm, const Latencies& latencies) {
  Clocked::latencies() = latencies;
  const VectorX<Clocked> found = accelerations<Clocked>(arm);
  require_same(arm, found);
  double latest = 0.0;
  for (const Clocked& number : found) latest = std::max(latest, number.time());
  return latest;
}

/// Something to be timed, so often in a go that the clock does not matter.
class Timed {
 public:
  explicit Timed(std::function<void()> work, double units_of_one_call = 1.0)
      : work_(std::move(work)), units_(units_of_one_call) {
    constexpr double least = 100e-6;
    while (go() < least) calls_ *= 2;
  }
  void measure() { fastest_ = std::min(fastest_, go() / (calls_ * units_)); }
  /// [s], of one unit
  double fastest() const { return fastest_; }

 private:
  double go() const {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls_; ++i) work_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  std::function<void()> work_;
  double units_;
  int calls_ = 1;
  double fastest_ = std::numeric_limits<double>::infinity();
};

/// Many states of one arm.
struct BatchBench {
  explicit BatchBench(const Bench& arm)
      : work(arm.model),
        q(arm.q.replicate(1, arms_at_a_time)),
        v(arm.v.replicate(1, arms_at_a_time)),
        tau(arm.tau.replicate(1, arms_at_a_time)),
        qdd(tau) {}
  BatchWorkspace work;
  Eigen::MatrixXd q, v, tau, qdd;
};

/// An arm at one level of processors.
struct AtLevel {
  AtLevel(const Model& model, ProcessorLevel which) : level(which) {
    use_processor_level(level);
    arm.emplace(model);
    batch.emplace(*arm);
    one.emplace([this] { forward_dynamics(arm->model, arm->work, arm->q, arm->v, arm->tau, arm->result); });
    many.emplace([this] { forward_dynamics(batch->work, batch->q, batch->v, batch->tau, batch->qdd); },
                 arms_at_a_time);
  }
  ProcessorLevel level;
  std::optional<Bench> arm;
  std::optional<BatchBench> batch;
  std::optional<Timed> one, many;
};

struct Subject {
  Subject(std::string what, const Model& arm) : name(std::move(what)), model(arm) {
    for (const ProcessorLevel level : available_processor_levels())
      levels.push_back(std::make_unique<AtLevel>(model, level));
  }
  std::string name;
  Model model;
  std::vector<std::unique_ptr<AtLevel>> levels;
};

// (3): chains of links on one base, each as make_rigid_chain or the Canadarm has them.
enum class Order { one_after_another, in_turns };

Model chains(const Model& like, int count, Order order) {
  ModelDescription description = like.description();
  const std::vector<LinkDescription> links = std::exchange(description.links, {});
  const int length = static_cast<int>(links.size());
  const auto name = [](int chain, int link) {
    return "chain" + std::to_string(chain) + "_" + std::to_string(link);
  };
  for (int i = 0; i < length * count; ++i) {
    const bool by_chain = order == Order::one_after_another;
    const int chain = by_chain ? i / length : i % count, link = by_chain ? i % length : i / count;
    LinkDescription& made = description.links.emplace_back(links[static_cast<std::size_t>(link)]);
    made.name = name(chain, link);
    made.parent = link == 0 ? "base" : name(chain, link - 1);
    made.joint.name = made.name + "_joint";
  }
  return build_model(description);
}

struct Chains {
  Chains(std::string what, const Model& like, int how_many)
      : name(std::move(what)),
        count(how_many),
        after_another(chains(like, how_many, Order::one_after_another)),
        in_turns(chains(like, how_many, Order::in_turns)),
        time_after_another([this] { run(after_another); }),
        time_in_turns([this] { run(in_turns); }) {}
  static void run(Bench& b) { forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result); }
  std::string name;
  int count;
  Bench after_another, in_turns;
  Timed time_after_another, time_in_turns;
};

void print_peak(const ProcessorPeak& peak) {
  std::printf("{\"peak\": [");
  for (const auto& rate : peak.rates())
    std::printf("%s{\"name\": \"%s\", \"lanes\": %d, \"operations_per_s\": %.6g}",
                &rate == &peak.rates().front() ? "" : ", ", rate.name.c_str(), rate.lanes, rate.per_second);
  const Latencies& l = peak.latencies();
  std::printf(
      "],\n \"latencies_s\": {\"addition\": %.4g, \"multiplication\": %.4g, \"fused\": %.4g, \"division\": "
      "%.4g, \"root\": "
      "%.4g},\n",
      l.addition, l.multiplication, l.fused, l.division, l.root);
}

void print(const Subject& subject, const Latencies& latencies, bool is_last) {
  const Bench arm(subject.model);
  const Operations counted = count_operations(arm);
  std::printf(
      "  {\"name\": \"%s\", \"coordinates\": %d, \"multiplications\": %ld, \"additions\": %ld, "
      "\"functions\": %ld, \"path_s\": "
      "%.4g, \"levels\": [",
      subject.name.c_str(), subject.model.nv(), counted.multiplications, counted.additions, counted.functions,
      longest_path(arm, latencies));
  for (const auto& at : subject.levels)
    std::printf("%s{\"level\": \"%s\", \"one_s\": %.4g, \"batch_s\": %.4g}",
                at == subject.levels.front() ? "" : ", ", name_of(at->level), at->one->fastest(),
                at->many->fastest());
  std::printf("]}%s\n", is_last ? "" : ",");
}

void print(const Chains& chains, const Latencies& latencies, bool is_last) {
  const Operations counted = count_operations(chains.in_turns);
  std::printf(
      "  {\"name\": \"%s\", \"chains\": %d, \"operations\": %ld, \"path_s\": %.4g, \"after_another_s\": "
      "%.4g, \"in_turns_s\": "
      "%.4g}%s\n",
      chains.name.c_str(), chains.count, counted.multiplications + counted.additions,
      longest_path(chains.in_turns, latencies), chains.time_after_another.fastest(),
      chains.time_in_turns.fastest(), is_last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  const ProcessorLevel highest = processor_level();
  const Model seven = benchmarks::rigid_chain(7), canadarm = benchmarks::canadarm("_spatial"),
              craig_bampton = benchmarks::canadarm("_craig_bampton");
  std::vector<Subject> subjects;
  subjects.emplace_back("rigid, 7 joints", seven);
  subjects.emplace_back("Canadarm", canadarm);
  subjects.emplace_back("Canadarm, Craig-Bampton", craig_bampton);
  use_processor_level(highest);
  std::vector<std::unique_ptr<Chains>> together;
  for (const int count : {1, 2, 4}) {
    together.push_back(std::make_unique<Chains>("rigid, 7 joints", seven, count));
    together.push_back(std::make_unique<Chains>("Canadarm", canadarm, count));
  }
  ProcessorPeak peak;
  for (int round = 0; round < rounds; ++round) {
    peak.measure();
    for (const Subject& subject : subjects)
      for (const auto& at : subject.levels) at->one->measure(), at->many->measure();
    for (const auto& chain : together) chain->time_after_another.measure(), chain->time_in_turns.measure();
  }
  print_peak(peak);
  std::printf(" \"arms\": [\n");
  for (const Subject& subject : subjects) print(subject, peak.latencies(), &subject == &subjects.back());
  std::printf(" ],\n \"chains\": [\n");
  for (const auto& chain : together) print(*chain, peak.latencies(), chain == together.back());
  std::printf("]}\n");
}
