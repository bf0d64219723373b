// What every store promises of the timings of blocks.
#include <gmock/gmock.h>

#include <limits>

#include "each_store.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class StoreTimings : public EachStore {
 protected:
  void SetUp() override {
    EachStore::SetUp();
    if (store_) profile_ = open_sample_profile(*store_);
  }

  std::int64_t profile_ = 0;
};

TEST_P(StoreTimings, AreGivenBackExactlyAndInOrder) {
  const std::vector<BlockTiming> added{sample_timing("conv", 4, 1.0 / 3),
                                       sample_timing("linear", 5, 1e-300),
                                       sample_failed_timing("out of memory: 日本"),
                                       sample_timing("conv", 4, 0), sample_timing("conv", 6)};
  store_->add(profile_, {added[0], added[1]});
  store_->add(profile_, {added[2], added[3], added[4]});
  EXPECT_EQ(texts_of(store_->timings(profile_)), texts_of(added));
}

TEST_P(StoreTimings, KnowWhetherTheHostWasTimed) {
  BlockTiming alone = sample_timing();
  alone.timing->host_s.reset();
  store_->add(profile_, {alone, sample_timing()});
  const std::vector<BlockTiming> found = store_->timings(profile_);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].timing.value().host_s, std::nullopt);
  EXPECT_EQ(found[1].timing.value().host_s, sample_timing().timing->host_s);
}

TEST_P(StoreTimings, AreFoundByKindInTheOrderTheyWereAdded) {
  const BlockTiming a = sample_timing("a", 1), b = sample_timing("b", 2), c = sample_timing("c", 3),
                    later = sample_timing("a", 4);
  store_->add(profile_, {a, b, c, later});
  EXPECT_EQ(texts_of(store_->timings(profile_, {"b"})), texts_of({b}));
  EXPECT_EQ(texts_of(store_->timings(profile_, {"c", "a", "c", "unknown"})),
            texts_of({a, c, later}));
  EXPECT_THAT(store_->timings(profile_, {"unknown"}), IsEmpty());
  EXPECT_THAT(store_->timings(profile_, {""}), IsEmpty());
}

TEST_P(StoreTimings, BelongToOneProfile) {
  const std::int64_t other = store_->open_profile(sample_device(), sample_setup(20), "local");
  store_->add(profile_, {sample_timing("conv", 4)});
  store_->add(other, {sample_timing("conv", 5)});
  EXPECT_EQ(texts_of(store_->timings(profile_)), texts_of({sample_timing("conv", 4)}));
  store_->remove_profile(profile_);
  EXPECT_EQ(thrown_by([&] { store_->timings(profile_); }).code, ErrorCode::unknown);
  EXPECT_EQ(texts_of(store_->timings(other, {"conv"})), texts_of({sample_timing("conv", 5)}));
  EXPECT_THAT(store_->timings(open_sample_profile(*store_)), IsEmpty());
}

TEST_P(StoreTimings, AreNotCountedAsObservationsOrKinds) {
  store_->add(profile_, {sample_timing("conv"), sample_failed_timing("too large")});
  const ProfileRow row = store_->profiles().at(0);
  EXPECT_EQ(row.kinds, 0);
  EXPECT_EQ(row.observations, 0);
  EXPECT_EQ(row.failures, 0);
  EXPECT_THAT(store_->find({.profile = profile_}), IsEmpty());
}

TEST_P(StoreTimings, AreAnUpdateOfTheirProfile) {
  store_->open_profile(sample_device("other"), sample_setup(), "local");
  ASSERT_NE(store_->profiles().at(0).id, profile_);
  store_->add(profile_, {sample_timing()});
  EXPECT_EQ(store_->profiles().at(0).id, profile_);
}

