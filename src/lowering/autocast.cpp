#include "lowering/autocast.h"

namespace ampere::lowering {
namespace {

bool is_real(ElementType element) {
  return element == ElementType::fp32 || element == ElementType::bf16 ||
         element == ElementType::fp16;
}

bool is_leaf(const Tensor& x) { return x.edge.node && x.edge.node->next.empty(); }

}  // namespace

Backward cast_back(Eager& eager, ElementType element) {
  return [&eager, element](const Tensors& gradients) -> Tensors {
    TensorType type = elementwise(std::vector{gradients[0].type});
    type.element = element;
    return {
        eager.run("_to_copy", {gradients[0]}, type, {{"dtype", element}, {"layout", "strided"}})};
  };
}

Tensor cast(Eager& eager, const Tensor& x, ElementType element) {
  TensorType type = elementwise(std::vector{x.type});
  type.element = element;
  return eager.connected(eager.run("_to_copy", {x}, type, {{"dtype", element}}), {x},
                         cast_back(eager, x.type.element));
}

// A weight that is used several times is cast to autocast's own format once per forward pass.
Tensor in_format(Eager& eager, const Tensor& x, ElementType element) {
  if (!x.defined() || x.type.element == element || !is_real(x.type.element)) return x;
  if (!is_leaf(x) || element != eager.low_format) return cast(eager, x, element);
  const auto place = eager.cast_weights.find(x.edge.node.get());
  if (place != eager.cast_weights.end()) return place->second;
  return eager.cast_weights[x.edge.node.get()] = cast(eager, x, element);
}

Tensors in_low_format(Eager& eager, Tensors arguments) {
  if (eager.low_format)
    for (std::size_t i = arguments.size(); i-- > 0;)
      arguments[i] = in_format(eager, arguments[i], *eager.low_format);
  return arguments;
}

Tensor in_full_format(Eager& eager, const Tensor& x) {
  if (!eager.low_format || !is_real(x.type.element) || x.type.element == ElementType::fp32)
    return x;
  return cast(eager, x, ElementType::fp32);
}

}  // namespace ampere::lowering
