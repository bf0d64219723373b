// What every meter must do, whatever it reads.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "ampere/meter.h"
#include "external_meters.h"
#include "fake_nvml.h"
#include "fake_rapl.h"
#include "hwmon_meters.h"
#include "meter/nvml/nvml.h"

namespace ampere {
namespace {

struct Case {
  const char* name;
  std::function<std::unique_ptr<Meter>()> open;
};

void PrintTo(const Case& contract, std::ostream* out) { *out << contract.name; }

std::unique_ptr<Meter> open_fake_nvml(const std::string& spec) {
  testing_support::fresh_fake_nvml();
  NvmlOptions options;
  options.library = testing_support::fake_nvml_path();
  return open_nvml_meter(spec, options);
}

std::unique_ptr<Meter> open_fake_rapl(std::string_view way) {
  static testing_support::FakeRapl fake(testing_support::FakeRapl::Clock::real);
  static const bool filled = [] {
    fake.add_server();
    fake.add_pmu("0-1", {"energy-pkg", "energy-cores", "energy-ram", "energy-psys"});
    return true;
  }();
  EXPECT_TRUE(filled);
  return open_rapl_meter(way, fake.options());
}

class MeterContract : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Meter> meter_ = GetParam().open();
};

TEST_P(MeterContract, NamesItselfItsMethodAndItsDomains) {
  const MeterInfo& info = meter_->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.method.empty());
  EXPECT_GE(info.update_period.count(), 0);
  ASSERT_FALSE(info.domains.empty());
  int in_total = 0;
  for (const MeterDomain& domain : info.domains) {
    EXPECT_FALSE(domain.name.empty());
    in_total += domain.in_total ? 1 : 0;
  }
  EXPECT_GT(in_total, 0);
}

TEST_P(MeterContract, NeverCountsDown) {
  Reading before = meter_->read();
  for (int i = 0; i < 200; ++i) {
    const Reading now = meter_->read();
    ASSERT_EQ(now.energy.size(), meter_->info().domains.size());
    EXPECT_GE(now.time, before.time);
    for (std::size_t domain = 0; domain < now.energy.size(); ++domain) {
      EXPECT_TRUE(std::isfinite(now.energy[domain].value));
      EXPECT_GE(now.energy[domain], before.energy[domain]);
    }
    before = now;
  }
}

TEST_P(MeterContract, CountsWhileTimePasses) {
  const Reading before = meter_->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(20) + 3 * meter_->info().update_period);
  const Reading after = meter_->read();
  EXPECT_GT(after.time, before.time);
  EXPECT_GT(total(meter_->info(), after), total(meter_->info(), before));
}

TEST_P(MeterContract, ReadsItsStateAtAnyTime) {
  EXPECT_NO_THROW(meter_->state());
  meter_->read();
  EXPECT_NO_THROW(meter_->state());
}

INSTANTIATE_TEST_SUITE_P(
    AllMeters, MeterContract,
    ::testing::Values(
        Case{"modelled", [] { return open_meter("modelled"); }},
        Case{"modelled_own_watts", [] { return open_meter("modelled:static=20,core=0"); }},
        Case{"nvml", [] { return open_fake_nvml("0"); }},
        Case{"nvml_power", [] { return open_fake_nvml("0,by=power"); }},
        Case{"modelled_machine", [] { return open_meter("modelled:tdp=65,cpu=machine"); }},
        Case{"battery", testing_support::open_fake_battery},
        Case{"trace", testing_support::open_fake_trace},
        Case{"stream", testing_support::open_fake_stream},
        Case{"replay", testing_support::open_fake_replay},
        Case{"amdgpu", testing_support::open_fake_amdgpu},
        Case{"hwmon_energy", testing_support::open_fake_hwmon_energy},
        Case{"hwmon_power", testing_support::open_fake_hwmon_power},
        Case{"intel_gpu", testing_support::open_fake_intel_gpu},
        Case{"jetson", testing_support::open_fake_jetson},
        Case{"rapl", [] { return open_fake_rapl(""); }},
        Case{"rapl_perf", [] { return open_fake_rapl("perf"); }},
        Case{"rapl_powercap", [] { return open_fake_rapl("powercap"); }}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ampere
