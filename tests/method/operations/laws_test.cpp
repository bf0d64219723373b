// The laws of sums, host, time and energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ampere/error.h"
#include "method/operations/left_out.h"
#include "method/operations/operation_laws.h"
#include "method/operations/simulated.h"

namespace ampere {
namespace {

using namespace testing_support;

MappedOperation mapped(TimeSource source, OperationPart part, double seconds, double deviation,
                       bool half = false) {
  MappedOperation operation;
  operation.source = source;
  operation.features.part = part;
  operation.features.half = half;
  operation.device_s = seconds;
  operation.deviation = deviation;
  return operation;
}

TEST(SumOfOperations, AddsErrorsOfOneGroupAsCorrelatedAndOthersAsIndependent) {
  const std::vector<MappedOperation> operations{
      mapped(TimeSource::mapped, OperationPart::convolution, 1, 0.1),
      mapped(TimeSource::mapped, OperationPart::convolution_backward, 2, 0.2),
      mapped(TimeSource::mapped, OperationPart::convolution, 3, 0.1, true),
      mapped(TimeSource::foreign, OperationPart::pointwise, 0.5, 0.8)};
  const std::vector<double> counts{2, 1, 1, 4};
  const DeviceSum sum = sum_of_operations(operations, counts);
  EXPECT_DOUBLE_EQ(sum.seconds, 2 + 2 + 3 + 2);
  // One block of fp32 convolutions (0.2 and 0.4), one of half (0.3), one of the foreign (1.6).
  const double convolutions = 0.3 * 0.6 * 0.6 + 0.7 * (0.2 * 0.2 + 0.4 * 0.4);
  EXPECT_NEAR(sum.deviation, std::sqrt(convolutions + 0.3 * 0.3 + 1.6 * 1.6) / 9, 1e-12);
}

TEST(SumOfOperations, TakesTimedOperationsAsWrongAllTogether) {
  const std::vector<MappedOperation> operations{
      mapped(TimeSource::timed, OperationPart::product, 1, 0.01),
      mapped(TimeSource::known, OperationPart::pointwise, 3, 0.01)};
  EXPECT_NEAR(sum_of_operations(operations, std::vector<double>{1, 1}).deviation, 0.01, 1e-12);
}

TEST(SumOfOperations, OfNothingIsZero) {
  const DeviceSum sum = sum_of_operations({}, {});
  EXPECT_EQ(sum.seconds, 0);
  EXPECT_EQ(sum.deviation, 0);
}

TEST(DearestOperations, AreThoseThatCostMostAndAreNotKnown) {
  const std::vector<MappedOperation> operations{
      mapped(TimeSource::mapped, OperationPart::product, 1, 0.1),
      mapped(TimeSource::known, OperationPart::product, 9, 0.1),
      mapped(TimeSource::mapped, OperationPart::product, 2, 0.1),
      mapped(TimeSource::none, OperationPart::product, 0, 0)};
  EXPECT_EQ(dearest_operations(operations, std::vector<double>{5, 1, 1, 1}, 2),
            (std::vector<std::size_t>{0, 2}));
}

TEST(StepTimeLaw, IsASmoothMaximum) {
  const StepTimeLaw law{1, 6, 0};
  EXPECT_NEAR(law.seconds(1, 1e-3), 1, 1e-9);
  EXPECT_NEAR(law.seconds(1e-3, 1), 1, 1e-9);
  EXPECT_NEAR(law.seconds(1, 1), std::pow(2, 1.0 / 6), 1e-12);
  EXPECT_EQ(law.seconds(0, 0), 0);
}

std::vector<StepTimeRow> rows_of(const StepTimeLaw& law, int times_each) {
  std::vector<StepTimeRow> rows;
  for (int i = 0; i < times_each; ++i)
    for (const double host : {2e-3, 8e-3, 30e-3})
      for (const double device : {1e-3, 7e-3, 40e-3})
        rows.push_back({host, device, law.seconds(host, device)});
  return rows;
}

TEST(StepTimeLaw, IsFoundAgainFromManyPrograms) {
  const StepTimeLaw truth{1.1, 11, 0.2e-3};
  const StepTimeLaw found = fit_step_time(rows_of(truth, 10));
  EXPECT_NEAR(found.host_scale, truth.host_scale, 1e-9);
  EXPECT_EQ(found.power, truth.power);
  EXPECT_EQ(found.gap_s, truth.gap_s);
}

// A dozen programs whose host and device take about as long are few, and their times vary.
TEST(StepTimeLaw, StaysNearWhatIsUsualWithFewPrograms) {
  const StepTimeLaw usual = usual_step_time();
  std::vector<StepTimeRow> rows;
  for (const double device : {1e-3, 7e-3, 40e-3})
    rows.push_back({device, device, device});  // as if they overlapped without any loss
  const StepTimeLaw found = fit_step_time(rows);
  EXPECT_GT(found.seconds(10e-3, 10e-3), 10e-3 * 1.05);
  EXPECT_LT(found.seconds(10e-3, 10e-3), usual.seconds(10e-3, 10e-3));
  EXPECT_NEAR(found.seconds(1e-3, 50e-3), usual.seconds(1e-3, 50e-3), 1e-3);
}

TEST(StepTimeLaw, WithoutAHostOperationsInTurnMayTakeLongerThanAlone) {
  std::vector<StepTimeRow> rows;
  for (const double device : {1e-3, 7e-3, 40e-3}) rows.push_back({0, device, 1.14 * device});
  const StepTimeLaw found = fit_step_time(rows);
  EXPECT_NEAR(found.in_turn, 1.14, 1e-9);
  EXPECT_NEAR(found.seconds(0, 2), 2.28, 1e-9);
  for (StepTimeRow& row : rows) row.time_s /= 2;
  EXPECT_EQ(fit_step_time(rows).in_turn, 1) << "never less than alone";
  for (StepTimeRow& row : rows) row.time_s *= 4, row.host_s = 1e-6;
  EXPECT_LT(fit_step_time(rows).in_turn, 1.05) << "a GPU has a host";
}

const WorkEnergyLaw kTruth{85, 186, 121e-12, 35e-12, {0, 7.9e-12, 2.5e-12, 0.85e-12}, 120};

// Rows whose terms are all of similar energy, in random proportions.
std::vector<WorkEnergyRow> random_rows(int count, unsigned seed) {
  std::mt19937 engine(seed);
  const auto random = [&] { return std::exp2(4 * (static_cast<double>(engine()) * 0x1p-32) - 2); };
  std::vector<WorkEnergyRow> rows;
  for (int i = 0; i < count; ++i) {
    WorkEnergyRow row;
    row.time_s = 0.1 * random();
    row.device_s = 0.05 * random();
    row.work.memory_bytes = 1e11 * random();
    row.work.cache_bytes = 1e11 * random();
    row.work.flops = {0, 1e12 * random(), 2e12 * random(), 1e13 * random()};
    row.work.grouped_s = 0.05 * random();
    row.energy_j = kTruth.joules(row.time_s, row.device_s, row.work);
    rows.push_back(row);
  }
  return rows;
}

void expect_near(const WorkEnergyLaw& found, double relative) {
  EXPECT_NEAR(found.ready_w / kTruth.ready_w, 1, relative);
  EXPECT_NEAR(found.busy_w / kTruth.busy_w, 1, relative);
  EXPECT_NEAR(found.j_per_memory_byte / kTruth.j_per_memory_byte, 1, relative);
  EXPECT_NEAR(found.j_per_cache_byte / kTruth.j_per_cache_byte, 1, relative);
  for (std::size_t i = 1; i < kFlopClasses; ++i)
    EXPECT_NEAR(found.j_per_flop[i] / kTruth.j_per_flop[i], 1, relative);
  EXPECT_NEAR(found.grouped_w / kTruth.grouped_w, 1, relative);
}

TEST(WorkEnergyLaw, FindsItsCoefficientsAgain) {
  expect_near(fit_work_energy(random_rows(60, 1)), 0.05);
}

TEST(WorkEnergyLaw, StaysNearTheUsualOneWhereWindowsSayNothing) {
  std::vector<WorkEnergyRow> rows = random_rows(6, 3);
  for (WorkEnergyRow& row : rows) {
    row.work.grouped_s = 0;
    row.energy_j = 0.5 * usual_energy_law().joules(row.time_s, row.device_s, row.work);
  }
  EXPECT_NEAR(fit_work_energy(rows).grouped_w, 0.5 * usual_energy_law().grouped_w, 1);
}

TEST(WorkEnergyLaw, IsNotLedAstrayByAFewWrongWindows) {
  std::vector<WorkEnergyRow> rows = random_rows(60, 2);
  for (const std::size_t wrong : {3U, 17U, 40U}) rows[wrong].energy_j *= 1.5;
  expect_near(fit_work_energy(rows), 0.05);
}

TEST(WorkEnergyLaw, OfNothingCostsNothing) { EXPECT_EQ(fit_work_energy({}).joules(1, 1, {}), 0); }

TEST(HostMap, FindsWhatCallsAndIterationsCost) {
  std::vector<TimedOperation> timed;
  std::vector<HostRow> rows;
  HostMap map;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Program program = random_program(seed);
    const auto its = timed_operations(program, "");
    timed.insert(timed.end(), its.begin(), its.end());
  }
  map = fit_host_names(timed);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Program program = random_program(seed);
    const double calls_s = map.calls_s(program, call_counts(program));
    EXPECT_NEAR(calls_s, simulated_host_seconds(program), 0.2 * simulated_host_seconds(program));
    rows.push_back({calls_s, 1.2 * calls_s + 1e-3});
  }
  fit_host_sums(rows, map);
  EXPECT_NEAR(map.scale, 1.2, 0.01);
  EXPECT_NEAR(map.iteration_s, 1e-3, 1e-5);
}

