#include <gtest/gtest.h>

#include <set>

#include "ampere/rig.h"

namespace ampere {
namespace {

DeviceInfo example() {
  return {"Board", "4 cores", "1.0", "framework 2", "nvml:0", "15 W", Source::measured, ""};
}

TEST(Fingerprint, DependsOnEveryField) {
  std::set<std::string> seen{fingerprint_of(example())};
  for (std::string DeviceInfo::*field :
       {&DeviceInfo::name, &DeviceInfo::hardware, &DeviceInfo::driver, &DeviceInfo::framework,
        &DeviceInfo::meter, &DeviceInfo::power_mode}) {
    DeviceInfo other = example();
    other.*field += "x";
    EXPECT_TRUE(seen.insert(fingerprint_of(other)).second);
  }
  DeviceInfo simulated = example();
  simulated.source = Source::simulated;
  EXPECT_TRUE(seen.insert(fingerprint_of(simulated)).second);
}

TEST(Fingerprint, IsNotPartOfItself) {
  DeviceInfo device = example();
  device.fingerprint = fingerprint_of(device);
  EXPECT_EQ(fingerprint_of(device), device.fingerprint);
  EXPECT_EQ(device.fingerprint.size(), 16u);
}

TEST(Fingerprint, TellsFieldsApartThatJoinAlike) {
  const auto fingerprint = [](const std::string& name, const std::string& hardware) {
    return fingerprint_of({name, hardware, "", "", "", "", Source::measured, ""});
  };
  EXPECT_NE(fingerprint("ab", "c"), fingerprint("a", "bc"));
  EXPECT_NE(fingerprint("a1:b", ""), fingerprint("a", "b"));
  EXPECT_NE(fingerprint("a", ""), fingerprint("", "a"));
}

// Stored profiles are found by it: another value would orphan them.
TEST(Fingerprint, IsTheSameInEveryVersion) {
  EXPECT_EQ(fingerprint_of(example()), "41527621174bf263");
}

TEST(DeviceMemory, IsReadFromTheHardwareAsRunnersDescribeIt) {
  DeviceInfo device = example();
  EXPECT_EQ(memory_of(device), std::nullopt) << "4 cores say nothing of it";
  device.hardware = "132 multiprocessors, compute capability 9.0, 140 GiB";
  EXPECT_EQ(memory_of(device), 140ll << 30);
  device.hardware = "6-core phone CPU, 1.5 GiB";
  EXPECT_EQ(memory_of(device), 3ll << 29);
  for (const char* hardware :
       {"", "unknown", " GiB", "x GiB", "0 GiB", "... GiB", "9999999999999999999 GiB"}) {
    device.hardware = hardware;
    EXPECT_EQ(memory_of(device), std::nullopt) << hardware;
  }
}

}  // namespace
}  // namespace ampere
