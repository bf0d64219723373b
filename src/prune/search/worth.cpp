#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "model/inherit.h"
#include "prune/search/width_worth.h"

namespace ampere {
namespace {

// log2 of the share that the first channels have of all.
std::vector<double> log_shares(const std::vector<double>& importances) {
  std::vector<double> values{-std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (const double importance : importances) {
    sum += importance;
    values.push_back(std::log2(sum));
  }
  for (double& value : values) value -= std::log2(sum);
  return values;
}

using Lists = std::vector<std::vector<double>>;

[[noreturn]] void wrong_count(const WidthRange& range, std::size_t given) {
  throw Error(ErrorCode::usage, fmt::format("{} importances for the {} channels of '{}'", given,
                                            range.most, range.name));
}

void check(const WidthRange& range, const std::vector<double>& importances) {
  if (importances.empty() || importances.size() % static_cast<std::size_t>(range.most) != 0)
    wrong_count(range, importances.size());
  for (const double importance : importances)
    if (!std::isfinite(importance) || importance < 0)
      throw Error(
          ErrorCode::usage,
          fmt::format("an importance among those of '{}' is {}; they must be finite and not "
                      "negative",
                      range.name, importance));
}

std::vector<double> values_of(std::vector<double> importances) {
  std::ranges::sort(importances, std::greater<>());
  const double largest = importances.front();
  for (double& importance : importances)  // sums stay finite
    importance = largest > 0 ? importance / largest : 1;
  return log_shares(importances);
}

// The mean over the sets of channels that follow a width, each some multiple of it.
std::vector<double> values_of(const WidthRange& range, const Lists& sets) {
  const auto channels = static_cast<std::size_t>(range.most);
  if (sets.empty()) return log_shares(std::vector<double>(channels, 1));
  std::vector<double> mean(channels + 1, 0);
  for (const std::vector<double>& set : sets) {
    check(range, set);
    const std::vector<double> values = values_of(set);
    for (std::size_t kept = 0; kept <= channels; ++kept)
      mean[kept] += values[kept * (set.size() / channels)] / static_cast<double>(sets.size());
  }
  return mean;
}

WidthWorth worth_of_sets(const WidthSpace& space, const std::vector<Lists>& sets_of_width) {
  WidthWorth worth;
  for (std::size_t i = 0; i < space.widths.size(); ++i)
    worth.values.push_back(values_of(space.widths[i], sets_of_width[i]));
  return worth;
}

constexpr std::string_view kInside = ".heads";  // channels inside the attention of this name

// The free width that a set of channels follows; -1 where there is no single one.
int width_of(const ChannelSet& set, const Model& model, const ChannelMap& channels) {
  std::string_view name = set.name;
  if (name.ends_with(kInside)) name.remove_suffix(kInside.size());
  const auto layer = std::ranges::find(model.layers(), name, &Layer::name);
  if (layer == model.layers().end()) return -1;
  const auto& segments = channels.of_layer[layer - model.layers().begin()];
  if (segments.size() != 1 || channels.groups[segments[0].group].fixed) return -1;
  return static_cast<int>(std::count_if(channels.groups.begin(),
                                        channels.groups.begin() + segments[0].group,
                                        [](const ChannelGroup& group) { return !group.fixed; }));
}

}  // namespace

double WidthWorth::operator()(std::span<const std::int64_t> widths) const {
  double sum = 0;
  for (std::size_t i = 0; i < widths.size(); ++i)
    sum += values[i][static_cast<std::size_t>(widths[i])];
  return sum;
}

WidthWorth worth_of_counts(const WidthSpace& space) {
  return worth_of_sets(space, std::vector<Lists>(space.widths.size()));
}

WidthWorth worth_of_importances(const WidthSpace& space, const Lists& importances) {
  if (importances.size() != space.widths.size())
    throw Error(ErrorCode::usage, fmt::format("{} lists of importances for {} widths",
                                              importances.size(), space.widths.size()));
  std::vector<Lists> sets(importances.size());
  for (std::size_t i = 0; i < importances.size(); ++i) {
    if (importances[i].empty()) continue;
    if (static_cast<std::int64_t>(importances[i].size()) != space.widths[i].most)
      wrong_count(space.widths[i], importances[i].size());
    sets[i].push_back(importances[i]);
  }
  return worth_of_sets(space, sets);
}

WidthWorth worth_of_scores(const WidthSpace& space, const Lists& scores) {
  const std::vector<ChannelSet> sets = channel_sets(space.original);
  if (scores.size() != sets.size())
    throw Error(ErrorCode::usage, fmt::format("{} has {} sets of channels, not {} lists of scores",
                                              space.original.name(), sets.size(), scores.size()));
  const ChannelMap channels = map_channels(space.original);
  std::vector<Lists> of_width(space.widths.size());
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (const int width = width_of(sets[i], space.original, channels); width >= 0)
      of_width[static_cast<std::size_t>(width)].push_back(scores[i]);
  return worth_of_sets(space, of_width);
}

}  // namespace ampere
