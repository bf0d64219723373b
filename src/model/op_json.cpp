#include "model/op_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ampere {
namespace {

using Sizes = std::vector<std::int64_t>;

// One number stands for all axes.
Sizes read_sizes(const JsonField& json) {
  if (json.json().is_number()) return {json.integer()};
  return json.integers();
}

Sizes read_sizes_or_none(const JsonField& json, const std::string& key) {
  return json.has(key) ? read_sizes(json.at(key)) : Sizes{};
}

Layout read_layout(const JsonField& json) {
  const std::string text = json.text();
  std::vector<std::string> names;
  for (const Layout layout :
       {Layout::tokens, Layout::flat, Layout::sequence, Layout::line, Layout::image}) {
    if (text == to_string(layout)) return layout;
    names.emplace_back(to_string(layout));
  }
  json.fail(fmt::format("'{}' is no layout{}", text, suggestion(text, names)));
}

Op read_input(const JsonField& json) {
  Input op;
  op.shape.layout = read_layout(json.at("layout"));
  const bool is_tokens = op.shape.layout == Layout::tokens;
  op.shape.channels = json.at(is_tokens ? "vocabulary" : "channels").integer();
  op.shape.extent = read_sizes_or_none(json, "extent");
  op.boundary = json.boolean_or("boundary", false);
  return op;
}

Op read_conv(const JsonField& json) {
  Conv op;
  op.depthwise = json.boolean_or("depthwise", false);
  if (!op.depthwise) op.out_channels = json.at("out_channels").integer();
  op.kernel = read_sizes(json.at("kernel"));
  op.stride = read_sizes_or_none(json, "stride");
  op.padding = read_sizes_or_none(json, "padding");
  op.dilation = read_sizes_or_none(json, "dilation");
  op.groups = json.integer_or("groups", 1);
  op.bias = json.boolean_or("bias", true);
  return op;
}

template <Pooling pooling>
Op read_pool(const JsonField& json) {
  return Pool{pooling, read_sizes(json.at("kernel")), read_sizes_or_none(json, "stride"),
              read_sizes_or_none(json, "padding"), json.boolean_or("ceil", false)};
}

template <Cell cell>
Op read_recurrent(const JsonField& json) {
  return Recurrent{cell, json.at("hidden").integer()};
}

template <Function function>
Op read_activation(const JsonField&) {
  return Activation{function};
}

template <class Plain>
Op read_plain(const JsonField&) {
  return Plain{};
}

Op read_linear(const JsonField& json) {
  return Linear{json.at("out_features").integer(), json.boolean_or("bias", true)};
}
Op read_embedding(const JsonField& json) { return Embedding{json.at("dim").integer()}; }
Op read_attention(const JsonField& json) { return SelfAttention{json.integer_or("heads", 1)}; }
Op read_adaptive(const JsonField& json) { return AdaptivePool{read_sizes_or_none(json, "extent")}; }
Op read_dropout(const JsonField& json) { return Dropout{json.number_or("probability", 0.5)}; }
Op read_chunk(const JsonField& json) {
  return Chunk{json.integer_or("parts", 2), json.at("index").integer()};
}
Op read_shuffle(const JsonField& json) { return ChannelShuffle{json.integer_or("groups", 2)}; }
Op read_select(const JsonField& json) { return TokenSelect{json.integer_or("index", 0)}; }

struct OpFormat {
  std::string name;
  std::vector<std::string> keys;
  Op (*read)(const JsonField&);
};

const std::vector<OpFormat>& formats() {
  static const std::vector<OpFormat> kFormats{
      {"input", {"layout", "channels", "vocabulary", "extent", "boundary"}, read_input},
      {"conv",
       {"out_channels", "kernel", "stride", "padding", "dilation", "groups", "depthwise", "bias"},
       read_conv},
      {"linear", {"out_features", "bias"}, read_linear},
      {"embedding", {"dim"}, read_embedding},
      {"lstm", {"hidden"}, read_recurrent<Cell::lstm>},
      {"gru", {"hidden"}, read_recurrent<Cell::gru>},
      {"self_attention", {"heads"}, read_attention},
      {"batch_norm", {}, read_plain<BatchNorm>},
      {"layer_norm", {}, read_plain<LayerNorm>},
      {"class_token", {}, read_plain<ClassToken>},
      {"position_embedding", {}, read_plain<PositionEmbedding>},
      {"relu", {}, read_activation<Function::relu>},
      {"relu6", {}, read_activation<Function::relu6>},
      {"gelu", {}, read_activation<Function::gelu>},
      {"silu", {}, read_activation<Function::silu>},
      {"hard_swish", {}, read_activation<Function::hard_swish>},
      {"hard_sigmoid", {}, read_activation<Function::hard_sigmoid>},
      {"sigmoid", {}, read_activation<Function::sigmoid>},
      {"tanh", {}, read_activation<Function::tanh>},
      {"max_pool", {"kernel", "stride", "padding", "ceil"}, read_pool<Pooling::max>},
      {"average_pool", {"kernel", "stride", "padding", "ceil"}, read_pool<Pooling::average>},
      {"adaptive_pool", {"extent"}, read_adaptive},
      {"flatten", {}, read_plain<Flatten>},
      {"dropout", {"probability"}, read_dropout},
      {"add", {}, read_plain<Add>},
      {"multiply", {}, read_plain<Multiply>},
      {"concat", {}, read_plain<Concat>},
      {"chunk", {"parts", "index"}, read_chunk},
      {"channel_shuffle", {"groups"}, read_shuffle},
      {"to_sequence", {}, read_plain<ToSequence>},
      {"token_mean", {}, read_plain<TokenMean>},
      {"token_select", {"index"}, read_select},
  };
  return kFormats;
}

const OpFormat& format_of(const JsonField& op) {
  const std::string name = op.text();
  const auto found = std::ranges::find(formats(), name, &OpFormat::name);
  if (found != formats().end()) return *found;
  std::vector<std::string> names;
  for (const OpFormat& format : formats()) names.push_back(format.name);
  op.fail(fmt::format("'{}' is no operator{}", name, suggestion(name, names)));
}

void check_keys(const JsonField& layer, const OpFormat& format) {
  std::vector<std::string> known{"name", "op", "inputs", "module", "output", "parameters", "flops"};
  known.insert(known.end(), format.keys.begin(), format.keys.end());
  for (const std::string& key : layer.keys())
    if (std::ranges::find(known, key) == known.end())
      layer.fail(fmt::format("'{}' is no key of '{}'{}", key, format.name, suggestion(key, known)));
}

void write_sizes(Json& json, const char* key, const Sizes& sizes, std::int64_t otherwise) {
  if (std::ranges::any_of(sizes, [&](std::int64_t size) { return size != otherwise; }))
    json[key] = sizes;
}

struct Write {
  Json& json;

