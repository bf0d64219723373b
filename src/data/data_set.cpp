#include "data/data_set.h"

#include <random>
#include <utility>

namespace ampere {

DataInfo describe(const DataSet& data) {
  return {data.sample, data.classes, data.training.count, data.test.count};
}

// Fisher and Yates, with numbers that the standard fixes and a rule of our own for their range:
// std::shuffle differs between libraries. The bias of the remainder is below 2⁻³⁰.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

}  // namespace ampere
