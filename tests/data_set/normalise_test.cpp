#include <gmock/gmock.h>

#include <cmath>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;
using namespace testing_support;

void write_labels(const DataFolder& folder) {
  folder.write("y_train.npy", npy<std::int64_t>("<i8", "(2,)", {0, 1}));
  folder.write("y_test.npy", npy<std::int64_t>("<i8", "(1,)", {1}));
}

TEST(Normalising, GivesEveryChannelMeanZeroAndDeviationOne) {
  const DataFolder folder;
  write_labels(folder);
  folder.write("x_train.npy",
               npy<std::uint8_t>("|u1", "(2, 2, 1, 2)", {0, 100, 7, 9, 200, 100, 7, 9}));
  folder.write("x_test.npy", npy<std::uint8_t>("|u1", "(1, 2, 1, 2)", {100, 100, 8, 10}));
  const DataSet data = open_data(folder.path());
  const float root2 = std::sqrt(2.0f);
  EXPECT_THAT(data.training.values,
              Pointwise(FloatNear(1e-5f), {-root2, 0.0f, -1.0f, 1.0f, root2, 0.0f, -1.0f, 1.0f}));
  EXPECT_THAT(data.test.values, Pointwise(FloatNear(1e-5f), {0.0f, 0.0f, 0.0f, 2.0f}));
}

TEST(Normalising, GivesEveryColumnOfATableItsOwn) {
  const DataFolder folder;
  write_labels(folder);
  folder.write("x_train.npy", npy<float>("<f4", "(2, 3)", {1000, 0.1f, 5, 3000, 0.3f, 5}));
  folder.write("x_test.npy", npy<float>("<f4", "(1, 3)", {2000, 0.3f, 6}));
  const DataSet data = open_data(folder.path());
  EXPECT_THAT(data.training.values,
              Pointwise(FloatNear(1e-5f), {-1.0f, -1.0f, 0.0f, 1.0f, 1.0f, 0.0f}));
  EXPECT_THAT(data.test.values, Pointwise(FloatNear(1e-5f), {0.0f, 1.0f, 1.0f}));
}

TEST(Normalising, GivesPixelsInARowOneForAll) {
  const DataFolder folder;
  write_labels(folder);
  folder.write("x_train.npy", npy<std::uint8_t>("|u1", "(2, 2)", {0, 255, 0, 255}));
  folder.write("x_test.npy", npy<std::uint8_t>("|u1", "(1, 2)", {255, 0}));
  EXPECT_THAT(open_data(folder.path()).test.values, ElementsAre(1, -1));
}

TEST(Normalising, MovesWhatNeverChangesToZero) {
  const DataFolder folder;
  write_labels(folder);
  folder.write("x_train.npy", npy<std::uint8_t>("|u1", "(2, 2)", {77, 77, 77, 77}));
  folder.write("x_test.npy", npy<std::uint8_t>("|u1", "(1, 2)", {77, 77}));
  EXPECT_THAT(open_data(folder.path()).training.values, Each(FloatNear(0, 1e-6f)));
}

}  // namespace
}  // namespace ampere
