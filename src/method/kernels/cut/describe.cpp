#include "method/kernels/cut/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "method/kernels/cut/columns.h"
#include "method/kernels/cut/operators.h"

namespace ampere {
namespace {

constexpr std::size_t kNamedInputs = 4;  // of a concatenation

bool is_flat_or_image(Layout layout) { return layout == Layout::flat || layout == Layout::image; }

// Columns of one shape, each with `prefix` in front.
void add_shape(KernelConfig& config, const TensorShape& shape, const std::string& prefix,
               char axis_letter) {
  switch (shape.layout) {
    case Layout::tensor:
      for (std::size_t i = 0; i < shape.extent.size(); ++i)
        config[fmt::format("{}{}", axis_letter, i + 1)] = shape.extent[i];
      return;
    case Layout::tokens:
      config[prefix + "T"] = shape.extent[0];
      if (prefix.empty()) config["VOCABULARY"] = shape.channels;
      return;
    case Layout::sequence:
      config[prefix + "T"] = shape.extent[0];
      break;
    case Layout::line:
      config[prefix + "L"] = shape.extent[0];
      break;
    case Layout::image:
      config[prefix + "HW"] = shape.extent[0];
      config[prefix + "W"] = shape.extent[1];
      break;
    case Layout::flat:
      config[prefix + "HW"] = 1;
      break;
  }
  config[prefix + "CIN"] = shape.channels;
}

void add_window(KernelConfig& config, const std::vector<std::int64_t>& kernel,
                const std::vector<std::int64_t>& stride, const std::vector<std::int64_t>& padding) {
  const auto add = [&](const char* first, const char* second, const auto& values) {
    config[first] = values.front();
    config[second] = values.back();
  };
  add("KERNEL_SIZE", "KERNEL_W", kernel);
  add("STRIDES", "STRIDE_W", stride);
  add("PADDING", "PADDING_W", padding);
}

// What the operator says beyond the shapes it reads and gives.
struct AddOwn {
  KernelConfig& config;
  const TensorShape& output;

  void operator()(const Conv& op) const {
    add_window(config, op.kernel, op.stride, op.padding);
    config["DILATION"] = op.dilation.empty() ? 1 : op.dilation.front();
    if (!op.depthwise && op.groups > 1) config["GROUPS"] = op.groups;
    config["COUT"] = output.channels;
  }
  void operator()(const ConvTranspose& op) const {
    add_window(config, op.kernel, op.stride, op.padding);
    config["DILATION"] = op.dilation.empty() ? 1 : op.dilation.front();
    config["COUT"] = output.channels;
    if (op.groups > 1) config["GROUPS"] = op.groups;
  }
  void operator()(const Pool& op) const { add_window(config, op.kernel, op.stride, op.padding); }
  void operator()(const Linear&) const {
    if (output.layout == Layout::flat) config.erase("HW");
    config["COUT"] = output.channels;
  }
  void operator()(const SelfAttention& op) const { config["HEADS"] = op.heads; }
  void operator()(const GroupNorm& op) const { config["GROUPS"] = op.groups; }
  void operator()(const ChannelShuffle& op) const { config["GROUPS"] = op.groups; }
  void operator()(const Chunk& op) const { config["PARTS"] = op.parts; }
  template <class Other>
  void operator()(const Other&) const {}
};

bool says_its_extent(const Op& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<ConvTranspose>(op) ||
         std::holds_alternative<Pool>(op);
}

// Where the output cannot be told from the input.
void add_output(KernelConfig& config, const Op& op, const TensorShape& input,
                const TensorShape& output) {
  if (output.layout == Layout::tensor) {
    if (output != input) add_shape(config, output, "", 'O');
    return;
  }
  if (std::holds_alternative<Chunk>(op)) return;
  if (output.channels != input.channels) config["COUT"] = output.channels;
  if (says_its_extent(op) || output.extent == input.extent || output.extent.empty()) return;
  config["OUT"] = output.extent.front();
  config["OUT_W"] = output.extent.back();
}

// Inputs by their channels: the first four, and the sum of the others.
KernelConfig concat_config(const std::vector<TensorShape>& inputs) {
  KernelConfig config;
  add_shape(config, inputs.front(), "", 'D');
  config.erase("CIN");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    config[i < kNamedInputs ? fmt::format("CIN{}", i + 1) : "CIN_REST"] += inputs[i].channels;
  config["INPUTS"] = static_cast<std::int64_t>(inputs.size());
  return config;
}

std::vector<TensorShape> inputs_of(const Layer& layer, const Model& model) {
  std::vector<TensorShape> inputs;
  for (const int input : layer.inputs) inputs.push_back(model.layers()[input].output);
  return inputs;
}

KernelConfig config_of(const Layer& head, const Model& alone) {
  const std::vector<TensorShape> inputs = inputs_of(head, alone);
  const auto* concat = std::get_if<Concat>(&head.op);
  if (concat != nullptr && !concat->axis && inputs.front().layout != Layout::tensor)
    return concat_config(inputs);
  KernelConfig config;
  add_shape(config, inputs.front(), "", 'D');
  const auto other =
      std::ranges::find_if(inputs, [&](const auto& shape) { return shape != inputs.front(); });
  if (other != inputs.end()) add_shape(config, *other, "SIDE_", 'S');
  add_output(config, head.op, inputs.front(), head.output);
  std::visit(AddOwn{config, head.output}, head.op);
  return config;
}

// "" for images and flat tensors, of which most kernels are.
std::string layout_suffix(const TensorShape& shape) {
  if (is_flat_or_image(shape.layout)) return "";
  if (shape.layout == Layout::tensor) return fmt::format("@tensor{}", shape.extent.size());
  return std::string("@") + to_string(shape.layout);
}

}  // namespace

KernelName describe_chain(const Model& alone) {
  const auto& layers = alone.layers();
  const auto head = std::ranges::find_if(layers, [](const Layer& l) { return !is_free(l.op); });
  KernelName name;
  if (const auto* chunk = std::get_if<Chunk>(&head->op)) {
    name.type = operator_name(*head, alone);
    name.config["TAKEN"] = std::count_if(head, layers.end(), [](const Layer& layer) {
      return std::holds_alternative<Chunk>(layer.op);
    });
    name.config["PARTS"] = chunk->parts;
  } else {
    for (auto layer = head; layer != layers.end(); ++layer)
      if (!is_free(layer->op))
        name.type += (name.type.empty() ? "" : "+") + operator_name(*layer, alone);
  }
  name.type += layout_suffix(layers[head->inputs.front()].output);
  name.config.merge(config_of(*head, alone));
  name.config = without_usual(name.type, std::move(name.config));
  return name;
}

KernelName describe_squeeze_excite(const Model& alone) {
  KernelName name{kSqueezeExcite, {}};
  add_shape(name.config, alone.layers().front().output, "", 'D');
  const auto first = std::ranges::find_if(
      alone.layers(), [](const Layer& layer) { return is_parametric(layer.op); });
  name.config["MID"] = first->output.channels;
  name.config = without_usual(name.type, std::move(name.config));
  return name;
}

}  // namespace ampere
