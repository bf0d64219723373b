#include "block/cut.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace ampere {
namespace {

constexpr int kNone = -1;

// What is the same for all samples is no block of its own: alone, it would be measured with a
// batch.
bool waits_for_reader(const Layer& layer) {
  return std::holds_alternative<Input>(layer.op) || (!layer.per_sample && layer.module.empty());
}

// A non-parametric layer belongs to the latest block it reads: an addition is paid where its last
// operand arrives, a normalisation where its input is made.
int latest_producer(const Layer& layer, const std::vector<int>& block_of) {
  int latest = kNone;
  for (int input : layer.inputs) latest = std::max(latest, block_of[input]);
  return latest;
}

// Gives layers to blocks in their order, starting blocks as they come.
class ForwardCut {
 public:
  ForwardCut(const Model& model, std::vector<int>& block_of) : block_of_(block_of) {
    for (std::size_t i = 0; i < block_of.size(); ++i)
      if (const Layer& layer = model.layers()[i]; !waits_for_reader(layer))
        block_of[i] = block_for(layer);
  }

  int blocks() const { return static_cast<int>(has_parametric_.size()); }

 private:
  int block_for(const Layer& layer) {
    if (!layer.module.empty()) {
      const auto [found, is_new] = modules_.try_emplace(layer.module, blocks());
      if (is_new) has_parametric_.push_back(false);
      if (is_parametric(layer.op)) has_parametric_[found->second] = true;
      return found->second;
    }
    const int latest = latest_producer(layer, block_of_);
    if (!is_parametric(layer.op)) return latest;
    if (latest == kNone || has_parametric_[latest]) {
      has_parametric_.push_back(true);
      return blocks() - 1;
    }
    // Only a module can be without a parametric layer; the one that reads it completes it.
    has_parametric_[latest] = true;
    return latest;
  }

  const std::vector<int>& block_of_;
  std::vector<bool> has_parametric_;  // one per block
  std::unordered_map<std::string_view, int> modules_;
};

// Inputs and parameters, what is computed from parameters alone, and what is computed from inputs
// before any block started, belong to whoever reads them first. What nobody reads goes to the first
// block.
void assign_backward(const Model& model, std::vector<int>& block_of) {
  std::vector<int> first_reader(block_of.size(), kNone);
  for (std::size_t i = block_of.size(); i-- > 0;)
    for (int input : model.layers()[i].inputs) first_reader[input] = static_cast<int>(i);
  for (std::size_t i = block_of.size(); i-- > 0;)
    if (block_of[i] == kNone)
      block_of[i] = first_reader[i] == kNone ? 0 : block_of[first_reader[i]];
}

}  // namespace

Cut cut_blocks(const Model& model) {
  Cut cut;
  cut.block_of.assign(model.layers().size(), kNone);
  const int blocks = std::max(1, ForwardCut(model, cut.block_of).blocks());
  assign_backward(model, cut.block_of);
  cut.blocks.resize(blocks);
  for (std::size_t i = 0; i < cut.block_of.size(); ++i)
    cut.blocks[cut.block_of[i]].push_back(static_cast<int>(i));
  return cut;
}

}  // namespace ampere
