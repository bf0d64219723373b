#include <gmock/gmock.h>

#include <limits>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing_support;

using Bytes = std::vector<std::uint8_t>;

// Two samples for training and one to test, whatever they hold.
void write_npy(const DataFolder& folder, const std::string& two, const std::string& one) {
  folder.write("x_train.npy", two);
  folder.write("y_train.npy", npy<std::int64_t>("<i8", "(2,)", {0, 1}));
  folder.write("x_test.npy", one);
  folder.write("y_test.npy", npy<std::int64_t>("<i8", "(1,)", {1}));
}

void write_bytes(const DataFolder& folder) {
  write_npy(folder, npy<std::uint8_t>("|u1", "(2, 2)", {0, 255, 255, 0}),
            npy<std::uint8_t>("|u1", "(1, 2)", {0, 0}));
}

void expect_npy_refused(const DataFolder& folder, const std::vector<std::string>& parts) {
  const Error error = open_error("npy:" + folder.path());
  EXPECT_EQ(error.code(), ErrorCode::usage);
  for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part));
}

TEST(Npy, ReadsPixelsOfEveryShape) {
  const DataFolder folder;
  write_bytes(folder);
  EXPECT_EQ(open_data(folder.path()).sample, flat(2));
  write_npy(folder, npy_bytes("|u1", "(2, 3, 4)", std::string(24, 'a')),
            npy_bytes("|u1", "(1, 3, 4)", std::string(12, 'b')));
  EXPECT_EQ(open_data(folder.path()).sample, line(3, 4));
  write_npy(folder, npy_bytes("|u1", "(2, 3, 4, 5)", std::string(120, 'a')),
            npy_bytes("|u1", "(1, 3, 4, 5)", std::string(60, 'b')));
  EXPECT_EQ(open_data(folder.path()).sample, image(3, 4, 5));
}

TEST(Npy, ReadsEveryVersionOfTheHeader) {
  for (const int version : {1, 2, 3}) {
    const DataFolder folder;
    write_bytes(folder);
    folder.write("x_train.npy", npy_bytes("|u1", "(2, 2)", "abcd", version));
    EXPECT_EQ(open_data(folder.path()).training.values.size(), 4u) << version;
  }
}

TEST(Npy, ReadsTokensAndLabelsOfEachOfThem) {
  const DataFolder folder;
  folder.write("x_train.npy", npy<std::int32_t>("<i4", "(2, 3)", {5, 0, 7, 1, 2, 3}));
  folder.write("y_train.npy", npy<std::int16_t>("<i2", "(2, 3)", {0, 1, 2, 3, 4, 5}));
  folder.write("x_test.npy", npy<std::int32_t>("<i4", "(1, 3)", {5, 0, 11}));
  folder.write("y_test.npy", npy<std::int16_t>("<i2", "(1, 3)", {0, 1, 2}));
  const DataSet data = open_data(folder.path());
  EXPECT_EQ(data.sample, tokens(3, 12));
  EXPECT_EQ(data.labels_each, 3);
  EXPECT_EQ(data.classes, 6);
  EXPECT_THAT(data.training.tokens, ElementsAre(5, 0, 7, 1, 2, 3));
  EXPECT_TRUE(data.training.values.empty());
}

TEST(Npy, ReadsLabelsOfEveryWholeType) {
  const DataFolder folder;
  write_bytes(folder);
  const auto labels = [&](const std::string& file) {
    folder.write("y_train.npy", file);
    return open_data(folder.path()).training.labels;
  };
  EXPECT_THAT(labels(npy<std::uint8_t>("|u1", "(2,)", {1, 200})), ElementsAre(1, 200));
  EXPECT_THAT(labels(npy<std::int8_t>("|i1", "(2, 1)", {1, 100})), ElementsAre(1, 100));
  EXPECT_THAT(labels(npy<std::uint16_t>("<u2", "(2,)", {1, 50000})), ElementsAre(1, 50000));
  EXPECT_THAT(labels(npy<std::uint32_t>("<u4", "(2,)", {1, 70000})), ElementsAre(1, 70000));
  EXPECT_THAT(labels(npy<std::uint64_t>("<u8", "(2,)", {1, 3})), ElementsAre(1, 3));
}