TEST_P(StoreTimings, AreAddedAllOrNone) {
  BlockTiming bad = sample_timing();
  bad.timing->device_s = std::numeric_limits<double>::quiet_NaN();
  const Thrown thrown = thrown_by([&] { store_->add(profile_, {sample_timing(), bad}); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr("device_s"));
  bad.timing->device_s = -1;
  EXPECT_EQ(thrown_by([&] {
              store_->add(profile_, {sample_timing(), bad});
            }).code,
            ErrorCode::usage);
  EXPECT_EQ(thrown_by([&] { store_->add(profile_, {sample_timing("\xff")}); }).code,
            ErrorCode::usage);
  EXPECT_THAT(store_->timings(profile_), IsEmpty());
}

TEST_P(StoreTimings, ArePartOfALargerChange) {
  const auto fail_late = [&] {
    store_->add(profile_, {sample_timing()});
    throw Error(ErrorCode::interrupted, "stopped");
  };
  thrown_by([&] { store_->atomically(fail_late); });
  EXPECT_THAT(store_->timings(profile_), IsEmpty());
  store_->atomically([&] {
    store_->add(profile_, {sample_timing("conv", 4)});
    store_->add(profile_, {sample_timing("conv", 5)});
  });
  EXPECT_THAT(store_->timings(profile_), SizeIs(2));
}

TEST_P(StoreTimings, KeepThousandsOfHugeAndAwkwardOnes) {
  std::vector<BlockTiming> many;
  for (int i = 0; i < 3000; ++i) many.push_back(sample_timing(i % 2 ? "odd" : "even", i));
  BlockTiming awkward = sample_failed_timing(std::string(1'000'000, 'x'));
  awkward.kind = std::string("'; DROP TABLE timing; --\n\0\"%s", 28) + "日本";
  awkward.features = {std::numeric_limits<std::int64_t>::max(), -1, 0};
  many.push_back(awkward);
  store_->add(profile_, many);
  EXPECT_EQ(texts_of(store_->timings(profile_)), texts_of(many));
  EXPECT_THAT(store_->timings(profile_, {"odd"}), SizeIs(1500));
  EXPECT_EQ(texts_of(store_->timings(profile_, {awkward.kind})), texts_of({awkward}));
}

TEST_P(StoreTimings, NeedAProfile) {
  EXPECT_EQ(thrown_by([&] { store_->add(77, {sample_timing()}); }).code, ErrorCode::unknown);
  EXPECT_EQ(thrown_by([&] { store_->timings(77); }).code, ErrorCode::unknown);
  EXPECT_EQ(thrown_by([&] { store_->timings(77, {"conv"}); }).code, ErrorCode::unknown);
}

TEST_P(StoreTimings, StandBesideTheMeasurementOfAWholeNetwork) {
  Observation timed = sample_observation("", 6);
  timed.timing = sample_timing().timing;
  Observation failed = sample_failure();
  failed.timing = Timing{.device_s = 0.25, .host_s = std::nullopt, .elapsed = Seconds{1}};
  store_->add(profile_, timed);
  store_->add(profile_, failed);
  store_->add(profile_, sample_observation());
  const auto found = store_->find({.profile = profile_});
  EXPECT_EQ(texts_of(found), texts_of({timed, failed, sample_observation()}));
  EXPECT_EQ(found.at(0).timing.value().device_s, timed.timing->device_s);
  EXPECT_EQ(found.at(1).timing.value().host_s, std::nullopt);
  EXPECT_FALSE(found.at(2).timing);
}

TEST_P(StoreTimings, AreRefusedByAStoreOpenedForReading) {
  const auto readable = open_store(url_, Access::read);
  EXPECT_EQ(thrown_by([&] { readable->add(profile_, {sample_timing()}); }).code,
            ErrorCode::permission);
}

INSTANTIATE_FOR_EACH_STORE(StoreTimings);

TEST(SqliteTimings, NameTheDamagedRow) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  const auto store = open_store("sqlite:" + path);
  const std::int64_t profile = open_sample_profile(*store);
  store->add(profile, {sample_timing()});
  for (const char* damage :
       {"features = '[1,'", "features = '[]', device_s = -1", "device_s = 1, elapsed_s = NULL"}) {
    run_sql(path, std::string("UPDATE timing SET ") + damage);
    const Thrown thrown = thrown_by([&] { store->timings(profile); });
    EXPECT_EQ(thrown.code, ErrorCode::usage) << damage;
    EXPECT_THAT(thrown.message, HasSubstr(path + ": timing 1")) << damage;
  }
}

}  // namespace
}  // namespace ampere
