#include <algorithm>
#include <optional>

#include "model/functions.h"
#include "model/op_json.h"

namespace ampere {
namespace {

using Sizes = std::vector<std::int64_t>;

void write_sizes(Json& json, const char* key, const Sizes& sizes, std::int64_t otherwise) {
  if (std::ranges::any_of(sizes, [&](std::int64_t size) { return size != otherwise; }))
    json[key] = sizes;
}

void write_shape(Json& json, const TensorShape& shape) {
  json["layout"] = to_string(shape.layout);
  if (shape.layout != Layout::tensor)
    json[shape.layout == Layout::tokens ? "vocabulary" : "channels"] = shape.channels;
  if (!shape.extent.empty()) json["extent"] = shape.extent;
}

template <class Norm>
void write_norm(Json& json, const Norm& norm) {
  if (norm.epsilon != kNormEpsilon) json["epsilon"] = norm.epsilon;
  if constexpr (requires { norm.affine; })
    if (!norm.affine) json["affine"] = false;
}

// What convolutions of both directions share.
template <class Convolution>
void write_window(Json& json, const Convolution& op) {
  json["kernel"] = op.kernel;
  write_sizes(json, "stride", op.stride, 1);
  write_sizes(json, "padding", op.padding, 0);
  write_sizes(json, "dilation", op.dilation, 1);
  if (op.groups != 1) json["groups"] = op.groups;
  if (!op.bias) json["bias"] = false;
}

struct Write {
  Json& json;

  void operator()(const Input& op) const {
    write_shape(json, op.shape);
    if (op.boundary) json["boundary"] = true;
  }
  void operator()(const Parameter& op) const {
    write_shape(json, op.shape);
    if (!op.learned) json["learned"] = false;
    if (op.rows > 0) json["rows"] = op.rows;
  }
  void operator()(const PositionEmbedding& op) const {
    if (op.rows > 0) json["rows"] = op.rows;
  }
  void operator()(const Reshape& op) const { write_shape(json, op.shape); }
  void operator()(const Expand& op) const { write_shape(json, op.shape); }
  void operator()(const Conv& op) const {
    if (op.depthwise)
      json["depthwise"] = true;
    else
      json["out_channels"] = op.out_channels;
    write_window(json, op);
  }
  void operator()(const ConvTranspose& op) const {
    json["out_channels"] = op.out_channels;
    write_sizes(json, "output_padding", op.output_padding, 0);
    write_window(json, op);
  }
  void operator()(const Linear& op) const {
    json["out_features"] = op.out_features;
    if (!op.bias) json["bias"] = false;
  }
  void operator()(const Embedding& op) const { json["dim"] = op.dim; }
  void operator()(const Recurrent& op) const {
    json["hidden"] = op.hidden;
    if (op.bidirectional) json["bidirectional"] = true;
    if (!op.bias) json["bias"] = false;
  }
  void operator()(const SelfAttention& op) const {
    json["heads"] = op.heads;
    if (!op.bias) json["bias"] = false;
  }
  void operator()(const Pool& op) const {
    json["kernel"] = op.kernel;
    if (op.stride != op.kernel) json["stride"] = op.stride;
    write_sizes(json, "padding", op.padding, 0);
    if (op.ceil) json["ceil"] = true;
    if (!op.count_padding) json["count_padding"] = false;
  }
  void operator()(const BatchNorm& op) const { write_norm(json, op); }
  void operator()(const LayerNorm& op) const { write_norm(json, op); }
  void operator()(const InstanceNorm& op) const { write_norm(json, op); }
  void operator()(const GroupNorm& op) const {
    json["groups"] = op.groups;
    write_norm(json, op);
  }
  void operator()(const Scale& op) const {
    if (op.bias) json["bias"] = true;
  }
  void operator()(const PRelu& op) const {
    if (op.shared) json["shared"] = true;
  }
  void operator()(const Activation& op) const {
    const std::vector<FunctionInfo::Parameter>& parameters = info(op.function).parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (op.parameters[i] != parameters[i].otherwise) json[parameters[i].name] = op.parameters[i];
  }
  void operator()(const Upsample& op) const {
    json["extent"] = op.extent;
    if (op.interpolation == Interpolation::linear) json["linear"] = true;
    if (op.align_corners) json["align_corners"] = true;
  }
  void operator()(const Pad& op) const {
    write_sizes(json, "before", op.before, 0);
    write_sizes(json, "after", op.after, 0);
    if (op.value != 0) json["value"] = op.value;
  }
  void operator()(const Concat& op) const { write_axis(op.axis); }
  void operator()(const Softmax& op) const { write_axis(op.axis); }
  void operator()(const Slice& op) const {
    write_axis(op.axis);
    if (op.begin != 0) json["begin"] = op.begin;
    json["end"] = op.end;
    if (op.step != 1) json["step"] = op.step;
  }
  void operator()(const Gather& op) const {
    write_axis(op.axis);
    json["count"] = op.count;
  }
  void operator()(const Reduce& op) const { json["axes"] = op.axes; }
  void operator()(const FromSequence& op) const { json["extent"] = op.extent; }
  void operator()(const Permute& op) const { json["order"] = op.order; }
  void operator()(const AdaptivePool& op) const { json["extent"] = op.extent; }
  void operator()(const Dropout& op) const {
    json["probability"] = op.probability;
    if (op.samples) json["samples"] = true;
  }
  void operator()(const Chunk& op) const {
    json["parts"] = op.parts;
    json["index"] = op.index;
  }
  void operator()(const ChannelShuffle& op) const { json["groups"] = op.groups; }
  void operator()(const TokenSelect& op) const { json["index"] = op.index; }
  template <class Plain>
  void operator()(const Plain&) const {}

 private:
  void write_axis(std::optional<std::int64_t> axis) const {
    if (axis) json["axis"] = *axis;
  }
};

}  // namespace

void write_op(const Op& op, Json& json) {
  json["op"] = op_name(op);
  std::visit(Write{json}, op);
}

}  // namespace ampere
