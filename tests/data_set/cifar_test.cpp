#include <gmock/gmock.h>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing_support;

void write_ten(const DataFolder& folder) {
  for (int batch = 1; batch <= 5; ++batch)
    folder.write("data_batch_" + std::to_string(batch) + ".bin", cifar_record(batch, 10 * batch));
  folder.write("test_batch.bin", cifar_record(7, 10));
}

TEST(Cifar, JoinsTheBatchesInOrder) {
  const DataFolder folder;
  write_ten(folder);
  const DataSet data = open_data(folder.path());
  EXPECT_EQ(data.sample, image(3, 32, 32));
  EXPECT_EQ(data.classes, 10);
  EXPECT_THAT(data.training.labels, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(data.test.labels, ElementsAre(7));
  EXPECT_EQ(data.training.values.size(), 5u * 3072);
  EXPECT_FLOAT_EQ(data.test.values[0], data.training.values[0]);
  EXPECT_LT(data.training.values[0], data.training.values[3072]);
}

TEST(Cifar, TakesTheFineLabelOfAHundred) {
  const DataFolder folder;
  folder.write("train.bin", '\x05' + cifar_record(99, 1) + '\x06' + cifar_record(42, 2));
  folder.write("test.bin", '\x05' + cifar_record(42, 1));
  const DataSet data = open_data("cifar:" + folder.path());
  EXPECT_EQ(data.classes, 100);
  EXPECT_THAT(data.training.labels, ElementsAre(99, 42));
}

TEST(Cifar, RefusesALabelOutOfRange) {
  const DataFolder folder;
  write_ten(folder);
  folder.write("data_batch_3.bin", cifar_record(1, 1) + cifar_record(10, 1));
  EXPECT_THAT(open_error(folder.path()).what(), HasSubstr("data_batch_3.bin: byte 3073: label 10"));
}

TEST(Cifar, NamesWhereAnImageWasCutOff) {
  const DataFolder folder;
  write_ten(folder);
  folder.write("test_batch.bin", cifar_record(1, 1) + "12345");
  const Error error = open_error(folder.path());
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("test_batch.bin: byte 3073: cut off"));
}

TEST(Cifar, NamesTheFileThatIsMissing) {
  const DataFolder folder;
  write_ten(folder);
  folder.remove("data_batch_4.bin");
  EXPECT_THAT(open_error(folder.path()).what(), HasSubstr("data_batch_4.bin is missing"));
}

TEST(Cifar, RefusesAnEmptySet) {
  const DataFolder folder;
  write_ten(folder);
  folder.write("test_batch.bin", "");
  EXPECT_THAT(open_error(folder.path()).what(), HasSubstr("test_batch.bin: holds no samples"));
}

}  // namespace
}  // namespace ampere
