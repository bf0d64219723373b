#include <algorithm>
#include <optional>
#include <utility>

#include "ampere/block.h"
#include "ampere/error.h"
#include "block/features.h"
#include "block/fragment.h"
#include "model/axes.h"

namespace ampere {
namespace {

using KindPtr = std::shared_ptr<const BlockKind>;

// Widths of blocks built only to find their kinds: any will do.
constexpr std::int64_t kAnyChannels = 8;
constexpr std::int64_t kPlainImageChannels = 3;
constexpr std::int64_t kPlainVocabulary = 1000;
constexpr std::int64_t kPlainFeatures = 32;

const TensorShape& main_input(const BlockKind& kind) {
  return kind.pattern.layers().front().output;
}

const BlockKind* find_role(std::span<const Block> own, Role role) {
  for (const Block& block : own)
    if (block.kind->role == role) return block.kind.get();
  return nullptr;
}

// Whether this layer's channels are the kind's one feature and nothing else, so that a neighbour
// with any number of channels fits.
bool is_only_feature(const BlockKind& kind, std::size_t layer) {
  const FeatureMap map = map_features(kind.pattern, kind.role);
  if (map.features.size() != 1 || map.features.front().multiple_of != 1) return false;
  return map.channels.of_layer[layer] == std::vector<ChannelSegment>{{map.groups.front(), 1}};
}

bool same_place(const TensorShape& a, const TensorShape& b) {
  return a.layout == b.layout && a.extent == b.extent;
}

void add_last_axis_mean(ModelBuilder& builder) {
  const std::vector<std::int64_t> axes = builder.shape(builder.last()).extent;
  Reduce mean;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i)
    mean.axes.push_back(static_cast<std::int64_t>(i));
  if (!mean.axes.empty()) builder.add(std::move(mean));
  builder.add(Reshape{flat(axes.back())});
}

// The plain output block. Its pooling is a module, so that it does not join the block before it;
// the linear layer is not in the module, as its classes are no multiple of what the module reads.
void add_head(ModelBuilder& builder, std::int64_t classes) {
  builder.module("head");
  const TensorShape& shape = builder.shape(builder.last());
  switch (shape.layout) {
    case Layout::image:
    case Layout::line:
      builder.add(AdaptivePool{std::vector<std::int64_t>(shape.extent.size(), 1)});
      builder.add(Flatten{});
      break;
    case Layout::sequence:
      builder.add(TokenMean{});
      break;
    case Layout::tensor:
      add_last_axis_mean(builder);
      break;
    case Layout::flat:
    case Layout::tokens:
      break;
  }
  builder.module("");
  builder.add(Linear{classes});
}

KindPtr plain_output(TensorShape shape, std::int64_t classes) {
  if (shape.layout != Layout::tensor) shape.channels = kAnyChannels;
  ModelBuilder builder("head");
  builder.add(Input{std::move(shape), true}, std::vector<int>{});
  add_head(builder, classes);
  return parse_blocks(std::move(builder).build()).back().kind;
}

KindPtr output_companion(const BlockKind& kind, std::span<const Block> own) {
  const TensorShape& given = kind.pattern.output().output;
  for (const Block& block : own)
    if (block.kind->role == Role::output) {
      const BlockKind& output = *block.kind;
      if (same_place(main_input(output), given) && is_only_feature(output, 0)) return block.kind;
      return plain_output(given, features(output.pattern.output().output));
    }
  throw Error(ErrorCode::usage,
              "no output block among the network's own blocks for a variant of '" + kind.title +
                  "'; pass parse_blocks of the whole network");
}

// The input block at another extent of the raw data; nothing when its layers do not fit there.
std::optional<Model> resized(const Model& pattern, const std::vector<std::int64_t>& extent) {
  try {
    ModelBuilder builder("input");
    Input raw = std::get<Input>(pattern.layers().front().op);
    raw.shape.extent = extent;
    append_fragment(builder, pattern, builder.add(std::move(raw), std::vector<int>{}), "");
    return std::move(builder).build();
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::int64_t output_axis(const Model& pattern, std::vector<std::int64_t> extent, std::size_t axis,
                         std::int64_t length) {
  extent[axis] = length;
  const std::optional<Model> model = resized(pattern, extent);
  return model ? model->output().output.extent[axis] : 0;
}

// Raw length along one axis whose output has the asked length. Output lengths grow with raw ones;
// where several fit, the one in the network's own proportion is taken, else the smallest.
std::int64_t raw_length(const Model& pattern, std::size_t axis, std::int64_t asked) {
  const std::vector<std::int64_t>& own = pattern.layers().front().output.extent;
  const std::int64_t in_proportion = asked * own[axis] / pattern.output().output.extent[axis];
  if (in_proportion > 0 && output_axis(pattern, own, axis, in_proportion) == asked)
    return in_proportion;
  std::int64_t low = 1, high = 16 * asked + 64;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (output_axis(pattern, own, axis, middle) < asked)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool has_one_raw_input(const Model& pattern) {
  const auto inputs =
      std::count_if(pattern.layers().begin(), pattern.layers().end(),
                    [](const Layer& layer) { return std::holds_alternative<Input>(layer.op); });
  const Input* first = std::get_if<Input>(&pattern.layers().front().op);
  return inputs == 1 && first && !first->boundary;
}

// The network's own input block, at the raw extent where it delivers what is needed.
std::optional<Model> own_input(const BlockKind& own, const TensorShape& needed) {
  const Model& pattern = own.pattern;
  const TensorShape& given = pattern.output().output;
  if (!has_one_raw_input(pattern) || given.layout != needed.layout) return std::nullopt;
  if (!is_only_feature(own, pattern.layers().size() - 1)) return std::nullopt;
  if (given.extent == needed.extent) return pattern;
  std::vector<std::int64_t> raw = main_input(own).extent;
  if (raw.size() != needed.extent.size()) return std::nullopt;
  for (std::size_t axis = 0; axis < raw.size(); ++axis)
    raw[axis] = raw_length(pattern, axis, needed.extent[axis]);
  std::optional<Model> model = resized(pattern, raw);
  return model && model->output().output.extent == needed.extent ? model : std::nullopt;
}

void add_raw(ModelBuilder& builder, TensorShape shape) {
  builder.add(Input{std::move(shape), false}, std::vector<int>{});
}

void add_plain_conv(ModelBuilder& builder, TensorShape shape) {
  const std::vector<std::int64_t> ones(shape.extent.size(), 1);
  const std::vector<std::int64_t> kernel(shape.extent.size(), 3);
  add_raw(builder, std::move(shape));
  builder.add(Conv{kAnyChannels, kernel, ones, ones, ones});
  builder.add(Activation{Function::relu});
}

// `raw` is what the network itself reads, where it is of use.
Model plain_input(const TensorShape& needed, const TensorShape* raw) {
  ModelBuilder builder("input");
  TensorShape shape = needed;
  switch (needed.layout) {
    case Layout::image:
    case Layout::line:
      shape.channels = raw && raw->layout == needed.layout ? raw->channels : kPlainImageChannels;
      add_plain_conv(builder, std::move(shape));
      break;
    case Layout::sequence:
    case Layout::tokens:
      add_raw(builder,
              tokens(needed.extent.front(),
                     raw && raw->layout == Layout::tokens ? raw->channels : kPlainVocabulary));
      builder.add(Embedding{kAnyChannels});
      break;
    case Layout::flat:
      add_raw(builder, flat(kPlainFeatures));
      builder.add(Linear{kAnyChannels});
      builder.add(Activation{Function::relu});
      break;
    case Layout::tensor:
      shape.extent.back() = kPlainFeatures;
      add_raw(builder, std::move(shape));
      builder.add(Linear{needed.extent.back()});
      builder.add(Activation{Function::relu});
      break;
  }
  return std::move(builder).build();
}

// As parse_blocks will find it in the variant.
KindPtr kind_in_front(const Model& input) {
  ModelBuilder builder("input");
  append_fragment(builder, input, -1, "");
  add_head(builder, kAnyChannels);
  return parse_blocks(std::move(builder).build()).front().kind;
}

KindPtr input_companion(const BlockKind& kind, std::span<const Block> own) {
  const TensorShape& needed = main_input(kind);
  const BlockKind* input = find_role(own, Role::input);
  if (input)
    if (const std::optional<Model> model = own_input(*input, needed)) return kind_in_front(*model);
  return kind_in_front(plain_input(needed, input ? &main_input(*input) : nullptr));
}

}  // namespace

Companions companions(const BlockKind& kind, std::span<const Block> own) {
  if (kind.role == Role::output) return {};
  KindPtr output = output_companion(kind, own);
  if (kind.role == Role::input) return {nullptr, std::move(output)};
  return {input_companion(kind, own), std::move(output)};
}

}  // namespace ampere
