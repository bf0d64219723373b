// What a network costs, from what its blocks cost. A method implements this once: its estimator,
// the search over widths and the page of a report all ask the same object.
#pragma once

#include <optional>
#include <span>

#include "block/terms.h"

namespace ampere {

struct NetworkCost {  // of one iteration
  double energy_j = 0, energy_sd = 0;
  double time_s = 0;
  bool extrapolated = false;  // a block lies outside what was profiled
};
// Sums of fits may be 0 or less far outside what was profiled. Nothing costs that.
inline bool is_possible(const NetworkCost& cost) { return cost.energy_j > 0 && cost.time_s > 0; }
inline constexpr const char* kImpossible =
    "no energy above 0 comes out: the widths are too far outside what was profiled";

// Of a network's energy; absent where the method does not tell them apart.
struct EnergyShares {
  std::optional<double> waiting;  // spent while the device waits for the host
  std::optional<double> ready;    // power of a device that does nothing · time, waiting included
};

// Keeps what it found out about a block, and memory from one network to the next: one object serves
// one thread.
class Composer {
 public:
  virtual ~Composer() = default;

  // Blocks are numbered from 0 in the order in which they are added. The caller adds blocks of
  // equal kind and features only once, because equal blocks err alike.
  virtual void add(const BlockTerms& block) = 0;
  virtual int size() const = 0;  // blocks added
  virtual void clear() = 0;      // forgets them
  virtual void tabulate() {}     // as WidthJudge does

  // The network made of these blocks, by number. Absent when the method does not know a block's
  // kind.
  virtual std::optional<NetworkCost> compose(std::span<const int> blocks) = 0;

  // Of the network last composed. The standard deviation of its time has a function of its own
  // because it may take as long as all the rest, and a search does not need it.
  virtual double time_sd() = 0;
  virtual EnergyShares shares() const { return {}; }
};

}  // namespace ampere
