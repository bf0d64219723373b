#include "meter/best_meter.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

MeterProbe works(const std::string& name) { return {name, true, "", {}}; }
MeterProbe fails(const std::string& name) { return {name, false, "no", {}}; }

TEST(BestMeter, IsTheProcessorAndEveryGpu) {
  EXPECT_EQ(
      best_machine_meter({works("nvml:0"), works("nvml:1"), works("rapl"), works("modelled")}),
      "rapl+nvml:0+nvml:1");
  EXPECT_EQ(best_machine_meter({works("nvml:0"), fails("rapl"), works("modelled")}), "nvml:0");
}

TEST(BestMeter, TakesNothingTwice) {
  EXPECT_EQ(best_machine_meter({works("nvml:0"), works("jetson"), works("battery")}), "jetson");
  EXPECT_EQ(best_machine_meter({works("rapl"), works("battery")}), "rapl");
}

TEST(BestMeter, IsTheBatteryWhereThereIsNothingElse) {
  EXPECT_EQ(best_machine_meter({fails("rapl"), works("battery"), works("modelled")}), "battery");
}

TEST(BestMeter, IsNeverAModelARecordingOrUnknownSensors) {
  EXPECT_EQ(best_machine_meter(
                {fails("rapl"), works("modelled"), works("hwmon:acpi"), works("replay:a.csv")}),
            "");
  EXPECT_EQ(best_machine_meter({}), "");
}

TEST(BestMeter, OfTheProcessorLeavesGpusOut) {
  EXPECT_EQ(best_processor_meter({works("nvml:0"), works("rapl")}), "rapl");
  EXPECT_EQ(best_processor_meter({works("nvml:0"), works("modelled")}), "");
}

}  // namespace
}  // namespace ampere
