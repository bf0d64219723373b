#include "widths/plain.h"

#include <algorithm>
#include <unordered_map>

#include "model/checked.h"

namespace ampere {
namespace {

// What has to hold of the channels that an operator reads, so that those it gives follow from them
// in the same way at all widths.
enum class Needs {
  nothing,   // a list that goes through, a new width, lists one after another
  division,  // each piece of the list is to be divisible by a number
  likeness,  // lists of equal length are paired piece by piece
  share,     // the list is divided into equal runs of whole pieces
  equality,  // whether channel counts are equal
};

struct NeedsOf {
  Needs operator()(const Conv& op) const {
    return op.depthwise || op.groups == 1 ? Needs::nothing : Needs::division;
  }
  Needs operator()(const ConvTranspose& op) const {
    return op.groups == 1 ? Needs::nothing : Needs::division;
  }
  Needs operator()(const SelfAttention&) const { return Needs::division; }
  Needs operator()(const GroupNorm&) const { return Needs::division; }
  Needs operator()(const Add&) const { return Needs::likeness; }
  Needs operator()(const Multiply&) const { return Needs::likeness; }
  Needs operator()(const Subtract&) const { return Needs::likeness; }
  Needs operator()(const Divide&) const { return Needs::likeness; }
  Needs operator()(const Concat& op) const { return op.axis ? Needs::likeness : Needs::nothing; }
  Needs operator()(const Chunk&) const { return Needs::share; }
  Needs operator()(const Reduce&) const { return Needs::equality; }
  Needs operator()(const Reshape&) const { return Needs::equality; }
  Needs operator()(const Expand&) const { return Needs::equality; }
  template <class Other>
  Needs operator()(const Other&) const {
    return Needs::nothing;
  }
};

// A bound for how many pieces there are in the list that an operator gives.
struct PiecesOf {
  std::int64_t read, all;  // in the longest list that it reads; in all of them

  std::int64_t operator()(const Concat& op) const { return op.axis ? read : all; }
  std::int64_t operator()(const Conv& op) const { return op.depthwise ? read : 1; }
  std::int64_t operator()(const Linear&) const { return 1; }
  std::int64_t operator()(const ChannelShuffle&) const { return 1; }
  template <class Other>
  std::int64_t operator()(const Other&) const {
    return read;
  }
};

// A kind is found by tracing channels through the block on its own, where all that enters from
// another block is one piece, however many widths of the network it consists of. The channels of a
// piece are a sum of multiples of the network's widths. So what is decided on the way is the same
// at all widths
//  - between fixed ones;
//  - where a single piece is divided, or paired with a single piece that always has as many
//    channels: there is one way to do it, and a network whose numbers do not fit cannot be built;
//  - where all pieces are multiples of one width and their ratios decide, which are constant. That
//    is so of pieces that are shuffled, since the network keeps them in proportion.
// It is not where pieces of several widths are lined up, or one of several has to be divisible.
// What is pinned here whatever the numbers are, the same layer pins in the network.
class Tracing {
 public:
  Tracing(const Model& model, const ChannelMap& channels, const Block& block)
      : model_(model), channels_(channels), block_(block) {}

  bool same_at_all_widths() {
    const bool one_width = has_one_free_width() && pins_nothing();
    if (!one_width && std::ranges::any_of(block_.layers, [&](int layer) {
          return !model_.layers()[layer].module.empty();  // its widths may be multiples or not
        }))
      return false;
    return std::ranges::all_of(block_.layers, [&](int index) {
      const Layer& layer = model_.layers()[index];
      PiecesOf pieces{1, 0};
      for (const int input : layer.inputs) {
        pieces.read = std::max(pieces.read, pieces_of(input));
        pieces.all += pieces_of(input);
      }
      pieces_[index] = std::visit(pieces, layer.op);
      return pieces_[index] <= kMaxSegments &&
             (are_fixed(layer, index) || is_same(layer, pieces.read == 1, one_width));
    });
  }

 private:
  using Segments = std::vector<ChannelSegment>;

  const Segments& segments(int layer) const { return channels_.of_layer[layer]; }

  std::int64_t pieces_of(int layer) const {
    const auto found = pieces_.find(layer);
    return found == pieces_.end() ? 1 : found->second;
  }

  bool are_fixed(const Layer& layer, int index) const {
    const auto fixed = [&](int each) {
      return std::ranges::all_of(segments(each), [&](const ChannelSegment& segment) {
        return channels_.groups[segment.group].fixed;
      });
    };
    return fixed(index) && std::ranges::all_of(layer.inputs, fixed);
  }

  bool is_same(const Layer& layer, bool one_piece, bool one_width) const {
    switch (std::visit(NeedsOf{}, layer.op)) {
      case Needs::nothing:
        return true;
      case Needs::division:
        return one_piece;
      case Needs::likeness:
        return one_width || (one_piece && reads_alike(layer));
      case Needs::share:
        return one_width || one_piece;
      case Needs::equality:
        return one_width;
    }
    return false;
  }

  bool reads_alike(const Layer& layer) const {
    const Segments& first = segments(layer.inputs.front());
    return !first.empty() &&
           std::ranges::all_of(layer.inputs, [&](int input) { return segments(input) == first; });
  }

  // Of what the block's layers give and read.
  bool has_one_free_width() const {
    int only = -1;
    const auto fits = [&](int layer) {
      return std::ranges::all_of(segments(layer), [&](const ChannelSegment& segment) {
        if (only < 0) only = segment.group;
        return segment.group == only && !channels_.groups[segment.group].fixed;
      });
    };
    return std::ranges::all_of(block_.layers, [&](int layer) {
      return fits(layer) && std::ranges::all_of(model_.layers()[layer].inputs, fits);
    });
  }

  // Pieces that do not line up are pinned, and a kind names what is pinned by its number.
  bool pins_nothing() const {
    const ChannelMap map = map_channels(block_.kind->pattern, OutputChannels::free);
    return std::ranges::none_of(map.groups, &ChannelGroup::fixed);
  }

  const Model& model_;
  const ChannelMap& channels_;
  const Block& block_;
  std::unordered_map<int, std::int64_t> pieces_;  // of the block's layers so far
};

}  // namespace

bool keeps_kind(const Model& model, const ChannelMap& channels, const Block& block) {
  return Tracing(model, channels, block).same_at_all_widths();
}

}  // namespace ampere
