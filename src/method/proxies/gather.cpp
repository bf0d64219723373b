#include "method/proxies/gather.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "method/proxies/proxies.h"

namespace ampere {
namespace {

// The different layers of these networks, one of each type by turns: a budget that ends early has
// seen all types.
std::vector<Model> by_turns(std::span<const Model> networks) {
  std::set<std::string> seen;
  std::map<std::size_t, std::vector<Model>> of_type;  // by the alternative of its operator
  std::size_t most = 0;
  for (const Model& network : networks)
    for (Model& layer : layers_alone(network)) {
      if (!seen.insert(model_hash(layer)).second) continue;
      std::vector<Model>& equals = of_type[layer.output().op.index()];
      equals.push_back(std::move(layer));
      most = std::max(most, equals.size());
    }
  std::vector<Model> ordered;
  for (std::size_t turn = 0; turn < most; ++turn)
    for (const auto& [type, layers] : of_type)
      if (turn < layers.size()) ordered.push_back(layers[turn]);
  return ordered;
}

// A network, or a layer with the phases it has: begun together or not at all.
using Group = std::vector<Suggestion>;

class Gathering final : public Suggestions {
 public:
  Gathering(std::vector<Group> groups, const char* what, std::optional<Seconds> budget,
            FitEstimator fit)
      : groups_(std::move(groups)), what_(what), budget_(budget), fit_(std::move(fit)) {}

  std::optional<Suggestion> next() override {
    if (group_ < groups_.size() && member_ == groups_[group_].size()) ++group_, member_ = 0;
    if (group_ == groups_.size()) return std::nullopt;
    if (member_ == 0 && budget_ && used_ >= *budget_) return std::nullopt;
    return groups_[group_][member_++];
  }

  void tell(const Finding& finding) override {
    if (!finding.observation) return;
    if (finding.observation->measurement) used_ += finding.observation->measurement->elapsed;
    gathered_.push_back(*finding.observation);
  }

  Progress progress() const override {
    Progress now;
    now.step = budget_ ? fmt::format("{} for the baselines, {:.0f} of {:.0f} s", what_,
                                     used_.count(), budget_->count())
                       : fmt::format("{} for the baselines", what_);
    return now;
  }

  std::unique_ptr<Estimator> fitted() const override { return fit_(gathered_); }
  std::optional<MeasuringCost> cost() const override { return cost_of(gathered_); }

 private:
  std::vector<Group> groups_;
  const char* what_;
  std::optional<Seconds> budget_;
  FitEstimator fit_;
  std::size_t group_ = 0, member_ = 0;
  Seconds used_{};
  std::vector<Observation> gathered_;
};

Suggestion whole(const Model& model, const Setup& setup, const ProfileOptions& options) {
  Suggestion suggestion;
  suggestion.model = model;
  suggestion.setup = setup;
  suggestion.precision = precision_of(options, {});
  suggestion.only_answerable = true;
  return suggestion;
}

}  // namespace

std::unique_ptr<Suggestions> gather_networks(std::span<const Model> networks,
                                             const ProfileOptions& options, const Setup& setup,
                                             FitEstimator fit) {
  std::vector<Group> groups;
  for (const Model& network : networks) groups.push_back({whole(network, setup, options)});
  return std::make_unique<Gathering>(std::move(groups), "networks", options.measuring_budget,
                                     std::move(fit));
}

std::unique_ptr<Suggestions> gather_layers(std::span<const Model> networks,
                                           const ProfileOptions& options, const Setup& setup,
                                           FitEstimator fit) {
  std::vector<Group> groups;
  for (const Model& layer : by_turns(networks)) {
    Group& phases = groups.emplace_back();
    for (const Phase phase : phases_of(layer))
      phases.push_back(whole(layer, with_phase(setup, phase), options));
  }
  return std::make_unique<Gathering>(std::move(groups), "layers", options.measuring_budget,
                                     std::move(fit));
}

}  // namespace ampere
