// How a tensor of the file lies in a layer's output. Exporters reshape, transpose and split axes
// between layers, with the batch anywhere among them; none of that computes anything. It is
// followed exactly: each axis of a tensor is a list of atoms, and an atom is a digit of the index
// along one axis of the layer.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "ampere/layer.h"
#include "onnx/proto.h"

namespace ampere::onnx {

inline constexpr int kBatch = -1;

// `length` steps of `stride` along an axis of the layer; kBatch is the batch, which is not split.
struct Atom {
  int axis = 0;
  std::int64_t stride = 1;
  std::int64_t length = 1;
  friend auto operator<=>(const Atom&, const Atom&) = default;
};
using Axis = std::vector<Atom>;  // slowest first; empty for length 1

struct View {
  std::vector<Axis> axes;
  friend bool operator==(const View&, const View&) = default;
};

std::int64_t length_of(const Axis& axis);
Dims dims_of(const View& view);
bool is_batch(const Axis& axis);  // the batch and nothing else
std::vector<Atom> atoms_of(const View& view);

// The batch, then the axes of the layer as they lie in memory.
View native_view(const TensorShape& shape, std::int64_t batch);

// The axis of a layer's output that holds its channels; -1 for tensors and tokens.
int channel_axis(Layout layout);

// Neighbours that are digits of one number put together.
Axis simplified(const Axis& axis);

View permuted(const View& view, const Dims& order);

// The same numbers in other axes; nothing when an axis would have to be cut within an atom in a way
// that its digits do not allow.
std::optional<View> reshaped(const View& view, const Dims& dims);

bool has_batch(const View& view);

// The axes after the batch, which must lead the first one. Nothing when it does not. Of a view
// without a batch, which is the same for all samples: the axes after the first, which must have the
// length 1.
std::optional<std::vector<Axis>> sample_axes(const View& view);

}  // namespace ampere::onnx
