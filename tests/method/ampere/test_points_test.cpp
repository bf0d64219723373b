#include "method/ampere/test_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "ampere/error.h"
#include "method/ampere/kind_points.h"
#include "support/law_rig.h"
#include "support/profiling.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::additive_law;
using testing_support::LawRig;

using Features = std::vector<std::int64_t>;

const std::vector<PlannedKind>& plan() {
  static const std::vector<Model> models{open_model("cnn5:6,6,8,16")};
  static const std::vector<PlannedKind> planned = plan_profile(models);
  return planned;
}

class TestPoints : public testing::Test {
 protected:
  TestPoints() { options_.points = 9; }

  void profile(Rig& rig) {
    Campaign campaign = testing_support::TestBench{rig, *store_}.campaign();
    id_ = campaign.profile();
    campaign.run(*suggest_points(plan(), *store_, id_, {}, options_));
  }
  Summary test(Rig& rig, int points, std::uint64_t seed = 0) {
    Campaign campaign = bench(rig).campaign({time_limit_});
    campaign.run(*suggest_tests(plan(), rig, *store_, id_, {}, options_, {points, seed}));
    return campaign.finish();
  }
  testing_support::TestBench bench(Rig& rig) { return {rig, *store_, {}, &stop_, &watcher_}; }

  std::vector<Observation> stored(const PlannedKind& planned) const {
    return store_->find({.profile = id_, .purpose = Purpose::test, .kind = planned.kind->key});
  }
  std::map<std::string, std::vector<Features>> places() const {
    std::map<std::string, std::vector<Features>> found;
    for (const PlannedKind& planned : plan())
      for (const Observation& test : stored(planned))
        found[planned.kind->key].push_back(test.features);
    return found;
  }
  std::size_t tests() const {
    std::size_t count = 0;
    for (const PlannedKind& planned : plan()) count += stored(planned).size();
    return count;
  }
  Fits fits() const { return read_fits(store_->fits(id_)); }

  std::unique_ptr<Store> store_ = open_store("memory:");
  KindOptions options_;
  std::optional<Seconds> time_limit_;
  std::int64_t id_ = 0;
  testing_support::Watcher watcher_;
  std::atomic<bool> stop_{false};
};

TEST_F(TestPoints, AreMeasuredOfEveryKindWithinThePlanAndWhereNothingWas) {
  LawRig rig(additive_law);
  profile(rig);
  const int before = rig.measured;
  const Summary summary = test(rig, 4);
  EXPECT_EQ(summary.profile, id_);
  EXPECT_EQ(summary.measured, rig.measured - before);
  EXPECT_EQ(static_cast<std::size_t>(summary.measured), tests());
  for (const PlannedKind& planned : plan()) {
    std::set<Features> seen;
    for (const Observation& known :
         store_->find({.profile = id_, .purpose = Purpose::variant, .kind = planned.kind->key}))
      seen.insert(known.features);
    for (const Observation& known : stored(planned)) {
      EXPECT_TRUE(seen.insert(known.features).second) << planned.kind->title << ": drawn twice";
      for (std::size_t axis = 0; axis < planned.upper.size(); ++axis) {
        EXPECT_GE(known.features[axis], 1);
        EXPECT_LE(known.features[axis], planned.upper[axis]);
        EXPECT_EQ(known.features[axis] % planned.kind->features[axis].multiple_of, 0);
      }
    }
  }
}

TEST_F(TestPoints, TheSameNumberMeasuresNothingNewAndALargerAdds) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 2);
  const auto first = places();
  const std::size_t few = tests();
  EXPECT_EQ(test(rig, 2).measured, 0);
  EXPECT_EQ(test(rig, 2, 77).measured, 0) << "those of another seed count too";
  EXPECT_EQ(test(rig, 1).measured, 0);
  const int added = test(rig, 5).measured;
  EXPECT_GT(added, 0);
  EXPECT_EQ(tests(), few + static_cast<std::size_t>(added));
  for (const auto& [kind, features] : first) {
    const std::vector<Features> all = places().at(kind);
    EXPECT_TRUE(std::ranges::equal(features, std::span(all).first(features.size())));
  }
}

TEST_F(TestPoints, FewerAreTheFirstOfMoreAndTheSeedDecides) {
  LawRig rig(additive_law);
  const auto drawn = [&](int points, std::uint64_t seed) {
    store_ = open_store("memory:");
    profile(rig);
    test(rig, points, seed);
    return places();
  };
  const auto few = drawn(2, 5), more = drawn(4, 5), others = drawn(2, 6);
  for (const auto& [kind, features] : few)
    EXPECT_TRUE(std::ranges::equal(features, std::span(more.at(kind)).first(features.size())));
  EXPECT_NE(few, others);
}

TEST_F(TestPoints, AreKeptOutOfEveryFit) {
  LawRig rig(additive_law);
  profile(rig);
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const StoredFit& fit : store_->fits(id_)) all.push_back(fit.text);
    return all;
  };
  const std::vector<std::string> untested = texts();
  ASSERT_GT(test(rig, 6).measured, 10);
  EXPECT_EQ(texts(), untested);
  const int before = rig.measured;
  profile(rig);  // fits anew to what is in the store
  EXPECT_EQ(rig.measured, before);
  EXPECT_EQ(texts(), untested) << "to the last bit";
}

