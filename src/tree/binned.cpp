#include "tree/binned.h"

#include <algorithm>

namespace ampere {
namespace {

constexpr std::size_t kMostBins = 256;

// Halfway between neighbouring values; where there are too many, between evenly chosen ones.
std::vector<double> cuts_of(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::size_t gaps = values.size() - 1;
  const std::size_t count = std::min(gaps, kMostBins - 1);
  std::vector<double> cuts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * gaps / count;
    cuts.push_back((values[at] + values[at + 1]) / 2);
  }
  return cuts;
}

}  // namespace

BinnedTable::BinnedTable(const Eigen::MatrixXd& x) : rows_(static_cast<int>(x.rows())) {
  for (Eigen::Index column = 0; column < x.cols(); ++column) {
    const std::vector<double> values(x.col(column).begin(), x.col(column).end());
    cuts_.push_back(cuts_of(values));
    for (const double value : values)
      bins_.push_back(static_cast<std::uint8_t>(std::ranges::lower_bound(cuts_.back(), value) -
                                                cuts_.back().begin()));
  }
}

}  // namespace ampere
