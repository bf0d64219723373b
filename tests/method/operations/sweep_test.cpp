#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ampere/store.h"
#include "method/operations/energy_design.h"
#include "method/operations/general_evidence.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

std::vector<Program> programs() {
  Setup bf16;
  bf16.precision = "bf16";
  return {lower(open_model("lenet5"), {}), lower(open_model("cnn5"), bf16)};
}

TEST(Sweep, HasEveryLaunchingOperationOnceWithItsFamilies) {
  std::vector<Program> all = programs();
  all.push_back(all.front());
  all.back().name = "other";
  std::set<OperationKey> wanted, found;
  for (const Program& program : all) {
    const auto keys = operation_keys(program.operations, program.tensors);
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (program.operations[i].launches) wanted.insert(keys[i]);
  }
  for (const SweepOperation& each : sweep_of(all)) {
    EXPECT_TRUE(found.insert(each.key).second);
    EXPECT_EQ(operation_key(each.operation, each.tensors), each.key);
    EXPECT_FALSE(each.families.empty());
  }
  EXPECT_EQ(found, wanted);
  const auto shared = [](const SweepOperation& each) { return each.families.size() == 2; };
  EXPECT_TRUE(std::ranges::any_of(sweep_of(all), shared));  // of lenet and of other
}

TEST(Sweep, BeginsWithOneOfEachName) {
  const std::vector<SweepOperation> sweep = sweep_of(programs());
  std::set<std::string> all, early;
  for (const SweepOperation& each : sweep) all.insert(each.operation.name);
  for (std::size_t i = 0; i < std::min(sweep.size(), 2 * all.size()); ++i)
    early.insert(sweep[i].operation.name);
  EXPECT_GE(early.size(), all.size() * 9 / 10);
}

TEST(Sweep, FamiliesAreTheNamesWithoutSizes) {
  EXPECT_EQ(family_of("resnet50"), "resnet");
  EXPECT_EQ(family_of("bert_base"), "bert");
  EXPECT_EQ(family_of("transformer:d=512,layers=6"), "transformer");
  EXPECT_EQ(family_of("unet"), "unet");
}

TEST(GeneralEvidence, IsReadAsItWasKept) {
  const auto store = open_store("memory:");
  DeviceInfo device;
  device.name = "a GPU";
  device.fingerprint = fingerprint_of(device);
  const std::int64_t profile = store->open_profile(device, general_setup(), "torch");
  TimedSweep sweep{sweep_of(programs()), {}, "2026-01-01T00:00:00Z"};
  for (std::size_t i = 0; i < sweep.operations.size(); ++i)
    if (i == 0)
      sweep.times.each.emplace_back("it failed");
    else
      sweep.times.each.emplace_back(
          StepTimes{Seconds(1e-5 * static_cast<double>(i)), Seconds(2e-5)});
  keep(*store, profile, sweep);
  MeasuredProgram failed;
  failed.program = programs().front();
  failed.failure = "out of memory";
  failed.taken_at = "2026-01-02T00:00:00Z";
  keep(*store, profile, failed);

  const GeneralEvidence read = read_general_evidence(*store, profile);
  ASSERT_EQ(read.sweeps.size(), 1U);
  ASSERT_EQ(read.programs.size(), 1U);
  EXPECT_EQ(read.programs[0].failure, "out of memory");
  EXPECT_EQ(read.latest(), "2026-01-02T00:00:00Z");
  EXPECT_EQ(read.asked().size(), sweep.operations.size());
  ASSERT_EQ(read.sweeps[0].operations.size(), sweep.operations.size());
  for (std::size_t i = 0; i < sweep.operations.size(); ++i) {
    EXPECT_EQ(read.sweeps[0].operations[i].key, sweep.operations[i].key);
    EXPECT_EQ(read.sweeps[0].operations[i].families, sweep.operations[i].families);
  }
  std::size_t families = 0;
  for (std::size_t i = 1; i < sweep.operations.size(); ++i)
    families += sweep.operations[i].families.size();
  EXPECT_EQ(read.timed().size(), families);  // the one that failed is not among them
}

TEST(EnergyDesign, TakesNothingTwiceAndNothingThatTakesTooLong) {
  std::vector<EnergyCandidate> candidates;
  for (const char* name : {"lenet5", "cnn5", "har"}) {
    const Model model = open_model(name);
    candidates.push_back({model, {}, lower(model, {})});
  }
  const OperationMap map;
  const HostMap host;
  const auto order = [&](const std::set<std::string>& measured, double longest_s) {
    return design_energy(candidates, map, host, measured, longest_s);
  };
  EXPECT_EQ(order({}, 1).size(), 3U);
  const std::vector<std::size_t> rest = order({program_hash(candidates[1].program)}, 1);
  EXPECT_EQ(std::set(rest.begin(), rest.end()), (std::set<std::size_t>{0, 2}));
  EXPECT_TRUE(order({}, 0).empty());
}

}  // namespace
}  // namespace ampere
