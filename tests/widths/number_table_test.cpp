#include "widths/number_table.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(NumberTable, FindsEveryListThatWasAddedAndNoOther) {
  for (const std::size_t length : {0, 1, 3}) {
    NumberTable table;
    const auto key = [&](int i) { return std::vector<std::int64_t>(length, 7 * i); };
    const int count = length == 0 ? 1 : 1000;
    EXPECT_FALSE(table.find(key(0)));
    for (int i = 0; i < count; ++i) table.add(key(i), i);
    for (int i = 0; i < count; ++i) EXPECT_EQ(table.find(key(i)), i);
    EXPECT_EQ(table.find(std::vector<std::int64_t>(length, 8)).has_value(), length == 0);
    table.clear();
    EXPECT_FALSE(table.find(key(0)));
  }
}

}  // namespace
}  // namespace ampere
