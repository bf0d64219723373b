#include "lowering/layers.h"

#include <utility>

#include "lowering/axis_layers.h"
#include "lowering/norms.h"
#include "lowering/pointwise.h"
#include "lowering/products.h"
#include "lowering/reductions.h"
#include "lowering/sequences.h"
#include "lowering/views.h"
#include "lowering/windows.h"
#include "model/axes.h"

namespace ampere::lowering {
namespace {

// Operators with weights, and windows. Those along axes are in axis_layers.cpp.
struct Calling {
  const LayerCall& call;
  Eager& eager = call.eager;
  const Tensor& x = call.x();

  Tensor weight() const { return call.weight("weight"); }
  Tensor bias() const { return call.weight("bias"); }
  Sizes result() const { return call.sizes(call.layer.output); }
  int dim() const { return static_cast<int>(channel_axis(call.layer.output)) + 1; }

  Tensor operator()(const Conv& op) const {
    const std::int64_t groups = op.depthwise ? call.shape().channels : op.groups;
    return convolution(
        eager, x, weight(), bias(),
        {op.stride, op.padding, op.dilation, false, Sizes(op.kernel.size(), 0), groups}, result());
  }
  Tensor operator()(const ConvTranspose& op) const {
    return convolution(eager, x, weight(), bias(),
                       {op.stride, op.padding, op.dilation, true, op.output_padding, op.groups},
                       result());
  }
  Tensor operator()(const Linear&) const { return linear(eager, x, weight(), bias()); }
  Tensor operator()(const Embedding&) const { return embedding(eager, weight(), x); }
  Tensor operator()(const Recurrent& op) const {
    Tensors weights;
    for (const WeightShape& each : weight_shapes(call.layer, call.model))
      weights.push_back(call.weight(each.name));
    return recurrent(eager, x, weights, op, call.training);
  }
  Tensor operator()(const SelfAttention& op) const {
    return self_attention(eager, x,
                          {call.weight("in_proj_weight"), call.weight("in_proj_bias"),
                           call.weight("out_proj.weight"), call.weight("out_proj.bias")},
                          {eager.recorder.module_of(call.path + ".in_proj"),
                           eager.recorder.module_of(call.path + ".out_proj")},
                          op.heads, call.fused_attention);
  }
  Tensor operator()(const BatchNorm& op) const {
    if (call.training) {
      const Tensor count = call.weight("num_batches_tracked");
      eager.change("add_.Tensor", count, {count, 1});
    }
    return batch_norm(eager, x, weight(), bias(), call.weight("running_mean"),
                      call.weight("running_var"), call.training, op.epsilon);
  }
  Tensor operator()(const LayerNorm& op) const {
    const auto norm = [&](const Tensor& each) {
      return layer_norm(eager, each, weight(), bias(), op.epsilon);
    };
    if (dim() == x.rank() - 1) return norm(x);
    return move_axis_around(norm, -1);
  }
  Tensor operator()(const GroupNorm& op) const {
    return group_norm(eager, x, weight(), bias(), op.groups, op.epsilon);
  }
  Tensor operator()(const InstanceNorm& op) const {
    return instance_norm(eager, x, weight(), bias(), op.epsilon);
  }
  Tensor operator()(const Scale&) const {
    const Tensor scaled = multiply(eager, x, weight());
    return bias().defined() ? add(eager, scaled, bias()) : scaled;
  }
  Tensor operator()(const PRelu& op) const {
    const auto apply = [&](const Tensor& each) { return prelu(eager, each, weight()); };
    if (op.shared || dim() == 1) return apply(x);
    return move_axis_around(apply, 1);
  }
  Tensor operator()(const ClassToken&) const {
    return cat(eager, {expand(eager, call.weight("token"), {x.size(0), 1, -1}), x}, 1);
  }
  Tensor operator()(const PositionEmbedding&) const {
    Tensor position = call.weight("position");
    const std::int64_t length = call.layer.output.extent[0];
    if (position.size(0) != length) position = slice(eager, position, 0, 0, length);
    return add(eager, x, position);
  }
  Tensor operator()(const Parameter& op) const {
    const Tensor value = call.weight("value");
    if (op.rows > 0) {
      const Tensor rows = embedding(eager, value, call.weight("index"));
      return expand(eager, rows, {call.batch, -1, -1});
    }
    Sizes sizes{call.batch};
    sizes.insert(sizes.end(), value.sizes().begin(), value.sizes().end());
    return expand(eager, value, sizes);
  }
  Tensor operator()(const Gather& op) const { return call_gather(call, op); }
  Tensor operator()(const Activation& op) const { return activation(eager, x, op); }
  Tensor operator()(const Pool& op) const {
    const Pooling2d how{op.kernel, op.stride.empty() ? op.kernel : op.stride, op.padding, op.ceil,
                        op.count_padding};
    return op.pooling == Pooling::max ? max_pool(eager, x, how, result())
                                      : average_pool(eager, x, how, result());
  }
  Tensor operator()(const AdaptivePool& op) const {
    const Sizes& extent = call.layer.output.extent;
    return op.pooling == Pooling::max ? adaptive_max_pool(eager, x, extent)
                                      : adaptive_average_pool(eager, x, extent);
  }
  Tensor operator()(const Upsample& op) const {
    const Sizes& extent = call.layer.output.extent;
    if (op.interpolation == Interpolation::nearest) return upsample_nearest(eager, x, extent);
    return upsample_linear(eager, x, extent, op.align_corners);
  }
  Tensor operator()(const Dropout& op) const {
    if (!call.training) return x;
    return op.samples ? stochastic_depth(eager, x, op.probability)
                      : dropout(eager, x, op.probability);
  }
  template <class AlongAxes>
  Tensor operator()(const AlongAxes& op) const {
    return call_along_axes(call, op);
  }

