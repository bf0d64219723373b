// What every store promises of the pace of a whole network.
#include <gmock/gmock.h>

#include <limits>

#include "base/json.h"
#include "each_store.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Observation paced_observation(const std::string& reference = "0123456789abcdef") {
  Observation paced = sample_observation("", 6);
  paced.pace = Pace{1.0 / 3, 1e-300, reference, Seconds{0.75}};
  return paced;
}

class StorePace : public EachStore {
 protected:
  std::vector<Observation> all(std::int64_t profile) const {
    return store_->find({.profile = profile});
  }
  void SetUp() override {
    EachStore::SetUp();
    if (store_) profile_ = open_sample_profile(*store_);
  }

  std::int64_t profile_ = 0;
};

TEST_P(StorePace, StandsBesideTheMeasurement) {
  Observation timed = paced_observation("");
  timed.timing = sample_timing().timing;
  store_->add(profile_, paced_observation());
  store_->add(profile_, timed);
  store_->add(profile_, sample_observation());
  const auto found = all(profile_);
  EXPECT_EQ(texts_of(found), texts_of({paced_observation(), timed, sample_observation()}));
  EXPECT_EQ(found.at(0).pace.value().time_s, 1.0 / 3);
  EXPECT_EQ(found.at(0).pace->reference_s, 1e-300);
  EXPECT_EQ(found.at(0).pace->reference, "0123456789abcdef");
  EXPECT_EQ(found.at(0).pace->elapsed.count(), 0.75);
  EXPECT_FALSE(found.at(0).timing);
  EXPECT_EQ(found.at(1).pace.value().reference, "");
  EXPECT_FALSE(found.at(2).pace);
}

TEST_P(StorePace, TravelsWithItsProfile) {
  const auto source = open_store("memory:");
  const std::int64_t from = open_sample_profile(*source);
  source->add(from, paced_observation());
  source->add(from, sample_observation());
  const std::string document = export_profile(*source, from);
  const Json observations = Json::parse(document).at("observations");
  EXPECT_EQ(observations.at(0).at("pace").at("time_s"), 1.0 / 3);
  EXPECT_EQ(import_profile(*store_, document, "profile.json"), profile_);
  EXPECT_EQ(import_profile(*store_, document, "profile.json"), profile_);
  EXPECT_EQ(texts_of(all(profile_)), texts_of({paced_observation(), sample_observation()}));
}

TEST_P(StorePace, IsRefusedWhereItCannotBe) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    Observation paced = paced_observation();
    paced.pace->reference_s = bad;
    const Thrown thrown = thrown_by([&] { store_->add(profile_, paced); });
    EXPECT_EQ(thrown.code, ErrorCode::usage) << bad;
    EXPECT_THAT(thrown.message, HasSubstr("reference_s"));
  }
  EXPECT_THAT(all(profile_), IsEmpty());
}

TEST_P(StorePace, IsRefusedInAMalformedDocument) {
  const auto source = open_store("memory:");
  const std::int64_t from = open_sample_profile(*source);
  source->add(from, paced_observation());
  Json document = Json::parse(export_profile(*source, from));
  document["observations"][0]["pace"]["time_s"] = -1;
  const Thrown thrown =
      thrown_by([&] { import_profile(*store_, document.dump(), "profile.json"); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr("pace.time_s"));
  EXPECT_THAT(all(profile_), IsEmpty());
}

INSTANTIATE_FOR_EACH_STORE(StorePace);

}  // namespace
}  // namespace ampere
