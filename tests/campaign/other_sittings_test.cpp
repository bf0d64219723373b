// Which profiles of other sittings count for the energies of a device.
#include "campaign/other_sittings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setup/general_setup.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

DeviceInfo gpu(const std::string& framework) {
  DeviceInfo device{.name = "a GPU",
                    .hardware = "64 multiprocessors",
                    .driver = "1.0",
                    .framework = framework,
                    .meter = "nvml:0 (energy counter)",
                    .power_mode = "power limit 300 W",
                    .source = Source::measured,
                    .fingerprint = ""};
  device.fingerprint = fingerprint_of(device);
  return device;
}

WorkEnergyRow row(double energy_j, bool elsewhere = false) {
  return {1e-3, 0.9e-3, {}, energy_j, "lenet", elsewhere};
}

class OtherSittings : public testing::Test {
 protected:
  // A profile of the store that has measured these.
  std::int64_t keep(const DeviceInfo& device, std::vector<WorkEnergyRow> rows) {
    GeneralProfile general;
    general.device = device;
    general.fitted.laws.energy_rows = std::move(rows);
    return keep(device, to_json(general));
  }
  std::int64_t keep(const DeviceInfo& device, const std::string& text) {
    const std::int64_t id = store->open_profile(device, general_setup(), "test");
    store->put_document(id, {kGeneralDocument, text});
    return id;
  }

  // Of the profile of `own`, by energy.
  std::vector<double> found(const GeneralEvidence& evidence = {}) {
    const ampere::OtherSittings others = other_sittings(*store, profile, own, evidence);
    not_read = others.not_read;
    std::vector<double> energies;
    for (const WorkEnergyRow& each : others.rows) {
      EXPECT_TRUE(each.elsewhere);
      EXPECT_EQ(each.family, "lenet");
      energies.push_back(each.energy_j);
    }
    return energies;
  }

  std::shared_ptr<Store> store = open_store("memory:");
  DeviceInfo own = gpu("torch 2.11");
  std::int64_t profile = keep(own, {row(9)});
  std::vector<std::string> not_read;
};

TEST_F(OtherSittings, OfSuchADeviceCountWhateverTheVersions) {
  keep(gpu("torch 2.10"), {row(1), row(2)});
  DeviceInfo second = gpu("torch 2.11");
  second.meter = "nvml:7 (energy counter)";
  keep(second, {row(3)});
  EXPECT_THAT(found(), UnorderedElementsAre(1, 2, 3));
  EXPECT_THAT(not_read, IsEmpty());
}

TEST_F(OtherSittings, OfOtherDevicesDoNotCount) {
  const auto keep_changed = [&](auto DeviceInfo::*field, auto value) {
    DeviceInfo other = own;
    other.*field = value;
    keep(other, {row(1)});
  };
  keep_changed(&DeviceInfo::name, "another GPU");
  keep_changed(&DeviceInfo::hardware, "32 multiprocessors");
  keep_changed(&DeviceInfo::power_mode, "power limit 200 W");
  keep_changed(&DeviceInfo::meter, "nvml:0 (power samples)");
  keep_changed(&DeviceInfo::source, Source::modelled);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(OtherSittings, DoNotCountWhereThePowerLimitIsNotKnown) {
  own.power_mode = "unknown";
  keep(own, {row(1)});
  EXPECT_THAT(found(), IsEmpty());
}

// Profiles lean on each other, so that many know of one measurement.
TEST_F(OtherSittings, AreCountedOnce) {
  keep(gpu("torch 2.10"), {row(1), row(2, true)});
  keep(gpu("torch 2.9"), {row(1, true), row(2)});
  EXPECT_THAT(found(), UnorderedElementsAre(1, 2));
}

TEST_F(OtherSittings, WhichAreThisOneDoNotCount) {
  keep(gpu("torch 2.10"), {row(1), row(2)});
  MeasuredProgram measured;
  measured.measurement.emplace();
  measured.measurement->time_s.mean = 1e-3;
  measured.measurement->energy_j.mean = 2;
  GeneralEvidence evidence;
  evidence.programs = {measured};
  EXPECT_THAT(found(evidence), ElementsAre(1));
}

TEST_F(OtherSittings, WhichCannotBeReadAreNamed) {
  keep(gpu("torch 2.9"), "{}");
  keep(gpu("torch 2.10"), {row(1)});
  EXPECT_THAT(found(), ElementsAre(1));
  EXPECT_THAT(not_read, ElementsAre(HasSubstr("is not a general profile")));
}

// Those of the program itself.
TEST_F(OtherSittings, ThatCameWithTheProgramCount) {
  own = {.name = "NVIDIA H200",
         .hardware = "132 multiprocessors, compute capability 9.0, 140 GiB",
         .driver = "1.0",
         .framework = "torch 3.0",
         .meter = "nvml:3 (energy counter)",
         .power_mode = "power limit 700 W",
         .source = Source::measured,
         .fingerprint = ""};
  EXPECT_EQ(other_sittings(*store, profile, own, {}).rows.size(), 28u);
}

}  // namespace
}  // namespace ampere