TEST(Npy, RefusesLabelsOutOfRange) {
  const DataFolder folder;
  write_bytes(folder);
  folder.write("y_train.npy", npy<std::int64_t>("<i8", "(2,)", {0, -1}));
  expect_npy_refused(folder, {"y_train.npy", "label -1 of sample 1"});
  folder.write("y_train.npy",
               npy<std::int64_t>("<i8", "(2,)", {std::numeric_limits<std::int64_t>::max(), 0}));
  expect_npy_refused(folder, {"y_train.npy", "label 9223372036854775807 of sample 0"});
  folder.write("y_train.npy", npy<float>("<f4", "(2,)", {0, 1}));
  expect_npy_refused(folder, {"y_train.npy", "holds f4", "whole numbers"});
  folder.write("y_train.npy", npy_bytes("<i8", "(2, 0)", ""));
  expect_npy_refused(folder, {"y_train.npy", "2x0"});
}

TEST(Npy, RefusesWhatIsNoNpyFile) {
  const DataFolder folder;
  write_bytes(folder);
  folder.write("x_train.npy", "PK\x03\x04 a zip archive");
  expect_npy_refused(folder, {"x_train.npy", "NUMPY"});
  folder.write("x_train.npy", npy_bytes("|u1", "(2, 2)", "abcd", 4));
  expect_npy_refused(folder, {"x_train.npy", "version 4.0"});
  folder.write("x_train.npy", npy_bytes("|u1", "(2, 2)", "abcd").substr(0, 30));
  expect_npy_refused(folder, {"x_train.npy", "the header should be"});
}

TEST(Npy, RefusesColumnAfterColumn) {
  const DataFolder folder;
  write_bytes(folder);
  folder.write("x_train.npy", npy_bytes("|u1", "(2, 2)", "abcd", 1, "True"));
  expect_npy_refused(folder, {"x_train.npy", "fortran_order", "ascontiguousarray"});
}

TEST(Npy, RefusesTypesItDoesNotKnow) {
  for (const char* type : {">f4", "<f8", "<c8", "|O", "<f4, <f4", ""}) {
    const DataFolder folder;
    write_bytes(folder);
    folder.write("x_train.npy", npy_bytes(type, "(2, 2)", std::string(32, 'a')));
    expect_npy_refused(folder, {"x_train.npy", "astype('float32')"});
  }
}

TEST(Npy, RefusesAbsurdShapesWithoutAllocatingThem) {
  for (const char* shape : {"(99999999999, 99999999999)", "(-1, 2)", "(2, 2, 2, 2, 2)", "()", "2",
                            "(2, 1e3)", "(4294967296, 4294967296, 4294967296)"}) {
    const DataFolder folder;
    write_bytes(folder);
    folder.write("x_train.npy", npy_bytes("|u1", shape, "abcd"));
    expect_npy_refused(folder, {"x_train.npy"});
  }
  const DataFolder folder;
  write_bytes(folder);
  folder.write("x_train.npy", npy_bytes("|u1", "(2, 400000000000)", "abcd"));
  expect_npy_refused(folder, {"x_train.npy", "800000000000 bytes", "4 are there"});
}

TEST(Npy, RefusesNumbersThatAreNotFinite) {
  const DataFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  write_npy(folder, npy<float>("<f4", "(2, 2)", {1, 2, 3, nan}),
            npy<float>("<f4", "(1, 2)", {1, 2}));
  expect_npy_refused(folder, {"x_train.npy", "sample 1", "not finite"});
}

TEST(Npy, RefusesTokensBelowZero) {
  const DataFolder folder;
  write_npy(folder, npy<std::int32_t>("<i4", "(2, 2)", {1, 2, 3, -4}),
            npy<std::int32_t>("<i4", "(1, 2)", {1, 2}));
  expect_npy_refused(folder, {"x_train.npy", "sample 1", "token -4"});
}

TEST(Npy, RefusesATestSetThatIsOtherwise) {
  const DataFolder folder;
  write_npy(folder, npy_bytes("|u1", "(2, 2)", "abcd"), npy_bytes("|u1", "(1, 3)", "abc"));
  expect_npy_refused(folder, {"x_test.npy", "x_train.npy"});
  folder.write("x_test.npy", npy<float>("<f4", "(1, 2)", {1, 2}));
  expect_npy_refused(folder, {"x_test.npy", "x_train.npy"});
}

TEST(Npy, RefusesAnEmptySet) {
  const DataFolder folder;
  write_bytes(folder);
  folder.write("x_train.npy", npy_bytes("|u1", "(0, 2)", ""));
  expect_npy_refused(folder, {"x_train.npy", "no samples"});
  folder.write("x_train.npy", npy_bytes("|u1", "(2, 0)", ""));
  expect_npy_refused(folder, {"x_train.npy", "samples without a number"});
}

}  // namespace
}  // namespace ampere
