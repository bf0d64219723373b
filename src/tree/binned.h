// A table of numbers with each column's values put into at most 256 bins, so that the best split of
// a node is found by counting instead of sorting.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace ampere {

class BinnedTable {
 public:
  explicit BinnedTable(const Eigen::MatrixXd& x);  // one row a point

  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(cuts_.size()); }
  std::uint8_t bin(int row, int column) const { return bins_[column * rows_ + row]; }
  const std::uint8_t* column(int column) const {
    return &bins_[column * rows_];
  }  // its bins by row
  int bins(int column) const { return static_cast<int>(cuts_[column].size()) + 1; }
  // Values of bins up to `bin` are below it, values of the others above.
  double cut_after(int column, int bin) const { return cuts_[column][bin]; }

 private:
  int rows_;
  std::vector<std::vector<double>> cuts_;  // per column, ascending
  std::vector<std::uint8_t> bins_;         // column by column
};

}  // namespace ampere
