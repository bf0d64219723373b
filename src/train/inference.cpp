#include "train/inference.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "train/torch_guard.h"
#include "train/torch_network.h"

namespace ampere {
namespace {

[[noreturn]] void refuse(const Model& model, const std::string& why) {
  throw Error(ErrorCode::usage, fmt::format("{}: {}", model.name(), why));
}

void check_ids(const Model& model, const Layer& layer, const FloatTensor& given) {
  for (const float id : given.values)
    if (!(id >= 0 && id < static_cast<float>(layer.output.channels)))
      refuse(model, fmt::format("input '{}': {} is no token id below {}", layer.name, id,
                                layer.output.channels));
}

at::Tensor input_tensor(const Model& model, const Layer& layer, const FloatTensor& given,
                        std::int64_t batch) {
  std::vector<std::int64_t> sizes = layer.output.axes();
  sizes.insert(sizes.begin(), batch);
  const auto needed = static_cast<std::size_t>(batch * layer.output.elements());
  if (given.sizes != sizes || given.values.size() != needed)
    refuse(model, fmt::format("input '{}' must be a batch of {} times {}", layer.name, batch,
                              to_string(layer.output)));
  const at::Tensor values = at::tensor(given.values).view(sizes);
  if (layer.output.layout != Layout::tokens) return values;
  check_ids(model, layer, given);
  return values.to(at::kLong);
}

std::vector<at::Tensor> input_tensors(const Model& model, const std::vector<FloatTensor>& inputs,
                                      std::int64_t batch) {
  std::vector<at::Tensor> tensors;
  for (const Layer& layer : model.layers()) {
    if (!std::holds_alternative<Input>(layer.op)) continue;
    if (tensors.size() == inputs.size()) refuse(model, "has more inputs than are given");
    tensors.push_back(input_tensor(model, layer, inputs[tensors.size()], batch));
  }
  if (tensors.size() != inputs.size())
    refuse(model, fmt::format("has {} inputs, not {}", tensors.size(), inputs.size()));
  return tensors;
}

}  // namespace

FloatTensor infer(const Model& model, const Weights& weights,
                  const std::vector<FloatTensor>& inputs) {
  if (inputs.empty() || inputs[0].sizes.empty() || inputs[0].sizes[0] < 1)
    refuse(model, "needs inputs with a batch of 1 or more");
  const std::int64_t batch = inputs[0].sizes[0];
  return guarded(model, [&] {
    c10::NoGradGuard no_grad;
    const std::vector<at::Tensor> tensors = input_tensors(model, inputs, batch);
    TorchNetwork network(model, batch, at::kCPU, TorchMode::inference);
    network.load(model, weights);
    return to_floats(network.forward(tensors));
  });
}

}  // namespace ampere
