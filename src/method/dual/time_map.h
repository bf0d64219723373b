// How long a block of one kind keeps the device and the host busy, at any widths.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gp/gp_mean.h"
#include "tree/boosting.h"

namespace ampere {

struct TimedPoint {
  std::vector<std::int64_t> features;
  double device_s = 0;
  std::optional<double> host_s;
};

struct BlockTime {
  double device_s = 0;
  double device_error = 0;  // relative standard deviation
  double host_s = 0;
};

// Device time jumps between neighbouring widths as the library changes its kernels, host time moves
// little but is noisy. So log device time is a mixture, weighted by cross-validation, of a Gaussian
// process, which is right where time is smooth, and of boosted trees around a smooth trend, which
// find the jumps; widths that were timed are known. Log host time is a Gaussian process.
class TimeMap {
 public:
  static TimeMap fit(const std::vector<TimedPoint>& points, std::int64_t taps);

  // A map, and the device times that it would give the blocks it was fitted to if they had not been
  // timed. Blocks that no other can stand in for are absent.
  struct Validated;
  static Validated fit_validated(const std::vector<TimedPoint>& points, std::int64_t taps);

  // These and learn() throw Error(usage) for another number of features than were timed.
  BlockTime operator()(const std::vector<std::int64_t>& features) const;
  bool covers(const std::vector<std::int64_t>& features) const;  // within what was timed

  // The device time of this very block; null where it was not timed.
  const double* timed(const std::vector<std::int64_t>& features) const;

  // What it is made of, as it is stored.
  struct Parts {
    std::int64_t taps = 1;
    std::map<std::vector<std::int64_t>, double> timed;  // device_s by features
    std::vector<std::int64_t> low, high;
    Eigen::VectorXd trend;
    BoostedTrees steps;
    GpMean smooth, host;
    double trees_weight = 0;  // the rest is the process's
    double device_error = 0;  // relative, where nothing was timed
    double repeat_error = 0;  // relative, where something was
    bool has_host = false;
  };
  explicit TimeMap(Parts parts) : parts_(std::move(parts)) {}
  const Parts& parts() const { return parts_; }

  // Columns of the rows that `steps` are asked with, for so many features.
  static Eigen::Index tile_columns(std::size_t features);

  // A block that was timed later: known from now on.
  void learn(const TimedPoint& point);

 private:
  void check(const std::vector<std::int64_t>& features) const;

  Parts parts_;
};

struct TimeMap::Validated {
  TimeMap map;
  std::map<std::vector<std::int64_t>, double> untimed;  // device_s by features
};

}  // namespace ampere
