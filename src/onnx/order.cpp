#include "onnx/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ampere/error.h"

namespace ampere::onnx {

std::vector<const Node*> ordered_nodes(const std::vector<Node>& nodes, std::string_view output) {
  std::unordered_map<std::string_view, int> producers;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const std::string_view name : nodes[i].outputs)
      if (!name.empty() && !producers.emplace(name, static_cast<int>(i)).second)
        throw Error(ErrorCode::usage, fmt::format("two nodes give '{}'", name.substr(0, 200)));
  enum class State { fresh, open, done };
  std::vector<State> states(nodes.size(), State::fresh);
  std::vector<const Node*> order;
  struct Visit {
    int node;
    std::size_t next_input;
  };
  std::vector<Visit> stack;
  const auto enter = [&](std::string_view name) {
    const auto found = producers.find(name);
    if (found == producers.end() || states[found->second] == State::done) return;
    if (states[found->second] == State::open)
      throw Error(
          ErrorCode::usage,
          fmt::format("the nodes that give '{}' read each other in a circle", name.substr(0, 200)));
    states[found->second] = State::open;
    stack.push_back({found->second, 0});
  };
  enter(output);
  while (!stack.empty()) {
    Visit& top = stack.back();
    const Node& node = nodes[top.node];
    if (top.next_input < node.inputs.size()) {
      enter(node.inputs[top.next_input++]);
    } else {
      states[top.node] = State::done;
      order.push_back(&node);
      stack.pop_back();
    }
  }
  return order;
}

}  // namespace ampere::onnx
