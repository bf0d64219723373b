#include "lowering/reductions.h"

#include <algorithm>

#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

Sizes reduced(const Tensor& x, const Sizes& axes, bool keep) {
  Sizes sizes = x.sizes();
  std::vector<std::size_t> places;
  for (const std::int64_t axis : axes) places.push_back(axis_of(axis, sizes.size()));
  std::sort(places.rbegin(), places.rend());
  for (const std::size_t place : places) {
    if (keep)
      sizes[place] = 1;
    else
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(place));
  }
  return sizes;
}

std::int64_t count(const Tensor& x, const Sizes& axes) {
  std::int64_t result = 1;
  for (const std::int64_t axis : axes) result *= x.size(static_cast<int>(axis));
  return result;
}

// Sums that autocast asks for in fp32.
Tensor widened(Eager& eager, const char* name, Arguments arguments, const Tensor& x,
               const Sizes& axes) {
  const bool widens = eager.low_format && x.type.element != ElementType::fp32;
  const ElementType element = widens ? ElementType::fp32 : x.type.element;
  return eager.run(name, std::move(arguments), dense(element, reduced(x, axes, true)),
                   widens ? Keywords{{"dtype", element}} : Keywords{});
}

// Softmax or its logarithm. Its backward pass reads its result.
Tensor soft(Eager& eager, const Tensor& x, int axis, const char* name, const char* backward) {
  const TensorType type = dense(x.type.element, x.sizes());
  const Tensor result = eager.run(name, {x, axis, false}, type);
  if (eager.keeps_graph && x.needs_gradient()) eager.view("detach", result, {result}, result.type);
  return eager.connected(
      result, {x}, [&eager, result, axis, backward](const Tensors& gradients) -> Tensors {
        eager.view("detach", result, {result}, result.type);
        return {eager.run(backward, {gradients[0], result, axis, result.type.element},
                          dense(result.type.element, result.sizes()))};
      });
}

}  // namespace

Tensor mean(Eager& eager, const Tensor& x, const Sizes& axes, bool keep) {
  Arguments arguments{x, axes};
  if (keep) arguments.emplace_back(true);
  const Tensor result =
      eager.run("mean.dim", std::move(arguments), dense(x.type.element, reduced(x, axes, keep)));
  return eager.connected(
      result, {x},
      [&eager, sizes = x.sizes(), axes, keep,
       numbers = count(x, axes)](const Tensors& gradients) -> Tensors {
        Tensor gradient = gradients[0];
        if (!keep)
          for (const std::int64_t axis : axes)
            gradient = unsqueeze(eager, gradient, static_cast<int>(axis));
        gradient = expand(eager, gradient, sizes);
        return {eager.run("div.Scalar", {gradient, numbers}, same_type(gradient))};
      });
}

Tensor sum(Eager& eager, const Tensor& x, const Sizes& axes) {
  const Tensor result = widened(eager, "sum.dim_IntList", {x, axes, true}, x, axes);
  return eager.connected(result, {x},
                         [&eager, sizes = x.sizes()](const Tensors& gradients) -> Tensors {
                           return {expand(eager, gradients[0], sizes)};
                         });
}

// The gradient is shared equally by all numbers that are as large as the largest.
Tensor largest(Eager& eager, const Tensor& x, const Sizes& axes) {
  const Tensor result =
      eager.run("amax", {x, axes, true}, dense(x.type.element, reduced(x, axes, true)));
  if (eager.keeps_graph && x.needs_gradient()) eager.view("detach", result, {result}, result.type);
  return eager.connected(
      result, {x}, [&eager, x = detached(x), result, axes](const Tensors& gradients) -> Tensors {
        eager.view("detach", result, {result}, result.type);
        TensorType type = elementwise(std::vector{result.type, x.type});
        type.element = ElementType::boolean;
        const Tensor mask = eager.run("eq.Tensor", {result, x}, type);
        const Tensor winners = eager.run("sum.dim_IntList", {mask, axes, true},
                                         dense(ElementType::int64, result.sizes()));
        const Tensor share = eager.run("div.Tensor", {gradients[0], winners},
                                       elementwise(std::vector{gradients[0].type, winners.type}));
        return {eager.run("mul.Tensor", {share, mask},
                          elementwise(std::vector{share.type, mask.type}))};
      });
}

