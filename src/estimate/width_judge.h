// What a network at given widths costs, by the estimators but quick enough to search with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

struct Judgement {  // of an iteration
  double energy_j = 0, energy_sd = 0;
  std::optional<double> time_s;  // absent where the judge does not know
  bool extrapolated = false;     // a block lies outside what was profiled
};
double upper_j(const Judgement& cost, double confidence);  // mean + z·sd

struct CostPart {
  std::string title;  // of the block
  int count = 1;      // equal ones
  double energy_j = 0;
};

// Where a network's energy goes.
struct CostCauses {
  std::optional<double> waiting_share;  // of the energy: the device waits for the host
  std::optional<double> ready_share;    // power of a device that does nothing · time: includes it
  std::vector<CostPart> parts;          // the largest first
};

// What the network at given widths costs: the same mean and standard deviation as the estimator of
// the method gives for with_widths(original, widths), at a small part of its time. What was found
// of a block is kept, so one judge is for one thread.
class WidthJudge {
 public:
  virtual ~WidthJudge() = default;
  // Nothing where the network has a block that the profile does not know. Throws Error(usage) for
  // widths that the network cannot have.
  virtual std::optional<Judgement> judge(std::span<const std::int64_t> widths) = 0;
  virtual CostCauses causes(std::span<const std::int64_t> widths) = 0;
};

}  // namespace ampere
