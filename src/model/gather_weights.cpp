#include "model/gather_weights.h"

#include <cmath>
#include <numeric>

#include "model/axes.h"

namespace ampere {
namespace {

using Indices = std::vector<std::int64_t>;

Indices all_of(std::int64_t length) {
  Indices all(static_cast<std::size_t>(length));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

// The numbers where every axis has one of its indices.
FloatTensor gathered(const FloatTensor& tensor, const std::vector<Indices>& axes) {
  FloatTensor result;
  std::vector<std::size_t> offsets{0};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto length = static_cast<std::size_t>(tensor.sizes[axis]);
    std::vector<std::size_t> next;
    next.reserve(offsets.size() * axes[axis].size());
    for (const std::size_t offset : offsets)
      for (const std::int64_t index : axes[axis])
        next.push_back(offset * length + static_cast<std::size_t>(index));
    offsets = std::move(next);
    result.sizes.push_back(static_cast<std::int64_t>(axes[axis].size()));
  }
  result.values.reserve(offsets.size());
  for (const std::size_t offset : offsets) result.values.push_back(tensor.values[offset]);
  return result;
}

// The axes from `first` on whole.
std::vector<Indices> with_rest(std::vector<Indices> axes, const FloatTensor& tensor) {
  for (std::size_t i = axes.size(); i < tensor.sizes.size(); ++i)
    axes.push_back(all_of(tensor.sizes[i]));
  return axes;
}

Indices part_of(const Indices& list, std::int64_t parts, std::int64_t part) {
  const auto share = static_cast<std::ptrdiff_t>(list.size()) / parts;
  return {list.begin() + part * share, list.begin() + (part + 1) * share};
}

Indices shifted(Indices list, std::int64_t by) {
  for (std::int64_t& index : list) index += by;
  return list;
}

// Rows by group, each with the columns of its own group, which are counted from the group's first.
FloatTensor gathered_by_group(const FloatTensor& tensor, std::int64_t groups, const Indices& rows,
                              const Indices& columns) {
  FloatTensor result;
  for (std::int64_t group = 0; group < groups; ++group) {
    const Indices own = shifted(part_of(columns, groups, group), -group * tensor.sizes[1]);
    FloatTensor part = gathered(tensor, with_rest({part_of(rows, groups, group), own}, tensor));
    result.values.insert(result.values.end(), part.values.begin(), part.values.end());
    result.sizes = std::move(part.sizes);
  }
  result.sizes[0] *= groups;
  return result;
}

// The list again for each of the equal pieces that are stacked along an axis.
Indices stacked(const Indices& list, std::int64_t pieces, std::int64_t each) {
  Indices all;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const Indices next = shifted(list, piece * each);
    all.insert(all.end(), next.begin(), next.end());
  }
  return all;
}

struct Kept {
  const Layer& layer;
  const TensorShape& read_shape;
  const std::string& name;
  const FloatTensor& tensor;
  const LayerChannels& channels;

  Indices made(std::size_t axis = 0) const {
    return channels.made.empty() ? all_of(tensor.sizes[axis]) : channels.made;
  }
  Indices read(std::size_t axis) const {
    return channels.read.empty() ? all_of(tensor.sizes[axis]) : channels.read;
  }
  FloatTensor per_channel() const { return gathered(tensor, with_rest({made()}, tensor)); }
  bool is_bias() const { return name == "bias"; }

  FloatTensor operator()(const Conv& op) const {
    if (is_bias() || op.depthwise) return per_channel();
    return gathered_by_group(tensor, op.groups, made(), channels.read);
  }
  FloatTensor operator()(const ConvTranspose& op) const {
    if (is_bias()) return per_channel();
    return gathered_by_group(tensor, op.groups, channels.read, made());
  }
  FloatTensor operator()(const Linear&) const {
    return is_bias() ? per_channel() : gathered(tensor, {made(), read(1)});
  }
  FloatTensor operator()(const Embedding&) const {
    return gathered(tensor, {all_of(tensor.sizes[0]), made(1)});
  }
  // Gates one below the other, each a row a hidden unit.
  FloatTensor operator()(const Recurrent& op) const {
    const bool backwards = name.ends_with("_reverse");
    const Indices units =
        shifted(part_of(channels.made, op.bidirectional ? 2 : 1, backwards ? 1 : 0),
                backwards ? -op.hidden : 0);
    const Indices rows = stacked(units, op.cell == Cell::lstm ? 4 : 3, op.hidden);
    if (name.starts_with("bias")) return gathered(tensor, {rows});
    return gathered(tensor, {rows, name.starts_with("weight_ih") ? channels.read : units});
  }
  // Scores are divided by √(width of a head), of which the narrower network has another: the
  // queries make up for it.
  FloatTensor operator()(const SelfAttention&) const {
    if (name == "out_proj.bias") return per_channel();
    if (name == "out_proj.weight") return gathered(tensor, {made(), channels.inside});
    const Indices rows = stacked(channels.inside, 3, read_shape.channels);
    FloatTensor result =
        name == "in_proj_bias" ? gathered(tensor, {rows}) : gathered(tensor, {rows, channels.read});
    const double narrower =
        static_cast<double>(channels.inside.size()) / static_cast<double>(read_shape.channels);
    const auto factor = static_cast<float>(std::sqrt(narrower));
    for (std::size_t i = 0; i < result.values.size() / 3; ++i) result.values[i] *= factor;
    return result;
  }
  FloatTensor operator()(const PRelu& op) const { return op.shared ? tensor : per_channel(); }
  FloatTensor operator()(const PositionEmbedding&) const {
    return gathered(tensor, {all_of(tensor.sizes[0]), made(1)});
  }
  FloatTensor operator()(const Parameter&) const {
    if (channels.made.empty() || name == "index") return tensor;
    std::vector<Indices> axes = with_rest({}, tensor);
    axes[channel_axis(layer.output)] = channels.made;
    return gathered(tensor, axes);
  }
  FloatTensor operator()(const Gather&) const { return tensor; }
  template <class PerChannel>
  FloatTensor operator()(const PerChannel&) const {
    return per_channel();
  }
};

}  // namespace

FloatTensor gather_weight(const Layer& layer, const TensorShape& read, const std::string& name,
                          const FloatTensor& tensor, const LayerChannels& channels) {
  return std::visit(Kept{layer, read, name, tensor, channels}, layer.op);
}

}  // namespace ampere
