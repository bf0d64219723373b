#include "lowering/products.h"

#include "lowering/autocast.h"
#include "lowering/pointwise.h"
#include "lowering/views.h"

namespace ampere::lowering {
namespace {

bool is_column_major(const TensorType& type) {
  return type.strides[0] == 1 && type.strides[1] == type.sizes[0];
}

Tensor mm_alone(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.run("mm", {a, b}, dense(a.type.element, {a.size(0), b.size(1)}));
}

// The gradient of an operand lies in memory as the operand does, so that no copy follows.
Tensor gradient_of_left(Eager& eager, const Tensor& gradient, const Tensor& right,
                        const TensorType& left) {
  if (is_column_major(left)) return t(eager, mm_alone(eager, right, t(eager, gradient)));
  return mm_alone(eager, gradient, t(eager, right));
}

Tensor gradient_of_right(Eager& eager, const Tensor& gradient, const Tensor& left,
                         const TensorType& right) {
  if (is_column_major(right)) return t(eager, mm_alone(eager, t(eager, gradient), left));
  return mm_alone(eager, t(eager, left), gradient);
}

// An operand is kept only if the other one needs a gradient.
Tensor kept(const Tensor& operand, const Tensor& other) {
  Tensor result = detached(operand);
  if (!other.needs_gradient()) result.memory.reset();
  return result;
}

Tensor mm(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(mm_alone(eager, a, b), {a, b},
                         [&eager, a = kept(a, b), b = kept(b, a)](const Tensors& gradients) {
                           Tensors result(2);
                           if (a.defined())
                             result[1] = gradient_of_right(eager, gradients[0], a, b.type);
                           if (b.defined())
                             result[0] = gradient_of_left(eager, gradients[0], b, a.type);
                           return result;
                         });
}

Tensor addmm(Eager& eager, const Tensor& bias, const Tensor& a, const Tensor& b) {
  const Tensor result =
      eager.run("addmm", {bias, a, b}, dense(a.type.element, {a.size(0), b.size(1)}));
  return eager.connected(result, {bias, a, b},
                         [&eager, a = kept(a, b), b = kept(b, a)](const Tensors& gradients) {
                           Tensors own(3);
                           if (b.defined())
                             own[1] = gradient_of_left(eager, gradients[0], b, a.type);
                           if (a.defined())
                             own[2] = gradient_of_right(eager, gradients[0], a, b.type);
                           own[0] = gradients[0];  // added up by the walk back
                           return own;
                         });
}

Tensor bmm_alone(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.run("bmm", {a, b}, dense(a.type.element, {a.size(0), a.size(1), b.size(2)}));
}

Tensor bmm(Eager& eager, const Tensor& a, const Tensor& b) {
  return eager.connected(bmm_alone(eager, a, b), {a, b},
                         [&eager, a = kept(a, b), b = kept(b, a)](const Tensors& gradients) {
                           Tensors result(2);
                           if (a.defined())
                             result[1] = bmm_alone(eager, transpose(eager, a, 1, 2), gradients[0]);
                           if (b.defined())
                             result[0] = bmm_alone(eager, gradients[0], transpose(eager, b, 1, 2));
                           return result;
                         });
}

// Whether a product of a batch with one matrix is one product of matrices.
bool folds(const Eager& eager, const Tensor& a, const Tensor& b) {
  if (a.rank() < 3 || b.rank() != 2) return false;
  if (eager.dialect.folds_transposed_batches) {
    if (b.needs_gradient() && eager.keeps_graph) return true;
    return !view_strides(a.type, {product(a.sizes()) / a.size(-1), a.size(-1)}).empty();
  }
  const bool is_transposed =
      a.rank() == 3 && a.strides()[2] != 1 && a.strides()[0] == a.size(1) * a.size(2);
  return !is_transposed;
}

Tensor in_batches(Eager& eager, const Tensor& x, const Sizes& batch) {
  Sizes sizes = batch;
  sizes.insert(sizes.end(), {x.size(-2), x.size(-1)});
  return reshape(eager, expand(eager, x, sizes), {product(batch), x.size(-2), x.size(-1)});
}

Tensor plain_matmul(Eager& eager, const Tensor& a, const Tensor& b) {
  if (a.rank() == 2 && b.rank() == 2) return mm(eager, a, b);
  Sizes sizes(a.sizes().begin(), a.sizes().end() - 2);
  if (folds(eager, a, b)) {
    sizes.insert(sizes.end(), {a.size(-2), b.size(-1)});
    const Tensor rows = reshape(eager, a, {product(a.sizes()) / a.size(-1), a.size(-1)});
    return unsafe_view(eager, mm(eager, rows, b), sizes);
  }
  const TensorType left = dense(a.type.element, sizes);
  const TensorType right = dense(b.type.element, Sizes(b.sizes().begin(), b.sizes().end() - 2));
  const Sizes batch = elementwise(std::vector{left, right}).sizes;
  const Tensor first = in_batches(eager, a, batch);
  const Tensor second = in_batches(eager, b, batch);
  sizes = batch;
  sizes.insert(sizes.end(), {a.size(-2), b.size(-1)});
  return unsafe_view(eager, bmm(eager, first, second), sizes);
}

}  // namespace

Tensor matmul(Eager& eager, const Tensor& a, const Tensor& b) {
  const Tensors low = in_low_format(eager, {a, b});
  return plain_matmul(eager, low[0], low[1]);
}

Tensor linear(Eager& eager, const Tensor& input, const Tensor& full_weight,
              const Tensor& full_bias) {
  const Tensors low = in_low_format(eager, {input, full_weight, full_bias});
  const Tensor &x = low[0], &weight = low[1], &bias = low[2];
  if (bias.defined() && x.rank() == 2) return addmm(eager, bias, x, t(eager, weight));
  const bool one_call = x.rank() == 3 || eager.dialect.folds_transposed_batches;
  if (bias.defined() && one_call && is_contiguous(x.type)) {
    Sizes sizes = x.sizes();
    sizes.back() = weight.size(0);
    const Tensor rows = view_as(eager, x, {product(x.sizes()) / x.size(-1), x.size(-1)});
    return view_as(eager, addmm(eager, bias, rows, t(eager, weight)), sizes);
  }
  const Tensor result = plain_matmul(eager, x, t(eager, weight));
  return bias.defined() ? add(eager, result, bias) : result;
}

}  // namespace ampere::lowering
