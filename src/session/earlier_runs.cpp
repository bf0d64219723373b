#include "session/earlier_runs.h"

#include <algorithm>

#include "estimate/lean.h"

namespace ampere {
namespace {

// What networks of other widths fail, so that it is seldom necessary to ask for their hash.
bool have_equal_shapes(const Model& one, const Model& other) {
  return std::ranges::equal(one.layers(), other.layers(), {}, &Layer::output, &Layer::output);
}

}  // namespace

EarlierRuns::EarlierRuns(const Store& store, std::int64_t profile, const Model* network)
    : store_(store), profile_(profile), only_(network) {}

void EarlierRuns::read() {
  Query query{.profile = profile_, .purpose = Purpose::network};
  if (only_ != nullptr) query.model_hash = model_hash(*only_);
  known_.emplace();
  for (Observation& run : store_.find(query)) {
    if (!run.measurement) continue;
    Known& known = (*known_)[model_hash(run.model)];
    known.runs.push_back(std::move(*run.measurement));
    known.network = std::move(run.model);
  }
}

void EarlierRuns::lean(const Model& network, const Workload& workload, Estimate& estimate) {
  if (!estimate.between_runs) return;
  if (!known_) read();
  const auto has_equal_shapes = [&](const auto& entry) {
    return have_equal_shapes(entry.second.network, network);
  };
  if (!std::ranges::any_of(*known_, has_equal_shapes)) return;
  if (const auto found = known_->find(model_hash(network)); found != known_->end())
    lean_on(found->second.runs, workload, estimate);
}

}  // namespace ampere
