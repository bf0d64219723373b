#include "method/kernels/survey/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "small_networks.h"

namespace ampere {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Le;

TEST(SharedOut, FollowsTheWeightsAndKeepsTheLimits) {
  const std::vector<double> weights{3, 1, 0, 6};
  const std::vector<std::size_t> limits{100, 100, 100, 4};
  EXPECT_THAT(shared_out(12, weights, limits), ElementsAre(6, 2, 0, 4));
}

TEST(SharedOut, GivesLessWhereThereIsNoMore) {
  const std::vector<double> weights{1, 1};
  const std::vector<std::size_t> limits{2, 1};
  EXPECT_THAT(shared_out(1000, weights, limits), ElementsAre(2, 1));
  EXPECT_THAT(shared_out(0, weights, limits), ElementsAre(0, 0));
}

std::vector<TypePool> pools(unsigned seed) {
  const Model network = testing_support::small_network();
  SurveyOptions options;
  options.seed = seed;
  return make_pools(std::span(&network, 1), default_fusion_rules(), options);
}

std::vector<std::string> texts(const std::vector<TypePool>& all) {
  std::vector<std::string> result;
  for (const TypePool& pool : all)
    for (const Kernel& kernel : pool.left)
      result.push_back(kernel.type + " " + to_string(kernel.config));
  return result;
}

TEST(Pools, EqualSeedsGiveEqualKernels) {
  EXPECT_EQ(texts(pools(1)), texts(pools(1)));
  EXPECT_NE(texts(pools(1)), texts(pools(2)));
}

TEST(Pools, HoldTheNetworksKernelsAndOthersOfTheirType) {
  for (const TypePool& pool : pools(1)) {
    EXPECT_GE(pool.left.size(), pool.in_networks.size() + 10) << pool.type;
    EXPECT_EQ(pool.counts.size(), pool.in_networks.size());
    for (const Kernel& kernel : pool.left) EXPECT_EQ(kernel.type, pool.type);
    for (const Kernel& kernel : pool.in_networks)
      EXPECT_NE(std::ranges::find(pool.left, kernel), pool.left.end()) << pool.type;
  }
}

TEST(FirstRound, TakesTenOfEachTypeAndHalfOfAll) {
  const auto all = pools(1);
  const auto takes = first_round(all, 400);
  EXPECT_THAT(takes, Each(testing::Ge(10)));
  EXPECT_EQ(std::accumulate(takes.begin(), takes.end(), std::size_t{0}), 200u);
}

TEST(FirstRound, NeverTakesMoreThanIsAsked) {
  const auto all = pools(1);
  for (const int asked : {1, 5, 9, 30}) {
    const auto takes = first_round(all, asked);
    EXPECT_LE(std::accumulate(takes.begin(), takes.end(), std::size_t{0}),
              static_cast<std::size_t>(asked));
  }
}

}  // namespace
}  // namespace ampere
