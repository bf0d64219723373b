#include "onnx/draft.h"

namespace ampere::onnx {

std::vector<int> readers(const Draft& draft) {
  std::vector<int> counts(draft.layers.size(), 0);
  if (draft.output < 0) return counts;
  counts[draft.output] = 1;
  // Layers come after what they read, so that one walk backwards knows which are needed.
  for (std::size_t i = draft.layers.size(); i-- > 0;)
    if (counts[i] > 0)
      for (const int input : draft.layers[i].inputs) ++counts[input];
  return counts;
}

}  // namespace ampere::onnx
