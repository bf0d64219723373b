// What measured training runs of other networks do to the dual model, from a recording of an
// evaluation:
//   dual_extra_runs RECORDING FAMILY BATCH NETWORKS
// In each of several splits half of the test networks are what is estimated; of the others, k are
// training runs that somebody measured, once each, after the profile. Prints the mean over the
// splits.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "replay.h"

namespace ampere {
namespace {

constexpr int kSplits = 10;

NetworkRecord as_run(const EvaluatedNetwork& network, const ampere::Setup& setup) {
  const Measurement& measured = network.measurements.front();
  return {terms_of(network.model, setup), measured.energy_j.mean, measured.time_s.mean,
          network.device_s, network.paces.empty() ? std::nullopt : network.paces.front()};
}

// The order of the networks in a split: the first half is what may be run.
std::vector<std::size_t> order_of(std::size_t networks, unsigned split) {
  std::vector<std::size_t> order(networks);
  std::ranges::generate(order, [next = std::size_t{0}]() mutable { return next++; });
  std::mt19937 random(split);
  std::ranges::shuffle(order, random);
  return order;
}

MethodScore after(int runs, const Replayed& replayed, unsigned split) {
  const std::vector<EvaluatedNetwork>& all = replayed.evaluation.networks;
  const std::vector<std::size_t> order = order_of(all.size(), split);
  DualData data = replayed.data;
  Evaluation rest = replayed.evaluation;
  rest.networks.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const EvaluatedNetwork& network = all[order[i]];
    if (i >= order.size() / 2)
      rest.networks.push_back(network);
    else if (i < static_cast<std::size_t>(runs) && !network.measurements.empty())
      data.networks.push_back(as_run(network, rest.setup));
  }
  return score_of(fit_dual(data), std::move(rest));
}

void run(const Replayed& replayed) {
  fmt::print("{:<12}{:>8}{:>13}\n", "extra runs", "MAPE", "steady host");
  for (const int runs : {0, 1, 2, 5, 10}) {
    MethodScore mean{Accuracy{}, {}, 0, Accuracy{}};
    for (unsigned split = 0; split < kSplits; ++split) {
      const MethodScore of = after(runs, replayed, split);
      mean.energy->mape += of.energy->mape / kSplits;
      if (of.steady && mean.steady)
        mean.steady->mape += of.steady->mape / kSplits;
      else
        mean.steady.reset();
    }
    fmt::print("{:<12}{}\n", runs, errors_text(mean));
  }
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) { return ampere::run_on_recording(argc, argv, ampere::run); }
