#include "model/inherit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "model/channel_match.h"
#include "model/gather_weights.h"
#include "model/shape_rules.h"

namespace ampere {
namespace {

// The sets of which channels can be dropped, as they are numbered in public.
std::vector<const ChannelTrace::Set*> varying_sets(const ChannelTrace& trace, const Model& model) {
  const ChannelMap map = map_channels(model);
  std::vector<const ChannelTrace::Set*> sets;
  for (const ChannelTrace::Set& set : trace.sets)
    if (can_vary(set, map)) sets.push_back(&set);
  return sets;
}

template <class Lists>
void check_sets(const Lists& lists, const std::vector<const ChannelTrace::Set*>& sets,
                const Model& model, const char* what) {
  if (lists.size() != sets.size())
    refuse(fmt::format("{} has {} sets of channels, not {} lists of {}", model.name(), sets.size(),
                       lists.size(), what));
}

// The score of every channel; those of sets that cannot vary are all kept anyway.
std::vector<double> scores_of(const Model& model, const ChannelTrace& trace,
                              const ChannelScores& scores) {
  const auto sets = varying_sets(trace, model);
  check_sets(scores, sets, model, "scores");
  std::vector<double> all(trace.set.size(), 0);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const ChannelTrace::Set& set = *sets[i];
    if (scores[i].size() != set.channels.size())
      refuse(fmt::format("'{}' has {} channels, not {} scores", set.name, set.channels.size(),
                         scores[i].size()));
    for (std::size_t c = 0; c < set.channels.size(); ++c) {
      if (std::isnan(scores[i][c]))
        refuse(fmt::format("a score of '{}' is not a number", set.name));
      all[set.channels[c]] = scores[i][c];
    }
  }
  return all;
}

void check_list(const ChannelTrace::Set& set, const std::vector<std::int64_t>& list) {
  const auto count = static_cast<std::int64_t>(set.channels.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < 0 || list[i] >= count)
      refuse(fmt::format("'{}' has no channel {}: they are counted from 0 to {}", set.name, list[i],
                         count - 1));
    if (i > 0 && list[i] <= list[i - 1])
      refuse(fmt::format("kept channels of '{}' must ascend, each once, but {} follows {}",
                         set.name, list[i], list[i - 1]));
  }
}

std::vector<bool> kept_flags(const Model& model, const ChannelTrace& trace,
                             const KeptChannels& kept) {
  const auto sets = varying_sets(trace, model);
  check_sets(kept, sets, model, "kept channels");
  std::vector<bool> flags(trace.set.size(), true);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    check_list(*sets[i], kept[i]);
    for (const int channel : sets[i]->channels) flags[channel] = false;
    for (const std::int64_t index : kept[i]) flags[sets[i]->channels[index]] = true;
  }
  return flags;
}

std::string in_words(const ChannelMark& mark, const Model& model) {
  const bool cut = mark.kind == ChannelMark::Kind::read_part ||
                   mark.kind == ChannelMark::Kind::made_part ||
                   mark.kind == ChannelMark::Kind::inside_part;
  return cut ? fmt::format(" in part {} of '{}'", mark.part + 1, model.layers()[mark.layer].name)
             : "";
}

// The original's channel for each one of the narrower network's.
std::vector<int> matched(const Model& model, const TracedPair& pair,
                         const std::vector<bool>& kept) {
  std::vector<int> instead(pair.narrow.set.size());
  for (ChannelCell& cell : channel_cells(pair)) {
    const int first = cell.original[0];
    std::erase_if(cell.original, [&](int channel) { return !kept[channel]; });
    if (cell.original.size() != cell.narrow.size()) {
      std::string where;
      for (const ChannelMark& mark : pair.original.marks[first]) where += in_words(mark, model);
      refuse(fmt::format("of '{}'{}, {} channels are kept where the narrower network has {}",
                         pair.original.sets[pair.original.set[first]].name, where,
                         cell.original.size(), cell.narrow.size()));
    }
    for (std::size_t i = 0; i < cell.narrow.size(); ++i) instead[cell.narrow[i]] = cell.original[i];
  }
  return instead;
}

}  // namespace

std::vector<ChannelSet> channel_sets(const Model& model) {
  const ChannelTrace trace = trace_channels(model);
  std::vector<ChannelSet> sets;
  for (const ChannelTrace::Set* set : varying_sets(trace, model))
    sets.push_back({set->name, static_cast<std::int64_t>(set->channels.size())});
  return sets;
}

KeptChannels keep_best(const Model& model, const ChannelScores& scores,
                       std::span<const std::int64_t> widths) {
  const TracedPair pair{trace_channels(model), trace_channels(with_widths(model, widths), model)};
  const std::vector<double> score = scores_of(model, pair.original, scores);
  std::vector<bool> kept(pair.original.set.size(), false);
  for (ChannelCell& cell : channel_cells(pair)) {
    std::ranges::stable_sort(cell.original, std::ranges::greater{},
                             [&](int channel) { return score[channel]; });
    for (std::size_t i = 0; i < cell.narrow.size(); ++i) kept[cell.original[i]] = true;
  }
  KeptChannels result;
  for (const ChannelTrace::Set* set : varying_sets(pair.original, model)) {
    result.emplace_back();
    for (std::size_t i = 0; i < set->channels.size(); ++i)
      if (kept[set->channels[i]]) result.back().push_back(static_cast<std::int64_t>(i));
  }
  return result;
}

Weights inherit(const Model& original, const Weights& weights, std::span<const std::int64_t> widths,
                const KeptChannels& kept) {
  check_weights(original, weights);
  const Model narrow = with_widths(original, widths);
  const TracedPair pair{trace_channels(original), trace_channels(narrow, original)};
  const std::vector<bool> flags = kept_flags(original, pair.original, kept);
  const KeptPositions positions = kept_positions(original, pair, matched(original, pair, flags));
  Weights inherited;
  for (std::size_t i = 0; i < original.layers().size(); ++i) {
    const Layer& layer = original.layers()[i];
    LayerChannels channels{{}, positions.output[i], positions.inside[i]};
    TensorShape read;
    if (!layer.inputs.empty()) {
      channels.read = positions.output[layer.inputs[0]];
      read = original.layers()[layer.inputs[0]].output;
    }
    for (const WeightShape& tensor : weight_shapes(layer, original)) {
      const std::string key = layer.name + "." + tensor.name;
      inherited[key] = gather_weight(layer, read, tensor.name, weights.at(key), channels);
    }
  }
  check_weights(narrow, inherited);
  return inherited;
}

}  // namespace ampere
