#include "meter/sysfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Sysfs : public ::testing::Test {
 protected:
  template <class Read>
  ErrorCode error_of(Read read, const std::string& text, std::string* message = nullptr) {
    tree_.write("file", text);
    try {
      read(tree_ / "file");
    } catch (const Error& error) {
      if (message != nullptr) *message = error.what();
      EXPECT_THAT(error.what(), HasSubstr((tree_ / "file").string()));
      return error.code();
    }
    ADD_FAILURE() << "'" << text << "' was read";
    return ErrorCode::usage;
  }

  testing_support::SysfsTree tree_;
};

TEST_F(Sysfs, ReadsTextWithoutTheSpaceAroundIt) {
  tree_.write("file", " package-0 \n");
  EXPECT_EQ(sysfs::read_text(tree_ / "file"), "package-0");
  tree_.write("file", "");
  EXPECT_EQ(sysfs::read_text(tree_ / "file"), "");
}

TEST_F(Sysfs, ReadsWholeNumbers) {
  tree_.write("file", "18446744073709551615\n");
  EXPECT_EQ(sysfs::read_count(tree_ / "file"), 18446744073709551615u);
  tree_.write("file", "-9223372036854775808\n");
  EXPECT_EQ(sysfs::read_integer(tree_ / "file"), std::numeric_limits<std::int64_t>::min());
  tree_.write("file", "007");
  EXPECT_EQ(sysfs::read_count(tree_ / "file"), 7u);
}

TEST_F(Sysfs, RefusesWhatIsNoWholeNumber) {
  for (const std::string& text : {std::string(""), std::string("\n"), std::string("12 34"),
                                  std::string("1e6"), std::string("0x1f"), std::string("+5"),
                                  std::string("12\0", 3), std::string("18446744073709551616")}) {
    EXPECT_EQ(error_of(sysfs::read_count, text), ErrorCode::failed);
    EXPECT_EQ(error_of(sysfs::read_integer, text), ErrorCode::failed);
  }
  EXPECT_EQ(error_of(sysfs::read_count, "-1"), ErrorCode::failed);
}

TEST_F(Sysfs, ShowsGarbageShortAndPrintable) {
  std::string message;
  error_of(sysfs::read_count, "\x1b[31m" + std::string(1000, 'x'), &message);
  EXPECT_THAT(message, HasSubstr("'?[31mxxx"));
  EXPECT_LT(message.size(), 200u);
}

TEST_F(Sysfs, RefusesAFileLongerThanAPage) {
  tree_.write("page", std::string(4096, ' '));
  EXPECT_NO_THROW(sysfs::read_text(tree_ / "page"));
  EXPECT_EQ(error_of(sysfs::read_text, "5" + std::string(4096, ' ')), ErrorCode::failed);
  EXPECT_EQ(error_of(sysfs::read_count, std::string(1 << 20, '9')), ErrorCode::failed);
}

TEST_F(Sysfs, TellsWhatIsMissingFromWhatIsBroken) {
  tree_.write("file", "1");
  for (const std::string path : {"none", "file/below"}) {
    try {
      sysfs::read_text(tree_ / path);
      ADD_FAILURE() << path << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::no_meter);
      EXPECT_THAT(error.what(), HasSubstr("errno"));
    }
  }
  try {
    sysfs::read_text(tree_.root());
    ADD_FAILURE() << "a folder was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
  }
}

TEST_F(Sysfs, TriesWithoutComplaint) {
  tree_.write("number", "5\n");
  tree_.write("negative", "-5\n");
  EXPECT_EQ(sysfs::try_integer(tree_ / "negative"), -5);
  EXPECT_EQ(sysfs::try_count(tree_ / "number"), 5u);
  EXPECT_FALSE(sysfs::try_count(tree_ / "negative"));
  EXPECT_FALSE(sysfs::try_integer(tree_ / "none"));
  EXPECT_FALSE(sysfs::try_text(tree_ / "none"));
  EXPECT_EQ(sysfs::try_text(tree_ / "number"), "5");
}

TEST_F(Sysfs, ListsNamesWithNumbersInTheirOrder) {
  for (const std::string name : {"zone10:2", "zone2:10", "zone2:9", "zone2", "zone",
                                 "zone99999999999999999999999", "other", "zone02", "zone10:1"})
    tree_.write("folder/" + name + "/x", "");
  EXPECT_THAT(sysfs::list(tree_ / "folder", "zone"),
              ElementsAre("zone", "zone02", "zone2", "zone2:9", "zone2:10", "zone10:1", "zone10:2",
                          "zone99999999999999999999999"));
  EXPECT_EQ(sysfs::list(tree_ / "folder").size(), 9u);
  EXPECT_THAT(sysfs::list(tree_ / "none"), IsEmpty());
  EXPECT_THAT(sysfs::list(tree_ / "folder/other/x"), IsEmpty());
}

}  // namespace
}  // namespace ampere
