#include "campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "method/suggestion_list.h"
#include "rig/sim.h"
#include "support/code_of.h"
#include "support/hooked_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::code_of;
using testing_support::HookedRig;
using testing_support::TestBench;
using testing_support::Watcher;

Suggestion network(const std::string& spec) {
  Suggestion suggestion;
  suggestion.model = open_model(spec);
  return suggestion;
}

class CampaignTest : public testing::Test {
 protected:
  Summary run(std::vector<Suggestion> suggestions, const Limits& limits = {}) {
    Campaign campaign = TestBench{rig_, *store_, {}, &stop_, &watcher_}.campaign(limits);
    SuggestionList plan("networks", std::move(suggestions));
    campaign.run(plan);
    findings_ = plan.findings();
    return campaign.finish();
  }
  std::vector<Observation> stored(Purpose purpose = Purpose::network) const {
    return store_->find({.profile = 1, .purpose = purpose});
  }

  HookedRig rig_{open_sim_rig("server", 1)};
  std::unique_ptr<Store> store_ = open_store("memory:");
  Watcher watcher_;
  std::atomic<bool> stop_{false};
  std::vector<Finding> findings_;
};

TEST_F(CampaignTest, MeasuresStoresAndTellsInTheOrderOfThePlan) {
  const Summary summary = run({network("lenet5"), network("cnn5")});
  EXPECT_EQ(summary.measured, 2);
  EXPECT_EQ(stored().size(), 2u);
  ASSERT_EQ(findings_.size(), 2u);
  EXPECT_EQ(findings_[1].observation->model.name(), "cnn5");
  EXPECT_FALSE(findings_[1].known);
  ASSERT_EQ(watcher_.seen.size(), 2u);
  EXPECT_EQ(watcher_.seen[0].done, 1);
  EXPECT_TRUE(watcher_.seen[0].left.has_value());
  EXPECT_TRUE(watcher_.seen[1].finished);
}

TEST_F(CampaignTest, WhatIsInTheStoreIsToldAndNotMeasuredAgain) {
  run({network("lenet5")});
  const Summary again = run({network("lenet5"), network("cnn5")});
  EXPECT_EQ(again.known, 1);
  EXPECT_EQ(again.measured, 1);
  EXPECT_TRUE(findings_[0].known);
  EXPECT_TRUE(findings_[0].observation->measurement.has_value());
}

TEST_F(CampaignTest, EveryVisitBeyondThoseInTheStoreIsMeasured) {
  Suggestion second = network("lenet5"), again = network("lenet5");
  second.visit = 1;
  again.visit.reset();
  run({network("lenet5"), second, second});
  EXPECT_EQ(rig_.measured, 2);
  run({again});
  EXPECT_EQ(rig_.measured, 3) << "however often the store has it";
}

TEST_F(CampaignTest, PurposesDoNotAnswerForEachOther) {
  Suggestion check = network("lenet5");
  check.purpose = Purpose::check;
  run({network("lenet5"), check});
  EXPECT_EQ(rig_.measured, 2);
  EXPECT_EQ(stored(Purpose::check).size(), 1u);
}

TEST_F(CampaignTest, AFailureIsStoredToldAndSaidAndTheRestGoesOn) {
  rig_.before_measuring = [](const Model& model) {
    if (model.name() == "lenet5") throw Error(ErrorCode::failed, "out of memory");
  };
  const Summary summary = run({network("lenet5"), network("cnn5")});
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.measured, 1);
  EXPECT_EQ(stored().at(0).failure, "out of memory");
  EXPECT_THAT(summary.warnings, ElementsAre("lenet5 failed: out of memory"));
  EXPECT_EQ(run({network("lenet5")}).failed, 0) << "it is not tried again";
}

TEST_F(CampaignTest, EqualFailuresAreSaidOnceWithTheirNumber) {
  rig_.before_measuring = [](const Model&) { throw Error(ErrorCode::failed, "out of memory"); };
  const Summary summary = run({network("lenet5"), network("cnn5"), network("har")});
  EXPECT_EQ(summary.failed, 3);
  EXPECT_THAT(summary.warnings, ElementsAre("3 measurements failed, lenet5 first: out of memory"));
}

TEST_F(CampaignTest, AnyOtherErrorEndsItWithEverythingKept) {
  rig_.before_measuring = [](const Model& model) {
    if (model.name() == "cnn5") throw Error(ErrorCode::no_meter, "unplugged");
  };
  EXPECT_EQ(code_of([&] { run({network("lenet5"), network("cnn5")}); }), ErrorCode::no_meter);
  EXPECT_EQ(stored().size(), 1u);
}

TEST_F(CampaignTest, StopsBeforeTheNextMeasurementWhenAsked) {
  rig_.before_measuring = [&](const Model&) { stop_ = true; };
  EXPECT_EQ(code_of([&] { run({network("lenet5"), network("cnn5")}); }), ErrorCode::interrupted);
  EXPECT_EQ(rig_.measured, 1) << "what was begun is finished and kept";
  EXPECT_EQ(stored().size(), 1u);
}

TEST_F(CampaignTest, BeginsNothingAfterTheTimeLimitButTellsWhatIsKnown) {
  run({network("lenet5")});
  const Summary summary = run({network("lenet5"), network("cnn5")}, {Seconds{0}});
  EXPECT_TRUE(summary.stopped_by_time_limit);
  EXPECT_EQ(summary.known, 1);
  EXPECT_EQ(rig_.measured, 1);
}

TEST_F(CampaignTest, WhatTheRigHasNoAnswerForIsPassedOverWhereThePlanSaysSo) {
  rig_.has_answer = [](const Model& model) { return model.name() != "lenet5"; };
  Suggestion optional = network("lenet5");
  optional.only_answerable = true;
  const Summary summary = run({optional, network("cnn5")});
  EXPECT_EQ(summary.skipped, 1);
  EXPECT_TRUE(findings_[0].skipped());
  EXPECT_EQ(rig_.measured, 1);
}

TEST_F(CampaignTest, TimingsAreStoredWhateverEndsIt) {
  std::vector<Suggestion> blocks;
  for (int width = 1; width <= 5; ++width) {
    Suggestion& block = blocks.emplace_back();
    block.ask = Suggestion::Ask::time;
    block.model = open_model("lenet5");
    block.kind = "some kind";
    block.features = {width};
  }
  rig_.before_timing = [&](const Model&) {
    if (rig_.timed == 3) throw Error(ErrorCode::no_meter, "unplugged");
  };
  EXPECT_EQ(code_of([&] { run(blocks); }), ErrorCode::no_meter);
  EXPECT_EQ(store_->timings(1).size(), 3u);
  rig_.before_timing = {};
  const Summary summary = run(blocks);
  EXPECT_EQ(summary.timed, 2);
  EXPECT_EQ(summary.known, 3);
}

TEST_F(CampaignTest, WhatThePlanKeepsItselfIsNotStored) {
  Suggestion own = network("lenet5");
  own.kept = false;
  run({own, own});
  EXPECT_EQ(rig_.measured, 2);
  EXPECT_TRUE(stored().empty());
}

}  // namespace
}  // namespace ampere
