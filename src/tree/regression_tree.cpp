#include "tree/regression_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ampere {
namespace {

struct Bin {
  double sum = 0;
  int count = 0;
};

struct Split {
  int column = -1, bin = 0;  // the last on the left
  int next = 0;              // the first on the right
  double gain = 0;           // what the sum of squares falls by
};

class Grower {
 public:
  Grower(const BinnedTable& table, std::span<const double> y, const TreeOptions& options,
         std::mt19937_64& random)
      : table_(table), y_(y), options_(options), random_(random), columns_(table.columns()) {
    std::iota(columns_.begin(), columns_.end(), 0);
  }

  std::vector<TreeNode> grow(std::span<int> rows) {
    nodes_.emplace_back();
    grow(0, rows, options_.depth);
    return std::move(nodes_);
  }

 private:
  void grow(std::size_t at, std::span<int> rows, int depth) {
    const double sum = sum_of(rows);
    nodes_[at].value = static_cast<float>(sum / static_cast<double>(rows.size()));
    const Split split = depth > 0 ? best_split(rows, sum) : Split{};
    if (split.column < 0) return;
    const auto right = std::partition(rows.begin(), rows.end(), [&](int row) {
      return table_.bin(row, split.column) <= split.bin;
    });
    const auto left_count = static_cast<std::size_t>(right - rows.begin());
    const auto left = nodes_.size();
    nodes_[at].column = split.column;
    nodes_[at].cut = static_cast<float>((table_.cut_after(split.column, split.bin) +
                                         table_.cut_after(split.column, split.next - 1)) /
                                        2);
    nodes_[at].left = static_cast<std::int32_t>(left);
    nodes_.resize(left + 2);
    grow(left, rows.first(left_count), depth - 1);
    grow(left + 1, rows.subspan(left_count), depth - 1);
  }

  double sum_of(std::span<const int> rows) const {
    double sum = 0;
    for (const int row : rows) sum += y_[row];
    return sum;
  }

  Split best_split(std::span<const int> rows, double sum) {
    const auto count = static_cast<long>(columns_.size());
    const long wanted = std::min(
        count, std::max(1L, std::lround(options_.column_share * static_cast<double>(count))));
    Split best;
    for (long i = 0; i < wanted; ++i) {  // a shuffle that stops early
      const auto rest = static_cast<std::uint64_t>(count - i);
      std::swap(columns_[i], columns_[i + static_cast<long>(random_() % rest)]);
      try_column(columns_[i], rows, sum, best);
    }
    return best;
  }

  void try_column(int column, std::span<const int> rows, double sum, Split& best) {
    const int bins = table_.bins(column);
    std::fill_n(counts_.begin(), bins, Bin{});
    for (const int row : rows) {
      Bin& bin = counts_[table_.bin(row, column)];
      bin.sum += y_[row];
      ++bin.count;
    }
    const auto all = static_cast<int>(rows.size());
    double left_sum = 0;
    int left = 0;
    for (int bin = 0; bin + 1 < bins; ++bin) {
      if (counts_[bin].count == 0) continue;
      left_sum += counts_[bin].sum;
      left += counts_[bin].count;
      if (left < options_.least_in_leaf || all - left < options_.least_in_leaf || left == all)
        continue;
      const double right_sum = sum - left_sum;
      const double gain =
          left_sum * left_sum / left + right_sum * right_sum / (all - left) - sum * sum / all;
      if (gain > best.gain * (1 + 1e-9) + 1e-12 * sum * sum / all)
        best = {column, bin, first_on_the_right(bin), gain};
    }
  }

  int first_on_the_right(int bin) const {
    int next = bin + 1;
    while (options_.halfway && counts_[next].count == 0) ++next;
    return next;
  }

  const BinnedTable& table_;
  std::span<const double> y_;
  const TreeOptions& options_;
  std::mt19937_64& random_;
  std::vector<int> columns_;
  std::vector<TreeNode> nodes_;
  std::array<Bin, 256> counts_{};
};

}  // namespace

RegressionTree grow_tree(const BinnedTable& table, std::span<const double> y, std::span<int> rows,
                         const TreeOptions& options, std::mt19937_64& random) {
  return RegressionTree(Grower(table, y, options, random).grow(rows));
}

}  // namespace ampere
