#include "lowering/autocast.h"
#include "lowering/views.h"
#include "lowering/windows.h"

namespace ampere::lowering {
namespace {

// Images whose input or weight has its channels last are convolved in that order.
TensorType in_order(const Tensor& x, const Tensor& weight, Sizes sizes) {
  return dense_like(is_channels_last(weight.type) ? weight.type : x.type, std::move(sizes));
}

Argument output_mask(bool x, bool weight, bool bias) { return Arguments{x, weight, bias}; }

}  // namespace

Tensor convolution(Eager& eager, const Tensor& input, const Tensor& full_weight,
                   const Tensor& full_bias, const Convolution& how, const Sizes& sizes) {
  const Tensors low = in_low_format(eager, {input, full_weight, full_bias});
  const Tensor x = low[0], weight = low[1], bias = low[2];
  const Arguments options{how.stride,     how.padding,        how.dilation,
                          how.transposed, how.output_padding, how.groups};
  Arguments arguments{x, weight, bias};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Tensor result = eager.run("convolution", std::move(arguments), in_order(x, weight, sizes));
  const Sizes bias_sizes = bias.defined() ? bias.sizes() : Sizes{0};
  return eager.connected(
      result, {x, weight, bias},
      [&eager, x = detached(x), weight = detached(weight), options, bias_sizes,
       wants_x = x.needs_gradient(), wants_weight = weight.needs_gradient(),
       wants_bias = bias.needs_gradient()](const Tensors& gradients) {
        Call call{.name = "convolution_backward",
                  .arguments = {gradients[0], x, weight, bias_sizes}};
        call.arguments.insert(call.arguments.end(), options.begin(), options.end());
        call.arguments.push_back(output_mask(wants_x, wants_weight, wants_bias));
        const std::vector<TensorType> types{in_order(x, weight, x.sizes()),
                                            in_order(x, weight, weight.sizes()),
                                            dense(x.type.element, bias_sizes)};
        const bool wanted[] = {wants_x, wants_weight, wants_bias};
        for (int i = 0; i < 3; ++i)
          call.results.push_back(wanted[i] ? Argument(types[i]) : Argument{});
        eager.recorder.record(call);
        Tensors results(3);
        for (int i = 0; i < 3; ++i)
          if (wanted[i])
            results[i] = {
                types[i], eager.recorder.allocate(types[i], false, StorageKind::activation), {}};
        return results;
      });
}

}  // namespace ampere::lowering
