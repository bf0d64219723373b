#include "decide/generation_limits.h"

#include <algorithm>

#include "decide/standing.h"

namespace ampere {
namespace {

void compare(GenerationCost& cost, const GenerationTask& task) {
  if (task.most_between_tokens && cost.slowest_token_s)
    cost.between_tokens = standing_of(*cost.slowest_token_s, task.most_between_tokens->count());
  if (task.most_to_first_token)
    cost.to_first_token = standing_of(cost.first_token_s, task.most_to_first_token->count());
  if (task.memory_bytes) cost.memory = standing_of_memory(cost.peak_bytes, *task.memory_bytes);
}

// A larger batch is never faster than a smaller one. Its interval may end earlier all the same,
// when it waits for the device and the smaller one for a host that nobody looked at.
void not_faster_than(Standing smaller, Standing& larger) {
  if (larger == Standing::inside &&
      (smaller == Standing::uncertain || smaller == Standing::outside))
    larger = Standing::uncertain;
}

// A peak of memory that is not known keeps nobody out.
bool keeps_every_limit(const GenerationCost& cost, bool by_means) {
  for (const Standing standing : {cost.between_tokens, cost.to_first_token, cost.memory})
    if (standing == Standing::outside || (standing == Standing::uncertain && !by_means))
      return false;
  return true;
}

double energy_per_sequence(const GenerationCost& cost) {
  return cost.energy_j.mean / static_cast<double>(cost.batch);
}

std::vector<std::size_t> cheapest_first(const GenerationCosts& costs, bool by_means) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < costs.batches.size(); ++i)
    if (keeps_every_limit(costs.batches[i], by_means)) order.push_back(i);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return energy_per_sequence(costs.batches[i]); });
  return order;
}

}  // namespace

void find_best_batch(GenerationCosts& costs, const GenerationTask& task) {
  for (std::size_t i = 0; i < costs.batches.size(); ++i) {
    GenerationCost& cost = costs.batches[i];
    compare(cost, task);
    if (i == 0) continue;
    not_faster_than(costs.batches[i - 1].between_tokens, cost.between_tokens);
    not_faster_than(costs.batches[i - 1].to_first_token, cost.to_first_token);
  }
  const std::vector<std::size_t> surely = cheapest_first(costs, false);
  for (std::size_t i = 0; i < surely.size(); ++i)
    costs.batches[surely[i]].rank = static_cast<int>(i) + 1;
  if (!surely.empty()) costs.best = surely.front();
  const std::vector<std::size_t> maybe = cheapest_first(costs, true);
  if (!maybe.empty()) costs.maybe_best = maybe.front();
  if (!costs.best)
    costs.why_no_best = costs.maybe_best ? "the intervals of every batch reach beyond a limit"
                                         : "every batch is expected to be outside of a limit";
}

}  // namespace ampere
