#include "model/channel_match.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <unordered_map>

#include "ampere/error.h"

namespace ampere {
namespace {

// A channel may lie at several places of a layer (flattened); they keep their order.
class Places {
 public:
  explicit Places(const std::vector<int>& channels) {
    for (std::size_t i = 0; i < channels.size(); ++i)
      of_[channels[i]].at.push_back(static_cast<std::int64_t>(i));
  }

  std::optional<std::int64_t> next(int channel) {
    const auto found = of_.find(channel);
    if (found == of_.end() || found->second.taken == found->second.at.size()) return std::nullopt;
    return found->second.at[found->second.taken++];
  }

 private:
  struct Place {
    std::vector<std::int64_t> at;
    std::size_t taken = 0;
  };
  std::unordered_map<int, Place> of_;
};

std::vector<std::int64_t> positions(const Layer& layer, const std::vector<int>& original,
                                    const std::vector<int>& narrow,
                                    const std::vector<int>& instead) {
  Places places(original);
  std::vector<std::int64_t> kept;
  kept.reserve(narrow.size());
  for (const int channel : narrow) {
    const std::optional<std::int64_t> place = places.next(instead[channel]);
    if (!place)
      throw Error(ErrorCode::usage,
                  fmt::format("layer '{}' ({}): its channels would not be those of the original "
                              "in the narrower network, so it cannot inherit weights",
                              layer.name, op_name(layer.op)));
    kept.push_back(*place);
  }
  return kept;
}

// Where channels are shuffled and then halved, a width may need more of them on one side than the
// original has there, although it is narrower.
[[noreturn]] void refuse_more(const TracedPair& pair, const ChannelCell& cell) {
  const ChannelTrace::Set& set = pair.narrow.sets[pair.narrow.set[cell.narrow[0]]];
  const std::size_t own = pair.original.sets[pair.narrow.set[cell.narrow[0]]].channels.size();
  if (set.channels.size() > own)
    throw Error(ErrorCode::usage,
                fmt::format("'{}' would have {} channels, and the original has {}: only narrower "
                            "networks inherit weights",
                            set.name, set.channels.size(), own));
  throw Error(ErrorCode::usage,
              fmt::format("no choice of {} of the {} channels of '{}' has them where shuffles, "
                          "chunks and groups want them; choose another width",
                          set.channels.size(), own, set.name));
}

}  // namespace

std::vector<ChannelCell> channel_cells(const TracedPair& pair) {
  std::map<ChannelMarks, ChannelCell> cells;
  for (std::size_t i = 0; i < pair.original.marks.size(); ++i)
    cells[pair.original.marks[i]].original.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < pair.narrow.marks.size(); ++i)
    cells[pair.narrow.marks[i]].narrow.push_back(static_cast<int>(i));
  std::vector<ChannelCell> result;
  for (auto& [marks, cell] : cells) {
    if (cell.narrow.size() > cell.original.size()) refuse_more(pair, cell);
    result.push_back(std::move(cell));
  }
  return result;
}

KeptPositions kept_positions(const Model& original, const TracedPair& pair,
                             const std::vector<int>& instead) {
  KeptPositions kept;
  for (std::size_t i = 0; i < original.layers().size(); ++i) {
    const Layer& layer = original.layers()[i];
    kept.output.push_back(
        positions(layer, pair.original.output[i], pair.narrow.output[i], instead));
    kept.inside.push_back(
        positions(layer, pair.original.inside[i], pair.narrow.inside[i], instead));
  }
  return kept;
}

}  // namespace ampere
