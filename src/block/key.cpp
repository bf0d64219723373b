#include "block/key.h"

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

// One overload per operator that has something fixed beside its name. A dropout's probability does
// not enter: it does not change what the layer costs.
template <class T>
void append_fixed(std::string&, const T&) {}

void append_fixed(std::string& text, const Conv& conv) {
  append(text, " k", conv.kernel);
  append(text, " s", conv.stride);
  append(text, " p", conv.padding);
  append(text, " d", conv.dilation);
  if (conv.depthwise)
    text += " depthwise";
  else
    append(text, " g", conv.groups);
  if (!conv.bias) text += " no_bias";
}

void append_fixed(std::string& text, const Linear& linear) {
  if (!linear.bias) text += " no_bias";
}

void append_fixed(std::string& text, const SelfAttention& attention) {
  append(text, " heads", attention.heads);
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

void append_input(std::string& text, const Input& input, const FeatureMap& map, std::size_t layer) {
  text += input.boundary ? "input " : "data ";
  text += to_string(input.shape.layout);
  if (input.boundary)
    append_channels(text, map, layer);
  else
    append(text, " ", input.shape.channels);
  if (!input.shape.extent.empty()) append(text, " @", input.shape.extent);
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
  if (is_parametric(layer.op)) append_channels(text, map, index);
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
