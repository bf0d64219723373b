#include "lowering/norms.h"

#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

constexpr double kMomentumOfStatistics = 0.1;  // of running statistics

Argument wanted(const Tensors& inputs) {
  Arguments flags;
  for (const Tensor& input : inputs) flags.emplace_back(input.needs_gradient());
  return flags;
}

// Types of gradients of these inputs, and nothing where none is wanted.
Tensors run_backward(Eager& eager, const char* name, Arguments arguments, const Tensors& inputs) {
  Call call{.name = name, .arguments = std::move(arguments)};
  for (const Tensor& input : inputs) {
    call.results.emplace_back(input);
  }
  eager.recorder.record(call);
  Tensors results;
  for (const Tensor& input : inputs) {
    if (!input.defined()) {
      results.emplace_back();
      continue;
    }
    results.push_back(
        {input.type, eager.recorder.allocate(input.type, false, StorageKind::activation), {}});
  }
  return results;
}

// What a gradient looks like, as a tensor that owns nothing of the input.
Tensor shape_of_gradient(const Tensor& input, const std::shared_ptr<Memory>& any) {
  if (!input.needs_gradient()) return {};
  return {same_type(input), any, {}};
}

}  // namespace

Tensor batch_norm(Eager& eager, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const Tensor& mean, const Tensor& variance, bool training, double epsilon) {
  const std::int64_t channels = x.size(1);
  const TensorType statistic = dense(ElementType::fp32, {training ? channels : 0});
  // In bf16 another implementation than cuDNN is called. It still gets a place for what only cuDNN
  // keeps.
  if (!eager.dialect.is_cuda || x.type.element == ElementType::bf16)
    eager.reserve("empty.memory_format", {Sizes{0}}, dense(ElementType::uint8, {0}),
                  {{"dtype", ElementType::uint8}, {"layout", "strided"}});
  Tensors results = eager.run(
      "batch_norm", {x, weight, bias, mean, variance, training, kMomentumOfStatistics, epsilon},
      std::vector{same_type(x), statistic, statistic});
  const Tensor batch_mean = results[1], deviation = results[2];
  const Tensors inputs{x, weight, bias};
  const std::shared_ptr<Memory> any = batch_mean.memory;
  const Tensors shapes{shape_of_gradient(x, any), shape_of_gradient(weight, any),
                       shape_of_gradient(bias, any)};
  return eager.connected(
      results[0], inputs,
      [&eager, x = detached(x), weight = detached(weight), mean, variance, batch_mean, deviation,
       training, epsilon, flags = wanted(inputs), shapes](const Tensors& gradients) -> Tensors {
        return run_backward(eager, "batch_norm_backward",
                            {gradients[0], x, weight, mean, variance, batch_mean, deviation,
                             training, epsilon, flags},
                            shapes);
      });
}

Tensor layer_norm(Eager& eager, const Tensor& low, const Tensor& weight, const Tensor& bias,
                  double epsilon) {
  const Tensor x = in_full_format(eager, low);
  const Sizes normalised{x.size(-1)};
  Sizes rows = x.sizes();
  rows.back() = 1;
  const TensorType statistic = dense(x.type.element, rows);
  Tensors results = eager.run("native_layer_norm", {x, normalised, weight, bias, epsilon},
                              std::vector{dense(x.type.element, x.sizes()), statistic, statistic});
  const Tensor mean = results[1], deviation = results[2];
  const Tensors inputs{x, weight, bias};
  Tensors shapes;
  for (const Tensor& input : inputs) {
    shapes.push_back(shape_of_gradient(input, mean.memory));
    if (input.needs_gradient()) shapes.back().type = dense(input.type.element, input.sizes());
  }
  return eager.connected(
      results[0], inputs,
      [&eager, x = detached(x), weight = detached(weight), bias = detached(bias), normalised, mean,
       deviation, flags = wanted(inputs), shapes](const Tensors& gradients) -> Tensors {
        return run_backward(eager, "native_layer_norm_backward",
                            {gradients[0], x, normalised, mean, deviation, weight, bias, flags},
                            shapes);
      });
}

Tensor group_norm(Eager& eager, const Tensor& low, const Tensor& weight, const Tensor& bias,
                  std::int64_t groups, double epsilon) {
  const Tensor x = contiguous(eager, in_full_format(eager, low));
  const std::int64_t samples = x.size(0), channels = x.size(1);
  const std::int64_t positions = product(x.sizes()) / (samples * channels);
  const TensorType statistic = dense(x.type.element, {samples, groups});
  Tensors results = eager.run("native_group_norm",
                              {x, weight, bias, samples, channels, positions, groups, epsilon},
                              std::vector{same_type(x), statistic, statistic});
  const Tensor mean = results[1], deviation = results[2];
  const Tensors inputs{x, weight, bias};
  const Tensors shapes{shape_of_gradient(x, mean.memory), shape_of_gradient(weight, mean.memory),
                       shape_of_gradient(bias, mean.memory)};
  return eager.connected(
      results[0], inputs,
      [&eager, x = detached(x), weight = detached(weight), mean, deviation, samples, channels,
       positions, groups, flags = wanted(inputs), shapes](const Tensors& gradients) -> Tensors {
        const Tensor gradient = contiguous(eager, gradients[0]);
        return run_backward(
            eager, "native_group_norm_backward",
            {gradient, x, mean, deviation, weight, samples, channels, positions, groups, flags},
            shapes);
      });
}

// A batch norm in which every sample has channels of its own.
Tensor instance_norm(Eager& eager, const Tensor& input, const Tensor& weight, const Tensor& bias,
                     double epsilon) {
  const std::int64_t samples = input.size(0), channels = input.size(1);
  const auto repeated = [&](const Tensor& each) {
    if (!each.defined()) return each;
    return eager.connected(
        eager.run("repeat", {each, Sizes{samples}}, dense(each.type.element, {samples * channels})),
        {each}, [&eager, samples, channels](const Tensors& gradients) -> Tensors {
          const Tensor rows = reshape(eager, gradients[0], {samples, channels});
          return {
              eager.run("sum.dim_IntList", {rows, Sizes{0}}, dense(rows.type.element, {channels}))};
        });
  };
  const Tensor scale = repeated(weight), shift = repeated(bias);
  const Tensor x = contiguous(eager, input);
  Sizes sizes = x.sizes();
  sizes[0] = 1;
  sizes[1] = samples * channels;
  const Tensor rows = view_as(eager, x, sizes);
  const Tensor result = batch_norm(eager, rows, scale, shift, {}, {}, true, epsilon);
  return view_as(eager, result, x.sizes());
}

}  // namespace ampere::lowering