TEST_F(TestPoints, AreNoKindsOrPointsOfAProfile) {
  LawRig rig(additive_law);
  profile(rig);
  const ProfileRow before = store_->profiles().front();
  const std::size_t points = kind_points(*store_, before).front().points.size();
  const int measured = test(rig, 5).measured;
  const ProfileRow after = store_->profiles().front();
  EXPECT_EQ(after.kinds, before.kinds);
  EXPECT_EQ(after.observations, before.observations);
  EXPECT_EQ(after.tests, measured);
  EXPECT_EQ(kind_points(*store_, after).front().points.size(), points);
  EXPECT_TRUE(store_->find({.profile = id_, .purpose = Purpose::network}).empty())
      << "nor whole networks";
}

TEST_F(TestPoints, GoWithAProfileThatIsExported) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 3);
  const std::size_t many = tests();
  const std::string document = export_profile(*store_, id_);
  store_ = open_store("memory:");
  id_ = import_profile(*store_, document, "document");
  EXPECT_EQ(tests(), many);
  EXPECT_EQ(test(rig, 3).measured, 0);
}

TEST_F(TestPoints, NoMoreAreMeasuredThanThereAre) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 1000);
  for (const PlannedKind& planned : plan()) {
    std::int64_t places = 1;
    for (const std::int64_t upper : planned.upper) places *= upper;
    const auto fitted = static_cast<std::int64_t>(
        store_->find({.profile = id_, .purpose = Purpose::variant, .kind = planned.kind->key})
            .size());
    EXPECT_EQ(static_cast<std::int64_t>(stored(planned).size()),
              std::min<std::int64_t>(1000, places - fitted))
        << planned.kind->title;
  }
  EXPECT_EQ(test(rig, 1000).measured, 0);
}

TEST_F(TestPoints, KeepToWhatIsAllowed) {
  LawRig rig(additive_law);
  profile(rig);
  options_.allowed = [](const Model& variant) { return count(variant, 1).parameters % 2 == 0; };
  EXPECT_GT(test(rig, 5).measured, 0);
  for (const PlannedKind& planned : plan())
    for (const Observation& known : stored(planned))
      EXPECT_EQ(count(known.model, 1).parameters % 2, 0);
  options_.allowed = [](const Model&) { return false; };
  EXPECT_EQ(test(rig, 50).measured, 0);
}

TEST_F(TestPoints, AFailureIsKeptAndNotTriedAgain) {
  LawRig rig(additive_law);
  profile(rig);
  LawRig failing([](const Model& model) {
    if (count(model, 1).parameters % 3 == 0) throw Error(ErrorCode::failed, "out of memory");
    return additive_law(model);
  });
  const Summary summary = test(failing, 6);
  ASSERT_GT(summary.failed, 0);
  ASSERT_GT(summary.measured, 0);
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("out of memory")));
  EXPECT_EQ(store_->profiles().front().failures, 0) << "no point of the profile failed";
  int failed = 0;
  for (const PlannedKind& planned : plan()) {
    const KindTests found = kind_tests(*store_, id_, fits(), planned.kind->key);
    EXPECT_EQ(found.points.size() + static_cast<std::size_t>(found.failed), stored(planned).size());
    failed += found.failed;
  }
  EXPECT_EQ(failed, summary.failed);
  EXPECT_EQ(test(rig, 6).measured, 0);
}

TEST_F(TestPoints, NothingIsBegunAfterTheTimeLimit) {
  LawRig rig(additive_law);
  profile(rig);
  const int before = rig.measured;
  time_limit_ = Seconds(0);
  EXPECT_TRUE(test(rig, 5).stopped_by_time_limit);
  EXPECT_EQ(rig.measured, before);
  time_limit_ = Seconds(1000);
  EXPECT_FALSE(test(rig, 5).stopped_by_time_limit);
}

TEST_F(TestPoints, WhatWasMeasuredBeforeAnInterruptionIsKept) {
  LawRig rig(additive_law);
  profile(rig);
  const auto whole = [&] {
    test(rig, 4);
    return places();
  };
  int left = 5;
  LawRig stopping([&](const Model& model) {
    if (--left == 0) stop_ = true;
    return additive_law(model);
  });
  EXPECT_THROW(test(stopping, 4), Error);
  stop_ = false;
  EXPECT_EQ(tests(), 5u);
  const auto resumed = whole();
  store_ = open_store("memory:");
  profile(rig);
  EXPECT_EQ(resumed, whole()) << "as if it had never been interrupted";
}

TEST_F(TestPoints, AKindWithoutAFitIsNotTested) {
  LawRig rig([](const Model&) -> double { throw Error(ErrorCode::failed, "meter gone"); });
  profile(rig);
  EXPECT_EQ(test(rig, 3).failed, 0);
  EXPECT_EQ(tests(), 0u);
}

