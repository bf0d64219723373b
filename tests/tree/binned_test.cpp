#include "tree/binned.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(BinnedTable, EveryValueHasItsOwnBinWhileThereAreFew) {
  const BinnedTable table(Eigen::Vector4d(3, 1, 2, 1));
  EXPECT_EQ(table.rows(), 4);
  EXPECT_EQ(table.columns(), 1);
  EXPECT_EQ(table.bins(0), 3);
  EXPECT_EQ(table.bin(0, 0), 2);
  EXPECT_EQ(table.bin(1, 0), 0);
  EXPECT_EQ(table.bin(2, 0), 1);
  EXPECT_EQ(table.bin(3, 0), 0);
  EXPECT_EQ(table.cut_after(0, 0), 1.5);
  EXPECT_EQ(table.cut_after(0, 1), 2.5);
}

TEST(BinnedTable, AConstantColumnHasOneBin) {
  Eigen::MatrixXd x(3, 2);
  x << 7, 1, 7, 2, 7, 3;
  const BinnedTable table(x);
  EXPECT_EQ(table.bins(0), 1);
  EXPECT_EQ(table.bins(1), 3);
  for (int row = 0; row < 3; ++row) EXPECT_EQ(table.bin(row, 0), 0);
}

TEST(BinnedTable, ManyValuesShare256BinsInOrder) {
  for (const Eigen::Index count : {256, 257, 300, 5000}) {
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(count, -1, 1).reverse();
    const BinnedTable table(x);
    EXPECT_EQ(table.bins(0), 256) << count;
    std::vector<int> held(256);
    for (int row = 0; row < count; ++row) {
      const int bin = table.bin(row, 0);
      ++held[bin];
      if (bin > 0) {
        EXPECT_GT(x[row], table.cut_after(0, bin - 1));
      }
      if (bin < 255) {
        EXPECT_LT(x[row], table.cut_after(0, bin));
      }
    }
    for (const int rows : held) EXPECT_LE(rows, count / 256 + 2) << count;
  }
}

}  // namespace
}  // namespace ampere
