#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/reductions.h"
#include "lowering/views.h"
#include "lowering/windows.h"

namespace ampere::lowering {
namespace {

// Pooling along a line is pooling of an image of height 1.
template <class Pool>
Tensor as_image(Eager& eager, const Tensor& x, Pool pool) {
  if (x.rank() == 4) return pool(x);
  return squeeze(eager, pool(unsqueeze(eager, x, -2)), -2);
}

Sizes with_row(Sizes sizes, std::int64_t row) {
  if (sizes.size() == 1) sizes.insert(sizes.begin(), row);
  return sizes;
}

Sizes image_sizes(Sizes sizes) {
  if (sizes.size() == 3) sizes.insert(sizes.begin() + 2, 1);
  return sizes;
}

TensorType indices_of(TensorType type) {
  type.element = ElementType::int64;
  return type;
}

bool all_equal(const Sizes& sizes, std::int64_t value) {
  for (const std::int64_t size : sizes)
    if (size != value) return false;
  return true;
}

Tensor new_zeros(Eager& eager, const Tensor& like, std::int64_t count) {
  const TensorType type = dense(like.type.element, {count});
  if (!eager.dialect.zeros_in_two_calls) return eager.run("new_zeros", {like, type.sizes}, type);
  const Tensor zeros = eager.reserve("new_empty", {like, type.sizes}, type);
  eager.change("zero_", zeros, {zeros});
  return zeros;
}

// A result that lies as one image per pixel would with its channels last.
Tensor restride(Eager& eager, const Tensor& x) {
  TensorType type = x.type;
  type.strides = {x.size(1), 1, x.size(1), x.size(1)};
  return eager.connected(
      eager.view("as_strided_", x, {x, type.sizes, type.strides}, type), {x},
      [&eager, sizes = x.sizes()](const Tensors& gradients) -> Tensors {
        const Tensor& gradient = gradients[0];
        Sizes flat{sizes[0], sizes[1]};
        Tensor rows = squeeze(eager, squeeze(eager, gradient, 3), 2);
        const Tensor zeros = new_zeros(eager, rows, product(flat));
        const Tensor copy = eager.view("as_strided", zeros, {zeros, flat, Sizes{flat[1], 1}, 0},
                                       dense(rows.type.element, flat));
        eager.change("copy_", copy, {copy, rows});
        return {eager.view("as_strided", zeros, {zeros, sizes, Sizes{flat[1], 1, 1, 1}, 0},
                           dense(rows.type.element, sizes))};
      });
}

}  // namespace

Tensor max_pool(Eager& eager, const Tensor& input, const Pooling2d& how, const Sizes& sizes) {
  Tensor indices;
  Tensor result = as_image(eager, input, [&](const Tensor& x) {
    const Sizes kernel = with_row(how.kernel, 1), stride = with_row(how.stride, 1),
                padding = with_row(how.padding, 0), dilation{1, 1};
    Arguments arguments{x, kernel, stride};
    if (how.ceil)
      arguments.insert(arguments.end(), {padding, dilation, true});
    else if (!all_equal(padding, 0))
      arguments.emplace_back(padding);
    const TensorType type = dense_like(x.type, image_sizes(sizes));
    const Tensors results = eager.run("max_pool2d_with_indices", std::move(arguments),
                                      std::vector{type, indices_of(type)});
    indices = results[1];
    return eager.connected(
        results[0], {x},
        [&eager, x = detached(x), kernel, stride, padding, dilation, ceil = how.ceil,
         indices](const Tensors& gradients) -> Tensors {
          return {eager.run("max_pool2d_with_indices_backward",
                            {gradients[0], x, kernel, stride, padding, dilation, ceil, indices},
                            dense_like(x.type, x.sizes()))};
        });
  });
  if (input.rank() == 3 && eager.keeps_graph) squeeze(eager, indices, -2);
  return result;
}

Tensor average_pool(Eager& eager, const Tensor& input, const Pooling2d& how, const Sizes& sizes) {
  return as_image(eager, input, [&](const Tensor& x) {
    const Sizes kernel = with_row(how.kernel, 1), stride = with_row(how.stride, 1),
                padding = with_row(how.padding, 0);
    Arguments arguments{x, kernel, stride};
    if (!all_equal(padding, 0) || how.ceil || !how.count_padding) arguments.emplace_back(padding);
    if (how.ceil || !how.count_padding) arguments.emplace_back(how.ceil);
    if (!how.count_padding) arguments.emplace_back(false);
    const Tensor result =
        eager.run("avg_pool2d", std::move(arguments), dense_like(x.type, image_sizes(sizes)));
    return eager.connected(
        result, {x},
        [&eager, x = detached(x), kernel, stride, padding, ceil = how.ceil,
         count = how.count_padding](const Tensors& gradients) -> Tensors {
          return {eager.run("avg_pool2d_backward",
                            {gradients[0], x, kernel, stride, padding, ceil, count, Argument{}},
                            dense_like(x.type, x.sizes()))};
        });
  });
}

Tensor adaptive_average_pool(Eager& eager, const Tensor& input, const Sizes& extent) {
  return as_image(eager, input, [&](const Tensor& x) {
    const Sizes target = with_row(extent, 1);
    if (all_equal(target, 1)) {
      const Tensor mean_of_all = mean(eager, x, {-1, -2}, true);
      return is_channels_last(x.type) ? restride(eager, mean_of_all) : mean_of_all;
    }
    const Tensor result =
        eager.run("_adaptive_avg_pool2d", {x, target},
                  dense_like(x.type, {x.size(0), x.size(1), target[0], target[1]}));
    return eager.connected(result, {x},
                           [&eager, x = detached(x)](const Tensors& gradients) -> Tensors {
                             return {eager.run("_adaptive_avg_pool2d_backward", {gradients[0], x},
                                               dense_like(x.type, x.sizes()))};
                           });
  });
}

Tensor adaptive_max_pool(Eager& eager, const Tensor& input, const Sizes& extent) {
  return as_image(eager, input, [&](const Tensor& x) {
    const Sizes target = with_row(extent, 1);
    const TensorType type = dense_like(x.type, {x.size(0), x.size(1), target[0], target[1]});
    const Tensors results =
        eager.run("adaptive_max_pool2d", {x, target}, std::vector{type, indices_of(type)});
    return eager.connected(
        results[0], {x},
        [&eager, x = detached(x), indices = results[1]](const Tensors& gradients) -> Tensors {
          return {eager.run("adaptive_max_pool2d_backward", {gradients[0], x, indices},
                            dense_like(x.type, x.sizes()))};
        });
  });
}

}  // namespace ampere::lowering
