#include "widths/width_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ampere/error.h"
#include "base/prefetch.h"
#include "block/terms.h"
#include "model/checked.h"
#include "widths/kind_work.h"
#include "widths/plain.h"

namespace ampere {
namespace {

constexpr int kNone = -1;

// Which free width each group is.
std::vector<int> width_of_group(const ChannelMap& channels) {
  std::vector<int> index;
  int next = 0;
  for (const ChannelGroup& group : channels.groups) index.push_back(group.fixed ? kNone : next++);
  return index;
}

std::int64_t one_step(const ChannelGroup& width) {
  return width.value > width.multiple_of ? -width.multiple_of : width.multiple_of;
}

std::vector<int> touching(const Model& model, const ChannelMap& channels, const Block& block) {
  const std::vector<int> width_of = width_of_group(channels);
  std::set<int> found;
  const auto add = [&](int layer) {
    for (const ChannelSegment& segment : channels.of_layer[layer])
      if (width_of[segment.group] != kNone) found.insert(width_of[segment.group]);
  };
  for (const int layer : block.layers) {
    add(layer);
    std::ranges::for_each(model.layers()[layer].inputs, add);
  }
  return {found.begin(), found.end()};
}

}  // namespace

WidthBlocks::WidthBlocks(const Model& original, const Setup& setup)
    : original_(original), setup_(setup), widths_(free_widths(original)) {
  const std::vector<Block> blocks = parse_blocks(original);
  place_blocks(map_channels(original), blocks);
  find_forms(blocks);
}

int WidthBlocks::kind_index(const std::shared_ptr<const BlockKind>& kind) {
  const auto [found, is_new] = kind_of_key_.try_emplace(kind->key, static_cast<int>(kinds_.size()));
  if (is_new) kinds_.push_back({kind, false, {}, {}});
  return found->second;
}

// A place is computed where its kind cannot change and the form of the work gives what is counted
// in the original.
void WidthBlocks::place_blocks(const ChannelMap& channels, std::span<const Block> blocks) {
  const NetworkTerms terms = terms_of(original_, blocks, setup_);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Place place;
    place.kind = kind_index(blocks[i].kind);
    place.touching = touching(original_, channels, blocks[i]);
    if (keeps_kind(original_, channels, blocks[i])) {
      Kind& kind = kinds_[static_cast<std::size_t>(place.kind)];
      if (!kind.work_sought) kind.work = find_work_form(*kind.kind, setup_);
      kind.work_sought = true;
      place.computed = kind.work && (*kind.work)(blocks[i].features) ==
                                        BlockWork{terms[i].flops, terms[i].bytes};
    }
    places_.push_back(std::move(place));
  }
}

// By changing one width after the other; those that no computed block shares, at once.
void WidthBlocks::find_forms(std::span<const Block> blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const std::int64_t feature : blocks[i].features)
      places_[i].features.push_back({feature, {}});
  std::vector<int> left;
  for (std::size_t i = 0; i < widths_.size(); ++i) left.push_back(static_cast<int>(i));
  while (!left.empty()) {
    std::set<std::size_t> taken;
    std::vector<int> varied, later;
    for (const int width : left) {
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].computed && std::ranges::count(places_[i].touching, width) > 0)
          places.push_back(i);
      const bool free = std::ranges::none_of(places, [&](auto i) { return taken.contains(i); });
      (free ? varied : later).push_back(width);
      if (free) taken.insert(places.begin(), places.end());
    }
    find_forms(varied, blocks);
    left = std::move(later);
  }
}

