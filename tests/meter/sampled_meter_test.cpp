#include "meter/sampled_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sensors and a clock that do as the test says.
class SampledMeter : public ::testing::Test {
 protected:
  SampledMeter() {
    options_.sample_every = Seconds{0};
    options_.now = [this] { return Seconds{now_}; };
  }

  PowerSensor sensor(const std::string& name, std::atomic<double>& watts, bool in_total = true) {
    return {{name, in_total, "machine/" + name, ""}, [&watts] { return Watts{watts}; }};
  }

  std::unique_ptr<Meter> open() { return open({sensor("board", watts_)}); }
  std::unique_ptr<Meter> open(std::vector<PowerSensor> sensors) {
    MeterInfo info;
    info.name = "test";
    return make_sampled_meter(info, std::move(sensors), options_);
  }

  static std::string failure(Meter& meter) {
    try {
      meter.read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      return error.what();
    }
    return "";
  }

  static std::string open_failure(const std::function<void()>& open_meter) {
    try {
      open_meter();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::no_meter);
      return error.what();
    }
    return "";
  }

  SamplingOptions options_;
  std::atomic<double> now_{100};
  std::atomic<double> watts_{10};
  std::atomic<double> other_watts_{1};
};

TEST_F(SampledMeter, SumsTrapezoids) {
  const auto meter = open();
  EXPECT_EQ(meter->read().energy.at(0).value, 0);
  now_ = 101;
  EXPECT_DOUBLE_EQ(meter->read().energy.at(0).value, 10);
  now_ = 103;
  watts_ = 30;
  const Reading reading = meter->read();
  EXPECT_DOUBLE_EQ(reading.energy.at(0).value, 10 + 2 * (10 + 30) / 2.0);
  EXPECT_DOUBLE_EQ(reading.time.count(), 103);
}

TEST_F(SampledMeter, CountsNothingWhileNoTimePasses) {
  const auto meter = open();
  watts_ = 1000;
  EXPECT_EQ(meter->read().energy.at(0).value, 0);
  EXPECT_EQ(meter->read().energy.at(0).value, 0);
}

TEST_F(SampledMeter, KeepsSensorsApart) {
  const auto meter = open({sensor("a", watts_), sensor("b", other_watts_, false)});
  now_ = 102;
  other_watts_ = 3;
  const Reading reading = meter->read();
  EXPECT_DOUBLE_EQ(reading.energy.at(0).value, 20);
  EXPECT_DOUBLE_EQ(reading.energy.at(1).value, 4);
  EXPECT_DOUBLE_EQ(total(meter->info(), reading).value, 20);
  EXPECT_EQ(meter->info().sensing, Sensing::sampled);
  EXPECT_EQ(meter->info().domains.at(1).name, "b");
}

TEST_F(SampledMeter, FollowsAKnownCurve) {
  const auto meter = open();
  // P = 50 + 40 sin t over whole turns: its mean is 50.
  constexpr int kSamples = 2000;
  const double turns = 2 * std::acos(-1.0) * 5;
  watts_ = 50;
  meter->read();
  for (int i = 1; i <= kSamples; ++i) {
    const double t = turns * i / kSamples;
    watts_ = 50 + 40 * std::sin(t);
    now_ = 100 + t;
    meter->read();
  }
  EXPECT_NEAR(meter->read().energy.at(0).value, 50 * turns, 1e-3);
}

TEST_F(SampledMeter, RefusesToGuessAcrossAGap) {
  const auto meter = open();
  now_ = 100 + options_.longest_gap.count();
  EXPECT_NO_THROW(meter->read()) << "just short enough";
  now_ = now_ + options_.longest_gap.count() + 0.001;
  EXPECT_THAT(failure(*meter), HasSubstr("no sample for 5 s"));
  now_ = now_ + 0.1;
  EXPECT_THAT(failure(*meter), HasSubstr("no sample")) << "what was lost stays lost";
}

TEST_F(SampledMeter, RefusesAClockThatGoesBack) {
  const auto meter = open();
  now_ = 99.5;
  EXPECT_THAT(failure(*meter), HasSubstr("went back by 0.5 s"));
  now_ = 101;
  EXPECT_THAT(failure(*meter), HasSubstr("went back"));
}

TEST_F(SampledMeter, RefusesPowerThatCannotBe) {
  for (const double impossible :
       {-0.001, -1e300, std::nan(""), 1e7, std::numeric_limits<double>::infinity()}) {
    watts_ = 10;
    const auto meter = open();
    watts_ = impossible;
    EXPECT_THAT(failure(*meter), HasSubstr("board gave")) << impossible;
    watts_ = 10;
    EXPECT_THAT(failure(*meter), HasSubstr("cannot be")) << "after " << impossible;
    watts_ = impossible;
    EXPECT_THROW(open(), Error) << impossible;
  }
}

