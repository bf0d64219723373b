#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/functions.h"
#include "model/op_json.h"

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
  for (const Layout layout : {Layout::tokens, Layout::flat, Layout::sequence, Layout::line,
                              Layout::image, Layout::tensor}) {
    if (text == to_string(layout)) return layout;
    names.emplace_back(to_string(layout));
  }
  json.fail(fmt::format("'{}' is no layout{}", text, suggestion(text, names)));
}

TensorShape read_shape(const JsonField& json) {
  TensorShape shape;
  shape.layout = read_layout(json.at("layout"));
  const bool is_tokens = shape.layout == Layout::tokens;
  if (shape.layout == Layout::tensor)
    shape.channels = json.integer_or("channels", 1);
  else
    shape.channels = json.at(is_tokens ? "vocabulary" : "channels").integer();
  shape.extent = read_sizes_or_none(json, "extent");
  return shape;
}

Op read_input(const JsonField& json) {
  return Input{read_shape(json), json.boolean_or("boundary", false)};
}
Op read_parameter(const JsonField& json) {
  return Parameter{read_shape(json), json.boolean_or("learned", true), json.integer_or("rows", 0)};
}
template <class Reshaping>
Op read_reshaping(const JsonField& json) {
  return Reshaping{read_shape(json)};
}

// What convolutions of both directions share.
template <class Convolution>
void read_window(const JsonField& json, Convolution& op) {
  op.kernel = read_sizes(json.at("kernel"));
  op.stride = read_sizes_or_none(json, "stride");
  op.padding = read_sizes_or_none(json, "padding");
  op.dilation = read_sizes_or_none(json, "dilation");
  op.groups = json.integer_or("groups", 1);
  op.bias = json.boolean_or("bias", true);
}

Op read_conv(const JsonField& json) {
  Conv op;
  op.depthwise = json.boolean_or("depthwise", false);
  if (!op.depthwise) op.out_channels = json.at("out_channels").integer();
  read_window(json, op);
  return op;
}

Op read_conv_transpose(const JsonField& json) {
  ConvTranspose op;
  op.out_channels = json.at("out_channels").integer();
  op.output_padding = read_sizes_or_none(json, "output_padding");
  read_window(json, op);
  return op;
}

template <Pooling pooling>
Op read_pool(const JsonField& json) {
  return Pool{pooling,
              read_sizes(json.at("kernel")),
              read_sizes_or_none(json, "stride"),
              read_sizes_or_none(json, "padding"),
              json.boolean_or("ceil", false),
              json.boolean_or("count_padding", true)};
}

template <Pooling pooling>
Op read_adaptive(const JsonField& json) {
  return AdaptivePool{read_sizes_or_none(json, "extent"), pooling};
}

template <Cell cell>
Op read_recurrent(const JsonField& json) {
  return Recurrent{cell, json.at("hidden").integer(), json.boolean_or("bidirectional", false),
                   json.boolean_or("bias", true)};
}

double read_epsilon(const JsonField& json) { return json.number_or("epsilon", kNormEpsilon); }
bool read_affine(const JsonField& json) { return json.boolean_or("affine", true); }

Op read_batch_norm(const JsonField& json) { return BatchNorm{read_epsilon(json)}; }
Op read_group_norm(const JsonField& json) {
  return GroupNorm{json.at("groups").integer(), read_epsilon(json), read_affine(json)};
}
template <class Norm>
Op read_norm(const JsonField& json) {
  return Norm{read_epsilon(json), read_affine(json)};
}

Op read_upsample(const JsonField& json) {
  const bool linear = json.boolean_or("linear", false);
  return Upsample{read_sizes(json.at("extent")),
                  linear ? Interpolation::linear : Interpolation::nearest,
                  json.boolean_or("align_corners", false)};
}

Op read_pad(const JsonField& json) {
  return Pad{read_sizes_or_none(json, "before"), read_sizes_or_none(json, "after"),
             json.number_or("value", 0)};
}

