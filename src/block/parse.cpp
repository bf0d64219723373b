#include <string_view>
#include <unordered_map>

#include "ampere/block.h"
#include "block/cut.h"
#include "block/fragment.h"
#include "block/key.h"

namespace ampere {
namespace {

// Raw data enter the block, or nothing at all does: it is made of parameters alone.
bool begins_network(const Model& fragment) {
  bool boundary = false;
  for (const Layer& layer : fragment.layers())
    if (const Input* input = std::get_if<Input>(&layer.op)) {
      if (!input->boundary) return true;
      boundary = true;
    }
  return !boundary;
}

Role role_of(const Model& fragment, bool holds_last_layer) {
  if (holds_last_layer) return Role::output;
  return begins_network(fragment) ? Role::input : Role::hidden;
}

// Kinds of one parse, by key; a key lives in its kind.
using Kinds = std::unordered_map<std::string_view, std::shared_ptr<const BlockKind>>;

std::shared_ptr<const BlockKind> find_kind(Kinds& kinds, std::string key, Role role,
                                           const FeatureMap& map, Model fragment) {
  if (const auto found = kinds.find(key); found != kinds.end()) return found->second;
  std::string title = kind_title(fragment);
  auto kind = std::make_shared<const BlockKind>(
      BlockKind{std::move(key), std::move(title), role, map.features, std::move(fragment)});
  kinds.emplace(kind->key, kind);
  return kind;
}

}  // namespace

std::vector<Block> parse_blocks(const Model& model) {
  Cut cut = cut_blocks(model);
  const int last_block = cut.block_of.back();
  Kinds kinds;
  std::vector<Block> blocks;
  blocks.reserve(cut.blocks.size());
  for (std::size_t b = 0; b < cut.blocks.size(); ++b) {
    Model fragment = make_fragment(model, cut.blocks[b]);
    const Role role = role_of(fragment, static_cast<int>(b) == last_block);
    FeatureMap map = map_features(fragment, role);
    std::string key = kind_key(fragment, role, map);
    auto kind = find_kind(kinds, std::move(key), role, map, std::move(fragment));
    blocks.push_back({std::move(kind), std::move(map.values), std::move(cut.blocks[b])});
  }
  return blocks;
}

}  // namespace ampere
