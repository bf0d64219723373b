// Rows in an order that only the seed decides.
#pragma once

#include <Eigen/Dense>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace ampere {

inline std::vector<Eigen::Index> shuffled(Eigen::Index count, unsigned seed) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[i + random() % (order.size() - i)]);
  return order;
}

}  // namespace ampere