std::optional<std::int64_t> read_axis(const JsonField& json) {
  if (!json.has("axis")) return std::nullopt;
  return json.at("axis").integer();
}

Op read_concat(const JsonField& json) { return Concat{read_axis(json)}; }
Op read_slice(const JsonField& json) {
  return Slice{read_axis(json), json.integer_or("begin", 0), json.at("end").integer(),
               json.integer_or("step", 1)};
}
Op read_gather(const JsonField& json) {
  return Gather{read_axis(json), json.at("count").integer()};
}
template <bool log>
Op read_softmax(const JsonField& json) {
  return Softmax{read_axis(json), log};
}
template <Reduction reduction>
Op read_reduce(const JsonField& json) {
  return Reduce{reduction, read_sizes(json.at("axes"))};
}

template <class Plain>
Op read_plain(const JsonField&) {
  return Plain{};
}

Op read_linear(const JsonField& json) {
  return Linear{json.at("out_features").integer(), json.boolean_or("bias", true)};
}
Op read_embedding(const JsonField& json) { return Embedding{json.at("dim").integer()}; }
Op read_attention(const JsonField& json) {
  return SelfAttention{json.integer_or("heads", 1), json.boolean_or("bias", true)};
}
Op read_dropout(const JsonField& json) {
  return Dropout{json.number_or("probability", 0.5), json.boolean_or("samples", false)};
}
Op read_position(const JsonField& json) { return PositionEmbedding{json.integer_or("rows", 0)}; }
Op read_chunk(const JsonField& json) {
  return Chunk{json.integer_or("parts", 2), json.at("index").integer()};
}
Op read_shuffle(const JsonField& json) { return ChannelShuffle{json.integer_or("groups", 2)}; }
Op read_select(const JsonField& json) { return TokenSelect{json.integer_or("index", 0)}; }
Op read_scale(const JsonField& json) { return Scale{json.boolean_or("bias", false)}; }
Op read_prelu(const JsonField& json) { return PRelu{json.boolean_or("shared", false)}; }
Op read_from_sequence(const JsonField& json) { return FromSequence{read_sizes(json.at("extent"))}; }
Op read_permute(const JsonField& json) { return Permute{json.at("order").integers()}; }

struct OpFormat {
  std::string name;
  std::vector<std::string> keys;
  Op (*read)(const JsonField&);
};

