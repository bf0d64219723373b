#include "method/dual/time_law.h"

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "record/host_bound.h"

namespace ampere {
namespace {

double phi(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }
double Phi(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }

double value_of(const std::map<std::string, double>& values, const std::string& kind) {
  const auto found = values.find(kind);
  return found == values.end() ? 0 : found->second;
}

}  // namespace

double composed_time(double host_s, double device_s, double overlap) {
  return std::max(host_s, device_s) + (1 - overlap) * std::min(host_s, device_s);
}

MappedNetwork map_network(NetworkTerms blocks, const TimeMaps& maps) {
  return map_network(std::move(blocks), [&](const BlockTerms& block) {
    const auto map = maps.find(block.kind);
    if (map == maps.end())
      throw Error(ErrorCode::unknown, "no block of the kind '" + block.kind + "' was timed");
    return map->second(block.features);
  });
}

MappedNetwork map_network(NetworkTerms blocks,
                          const std::function<BlockTime(const BlockTerms&)>& time_of) {
  MappedNetwork network;
  const std::vector<int> numbers = number_blocks(blocks);
  std::vector<BlockTime> times;  // by number
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string& kind = blocks[i].kind;
    if (numbers[i] == static_cast<int>(times.size())) times.push_back(time_of(blocks[i]));
    const BlockTime& time = times[static_cast<std::size_t>(numbers[i])];
    network.device_s += time.device_s;
    network.host_s += time.host_s;
    ++network.kinds[kind];
    network.device_s_of_kind[kind] += time.device_s;
    network.times.push_back(time);
  }
  network.device_error = error_of_sum(numbers, [&](int number) -> const BlockTime& {
    return times[static_cast<std::size_t>(number)];
  });
  network.blocks = std::move(blocks);
  return network;
}

double MappedNetwork::flops() const {
  double sum = 0;
  for (const BlockTerms& block : blocks) sum += block.flops;
  return sum;
}

double MappedNetwork::bytes() const {
  double sum = 0;
  for (const BlockTerms& block : blocks) sum += block.bytes;
  return sum;
}

double MeasuredNetwork::known_device_s(bool synchronous) const {
  return synchronous ? time_s : device_s.value_or(network.device_s);
}

TimeLaw::OfKind TimeLaw::of_kind(const std::string& kind) const {
  return {device_scale + value_of(device_scale_of_kind, kind), value_of(host_per_kind, kind)};
}

double TimeLaw::device_share(const OfKind& kind, double device_s, double bytes) const {
  return kind.device_scale * device_s + device_per_block + device_per_byte * bytes;
}

double TimeLaw::host_share(const OfKind& kind, double host_s) const {
  return host_scale * host_s + kind.host_s;
}

void TimeLaw::slow_host(double factor) {
  host_constant *= factor;
  host_scale *= factor;
  for (auto& [kind, own_s] : host_per_kind) own_s *= factor;
  host_error = std::hypot(host_error, kUnevenChange * (1 - 1 / factor));
}

// Clark's moments of the larger of two normal quantities: Φ(α) is the share in which the device is.
NetworkTime TimeLaw::compose(double device_s, double host_s, double maps_error) const {
  NetworkTime time;
  time.device_s = device_s;
  time.device_sd = time.device_s * std::hypot(device_error, maps_error);
  if (synchronous) {
    time.time_s = time.device_s, time.time_sd = time.device_sd;
    time.by_device = 1;
    return time;
  }
  time.host_s = host_s;
  time.host_sd = time.host_s * host_error;
  time.time_s = composed_time(time.host_s, time.device_s, overlap);
  const double both = std::max(std::hypot(time.device_sd, time.host_sd), 1e-12);
  const double device_longer = Phi((time.device_s - time.host_s) / both);
  time.by_device = device_longer + (1 - overlap) * (1 - device_longer);
  time.by_host = (1 - device_longer) + (1 - overlap) * device_longer;
  const double tie = both * phi((time.device_s - time.host_s) / both);
  time.time_sd = std::sqrt(std::pow(time.by_device * time.device_sd, 2) +
                           std::pow(time.by_host * time.host_sd, 2) + tie * tie);
  return time;
}

}  // namespace ampere
