#include "lowering/pointwise.h"

#include "lowering/views.h"

namespace ampere::lowering {
namespace {

TensorType combined(const Tensor& a, const Tensor& b) {
  return elementwise(std::vector{a.type, b.type});
}

Tensor binary(Eager& eager, const char* name, const Tensor& a, const Tensor& b) {
  return eager.run(name, {a, b}, combined(a, b));
}

// An operand that a gradient is computed from, if one is.
Tensor kept_if(bool needed, const Tensor& x) { return needed ? detached(x) : Tensor{}; }

// One with this probability, else zero. Arguments that are the default are not recorded.
void draw(Eager& eager, const Tensor& noise, double probability) {
  Arguments arguments{noise};
  if (probability != 0.5) arguments.emplace_back(probability);
  eager.change("bernoulli_.float", noise, std::move(arguments));
}

}  // namespace

TensorType same_type(const Tensor& x) { return elementwise(std::vector{x.type}); }

// Where an operand was repeated, the walk back through the graph adds up its gradient.
Tensor add(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(binary(eager, "add.Tensor", a, b), {a, b},
                         [](const Tensors& gradients) -> Tensors {
                           return {gradients[0], gradients[0]};
                         });
}

Tensor subtract(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(binary(eager, "sub.Tensor", a, b), {a, b},
                         [&eager, wanted = b.needs_gradient()](const Tensors& gradients) {
                           Tensors result{gradients[0], {}};
                           if (wanted)
                             result[1] = eager.run("neg", {gradients[0]}, same_type(gradients[0]));
                           return result;
                         });
}

Tensor multiply(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(binary(eager, "mul.Tensor", a, b), {a, b},
                         [&eager, a = kept_if(b.needs_gradient(), a),
                          b = kept_if(a.needs_gradient(), b)](const Tensors& gradients) {
                           Tensors result(2);
                           if (a.defined())
                             result[1] = binary(eager, "mul.Tensor", gradients[0], a);
                           if (b.defined())
                             result[0] = binary(eager, "mul.Tensor", gradients[0], b);
                           return result;
                         });
}

Tensor divide(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(
      binary(eager, "div.Tensor", a, b), {a, b},
      [&eager, a = kept_if(b.needs_gradient(), a), b = detached(b),
       wants_left = a.needs_gradient()](const Tensors& gradients) {
        Tensors result(2);
        if (a.defined()) {  // -g · ((a / b) / b)
          const Tensor quotient = binary(eager, "div.Tensor", binary(eager, "div.Tensor", a, b), b);
          const Tensor negative = eager.run("neg", {gradients[0]}, same_type(gradients[0]));
          result[1] = binary(eager, "mul.Tensor", negative, quotient);
        }
        if (wants_left) result[0] = binary(eager, "div.Tensor", gradients[0], b);
        return result;
      });
}

Tensor add_number(Eager& eager, const Tensor& x, Argument number) {
  return eager.connected(eager.run("add.Tensor", {x, std::move(number)}, same_type(x)), {x},
                         [](const Tensors& gradients) -> Tensors { return {gradients[0]}; });
}

Tensor multiply_number(Eager& eager, const Tensor& x, double factor) {
  return eager.connected(
      eager.run("mul.Tensor", {x, factor}, same_type(x)), {x},
      [&eager, factor](const Tensors& gradients) -> Tensors {
        return {eager.run("mul.Tensor", {gradients[0], factor}, same_type(gradients[0]))};
      });
}

Tensor divide_number(Eager& eager, const Tensor& x, Argument divisor) {
  return eager.connected(
      eager.run("div.Tensor", {x, divisor}, same_type(x)), {x},
      [&eager, divisor](const Tensors& gradients) -> Tensors {
        return {eager.run("div.Tensor", {gradients[0], divisor}, same_type(gradients[0]))};
      });
}

Tensor stochastic_depth(Eager& eager, const Tensor& x, double probability) {
  const double kept = 1 - probability;
  TensorType type = dense(x.type.element, Sizes(x.sizes().size(), 1));
  type.sizes[0] = x.size(0);
  const Tensor noise =
      eager.reserve("empty.memory_format", {type.sizes}, type, {{"dtype", type.element}});
  draw(eager, noise, kept);
  eager.change("div_.Tensor", noise, {noise, kept});
  return multiply(eager, x, noise);
}

Tensor dropout(Eager& eager, const Tensor& x, double probability) {
  if (eager.dialect.drops_in_one_call) {
    TensorType mask = same_type(x);
    mask.element = ElementType::boolean;
    Tensors results =
        eager.run("native_dropout", {x, probability, true}, std::vector{same_type(x), mask});
    const Tensor dropped = results[1];
    return eager.connected(
        results[0], {x},
        [&eager, dropped, factor = 1 / (1 - probability)](const Tensors& gradients) -> Tensors {
          return {eager.run("native_dropout_backward", {gradients[0], dropped, factor},
                            combined(gradients[0], dropped))};
        });
  }
  const Tensor noise = eager.reserve("empty_like", {x}, dense(x.type.element, x.sizes()),
                                     {{"memory_format", "contiguous_format"}});
  draw(eager, noise, 1 - probability);
  eager.change("div_.Scalar", noise, {noise, 1 - probability});
  return multiply(eager, x, noise);
}

}  // namespace ampere::lowering
