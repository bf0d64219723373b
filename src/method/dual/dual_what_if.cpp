#include <vector>

#include "ampere/estimate.h"
#include "ampere/what_if.h"
#include "base/long_texts.h"
#include "base/packed.h"
#include "estimate/causes.h"
#include "method/dual/dual.h"
#include "method/dual/dual_model.h"
#include "widths/forms_json.h"

namespace ampere {
namespace {

void add_nodes(const std::vector<TreeNode>& nodes, std::int32_t at, std::vector<float>& numbers) {
  const TreeNode& node = nodes[static_cast<std::size_t>(at)];
  const bool leaf = node.column < 0;
  numbers.push_back(leaf ? -1 : static_cast<float>(node.column));
  numbers.push_back(leaf ? node.value : node.cut);
  if (leaf) return;
  add_nodes(nodes, node.left, numbers);
  add_nodes(nodes, node.left + 1, numbers);
}

// Half as long as they are stored: trees are most of a page.
Json steps_json(const BoostedTrees& trees) {
  std::vector<float> numbers;
  for (const RegressionTree& tree : trees.trees()) add_nodes(tree.nodes(), 0, numbers);
  return {{"start", trees.start()}, {"nodes", pack(std::span<const float>(numbers))}};
}

// The model with no more maps than the network needs.
DualModel maps_for(const Json& kinds, const DualModel& model) {
  DualModel some = model;
  some.maps.clear();
  for (const Json& kind : kinds) {
    const auto& key = kind.at("key").get_ref<const std::string&>();
    some.maps.emplace(key, model.maps.at(key));
  }
  return some;
}

}  // namespace

std::string what_if_json(const Model& original, SharedDualModel model) {
  require_covered(make_dual_estimator(model)->estimate(original, {}), original);
  Json json = forms_json("dual", original, model->setup);
  const DualModel needed = maps_for(json.at("kinds"), *model);
  const DualText text = to_text(needed);
  json["laws"] = parse_with_long_texts(text.laws, "the dual model");
  for (Json& kind : json["kinds"]) {
    const auto& key = kind.at("key").get_ref<const std::string&>();
    Json map = parse_with_long_texts(text.maps.at(key), "the dual model's map");
    map["steps"] = steps_json(needed.maps.at(key).parts().steps);
    kind["map"] = std::move(map);
  }
  return json.dump();
}

}  // namespace ampere
