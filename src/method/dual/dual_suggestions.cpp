#include "method/dual/dual_suggestions.h"

#include <utility>

namespace ampere {
namespace {

constexpr std::size_t kReferenceEvery = 8;  // networks between two measurements of the reference

struct Entry {
  Suggestion suggestion;
  const char* step = nullptr;
  int done = 0, of = 0;
  bool only_after_fresh = false;  // the reference is repeated only where something is measured
  bool postponed = false;
};

class DualSuggestions final : public Suggestions {
 public:
  DualSuggestions(const DualPlan& plan, const Setup& setup, const ProfileOptions& options)
      : setup_(setup), options_(options) {
    add_networks(plan);
    const std::size_t networks = entries_.size();
    add_blocks(plan.blocks, options.only_answerable);
    add_blocks(plan.round_blocks, true);
    if (options.time_limit) mix(networks);
  }

  std::optional<Suggestion> next() override {
    while (next_ < entries_.size() && entries_[next_].only_after_fresh && !fresh_) ++next_;
    if (next_ == entries_.size()) return std::nullopt;
    return entries_[next_++].suggestion;
  }

  void tell(const Finding& finding) override {
    if (entries_[next_ - 1].suggestion.ask != Suggestion::Ask::measure) return;
    fresh_ = !finding.known && !finding.skipped();
  }

  // The fits take all observations together, in whatever order they came.
  bool postpone() override {
    Entry entry = entries_[next_ - 1];
    if (std::exchange(entry.postponed, true)) return false;
    entry.done = entry.of;
    entries_.push_back(std::move(entry));
    return true;
  }

  Progress progress() const override {
    const Entry& entry = entries_[next_ - 1];
    Progress now;
    now.step = entry.step;
    now.title = entry.suggestion.model.name();
    now.done = entry.done;
    now.of = entry.of;
    now.finished = entry.done == entry.of;
    return now;
  }

  // Of this step alone: a network takes a hundred times as long as a block.
  std::optional<std::int64_t> left() const override {
    return entries_[next_ - 1].of - entries_[next_ - 1].done;
  }

 private:
  // The first so many entries among the others, evenly: whenever the time is over, as large a part
  // of the networks was measured as of the blocks that they are understood by.
  void mix(std::size_t networks) {
    const std::size_t blocks = entries_.size() - networks;
    std::vector<Entry> mixed;
    std::size_t network = 0, block = 0;
    while (network < networks || block < blocks) {
      const bool is_behind = block == blocks || network * blocks <= block * networks;
      const std::size_t next = network < networks && is_behind ? network++ : networks + block++;
      mixed.push_back(std::move(entries_[next]));
    }
    entries_ = std::move(mixed);
  }

  Suggestion network(const Model& model, const Model& reference) const {
    Suggestion suggestion;
    suggestion.model = model;
    suggestion.setup = setup_;
    suggestion.precision = precision_of(options_, kDualPrecision);
    suggestion.with_times = true;
    suggestion.reference = reference;
    suggestion.only_answerable = options_.only_answerable;
    return suggestion;
  }

  // The reference comes first, after every few others, and last. It is repeated however often the
  // store has it.
  void add_networks(const DualPlan& plan) {
    if (plan.networks.empty()) return;
    const Model& reference = plan.networks.front();
    const auto of = static_cast<int>(plan.networks.size() + plan.round_networks.size());
    const auto add = [&](Suggestion suggestion, int done, bool only_after_fresh = false) {
      entries_.push_back(
          {std::move(suggestion), "networks measured", done, of, only_after_fresh, false});
    };
    for (std::size_t i = 0; i < plan.networks.size(); ++i) {
      const int done = static_cast<int>(i) + 1;
      add(network(plan.networks[i], reference), done);
      if (i == 0) add(at_rest(reference), done);
      if (i > 0 && (i % kReferenceEvery == 0 || i + 1 == plan.networks.size())) {
        Suggestion again = network(reference, reference);
        again.visit.reset();
        add(std::move(again), done, true);
      }
    }
    for (std::size_t i = 0; i < plan.round_networks.size(); ++i) {
      Suggestion round = network(plan.round_networks[i], reference);
      round.round_widths = true;
      round.only_answerable = true;
      add(std::move(round), static_cast<int>(plan.networks.size() + i) + 1);
    }
  }

  Suggestion at_rest(const Model& load) const {
    Suggestion suggestion;
    suggestion.ask = Suggestion::Ask::idle;
    suggestion.model = load;
    suggestion.setup = setup_;
    return suggestion;
  }

  void add_blocks(const std::vector<BlockToTime>& blocks, bool only_answerable) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Suggestion suggestion = timing_of(blocks[i], setup_);
      suggestion.only_answerable = only_answerable;
      entries_.push_back({std::move(suggestion), "blocks timed", static_cast<int>(i) + 1,
                          static_cast<int>(blocks.size()), false, false});
    }
  }

  Setup setup_;
  ProfileOptions options_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
  bool fresh_ = false;  // the network before was measured now
};

}  // namespace

Suggestion timing_of(const BlockToTime& block, const Setup& setup) {
  Suggestion suggestion;
  suggestion.ask = Suggestion::Ask::time;
  suggestion.model = block.model;
  suggestion.setup = with_phase(setup, block.phase);
  suggestion.kind = block.kind;
  suggestion.features = block.features;
  return suggestion;
}

std::unique_ptr<Suggestions> suggest_dual(const DualPlan& plan, const Setup& setup,
                                          const ProfileOptions& options) {
  return std::make_unique<DualSuggestions>(plan, setup, options);
}

}  // namespace ampere
