#include "meter/composite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Fragility {
  std::atomic<bool> gone{false};
  std::atomic<int> asked_in_vain{0};
};

// Energies are watts times the clock, so what a reading must show follows from its time.
class FakeMeter final : public Meter {
 public:
  FakeMeter(MeterInfo info, double watts, Seconds step = Seconds{0})
      : info_(std::move(info)), watts_(watts), step_(step) {
    info_.update_period = step;
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    if (fragility != nullptr && fragility->gone) {
      ++fragility->asked_in_vain;
      throw Error(ErrorCode::failed, info_.name + " is gone");
    }
    Seconds time = steady_now();
    if (step_.count() > 0) time = std::floor(time / step_) * step_;
    if (stopped_at) time = std::min(time, *stopped_at);
    return {time, std::vector<Joules>(info_.domains.size(), Joules{watts_ * time.count()})};
  }

  MeterState state() override { return state_; }

  MeterState state_;
  std::shared_ptr<Fragility> fragility;
  std::optional<Seconds> stopped_at;

 private:
  MeterInfo info_;
  double watts_;
  Seconds step_;
};

MeterInfo info_of(const std::string& name, std::vector<MeterDomain> domains) {
  MeterInfo info;
  info.name = name;
  info.method = name + " counter";
  info.domains = std::move(domains);
  return info;
}

std::unique_ptr<FakeMeter> meter_of(const std::string& name, std::vector<MeterDomain> domains,
                                    double watts = 1, Seconds step = Seconds{0}) {
  return std::make_unique<FakeMeter>(info_of(name, std::move(domains)), watts, step);
}

template <class... Members>
std::unique_ptr<Meter> join(Members... members) {
  std::vector<std::unique_ptr<Meter>> all;
  (all.push_back(std::move(members)), ...);
  return make_composite_meter(std::move(all));
}

std::vector<std::string> counted(const Meter& meter) {
  std::vector<std::string> names;
  for (const MeterDomain& domain : meter.info().domains)
    if (domain.in_total) names.push_back(domain.name);
  return names;
}

TEST(CompositeMeter, IsNamedByItsMembers) {
  MeterInfo weak = info_of("b:1", {{"y", true, "machine/y"}});
  weak.source = Source::modelled;
  weak.sensing = Sensing::modelled;
  weak.resolution = Joules{2};
  weak.caveats = {"mind the gap"};
  const auto meter = join(meter_of("a", {{"x", true, "machine/x"}}, 1, Seconds{0.004}),
                          std::make_unique<FakeMeter>(weak, 1));
  const MeterInfo& info = meter->info();
  EXPECT_EQ(info.name, "a+b:1");
  EXPECT_EQ(info.method, "a counter + b:1 counter");
  EXPECT_EQ(info.source, Source::modelled) << "as trustworthy as its weakest part";
  EXPECT_EQ(info.sensing, Sensing::modelled);
  EXPECT_EQ(info.update_period, Seconds{0.004});
  EXPECT_EQ(info.resolution.value, 2);
  EXPECT_THAT(info.caveats, ElementsAre("b:1: mind the gap"));
  EXPECT_THAT(counted(*meter), ElementsAre("a x", "b:1 y"));
}

TEST(CompositeMeter, AddsWhatDoesNotOverlap) {
  const auto meter = join(meter_of("rapl", {{"package-0", true, "machine/package-0"},
                                            {"core-0", false, "machine/package-0/core"},
                                            {"dram-0", true, "machine/dram-0"}}),
                          meter_of("nvml:0", {{"gpu0", true, "machine/nvml:0"}}));
  EXPECT_THAT(counted(*meter), ElementsAre("rapl package-0", "rapl dram-0", "nvml:0 gpu0"));
  EXPECT_THAT(meter->info().caveats, IsEmpty());
}

TEST(CompositeMeter, CountsTheSamePlaceOnce) {
  const auto meter = join(meter_of("a", {{"x", true, "machine/package-0"}}),
                          meter_of("b", {{"y", true, "machine/package-0"}}));
  EXPECT_THAT(counted(*meter), ElementsAre("a x"));
  EXPECT_THAT(meter->info().caveats, ElementsAre("b y is part of a x and not added to it"));
  EXPECT_EQ(meter->info().domains.size(), 2u) << "it is still shown";
}

TEST(CompositeMeter, CountsTheWholeAndNotItsParts) {
  const auto meter = join(meter_of("rapl", {{"package-0", true, "machine/package-0"},
                                            {"package-10", true, "machine/package-10"}}),
                          meter_of("battery", {{"battery", true, "machine"}}));
  EXPECT_THAT(counted(*meter), ElementsAre("battery battery"));
  EXPECT_EQ(meter->info().caveats.size(), 2u);
}

TEST(CompositeMeter, TellsPlacesWithOneBeginningApart) {
  const auto meter = join(meter_of("a", {{"x", true, "machine/package-1"}}),
                          meter_of("b", {{"y", true, "machine/package-10"}}));
  EXPECT_EQ(counted(*meter).size(), 2u);
}

TEST(CompositeMeter, IsNotMisledByAWholeThatIsNotCounted) {
  const auto meter = join(meter_of("rapl", {{"psys", false, "machine"}}),
                          meter_of("b", {{"y", true, "machine/package-0"}}));
  EXPECT_THAT(counted(*meter), ElementsAre("b y"));
}

