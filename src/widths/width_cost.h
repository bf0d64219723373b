// The cost of a network as a function of its widths, for searches that need many values at once, or
// gradients.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ampere/model.h"
#include "ampere/widths.h"

namespace ampere {

// At whole widths the values are those of the judge. Between them the cost is interpolated linearly
// over the simplex of the nearest whole widths, so that it is continuous. The gradient is that of
// the interpolation; at a whole width it is the mean of both sides.
class WidthCost {
 public:
  // One judge per thread, all for this network. At least one.
  WidthCost(const Model& model, std::vector<std::unique_ptr<WidthJudge>> judges);

  const std::vector<ChannelGroup>& widths() const { return widths_; }

  // Per iteration, one number per point; what the judge does not know is not a number.
  struct Values {
    std::vector<double> energy_j, energy_sd, time_s;
    std::vector<double> gradient;  // joules per channel, point by point; empty when not asked for
    std::vector<double> energy_low_j, energy_high_j;  // empty without a confidence
    bool normal_intervals = true;                     // they follow from energy_sd
  };
  // What to tell beside the costs.
  struct Wish {
    bool gradients = false;
    std::optional<double> confidence = {};  // of intervals
  };
  // `points` are one after the other, as many numbers as there are widths each. Throws Error(usage)
  // naming the width for one that is not finite, below its smallest value or absurdly large, and
  // for a confidence that is not between 0 and 1.
  Values at(std::span<const double> points, const Wish& wish);

 private:
  void check(std::span<const double> points) const;

  std::vector<ChannelGroup> widths_;
  std::vector<std::unique_ptr<WidthJudge>> judges_;
};

}  // namespace ampere
