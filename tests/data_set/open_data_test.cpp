#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace testing_support;

TEST(OpenData, TellsWhatItFound) {
  const DataFolder folder;
  write_idx(folder, 6, 4);
  const DataInfo info = describe(open_data(folder.path()));
  EXPECT_EQ(info.sample, image(1, 2, 3));
  EXPECT_EQ(info.classes, 3);
  EXPECT_EQ(info.training_samples, 6);
  EXPECT_EQ(info.test_samples, 4);
}

TEST(OpenData, KnowsNothingOfAFolderThatIsNotThere) {
  for (const char* spec : {"/nowhere/at/all", "idx:/nowhere", "npy:", ""}) {
    EXPECT_EQ(open_error(spec).code(), ErrorCode::unknown) << spec;
  }
}

TEST(OpenData, AsksForTheFolderOfAFile) {
  const DataFolder folder;
  folder.write("x_train.npy", "");
  const Error error = open_error(folder.path() + "/x_train.npy");
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("name the folder"));
}

TEST(OpenData, SaysWhichFilesItLooksFor) {
  const DataFolder folder;
  const Error error = open_error(folder.path());
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("train-images-idx3-ubyte"),
                                  HasSubstr("data_batch_1.bin"), HasSubstr("x_train.npy")));
}

TEST(OpenData, FindsAPackagedSetByItsName) {
  const DataFolder packaged;
  std::filesystem::create_directory(packaged.path() + "/fashion-mnist");
  for (const char* half : {"train", "t10k"}) {
    packaged.write(std::string("fashion-mnist/") + half + "-images-idx3-ubyte.gz", idx_images(3));
    packaged.write(std::string("fashion-mnist/") + half + "-labels-idx1-ubyte.gz", idx_labels(3));
  }
  EXPECT_EQ(open_data("fashion-mnist", packaged.path()).training.count, 3);
}

TEST(OpenData, NamesThePackageThatIsMissing) {
  const DataFolder packaged;
  const Error error = error_of([&] { open_data("fashion-mnist", packaged.path()); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("dataset-fashion-mnist"));
}

TEST(Shuffled, HoldsEveryIndexOnce) {
  const std::vector<std::int64_t> order = shuffled(1000, 7);
  EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), 1000u);
  EXPECT_EQ(*std::ranges::max_element(order), 999);
}

TEST(Shuffled, IsTheSameForASeedAndOtherForAnother) {
  EXPECT_EQ(shuffled(100, 7), shuffled(100, 7));
  EXPECT_NE(shuffled(100, 7), shuffled(100, 8));
  EXPECT_THAT(shuffled(5, 1), ::testing::SizeIs(5));
}

}  // namespace
}  // namespace ampere