TEST(CompositeMeter, ReadsMembersOfDifferentPeriodsAtOneMoment) {
  const auto meter = join(meter_of("fast", {{"x", true, "machine/x"}}, 10),
                          meter_of("slow", {{"y", true, "machine/y"}}, 20, Seconds{0.03}),
                          meter_of("middle", {{"z", true, "machine/z"}}, 5, Seconds{0.007}));
  Reading before = meter->read();
  int moves = 0;
  for (int i = 0; i < 2000 && moves < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const Reading now = meter->read();
    ASSERT_GE(now.time, before.time);
    if (now.time > before.time) ++moves;
    ASSERT_NEAR(now.energy.at(0).value, 10 * now.time.count(), 1e-4);
    ASSERT_NEAR(now.energy.at(1).value, 20 * now.time.count(), 1e-4);
    ASSERT_NEAR(now.energy.at(2).value, 5 * now.time.count(), 1e-4);
    before = now;
  }
  EXPECT_GE(moves, 5);
}

TEST(CompositeMeter, KnowsTheMomentAfterALongTimeUnread) {
  const auto meter = join(meter_of("fast", {{"x", true, "machine/x"}}, 10),
                          meter_of("slow", {{"y", true, "machine/y"}}, 20, Seconds{0.02}));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  const Reading now = meter->read();
  EXPECT_NEAR(now.energy.at(0).value, 10 * now.time.count(), 1e-4);
  EXPECT_NEAR(now.energy.at(1).value, 20 * now.time.count(), 1e-4);
}

TEST(CompositeMeter, FailsWithAnyOfItsMembers) {
  auto fragile = meter_of("b", {{"y", true, "machine/y"}});
  const auto fragility = std::make_shared<Fragility>();
  fragile->fragility = fragility;
  const auto meter = join(meter_of("a", {{"x", true, "machine/x"}}), std::move(fragile));
  EXPECT_NO_THROW(meter->read());
  fragility->gone = true;
  try {
    meter->read();
    ADD_FAILURE() << "it could be read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "b is gone");
  }
}

TEST(CompositeMeter, RemembersAFailureBetweenReads) {
  auto fragile = meter_of("b", {{"y", true, "machine/y"}});
  const auto fragility = std::make_shared<Fragility>();
  fragile->fragility = fragility;
  const auto meter = join(meter_of("a", {{"x", true, "machine/x"}}), std::move(fragile));
  fragility->gone = true;
  while (fragility->asked_in_vain == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  fragility->gone = false;
  EXPECT_THROW(meter->read(), Error);
}

TEST(CompositeMeter, DoesNotWaitForeverForAMemberThatStands) {
  auto standing = meter_of("b", {{"y", true, "machine/y"}});
  standing->stopped_at = steady_now() - Seconds{1};
  try {
    join(meter_of("a", {{"x", true, "machine/x"}}), std::move(standing));
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("b: nothing new"));
  }
}

TEST(CompositeMeter, ShowsTheStateThatAnyMemberKnows) {
  auto first = meter_of("a", {{"x", true, "machine/x"}});
  auto second = meter_of("b", {{"y", true, "machine/y"}});
  first->state_.clock_mhz = 1000;
  second->state_.clock_mhz = 2000;
  second->state_.temperature_c = 50;
  const MeterState state = join(std::move(first), std::move(second))->state();
  EXPECT_EQ(state.clock_mhz, 1000);
  EXPECT_EQ(state.temperature_c, 50);
  EXPECT_FALSE(state.throttle);
}

TEST(CompositeMeter, IsReadFromEightThreads) {
  const auto meter = join(meter_of("a", {{"x", true, "machine/x"}}, 10),
                          meter_of("b", {{"y", true, "machine/y"}}, 20, Seconds{0.002}));
  std::atomic<int> falls{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&] {
      Reading before = meter->read();
      for (int j = 0; j < 200; ++j) {
        const Reading now = meter->read();
        if (now.time < before.time || now.energy[0] < before.energy[0]) ++falls;
        before = now;
      }
    });
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(falls, 0);
}

TEST(OpenMeter, JoinsMetersAtAPlus) {
  const auto meter = open_meter("modelled:static=1,core=0 + modelled:static=2,core=0");
  EXPECT_EQ(meter->info().name, "modelled:static=1,core=0+modelled:static=2,core=0");
  EXPECT_THAT(counted(*meter), ElementsAre(HasSubstr("static=1")));
}

TEST(OpenMeter, LeavesAPlusInAnArgumentAlone) {
  static int kinds = 0;  // a kind stays for the life of the program
  const std::string kind = "composite_test_" + std::to_string(kinds++);
  const auto opened = std::make_shared<std::string>();
  add_meter_kind({kind,
                  [opened](std::string_view argument) {
                    *opened = argument;
                    return meter_of("file", {{"x", true, "machine/x"}});
                  },
                  [] { return std::vector<MeterProbe>{}; }});
  const auto meter = open_meter(kind + ":a+b.csv+modelled");
  EXPECT_EQ(*opened, "a+b.csv");
  EXPECT_EQ(meter->info().domains.size(), 2u);
}

}  // namespace
}  // namespace ampere
