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

void EarlierRuns::read_one() {
  runs_.emplace();
  for (Observation& run : store_.find({.profile = profile_,
                          .purpose = Purpose::network,
                          .model_hash = model_hash(*only_),
                          .with_models = false}))
    if (run.measurement) runs_->push_back(std::move(*run.measurement));
}

void EarlierRuns::read_all() {
  known_.emplace();
  for (Observation& run : store_.find({.profile = profile_, .purpose = Purpose::network})) {
    if (!run.measurement) continue;
    Known& known = (*known_)[model_hash(run.model)];
    known.runs.push_back(std::move(*run.measurement));
    known.network = std::move(run.model);
  }
}

const std::vector<Measurement>* EarlierRuns::runs_of(const Model& network) {
  if (only_ != nullptr) {
    if (!runs_) read_one();
    return &*runs_;
  }
  if (!known_) read_all();
  const auto has_equal_shapes = [&](const auto& entry) {
    return have_equal_shapes(entry.second.network, network);
  };
  if (!std::ranges::any_of(*known_, has_equal_shapes)) return nullptr;
  const auto found = known_->find(model_hash(network));
  return found == known_->end() ? nullptr : &found->second.runs;
}

void EarlierRuns::lean(const Model& network, const Workload& workload, Estimate& estimate) {
  if (!estimate.between_runs) return;
  if (const std::vector<Measurement>* runs = runs_of(network)) lean_on(*runs, workload, estimate);
}

}  // namespace ampere
