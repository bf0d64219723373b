// From the times of the blocks to the time of an iteration of the whole network.
//
//   d = w0 + w1 Σ d_block + w2 · blocks + w3 Σ bytes + Σ_kind v_kind Σ d_block of the kind
//                                                    the device, never waiting; a block alone finds
//                                                    in the cache what it moves inside a network
//   h = a Σ h_block + b + Σ_kind k_kind · count      the host, handing the work over
//   T = max(h, d) + (1 − overlap) min(h, d)
//
// On a synchronous device there is no h, and T = d.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "block/terms.h"
#include "method/dual/time_map.h"

namespace ampere {

// A network with the times of its blocks as the maps give them.
struct MappedNetwork {
  NetworkTerms blocks;
  std::vector<BlockTime> times;      // one a block
  double device_s = 0, host_s = 0;   // sums
  double device_error = 0;           // relative, of the sum
  std::map<std::string, int> kinds;  // how many of each
  std::map<std::string, double> device_s_of_kind;

  double flops() const;  // of a step, in all blocks
  double bytes() const;
};

using TimeMaps = std::map<std::string, TimeMap>;

// The relative error of the sum of these blocks' device times. Blocks of one number are equal and
// err alike, others err on their own. `time_of` gives the BlockTime of a number.
template <class TimeOf>
double error_of_sum(std::span<const int> blocks, const TimeOf& time_of) {
  double sum = 0, variance = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockTime& time = time_of(blocks[i]);
    const double sd = time.device_s * time.device_error;
    sum += time.device_s;
    variance += sd * sd;
    for (std::size_t j = 0; j < i; ++j)
      if (blocks[j] == blocks[i]) variance += 2 * sd * sd;
  }
  return sum > 0 ? std::sqrt(variance) / sum : 0;
}

MappedNetwork map_network(NetworkTerms blocks,
                          const std::function<BlockTime(const BlockTerms&)>& time_of);
// Throws Error(unknown) naming the kind when one is missing.
MappedNetwork map_network(NetworkTerms blocks, const TimeMaps& maps);

// What was measured of a network; times and energies are per iteration.
struct MeasuredNetwork {
  MappedNetwork network;
  double energy_j = 0, time_s = 0;
  double steady_s = 0;             // time_s at the host's usual speed, where its pace is known
  double slowdown = 1;             // of the host, by the paces before it
  std::optional<double> device_s;  // with the device never waiting
  bool at_round_widths = false;    // as a NetworkRecord's

  // The best known device time: measured, or of a synchronous device the whole time.
  double known_device_s(bool synchronous) const;
};

struct NetworkTime {
  double device_s = 0, host_s = 0, time_s = 0;
  double device_sd = 0, host_sd = 0, time_sd = 0;
  double by_device = 0, by_host = 0;  // ∂T/∂d, ∂T/∂h
};

// T from h and d.
double composed_time(double host_s, double device_s, double overlap);

struct TimeLaw {
  bool synchronous = false;
  double device_constant = 0, device_scale = 1, device_per_block = 0, device_per_byte = 0;
  std::map<std::string, double> device_scale_of_kind;  // on top of device_scale
  double host_constant = 0, host_scale = 1;
  std::map<std::string, double> host_per_kind;
  double overlap = 1;
  double device_error = 0, host_error = 0;  // relative, beside what the maps do not know

  // What the law says of one kind.
  struct OfKind {
    double device_scale = 1, host_s = 0;
  };
  OfKind of_kind(const std::string& kind) const;
  // d and h are these summed over the blocks, and the constants.
  double device_share(const OfKind& kind, double device_s, double bytes) const;
  double host_share(const OfKind& kind, double host_s) const;
  // From here on h is so many times as long. The reference network showed that, and another network
  // changes only about as much: host_error grows with the change.
  void slow_host(double factor);
  // T from d, h and the relative error of what the maps say of the device.
  NetworkTime compose(double device_s, double host_s, double maps_error) const;
};

TimeLaw fit_time_law(const std::vector<const MeasuredNetwork*>& networks, bool synchronous);

}  // namespace ampere