// Where the root is 0 there is no gradient.
Tensor root_of_squares(Eager& eager, const Tensor& x, const Sizes& axes) {
  const Tensor result = widened(eager, "linalg_vector_norm", {x, 2, axes, true}, x, axes);
  if (eager.keeps_graph && x.needs_gradient()) eager.view("detach", result, {result}, result.type);
  return eager.connected(
      result, {x}, [&eager, x = detached(x), result](const Tensors& gradients) -> Tensors {
        eager.view("detach", result, {result}, result.type);
        const Tensor share =
            eager.run("div.Tensor", {x, result}, elementwise(std::vector{x.type, result.type}));
        TensorType type = same_type(result);
        type.element = ElementType::boolean;
        const Tensor mask = eager.run("eq.Scalar", {result, 0}, type);
        eager.change("masked_fill_.Scalar", share, {share, mask, 0});
        return {eager.run("mul.Tensor", {gradients[0], share},
                          elementwise(std::vector{gradients[0].type, share.type}))};
      });
}

Tensor softmax(Eager& eager, const Tensor& x, int axis) {
  return soft(eager, in_full_format(eager, x), axis, "_softmax", "_softmax_backward_data");
}

Tensor log_softmax(Eager& eager, const Tensor& x, int axis) {
  return soft(eager, in_full_format(eager, x), axis, "_log_softmax", "_log_softmax_backward_data");
}

Tensor embedding(Eager& eager, const Tensor& table, const Tensor& indices) {
  Sizes sizes = indices.sizes();
  sizes.push_back(table.size(1));
  return eager.connected(
      eager.run("embedding", {table, indices}, dense(table.type.element, sizes)), {table},
      [&eager, indices, rows = table.size(0),
       width = table.size(1)](const Tensors& gradients) -> Tensors {
        return {eager.run("embedding_dense_backward", {gradients[0], indices, rows, -1, false},
                          dense(gradients[0].type.element, {rows, width}))};
      });
}

Tensor pick(Eager& eager, const Tensor& x, int axis, const Tensor& indices) {
  Arguments places(axis);
  places.emplace_back(indices);
  Sizes sizes = x.sizes();
  sizes[axis] = indices.size(0);
  return eager.connected(
      eager.run("index.Tensor", {x, places}, dense(x.type.element, sizes)), {x},
      [&eager, places,
       type = dense(x.type.element, x.sizes())](const Tensors& gradients) -> Tensors {
        const Tensor zeros = eager.run("new_zeros", {gradients[0], type.sizes}, type,
                                       {{"dtype", type.element}, {"layout", "strided"}});
        return {eager.run("index_put", {zeros, places, gradients[0], true}, type)};
      });
}

// The logarithm of softmax keeps its format under autocast, what follows is in fp32.
Tensor cross_entropy(Eager& eager, const Tensor& x, const Tensor& labels) {
  const Tensor logarithms = soft(eager, x, 1, "_log_softmax", "_log_softmax_backward_data");
  const Tensor scores = in_full_format(eager, logarithms);
  const TensorType one = dense(scores.type.element, {});
  const Tensors results =
      eager.run("nll_loss_forward", {scores, labels, Argument{}, 1, -100}, std::vector{one, one});
  return eager.connected(
      results[0], {scores},
      [&eager, scores = detached(scores), labels,
       weight = results[1]](const Tensors& gradients) -> Tensors {
        return {eager.run("nll_loss_backward",
                          {gradients[0], scores, labels, Argument{}, 1, -100, weight},
                          dense(scores.type.element, scores.sizes()))};
      });
}

Tensor mean_of_squares(Eager& eager, const Tensor& x) {
  const Tensor squares = power(eager, x, 2);
  const Tensor result = eager.run("mean", {squares}, dense(squares.type.element, {}));
  return eager.connected(
      result, {squares}, [&eager, sizes = squares.sizes()](const Tensors& gradients) -> Tensors {
        const Tensor spread = expand(eager, gradients[0], sizes);
        return {eager.run("div.Scalar", {spread, product(sizes)}, same_type(spread))};
      });
}

}  // namespace ampere::lowering
