#include "method/kernels/survey/host_reference.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "method/host_speed.h"
#include "method/reference_times.h"

namespace ampere {
namespace {

// Of the reference beside all that was measured for these purposes, in the order of time.
std::vector<double> reference_times(const Store& store, std::int64_t profile,
                                    const std::vector<Purpose>& purposes) {
  std::vector<Observation> paced;
  for (const Purpose purpose : purposes)
    std::ranges::copy_if(store.find({.profile = profile, .purpose = purpose, .with_models = false}),
                         std::back_inserter(paced),
                         [](const Observation& each) { return each.pace.has_value(); });
  std::ranges::stable_sort(paced, {}, &Observation::taken_at);
  ReferenceTimes times;
  for (const Observation& each : paced) times.add(each.pace);
  return times.of(model_hash(host_reference()));
}

}  // namespace

// Dozens of kernels as convolutional networks have them, each far too small to keep a device busy
// while its host hands over the next.
Model host_reference() {
  constexpr int kStages = 16;
  constexpr std::int64_t kChannels = 8, kExtent = 16, kClasses = 10;
  ModelBuilder net("host reference");
  net.add(Input{image(kChannels, kExtent, kExtent)}, std::initializer_list<int>{});
  for (int stage = 0; stage < kStages; ++stage) {
    net.add(Conv{kChannels, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
    net.add(BatchNorm{});
    net.add(Activation{Function::relu});
  }
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{kClasses});
  return std::move(net).build();
}

// Estimates add up kernels, so the host is usual as it was beside these. It was seen last beside
// whatever came last.
std::optional<UsualHost> host_of_survey(const Store& store, std::int64_t profile) {
  return usual_host_of(store, profile, host_reference(),
                       reference_times(store, profile, {Purpose::kernel}),
                       reference_times(store, profile, {Purpose::network, Purpose::kernel}));
}

std::optional<double> slowdown_since_survey(Rig& rig, const Store& store, std::int64_t profile,
                                            const Setup& setup, StopToken stop) {
  const auto usual = host_of_survey(store, profile);
  if (!usual) return std::nullopt;
  return look_at_host(rig, usual->reference, usual->reference_s, setup, stop);
}

}  // namespace ampere
