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

Op with_channels(Op op, std::int64_t channels) {
  if (auto* input = std::get_if<Input>(&op)) {
    if (input->boundary) input->shape.channels = channels;
  } else if (auto* conv = std::get_if<Conv>(&op)) {
    conv->out_channels = channels;
  } else if (auto* linear = std::get_if<Linear>(&op)) {
    linear->out_features = channels;
  } else if (auto* embedding = std::get_if<Embedding>(&op)) {
    embedding->dim = channels;
  } else if (auto* recurrent = std::get_if<Recurrent>(&op)) {
    recurrent->hidden = channels;
  }
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
    builder.module(layer.module);
    builder.add(with_channels(layer.op, channels), layer.inputs, layer.name);
  }
  return std::move(builder).build();
}

}  // namespace ampere
