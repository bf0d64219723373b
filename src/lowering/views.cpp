#include "lowering/views.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ampere::lowering {
namespace {

TensorType with(const Tensor& x, Sizes sizes, Sizes strides) {
  return {x.type.element, std::move(sizes), std::move(strides)};
}

// The node of a view that is undone by reading the gradient in the old sizes.
Tensor undone_by_reshape(Eager& eager, Tensor result, const Tensor& x) {
  return eager.connected(std::move(result), {x},
                         [&eager, sizes = x.sizes()](const Tensors& gradients) -> Tensors {
                           return {reshape(eager, gradients[0], sizes)};
                         });
}

}  // namespace

Tensor reshape(Eager& eager, const Tensor& x, const Sizes& sizes) {
  const Sizes strides = view_strides(x.type, sizes);
  if (strides.size() != sizes.size() || (strides.empty() && product(x.sizes()) != 1))
    return unsafe_view(eager, clone(eager, x), sizes);
  Arguments arguments{x, sizes};
  if (eager.dialect.names_strides_of_views) arguments.push_back(strides);
  const char* name = eager.dialect.names_strides_of_views ? "_reshape_alias" : "view";
  return undone_by_reshape(eager, eager.view(name, x, arguments, with(x, sizes, strides)), x);
}

Tensor view_as(Eager& eager, const Tensor& x, const Sizes& sizes) {
  const Sizes strides = view_strides(x.type, sizes);
  return undone_by_reshape(eager, eager.view("view", x, {x, sizes}, with(x, sizes, strides)), x);
}

Tensor unsafe_view(Eager& eager, const Tensor& x, const Sizes& sizes) {
  return undone_by_reshape(
      eager, eager.view("_unsafe_view", x, {x, sizes}, dense(x.type.element, sizes)), x);
}

Tensor flatten(Eager& eager, const Tensor& x, int first, int last) {
  const std::size_t end = axis_of(last, x.sizes().size());
  if (static_cast<std::size_t>(first) == end) return x;
  Sizes sizes(x.sizes().begin(), x.sizes().begin() + first);
  sizes.push_back(product(std::span(x.sizes()).subspan(first, end - first + 1)));
  sizes.insert(sizes.end(), x.sizes().begin() + static_cast<std::ptrdiff_t>(end) + 1,
               x.sizes().end());
  return reshape(eager, x, sizes);
}

Tensor transpose(Eager& eager, const Tensor& x, int a, int b) {
  TensorType type = x.type;
  const std::size_t i = axis_of(a, type.sizes.size()), j = axis_of(b, type.sizes.size());
  std::swap(type.sizes[i], type.sizes[j]);
  std::swap(type.strides[i], type.strides[j]);
  return eager.connected(eager.view("transpose.int", x, {x, a, b}, type), {x},
                         [&eager, a, b](const Tensors& gradients) -> Tensors {
                           return {transpose(eager, gradients[0], a, b)};
                         });
}

Tensor t(Eager& eager, const Tensor& matrix) {
  TensorType type = matrix.type;
  std::swap(type.sizes[0], type.sizes[1]);
  std::swap(type.strides[0], type.strides[1]);
  return eager.connected(
      eager.view("t", matrix, {matrix}, type), {matrix},
      [&eager](const Tensors& gradients) -> Tensors { return {t(eager, gradients[0])}; });
}

Tensor permute(Eager& eager, const Tensor& x, const Sizes& order) {
  TensorType type = x.type;
  Sizes back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    type.sizes[i] = x.sizes()[order[i]];
    type.strides[i] = x.strides()[order[i]];
    back[order[i]] = static_cast<std::int64_t>(i);
  }
  return eager.connected(eager.view("permute", x, {x, order}, type), {x},
                         [&eager, back](const Tensors& gradients) -> Tensors {
                           return {permute(eager, gradients[0], back)};
                         });
}

Tensor move_axis(Eager& eager, const Tensor& x, int from, int to) {
  Sizes order(x.sizes().size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = static_cast<std::ptrdiff_t>(axis_of(from, order.size()));
  const std::int64_t moved = order[place];
  order.erase(order.begin() + place);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(axis_of(to, order.size() + 1)), moved);
  return permute(eager, x, order);
}

Tensor expand(Eager& eager, const Tensor& x, const Sizes& sizes) {
  TensorType type{x.type.element, sizes, Sizes(sizes.size(), 0)};
  const std::size_t added = sizes.size() - x.sizes().size();
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t old = i < added ? 1 : x.sizes()[i - added];
    if (sizes[i] == -1) type.sizes[i] = old;
    if (x.sizes().empty()) continue;
    if (type.sizes[i] == old)  // an axis that is new and not repeated lies before the next one
      type.strides[i] = i < added
                            ? (i + 1 < sizes.size() ? type.sizes[i + 1] * type.strides[i + 1] : 1)
                            : x.strides()[i - added];
  }
  return eager.connected(eager.view("expand", x, {x, sizes}, type), {x},
                         [&eager, old = x.sizes()](const Tensors& gradients) -> Tensors {
                           return {sum_to(eager, gradients[0], old)};
                         });
}

Tensor unsqueeze(Eager& eager, const Tensor& x, int axis) {
  TensorType type = x.type;
  const std::size_t place = axis_of(axis, type.sizes.size() + 1);
  const std::int64_t stride =
      place < type.sizes.size() ? type.sizes[place] * type.strides[place] : 1;
  type.sizes.insert(type.sizes.begin() + static_cast<std::ptrdiff_t>(place), 1);
  type.strides.insert(type.strides.begin() + static_cast<std::ptrdiff_t>(place), stride);
  return eager.connected(eager.view("unsqueeze", x, {x, axis}, type), {x},
                         [&eager, axis](const Tensors& gradients) -> Tensors {
                           return {squeeze(eager, gradients[0], axis)};
                         });
}

