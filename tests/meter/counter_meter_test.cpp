#include "meter/counter_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kFull = std::numeric_limits<std::uint64_t>::max();

// A counter that moves at every look until the meter is open, then only when told. Counts are
// millijoules.
struct FakeCounter {
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::uint64_t> step{1};
  std::atomic<bool> gone{false};
  std::atomic<int> asked_in_vain{0};

  CounterZone zone(const std::string& name, std::optional<std::uint64_t> range = std::nullopt,
                   bool in_total = true) {
    return {{name, in_total, "machine/" + name},
            [this, name, range]() -> std::uint64_t {
              if (gone) {
                ++asked_in_vain;
                throw Error(ErrorCode::no_meter, name + ": No such file");
              }
              const std::uint64_t now = count += step;
              return range && *range < kFull ? now % (*range + 1) : now;
            },
            1e-3,
            range};
  }
};

class CounterMeter : public ::testing::Test {
 protected:
  CounterMeter() {
    options_.look_every = Seconds{0};
    options_.patience = Seconds{0.05};
    options_.most_power = Watts{100};
    options_.now = [this] { return Seconds{time_s_.load()}; };
  }

  std::unique_ptr<Meter> open(std::vector<CounterZone> zones) {
    MeterInfo info;
    info.name = "fake";
    auto meter = make_counter_meter(info, std::move(zones), options_);
    first_.step = 0;
    second_.step = 0;
    return meter;
  }

  // With the counter a little before `count`, to be read there at 100 s.
  std::unique_ptr<Meter> open_at(std::uint64_t count, std::optional<std::uint64_t> range) {
    first_.count = count - 50;
    return open({first_.zone("a", range)});
  }

  // At `time`, with the counter at `count`.
  double read_at(Meter& meter, double time, std::uint64_t count) {
    time_s_ = time;
    first_.count = count;
    return meter.read().energy.at(0).value;
  }

  std::string error_at(Meter& meter, double time, std::uint64_t count) {
    try {
      read_at(meter, time, count);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      return error.what();
    }
    ADD_FAILURE() << "it could be read";
    return "";
  }

  std::atomic<double> time_s_{100};
  FakeCounter first_, second_;
  CounterOptions options_;
};

TEST_F(CounterMeter, CountsFromItsOpening) {
  first_.count = 5'000'000;
  const auto meter = open({first_.zone("a")});
  EXPECT_EQ(meter->read().energy.at(0).value, 0);
  const std::uint64_t begin = first_.count;
  EXPECT_NEAR(read_at(*meter, 101, begin + 7000), 7, 1e-9);
  EXPECT_NEAR(read_at(*meter, 102, begin + 9000), 9, 1e-9);
  EXPECT_EQ(meter->read().time.count(), 102);
}

