#include "block/terms.h"

#include <map>
#include <numeric>
#include <utility>

namespace ampere {
namespace {

constexpr double kPassesOfData = 3;  // forward, gradient of the input, gradient of the weights

std::int64_t taps_of(const Model& model, const Block& block) {
  for (const int layer : block.layers)
    if (const auto* conv = std::get_if<Conv>(&model.layers()[layer].op))
      return std::accumulate(conv->kernel.begin(), conv->kernel.end(), std::int64_t{1},
                             std::multiplies<>());
  return 1;
}

}  // namespace

NetworkTerms terms_of(const Model& model, const Setup& setup) {
  return terms_of(model, parse_blocks(model), setup);
}

NetworkTerms terms_of(const Model& model, std::span<const Block> blocks, const Setup& setup) {
  NetworkTerms terms;
  for (const Block& block : blocks) {
    BlockTerms term{block.kind->key,
                    block.features,
                    taps_of(model, block),
                    0,
                    0,
                    block.kind->role == Role::input,
                    block.kind->role == Role::output};
    for (const int layer : block.layers) {
      const Counts counts = count(model.layers()[layer], model, setup.batch);
      term.flops += static_cast<double>(counts.training_flops);
      term.bytes += kPassesOfData * static_cast<double>(counts.bytes);
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

std::vector<BlockKey> keys_of(const NetworkTerms& blocks) {
  std::vector<BlockKey> keys;
  for (const BlockTerms& block : blocks) keys.push_back(key_of(block));
  return keys;
}

std::vector<int> number_blocks(const NetworkTerms& blocks) {
  std::map<BlockKey, int> known;
  std::vector<int> numbers;
  for (const BlockTerms& block : blocks)
    numbers.push_back(
        known.try_emplace(key_of(block), static_cast<int>(known.size())).first->second);
  return numbers;
}

}  // namespace ampere