// Activations are read by the table of functions.
const std::vector<OpFormat>& formats() {
  static const std::vector<OpFormat> kFormats{
      {"input", {"layout", "channels", "vocabulary", "extent", "boundary"}, read_input},
      {"conv",
       {"out_channels", "kernel", "stride", "padding", "dilation", "groups", "depthwise", "bias"},
       read_conv},
      {"conv_transpose",
       {"out_channels", "kernel", "stride", "padding", "output_padding", "dilation", "groups",
        "bias"},
       read_conv_transpose},
      {"linear", {"out_features", "bias"}, read_linear},
      {"embedding", {"dim"}, read_embedding},
      {"lstm", {"hidden", "bidirectional", "bias"}, read_recurrent<Cell::lstm>},
      {"gru", {"hidden", "bidirectional", "bias"}, read_recurrent<Cell::gru>},
      {"self_attention", {"heads", "bias"}, read_attention},
      {"batch_norm", {"epsilon"}, read_batch_norm},
      {"layer_norm", {"epsilon", "affine"}, read_norm<LayerNorm>},
      {"group_norm", {"groups", "epsilon", "affine"}, read_group_norm},
      {"instance_norm", {"epsilon", "affine"}, read_norm<InstanceNorm>},
      {"scale", {"bias"}, read_scale},
      {"prelu", {"shared"}, read_prelu},
      {"class_token", {}, read_plain<ClassToken>},
      {"position_embedding", {"rows"}, read_position},
      {"parameter", {"layout", "channels", "extent", "learned", "rows"}, read_parameter},
      {"max_pool", {"kernel", "stride", "padding", "ceil"}, read_pool<Pooling::max>},
      {"average_pool",
       {"kernel", "stride", "padding", "ceil", "count_padding"},
       read_pool<Pooling::average>},
      {"adaptive_pool", {"extent"}, read_adaptive<Pooling::average>},
      {"adaptive_max_pool", {"extent"}, read_adaptive<Pooling::max>},
      {"upsample", {"extent", "linear", "align_corners"}, read_upsample},
      {"pad", {"before", "after", "value"}, read_pad},
      {"flatten", {}, read_plain<Flatten>},
      {"dropout", {"probability", "samples"}, read_dropout},
      {"add", {}, read_plain<Add>},
      {"multiply", {}, read_plain<Multiply>},
      {"subtract", {}, read_plain<Subtract>},
      {"divide", {}, read_plain<Divide>},
      {"concat", {"axis"}, read_concat},
      {"chunk", {"parts", "index"}, read_chunk},
      {"slice", {"axis", "begin", "end", "step"}, read_slice},
      {"gather", {"axis", "count"}, read_gather},
      {"softmax", {"axis"}, read_softmax<false>},
      {"log_softmax", {"axis"}, read_softmax<true>},
      {"reduce_mean", {"axes"}, read_reduce<Reduction::mean>},
      {"reduce_sum", {"axes"}, read_reduce<Reduction::sum>},
      {"reduce_max", {"axes"}, read_reduce<Reduction::max>},
      {"reduce_l2", {"axes"}, read_reduce<Reduction::l2>},
      {"channel_shuffle", {"groups"}, read_shuffle},
      {"to_sequence", {}, read_plain<ToSequence>},
      {"from_sequence", {"extent"}, read_from_sequence},
      {"token_mean", {}, read_plain<TokenMean>},
      {"token_select", {"index"}, read_select},
      {"reshape", {"layout", "channels", "extent"}, read_reshaping<Reshape>},
      {"permute", {"order"}, read_permute},
      {"expand", {"layout", "channels", "extent"}, read_reshaping<Expand>},
      {"matmul", {}, read_plain<MatMul>},
  };
  return kFormats;
}

[[noreturn]] void refuse_op(const JsonField& op, const std::string& name) {
  std::vector<std::string> names;
  for (const OpFormat& format : formats()) names.push_back(format.name);
  for (const FunctionInfo& function : functions()) names.push_back(function.name);
  op.fail(fmt::format("'{}' is no operator{}", name, suggestion(name, names)));
}

void check_keys(const JsonField& layer, const std::string& op,
                const std::vector<std::string>& own) {
  std::vector<std::string> known{"name",   "op",     "inputs",     "module",
                                 "shares", "output", "parameters", "flops"};
  known.insert(known.end(), own.begin(), own.end());
  for (const std::string& key : layer.keys())
    if (std::ranges::find(known, key) == known.end())
      layer.fail(fmt::format("'{}' is no key of '{}'{}", key, op, suggestion(key, known)));
}

Op read_activation(const JsonField& layer, const FunctionInfo& function) {
  Activation op{function.function};
  std::vector<std::string> keys;
  for (const FunctionInfo::Parameter& parameter : function.parameters) {
    keys.push_back(parameter.name);
    op.parameters.push_back(layer.number_or(parameter.name, parameter.otherwise));
  }
  check_keys(layer, function.name, keys);
  return op;
}

}  // namespace

Op read_op(const JsonField& layer) {
  const std::string name = layer.at("op").text();
  const auto format = std::ranges::find(formats(), name, &OpFormat::name);
  if (format != formats().end()) {
    check_keys(layer, name, format->keys);
    return format->read(layer);
  }
  const auto function = std::ranges::find(functions(), name, &FunctionInfo::name);
  if (function == functions().end()) refuse_op(layer.at("op"), name);
  return read_activation(layer, *function);
}

}  // namespace ampere