TEST(HostMap, TakesTheUsualTimeForUnknownNames) {
  HostMap map;
  map.usual_s = 7e-6;
  const Program program = random_program(1);
  EXPECT_NEAR(map.calls_s(program, call_counts(program)),
              7e-6 * static_cast<double>(program.steps.size()), 1e-12);
}

TEST(Compose, StretchesTheTimeAtThePowerLimit) {
  OperationLaws laws;
  laws.energy.ready_w = 100;
  laws.energy.busy_w = 900;
  const ComposedStep free = compose(laws, Knowledge::profile, 0, {0.1, 0.05}, {}, {});
  EXPECT_FALSE(free.power_limited);
  const ComposedStep limited = compose(laws, Knowledge::profile, 0, {0.1, 0.05}, {}, 700.0);
  EXPECT_TRUE(limited.power_limited);
  EXPECT_NEAR(limited.energy_j / limited.time_s, 700, 1e-9);
  // The voltage falls with the clock, so that the same work takes less energy.
  const double clock = free.time_s / limited.time_s;
  EXPECT_LT(clock, 1);
  EXPECT_NEAR(limited.work_scale, clock * clock, 1e-12);
  const double ready_w = laws.energy.ready_w, work_w = free.energy_j / free.time_s - ready_w;
  EXPECT_NEAR(ready_w + work_w * clock * clock * clock, 700, 1e-6);
  EXPECT_LT(limited.energy_j, free.energy_j);
}