Tensor squeeze(Eager& eager, const Tensor& x, int axis) {
  TensorType type = x.type;
  const auto place = static_cast<std::ptrdiff_t>(axis_of(axis, type.sizes.size()));
  type.sizes.erase(type.sizes.begin() + place);
  type.strides.erase(type.strides.begin() + place);
  return eager.connected(eager.view("squeeze.dim", x, {x, axis}, type), {x},
                         [&eager, place](const Tensors& gradients) -> Tensors {
                           return {unsqueeze(eager, gradients[0], static_cast<int>(place))};
                         });
}

Tensor slice(Eager& eager, const Tensor& x, int axis, std::int64_t begin, std::int64_t end,
             std::int64_t step) {
  TensorType type = x.type;
  type.sizes[axis] = (std::min(end, x.sizes()[axis]) - begin + step - 1) / step;
  type.strides[axis] *= step;
  Arguments arguments{x, axis, begin, end};
  if (step != 1) arguments.emplace_back(step);
  return eager.connected(
      eager.view("slice.Tensor", x, arguments, type), {x},
      [&eager, old = x.sizes(), axis, begin, end, step](const Tensors& gradients) -> Tensors {
        return {eager.run("slice_backward", {gradients[0], old, axis, begin, end, step},
                          dense(gradients[0].type.element, old))};
      });
}

Tensor select(Eager& eager, const Tensor& x, int axis, std::int64_t index) {
  TensorType type = x.type;
  type.sizes.erase(type.sizes.begin() + axis);
  type.strides.erase(type.strides.begin() + axis);
  return eager.connected(
      eager.view("select.int", x, {x, axis, index}, type), {x},
      [&eager, old = x.sizes(), axis, index](const Tensors& gradients) -> Tensors {
        return {eager.run("select_backward", {gradients[0], old, axis, index},
                          dense(gradients[0].type.element, old))};
      });
}

// Parts that nothing was made of have no gradient; zeros take their place.
Tensors split(Eager& eager, const Tensor& x, std::int64_t size, int axis) {
  Tensors parts;
  for (std::int64_t begin = 0; begin < x.sizes()[axis]; begin += size) {
    Tensor part = detached(x);
    part.type.sizes[axis] = std::min(size, x.sizes()[axis] - begin);
    parts.push_back(part);
  }
  eager.recorder.record({.name = "split.Tensor",
                         .arguments = {x, size, axis},
                         .results = {Argument(parts)},
                         .launches = false});
  std::vector<TensorType> types;
  for (const Tensor& part : parts) types.push_back(dense(part.type.element, part.sizes()));
  eager.connect(parts, {x}, [&eager, types, axis](const Tensors& gradients) -> Tensors {
    Tensors whole = gradients;
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (!whole[i].defined())
        whole[i] = eager.run("zeros", {types[i].sizes}, types[i],
                             {{"dtype", types[i].element}, {"layout", "strided"}});
    return {cat(eager, whole, axis)};
  });
  return parts;
}

Tensors unbind(Eager& eager, const Tensor& x) {
  Tensor part = detached(x);
  part.type.sizes.erase(part.type.sizes.begin());
  part.type.strides.erase(part.type.strides.begin());
  Tensors parts(x.sizes()[0], part);
  eager.recorder.record(
      {.name = "unbind.int", .arguments = {x}, .results = {Argument(parts)}, .launches = false});
  eager.connect(parts, {x}, [&eager, old = x.sizes()](const Tensors& gradients) -> Tensors {
    return {eager.run("stack", {gradients}, dense(gradients[0].type.element, old))};
  });
  return parts;
}

Tensor clone(Eager& eager, const Tensor& x) {
  return eager.connected(eager.run("clone", {x}, dense(x.type.element, x.sizes()),
                                   {{"memory_format", "contiguous_format"}}),
                         {x}, [](const Tensors& gradients) -> Tensors { return {gradients[0]}; });
}

Tensor contiguous(Eager& eager, const Tensor& x) {
  return is_contiguous(x.type) ? x : clone(eager, x);
}

Tensor cat(Eager& eager, const Tensors& parts, int axis) {
  TensorType type = dense(parts[0].type.element, parts[0].sizes());
  type.sizes[axis] = 0;
  Sizes lengths;
  bool channels_last = true;
  for (const Tensor& part : parts) {
    type.element = promoted(type.element, part.type.element);
    type.sizes[axis] += part.sizes()[axis];
    lengths.push_back(part.sizes()[axis]);
    channels_last = channels_last && is_channels_last(part.type);
  }
  const ElementType element = type.element;
  type = channels_last ? dense_like(parts[0].type, type.sizes) : dense(element, type.sizes);
  type.element = element;
  std::vector<bool> needed;
  for (const Tensor& part : parts) needed.push_back(part.needs_gradient());
  return eager.connected(eager.run("cat", {parts, axis}, type), parts,
                         [&eager, lengths, needed, axis](const Tensors& gradients) -> Tensors {
                           Tensors own(lengths.size());
                           std::int64_t begin = 0;
                           for (std::size_t i = 0; i < lengths.size(); begin += lengths[i++])
                             if (needed[i])
                               own[i] = slice(eager, gradients[0], axis, begin, begin + lengths[i]);
                           return own;
                         });
}

}  // namespace ampere::lowering
