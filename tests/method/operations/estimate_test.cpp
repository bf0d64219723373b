// Profiles of a simulated device, and estimates of programs from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/general_profile.h"
#include "method/operations/program_estimate.h"
#include "method/operations/simulated.h"
#include "method/operations/simulated_profile.h"

namespace ampere {
namespace {

using namespace testing_support;

class OperationsProfileTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Corpus corpus = make_corpus(40, 8, 100);
    std::vector<ProgramWindow> windows;
    for (std::size_t i = 0; i < corpus.programs.size(); ++i)
      windows.push_back(
          window_of(corpus.programs[i], corpus.families[i], static_cast<unsigned>(i)));
    profile = new OperationsProfile(fit_operations_profile(corpus.timed, windows, {}));
  }
  static void TearDownTestSuite() { delete profile; }
  static std::string stored() {
    GeneralProfile general;
    general.device.name = "a GPU";
    general.device.fingerprint = fingerprint_of(general.device);
    general.fitted = *profile;
    return to_json(general);
  }
  static inline OperationsProfile* profile = nullptr;
};

Program unseen(unsigned seed) {
  return random_program(seed, seed % 2 == 0 ? ElementType::fp32 : ElementType::bf16);
}

TEST_F(OperationsProfileTest, EstimatesProgramsItHasNotSeenWithHonestIntervals) {
  std::vector<double> errors;
  int energy_inside = 0, time_inside = 0;
  const int programs = 200;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const ProgramWindow truth = window_of(unseen(seed), "", 1000 + seed);
    const ProgramEstimate estimate = estimate_program(truth.program, *profile);
    const auto inside = [](const Interval& interval, double value) {
      return value >= interval.low && value <= interval.high ? 1 : 0;
    };
    errors.push_back(std::abs(estimate.energy_j.mean / truth.energy_j - 1));
    energy_inside += inside(estimate.energy_j, truth.energy_j);
    time_inside += inside(estimate.time_s, truth.time_s);
  }
  std::printf(
      "mean error of energy of unseen programs: %.1f %%; 90 %% intervals cover %d and %d "
      "of %d\n",
      100 * mean(errors), energy_inside, time_inside, programs);
  EXPECT_LT(mean(errors), 0.05);
  EXPECT_GE(energy_inside, programs * 80 / 100);
  EXPECT_GE(time_inside, programs * 80 / 100);
}

TEST_F(OperationsProfileTest, AnswersTheSameAfterItWasStored) {
  const std::string text = stored();
  const GeneralProfile general = parse_general_profile(text, "profile.json");
  const OperationsProfile& read = general.fitted;
  EXPECT_EQ(to_json(general), text);
  EXPECT_EQ(general.device.name, "a GPU");
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const ProgramEstimate before = estimate_program(unseen(seed), *profile);
    const ProgramEstimate after = estimate_program(unseen(seed), read);
    EXPECT_DOUBLE_EQ(after.energy_j.mean, before.energy_j.mean);
    EXPECT_DOUBLE_EQ(after.energy_j.high, before.energy_j.high);
    EXPECT_DOUBLE_EQ(after.time_s.low, before.time_s.low);
  }
}

TEST_F(OperationsProfileTest, NamesTheFieldThatIsBroken) {
  std::string text = stored();
  EXPECT_THROW(parse_general_profile("{}", "x"), Error);
  EXPECT_THROW(parse_general_profile(text.substr(0, text.size() / 2), "x"), Error);
  const std::size_t at = text.find("\"points\":\"");
  ASSERT_NE(at, std::string::npos);
  text.erase(at + 10, 4);
  try {
    parse_general_profile(text, "p.json");
    FAIL() << "a point was missing";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("process.points"));
  }
}

TEST_F(OperationsProfileTest, TimingTheDearestOperationsNarrowsTheInterval) {
  const Program program = unseen(3);
  const ProgramEstimate before = estimate_program(program, *profile);
  ProgramEvidence evidence;
  for (const int i : operations_to_time(program, *profile, 20)) {
    const Operation& operation = program.operations[static_cast<std::size_t>(i)];
    evidence.timed.push_back(
        {operation, program.tensors, simulated_seconds(operation, program.tensors), {}, ""});
  }
  evidence.host_s = simulated_host_seconds(program);
  const ProgramEstimate after = estimate_program(program, *profile, evidence);
  EXPECT_LT(after.device_s.high / after.device_s.mean, before.device_s.high / before.device_s.mean);
  EXPECT_NEAR(after.device_s.mean / simulated_seconds(program), 1, 0.02);
  EXPECT_GT(after.share_of_source[static_cast<std::size_t>(TimeSource::timed)], 0.5);
}

// The host may be that of another machine. Looking at it says which, and changes nothing else where
// it takes what was expected.
TEST_F(OperationsProfileTest, ALookAtACompiledStepStandsForTimingIt) {
  Program program = unseen(3);
  program.operations.front().name = "triton_poi_fused_add";
  const double seen_s = 1e-4, host_s = 5e-3;
  program.seen = SeenTimes{"a GPU", host_s, std::vector(program.operations.size(), seen_s)};
  const ProgramEstimate unasked = estimate_program(program, *profile);
  EXPECT_EQ(unasked.share_of_source[static_cast<std::size_t>(TimeSource::timed)], 0);
  ProgramEvidence look;
  look.seen = true;
  const ProgramEstimate estimate = estimate_program(program, *profile, look);
  EXPECT_NEAR(estimate.share_of_source[static_cast<std::size_t>(TimeSource::timed)], 1, 1e-9);
  EXPECT_TRUE(estimate.uncovered.empty());
  double device_s = 0;
  const auto counts = call_counts(program);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (part_of(program.operations[i])) device_s += counts[i] * seen_s;
  EXPECT_NEAR(estimate.device_s.mean, device_s, 1e-6 * device_s);
  EXPECT_EQ(estimate.host_s, host_s) << "no law of calls has a part in it";
  const auto width = [](const Interval& it) { return std::log(it.high / it.low); };
  EXPECT_LT(width(estimate.energy_j), width(unasked.energy_j));
}