void WidthBlocks::find_forms(const std::vector<int>& varied, std::span<const Block> blocks) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& width : widths_) widths.push_back(width.value);
  for (const int width : varied)
    widths[static_cast<std::size_t>(width)] += one_step(widths_[static_cast<std::size_t>(width)]);
  const std::vector<Block> changed = parse_blocks(with_widths(original_, widths));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const auto own = std::ranges::find_first_of(place.touching, varied);
    if (!place.computed || own == place.touching.end()) continue;
    const ChannelGroup& width = widths_[static_cast<std::size_t>(*own)];
    for (std::size_t f = 0; f < place.features.size(); ++f) {
      const std::int64_t factor =
          (changed[i].features[f] - blocks[i].features[f]) / one_step(width);
      if (factor == 0) continue;
      place.features[f].multiples.emplace_back(*own, factor);
      place.features[f].constant -= factor * width.value;
    }
  }
}

void WidthBlocks::check(std::span<const std::int64_t> widths) const {
  if (widths.size() != widths_.size())
    throw Error(ErrorCode::usage, fmt::format("{} has {} widths, not {}", original_.name(),
                                              widths_.size(), widths.size()));
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (widths[i] < 1 || widths[i] > kMaxWidth || widths[i] % widths_[i].multiple_of != 0)
      throw Error(ErrorCode::usage,
                  fmt::format("width '{}' must be a multiple of {} from 1 to {}, not {}",
                              widths_[i].name, widths_[i].multiple_of, kMaxWidth, widths[i]));
}

const std::vector<int>& WidthBlocks::at(std::span<const std::int64_t> widths) {
  check(widths);
  const std::vector<std::int64_t> last = std::move(last_);
  last_.clear();
  numbers_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const auto is_as_before = [&](int width) {
      return last[static_cast<std::size_t>(width)] == widths[static_cast<std::size_t>(width)];
    };
    if (!last.empty() && std::ranges::all_of(place.touching, is_as_before)) continue;
    set_key(place, widths);
    numbers_[i] = place.computed ? number(place.kind, key_, nullptr) : looked_up(place, widths);
  }
  last_.assign(widths.begin(), widths.end());
  return numbers_;
}

void WidthBlocks::expect(std::span<const std::int64_t> widths) {
  check(widths);
  for (const Place& place : places_) {
    set_key(place, widths);
    prefetch(table(place).begin_of(key_));
  }
}

void WidthBlocks::set_key(const Place& place, std::span<const std::int64_t> widths) {
  key_.clear();
  if (place.computed)
    for (const WidthForm& form : place.features) key_.push_back(form(widths));
  else
    for (const int width : place.touching) key_.push_back(widths[static_cast<std::size_t>(width)]);
}

const NumberTable& WidthBlocks::table(const Place& place) const {
  return place.computed ? kinds_[static_cast<std::size_t>(place.kind)].by_features
                        : place.by_widths;
}

int WidthBlocks::looked_up(const Place& place, std::span<const std::int64_t> widths) {
  if (const auto found = place.by_widths.find(key_)) return *found;
  const std::vector<std::int64_t> key = key_;
  cut(widths);
  return place.by_widths.find(key).value();
}

int WidthBlocks::number(int kind, const std::vector<std::int64_t>& features,
                        const BlockWork* work) {
  Kind& of = kinds_[static_cast<std::size_t>(kind)];
  if (const auto found = of.by_features.find(features)) return *found;
  blocks_.push_back({kind, features, work != nullptr ? *work : (*of.work)(features)});
  of.by_features.add(features, size() - 1);
  return size() - 1;
}

void WidthBlocks::cut(std::span<const std::int64_t> widths) {
  const Model network = with_widths(original_, widths);
  const std::vector<Block> blocks = parse_blocks(network);
  const NetworkTerms terms = terms_of(network, blocks, setup_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (place.computed) continue;
    set_key(place, widths);
    const BlockWork work{terms[i].flops, terms[i].bytes};
    const int found = number(kind_index(blocks[i].kind), blocks[i].features, &work);
    if (!place.by_widths.find(key_)) place.by_widths.add(key_, found);
  }
}

void WidthBlocks::forget() {
  last_.clear();
  blocks_.clear();
  for (Kind& kind : kinds_) kind.by_features.clear();
  for (Place& place : places_) place.by_widths.clear();
}

}  // namespace ampere
