// Maps that are fitted to a simulated device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/operation_map.h"
#include "method/operations/simulated.h"

namespace ampere {
namespace {

using namespace testing_support;

class MapOfSimulatedDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    corpus = new Corpus(make_corpus(40, 8, 100));
    fitted = new FittedMap(fit_operation_map(corpus->timed, {}));
  }
  static void TearDownTestSuite() {
    delete corpus;
    delete fitted;
  }
  static double sum_of(const OperationMap& map, const Program& program) {
    const auto mapped = map_operations(map, program);
    double sum = 0;
    for (const ProgramStep& step : program.steps)
      sum += mapped[static_cast<std::size_t>(step.operation)].device_s;
    return sum;
  }
  static inline Corpus* corpus = nullptr;
  static inline FittedMap* fitted = nullptr;
};

TEST_F(MapOfSimulatedDevice, PredictsProgramsItHasNotSeenWithinAFewPercent) {
  std::vector<double> errors;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Program program =
        random_program(seed, seed % 2 == 0 ? ElementType::fp32 : ElementType::bf16);
    errors.push_back(std::abs(sum_of(fitted->map, program) / simulated_seconds(program) - 1));
  }
  std::printf("mean error of device time of unseen programs: %.1f %%\n", 100 * mean(errors));
  EXPECT_LT(mean(errors), 0.04);
}

TEST_F(MapOfSimulatedDevice, LooksUpOperationsThatWereTimed) {
  const Program& program = corpus->programs.front();
  for (const MappedOperation& each : map_operations(fitted->map, program))
    EXPECT_EQ(each.source, TimeSource::known);
  EXPECT_NEAR(sum_of(fitted->map, program), simulated_seconds(program),
              1e-6 * simulated_seconds(program));
}

TEST_F(MapOfSimulatedDevice, WithoutAFamilyDoesNotKnowItsOperations) {
  const OperationMap& without = fitted->without.at(corpus->families.front());
  const auto mapped = map_operations(without, corpus->programs.front());
  int known = 0;
  for (const MappedOperation& each : mapped) known += each.source == TimeSource::known ? 1 : 0;
  EXPECT_LT(known, static_cast<int>(mapped.size()) / 4);
}

TEST_F(MapOfSimulatedDevice, TakesWhatIsTimedNowFirst) {
  const Program& program = corpus->programs.front();
  const OperationKey key = operation_key(program.operations[0], program.tensors);
  const auto mapped =
      map_operations(fitted->map, program, KnownTimes(std::map<OperationKey, double>{{key, 1.0}}));
  EXPECT_EQ(mapped[0].source, TimeSource::timed);
  EXPECT_FLOAT_EQ(static_cast<float>(mapped[0].device_s), 1.0F);
}

TEST_F(MapOfSimulatedDevice, WidensForeignNames) {
  Program program = random_program(1);
  const auto before = map_operations(fitted->map, program);
  for (Operation& operation : program.operations)
    if (operation.name == "add.Tensor") operation.name = "atan2";
  const auto after = map_operations(fitted->map, program);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (program.operations[i].name != "atan2") continue;
    EXPECT_EQ(after[i].source, TimeSource::foreign);
    EXPECT_GT(after[i].deviation, 0.2);
    EXPECT_GT(after[i].deviation, 2 * before[i].deviation);
  }
}

TEST_F(MapOfSimulatedDevice, GoesByBytesWhereNoPartFits) {
  ProgramBuilder build("foreign");
  const Value x = build.tensor(ElementType::fp32, {1 << 20});
  build.call("mylib.fancy", {x}, {x});
  const auto mapped = map_operations(fitted->map, build.program);
  EXPECT_EQ(mapped[0].source, TimeSource::foreign);
  EXPECT_DOUBLE_EQ(mapped[0].deviation, 1);
  EXPECT_NEAR(mapped[0].device_s, 4e-6, 3e-6);
}

TEST_F(MapOfSimulatedDevice, IsTheSameWhenFittedAgain) {
  const FittedMap again = fit_operation_map(corpus->timed, {});
  const Program program = random_program(7);
  EXPECT_EQ(sum_of(again.map, program), sum_of(fitted->map, program));
}

TEST_F(MapOfSimulatedDevice, KeepsHyperparametersWhenAskedTo) {
  MapFitOptions options;
  options.like = &fitted->map;
  const FittedMap again = fit_operation_map(corpus->timed, {}, options);
  const Program program = random_program(7);
  EXPECT_NEAR(sum_of(again.map, program) / sum_of(fitted->map, program), 1, 1e-9);
}

