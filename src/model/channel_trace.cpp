#include "model/channel_trace.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "model/axes.h"

namespace ampere {
namespace {

using Channels = std::vector<int>;
using Kind = ChannelMark::Kind;

// Sets of numbers that grow together.
class Unions {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int root(int each) {
    while (parents_[each] != each) each = parents_[each] = parents_[parents_[each]];
    return each;
  }
  void unite(int a, int b) {
    a = root(a);
    b = root(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parents_;
};

// Walks the layers once, as the analysis of channels.cpp does. What becomes of channels is decided
// by the shapes of the original, also where a narrower network is traced: one channel that is left
// of many is not one that is broadcast.
class Tracer {
 public:
  Tracer(const Model& model, const Model& original) : model_(model), original_(original) {
    for (const Layer& layer : original.layers()) {
      layer_ = &layer;
      inside_.emplace_back();
      Channels channels = std::visit([&](const auto& op) { return follow(op); }, layer.op);
      if (!has_channels(layer.output)) channels.clear();
      output_.push_back(std::move(channels));
    }
  }

  ChannelTrace finish() && {
    ChannelTrace trace;
    const std::vector<int> numbers = number_channels(trace);
    const auto renumber = [&](std::vector<Channels>& lists) {
      for (Channels& list : lists)
        for (int& channel : list) channel = numbers[channel];
      return std::move(lists);
    };
    trace.output = renumber(output_);
    trace.inside = renumber(inside_);
    for (const auto& [channel, mark] : marks_) trace.marks[numbers[channel]].push_back(mark);
    for (ChannelMarks& marks : trace.marks) {
      std::ranges::sort(marks);
      marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    }
    return trace;
  }

 private:
  static bool has_channels(const TensorShape& shape) {
    return shape.layout != Layout::tokens && shape.layout != Layout::tensor;
  }
  const Channels& read(std::size_t which = 0) const { return output_[layer_->inputs[which]]; }
  const TensorShape& shape(std::size_t which = 0) const {
    return original_.layers()[layer_->inputs[which]].output;
  }
  int index() const { return static_cast<int>(output_.size()); }

  Channels made(Kind kind = Kind::made) {
    const std::int64_t count = model_.layers()[index()].output.channels;
    Channels channels;
    const int maker = makers_.add();
    maker_layers_.push_back(index());
    maker_names_.push_back(layer_->name + (kind == Kind::made_inside ? ".heads" : ""));
    for (std::int64_t i = 0; i < count; ++i) {
      channels.push_back(channels_.add());
      maker_of_.push_back(maker);
      marks_.emplace_back(channels.back(), ChannelMark{index(), kind, 0});
    }
    return channels;
  }
  Channels new_output() { return has_channels(layer_->output) ? made() : Channels{}; }

  void mark_parts(const Channels& channels, std::int64_t parts, Kind kind) {
    const auto share = static_cast<std::int64_t>(channels.size()) / parts;
    if (parts == 1 || share == 0) return;
    for (std::size_t i = 0; i < channels.size(); ++i)
      marks_.emplace_back(channels[i],
                          ChannelMark{index(), kind, static_cast<std::int64_t>(i) / share});
  }

  Channels grouped(std::int64_t groups) {
    mark_parts(read(), groups, Kind::read_part);
    Channels channels = new_output();
    mark_parts(channels, groups, Kind::made_part);
    return channels;
  }

  void unite(const Channels& one, const Channels& other) {
    for (std::size_t c = 0; c < std::min(one.size(), other.size()); ++c) {
      channels_.unite(one[c], other[c]);
      makers_.unite(maker_of_[one[c]], maker_of_[other[c]]);
    }
  }

  Channels united(const std::vector<std::size_t>& alike) {
    for (std::size_t i = 1; i < alike.size(); ++i) unite(read(alike[0]), read(alike[i]));
    return alike.empty() ? new_output() : read(alike[0]);
  }

  // Operands that have their channels where the result has them.
  Channels combined() {
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < layer_->inputs.size() && has_channels(layer_->output); ++i) {
      const bool same_place =
          shape(i).layout == layer_->output.layout || spreads_over(shape(i), layer_->output);
      if (same_place && shape(i).channels == layer_->output.channels) alike.push_back(i);
    }
    return united(alike);
  }

  Channels follow(const Input&) { return new_output(); }
  Channels follow(const Parameter&) { return new_output(); }
  Channels follow(const Conv& op) { return op.depthwise ? read() : grouped(op.groups); }
  Channels follow(const ConvTranspose& op) { return grouped(op.groups); }
  Channels follow(const Linear&) {
    // The table of an embedding loses the same channels for both.
    if (layer_->shares >= 0 &&
        std::holds_alternative<Embedding>(original_.layers()[layer_->shares].op))
      unite(read(), output_[layer_->shares]);
    return new_output();
  }
  Channels follow(const Embedding&) { return new_output(); }
  Channels follow(const Recurrent& op) {
    Channels channels = new_output();
    mark_parts(channels, op.bidirectional ? 2 : 1, Kind::made_part);
    return channels;
  }
  Channels follow(const SelfAttention& op) {
    inside_.back() = made(Kind::made_inside);
    mark_parts(inside_.back(), op.heads, Kind::inside_part);
    return new_output();
  }
  Channels follow(const GroupNorm& op) {
    mark_parts(read(), op.groups, Kind::read_part);
    return read();
  }
  // A channel lies at all its positions: C × L in a row, or T × C.
  Channels follow(const Flatten&) {
    if (!has_channels(shape())) return new_output();
    const bool channels_first = shape().layout != Layout::sequence;
    const auto count = static_cast<std::int64_t>(read().size()), positions = shape().positions();
    Channels flat;
    flat.reserve(static_cast<std::size_t>(count * positions));
    for (std::int64_t i = 0; i < count * positions; ++i)
      flat.push_back(read()[channels_first ? i / positions : i % count]);
    return flat;
  }
  Channels follow(const Add&) { return combined(); }
  Channels follow(const Multiply&) { return combined(); }
  Channels follow(const Subtract&) { return combined(); }
  Channels follow(const Divide&) { return combined(); }
  Channels follow(const Concat& op) {
    if (!has_channels(layer_->output)) return {};
    if (op.axis) {
      std::vector<std::size_t> all(layer_->inputs.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return united(all);
    }
    Channels joined;
    for (std::size_t i = 0; i < layer_->inputs.size(); ++i)
      joined.insert(joined.end(), read(i).begin(), read(i).end());
    return joined;
  }
  Channels follow(const Chunk& op) {
    mark_parts(read(), op.parts, Kind::read_part);
    const auto share = static_cast<std::ptrdiff_t>(read().size()) / op.parts;
    const auto begin = read().begin() + op.index * share;
    return {begin, begin + share};
  }
  Channels follow(const Slice& op) {
    if (op.axis || !has_channels(layer_->output)) return read();
    Channels part;
    for (std::int64_t i = op.begin; i < op.end; i += op.step) part.push_back(read()[i]);
    return part;
  }
  // Which channels are picked is not known; they are pinned anyway.
  Channels follow(const Gather& op) { return op.axis ? read() : new_output(); }
  Channels follow(const ChannelShuffle& op) {
    const std::size_t groups = static_cast<std::size_t>(op.groups), each = read().size() / groups;
    Channels shuffled;
    for (std::size_t i = 0; i < read().size(); ++i)
      shuffled.push_back(read()[(i % groups) * each + i / groups]);
    return shuffled;
  }
  Channels follow(const Reduce&) {
    return layer_->output.channels == shape().channels ? read() : new_output();
  }
  Channels follow(const Reshape& op) {
    return keeps_channels(shape(), op.shape) ? read() : new_output();
  }
  Channels follow(const Expand& op) {
    const bool keeps = shape().layout == op.shape.layout && shape().channels == op.shape.channels;
    return keeps || spreads_over(shape(), op.shape) ? read() : new_output();
  }
  Channels follow(const Permute&) { return {}; }
  Channels follow(const MatMul&) { return {}; }
  template <class Keeps>
  Channels follow(const Keeps&) {
    return read();
  }

  // Numbers of the channels that remain, and the sets they fall into.
  std::vector<int> number_channels(ChannelTrace& trace) {
    std::vector<int> numbers(maker_of_.size());
    std::map<int, int> set_of_maker;
    for (std::size_t i = 0; i < maker_of_.size(); ++i) {
      const int root = channels_.root(static_cast<int>(i));
      const int maker = makers_.root(maker_of_[i]);
      const auto [found, is_new] =
          set_of_maker.try_emplace(maker, static_cast<int>(trace.sets.size()));
      if (is_new) trace.sets.push_back({maker_names_[maker], {}, {}});
      ChannelTrace::Set& set = trace.sets[found->second];
      const int layer = maker_layers_[maker_of_[i]];
      if (set.makers.empty() || set.makers.back() != layer) set.makers.push_back(layer);
      if (root < static_cast<int>(i)) {
        numbers[i] = numbers[root];
        continue;
      }
      numbers[i] = static_cast<int>(trace.set.size());
      trace.set.push_back(found->second);
      set.channels.push_back(numbers[i]);
    }
    trace.marks.resize(trace.set.size());
    return numbers;
  }

  const Model& model_;
  const Model& original_;
  const Layer* layer_ = nullptr;  // of the original
  std::vector<Channels> output_, inside_;
  Unions channels_, makers_;
  std::vector<int> maker_of_;      // of each channel
  std::vector<int> maker_layers_;  // of each maker: its layer
  std::vector<std::string> maker_names_;
  std::vector<std::pair<int, ChannelMark>> marks_;
};

}  // namespace

ChannelTrace trace_channels(const Model& model) { return Tracer(model, model).finish(); }

ChannelTrace trace_channels(const Model& narrow, const Model& original) {
  return Tracer(narrow, original).finish();
}

bool can_vary(const ChannelTrace::Set& set, const ChannelMap& map) {
  return std::ranges::any_of(set.makers, [&](int layer) {
    return std::ranges::any_of(map.of_layer[layer], [&](const ChannelSegment& segment) {
      return !map.groups[segment.group].fixed;
    });
  });
}

}  // namespace ampere
