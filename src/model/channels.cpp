#include <map>

#include "ampere/widths.h"
#include "model/axes.h"
#include "model/channel_ties.h"
#include "model/checked.h"

namespace ampere {
namespace {

// Walks the layers once; the segments of each follow from those it reads.
class Analysis {
 public:
  Analysis(const Model& model, OutputChannels output) : model_(model), output_(output) {
    for (const Layer& layer : model.layers()) {
      layer_ = &layer;
      note_module_input();
      of_layer_.push_back(std::visit([&](const auto& op) { return segments(op); }, layer.op));
    }
  }

  ChannelMap finish() && {
    if (output_ == OutputChannels::fixed) ties_.pin(of_layer_.back());
    ChannelMap map;
    std::map<int, int> group_of_root;
    for (std::size_t i = 0; i < of_layer_.size(); ++i) {
      Segments segments = ties_.resolve(of_layer_[i]);
      for (ChannelSegment& segment : segments) {
        const int root = segment.group;
        const auto [found, is_new] =
            group_of_root.try_emplace(root, static_cast<int>(map.groups.size()));
        segment.group = found->second;
        if (is_new)
          map.groups.push_back({model_.layers()[i].name, ties_.value(root), ties_.multiple_of(root),
                                ties_.fixed(root)});
      }
      map.of_layer.push_back(std::move(segments));
    }
    return map;
  }

 private:
  const Segments& read(std::size_t which = 0) const { return of_layer_[layer_->inputs[which]]; }

  // A module's inputs are what its layers read from outside it.
  void note_module_input() {
    if (layer_->module.empty()) return;
    for (const int input : layer_->inputs)
      if (model_.layers()[input].module != layer_->module)
        module_inputs_[layer_->module].push_back(input);
  }

  // The one varying group that a module reads, when there is no other; else -1. What is tied stays
  // tied, so that inputs found equal to the first need not be looked at again.
  int module_group() {
    const auto found = module_inputs_.find(layer_->module);
    if (layer_->module.empty() || found == module_inputs_.end()) return -1;
    std::vector<int>& inputs = found->second;
    const Segments first = ties_.resolve(of_layer_[inputs[0]]);
    while (inputs.size() > 1 && ties_.resolve(of_layer_[inputs.back()]) == first) inputs.pop_back();
    if (inputs.size() > 1 || first.size() != 1 || first[0].multiple != 1 ||
        ties_.fixed(first[0].group))
      return -1;
    return first[0].group;
  }

  Segments new_width(std::int64_t width) {
    // Classes do not scale with anything, even where they happen to be a multiple.
    const bool classes = output_ == OutputChannels::fixed && layer_ == &model_.layers().back();
    const int scale = classes ? -1 : module_group();
    if (scale >= 0 && width % ties_.value(scale) == 0) return {{scale, width / ties_.value(scale)}};
    return {{ties_.add(width, false), 1}};
  }

  Segments grouped_width(std::int64_t width, std::int64_t groups) {
    const Segments out = new_width(width);
    if (groups > 1) {
      ties_.require_multiple(read(), groups);
      ties_.require_multiple(out, groups);
    }
    return out;
  }

  bool has_channels() const {
    return layer_->output.layout != Layout::tokens && layer_->output.layout != Layout::tensor;
  }

  // Channels that do not follow from others in a way that can be varied.
  Segments fixed_width() {
    if (!has_channels()) return {};
    return {{ties_.add(layer_->output.channels, true), 1}};
  }
  Segments pinned() {
    for (std::size_t i = 0; i < layer_->inputs.size(); ++i) ties_.pin(read(i));
    return fixed_width();
  }

  const TensorShape& shape(std::size_t which = 0) const {
    return model_.layers()[layer_->inputs[which]].output;
  }

