// Timing what LibTorch does on the CPU, by the clock.
#include "rig/timing.h"

#include <gtest/gtest.h>

#include "rig/real_clock.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

Timing time_block(std::int64_t width) {
  ModelBuilder net("block");
  net.add(Input{flat(width), true});
  net.add(Linear{width});
  ampere::Setup setup;
  setup.phase = Phase::block;
  const auto job = open_torch_trainer("cpu")->prepare(std::move(net).build(), setup);
  return time_step(*job, *make_real_clock());
}

TEST(CpuTiming, SeesDeviceAndHostAsOne) {
  const Timing timing = time_block(16);
  EXPECT_GT(timing.device_s, 0);
  EXPECT_FALSE(timing.host_s);
}

// Ten thousand times the arithmetic: no noise hides that.
TEST(CpuTiming, IsLongerForALargerBlock) {
  EXPECT_GT(time_block(1600).device_s, time_block(16).device_s);
}

}  // namespace
}  // namespace ampere