  void operator()(const Input& op) const {
    json["layout"] = to_string(op.shape.layout);
    json[op.shape.layout == Layout::tokens ? "vocabulary" : "channels"] = op.shape.channels;
    if (!op.shape.extent.empty()) json["extent"] = op.shape.extent;
    if (op.boundary) json["boundary"] = true;
  }
  void operator()(const Conv& op) const {
    if (op.depthwise)
      json["depthwise"] = true;
    else
      json["out_channels"] = op.out_channels;
    json["kernel"] = op.kernel;
    write_sizes(json, "stride", op.stride, 1);
    write_sizes(json, "padding", op.padding, 0);
    write_sizes(json, "dilation", op.dilation, 1);
    if (op.groups != 1) json["groups"] = op.groups;
    if (!op.bias) json["bias"] = false;
  }
  void operator()(const Linear& op) const {
    json["out_features"] = op.out_features;
    if (!op.bias) json["bias"] = false;
  }
  void operator()(const Embedding& op) const { json["dim"] = op.dim; }
  void operator()(const Recurrent& op) const { json["hidden"] = op.hidden; }
  void operator()(const SelfAttention& op) const { json["heads"] = op.heads; }
  void operator()(const Pool& op) const {
    json["kernel"] = op.kernel;
    if (op.stride != op.kernel) json["stride"] = op.stride;
    write_sizes(json, "padding", op.padding, 0);
    if (op.ceil) json["ceil"] = true;
  }
  void operator()(const AdaptivePool& op) const { json["extent"] = op.extent; }
  void operator()(const Dropout& op) const { json["probability"] = op.probability; }
  void operator()(const Chunk& op) const {
    json["parts"] = op.parts;
    json["index"] = op.index;
  }
  void operator()(const ChannelShuffle& op) const { json["groups"] = op.groups; }
  void operator()(const TokenSelect& op) const { json["index"] = op.index; }
  template <class Plain>
  void operator()(const Plain&) const {}
};

}  // namespace

void write_op(const Op& op, Json& json) {
  json["op"] = op_name(op);
  std::visit(Write{json}, op);
}

Op read_op(const JsonField& layer) {
  const OpFormat& format = format_of(layer.at("op"));
  check_keys(layer, format);
  return format.read(layer);
}

}  // namespace ampere
