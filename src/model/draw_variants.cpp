#include <algorithm>
#include <random>

#include "ampere/widths.h"
#include "model/draw.h"
#include "model/draw_number.h"
#include "model/width_units.h"

namespace ampere {
namespace {

constexpr std::int64_t kUsualKernel = 7;

std::vector<std::int64_t> draw_widths_around(std::mt19937_64& random, const Model& original) {
  return widths_by_units(original, [&](std::int64_t units) {
    return draw_number(random, std::max<std::int64_t>(1, units / 5),
                       std::max<std::int64_t>(1, units * 9 / 5));
  });
}

// What a convolution gives depends on 2·padding − dilation·kernel alone: a kernel larger by two
// takes one more dilation of padding. A depthwise convolution of kernel 1 would be a mere scale.
// One drawing for all axes, so that square kernels stay square.
void draw_kernel(std::mt19937_64& random, Conv& conv) {
  const std::int64_t largest = *std::ranges::max_element(conv.kernel);
  if (largest == 1) return;
  std::int64_t down = largest, up = (std::max(largest, kUsualKernel) - largest) / 2;
  for (std::size_t axis = 0; axis < conv.kernel.size(); ++axis) {
    if (conv.kernel[axis] == 1) continue;
    const std::int64_t smallest = conv.depthwise ? std::min<std::int64_t>(conv.kernel[axis], 3) : 1;
    down = std::min(
        {down, conv.padding[axis] / conv.dilation[axis], (conv.kernel[axis] - smallest) / 2});
  }
  const std::int64_t steps = draw_number(random, -down, up);
  for (std::size_t axis = 0; axis < conv.kernel.size(); ++axis) {
    if (conv.kernel[axis] == 1) continue;
    conv.kernel[axis] += 2 * steps;
    conv.padding[axis] += conv.dilation[axis] * steps;
  }
}

// Kernels that layers share would have to change together.
bool shares_weight(const Model& model, const Layer& layer) {
  return layer.shares >= 0 || std::ranges::any_of(model.layers(), [&](const Layer& other) {
           return other.shares >= 0 && &model.layers()[other.shares] == &layer;
         });
}

Model with_other_kernels(std::mt19937_64& random, const Model& original) {
  ModelBuilder builder(original.name());
  for (const Layer& layer : original.layers()) {
    Op op = layer.op;
    if (auto* conv = std::get_if<Conv>(&op); conv && !shares_weight(original, layer))
      draw_kernel(random, *conv);
    builder.module(layer.module);
    builder.add(std::move(op), layer.inputs, layer.name);
    if (layer.shares >= 0) builder.tie(builder.last(), layer.shares);
  }
  return std::move(builder).build();
}

}  // namespace

std::vector<Model> draw_variants(const Model& original, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Model> variants;
  for (int i = 0; i < count; ++i) {
    const Model model = with_other_kernels(random, original);
    variants.push_back(with_widths(model, draw_widths_around(random, model)));
  }
  return variants;
}

}  // namespace ampere
