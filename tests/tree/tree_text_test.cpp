#include "tree/tree_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "ampere/error.h"
#include "base/packed.h"

namespace ampere {
namespace {

std::vector<RegressionTree> read(const Json& json, Eigen::Index columns = 2) {
  return read_trees(JsonField(json, "trees: "), columns);
}

Json nodes(const std::vector<float>& numbers, const std::vector<int>& sizes) {
  return {{"sizes", sizes}, {"nodes", pack(std::span<const float>(numbers))}};
}

TEST(TreeText, IsReadBackExactly) {
  const std::vector<RegressionTree> trees{
      RegressionTree({{1, 1, 0.5F, 0}, {-1, 0, 0, 2.25F}, {-1, 0, 0, 7}}),
      RegressionTree({{-1, 0, 0, 3}})};
  const std::vector<RegressionTree> again = read(trees_json(trees));
  ASSERT_EQ(again.size(), 2u);
  const double low[] = {0, 0.5}, high[] = {0, 0.6};
  EXPECT_EQ(again[0](low), 2.25);
  EXPECT_EQ(again[0](high), 7);
  EXPECT_EQ(again[1](low), 3);
  EXPECT_EQ(trees_json(again), trees_json(trees));
}

TEST(TreeText, RefusesTreesThatWouldWalkAstray) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Json& wrong :
       {nodes({0, 0, 1, 1}, {1}), nodes({0, 1, 1, 1}, {1}),
        nodes({5, 1, 1, 1, -1, 0, 0, 1, -1, 0, 0, 1}, {3}), nodes({-1, 0, 0, nan}, {1}),
        nodes({1e30F, 0, 0, 1}, {1}), nodes({-1, 0, 0, 1}, {2}), nodes({-1, 0, 0, 1}, {0}),
        nodes({-1, 0, 0, 1}, {-1}), nodes({-1, 0, 0, 1}, {}), nodes({-1, 0, 0}, {1}),
        Json{{"sizes", {1}}}, Json{{"sizes", 1}, {"nodes", ""}},
        Json{{"sizes", {1}}, {"nodes", "?"}}})
    EXPECT_THROW(read(wrong), Error) << wrong.dump();
}

TEST(TreeText, OfNoTreesIsNone) { EXPECT_TRUE(read(nodes({}, {})).empty()); }

}  // namespace
}  // namespace ampere
