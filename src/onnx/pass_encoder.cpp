#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

// Follows the one way from a layer to its readers, noting the layers on it.
class Path {
 public:
  Path(const Draft& draft, const std::vector<std::vector<int>>& next, int start)
      : draft_(&draft), next_(&next), at_(start), layers_{start} {}

  int at() const { return at_; }
  const std::vector<int>& layers() const { return layers_; }
  void note(int layer) { layers_.push_back(layer); }

  template <class T>
  bool step() {
    for (const int reader : (*next_)[at_])
      if (layer_as<T>(*draft_, reader)) {
        move(reader);
        return true;
      }
    return false;
  }
  void skip_dropout() {
    if ((*next_)[at_].size() == 1) step<Dropout>();
  }
  // To the sum of this and `other`, if it reads both.
  bool add_to(int other) {
    const int own = at_;
    for (const int reader : (*next_)[own])
      if (layer_as<Add>(*draft_, reader) &&
          std::ranges::count((*draft_)[reader].inputs, other) == 1 &&
          (*draft_)[reader].inputs.size() == 2) {
        move(reader);
        return true;
      }
    return false;
  }

 private:
  void move(int layer) {
    at_ = layer;
    layers_.push_back(layer);
  }

  const Draft* draft_;
  const std::vector<std::vector<int>>* next_;
  int at_;
  std::vector<int> layers_;
};

bool feed_forward(Path& path) {
  if (!path.step<Linear>() || !path.step<Activation>()) return false;
  path.skip_dropout();
  if (!path.step<Linear>()) return false;
  path.skip_dropout();
  return true;
}

// Vaswani et al. 2017: sums are normalised.
bool follow_post_norm(Path& path, int input) {
  path.skip_dropout();
  if (!path.add_to(input) || !path.step<LayerNorm>()) return false;
  const int middle = path.at();
  return feed_forward(path) && path.add_to(middle) && path.step<LayerNorm>();
}

// What enters attention and feed-forward is normalised.
bool follow_pre_norm(Path& path, const Draft& draft, int norm) {
  if (!layer_as<LayerNorm>(draft, norm)) return false;
  path.note(norm);
  path.skip_dropout();
  if (!path.add_to(draft[norm].inputs[0])) return false;
  const int middle = path.at();
  return path.step<LayerNorm>() && feed_forward(path) && path.add_to(middle);
}

}  // namespace

void mark_encoders(Draft& draft) {
  const std::vector<int> read = readers(draft);
  std::vector<std::vector<int>> next(draft.layers.size());
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i)
    if (read[i] > 0)
      for (const int input : draft[i].inputs) next[input].push_back(i);
  int number = 0;
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    if (read[i] == 0 || !layer_as<SelfAttention>(draft, i)) continue;
    const int input = draft[i].inputs[0];
    Path path(draft, next, i);
    if (!follow_pre_norm(path, draft, input)) {
      path = Path(draft, next, i);
      if (!follow_post_norm(path, input)) continue;
    }
    for (const int layer : path.layers()) draft[layer].module = fmt::format("encoder{}", number);
    ++number;
  }
}

}  // namespace ampere::onnx
