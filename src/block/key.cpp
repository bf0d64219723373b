#include "block/key.h"

#include <fmt/format.h>

#include <optional>

namespace ampere {
namespace {

void append(std::string& text, const char* label, std::int64_t value) {
  text += label;
  text += std::to_string(value);
}

void append(std::string& text, const char* label, const std::vector<std::int64_t>& values) {
  text += label;
  text += extent_text(values);
}

// One overload per operator that has something fixed beside its name. What does not change the cost
// of a layer does not enter: a dropout's probability, a norm's epsilon, the slope of a function.
template <class T>
void append_fixed(std::string&, const T&) {}

template <class Convolution>
void append_window(std::string& text, const Convolution& conv) {
  append(text, " k", conv.kernel);
  append(text, " s", conv.stride);
  append(text, " p", conv.padding);
  append(text, " d", conv.dilation);
}

void append_fixed(std::string& text, const Conv& conv) {
  append_window(text, conv);
  if (conv.depthwise)
    text += " depthwise";
  else
    append(text, " g", conv.groups);
  if (!conv.bias) text += " no_bias";
}

void append_fixed(std::string& text, const ConvTranspose& conv) {
  append_window(text, conv);
  append(text, " o", conv.output_padding);
  append(text, " g", conv.groups);
  if (!conv.bias) text += " no_bias";
}

void append_fixed(std::string& text, const Linear& linear) {
  if (!linear.bias) text += " no_bias";
}

void append_fixed(std::string& text, const Recurrent& recurrent) {
  if (recurrent.bidirectional) text += " bidirectional";
  if (!recurrent.bias) text += " no_bias";
}

void append_fixed(std::string& text, const SelfAttention& attention) {
  append(text, " heads", attention.heads);
  if (!attention.bias) text += " no_bias";
}

void append_fixed(std::string& text, const Pool& pool) {
  append(text, " k", pool.kernel);
  append(text, " s", pool.stride);
  append(text, " p", pool.padding);
  if (pool.ceil) text += " ceil";
}

void append_fixed(std::string& text, const AdaptivePool& pool) { append(text, " to", pool.extent); }

void append_fixed(std::string& text, const Chunk& chunk) {
  append(text, " ", chunk.index);
  append(text, "/", chunk.parts);
}

void append_fixed(std::string& text, const ChannelShuffle& shuffle) {
  append(text, " g", shuffle.groups);
}

void append_fixed(std::string& text, const TokenSelect& select) { append(text, " ", select.index); }

void append_fixed(std::string& text, const LayerNorm& norm) {
  if (!norm.affine) text += " no_affine";
}

void append_fixed(std::string& text, const GroupNorm& norm) {
  append(text, " g", norm.groups);
  if (!norm.affine) text += " no_affine";
}

void append_fixed(std::string& text, const InstanceNorm& norm) {
  if (!norm.affine) text += " no_affine";
}

void append_fixed(std::string& text, const Scale& scale) {
  if (scale.bias) text += " bias";
}

void append_fixed(std::string& text, const PRelu& prelu) {
  if (prelu.shared) text += " shared";
}

// Some exponents are a multiplication, others a logarithm.
void append_fixed(std::string& text, const Activation& activation) {
  if (activation.function == Function::power)
    text += fmt::format(" {}", activation.parameters.front());
}

void append_fixed(std::string& text, const Dropout& dropout) {
  if (dropout.samples) text += " samples";
}

void append_fixed(std::string& text, const PositionEmbedding& position) {
  if (position.rows > 0) append(text, " rows", position.rows);
}

void append_fixed(std::string& text, const Parameter& parameter) {
  if (parameter.rows > 0) append(text, " rows", parameter.rows);
}

void append_fixed(std::string& text, const Upsample& upsample) {
  append(text, " to", upsample.extent);
  if (upsample.interpolation == Interpolation::linear) text += " linear";
}

void append_fixed(std::string& text, const Pad& pad) {
  append(text, " b", pad.before);
  append(text, " a", pad.after);
}

void append_axis(std::string& text, std::optional<std::int64_t> axis) {
  if (axis) append(text, " axis", *axis);
}

void append_fixed(std::string& text, const Concat& concat) { append_axis(text, concat.axis); }

void append_fixed(std::string& text, const Softmax& softmax) { append_axis(text, softmax.axis); }

void append_fixed(std::string& text, const Slice& slice) {
  append_axis(text, slice.axis);
  append(text, " ", slice.begin);
  append(text, ":", slice.end);
  append(text, ":", slice.step);
}

void append_fixed(std::string& text, const Gather& gather) {
  append_axis(text, gather.axis);
  append(text, " ", gather.count);
}

void append_fixed(std::string& text, const Reduce& reduce) { append(text, " axes", reduce.axes); }

void append_fixed(std::string& text, const FromSequence& op) { append(text, " to", op.extent); }

void append_fixed(std::string& text, const Permute& permute) { append(text, " ", permute.order); }

// "c_out", "4*c", "c_side1+c_out", "10".
void append_channels(std::string& text, const FeatureMap& map, std::size_t layer) {
  char separator = ' ';
  for (const ChannelSegment& segment : map.channels.of_layer[layer]) {
    text += separator;
    separator = '+';
    const int feature = map.feature_of_group[segment.group];
    if (feature < 0) {
      text += std::to_string(segment.multiple * map.channels.groups[segment.group].value);
      continue;
    }
    if (segment.multiple != 1) text += std::to_string(segment.multiple) + '*';
    text += map.features[feature].name;
  }
}

void append_shape(std::string& text, const TensorShape& shape, const FeatureMap& map,
                  std::size_t layer) {
  text += to_string(shape.layout);
  append_channels(text, map, layer);
  if (!shape.extent.empty()) append(text, " @", shape.extent);
}

void append_input(std::string& text, const Input& input, const FeatureMap& map, std::size_t layer) {
  text += input.boundary ? "input " : "data ";
  if (input.shape.layout != Layout::tokens) return append_shape(text, input.shape, map, layer);
  text += to_string(input.shape.layout);
  append(text, " ", input.shape.channels);
  append(text, " @", input.shape.extent);
}

// What a layer makes where its operator alone does not say it.
void append_made(std::string& text, const Layer& layer, const FeatureMap& map, std::size_t index) {
  const Op& op = layer.op;
  if (std::holds_alternative<Parameter>(op) || std::holds_alternative<Reshape>(op) ||
      std::holds_alternative<Expand>(op)) {
    text += ' ';
    append_shape(text, layer.output, map, index);
  } else if (is_parametric(op)) {
    append_channels(text, map, index);
    if (layer.output.layout == Layout::tensor) append(text, " ", layer.output.extent.back());
  }
}

// Nothing where a layer reads just the one before it.
void append_reads(std::string& text, const Layer& layer, std::size_t index) {
  if (layer.inputs.size() == 1 && layer.inputs.front() + 1 == static_cast<int>(index)) return;
  const char* separator = " <";
  for (int input : layer.inputs) {
    append(text, separator, input);
    separator = ",";
  }
}

void append_layer(std::string& text, const Layer& layer, const FeatureMap& map, std::size_t index) {
  if (const Input* input = std::get_if<Input>(&layer.op)) {
    append_input(text, *input, map, index);
    return;
  }
  text += op_name(layer.op);
  std::visit([&](const auto& op) { append_fixed(text, op); }, layer.op);
  append_made(text, layer, map, index);
  append_reads(text, layer, index);
}

bool has_module(const Model& fragment) {
  for (const Layer& layer : fragment.layers())
    if (!layer.module.empty()) return true;
  return false;
}

}  // namespace

std::string extent_text(const std::vector<std::int64_t>& extent) {
  std::string text;
  for (std::int64_t axis : extent) {
    if (!text.empty()) text += 'x';
    text += std::to_string(axis);
  }
  return text;
}

std::string kind_key(const Model& fragment, Role role, const FeatureMap& map) {
  std::string text = to_string(role);
  if (has_module(fragment)) text += " module";
  const char* separator = ": ";
  for (std::size_t i = 0; i < fragment.layers().size(); ++i) {
    text += separator;
    append_layer(text, fragment.layers()[i], map, i);
    separator = "; ";
  }
  return text;
}

}  // namespace ampere