  Segments segments(const Input& op) {
    if (!op.boundary || !has_channels()) return fixed_width();
    return {{ties_.add(op.shape.channels, false), 1}};
  }
  Segments segments(const Parameter& op) {
    return has_channels() ? new_width(op.shape.channels) : Segments{};
  }
  // A weight that is shared has the sizes of both layers: what a linear layer reads varies with the
  // embedding whose table it uses, its outputs are the vocabulary. All else is fixed.
  Segments tied_width() {
    const Segments& owner = of_layer_[layer_->shares];
    if (std::holds_alternative<Linear>(layer_->op) &&
        std::holds_alternative<Embedding>(model_.layers()[layer_->shares].op)) {
      ties_.unite(read(), owner);
      return fixed_width();
    }
    ties_.pin(owner);
    for (const int input : model_.layers()[layer_->shares].inputs) ties_.pin(of_layer_[input]);
    return pinned();
  }
  Segments segments(const Conv& op) {
    if (layer_->shares >= 0) return tied_width();
    return op.depthwise ? read() : grouped_width(op.out_channels, op.groups);
  }
  Segments segments(const ConvTranspose& op) { return grouped_width(op.out_channels, op.groups); }
  Segments segments(const Linear& op) {
    if (layer_->shares >= 0) return tied_width();
    return has_channels() ? new_width(op.out_features) : Segments{};
  }
  Segments segments(const Embedding& op) {
    return layer_->shares >= 0 ? tied_width() : new_width(op.dim);
  }
  Segments segments(const Recurrent& op) {
    Segments out = new_width(op.hidden);
    if (op.bidirectional) out[0].multiple *= 2;
    return out;
  }
  Segments segments(const SelfAttention& op) {
    ties_.require_multiple(read(), op.heads);
    return read();
  }
  Segments segments(const GroupNorm& op) {
    ties_.require_multiple(read(), op.groups);
    return read();
  }
  Segments segments(const Flatten&) {
    Segments flat = read();
    if (flat.empty()) return fixed_width();
    for (ChannelSegment& segment : flat) segment.multiple *= shape().positions();
    return flat;
  }
  Segments segments(const Add&) { return combined(); }
  Segments segments(const Multiply&) { return combined(); }
  Segments segments(const Subtract&) { return combined(); }
  Segments segments(const Divide&) { return combined(); }
  Segments segments(const Concat& op) {
    if (op.axis) return united();
    Segments all;
    for (std::size_t i = 0; i < layer_->inputs.size(); ++i)
      all.insert(all.end(), read(i).begin(), read(i).end());
    all = ties_.resolve(all);
    if (all.size() <= kMaxSegments) return all;
    ties_.pin(all);
    return fixed_width();
  }
  Segments segments(const Chunk& op) {
    const auto share = ties_.share(read(), op.parts, op.index);
    return share ? *share : fixed_width();
  }
  Segments segments(const Slice& op) { return op.axis ? read() : pinned(); }
  Segments segments(const Gather& op) { return op.axis ? read() : pinned(); }
  // Reduced channels leave one, however many there were.
  Segments segments(const Reduce&) {
    return layer_->output.channels == shape().channels ? read() : fixed_width();
  }
  Segments segments(const Reshape& op) {
    return keeps_channels(shape(), op.shape) ? read() : pinned();
  }
  Segments segments(const Expand& op) {
    const bool keeps = shape().layout == op.shape.layout && shape().channels == op.shape.channels;
    return keeps || spreads_over(shape(), op.shape) ? read() : pinned();
  }
  Segments segments(const Permute&) { return pinned(); }
  Segments segments(const MatMul&) { return pinned(); }
  // Shuffled channels of several groups lie between one another: only in fixed proportion does the
  // result still consist of them.
  Segments segments(const ChannelShuffle& op) {
    ties_.unite_within(read());
    ties_.require_multiple(read(), op.groups);
    return read();
  }
  template <class Keeps>
  Segments segments(const Keeps&) {
    return read();
  }

  // Operands with as many channels as the result are tied to each other; one channel for all stays
  // one; operands whose channels lie along another axis fix what they meet.
  Segments combined() {
    if (!has_channels()) return pinned();
    std::vector<std::size_t> alike;
    bool fixed = false;
    for (std::size_t i = 0; i < layer_->inputs.size(); ++i) {
      const TensorShape& in = shape(i);
      const bool same_place =
          in.layout == layer_->output.layout || spreads_over(in, layer_->output);
      if (same_place && in.channels == layer_->output.channels) {
        alike.push_back(i);
        continue;
      }
      ties_.pin(read(i));
      fixed = fixed || !same_place;
    }
    for (std::size_t i = 1; i < alike.size(); ++i) ties_.unite(read(alike[0]), read(alike[i]));
    if (alike.empty()) return fixed_width();
    if (fixed) ties_.pin(read(alike[0]));
    return read(alike[0]);
  }

  Segments united() {
    for (std::size_t i = 1; i < layer_->inputs.size(); ++i) ties_.unite(read(0), read(i));
    return read();
  }

  const Model& model_;
  OutputChannels output_;
  const Layer* layer_ = nullptr;
  ChannelTies ties_;
  std::vector<Segments> of_layer_;
  std::map<std::string, std::vector<int>> module_inputs_;
};

}  // namespace

ChannelMap map_channels(const Model& model, OutputChannels output) {
  return Analysis(model, output).finish();
}

}  // namespace ampere
