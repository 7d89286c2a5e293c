// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What one core of this processor can do, measured by loops in registers.

#include <string>
#include <vector>

namespace limber::benchmarks {

/// Operations that do not wait for each other: a fused multiplication and addition counts as two.
struct PeakRate {
  std::string name;   ///< how many numbers an instruction takes
  int lanes;          ///< the same as a number
  double per_second;  ///< operations
};

/// Operations of which each waits for the one before [s].
struct Latencies {
  double addition, multiplication, fused, division, root;
};

/// Takes the fastest of all calls of measure(): what else the machine does is not the processor's.
class ProcessorPeak {
 public:
  /// A millisecond or two.
  void measure();
  /// For every width of registers that this processor multiplies and adds in one instruction; none on processors that these loops are not written for.
  const std::vector<PeakRate>& rates() const { return rates_; }
  const Latencies& latencies() const { return latencies_; }

 private:
  std::vector<PeakRate> rates_;
  Latencies latencies_{1.0, 1.0, 1.0, 1.0, 1.0};
};

}  // namespace limber::benchmarks