TEST(OperationLaws, RefuseWindowsThatAreNone) {
  const Corpus corpus = make_corpus(4, 2, 1);
  const FittedMap maps = fit_operation_map(corpus.timed, {});
  EXPECT_THROW(fit_operation_laws({}, corpus.timed, maps), Error);
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(
        fit_operation_laws({{corpus.programs[0], 1e-3, 1e-3, wrong, {}, "a"}}, corpus.timed, maps),
        Error);
}

// A dozen programs alone would make the factor the largest of them.
TEST(OperationLaws, OfADozenProgramsHaveFactorsNearTheUsualOnes) {
  const Corpus corpus = make_corpus(14, 2, 1);
  const FittedMap maps = fit_operation_map(corpus.timed, {});
  const auto energy_factor = [&](double wrong) {
    std::vector<ProgramWindow> windows;
    for (std::size_t i = 0; i < corpus.programs.size() && windows.size() < 14; ++i)
      windows.push_back({corpus.programs[i],
                         1e-3,
                         0.9e-3,
                         i == 3 ? wrong * 0.5 : 0.5,
                         {},
                         "family " + std::to_string(i)});
    EXPECT_EQ(windows.size(), 14u);
    return fit_operation_laws(windows, corpus.timed, maps).factors[0].energy;
  };
  // One of them is outside by twice as much, in the logarithm. It counts with 14 of 14 + 11.
  EXPECT_NEAR(energy_factor(1e6) / energy_factor(1e3), std::pow(2, 14.0 / 25), 0.1);
}

