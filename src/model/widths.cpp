#include "model/widths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ampere/error.h"
#include "model/checked.h"

namespace ampere {
namespace {

std::vector<ChannelGroup> free_groups(const ChannelMap& map) {
  std::vector<ChannelGroup> groups;
  for (const ChannelGroup& group : map.groups)
    if (!group.fixed) groups.push_back(group);
  return groups;
}

void check_count(const std::vector<ChannelGroup>& groups, std::size_t given,
                 const std::string& model) {
  if (given == groups.size()) return;
  std::vector<std::string> names;
  for (const ChannelGroup& group : groups) names.push_back(group.name);
  throw Error(ErrorCode::usage, fmt::format("{} has {} widths ({}), not {}", model, groups.size(),
                                            fmt::join(names, ", "), given));
}

void check_width(const ChannelGroup& group, std::int64_t width, std::size_t number) {
  const std::string what = fmt::format("width {} ('{}')", number, group.name);
  check_range(what, width, 1, kMaxWidth);
  if (width % group.multiple_of != 0)
    throw Error(ErrorCode::usage,
                fmt::format("{} must be a multiple of {}, not {}", what, group.multiple_of, width));
}

// The operators that say how many channels they give.
struct SetChannels {
  std::int64_t channels;

  void operator()(Input& op) const {
    if (op.boundary) op.shape.channels = channels;
  }
  void operator()(Parameter& op) const { op.shape.channels = channels; }
  void operator()(Reshape& op) const { op.shape.channels = channels; }
  void operator()(Expand& op) const { op.shape.channels = channels; }
  void operator()(Conv& op) const { op.out_channels = channels; }
  void operator()(ConvTranspose& op) const { op.out_channels = channels; }
  void operator()(Linear& op) const { op.out_features = channels; }
  void operator()(Embedding& op) const { op.dim = channels; }
  void operator()(Recurrent& op) const { op.hidden = op.bidirectional ? channels / 2 : channels; }
  template <class Other>
  void operator()(Other&) const {}
};

Op with_channels(Op op, std::int64_t channels) {
  std::visit(SetChannels{channels}, op);
  return op;
}

}  // namespace

std::vector<ChannelGroup> free_widths(const Model& model, OutputChannels output) {
  return free_groups(map_channels(model, output));
}

Model with_widths(const Model& model, std::span<const std::int64_t> widths, OutputChannels output) {
  return renamed_with_widths(model, widths, output, model.name());
}

Model renamed_with_widths(const Model& model, std::span<const std::int64_t> widths,
                          OutputChannels output, std::string name) {
  ChannelMap map = map_channels(model, output);
  check_count(free_groups(map), widths.size(), model.name());
  std::size_t next = 0;
  for (ChannelGroup& group : map.groups) {
    if (group.fixed) continue;
    check_width(group, widths[next], next + 1);
    group.value = widths[next++];
  }
  ModelBuilder builder(std::move(name));
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    std::int64_t channels = 0;
    for (const ChannelSegment& segment : map.of_layer[i])
      channels = sum({channels, product({segment.multiple, map.groups[segment.group].value})});
    const bool has_channels = !map.of_layer[i].empty();  // neither tokens nor a tensor
    builder.module(layer.module);
    builder.add(has_channels ? with_channels(layer.op, channels) : layer.op, layer.inputs,
                layer.name);
    if (layer.shares >= 0) builder.tie(builder.last(), layer.shares);
  }
  return std::move(builder).build();
}

}  // namespace ampere
