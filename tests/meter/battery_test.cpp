#include "meter/battery/battery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "ampere/error.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

// A power_supply folder with batteries and chargers.
class Supplies : public testing_support::SysfsTree {
 public:
  void battery(const std::string& name, const std::string& status = "Discharging") {
    write(name + "/type", "Battery\n");
    write(name + "/status", status + "\n");
  }
  void laptop(const std::string& name, long microwatts) {
    battery(name);
    set(name + "/power_now", microwatts);
  }
  void phone(const std::string& name, long current, long microvolts) {
    battery(name);
    set(name + "/current_now", current);
    set(name + "/voltage_now", microvolts);
  }
  void charger(const std::string& name, int online) {
    write(name + "/type", "Mains\n");
    set(name + "/online", online);
  }
  void set(const std::string& file, long value) { write(file, std::to_string(value) + "\n"); }

  std::unique_ptr<Meter> open(const std::string& argument = "") const {
    return open_battery_meter(argument, options());
  }
  BatteryOptions options() const {
    BatteryOptions options;
    options.root = root();
    options.patience = Seconds{0.02};
    options.sample_every = Seconds{0};
    return options;
  }
};

double mean_watts(Meter& meter) {
  const Reading before = meter.read();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Reading after = meter.read();
  return (after.energy.at(0) - before.energy.at(0)).value / (after.time - before.time).count();
}

template <class Action>
std::string battery_error(Action action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

std::string refusal(const Supplies& supplies, ErrorCode code, const std::string& argument = "") {
  return battery_error([&] { supplies.open(argument); }, code);
}

TEST(BatteryMeter, IntegratesThePowerOfALaptop) {
  Supplies supplies;
  supplies.laptop("BAT0", 12'500'000);
  supplies.charger("AC", 0);
  supplies.set("BAT0/energy_now", 40'000'000);
  const auto meter = supplies.open();
  EXPECT_NEAR(mean_watts(*meter), 12.5, 1e-9);
  EXPECT_EQ(meter->info().name, "battery");
  EXPECT_EQ(meter->info().sensing, Sensing::sampled);
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_EQ(meter->info().domains.at(0).place, "machine");
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("BAT0/energy_now")));
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("taken as every 1 s")));
}

TEST(BatteryMeter, MultipliesCurrentAndVoltage) {
  Supplies supplies;
  supplies.phone("battery", 500'000, 4'000'000);
  EXPECT_NEAR(mean_watts(*supplies.open()), 2, 1e-9);
}

TEST(BatteryMeter, FallsBackToTheCurrentWherePowerIsNotTold) {
  Supplies supplies;
  supplies.phone("BAT0", 500'000, 4'000'000);
  supplies.write("BAT0/power_now", "");
  EXPECT_NEAR(mean_watts(*supplies.open()), 2, 1e-9);
}

TEST(BatteryMeter, RecognisesMilliamperesAndMillivolts) {
  Supplies supplies;
  supplies.phone("battery", 500, 4000);
  const auto meter = supplies.open();
  EXPECT_NEAR(mean_watts(*meter), 2, 1e-9);
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("current_now is 500")));
  EXPECT_THAT(meter->info().caveats, Contains(HasSubstr("voltage_now is 4000")));
}