TEST(OperationLaws, OfOneWindowKeepTheUsualFactors) {
  const Corpus corpus = make_corpus(4, 2, 1);
  const FittedMap maps = fit_operation_map(corpus.timed, {});
  const OperationLaws laws =
      fit_operation_laws({{corpus.programs[0], 1e-3, 0.9e-3, 0.5, {}, "a"}}, corpus.timed, maps);
  EXPECT_FALSE(laws.cross_validated);
  EXPECT_EQ(laws.factors[0].energy, IntervalFactors{}.energy);
}

// What such a device draws differs from sitting to sitting: a dozen programs of each say more.
TEST(OperationLaws, RestOnOtherSittingsForTheEnergyAlone) {
  const Corpus corpus = make_corpus(8, 2, 1);
  const FittedMap maps = fit_operation_map(corpus.timed, {});
  std::vector<ProgramWindow> windows;
  for (const Program& program : corpus.programs)
    windows.push_back(
        {program, 1e-3, 0.9e-3, 0.5, 0.4e-3, "family " + std::to_string(windows.size())});
  const OperationLaws alone = fit_operation_laws(windows, corpus.timed, maps);
  std::vector<WorkEnergyRow> elsewhere = alone.energy_rows;
  ASSERT_EQ(elsewhere.size(), windows.size());
  for (WorkEnergyRow& row : elsewhere) row.energy_j *= 1.1, row.elsewhere = true;
  const OperationLaws both = fit_operation_laws(windows, corpus.timed, maps, elsewhere);
  EXPECT_EQ(both.energy_rows.size(), 2 * windows.size());
  const WorkEnergyRow& row = alone.energy_rows[3];
  const auto joules = [&](const OperationLaws& laws) {
    return laws.energy.joules(row.time_s, row.device_s, row.work);
  };
  EXPECT_GT(joules(both) / joules(alone), 1.02);
  EXPECT_LT(joules(both) / joules(alone), 1.08);
  EXPECT_EQ(both.host.scale, alone.host.scale);
  EXPECT_EQ(both.time[0].power, alone.time[0].power);
}

// What is known of a family elsewhere is left out with it.
TEST(LeftOutProfiles, KnowNothingOfAFamilyFromElsewhere) {
  const Corpus corpus = make_corpus(8, 2, 1);
  GeneralEvidence evidence;
  TimedSweep& sweep = evidence.sweeps.emplace_back();
  for (const TimedOperation& each : corpus.timed) {
    sweep.operations.push_back({each.operation, each.tensors, 0, {each.family}});
    sweep.times.each.emplace_back(StepTimes{Seconds(each.device_s), Seconds(5e-6)});
  }
  for (const Program& program : corpus.programs) {
    MeasuredProgram& measured = evidence.programs.emplace_back();
    measured.program = program;
    measured.measurement.emplace();
    measured.measurement->time_s.mean = 1e-3;
    measured.measurement->energy_j.mean = 0.5;
  }
  const auto row = [](const std::string& family) {
    return WorkEnergyRow{1e-3, 0.9e-3, {}, 0.5, family, true};
  };
  LeftOutProfiles profiles(evidence, {}, {row("a"), row("b"), row("a")});
  const auto elsewhere = [](const OperationsProfile& profile, const std::string& family) {
    return std::ranges::count_if(profile.laws.energy_rows, [&](const WorkEnergyRow& each) {
      return each.elsewhere && each.family == family;
    });
  };
  EXPECT_EQ(elsewhere(profiles.whole(), "a"), 2);
  EXPECT_EQ(elsewhere(profiles.without("a"), "a"), 0);
  EXPECT_EQ(elsewhere(profiles.without("a"), "b"), 1);
}

// A machine that is busy with something else takes longer for the operations themselves.
TEST(OperationLaws, WhereNoCallHasAHostAnIterationThatTakesLongHasNone) {
  const Corpus corpus = make_corpus(4, 2, 1);
  const FittedMap maps = fit_operation_map(corpus.timed, {});
  std::vector<TimedOperation> timed = corpus.timed;
  for (TimedOperation& each : timed) each.host_s = 0;
  const OperationLaws laws =
      fit_operation_laws({{corpus.programs[0], 1e-3, 0.2e-3, 0.5, {}, "a"}}, timed, maps);
  const Program& program = corpus.programs[0];
  EXPECT_EQ(laws.host.seconds(laws.host.calls_s(program, call_counts(program))), 0);
  EXPECT_GT(laws.time[0].in_turn, 1);
}

}  // namespace
}  // namespace ampere