TEST_F(TestPoints, APreviewIsWhatIsThenDone) {
  LawRig rig(additive_law);
  const auto at_most = [&](std::optional<std::int64_t> profile) {
    int sum = 0;
    for (const int missing : preview_tests(plan(), *store_, profile, {4, 0})) sum += missing;
    return sum;
  };
  EXPECT_EQ(preview_tests(plan(), *store_, std::nullopt, {4, 0}).size(), plan().size());
  const int unknown = at_most(std::nullopt);
  profile(rig);
  const int known = at_most(id_);
  EXPECT_LE(known, unknown);
  EXPECT_EQ(test(rig, 4).measured, known);
  ASSERT_EQ(watcher_.seen.size(), static_cast<std::size_t>(known));
  EXPECT_EQ(watcher_.seen.back().done, known);
  EXPECT_EQ(watcher_.seen.back().of, known);
  EXPECT_EQ(at_most(id_), 0);
}

TEST_F(TestPoints, CompanionsAreSubtractedAndTheFitIsAskedThere) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 5);
  const Fits known = fits();
  for (const PlannedKind& planned : plan()) {
    const KindFit& fit = known.at(planned.kind->key);
    for (const TestPoint& point : kind_tests(*store_, id_, known, planned.kind->key).points) {
      const Model alone = instantiate(*planned.kind, point.features);
      EXPECT_NEAR(point.energy_j / additive_law(alone), 1, 0.2) << planned.kind->title;
      EXPECT_GT(point.energy_sd, 0);
      Eigen::VectorXd at(point.features.size());
      std::ranges::copy(point.features, at.begin());
      EXPECT_EQ(point.estimated_j.mean, fit.energy.predict(at).mean);
      EXPECT_EQ(point.estimated_s.stddev, fit.time.predict(at).stddev);
      EXPECT_FALSE(point.taken_at.empty());
      EXPECT_EQ(point.measurement.windows.size(), 3u);
    }
  }
}

TEST_F(TestPoints, WhereAKindWasFittedSinceIsNoTestAnyMore) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 3);
  const PlannedKind& planned = plan().back();
  Observation fitted = stored(planned).front();
  fitted.purpose = Purpose::variant;
  store_->add(id_, fitted);
  profile(rig);
  const KindTests left = kind_tests(*store_, id_, fits(), planned.kind->key);
  EXPECT_EQ(left.points.size(), 2u);
  for (const TestPoint& point : left.points) EXPECT_NE(point.features, fitted.features);
  EXPECT_EQ(test(rig, 3).measured, 1) << "another takes its place";
}

TEST_F(TestPoints, NoMoreAreReadThanAskedFor) {
  LawRig rig(additive_law);
  profile(rig);
  test(rig, 4);
  const std::string kind = plan().back().kind->key;
  const KindTests some = kind_tests(*store_, id_, fits(), kind, 3);
  EXPECT_EQ(some.points.size(), 3u);
  EXPECT_TRUE(some.more);
  EXPECT_FALSE(kind_tests(*store_, id_, fits(), kind, 4).more);
}

TEST_F(TestPoints, AnObservationOfSomethingElseIsRefused) {
  LawRig rig(additive_law);
  profile(rig);
  Observation other =
      store_->find({.profile = id_, .purpose = Purpose::variant, .kind = plan().front().kind->key})
          .front();
  other.purpose = Purpose::test;
  other.kind = plan().back().kind->key;
  store_->add(id_, other);
  EXPECT_THROW(kind_tests(*store_, id_, fits(), plan().back().kind->key), Error);
}

TestPoint off_by(double estimated, double observed) {
  TestPoint point;
  point.energy_j = observed;
  point.estimated_j.mean = estimated;
  point.time_s = 1;
  point.estimated_s.mean = 1.5;
  return point;
}

TEST(KindScore, IsTheMeanAndTheWorstDifference) {
  KindTests tests;
  EXPECT_FALSE(score_tests(tests));
  tests.points = {off_by(1.1, 1), off_by(0.7, 1), off_by(1, 1)};
  const auto score = score_tests(tests);
  ASSERT_TRUE(score);
  EXPECT_NEAR(score->energy_mape, 0.4 / 3, 1e-12);
  EXPECT_NEAR(*energy_difference(score->worst), -0.3, 1e-12);
  EXPECT_NEAR(*score->time_mape, 0.5, 1e-12);
}

TEST(KindScore, LeavesOutWhatHasNoShare) {
  EXPECT_FALSE(energy_difference(off_by(1, 0)));
  EXPECT_FALSE(energy_difference(off_by(1, -1)));
  EXPECT_FALSE(energy_difference(off_by(1, std::nan(""))));
  KindTests tests;
  tests.points = {off_by(1, -1)};
  EXPECT_FALSE(score_tests(tests));
  tests.points.push_back(off_by(2, 1));
  EXPECT_EQ(score_tests(tests)->energy_mape, 1);
  EXPECT_EQ(score_tests(tests)->compared, 1);
}

}  // namespace
}  // namespace ampere
