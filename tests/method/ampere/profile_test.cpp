#include "method/ampere/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "method/ampere/ampere_method.h"
#include "support/law_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing_support::additive_law;
using testing_support::LawRig;

class ProfileTest : public testing::Test {
 protected:
  ProfileSummary profile(const std::string& spec, Rig& rig) {
    return testing_support::profile(*method_, {{open_model(spec)}, {}}, options_,
                                    {rig, *store_, {}, nullptr, &watcher_});
  }

  std::unique_ptr<Store> store_ = open_store("memory:");
  ProfileOptions options_;
  const std::unique_ptr<Method> method_ = make_ampere_method();
  testing_support::Watcher watcher_;
};

TEST_F(ProfileTest, MeasuresStoresAndFitsEveryPlannedKind) {
  LawRig rig(additive_law);
  const ProfileSummary summary = profile("lenet5", rig);
  const std::vector<Model> models{open_model("lenet5")};
  EXPECT_EQ(summary.measured, rig.measured);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(store_->fits(summary.profile).size(), plan_profile(models).size());
  const auto rows = store_->profiles();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].observations, summary.measured);
  EXPECT_TRUE(watcher_.seen.back().finished);
}

TEST_F(ProfileTest, TheSameCommandMeasuresNothingTwice) {
  LawRig rig(additive_law);
  profile("lenet5", rig);
  const int before = rig.measured;
  EXPECT_EQ(profile("lenet5", rig).measured, 0);
  EXPECT_EQ(rig.measured, before);
}

TEST_F(ProfileTest, WhatAnotherNetworkLeftIsUsed) {
  LawRig rig(additive_law);
  profile("resnet34", rig);
  EXPECT_EQ(profile("resnet18", rig).measured, 0) << "its kinds are all in resnet34";
}

TEST_F(ProfileTest, AKindMeasuredWithAnotherNetworksCompanionsIsKnownHereToo) {
  LawRig rig(additive_law);
  profile("lenet5", rig);  // its linear layers end in 10 classes, those of har in 6
  const auto shared = [&](const Model& model) {
    for (const Block& block : parse_blocks(model))
      if (block.kind->title == "linear+relu" && block.kind->role == Role::hidden)
        return block.kind->key;
    return std::string();
  };
  ASSERT_EQ(shared(open_model("lenet5")), shared(open_model("har")));
  const Query lenet5s{
      .profile = 1, .purpose = Purpose::variant, .kind = shared(open_model("lenet5"))};
  const std::size_t before = store_->find(lenet5s).size();
  const ProfileSummary summary = profile("har", rig);
  EXPECT_GT(summary.measured, 0);
  EXPECT_TRUE(summary.warnings.empty());
  EXPECT_GE(store_->find(lenet5s).size(), before);
  EXPECT_LT(store_->find(lenet5s).size() - before, 25u) << "points in the common range are reused";
}

TEST_F(ProfileTest, ACutShortProfileGoesOnInTheMiddleOfAKind) {
  LawRig steady(additive_law);
  auto whole_store = open_store("memory:");
  testing_support::profile(*method_, {{open_model("cnn5")}, {}}, options_, {steady, *whole_store});

  int left = 17;
  LawRig failing([&](const Model& model) {
    if (left-- == 0) throw Error(ErrorCode::interrupted, "interrupted");
    return additive_law(model);
  });
  EXPECT_THROW(profile("cnn5", failing), Error);
  EXPECT_EQ(store_->profiles()[0].observations, 17);
  LawRig again(additive_law);
  profile("cnn5", again);
  EXPECT_EQ(again.measured + 17, steady.measured) << "no point was lost or repeated";
  EXPECT_EQ(store_->profiles()[0].observations, whole_store->profiles()[0].observations);
}

TEST_F(ProfileTest, FailuresAreStoredAndTheRestGoesOn) {
  LawRig rig([](const Model& model) {
    if (count(model, 1).parameters > 40000) throw Error(ErrorCode::failed, "out of memory");
    return additive_law(model);
  });
  const ProfileSummary summary = profile("lenet5", rig);
  EXPECT_GT(summary.failed, 0);
  EXPECT_GT(summary.measured, summary.failed);
  EXPECT_EQ(store_->profiles()[0].failures, summary.failed);
  EXPECT_THAT(summary.warnings, testing::Contains(testing::HasSubstr("out of memory")));
  EXPECT_EQ(profile("lenet5", rig).failed, 0) << "what failed is not tried again";
}

TEST_F(ProfileTest, AKindWhoseCompanionCannotBeMeasuredIsNamed) {
  LawRig rig([](const Model&) -> double { throw Error(ErrorCode::failed, "meter gone"); });
  const ProfileSummary summary = profile("lenet5", rig);
  EXPECT_EQ(summary.measured, 0);
  EXPECT_THAT(summary.warnings, testing::Contains(testing::HasSubstr("its companion")));
}

