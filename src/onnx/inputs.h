// The inputs of a graph: which are data, which are parameters left out of the file and which are
// masks of attention, and how long their axes are.
#pragma once

#include <deque>
#include <map>

#include "ampere/onnx.h"
#include "onnx/proto.h"

namespace ampere::onnx {

struct DataInput {
  const ValueInfo* info = nullptr;
  Dims dims;  // the batch first
};

struct BoundInputs {
  std::vector<DataInput> data;
  std::vector<std::pair<const ValueInfo*, Dims>> parameters;
  std::vector<DataInput> masks;  // integers that say which tokens count; all are taken to
  std::vector<std::string_view> shapeless;  // parameters without a shape
  std::int64_t batch = 1;
  bool batch_is_open = false;         // the file leaves it to the caller
  std::vector<OnnxProblem> problems;  // lengths that are not known
};

// `given` are names of initializers: inputs of those names have a value already. An open batch
// becomes `open_batch`.
BoundInputs bind_inputs(const Graph& graph, const std::vector<const Node*>& nodes,
                        const OnnxOptions& options, std::int64_t open_batch);

}  // namespace ampere::onnx
