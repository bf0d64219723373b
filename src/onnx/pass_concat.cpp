#include <map>

#include "onnx/passes.h"

namespace ampere::onnx {

// Each layer of a dense block joins all that came before it anew. What an earlier layer joined
// already is read from there: a join has then two operands, however deep the block.
void join_concats(Draft& draft) {
  std::map<std::vector<int>, int> known;
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    const auto* concat = layer_as<Concat>(draft, i);
    if (!concat || concat->axis) continue;
    const std::vector<int> all = draft[i].inputs;
    if (all.size() > 2)
      if (const auto found = known.find({all.begin(), all.end() - 1}); found != known.end())
        draft[i].inputs = {found->second, all.back()};
    known.emplace(all, i);
  }
}

}  // namespace ampere::onnx
