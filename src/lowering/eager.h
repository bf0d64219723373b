// A framework that executes one operation after the other, without numbers: it records what is
// called, keeps the graph of gradients and walks back through it, as PyTorch's autograd does.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lowering/dialect.h"
#include "lowering/recorder.h"
#include "lowering/tensor.h"

namespace ampere::lowering {

// Gradients of the inputs from those of the results. A gradient that is not there is not defined.
using Backward = std::function<Tensors(const Tensors&)>;

struct Node {
  struct Input {
    ElementType format = ElementType::fp32;
    Sizes sizes;
  };
  Node() = default;
  ~Node();  // nodes before it one after the other: a deep network has long chains of them
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Backward backward;
  std::vector<Edge> next;     // by input; no node where no gradient is wanted
  std::vector<Input> inputs;  // what the gradients must fit
  int results = 1;
  std::int64_t sequence = 0;  // later nodes go first
  int module = 0;
};

class Eager {
 public:
  Eager(Recorder& records, const Dialect& chosen) : recorder(records), dialect(chosen) {}

  Recorder& recorder;
  const Dialect& dialect;
  bool keeps_graph = true;                     // false in inference and inside a backward pass
  std::optional<ElementType> low_format;       // of autocast, while it is on
  std::map<const Node*, Tensor> cast_weights;  // of this forward pass

  // Records an operation that gives new tensors of these types.
  Tensor run(const char* name, Arguments arguments, const TensorType& result,
             Keywords keywords = {});
  Tensors run(const char* name, Arguments arguments, const std::vector<TensorType>& results,
              Keywords keywords = {});
  // Records an operation that reads the memory of `from` in another way.
  Tensor view(const char* name, const Tensor& from, Arguments arguments, TensorType result);
  // Records an operation that only takes memory, which the device does not notice.
  Tensor reserve(const char* name, Arguments arguments, const TensorType& result,
                 Keywords keywords = {});
  // Records an operation that changes its first argument.
  void change(const char* name, const Tensor& changed, Arguments arguments, Keywords keywords = {});

  // Makes the results those of a node with these inputs, if one of them needs a gradient.
  bool connect(Tensors& results, const Tensors& inputs, Backward backward);
  Tensor connected(Tensor result, const Tensors& inputs, Backward backward);

  // Walks back from the root, whose gradient is given. The graph is gone afterwards unless it is
  // kept.
  void walk_back(const Tensor& root, Tensor gradient, bool keep_graph);

  // A tensor that was there before the iteration. A leaf collects its gradient.
  Tensor make(const TensorType& type, StorageKind kind);
  void make_leaf(Tensor& tensor);
  Tensor gradient_of(const Tensor& leaf) const;  // not defined when there is none
  void drop_gradients() { gradients_.clear(); }

 private:
  class Walk;
  void accumulate(const Tensor& leaf, const Node* node, Tensor gradient);
  void claim(int module);  // steps of the backward pass since the last node

  std::map<const Node*, Tensor> gradients_;
  std::int64_t sequence_ = 0;
  int unclaimed_ = 0;
};

// Adds up what was repeated, so that a gradient has these sizes.
Tensor sum_to(Eager& eager, const Tensor& gradient, const Sizes& sizes);

}  // namespace ampere::lowering
