#include "onnx/arrange.h"

#include <algorithm>

namespace ampere::onnx {
namespace {

Axis whole_axis(const Dims& lengths, int axis) {
  return lengths[axis] == 1 ? Axis{} : Axis{{axis, 1, lengths[axis]}};
}

// Axes from `first` to before `last`, one after the other.
Axis whole_axes(const Dims& lengths, int first, int last) {
  Axis all;
  for (int i = first; i < last; ++i)
    if (lengths[i] != 1) all.push_back({i, 1, lengths[i]});
  return all;
}

Axis in_a_row(const std::vector<Axis>& axes, std::size_t first = 0) {
  Axis all;
  for (std::size_t i = first; i < axes.size(); ++i)
    all.insert(all.end(), axes[i].begin(), axes[i].end());
  return simplified(all);
}

bool is_picture(const TensorShape& shape) {
  return shape.layout == Layout::image || shape.layout == Layout::line;
}

bool makes_sequence(const TensorShape& from, const DraftLayer& to, const Dims& lengths) {
  return is_picture(from) && to.shape.layout == Layout::sequence &&
         to.arranged[0] == whole_axes(lengths, 1, static_cast<int>(lengths.size())) &&
         to.arranged[1] == whole_axis(lengths, 0);
}

bool makes_picture(const TensorShape& from, const DraftLayer& to, const Dims& lengths) {
  return from.layout == Layout::sequence && is_picture(to.shape) &&
         to.arranged[0] == whole_axis(lengths, 1) &&
         in_a_row(to.arranged, 1) == whole_axis(lengths, 0);
}

// Channels read as groups × n and written as n × groups; 0 when they are not.
std::int64_t shuffled_groups(const TensorShape& from, const DraftLayer& to, const Dims& lengths) {
  if (!is_picture(from) || to.shape != from || to.arranged[0].size() != 2) return 0;
  const Atom &inner = to.arranged[0][0], &outer = to.arranged[0][1];
  if (inner.axis != 0 || outer.axis != 0 || inner.stride != 1 || outer.stride != inner.length)
    return 0;
  for (std::size_t i = 1; i < to.arranged.size(); ++i)
    if (to.arranged[i] != whole_axis(lengths, static_cast<int>(i))) return 0;
  return outer.length;
}

std::vector<Op> permuting_ops(const TensorShape& from, const DraftLayer& to) {
  std::vector<Atom> wanted;
  for (const Axis& axis : to.arranged) wanted.insert(wanted.end(), axis.begin(), axis.end());
  std::vector<Atom> pieces = wanted;
  std::ranges::sort(pieces, [](const Atom& a, const Atom& b) {
    return a.axis != b.axis ? a.axis < b.axis : a.stride > b.stride;
  });
  Dims lengths, order, result;
  for (const Atom& piece : pieces) lengths.push_back(piece.length);
  for (const Atom& atom : wanted) {
    order.push_back(std::ranges::find(pieces, atom) - pieces.begin());
    result.push_back(atom.length);
  }
  std::vector<Op> ops;
  if (from.axes() != lengths) ops.emplace_back(Reshape{tensor(lengths)});
  ops.emplace_back(Permute{order});
  if (to.shape != tensor(result)) ops.emplace_back(Reshape{to.shape});
  return ops;
}

}  // namespace

std::vector<Op> arranging_ops(const TensorShape& from, const DraftLayer& arrangement) {
  const Dims lengths = from.axes();
  const auto axes = static_cast<int>(lengths.size());
  if (in_a_row(arrangement.arranged) == whole_axes(lengths, 0, axes)) {
    if (arrangement.shape.layout == Layout::flat) return {Flatten{}};
    return {Reshape{arrangement.shape}};
  }
  if (makes_sequence(from, arrangement, lengths)) return {ToSequence{}};
  if (makes_picture(from, arrangement, lengths)) return {FromSequence{arrangement.shape.extent}};
  if (const std::int64_t groups = shuffled_groups(from, arrangement, lengths))
    return {ChannelShuffle{groups}};
  return permuting_ops(from, arrangement);
}

}  // namespace ampere::onnx
