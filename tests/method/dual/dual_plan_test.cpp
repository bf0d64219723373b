#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ampere/block.h"
#include "ampere/model.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"

namespace ampere {
namespace {

using Point = std::pair<std::string, std::vector<std::int64_t>>;

ProfileTask task_of(const std::string& family, int drawn) {
  return {{open_model(family)}, draw_networks(family, drawn, 3)};
}

std::set<Point> points_of(const std::vector<BlockToTime>& blocks) {
  std::set<Point> points;
  for (const BlockToTime& block : blocks) points.insert({block.kind, block.features});
  return points;
}

ProfileOptions limits(int timings, int networks) {
  ProfileOptions options;
  options.timings = timings;
  options.networks = networks;
  return options;
}

// Input, output, nothing between.
Model one_layer(std::int64_t inputs) {
  ModelBuilder builder("one layer");
  builder.add(Input{flat(inputs)});
  builder.add(Linear{10});
  return std::move(builder).build();
}

TEST(DualPlan, NoBlockIsTimedTwiceAndNoNetworkMeasuredTwice) {
  for (const char* family : {"cnn5", "lstm", "transformer", "resnet18", "googlenet"}) {
    const DualPlan plan = plan_dual(task_of(family, 40), {});
    std::vector<BlockToTime> blocks = plan.blocks;
    blocks.insert(blocks.end(), plan.round_blocks.begin(), plan.round_blocks.end());
    EXPECT_EQ(points_of(blocks).size(), blocks.size()) << family;
    std::set<std::string> networks;
    for (const auto* measured : {&plan.networks, &plan.round_networks})
      for (const Model& network : *measured)
        EXPECT_TRUE(networks.insert(model_hash(network)).second) << family;
  }
}

TEST(DualPlan, LimitsAreKept) {
  const ProfileTask task = task_of("cnn5", 60);
  for (const int timings : {0, 1, 7, 100})
    for (const int networks : {0, 1, 2, 9}) {
      const DualPlan plan = plan_dual(task, limits(timings, networks));
      EXPECT_LE(plan.blocks.size(), static_cast<std::size_t>(timings));
      EXPECT_LE(plan.round_blocks.size(), static_cast<std::size_t>((timings + 7) / 8));
      EXPECT_EQ(plan.networks.size(), static_cast<std::size_t>(networks));
    }
}

TEST(DualPlan, EveryBlockOfTheMeasuredNetworksIsTimed) {
  for (const ZooEntry& entry : zoo()) {
    const DualPlan plan = plan_dual(task_of(entry.name, 6), limits(100000, 8));
    const std::set<Point> timed = points_of(plan.blocks);
    for (const Model& network : plan.networks)
      for (const Block& block : parse_blocks(network))
        EXPECT_TRUE(timed.contains({block.kind->key, block.features})) << entry.name;
  }
}

TEST(DualPlan, EveryKindOfTheOriginalIsTimed) {
  for (const ZooEntry& entry : zoo()) {
    const ProfileTask task = task_of(entry.name, 12);
    std::set<std::string> kinds;
    const DualPlan plan = plan_dual(task, {});
    for (const BlockToTime& block : plan.blocks) kinds.insert(block.kind);
    for (const Block& block : parse_blocks(task.originals[0]))
      EXPECT_TRUE(kinds.contains(block.kind->key)) << entry.name << ": " << block.kind->title;
  }
}

TEST(DualPlan, BlocksAreWhatTheyClaimToBe) {
  const DualPlan plan = plan_dual(task_of("cnn5", 10), limits(60, 30));
  for (const BlockToTime& block : plan.blocks) {
    const std::vector<Block> parsed = parse_blocks(block.model);
    const bool last =
        parsed.back().kind->key == block.kind && parsed.back().kind->role == Role::output;
    EXPECT_EQ(block.phase, last ? Phase::iteration : Phase::block);
  }
}

TEST(DualPlan, StartsWithAWholeNetworkThenTakesSmallOnesByTurns) {
  const ProfileTask task = task_of("cnn5", 60);
  const DualPlan plan = plan_dual(task, limits(600, 10));
  const std::size_t whole = parse_blocks(task.originals[0]).size();
  ASSERT_EQ(plan.networks.size(), 10u);
  EXPECT_EQ(model_hash(plan.networks[0]), model_hash(task.drawn[0]));
  for (std::size_t i = 0; i < plan.networks.size(); ++i)
    EXPECT_EQ(parse_blocks(plan.networks[i]).size(), i % 2 == 0 ? whole : 3) << i;
}

TEST(DualPlan, TheOriginalIsMeasuredTooAndHalfOfIt) {
  const DualPlan plan =
      plan_dual({{open_model("cnn5:128,32,7,1")}, draw_networks("cnn5", 20, 3)}, limits(50, 6));
  ASSERT_EQ(plan.round_networks.size(), 2u);
  EXPECT_EQ(model_hash(plan.round_networks[0]), model_hash(open_model("cnn5:128,32,7,1")));
  EXPECT_EQ(model_hash(plan.round_networks[1]), model_hash(open_model("cnn5:64,16,3,1")));
}

TEST(DualPlan, BlocksAtRoundWidthsBeginWithThoseOfTheMeasuredNetworks) {
  const ProfileTask task = task_of("cnn5", 60);
  const DualPlan plan = plan_dual(task, limits(100, 6));
  EXPECT_EQ(plan.round_blocks.size(), 13u) << "an eighth, rounded up";
  std::set<Point> timed = points_of(plan.blocks);
  timed.merge(points_of(plan.round_blocks));
  for (const Model& network : plan.round_networks)
    for (const Block& block : parse_blocks(network))
      EXPECT_TRUE(timed.contains({block.kind->key, block.features}));
}

TEST(DualPlan, TheLargestOriginalsAreMeasuredToo) {
  ProfileTask task;
  for (const char* spec : {"cnn5:2,2,2,2", "cnn5", "cnn5:4,4,4,4", "cnn5"})
    task.originals.push_back(open_model(spec));
  task.drawn = draw_narrower(task.originals, 20, 1);
  ProfileOptions options = limits(50, 6);
  const std::vector<Model> chosen = plan_dual(task, options).round_networks;
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(model_hash(chosen[0]), model_hash(open_model("cnn5")));
  EXPECT_EQ(model_hash(chosen[1]), model_hash(open_model("cnn5:4,4,4,4")));
  options.measure_originals = false;
  EXPECT_TRUE(plan_dual(task, options).round_networks.empty());
}

TEST(DualPlan, SmallNetworksHaveEveryHiddenKind) {
  const ProfileTask task = task_of("resnet18", 40);
  std::set<std::string> hidden, small;
  for (const Block& block : parse_blocks(task.originals[0]))
    if (block.kind->role == Role::hidden) hidden.insert(block.kind->key);
  const DualPlan plan = plan_dual(task, limits(600, 40));
  for (const Model& network : plan.networks) {
    const std::vector<Block> blocks = parse_blocks(network);
    if (blocks.size() == 3) small.insert(blocks[1].kind->key);
  }
  EXPECT_EQ(small, hidden);
}

TEST(DualPlan, WithoutHiddenBlocksAllNetworksAreWhole) {
  ProfileTask task{{one_layer(100)}, {}};
  for (std::int64_t inputs = 1; inputs <= 100; ++inputs) task.drawn.push_back(one_layer(inputs));
  const DualPlan plan = plan_dual(task, limits(600, 12));
  EXPECT_EQ(plan.networks.size(), 12u);
  EXPECT_GT(plan.blocks.size(), 0u);
}

TEST(DualPlan, OfANetworkThatCannotBeNarrowedHasThatOne) {
  const Model model = one_layer(5);
  const DualPlan plan = plan_dual({{model}, std::vector<Model>(50, model)}, {});
  ASSERT_EQ(plan.networks.size(), 1u);
  EXPECT_EQ(model_hash(plan.networks[0]), model_hash(model));
  EXPECT_EQ(plan.blocks.size(), parse_blocks(model).size());
}

TEST(DualPlan, OfNothingIsNothing) {
  const DualPlan plan = plan_dual({}, {});
  EXPECT_TRUE(plan.blocks.empty());
  EXPECT_TRUE(plan.networks.empty());
}

TEST(DualPlan, SeveralOriginalsAllHaveTheirKinds) {
  ProfileTask task{{open_model("cnn5"), open_model("lstm")}, {}};
  const auto cnn5 = draw_networks("cnn5", 20, 1), lstm = draw_networks("lstm", 20, 1);
  for (int i = 0; i < 20; ++i) {
    task.drawn.push_back(cnn5[i]);
    task.drawn.push_back(lstm[i]);
  }
  std::set<std::string> kinds;
  const DualPlan plan = plan_dual(task, {});
  for (const BlockToTime& block : plan.blocks) kinds.insert(block.kind);
  for (const Model& original : task.originals)
    for (const Block& block : parse_blocks(original)) EXPECT_TRUE(kinds.contains(block.kind->key));
}

TEST(DualPlan, ADeepNetworkIsPlannedToo) {
  ModelBuilder builder("deep");
  builder.add(Input{flat(16)});
  for (int i = 0; i < 1500; ++i) {
    builder.add(Linear{16});
    builder.add(Activation{});
  }
  builder.add(Linear{10});
  const Model deep = std::move(builder).build();
  const std::vector<Model> originals{deep};
  const DualPlan plan = plan_dual({originals, draw_narrower(originals, 3, 1)}, limits(200, 4));
  EXPECT_EQ(plan.blocks.size(), 200u);
  EXPECT_EQ(plan.networks.size(), 4u);
}

}  // namespace
}  // namespace ampere
