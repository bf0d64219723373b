// Answers for a whole network: mean, interval, parts, and what could not be covered.
#pragma once

#include <array>
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

// How the time of an operation became known.
enum class TimeSource {
  none,    // it gives the device nothing to do
  timed,   // for this estimate
  known,   // when the device was profiled
  mapped,  // by the model of its part
  foreign  // the same, but no operation of its name was timed: the interval is wide
};
inline constexpr std::size_t kTimeSources = 5;
const char* to_string(TimeSource source);

// What a group of operations or a module takes of one iteration.
struct ProgramShare {
  std::string name;  // of a group or a module; the module "" is the whole network's own
  std::int64_t calls = 0;
  double device_s = 0, energy_j = 0;  // the energy includes its share of the device's ready power
};

struct UncoveredName {
  std::string name;
  double share = 0;  // of the device's time
};

// How one iteration is spent, from a method that knows its operations.
struct IterationDetails {
  Interval device_s;
  double host_s = 0;
  bool host_bound = false;            // the host takes longer than the device
  bool power_limited = false;         // the time follows from the device's power limit
  std::vector<ProgramShare> groups;   // those that occur, in the order of OperationGroup
  std::vector<ProgramShare> modules;  // those that have steps, in the order of Program::modules
  // Names of which no operation was timed: they were counted by their bytes, or as others of their
  // part, with a wide deviation. The largest first.
  std::vector<UncoveredName> uncovered;
  std::array<double, kTimeSources> share_of_source{};  // of the device's time, by TimeSource
  std::optional<std::int64_t> peak_bytes;              // absent where allocations are not known
  std::string profiled_at;                             // when the device was measured last, UTC
};

struct RelativeErrors {  // standard deviations, as fractions of the mean
  double energy = 0, time = 0;
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
  // How far two runs of the same network are apart by chance; absent where that is not known.
  std::optional<RelativeErrors> between_runs;
  int earlier_runs = 0;  // of this very network, which the estimate leans on
  std::optional<IterationDetails> iteration;  // absent where the method knows no operations
};

// What one network costs more than another, per iteration, with standard deviations of the
// difference: errors that both share have cancelled.
struct CostDifference {
  Quantity energy_j, time_s;
};

enum class PartChange { same, changed, added, removed };
const char* to_string(PartChange change);

// A part of two networks that are compared: a block, a module or an operation.
struct PartDifference {
  std::string name;  // its layers, its module, or the operation
  PartChange change = PartChange::same;
  std::string before, after;  // what it is: kind and widths, or shapes; empty where it is absent
  std::int64_t calls_before = 0, calls_after = 0;  // per iteration; of a block 1
  // Per iteration, of all calls together; 0 where the part is absent. Times are shares of the
  // iteration of a block, and those of the device alone of a module or an operation.
  double energy_before_j = 0, energy_after_j = 0;
  double time_before_s = 0, time_after_s = 0;
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

  // What `after` costs more than `before`. Nothing where one of them is not covered. A method that
  // does not say which of its errors both networks share takes them as independent.
  virtual std::optional<CostDifference> difference(const Model& before, const Model& after) const;

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
