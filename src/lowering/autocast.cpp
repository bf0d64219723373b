#include "lowering/autocast.h"

namespace ampere::lowering {
namespace {

bool is_real(ElementType element) {
  return element == ElementType::fp32 || element == ElementType::bf16 ||
         element == ElementType::fp16;
}

bool is_leaf(const Tensor& x) { return x.edge.node && x.edge.node->next.empty(); }

// A weight that is used several times is cast once per forward pass.
Tensor cast_once(Eager& eager, const Tensor& x, ElementType element) {
  if (!x.defined() || x.type.element == element || !is_real(x.type.element)) return x;
  if (!is_leaf(x)) return cast(eager, x, element);
  const auto place = eager.cast_weights.find(x.edge.node.get());
  if (place != eager.cast_weights.end()) return place->second;
  return eager.cast_weights[x.edge.node.get()] = cast(eager, x, element);
}

}  // namespace

Tensor cast(Eager& eager, const Tensor& x, ElementType element) {
  TensorType type = elementwise(std::vector{x.type});
  type.element = element;
  return eager.connected(eager.run("_to_copy", {x}, type, {{"dtype", element}}), {x},
                         [&eager, old = x.type.element](const Tensors& gradients) -> Tensors {
                           TensorType back = elementwise(std::vector{gradients[0].type});
                           back.element = old;
                           return {eager.run("_to_copy", {gradients[0]}, back,
                                             {{"dtype", old}, {"layout", "strided"}})};
                         });
}

Tensors in_low_format(Eager& eager, Tensors arguments) {
  if (eager.low_format)
    for (std::size_t i = arguments.size(); i-- > 0;)
      arguments[i] = cast_once(eager, arguments[i], *eager.low_format);
  return arguments;
}

Tensor in_full_format(Eager& eager, const Tensor& x) {
  if (!eager.low_format || !is_real(x.type.element) || x.type.element == ElementType::fp32)
    return x;
  return cast(eager, x, ElementType::fp32);
}

}  // namespace ampere::lowering
