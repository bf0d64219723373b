#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "ampere/block.h"
#include "block/planned_kinds.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"

namespace ampere {
namespace {

// So many drawn networks in a row without a new block, and there is none left.
constexpr int kStale = 200;

constexpr std::size_t kMostRoundNetworks = 2;
constexpr int kRoundDrawn = 60;  // networks that blocks at round widths are taken from
constexpr unsigned kRoundSeed = 8;
constexpr int kTimingsPerRound = 8;

class Planner {
 public:
  Planner(const ProfileTask& task, const ProfileOptions& options)
      : task_(task), options_(options) {}

  DualPlan plan() {
    choose_networks();
    // First what the measured networks are made of, then what may be asked.
    for (const Model& network : plan_.networks) add_blocks(network);
    for (const Model& original : task_.originals) add_blocks(original);
    int stale = 0;
    for (const Model& drawn : task_.drawn) {
      if (full() || stale > kStale) break;
      stale = add_blocks(drawn) ? 0 : stale + 1;
    }
    choose_round();
    return std::move(plan_);
  }

 private:
  bool full() const { return static_cast<int>(plan_.blocks.size()) >= options_.timings; }

  // True when one of them was new.
  bool add_blocks(const Model& network) {
    return add_blocks(network, plan_.blocks, options_.timings);
  }

  bool add_blocks(const Model& network, std::vector<BlockToTime>& blocks, int most) {
    bool any = false;
    for (const Block& block : parse_blocks(network)) {
      if (static_cast<int>(blocks.size()) >= most) break;
      if (!seen_.insert({block.kind->key, block.features}).second) continue;
      any = true;
      blocks.push_back(block_to_time(block));
    }
    return any;
  }

  // Whole ones and small ones by turns, so that a device that changes meanwhile changes both.
  void choose_networks() {
    const auto wanted = static_cast<std::size_t>(options_.networks);
    std::vector<Model> small = small_networks((wanted + 1) / 2);
    auto next_small = small.begin();
    auto next_whole = task_.drawn.begin();
    while (plan_.networks.size() < wanted &&
           (next_small != small.end() || next_whole != task_.drawn.end())) {
      if (next_whole != task_.drawn.end()) add_network(*next_whole++);
      if (next_small != small.end() && plan_.networks.size() < wanted) add_network(*next_small++);
    }
  }

  void choose_round() {
    std::vector<Model> candidates = task_.originals;
    std::ranges::stable_sort(candidates, std::greater{},
                             [](const Model& model) { return count(model, 1).training_flops; });
    if (!candidates.empty()) candidates.push_back(half_as_wide(candidates.front()));
    for (const Model& network : candidates) {
      if (!options_.measure_originals || plan_.round_networks.size() == kMostRoundNetworks) break;
      if (networks_.insert(model_hash(network)).second) plan_.round_networks.push_back(network);
    }
    const int most = (options_.timings + kTimingsPerRound - 1) / kTimingsPerRound;
    for (const Model& network : plan_.round_networks) add_blocks(network, plan_.round_blocks, most);
    for (const Model& drawn : draw_round(task_.originals, std::min(most, kRoundDrawn), kRoundSeed))
      add_blocks(drawn, plan_.round_blocks, most);
  }

  void add_network(const Model& network) {
    if (networks_.insert(model_hash(network)).second) plan_.networks.push_back(network);
  }

  // Input, one hidden block, output: every hidden kind in turn, at widths of drawn networks.
  std::vector<Model> small_networks(std::size_t count) const {
    std::map<std::string, std::vector<std::vector<std::int64_t>>> widths;
    for (const Model& drawn : task_.drawn)
      for (const Block& block : parse_blocks(drawn))
        widths[block.kind->key].push_back(block.features);
    std::vector<Model> small;
    const std::vector<PlannedKind> kinds = plan_profile(task_.originals);
    for (std::size_t round = 0; small.size() < count; ++round) {
      const std::size_t before = small.size();
      for (const PlannedKind& planned : kinds) {
        if (planned.kind->role != Role::hidden || small.size() >= count) continue;
        const auto& drawn = widths[planned.kind->key];
        // From the end: those at the beginning are in the whole networks that are measured.
        if (round < drawn.size())
          small.push_back(
              make_variant(*planned.kind, drawn[drawn.size() - 1 - round], planned.companions));
      }
      if (small.size() == before) break;
    }
    return small;
  }

  const ProfileTask& task_;
  const ProfileOptions& options_;
  DualPlan plan_;
  std::set<BlockKey> seen_;
  std::set<std::string> networks_;
};

}  // namespace

BlockToTime block_to_time(const Block& block) {
  return {block.kind->key, block.features, instantiate(*block.kind, block.features),
          block.kind->role == Role::output ? Phase::iteration : Phase::block};
}

DualPlan plan_dual(const ProfileTask& task, const ProfileOptions& options) {
  return Planner(task, options).plan();
}

}  // namespace ampere