 private:
  // The channels are moved to an axis, and back afterwards. Both happen outside of the module.
  template <class Inner>
  Tensor move_axis_around(Inner inner, int axis) const {
    const int own = std::exchange(eager.recorder.module, 0);
    const Tensor moved = move_axis(eager, x, dim(), axis);
    eager.recorder.module = own;
    const Tensor result = inner(moved);
    eager.recorder.module = 0;
    const Tensor back = move_axis(eager, result, axis, dim());
    eager.recorder.module = own;
    return back;
  }
};

struct Modules {
  int operator()(const SelfAttention&) const { return 3; }
  int operator()(const Activation& op) const {
    switch (op.function) {
      case Function::exp:
      case Function::log:
      case Function::abs:
      case Function::erf:
      case Function::clip:
      case Function::affine:
      case Function::power:
        return 0;  // plain functions
      default:
        return 1;
    }
  }
  template <class Other>
  int operator()(const Other&) const {
    constexpr bool is_function = requires(const LayerCall& call, const Other& op) {
      call_along_axes(call, op);
    };
    return is_function ? 0 : 1;
  }
};

}  // namespace

const TensorShape& LayerCall::shape(std::size_t input) const {
  return model.layers()[layer.inputs[input]].output;
}

Sizes LayerCall::sizes(const TensorShape& shape) const {
  Sizes sizes = shape.axes();
  sizes.insert(sizes.begin(), batch);
  return sizes;
}

Tensor LayerCall::weight(const std::string& name) const {
  const auto place = weights.find(name);
  return place == weights.end() ? Tensor{} : place->second;
}

Tensor call_layer(const LayerCall& call) {
  static const Tensor nothing;
  if (const auto* parameter = std::get_if<Parameter>(&call.layer.op))
    return Calling{call, call.eager, nothing}(*parameter);
  return std::visit(Calling{call, call.eager, call.x()}, static_cast<const AnyOp&>(call.layer.op));
}

int modules_in(const Op& op) { return std::visit(Modules{}, static_cast<const AnyOp&>(op)); }

}  // namespace ampere::lowering