TEST_F(SampledMeter, PassesOnWhatASensorThrows) {
  bool vanished = false;
  const auto meter = open({sensor("a", other_watts_), {{"b", true}, [&]() -> Watts {
                                                         if (vanished)
                                                           throw Error(ErrorCode::failed,
                                                                       "hwmon7: No such device");
                                                         return Watts{1};
                                                       }}});
  now_ = 101;
  EXPECT_EQ(failure(*meter), "");
  vanished = true;
  EXPECT_THAT(failure(*meter), HasSubstr("No such device"));
  vanished = false;
  EXPECT_THAT(failure(*meter), HasSubstr("No such device")) << "plugged in again it is another";
}

TEST_F(SampledMeter, CallsItAFailureWhenASensorVanishes) {
  bool vanished = false;
  const auto meter = open({{{"a", true}, [&]() -> Watts {
                              if (vanished) throw Error(ErrorCode::no_meter, "No such file");
                              return Watts{1};
                            }}});
  vanished = true;
  EXPECT_EQ(failure(*meter), "No such file");
}

TEST_F(SampledMeter, PassesOnForeignExceptions) {
  bool broken = false;
  const auto meter = open({{{"odd", true}, [&]() -> Watts {
                              if (broken) throw 7;
                              return Watts{1};
                            }}});
  broken = true;
  EXPECT_THROW(meter->read(), int);
}

TEST_F(SampledMeter, NeedsASensor) {
  EXPECT_THAT(open_failure([this] { open({}); }), HasSubstr("no sensor"));
}

TEST_F(SampledMeter, SamplesByItself) {
  options_.sample_every = Seconds{0.001};
  options_.now = steady_now;
  std::atomic<int> samples{0};
  const auto meter = open({{{"busy", true}, [&] {
                              ++samples;
                              return Watts{5};
                            }}});
  const Seconds patience = steady_now() + Seconds{30};
  while (samples < 20 && steady_now() < patience) std::this_thread::yield();
  EXPECT_GE(samples, 20) << "nobody read the meter";
}

TEST_F(SampledMeter, TellsOfAFailureInTheBackground) {
  options_.sample_every = Seconds{0.001};
  options_.now = steady_now;
  std::atomic<int> samples{0};
  const auto meter = open({{{"mortal", true}, [&]() -> Watts {
                              if (++samples == 5) throw Error(ErrorCode::failed, "unplugged");
                              return Watts{5};
                            }}});
  while (samples < 5) std::this_thread::yield();
  std::string message;
  while (message.empty()) message = failure(*meter);
  EXPECT_EQ(message, "unplugged");
  const int then = samples;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(samples, then) << "a dead sensor is left alone";
}

TEST_F(SampledMeter, IsReadByEightThreadsAtOnce) {
  options_.sample_every = Seconds{0.001};
  options_.now = steady_now;
  const auto meter = open({sensor("a", watts_), sensor("b", other_watts_)});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      Reading before = meter->read();
      for (int k = 0; k < 300; ++k) {
        watts_ = 10 + k % 3;
        const Reading now = meter->read();
        EXPECT_GE(now.time, before.time);
        EXPECT_GE(now.energy.at(0), before.energy.at(0));
        EXPECT_GE(now.energy.at(1), before.energy.at(1));
        before = now;
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(SampledMeter, FindsHowOftenTheSensorMoves) {
  options_.sample_every = Seconds{0.01};
  options_.patience = Seconds{1};
  options_.now = steady_now;
  const auto stepping = [](Seconds period) -> PowerSensor {
    return {{"stepping", true}, [period] { return Watts{1 + std::floor(steady_now() / period)}; }};
  };
  options_.most_power = Watts{1e12};
  const auto slow = open({stepping(Seconds{0.04})});
  EXPECT_NEAR(slow->info().update_period.count(), 0.04, 0.015);
  EXPECT_THAT(slow->info().caveats, IsEmpty());
  const auto fast = open({stepping(Seconds{0.002})});
  EXPECT_EQ(fast->info().update_period, options_.sample_every) << "not finer than its samples";
}

TEST_F(SampledMeter, SaysWhenItCouldNotSeeHowOften) {
  options_.sample_every = Seconds{0.02};
  options_.patience = Seconds{0.02};
  options_.now = steady_now;
  const auto meter = open();
  EXPECT_EQ(meter->info().update_period, options_.sample_every);
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("board held still")));
}

TEST_F(SampledMeter, RefusesATotalStuckAtZero) {
  options_.patience = Seconds{0.01};
  watts_ = 0;
  EXPECT_THAT(open_failure([this] { open(); }), HasSubstr("board stays at 0 W"));
  EXPECT_NO_THROW(open({sensor("off", watts_), sensor("on", other_watts_)}));
  EXPECT_THAT(open_failure([this] { open({sensor("part", other_watts_, false)}); }),
              HasSubstr("part of a total"));
}

TEST_F(SampledMeter, OpensAndClosesManyTimes) {
  options_.sample_every = Seconds{0.001};
  for (int i = 0; i < 1000; ++i) EXPECT_NO_THROW(open());
}

}  // namespace
}  // namespace ampere
