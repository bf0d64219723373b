// Answers for a whole network: mean, interval, parts, and what could not be covered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/meter.h"
#include "ampere/model.h"

namespace ampere {

struct Workload {
  std::int64_t iterations = 1;
  double confidence = 0.9;
};

struct Interval {
  double mean = 0;
  double low = 0, high = 0;
  double confidence = 0.9;  // 0 for a point: low and high are the mean
};
Interval point(double mean);

struct Part {
  std::string kind;  // key
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> feature_names;
  std::vector<std::int64_t> features;
  int count = 1;  // equal blocks of the network
  // Per iteration, all `count` of them together. Absent where the method cannot say: it was not
  // measured, or the part has no cost of its own as long as the network is not covered.
  std::optional<Quantity> energy_j, time_s;
  bool extrapolated = false;  // outside what was measured
};

struct Uncovered {
  std::string layer;
  std::string reason;
};

struct Estimate {
  // Absent when a part of the network is not covered: it is never counted as 0.
  std::optional<Quantity> energy_j_per_iteration, time_s_per_iteration;
  std::optional<Interval> energy_j, time_s;  // of the whole workload
  std::vector<Part> parts;  // in the order of the network; means add up to the whole, if covered
  std::vector<Uncovered> uncovered;
  std::vector<std::string> warnings;
  std::vector<std::string> advice;   // what would make it cheaper, where the method is certain
  Source source = Source::measured;  // the weakest of the parts'
  // The interval of the energy or of the time begins at 0: what was measured scatters too much, as
  // on a machine that others use. A warning says so.
  bool unsteady = false;
};

class WidthJudge;

class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual Estimate estimate(const Model& model, const Workload& workload) const = 0;

  // What the original costs at any widths, quickly enough to search with: the same means and
  // standard deviations as estimate() gives. Throws Error(unknown) naming the blocks that are not
  // known, and Error(usage) where the method cannot guide a search.
  virtual std::unique_ptr<WidthJudge> judge(const Model& original) const;

  // All that a page needs to say by itself what the original costs at other widths, as JSON. Throws
  // as judge() does.
  virtual std::string what_if(const Model& original) const;

  // The same for a host that takes `slowdown` times as long as while it was profiled. Null where
  // no host hands work to the device.
  virtual std::unique_ptr<Estimator> on_host(double slowdown) const;
};

struct Accuracy {  // ratios as fractions
  double mape = 0, bias = 0, rmspe = 0;
  double within_5 = 0, within_10 = 0, within_15 = 0;
  std::optional<double> coverage;  // share inside the interval; absent when all are points
};

// Throws Error(failed) when there is nothing to compare.
Accuracy accuracy(std::span<const Interval> predicted, std::span<const double> measured);

}  // namespace ampere
