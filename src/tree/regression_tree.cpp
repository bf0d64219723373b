#include "tree/regression_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace ampere {
namespace {

constexpr int kBins = 256, kWords = kBins / 64;

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

  static std::vector<double> inverses(std::size_t most) {
    std::vector<double> inverse{0};
    for (std::size_t i = 1; i <= most; ++i) inverse.push_back(1.0 / static_cast<double>(i));
    return inverse;
  }

  std::vector<TreeNode> grow(std::span<int> rows) {
    nodes_.emplace_back();
    inverse_ = inverses(rows.size());
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

  // A node that cannot be split still draws its columns: the next nodes must draw the same ones.
  Split best_split(std::span<const int> rows, double sum) {
    const bool splittable = std::ssize(rows) >= 2 * std::max(1, options_.least_in_leaf);
    values_.clear();
    for (const int row : rows) values_.push_back(y_[row]);
    const auto count = static_cast<long>(columns_.size());
    const long wanted = std::min(
        count, std::max(1L, std::lround(options_.column_share * static_cast<double>(count))));
    Split best;
    for (long i = 0; i < wanted; ++i) {  // a shuffle that stops early
      const auto rest = static_cast<std::uint64_t>(count - i);
      std::swap(columns_[i], columns_[i + static_cast<long>(random_() % rest)]);
      if (splittable) try_column(columns_[i], rows, sum, best);
    }
    return best;
  }

  // Below the first questions most bins of a column are empty: only those with points are visited,
  // in ascending order.
  void try_column(int column, std::span<const int> rows, double sum, Split& best) {
    fill(table_.column(column), rows);
    const auto all = static_cast<int>(rows.size());
    const double whole = sum * sum / all, least = 1e-12 * sum * sum / all;
    double left_sum = 0;
    int left = 0;
    for (int word = 0; word < kWords; ++word)
      for (std::uint64_t rest = filled_[word]; rest != 0; rest &= rest - 1) {
        const int at = 64 * word + std::countr_zero(rest);
        Bin& bin = counts_[at];
        left_sum += bin.sum;
        left += bin.count;
        bin = {};
        if (left == all) return;
        if (left < options_.least_in_leaf || all - left < options_.least_in_leaf) continue;
        const double right_sum = sum - left_sum;
        // Without divisions, and a little more than it may be.
        const double about =
            left_sum * left_sum * inverse_[left] + right_sum * right_sum * inverse_[all - left];
        if (about * (1 + 1e-12) - whole * (1 - 1e-12) <= best.gain) continue;
        const double gain =
            left_sum * left_sum / left + right_sum * right_sum / (all - left) - whole;
        if (gain > best.gain * (1 + 1e-9) + least)
          best = {column, at, options_.halfway ? next_filled(at + 1) : at + 1, gain};
      }
  }

  void fill(const std::uint8_t* bins, std::span<const int> rows) {
    filled_.fill(0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint8_t at = bins[rows[i]];
      filled_[at / 64] |= std::uint64_t{1} << at % 64;
      counts_[at].sum += values_[i];
      ++counts_[at].count;
    }
  }

  // The first bin from `bin` on that has points; kBins when there is none.
  int next_filled(int bin) const {
    for (int word = bin / 64; word < kWords; ++word) {
      const std::uint64_t from =
          word == bin / 64 ? ~std::uint64_t{0} << bin % 64 : ~std::uint64_t{0};
      if (const std::uint64_t found = filled_[word] & from; found != 0)
        return 64 * word + std::countr_zero(found);
    }
    return kBins;
  }

  const BinnedTable& table_;
  std::span<const double> y_;
  const TreeOptions& options_;
  std::mt19937_64& random_;
  std::vector<int> columns_;
  std::vector<TreeNode> nodes_;
  std::vector<double> inverse_;                 // of numbers of points
  std::vector<double> values_;                  // of the rows of a node, in their order
  std::array<Bin, kBins> counts_{};             // all 0 between two columns
  std::array<std::uint64_t, kWords> filled_{};  // a bit per bin
};

}  // namespace

RegressionTree grow_tree(const BinnedTable& table, std::span<const double> y, std::span<int> rows,
                         const TreeOptions& options, std::mt19937_64& random) {
  return RegressionTree(Grower(table, y, options, random).grow(rows));
}

}  // namespace ampere
