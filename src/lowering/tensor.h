// Tensors without numbers, as the lowering passes them from operation to operation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ampere/program.h"

namespace ampere::lowering {

using Sizes = std::vector<std::int64_t>;

class Memory;  // what tensors share; it knows when it was allocated and notes when it is gone
struct Node;   // a node of the graph of gradients

// One result of a node.
struct Edge {
  std::shared_ptr<Node> node;
  int slot = 0;
};

struct Tensor {
  TensorType type;
  std::shared_ptr<Memory> memory;
  Edge edge;  // where its gradient goes; no node when it needs none

  bool defined() const { return memory != nullptr; }
  bool needs_gradient() const { return edge.node != nullptr; }
  const Sizes& sizes() const { return type.sizes; }
  const Sizes& strides() const { return type.strides; }
  std::int64_t size(int axis) const;  // counted from the end when negative
  int rank() const { return static_cast<int>(type.sizes.size()); }
};
using Tensors = std::vector<Tensor>;

// The same tensor apart from the graph: as a node keeps it for its backward pass.
Tensor detached(Tensor tensor);

std::int64_t product(std::span<const std::int64_t> sizes);
std::size_t axis_of(std::int64_t axis, std::size_t rank);  // from 0
TensorType dense(ElementType element, Sizes sizes);

// Axes of length 1 may have any stride.
bool is_contiguous(const TensorType& type);
bool is_channels_last(const TensorType& type);
bool overlaps_or_has_holes(const TensorType& type);

// A new tensor for images: in the order of `like`, channels last or first.
TensorType dense_like(const TensorType& like, Sizes sizes);

// The type with strides in their usual spelling where they do not matter.
TensorType canonical(TensorType type);

// What a function of these tensors element by element gives: sizes broadcast, formats promoted, and
// the order in memory that PyTorch's TensorIterator chooses.
TensorType elementwise(std::span<const TensorType> operands);
ElementType promoted(ElementType a, ElementType b);

// The strides with which a tensor can be read in other sizes without copying; empty when it cannot.
// Not for tensors without elements.
Sizes view_strides(const TensorType& type, const Sizes& sizes);

}  // namespace ampere::lowering