TEST_F(ProfileTest, OtherErrorsEndTheProfile) {
  LawRig rig([](const Model&) -> double { throw Error(ErrorCode::no_meter, "no meter"); });
  EXPECT_THROW(profile("lenet5", rig), Error);
  EXPECT_EQ(store_->profiles()[0].observations, 0);
}

TEST_F(ProfileTest, NothingIsBegunAfterTheTimeLimit) {
  LawRig rig(additive_law);
  options_.time_limit = Seconds(0);
  const ProfileSummary summary = profile("lenet5", rig);
  EXPECT_TRUE(summary.stopped_by_time_limit);
  EXPECT_EQ(rig.measured, 0);
  EXPECT_TRUE(summary.warnings.empty()) << "nothing failed: there was no time";
}

// Points of each kind after so many measurements, with a limit of the time that is never reached.
class ProfileInTurns : public ProfileTest {
 protected:
  std::vector<std::size_t> points_after(const std::string& spec, int measurements) {
    options_.time_limit = Seconds(3600);
    int left = measurements;
    LawRig rig([&](const Model& model) {
      if (left-- == 0) throw Error(ErrorCode::interrupted, "interrupted");
      return additive_law(model);
    });
    EXPECT_THROW(profile(spec, rig), Error);
    std::vector<std::size_t> points;
    const std::vector<Model> models{open_model(spec)};
    for (const PlannedKind& planned : plan_profile(models))
      points.push_back(
          store_->find({.profile = 1, .purpose = Purpose::variant, .kind = planned.kind->key})
              .size());
    return points;
  }
};

TEST_F(ProfileInTurns, EveryKindHasPointsWhenTheTimeIsOver) {
  const std::vector<std::size_t> points = points_after("cnn5", 14);
  const auto [least, most] = std::ranges::minmax(points);
  EXPECT_GE(least, 1u);
  EXPECT_LE(most - least, 1u) << "no kind is ahead of another";
}

TEST_F(ProfileInTurns, AKindThatIsCertainEnoughIsPassedOver) {
  const std::vector<std::size_t> points = points_after("cnn5", 40);
  EXPECT_THAT(points, testing::Contains(4u)) << "a line over one feature is soon known";
  EXPECT_GT(std::ranges::max(points), 6u);
}

TEST_F(ProfileInTurns, MeasuresNoMoreThanOneKindAfterTheOther) {
  const auto measured = [this](std::optional<Seconds> limit) {
    const auto store = open_store("memory:");
    options_.time_limit = limit;
    LawRig rig(additive_law);
    const ProfileSummary summary =
        testing_support::profile(*method_, {{open_model("lenet5")}, {}}, options_, {rig, *store});
    EXPECT_TRUE(summary.warnings.empty());
    EXPECT_FALSE(summary.stopped_by_time_limit);
    return store->fits(summary.profile).size();
  };
  EXPECT_EQ(measured(Seconds(3600)), measured(std::nullopt));
}

TEST_F(ProfileInTurns, WarnsOnceOfWhatCannotBeMeasured) {
  const auto warnings = [this](std::optional<Seconds> limit) {
    const auto store = open_store("memory:");
    options_.time_limit = limit;
    LawRig rig([](const Model&) -> double { throw Error(ErrorCode::failed, "meter gone"); });
    return testing_support::profile(*method_, {{open_model("lenet5")}, {}}, options_, {rig, *store})
        .warnings;
  };
  const auto one_after_the_other = warnings(std::nullopt);
  EXPECT_THAT(one_after_the_other, testing::Contains(testing::HasSubstr("its companion")));
  EXPECT_EQ(warnings(Seconds(3600)).size(), one_after_the_other.size());
}

TEST_F(ProfileTest, TheGuideMayBeTime) {
  LawRig rig(additive_law);
  options_.guide = Guide::time;
  EXPECT_GT(profile("lenet5", rig).measured, 0);
}

TEST_F(ProfileTest, ADryRunAgreesWithWhatIsThenDone) {
  const std::vector<Model> models{open_model("lenet5")};
  const auto plan = plan_profile(models);
  int at_most = 0;
  for (const PlannedKindWork& work : preview_profile(plan, *store_, std::nullopt, {}))
    at_most += work.at_most;
  LawRig rig(additive_law);
  const ProfileSummary summary = profile("lenet5", rig);
  EXPECT_LE(summary.measured, at_most);
  for (const PlannedKindWork& work : preview_profile(plan, *store_, summary.profile, {})) {
    EXPECT_EQ(work.at_most, 0) << work.title;
    EXPECT_GT(work.known, 0) << work.title;
  }
}

}  // namespace
}  // namespace ampere
