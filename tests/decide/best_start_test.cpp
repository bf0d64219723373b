#include "forecast/best_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "decide/said.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::said;

constexpr double kHour = 3600;

Forecast hourly(std::initializer_list<double> values) {
  Forecast forecast;
  for (const double value : values) {
    forecast.from.push_back(Seconds(kHour * static_cast<double>(forecast.from.size())));
    forecast.per_kwh.push_back(value);
  }
  return forecast;
}

// 1 kWh in so many hours.
TimedRun run_of(double hours) {
  return {Joules{3.6e6}, Seconds(hours * kHour), Seconds(hours * kHour)};
}

TEST(BestStart, IsInTheCleanestHours) {
  const StartOptions starts =
      best_start(run_of(2), hourly({300, 300, 100, 100, 300, 300}), Seconds(6 * kHour), "f.csv");
  EXPECT_DOUBLE_EQ(starts.now.value, 300);
  EXPECT_DOUBLE_EQ(starts.best.begin.count(), 2 * kHour);
  EXPECT_DOUBLE_EQ(starts.best.value, 100);
}

TEST(BestStart, IsNowWithoutADeadlineOrWhereNothingIsBetter) {
  EXPECT_EQ(best_start(run_of(1), hourly({300, 100}), std::nullopt, "f.csv").best.begin.count(), 0);
  EXPECT_EQ(best_start(run_of(1), hourly({100, 100, 100}), Seconds(3 * kHour), "f.csv")
                .best.begin.count(),
            0);
}

TEST(BestStart, EndsBeforeTheDeadlineWhateverHappens) {
  TimedRun run = run_of(1);
  run.time_most = Seconds(2 * kHour);
  const StartOptions starts = best_start(run, hourly({300, 200, 100, 50}), Seconds(3 * kHour), "f");
  EXPECT_DOUBLE_EQ(starts.latest.count(), kHour);
  EXPECT_DOUBLE_EQ(starts.best.value, 200);
}

TEST(BestStart, KnowsWhereTheForecastEnds) {
  const Forecast forecast = hourly({300, 200, 100});
  const StartOptions starts = best_start(run_of(1), forecast, Seconds(9 * kHour), "f.csv");
  EXPECT_TRUE(starts.cut_by_forecast);
  EXPECT_DOUBLE_EQ(starts.latest.count(), 2 * kHour);
  EXPECT_THAT(said([&] { best_start(run_of(4), forecast, std::nullopt, "f.csv"); }),
              HasSubstr("f.csv: the forecast ends in 3 h, and a run that starts now ends in 4 h"));
  EXPECT_THAT(said([&] { best_start(run_of(1), hourly({300}), std::nullopt, "f.csv"); }),
              HasSubstr("only one of its values holds from now on"));
}

TEST(BestStart, RefusesADeadlineThatMayNotHold) {
  EXPECT_THAT(said([] {
                best_start(run_of(4), hourly({1, 1}), Seconds(3 * kHour), "f");
              }),
              HasSubstr("the run may take 4 h, and the deadline is in 3 h"));
}

// Against every second of the window.
TEST(BestStart, IsTheBestOfAllStarts) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> value(-20, 400);
  for (int round = 0; round < 20; ++round) {
    Forecast forecast;
    for (int i = 0; i < 8; ++i) {
      forecast.from.push_back(Seconds(100. * i));
      forecast.per_kwh.push_back(value(random));
    }
    const TimedRun run{Joules{1e6}, Seconds(137), Seconds(150)};
    const StartOptions starts = best_start(run, forecast, Seconds(700), "f");
    for (int begin = 0; begin <= 550; ++begin) {
      double sum = 0;  // by the second
      for (int at = begin; at < begin + 137; ++at)
        sum += forecast.per_kwh[static_cast<std::size_t>(at / 100)];
      EXPECT_LE(starts.best.value, sum * 1e6 / 137 / 3.6e6 + 1e-6) << begin;
    }
  }
}

}  // namespace
}  // namespace ampere
