#include "block_text.h"

#include <set>

#include "ampere/model.h"

namespace ampere {

std::string block_text(const Block& block) {
  std::string text = to_string(block.kind->role);
  text += " " + block.kind->title;
  for (std::size_t i = 0; i < block.features.size(); ++i)
    text += " " + block.kind->features.at(i).name + "=" + std::to_string(block.features[i]);
  return text;
}

std::vector<std::string> block_texts(const Model& model) {
  std::vector<std::string> texts;
  for (const Block& block : parse_blocks(model)) texts.push_back(block_text(block));
  return texts;
}

std::vector<std::string> kind_keys(const std::vector<Block>& blocks) {
  std::vector<std::string> keys;
  for (const Block& block : blocks) keys.push_back(block.kind->key);
  return keys;
}

std::vector<Block> one_of_each(const std::vector<Block>& blocks) {
  std::set<std::string> seen;
  std::vector<Block> kinds;
  for (const Block& block : blocks)
    if (seen.insert(block.kind->key).second) kinds.push_back(block);
  return kinds;
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  return names;
}

}  // namespace ampere
