#include <string>

#include "lowering/autocast.h"
#include "lowering/windows.h"

namespace ampere::lowering {
namespace {

Sizes resized(const Tensor& x, const Sizes& extent) {
  Sizes sizes{x.size(0), x.size(1)};
  sizes.insert(sizes.end(), extent.begin(), extent.end());
  return sizes;
}

// `options` are those between the sizes and the scale, which is always absent.
Tensor upsample(Eager& eager, const Tensor& x, const std::string& name, const Sizes& extent,
                const Arguments& options) {
  const bool vector = eager.dialect.resizes_by_vectors;
  const std::string overload = vector ? ".vec" : "";
  Arguments arguments{x, extent};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (vector) arguments.emplace_back();
  const Tensor result = eager.run((name + overload).c_str(), std::move(arguments),
                                  dense_like(x.type, resized(x, extent)));
  return eager.connected(
      result, {x},
      [&eager, name = name + "_backward" + overload, sizes = x.sizes(), extent, options,
       vector](const Tensors& gradients) -> Tensors {
        Arguments back{gradients[0], extent, sizes};
        back.insert(back.end(), options.begin(), options.end());
        if (vector) back.emplace_back();
        return {eager.run(name.c_str(), std::move(back), dense_like(gradients[0].type, sizes))};
      });
}

}  // namespace

Tensor upsample_nearest(Eager& eager, const Tensor& x, const Sizes& extent) {
  const char* name = extent.size() == 1 ? "upsample_nearest1d" : "upsample_nearest2d";
  return upsample(eager, in_full_format(eager, x), name, extent, {});
}

Tensor upsample_linear(Eager& eager, const Tensor& x, const Sizes& extent, bool align_corners) {
  const char* name = extent.size() == 1 ? "upsample_linear1d" : "upsample_bilinear2d";
  return upsample(eager, in_full_format(eager, x), name, extent, {align_corners});
}

// `amounts` are before and after, the last axis first.
Tensor pad(Eager& eager, const Tensor& x, const Sizes& amounts, double value) {
  Sizes sizes = x.sizes();
  Sizes back;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    sizes[sizes.size() - 1 - i / 2] += amounts[i];
    back.push_back(-amounts[i]);
  }
  const Tensor result =
      eager.run("constant_pad_nd", {x, amounts, value}, dense_like(x.type, sizes));
  return eager.connected(result, {x},
                         [&eager, back, sizes = x.sizes()](const Tensors& gradients) -> Tensors {
                           return {eager.run("constant_pad_nd", {gradients[0], back},
                                             dense_like(gradients[0].type, sizes))};
                         });
}

}  // namespace ampere::lowering
