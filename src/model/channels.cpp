#include "ampere/channels.h"

#include <algorithm>
#include <map>

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

  // The one varying group that a module reads, when there is no other; else -1.
  int module_group() const {
    const auto inputs = module_inputs_.find(layer_->module);
    if (layer_->module.empty() || inputs == module_inputs_.end()) return -1;
    const Segments first = ties_.resolve(of_layer_[inputs->second[0]]);
    const auto same = [&](int input) { return ties_.resolve(of_layer_[input]) == first; };
    if (first.size() != 1 || first[0].multiple != 1 || ties_.fixed(first[0].group) ||
        !std::ranges::all_of(inputs->second, same))
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

  Segments fixed_width() { return {{ties_.add(layer_->output.channels, true), 1}}; }

  Segments segments(const Input& op) {
    if (op.shape.layout == Layout::tokens) return {};
    return {{ties_.add(op.shape.channels, !op.boundary), 1}};
  }
  Segments segments(const Conv& op) {
    if (op.depthwise) return read();
    const Segments out = new_width(op.out_channels);
    if (op.groups > 1) {
      ties_.require_multiple(read(), op.groups);
      ties_.require_multiple(out, op.groups);
    }
    return out;
  }
  Segments segments(const Linear& op) { return new_width(op.out_features); }
  Segments segments(const Embedding& op) { return new_width(op.dim); }
  Segments segments(const Recurrent& op) { return new_width(op.hidden); }
  Segments segments(const SelfAttention& op) {
    ties_.require_multiple(read(), op.heads);
    return read();
  }
  Segments segments(const Flatten&) {
    Segments flat = read();
    for (ChannelSegment& segment : flat)
      segment.multiple *= model_.layers()[layer_->inputs[0]].output.positions();
    return flat;
  }
  Segments segments(const Add&) { return united(); }
  Segments segments(const Multiply&) { return united(); }
  Segments segments(const Concat&) {
    Segments all;
    for (std::size_t i = 0; i < layer_->inputs.size(); ++i)
      all.insert(all.end(), read(i).begin(), read(i).end());
    all = ties_.resolve(all);
    if (all.size() <= kMaxParts) return all;
    ties_.pin(all);
    return fixed_width();
  }
  Segments segments(const Chunk& op) {
    const auto shares = ties_.divide(read(), op.parts);
    return shares ? (*shares)[op.index] : fixed_width();
  }
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
