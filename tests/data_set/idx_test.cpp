#include <gmock/gmock.h>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing_support;

void expect_usage(const DataFolder& folder, const std::vector<std::string>& parts) {
  const Error error = open_error("idx:" + folder.path());
  EXPECT_EQ(error.code(), ErrorCode::usage);
  for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part));
}

TEST(Idx, ReadsImagesAndLabels) {
  const DataFolder folder;
  write_idx(folder, 6, 4);
  const DataSet data = open_data(folder.path());
  EXPECT_EQ(data.sample, image(1, 2, 3));
  EXPECT_EQ(data.classes, 3);
  EXPECT_EQ(data.training.count, 6);
  EXPECT_EQ(data.training.values.size(), 36u);
  EXPECT_THAT(data.training.labels, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_EQ(data.test.count, 4);
  EXPECT_FLOAT_EQ(data.test.values[6], data.training.values[1]);  // both were 1
}

TEST(Idx, ReadsPackedFilesAlike) {
  const DataFolder plain, packed;
  write_idx(plain, 6, 4);
  write_idx(packed, 6, 4, ".gz");
  EXPECT_EQ(open_data(plain.path()).training.values, open_data(packed.path()).training.values);
}

TEST(Idx, KnowsTheOtherWayToNameFiles) {
  const DataFolder folder;
  folder.write("train-images.idx3-ubyte", idx_images(3));
  folder.write("train-labels.idx1-ubyte", idx_labels(3));
  folder.write("t10k-images.idx3-ubyte", idx_images(3));
  folder.write("t10k-labels.idx1-ubyte", idx_labels(3));
  EXPECT_EQ(open_data(folder.path()).training.count, 3);
}

TEST(Idx, RefusesAnotherMagicNumber) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.write("t10k-images-idx3-ubyte", idx_labels(3));
  expect_usage(folder, {"t10k-images-idx3-ubyte", "0x00000801", "0x00000803"});
}

TEST(Idx, NamesWhereAFileWasCutOff) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.write("train-images-idx3-ubyte", idx_images(3).substr(0, 20));
  expect_usage(folder, {"train-images-idx3-ubyte", "byte 16", "18 bytes", "4 are there"});
  folder.write("train-images-idx3-ubyte", idx_images(3).substr(0, 6));
  expect_usage(folder, {"byte 4", "the number of images"});
  folder.write("train-images-idx3-ubyte", "");
  expect_usage(folder, {"byte 0", "the magic number"});
}

TEST(Idx, NamesAPackedFileThatWasCutOff) {
  const DataFolder folder;
  write_idx(folder, 200, 3, ".gz");
  const std::string path = folder.path() + "/train-images-idx3-ubyte.gz";
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_usage(folder, {path, "cut off"});
  folder.write("train-images-idx3-ubyte.gz", idx_images(3).substr(0, 20));
  expect_usage(folder, {path, "byte 16", "18 bytes"});
}

TEST(Idx, RefusesAbsurdSizesWithoutAllocatingThem) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  std::string bytes = idx_images(3);
  for (int i = 4; i < 8; ++i) bytes[i] = '\xff';
  folder.write("train-images-idx3-ubyte", bytes);
  expect_usage(folder, {"4294967295 images of 2x3", "18 are there"});
  for (int i = 8; i < 12; ++i) bytes[i] = '\xff';
  folder.write("train-images-idx3-ubyte", bytes);
  expect_usage(folder, {"byte 12", "the height", "4294967295", "from 1 to"});
  folder.remove("train-images-idx3-ubyte");
  bytes = idx_images(3);
  for (int i = 4; i < 8; ++i) bytes[i] = '\xff';
  folder.write("train-images-idx3-ubyte.gz", bytes);
  expect_usage(folder, {"4294967295 images", "18 are there"});
}

TEST(Idx, RefusesWhatFollowsTheLastImage) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.write("t10k-labels-idx1-ubyte", idx_labels(3) + "x");
  expect_usage(folder, {"t10k-labels-idx1-ubyte", "byte 11", "should end here"});
}

TEST(Idx, RefusesOtherCountsOfImagesThanOfLabels) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.write("train-labels-idx1-ubyte", idx_labels(4));
  expect_usage(folder, {"train-images-idx3-ubyte", "3 samples",
                        "train-labels-idx1-ubyte holds labels for 4"});
}

TEST(Idx, RefusesAnEmptySet) {
  const DataFolder folder;
  write_idx(folder, 0, 3);
  expect_usage(folder, {"train-images-idx3-ubyte", "no samples"});
}

TEST(Idx, NamesTheFileThatIsMissing) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.remove("t10k-labels-idx1-ubyte");
  expect_usage(folder, {"t10k-labels-idx1-ubyte is missing"});
}

TEST(Idx, RefusesATestSetOfAnotherSize) {
  const DataFolder folder;
  write_idx(folder, 3, 3);
  folder.write("t10k-images-idx3-ubyte", idx_images(3, 3, 3));
  expect_usage(folder, {"t10k-images-idx3-ubyte", "1x3x3", "1x2x3"});
}

TEST(Idx, RefusesTestLabelsThatTrainingNeverShows) {
  const DataFolder folder;
  write_idx(folder, 2, 3);
  expect_usage(folder, {"t10k-labels-idx1-ubyte", "label 2 of sample 2", "from 0 to 1"});
}

}  // namespace
}  // namespace ampere
