#include <algorithm>
#include <numeric>

#include "model/axes.h"
#include "onnx/writers.h"

namespace ampere::onnx {
namespace {

std::string filled(Exporter& out, const std::string& name, std::int64_t count, float value) {
  return out.tensor(name, FloatTensor{{count}, std::vector<float>(count, value)});
}

// (x − mean)/√(variance + ε) over an axis, written out: the operator would bring a scale along.
void write_plain(Exporter& out, double epsilon) {
  const auto axis = static_cast<std::int64_t>(channel_axis(out.output())) + 1;
  const auto mean = [&](const std::string& of) {
    return out.step("ReduceMean", {of}, {integers_attribute("axes", {axis})});
  };
  const std::string centred = out.step("Sub", {out.value(), mean(out.value())});
  const std::string variance = mean(out.step("Pow", {centred, out.number(2)}));
  const std::string shifted = out.step("Add", {variance, out.number(epsilon)});
  out.give("Div", {centred, out.step("Sqrt", {shifted})});
}

}  // namespace

void write(Exporter& out, const BatchNorm& op) {
  out.give("BatchNormalization",
           {out.value(), out.tensor("weight"), out.tensor("bias"), out.tensor("running_mean"),
            out.tensor("running_var")},
           {real_attribute("epsilon", op.epsilon)});
}

// The operator normalises over the last axes, so channels before them are brought there and back.
void write(Exporter& out, const LayerNorm& op) {
  if (!op.affine) return write_plain(out, op.epsilon);
  const Exporter::Attributes attributes{integer_attribute("axis", -1),
                                        real_attribute("epsilon", op.epsilon)};
  const std::size_t axes = out.output().axes().size(), channels = channel_axis(out.output());
  if (channels + 1 == axes)
    return out.give("LayerNormalization", {out.value(), out.tensor("weight"), out.tensor("bias")},
                    attributes);
  Dims there(axes + 1);
  std::iota(there.begin(), there.end(), 0);
  Dims back = there;
  const auto first = static_cast<std::ptrdiff_t>(channels) + 1;
  std::rotate(there.begin() + first, there.begin() + first + 1, there.end());
  std::rotate(back.begin() + first, back.end() - 1, back.end());
  const std::string last =
      out.step("Transpose", {out.value()}, {integers_attribute("perm", there)});
  const std::string normed =
      out.step("LayerNormalization", {last, out.tensor("weight"), out.tensor("bias")}, attributes);
  out.give("Transpose", {normed}, {integers_attribute("perm", back)});
}

// Each group as one channel of an instance normalisation: opset 17 has no other word for it.
void write(Exporter& out, const GroupNorm& op) {
  const std::string grouped = out.reshaped(out.value(), {op.groups, -1});
  const std::string normed =
      out.step("InstanceNormalization",
               {grouped, filled(out, "ones", op.groups, 1), filled(out, "zeros", op.groups, 0)},
               {real_attribute("epsilon", op.epsilon)});
  const Dims sizes = out.reshape_sizes(out.output().axes());
  if (!op.affine) return out.give("Reshape", {normed, out.integers(sizes)});
  const std::string back = out.step("Reshape", {normed, out.integers(sizes)});
  const Dims channels = channel_sizes(out.output());
  const std::string scaled = out.step("Mul", {back, out.tensor("weight", channels)});
  out.give("Add", {scaled, out.tensor("bias", channels)});
}

void write(Exporter& out, const InstanceNorm& op) {
  const std::int64_t channels = out.output().channels;
  out.give("InstanceNormalization",
           {out.value(), op.affine ? out.tensor("weight") : filled(out, "ones", channels, 1),
            op.affine ? out.tensor("bias") : filled(out, "zeros", channels, 0)},
           {real_attribute("epsilon", op.epsilon)});
}

}  // namespace ampere::onnx