TEST_F(CounterMeter, CountsThroughAWrap) {
  const auto meter = open_at(99'000, 100'000);
  const double before = read_at(*meter, 100, 99'000);
  EXPECT_NEAR(read_at(*meter, 100.5, 500) - before, 1.501, 1e-9);
}

TEST_F(CounterMeter, CountsThroughWrapAfterWrap) {
  const auto meter = open_at(100, 9'999);
  double expected = read_at(*meter, 100, 100);
  for (int i = 1; i <= 1000; ++i) {
    expected += 7;
    const auto count = (100 + static_cast<std::uint64_t>(i) * 7000) % 10'000;
    ASSERT_NEAR(read_at(*meter, 100 + 0.09 * i, count), expected, 1e-6);
  }
}

TEST_F(CounterMeter, CountsOneFromTheRangeToZero) {
  const auto meter = open_at(100'000, 100'000);
  const double before = read_at(*meter, 100, 100'000);
  EXPECT_NEAR(read_at(*meter, 100.1, 0) - before, 0.001, 1e-9);
  EXPECT_NEAR(read_at(*meter, 100.2, 0) - before, 0.001, 1e-9);
}

TEST_F(CounterMeter, CountsUpToTheRangeWithoutAWrap) {
  const auto meter = open_at(99'999, 100'000);
  const double before = read_at(*meter, 100, 99'999);
  EXPECT_NEAR(read_at(*meter, 100.1, 100'000) - before, 0.001, 1e-9);
}

TEST_F(CounterMeter, CountsThroughAWrapOfSixtyFourBits) {
  const auto meter = open_at(kFull - 9, kFull);
  const double before = read_at(*meter, 100, kFull - 9);
  EXPECT_NEAR(read_at(*meter, 101, 10) - before, 0.020, 1e-9);
}

TEST_F(CounterMeter, StopsWhenACountFallsAndTheRangeIsUnknown) {
  const auto meter = open({first_.zone("a")});
  read_at(*meter, 100, 900);
  EXPECT_THAT(error_at(*meter, 101, 899),
              AllOf(HasSubstr("a fell from 900 to 899"), HasSubstr("range is unknown")));
}

TEST_F(CounterMeter, StopsWhenACounterWasReset) {
  const auto meter = open_at(100, 1'000'000);
  read_at(*meter, 104, 300'000);
  EXPECT_THAT(error_at(*meter, 105, 0), HasSubstr("reset")) << "700 J in 1 s are no wrap";
}

TEST_F(CounterMeter, StopsWhenACounterLeaps) {
  const auto meter = open({first_.zone("a")});
  read_at(*meter, 100, 1000);
  EXPECT_THAT(error_at(*meter, 101, 1'000'000'000), HasSubstr("more than 100 W"));
}

TEST_F(CounterMeter, AllowsAStepOfAPeriodBetweenTwoQuickReads) {
  const auto meter = open({first_.zone("a", 100'000)});
  read_at(*meter, 100, 1000);
  EXPECT_NO_THROW(read_at(*meter, 100, 1900)) << "100 W for 10 ms, seen after no time";
  EXPECT_THAT(error_at(*meter, 100, 4000), HasSubstr("more than 100 W"));
}

TEST_F(CounterMeter, StopsWhenACountIsPastItsRange) {
  CounterZone zone = first_.zone("a");
  zone.range = 1'000'000;
  const auto meter = open({zone});
  read_at(*meter, 109, 800'000);
  read_at(*meter, 113, 1'200'000);
  EXPECT_THAT(error_at(*meter, 114, 100), HasSubstr("past its range"));
}

TEST_F(CounterMeter, StopsWhenAWrapMayHaveBeenMissed) {
  const auto meter = open({first_.zone("a", 100'000)});
  read_at(*meter, 100, 1000);
  EXPECT_NO_THROW(read_at(*meter, 100.99, 1100));
  EXPECT_THAT(error_at(*meter, 102, 1200), HasSubstr("not looked at for 1.01 s"))
      << "100 J at 100 W are gone around in 1 s";
}

TEST_F(CounterMeter, StopsWhenTheClockGoesBack) {
  const auto meter = open({first_.zone("a")});
  read_at(*meter, 101, 1000);
  EXPECT_THAT(error_at(*meter, 100, 1000), HasSubstr("the clock went back by 1 s"));
}

TEST_F(CounterMeter, StopsWhenACounterVanishes) {
  const auto meter = open({first_.zone("a"), second_.zone("b")});
  meter->read();
  second_.gone = true;
  EXPECT_THAT(error_at(*meter, 101, first_.count),
              AllOf(HasSubstr("b can no longer be read"), HasSubstr("No such file")));
}

TEST_F(CounterMeter, StaysStopped) {
  const auto meter = open({first_.zone("a")});
  first_.gone = true;
  const std::string first = error_at(*meter, 101, first_.count);
  first_.gone = false;
  EXPECT_EQ(error_at(*meter, 102, first_.count), first);
}

TEST_F(CounterMeter, StopsWhenACounterOfTheTotalRestsTooLong) {
  options_.longest_rest = Seconds{5};
  const auto meter = open({first_.zone("a"), second_.zone("b", std::nullopt, false)});
  for (int i = 0; i < 5; ++i) read_at(*meter, 101 + i, 1000);
  first_.count = 1001;
  EXPECT_NO_THROW(read_at(*meter, 106, 1001));
  EXPECT_NO_THROW(read_at(*meter, 111, 1001)) << "b rests since ever, and may";
  EXPECT_THAT(error_at(*meter, 112, 1001), HasSubstr("a stopped at 1001"));
}

TEST_F(CounterMeter, LetsACounterRestWhereNothingElseIsSaid) {
  const auto meter = open({first_.zone("a")});
  read_at(*meter, 101, 1000);
  EXPECT_NO_THROW(read_at(*meter, 9000, 1000));
}

TEST_F(CounterMeter, LeavesOutAStuckZoneAndSaysSo) {
  second_.step = 0;
  const auto meter = open({first_.zone("a"), second_.zone("b")});
  ASSERT_EQ(meter->info().domains.size(), 1u);
  EXPECT_EQ(meter->info().domains[0].name, "a");
  EXPECT_THAT(meter->info().caveats,
              Contains(AllOf(HasSubstr("b is stuck"), HasSubstr("left out"))));
}

TEST_F(CounterMeter, DoesNotOpenWhenAllOfTheTotalIsStuck) {
  first_.step = 0;
  try {
    open({first_.zone("a"), second_.zone("b", std::nullopt, false)});
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_meter);
    EXPECT_THAT(error.what(), HasSubstr("fake: the energy counter a is stuck"));
  }
}

TEST_F(CounterMeter, DoesNotOpenWithoutZones) { EXPECT_THROW(open({}), Error); }

TEST_F(CounterMeter, PassesOnWhyAZoneCannotBeReadAtOpening) {
  first_.gone = true;
  try {
    open({first_.zone("a")});
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::no_meter);
  }
}

TEST_F(CounterMeter, SeesMovementOfHugeCounts) {
  first_.count = std::uint64_t{1} << 63;
  EXPECT_NO_THROW(open({first_.zone("a")})) << "one count is less than a double's step there";
}

TEST_F(CounterMeter, TellsItsResolution) {
  EXPECT_EQ(open({first_.zone("a")})->info().resolution.value, 1e-3);
  first_.step = 1;
  MeterInfo info;
  info.resolution = Joules{0.5};
  EXPECT_EQ(make_counter_meter(info, {first_.zone("a")}, options_)->info().resolution.value, 0.5);
}

TEST_F(CounterMeter, LooksByItselfBeforeAWrapCanBeMissed) {
  std::atomic<int> looks{0};
  CounterZone zone = first_.zone("a", 400);
  zone.read = [&looks] { return static_cast<std::uint64_t>(++looks); };
  options_.look_every = Seconds{3600};
  options_.most_power = Watts{1};  // full in 0.4 s
  options_.now = steady_now;
  const auto meter = make_counter_meter({}, {zone}, options_);
  const int opened = looks;
  for (int i = 0; i < 1000 && looks < opened + 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(looks, opened + 2) << "though asked to look once an hour";
}

TEST_F(CounterMeter, KeepsAFailureOfTheBackgroundForTheReader) {
  options_.look_every = Seconds{0.001};
  options_.now = steady_now;
  const auto meter = make_counter_meter({}, {first_.zone("a")}, options_);
  first_.gone = true;
  while (first_.asked_in_vain == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  first_.gone = false;
  EXPECT_THROW(meter->read(), Error);
}

TEST_F(CounterMeter, IsReadFromEightThreads) {
  options_.look_every = Seconds{0.001};
  options_.now = steady_now;
  options_.most_power = Watts{1e5};
  first_.count = 1'000'000'000 - 2'000;  // wraps on the way
  const auto meter =
      make_counter_meter({}, {first_.zone("a", 1'000'000'000), second_.zone("b")}, options_);
  std::vector<std::thread> readers;
  std::atomic<int> falls{0};
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&] {
      Reading before = meter->read();
      for (int j = 0; j < 500; ++j) {
        const Reading now = meter->read();
        if (now.time < before.time || now.energy[0] < before.energy[0]) ++falls;
        before = now;
      }
    });
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(falls, 0);
  EXPECT_GE(meter->read().energy.at(1).value, 8 * 500 * 1e-3) << "no count was lost";
}

TEST_F(CounterMeter, OpensAndClosesAThousandTimes) {
  options_.look_every = Seconds{0.001};
  options_.now = steady_now;
  for (int i = 0; i < 1000; ++i)
    ASSERT_NO_THROW(make_counter_meter({}, {first_.zone("a", 1'000'000)}, options_)->read());
}

}  // namespace
}  // namespace ampere
