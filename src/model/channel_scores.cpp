#include <cmath>
#include <random>

#include "model/axes.h"
#include "model/channel_trace.h"
#include "model/inherit.h"

namespace ampere {
namespace {

using Sums = std::vector<double>;

// |w| summed at every index of an axis, from which `place` makes the channel.
template <class Place>
Sums absolute_sums(const FloatTensor& tensor, std::size_t axis, std::int64_t channels,
                   Place place) {
  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < tensor.sizes.size(); ++i) inner *= tensor.sizes[i];
  Sums sums(static_cast<std::size_t>(channels), 0);
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    const auto outer = static_cast<std::int64_t>(i) / inner;
    sums[place(outer / tensor.sizes[axis], outer % tensor.sizes[axis])] +=
        std::abs(static_cast<double>(tensor.values[i]));
  }
  return sums;
}

Sums absolute_sums(const FloatTensor& tensor, std::size_t axis) {
  return absolute_sums(tensor, axis, tensor.sizes[axis],
                       [](std::int64_t, std::int64_t index) { return index; });
}

void add(Sums& sums, const Sums& more) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
}

// How large the weights are that make each of a layer's channels; empty when none do.
struct Magnitudes {
  const Layer& layer;
  const Weights& weights;

  const FloatTensor& tensor(const std::string& name) const {
    return weights.at(layer.name + "." + name);
  }

  Sums operator()(const Conv&) const { return matrix(0); }
  Sums operator()(const ConvTranspose& op) const {
    const FloatTensor& weight = tensor("weight");
    const std::int64_t rows = weight.sizes[0] / op.groups, columns = weight.sizes[1];
    return absolute_sums(weight, 1, op.out_channels, [=](std::int64_t row, std::int64_t column) {
      return row / rows * columns + column;
    });
  }
  Sums operator()(const Linear&) const { return matrix(0); }
  Sums operator()(const Embedding&) const { return matrix(1); }
  Sums operator()(const Recurrent& op) const {
    Sums all;
    for (const char* direction : {"_l0", "_l0_reverse"}) {
      if (!all.empty() && !op.bidirectional) break;
      const auto by_unit = [&](std::int64_t, std::int64_t row) { return row % op.hidden; };
      Sums sums =
          absolute_sums(tensor(std::string("weight_ih") + direction), 0, op.hidden, by_unit);
      add(sums, absolute_sums(tensor(std::string("weight_hh") + direction), 0, op.hidden, by_unit));
      all.insert(all.end(), sums.begin(), sums.end());
    }
    return all;
  }
  Sums operator()(const SelfAttention&) const {
    return absolute_sums(tensor("out_proj.weight"), 0);
  }
  Sums operator()(const Parameter&) const {
    return absolute_sums(tensor("value"), channel_axis(layer.output));
  }
  Sums operator()(const BatchNorm&) const { return absolute_sums(tensor("weight"), 0); }
  Sums operator()(const LayerNorm& op) const { return norm(op.affine); }
  Sums operator()(const GroupNorm& op) const { return norm(op.affine); }
  Sums operator()(const InstanceNorm& op) const { return norm(op.affine); }
  Sums operator()(const Scale&) const { return absolute_sums(tensor("weight"), 0); }
  template <class Other>
  Sums operator()(const Other&) const {
    return {};
  }

 private:
  // One that is shared is judged where it belongs.
  Sums matrix(std::size_t axis) const {
    return layer.shares >= 0 ? Sums{} : absolute_sums(tensor("weight"), axis);
  }
  Sums norm(bool affine) const { return affine ? absolute_sums(tensor("weight"), 0) : Sums{}; }
};

// Queries, keys and values of each unit.
Sums inside_magnitudes(const FloatTensor& projections, std::int64_t channels) {
  return absolute_sums(projections, 0, channels,
                       [=](std::int64_t, std::int64_t row) { return row % channels; });
}

// Means over the layers that make a channel, each layer's share relative to its own mean.
class Means {
 public:
  explicit Means(std::size_t channels) : totals_(channels, 0), layers_(channels, 0) {}

  void add(const std::vector<int>& channels, const Sums& magnitudes) {
    if (channels.empty() || magnitudes.empty()) return;
    double mean = 0;
    for (const double each : magnitudes) mean += each / static_cast<double>(magnitudes.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
      totals_[channels[i]] += mean > 0 ? magnitudes[i] / mean : 0;
      ++layers_[channels[i]];
    }
  }

  double at(int channel) const {
    return layers_[channel] == 0 ? 0 : totals_[channel] / static_cast<double>(layers_[channel]);
  }

 private:
  Sums totals_;
  std::vector<std::int64_t> layers_;
};

}  // namespace

ChannelScores l1_scores(const Model& model, const Weights& weights) {
  check_weights(model, weights);
  const ChannelTrace trace = trace_channels(model);
  Means means(trace.set.size());
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    if (!trace.output[i].empty())
      means.add(trace.output[i], std::visit(Magnitudes{layer, weights}, layer.op));
    if (!trace.inside[i].empty())
      means.add(trace.inside[i], inside_magnitudes(weights.at(layer.name + ".in_proj_weight"),
                                                   layer.output.channels));
  }
  const ChannelMap map = map_channels(model);
  ChannelScores scores;
  for (const ChannelTrace::Set& set : trace.sets) {
    if (!can_vary(set, map)) continue;
    scores.emplace_back();
    for (const int channel : set.channels) scores.back().push_back(means.at(channel));
  }
  return scores;
}

ChannelScores random_scores(const Model& model, unsigned seed) {
  std::mt19937_64 random(seed);
  ChannelScores scores;
  for (const ChannelSet& set : channel_sets(model)) {
    scores.emplace_back();
    // Not std::uniform_real_distribution, which differs between standard libraries.
    for (std::int64_t i = 0; i < set.channels; ++i)
      scores.back().push_back(static_cast<double>(random() >> 11) * 0x1p-53);
  }
  return scores;
}

}  // namespace ampere
