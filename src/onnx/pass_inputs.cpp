#include <algorithm>
#include <optional>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

// Which axis of the input each axis of the arrangement is, when each is a whole one.
std::optional<Dims> whole_order(const DraftLayer& arrangement, const Dims& lengths) {
  std::vector<bool> used(lengths.size(), false);
  Dims order;
  for (const Axis& axis : arrangement.arranged) {
    if (axis.empty()) {
      order.push_back(-1);
      continue;
    }
    if (axis.size() != 1 || axis[0].stride != 1 || axis[0].length != lengths[axis[0].axis])
      return std::nullopt;
    order.push_back(axis[0].axis);
    used[axis[0].axis] = true;
  }
  for (std::int64_t& axis : order) {  // axes of length 1 are told apart by their order only
    if (axis != -1) continue;
    const auto free = std::ranges::find(used, false);
    if (free == used.end()) return std::nullopt;
    axis = free - used.begin();
    *free = true;
  }
  return order.size() == lengths.size() ? std::optional(order) : std::nullopt;
}

}  // namespace

std::map<int, Dims> turn_inputs(Draft& draft) {
  const std::vector<int> read = readers(draft);
  std::map<int, std::vector<int>> readers_of;
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i)
    if (layer_as<Input>(draft, i)) readers_of[i];
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i)
    if (read[i] > 0)
      for (const int input : draft[i].inputs)
        if (const auto found = readers_of.find(input); found != readers_of.end())
          found->second.push_back(i);
  std::map<int, Dims> orders;
  std::map<int, int> instead;
  for (const auto& [input, all] : readers_of) {
    if (all.size() != 1 || !draft[all[0]].is_arrangement || draft.output == all[0]) continue;
    const std::optional<Dims> order = whole_order(draft[all[0]], draft[input].shape.axes());
    if (!order) continue;
    draft[input].shape = draft[all[0]].shape;
    std::get<Input>(draft[input].op).shape = draft[input].shape;
    orders[input] = *order;
    instead[all[0]] = input;
  }
  for (DraftLayer& layer : draft.layers)
    for (int& input : layer.inputs)
      if (const auto found = instead.find(input); found != instead.end()) input = found->second;
  return orders;
}

}  // namespace ampere::onnx
