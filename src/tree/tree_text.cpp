#include "tree/tree_text.h"

#include <cmath>

#include "ampere/error.h"
#include "base/packed.h"

namespace ampere {
namespace {

constexpr float kMostNodes = 1 << 24;  // that a float counts

// A child comes after its parent, so that every walk ends.
TreeNode read_node(const JsonField& json, std::span<const float, 4> numbers, std::int32_t at,
                   std::int64_t size, Eigen::Index columns) {
  for (const float number : numbers)
    if (!std::isfinite(number)) json.fail("has a number that is not finite");
  if (std::abs(numbers[0]) > kMostNodes || std::abs(numbers[1]) > kMostNodes)
    json.fail("has a node that points nowhere");
  const TreeNode node{static_cast<std::int32_t>(numbers[0]), static_cast<std::int32_t>(numbers[1]),
                      numbers[2], numbers[3]};
  if (node.column >= 0 && (node.column >= columns || node.left <= at || node.left + 1 >= size))
    json.fail("has a node that points nowhere");
  return node;
}

std::vector<float> read_values(const JsonField& json) {
  try {
    return unpack_floats(json.text());
  } catch (const Error& error) {
    json.fail(error.what());
  }
}

}  // namespace

// Four numbers a node, one tree after the other; a tree ends where the next root begins.
Json trees_json(std::span<const RegressionTree> trees) {
  std::vector<float> nodes;
  std::vector<std::size_t> sizes;
  for (const RegressionTree& tree : trees) {
    sizes.push_back(tree.nodes().size());
    for (const TreeNode& node : tree.nodes())
      for (const float number :
           {static_cast<float>(node.column), static_cast<float>(node.left), node.cut, node.value})
        nodes.push_back(number);
  }
  return {{"sizes", sizes}, {"nodes", pack(std::span<const float>(nodes))}};
}

std::vector<RegressionTree> read_trees(const JsonField& json, Eigen::Index columns) {
  const JsonField field = json.at("nodes");
  const std::vector<float> numbers = read_values(field);
  std::vector<RegressionTree> trees;
  std::size_t next = 0;
  for (const std::int64_t size : json.at("sizes").integers()) {
    if (size < 1 || size > static_cast<std::int64_t>((numbers.size() - next) / 4))
      field.fail("does not have as many nodes as `sizes` says");
    std::vector<TreeNode> nodes;
    nodes.reserve(static_cast<std::size_t>(size));
    for (std::int32_t at = 0; at < size; ++at, next += 4)
      nodes.push_back(
          read_node(field, std::span(numbers).subspan(next).first<4>(), at, size, columns));
    trees.emplace_back(std::move(nodes));
  }
  if (next != numbers.size()) field.fail("does not have as many nodes as `sizes` says");
  return trees;
}

}  // namespace ampere
