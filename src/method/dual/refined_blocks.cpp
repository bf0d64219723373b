#include "method/dual/refined_blocks.h"

#include "ampere/block.h"
#include "base/json.h"

namespace ampere {
namespace {

const std::string kRefined = "dual refined blocks";

}  // namespace

RefinedBlocks refined_blocks(const Store& store, std::int64_t profile) {
  RefinedBlocks refined;
  const auto text = store.document(profile, kRefined);
  if (!text) return refined;
  const Json json = parse_json(*text, kRefined);
  const JsonField networks(json, kRefined + ": ");
  for (const std::string& hash : networks.keys())
    for (const JsonField& block : networks.at(hash).items())
      refined[hash].insert({block.at("kind").text(), block.at("features").integers()});
  return refined;
}

void put_refined_blocks(Store& store, std::int64_t profile, const RefinedBlocks& refined) {
  Json json = Json::object();
  for (const auto& [hash, blocks] : refined)
    for (const auto& [kind, features] : blocks)
      json[hash].push_back({{"kind", kind}, {"features", features}});
  store.put_document(profile, {kRefined, json.dump()});
}

std::set<BlockKey> timed_only_for(const std::set<std::string>& networks,
                                  const RefinedBlocks& refined) {
  std::set<BlockKey> own;
  for (const auto& [hash, blocks] : refined)
    if (networks.contains(hash)) own.insert(blocks.begin(), blocks.end());
  for (const auto& [hash, blocks] : refined)
    if (!networks.contains(hash))
      for (const BlockKey& block : blocks) own.erase(block);
  return own;
}

void note_refined(const Model& network, const TimeMaps& known, RefinedBlocks& refined) {
  std::set<BlockKey> of_others;
  for (const auto& [hash, blocks] : refined) of_others.insert(blocks.begin(), blocks.end());
  std::set<BlockKey> own;
  for (const Block& block : parse_blocks(network)) {
    const auto map = known.find(block.kind->key);
    if (map == known.end()) continue;
    const BlockKey key{block.kind->key, block.features};
    if (of_others.contains(key) || !map->second.parts().timed.contains(block.features))
      own.insert(key);
  }
  if (!own.empty()) refined[model_hash(network)].merge(own);
}

}  // namespace ampere
