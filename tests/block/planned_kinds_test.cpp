#include "block/planned_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ampere/model.h"
#include "ampere/widths.h"

namespace ampere {
namespace {

std::vector<PlannedKind> plan_for(const std::string& spec) {
  const std::vector<Model> models{open_model(spec)};
  return plan_profile(models);
}

TEST(Plan, EveryKindComesAfterTheCompanionsItIsSubtractedBy) {
  for (const ZooEntry& entry : zoo()) {
    std::set<std::string> planned;
    for (const PlannedKind& kind : plan_for(entry.name)) {
      for (const auto& companion : {kind.companions.input, kind.companions.output}) {
        if (!companion) continue;
        EXPECT_TRUE(planned.contains(companion->key)) << entry.name << ": " << kind.kind->title;
      }
      EXPECT_TRUE(planned.insert(kind.kind->key).second) << entry.name << ": planned twice";
    }
  }
}

TEST(Plan, CoversEveryBlockOfTheNetworkAndOfItsNarrowerVersions) {
  for (const ZooEntry& entry : zoo()) {
    const auto plan = plan_for(entry.name);
    const Model original = make_zoo_model(entry.name);
    std::vector<std::int64_t> smallest;
    for (const ChannelGroup& width : free_widths(original)) smallest.push_back(width.multiple_of);
    for (const Model& model : {original, with_widths(original, smallest)})
      for (const Block& block : parse_blocks(model)) {
        const auto found = std::ranges::find_if(
            plan, [&](const auto& p) { return p.kind->key == block.kind->key; });
        ASSERT_NE(found, plan.end()) << entry.name << ": " << block.kind->key;
        for (std::size_t i = 0; i < block.features.size(); ++i)
          EXPECT_LE(block.features[i], found->upper[i]);
      }
  }
}

TEST(Plan, CompanionsAreKnownAsWideAsTheyAreUsed) {
  for (const PlannedKind& kind : plan_for("cnn5")) {
    if (kind.kind->role != Role::hidden) continue;
    for (const Block& block : parse_blocks(make_variant(*kind.kind, kind.upper, kind.companions)))
      for (const PlannedKind& other : plan_for("cnn5"))
        for (std::size_t i = 0; other.kind->key == block.kind->key && i < block.features.size();
             ++i)
          EXPECT_LE(block.features[i], other.upper[i]);
  }
}

TEST(Plan, TwoNetworksShareTheKindsTheyHaveInCommon) {
  const std::vector<Model> both{open_model("resnet18"), open_model("resnet34")};
  EXPECT_EQ(plan_profile(both).size(), plan_for("resnet34").size());
}

}  // namespace
}  // namespace ampere
