#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "base/text.h"

namespace ampere {
namespace {

void check(const SpaceOptions& options) {
  if (options.min_width < 1)
    throw Error(ErrorCode::usage, fmt::format("the least width is 1, not {}", options.min_width));
  if (!(options.min_share >= 0 && options.min_share <= 1))
    throw Error(ErrorCode::usage, fmt::format("the least share of a width lies between 0 and 1, "
                                              "and {} does not",
                                              options.min_share));
  if (options.align < 1)
    throw Error(ErrorCode::usage,
                fmt::format("widths can be aligned to 1 or more, not {}", options.align));
}

std::vector<std::string> names_of(const std::vector<ChannelGroup>& groups) {
  std::vector<std::string> names;
  for (const ChannelGroup& group : groups)
    if (!group.fixed) names.push_back(group.name);
  return names;
}

[[noreturn]] void no_such_name(const std::string& name, const Model& model,
                               const ChannelMap& channels) {
  std::vector<std::string> all;
  for (const Layer& layer : model.layers()) all.push_back(layer.name);
  throw Error(ErrorCode::usage,
              fmt::format("{} has no layer and no width '{}' to leave alone{} (its widths are: {})",
                          model.name(), name, suggestion(name, all),
                          fmt::join(names_of(channels.groups), ", ")));
}

// The groups that the named layers give, or that have these names.
std::set<int> left_alone(const Model& model, const ChannelMap& channels,
                         const std::vector<std::string>& names) {
  std::set<int> groups;
  for (const std::string& name : names) {
    const auto layer = std::ranges::find(model.layers(), name, &Layer::name);
    if (layer == model.layers().end()) no_such_name(name, model, channels);
    for (const ChannelSegment& segment : channels.of_layer[layer - model.layers().begin()])
      groups.insert(segment.group);
  }
  return groups;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

WidthRange range_of(const ChannelGroup& group, bool alone, const SpaceOptions& options) {
  WidthRange range{group.name, group.value, group.value, group.multiple_of};
  if (alone) return range;
  const std::int64_t per = options.align / std::gcd(options.align, group.multiple_of);
  if (per <= group.value / 2 / group.multiple_of) range.step = per * group.multiple_of;
  const auto share =
      static_cast<std::int64_t>(std::ceil(options.min_share * static_cast<double>(group.value)));
  const std::int64_t least = std::max<std::int64_t>({options.min_width, share, 1});
  if (least < group.value) range.least = std::min(group.value, rounded_up(least, range.step));
  return range;
}

}  // namespace

std::int64_t WidthRange::choices() const { return 1 + (most - least + step - 1) / step; }

std::int64_t WidthRange::choice(std::int64_t index) const {
  return std::min(most, least + index * step);
}

WidthSpace make_space(const Model& original, const SpaceOptions& options) {
  check(options);
  const ChannelMap channels = map_channels(original);
  const std::set<int> alone = left_alone(original, channels, options.leave_alone);
  WidthSpace space{original, {}};
  for (std::size_t i = 0; i < channels.groups.size(); ++i)
    if (!channels.groups[i].fixed)
      space.widths.push_back(
          range_of(channels.groups[i], alone.contains(static_cast<int>(i)), options));
  if (space.widths.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format("{} has nothing to prune: none of its widths can vary", original.name()));
  if (std::ranges::all_of(space.widths, [](const WidthRange& r) { return r.least == r.most; }))
    throw Error(
        ErrorCode::usage,
        fmt::format("{} has nothing left to prune: each of its widths ({}) is left alone or "
                    "already at the least width",
                    original.name(), fmt::join(names_of(channels.groups), ", ")));
  return space;
}

std::vector<std::int64_t> original_widths(const WidthSpace& space) {
  std::vector<std::int64_t> widths;
  for (const WidthRange& range : space.widths) widths.push_back(range.most);
  return widths;
}

}  // namespace ampere