TEST_F(OperationsProfileTest, IsLessSureOfAHostThatNobodyLookedAt) {
  const auto widths = [](const Interval& interval) {
    return std::pair(std::log(interval.mean / interval.low),
                     std::log(interval.high / interval.mean));
  };
  int waiting = 0, busy = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Program program = unseen(seed);
    const ProgramEstimate alone = estimate_program(program, *profile);
    const ProgramEstimate looked = estimate_program(program, *profile, {{}, alone.host_s});
    EXPECT_NEAR(looked.energy_j.mean, alone.energy_j.mean, 1e-9 * alone.energy_j.mean);
    const auto [alone_low, alone_high] = widths(alone.time_s);
    const auto [looked_low, looked_high] = widths(looked.time_s);
    EXPECT_GE(alone_high, looked_high * (1 - 1e-9));
    EXPECT_NEAR(looked_low, looked_high, 1e-9) << "the deviation is alike on both sides";
    if (alone.host_s > 1.5 * alone.device_s.mean) {
      ++waiting;
      EXPECT_GT(alone_high, 1.1 * looked_high);
      EXPECT_GT(alone_low, 1.05 * looked_low);
    } else if (alone.host_s < 0.3 * alone.device_s.mean) {
      ++busy;
      EXPECT_LT(alone_high, 1.02 * looked_high);
    }
  }
  EXPECT_GT(waiting, 0);
  EXPECT_GT(busy, 0);
}

TEST_F(OperationsProfileTest, PartsAddUpToTheWhole) {
  const ProgramEstimate estimate = estimate_program(unseen(4), *profile);
  for (const auto* shares : {&estimate.groups, &estimate.modules}) {
    double energy = 0, device = 0;
    for (const ProgramShare& share : *shares) energy += share.energy_j, device += share.device_s;
    EXPECT_NEAR(energy, estimate.energy_j.mean, 1e-9 * estimate.energy_j.mean);
    EXPECT_NEAR(device, estimate.device_s.mean, 1e-9 * estimate.device_s.mean);
  }
  EXPECT_EQ(estimate.groups.front().name, "product");
  EXPECT_EQ(estimate.modules.front().name, "");
  EXPECT_NEAR(estimate.share_of_source[1] + estimate.share_of_source[2] +
                  estimate.share_of_source[3] + estimate.share_of_source[4],
              1, 1e-9);
}

TEST_F(OperationsProfileTest, NamesForeignOperationsAndWidensTheInterval) {
  Program program = unseen(4);
  const ProgramEstimate before = estimate_program(program, *profile);
  EXPECT_TRUE(before.uncovered.empty());
  for (Operation& operation : program.operations)
    if (operation.name == "mm") operation.name = "mylib.product";
  const ProgramEstimate after = estimate_program(program, *profile);
  ASSERT_EQ(after.uncovered.size(), 1U);
  EXPECT_EQ(after.uncovered[0].name, "mylib.product");
  EXPECT_GT(after.uncovered[0].share, 0);
  EXPECT_GT(after.device_s.high / after.device_s.mean, before.device_s.high / before.device_s.mean);
  EXPECT_THAT(to_estimate(after, {}).warnings,
              testing::Contains(testing::HasSubstr("mylib.product")));
}

TEST_F(OperationsProfileTest, WiderConfidenceGivesAWiderInterval) {
  const Program program = unseen(5);
  const Interval usual = estimate_program(program, *profile).energy_j;
  const Interval wide = estimate_program(program, *profile, {}, 0.99).energy_j;
  EXPECT_GT(wide.high, usual.high);
  EXPECT_LT(wide.low, usual.low);
  EXPECT_EQ(wide.mean, usual.mean);
}

TEST_F(OperationsProfileTest, AnswersForWholeTrainings) {
  const ProgramEstimate one = estimate_program(unseen(5), *profile);
  const Estimate many = to_estimate(one, {100, 0.9});
  EXPECT_DOUBLE_EQ(many.energy_j->mean, 100 * one.energy_j.mean);
  EXPECT_DOUBLE_EQ(many.time_s->high, 100 * one.time_s.high);
  EXPECT_EQ(many.parts.size(), one.groups.size());
}

TEST_F(OperationsProfileTest, AProgramOfViewsTakesTheHostsTime) {
  ProgramBuilder build("views");
  const Value x = build.tensor(ElementType::fp32, {8});
  build.call("view", {x}, {x});
  const ProgramEstimate estimate = estimate_program(build.program, *profile);
  EXPECT_EQ(estimate.device_s.mean, 0);
  EXPECT_GT(estimate.time_s.mean, 0);
  EXPECT_GT(estimate.energy_j.mean, 0);
  EXPECT_NEAR(estimate.modules[0].energy_j, estimate.energy_j.mean, 1e-15);
}

TEST_F(OperationsProfileTest, AProgramWithoutStepsIsAnError) {
  Program program = unseen(1);
  program.steps.clear();
  EXPECT_THROW(estimate_program(program, *profile), Error);
  EXPECT_THROW(estimate_program({}, *profile), Error);
}

TEST_F(OperationsProfileTest, RefusesTimesThatAreNone) {
  const Program program = unseen(1);
  ProgramEvidence evidence;
  evidence.timed.push_back({program.operations[0], program.tensors, std::nan(""), {}, ""});
  EXPECT_THROW(estimate_program(program, *profile, evidence), Error);
}

}  // namespace
}  // namespace ampere