TEST(BatteryMeter, AsksForAUnitThatCouldBeTwo) {
  Supplies supplies;
  supplies.phone("battery", -20'000, 4'000'000);
  EXPECT_THAT(refusal(supplies, ErrorCode::usage), HasSubstr("battery:battery,unit=mA"));
  EXPECT_NEAR(mean_watts(*supplies.open("unit=uA")), 0.08, 1e-9);
  supplies.set("battery/current_now", 3);
  EXPECT_THAT(refusal(supplies, ErrorCode::usage), HasSubstr("3 may be uA or mA"));
}

TEST(BatteryMeter, TakesTheGivenUnitBeforeThePlausibleOne) {
  Supplies supplies;
  supplies.phone("battery", 500, 4'000'000);
  EXPECT_NEAR(mean_watts(*supplies.open("battery,unit=uA")), 0.002, 1e-9);
}

TEST(BatteryMeter, TakesEitherSignForDischarge) {
  Supplies supplies;
  supplies.phone("battery", -500'000, 4'000'000);
  const auto meter = supplies.open();
  EXPECT_NEAR(mean_watts(*meter), 2, 1e-9);
  supplies.set("battery/current_now", 300'000);
  EXPECT_THAT(battery_error([&] { meter->read(); }, ErrorCode::failed), HasSubstr("being charged"));
}

TEST(BatteryMeter, TakesTheGivenSign) {
  Supplies supplies;
  supplies.phone("battery", -500'000, 4'000'000);
  EXPECT_NEAR(mean_watts(*supplies.open("sign=-")), 2, 1e-9);
  EXPECT_THAT(refusal(supplies, ErrorCode::failed, "sign=+"), HasSubstr("being charged"));
  EXPECT_THAT(refusal(supplies, ErrorCode::usage, "sign=x"), HasSubstr("one of: +, -"));
}

TEST(BatteryMeter, RefusesABatteryThatIsNotDischarged) {
  for (const char* status : {"Charging", "Full", "Not charging", "Unknown", ""}) {
    Supplies supplies;
    supplies.laptop("BAT0", 1'000'000);
    supplies.battery("BAT0", status);
    EXPECT_THAT(refusal(supplies, ErrorCode::no_meter), HasSubstr("unplug the charger")) << status;
  }
}

TEST(BatteryMeter, RefusesAChargerThatHelps) {
  Supplies supplies;
  supplies.laptop("BAT0", 1'000'000);
  supplies.charger("AC", 1);
  EXPECT_THAT(refusal(supplies, ErrorCode::no_meter),
              AllOf(HasSubstr("the charger AC is connected"), HasSubstr("unplug")));
}

TEST(BatteryMeter, FailsWhenTheChargerIsPluggedInOnTheWay) {
  Supplies supplies;
  supplies.laptop("BAT0", 1'000'000);
  supplies.charger("AC", 0);
  const auto meter = supplies.open();
  meter->read();
  supplies.charger("AC", 1);
  EXPECT_THAT(battery_error([&] { meter->read(); }, ErrorCode::failed),
              HasSubstr("AC is connected"));
  supplies.charger("AC", 0);
  EXPECT_THAT(battery_error([&] { meter->read(); }, ErrorCode::failed),
              HasSubstr("AC is connected"));
}

TEST(BatteryMeter, SumsBatteriesThatTakeTurns) {
  Supplies supplies;
  supplies.laptop("BAT0", 4'000'000);
  supplies.laptop("BAT1", 0);
  supplies.battery("BAT1", "Not charging");
  const auto meter = supplies.open();
  EXPECT_EQ(meter->info().domains.size(), 1u);
  EXPECT_NEAR(mean_watts(*meter), 4, 1e-9);
  supplies.set("BAT0/power_now", 0);
  supplies.battery("BAT0", "Unknown");
  supplies.laptop("BAT1", 6'000'000);
  meter->read();
  EXPECT_NEAR(mean_watts(*meter), 6, 1e-9);
  EXPECT_EQ(supplies.open("BAT1")->info().domains.at(0).name, "BAT1");
}

TEST(BatteryMeter, IsNotTheBatteryOfAMouse) {
  Supplies supplies;
  supplies.laptop("hidpp_battery_0", 1'000'000);
  supplies.write("hidpp_battery_0/scope", "Device\n");
  EXPECT_THAT(refusal(supplies, ErrorCode::no_meter), HasSubstr("no battery feeds this machine"));
  supplies.laptop("BAT0", 5'000'000);
  EXPECT_THAT(refusal(supplies, ErrorCode::no_meter, "hidpp_battery_0"), HasSubstr("BAT0"));
  EXPECT_NEAR(mean_watts(*supplies.open()), 5, 1e-9);
}

TEST(BatteryMeter, RefusesFilesThatCannotBe) {
  const auto with = [](const std::string& file, const std::string& text, ErrorCode code) {
    Supplies supplies;
    supplies.phone("BAT0", 500'000, 4'000'000);
    if (text == "gone")
      supplies.remove("BAT0/" + file);
    else
      supplies.write("BAT0/" + file, text);
    return refusal(supplies, code);
  };
  EXPECT_THAT(with("voltage_now", "-4000000\n", ErrorCode::failed), HasSubstr("no voltage"));
  EXPECT_THAT(with("voltage_now", "0\n", ErrorCode::failed), HasSubstr("no voltage"));
  EXPECT_THAT(with("voltage_now", "gone", ErrorCode::no_meter), HasSubstr("voltage_now"));
  EXPECT_THAT(with("current_now", "gone", ErrorCode::no_meter), HasSubstr("current_now"));
  EXPECT_THAT(with("current_now", "5000x", ErrorCode::failed), HasSubstr("'5000x'"));
  EXPECT_THAT(with("current_now", "", ErrorCode::failed), HasSubstr("current_now"));
  EXPECT_THAT(with("current_now", "9223372036854775807\n", ErrorCode::failed),
              HasSubstr("cannot be"));
  EXPECT_THAT(with("current_now", "-9223372036854775808\n", ErrorCode::failed),
              HasSubstr("cannot be"));
  EXPECT_THAT(with("status", "gone", ErrorCode::no_meter), HasSubstr("status"));
}

TEST(BatteryMeter, FailsWhenTheVoltageTurnsNegativeOrTheBatteryGoes) {
  Supplies supplies;
  supplies.phone("BAT0", 500'000, 4'000'000);
  auto meter = supplies.open();
  supplies.set("BAT0/voltage_now", -4'000'000);
  EXPECT_THAT(battery_error([&] { meter->read(); }, ErrorCode::failed),
              HasSubstr("-4 V cannot be"));
  supplies.set("BAT0/voltage_now", 4'000'000);
  meter = supplies.open();
  supplies.remove("BAT0");
  EXPECT_THROW(meter->read(), Error);
}

TEST(BatteryMeter, ReportsABatteryThatShowsNothingAsStuck) {
  Supplies supplies;
  supplies.laptop("BAT0", 0);
  EXPECT_THAT(refusal(supplies, ErrorCode::no_meter), HasSubstr("stuck"));
}

TEST(ProbeBatteries, SaysWhyNotAndWhatToDo) {
  Supplies supplies;
  EXPECT_FALSE(probe_batteries(supplies.options()).at(0).available);
  EXPECT_THAT(probe_batteries(supplies.options()).at(0).reason, HasSubstr("no battery"));
  supplies.laptop("BAT0", 1'000'000);
  EXPECT_TRUE(probe_batteries(supplies.options()).at(0).available);
  supplies.charger("AC", 1);
  const MeterProbe probe = probe_batteries(supplies.options()).at(0);
  EXPECT_FALSE(probe.available);
  EXPECT_THAT(probe.remedies, Contains("unplug the charger"));
}

}  // namespace
}  // namespace ampere