TEST(OperationMap, OfNothingIsAnError) {
  EXPECT_THROW(fit_operation_map({}, {}), Error);
  // Nor do views tell anything.
  ProgramBuilder build("view");
  const Value x = build.tensor(ElementType::fp32, {8});
  build.call("view", {x}, {x});
  EXPECT_THROW(
      fit_operation_map({{build.program.operations[0], build.program.tensors, 0, {}, ""}}, {}),
      Error);
}

TEST(OperationMap, OfUnknownNamesKnowsThoseThatWereTimedAndNoOthers) {
  std::vector<TimedOperation> timed = make_corpus(6, 2, 5).timed;
  for (std::int64_t size = 1 << 12; size < 1 << 24; size *= 2) {
    ProgramBuilder build("foreign");
    const Value x = build.tensor(ElementType::fp32, {size});
    build.call("mylib.slow", {x}, {x});
    const double seconds = 50 * simulated_seconds(build.program);
    timed.push_back({build.program.operations[0], build.program.tensors, seconds, {}, ""});
  }
  const FittedMap fitted = fit_operation_map(timed, {});
  ProgramBuilder build("both");
  const Value x = build.tensor(ElementType::fp32, {3 << 16});
  build.call("mylib.slow", {x}, {x});
  build.call("mylib.other", {x}, {x});
  const auto mapped = map_operations(fitted.map, build.program);
  EXPECT_EQ(mapped[0].source, TimeSource::mapped);
  EXPECT_LT(mapped[0].deviation, 0.5);
  EXPECT_EQ(mapped[1].source, TimeSource::foreign);
  EXPECT_EQ(mapped[1].deviation, 1);
  EXPECT_GT(mapped[0].device_s, 10 * mapped[1].device_s);
}

TEST(OperationMap, OfOneOperationKnowsItAndGuessesOthers) {
  const Program program = random_program(3);
  const FittedMap fitted = fit_operation_map({timed_operations(program, "a").front()}, {});
  const auto mapped = map_operations(fitted.map, program);
  EXPECT_EQ(mapped[0].source, TimeSource::known);
  for (const MappedOperation& each : mapped) {
    EXPECT_TRUE(std::isfinite(each.device_s));
    EXPECT_GT(each.device_s, 0);
  }
}

TEST(OperationMap, OfEqualOperationsTakesTheirMeanTime) {
  const Program program = random_program(3);
  TimedOperation timed = timed_operations(program, "").front();
  std::vector<TimedOperation> many(30, timed);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].device_s = i % 2 == 0 ? 1e-5 : 4e-5;
  const FittedMap fitted = fit_operation_map(many, {});
  EXPECT_NEAR(map_operations(fitted.map, program)[0].device_s, 2e-5, 1e-9);
}

TEST(OperationMap, OfEqualTimesIsStillFinite) {
  std::vector<TimedOperation> timed = make_corpus(4, 2, 5).timed;
  for (TimedOperation& each : timed) each.device_s = 1e-5;
  const FittedMap fitted = fit_operation_map(timed, {});
  for (const MappedOperation& each : map_operations(fitted.map, random_program(9)))
    EXPECT_TRUE(std::isfinite(each.device_s));
}

TEST(OperationMap, DoesNotLearnFromTimesOfZero) {
  std::vector<TimedOperation> timed = make_corpus(6, 2, 5).timed;
  const double before = fit_operation_map(timed, {}).map.roofline.floor_s;
  timed.push_back(timed.front());
  timed.back().operation.name = "silent";
  timed.back().device_s = 0;
  const FittedMap fitted = fit_operation_map(timed, {});
  EXPECT_EQ(fitted.map.roofline.floor_s, before);
  Program program;
  program.operations = {timed.back().operation};
  program.tensors = timed.back().tensors;
  EXPECT_EQ(map_operations(fitted.map, program)[0].device_s, 0);
}

TEST(OperationMap, RefusesTimesThatAreNone) {
  for (const double time :
       {-1e-6, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<TimedOperation> timed = timed_operations(random_program(3), "a");
    timed[2].device_s = time;
    EXPECT_THROW(fit_operation_map(timed, {}), Error) << time;
  }
}

}  // namespace
}  // namespace ampere
