#include "ampere/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"

namespace ampere {
namespace {

using testing::HasSubstr;

std::vector<ScoreCell> phones() {
  std::vector<ScoreCell> cells;
  for (int network = 0; network < 4; ++network) {
    const double size = std::pow(10.0, network);
    const std::string name = "net" + std::to_string(network);
    cells.push_back({"old", "CPU", name, 2 * size, 4.0, {}});
    cells.push_back({"new", "CPU", name, size, 5.0, {}});
  }
  return cells;
}

TEST(Scores, OfTheReferenceAreAHundred) {
  const std::vector<DeviceScore> scores = score_devices(phones(), {.reference = "old"});
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[1].device, "old");
  EXPECT_DOUBLE_EQ(*scores[1].iecs.value, 100);
  EXPECT_DOUBLE_EQ(*scores[1].pcs.value, 100);
}

TEST(Scores, RiseAsCostsFall) {
  const std::vector<DeviceScore> scores = score_devices(phones(), {.reference = "old"});
  EXPECT_EQ(scores[0].device, "new");
  EXPECT_NEAR(*scores[0].iecs.value, 200, 1e-9);
  EXPECT_NEAR(*scores[0].pcs.value, 80, 1e-9);
}

TEST(Scores, OfTwoDevicesAreInversesOfEachOther) {
  std::vector<ScoreCell> cells = phones();
  cells[1].energy_j = 0.123;
  const auto of = [&](const std::string& device, const std::string& reference) {
    const auto scores = score_devices(cells, {.reference = reference});
    return *std::ranges::find(scores, device, &DeviceScore::device)->iecs.value;
  };
  EXPECT_NEAR(of("old", "new") * of("new", "old"), 1e4, 1e-6);
}

TEST(Scores, AreOverTheCellsThatBothHave) {
  std::vector<ScoreCell> cells = phones();
  cells[1].energy_j.reset();
  cells.push_back({"new", "GPU", "net0", 1e9, 1.0, {}});
  const std::vector<DeviceScore> scores = score_devices(cells, {.reference = "old"});
  EXPECT_EQ(scores[0].iecs.shared, 3);
  EXPECT_NEAR(*scores[0].iecs.value, 200, 1e-9);
  EXPECT_EQ(scores[0].pcs.shared, 4);
}

TEST(Scores, AreRefusedBelowTheLeastShare) {
  std::vector<ScoreCell> cells = phones();
  cells[1].energy_j.reset();
  cells[3].energy_j.reset();
  const std::vector<DeviceScore> scores =
      score_devices(cells, {.reference = "old", .least_share = 0.5, .least_cells = 3});
  EXPECT_EQ(scores[1].device, "new") << "without a score it comes last";
  EXPECT_FALSE(scores[1].iecs.value);
  EXPECT_THAT(scores[1].iecs.reason, HasSubstr("2 cells in common with old, which has 4"));
  EXPECT_TRUE(scores[1].pcs.value);
}

TEST(Scores, OfADeviceWithNothingInCommonAreNone) {
  std::vector<ScoreCell> cells = phones();
  cells.push_back({"other", "NPU", "net9", 1.0, 1.0, {}});
  const std::vector<DeviceScore> scores =
      score_devices(cells, {.reference = "old", .least_share = 0, .least_cells = 0});
  EXPECT_EQ(scores.back().device, "other");
  EXPECT_FALSE(scores.back().iecs.value);
}

TEST(Scores, NameTheCellsThatAreMissing) {
  std::vector<ScoreCell> cells = phones();
  cells[1].energy_j.reset();
  cells[1].reason = "out of memory";
  const Score score = score_devices(cells, {.reference = "old"})[0].iecs;
  ASSERT_EQ(score.missing.size(), 1u);
  EXPECT_EQ(score.missing[0].network, "net0");
  EXPECT_EQ(score.missing[0].delegate, "CPU");
  EXPECT_EQ(score.missing[0].reason, "out of memory");
  EXPECT_THAT(explain_score(cells, "new", {.reference = "old"}),
              HasSubstr("net0 CPU: left out, out of memory"));
}

TEST(Scores, DoNotMixMeasuredWithModelledUnlessAsked) {
  std::vector<ScoreCell> cells = phones();
  for (ScoreCell& cell : cells)
    if (cell.device == "new") cell.source = Source::modelled;
  const std::vector<DeviceScore> apart = score_devices(cells, {.reference = "old"});
  EXPECT_FALSE(apart[1].iecs.value);
  EXPECT_THAT(apart[1].iecs.reason, HasSubstr("are not compared unless that is asked for: 4"));
  EXPECT_EQ(apart[1].pcs.missing[0].reason, "modelled here, measured on old");
  const std::vector<DeviceScore> mixed = score_devices(cells, {.reference = "old", .mixed = true});
  EXPECT_NEAR(*mixed[0].iecs.value, 200, 1e-9);
}

TEST(Scores, TakeTheFirstDeviceUnlessOneIsNamed) {
  EXPECT_NEAR(*score_devices(phones())[0].iecs.value, 200, 1e-9);
}

TEST(Scores, RefuseWhatIsNoTable) {
  EXPECT_THROW(score_devices({}), Error);
  EXPECT_THROW(explain_score({}, "old"), Error);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    std::vector<ScoreCell> cells = phones();
    cells[2].energy_j = bad;
    EXPECT_THROW(score_devices(cells), Error) << bad;
  }
  try {
    score_devices(phones(), {.reference = "odl"});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'old'?"));
  }
  EXPECT_THROW(explain_score(phones(), "nobody"), Error);
}

TEST(Scores, AreExplainedCellByCell) {
  const std::string text = explain_score(phones(), "new", {.reference = "old"});
  EXPECT_THAT(text, HasSubstr("new against old = 100"));
  EXPECT_THAT(text, HasSubstr("net2 CPU: x 2.000"));
  EXPECT_THAT(text, HasSubstr("4 cells: IECS = 200.0"));
  EXPECT_THAT(text, HasSubstr("4 cells: PCS = 80.0"));
  EXPECT_THAT(explain_score(phones(), "new", {.reference = "old", .least_cells = 9}),
              HasSubstr("no IECS"));
}

}  // namespace
}  // namespace ampere
