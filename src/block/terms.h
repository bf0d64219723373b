// What estimators see of a network: its blocks, and how much each of them computes and moves.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ampere/block.h"
#include "ampere/model.h"
#include "ampere/train.h"

namespace ampere {

struct BlockTerms {
  std::string kind;  // key
  std::vector<std::int64_t> features;
  std::int64_t taps = 1;             // positions of its first convolution's kernel
  double flops = 0, bytes = 0;       // of a training step
  bool first = false, last = false;  // in the network
};
using NetworkTerms = std::vector<BlockTerms>;

// What two blocks that cost the same have in common: kind and features.
using BlockKey = std::pair<std::string, std::vector<std::int64_t>>;
inline BlockKey key_of(const BlockTerms& block) { return {block.kind, block.features}; }
std::vector<BlockKey> keys_of(const NetworkTerms& blocks);

NetworkTerms terms_of(const Model& model, const Setup& setup);
NetworkTerms terms_of(const Model& model, std::span<const Block> blocks, const Setup& setup);

// One number per block, counted from 0 in the order in which they first occur. Blocks of equal kind
// and features have the same number.
std::vector<int> number_blocks(const NetworkTerms& blocks);

}  // namespace ampere
