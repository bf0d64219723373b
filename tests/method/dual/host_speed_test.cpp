// How fast the host is now, against what it was while it was profiled.
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/model.h"
#include "method/dual/dual_profile.h"
#include "rig/sim.h"
#include "support/hooked_rig.h"

namespace ampere {
namespace {

using testing_support::HookedRig;

class SlowdownNow : public testing::Test {
 protected:
  SlowdownNow() {
    rig_.pacer = [this](const Model&, const Model& reference) {
      asked_ = model_hash(reference);
      return Pace{0.01, now_, "", Seconds{0.5}};
    };
    profile_ = store_->open_profile(rig_.device(), {}, "test");
  }

  void keep(const Model& network, const Model& reference, double reference_s) {
    Observation observation;
    observation.device = rig_.device();
    observation.model = network;
    observation.measurement = rig_.measure(network, {}, {});
    observation.pace = Pace{0.01, reference_s, model_hash(reference), Seconds{0.5}};
    store_->add(profile_, observation);
  }

  std::optional<double> slowdown() { return slowdown_now(rig_, *store_, profile_, {}, {}); }

  const Model often_ = open_model("lenet5:3,8,60,42"), seldom_ = open_model("lenet5");
  HookedRig rig_{open_sim_rig("server", 1)};
  std::unique_ptr<Store> store_ = open_store("memory:");
  std::int64_t profile_ = 0;
  double now_ = 0.003;
  std::string asked_;
};

TEST_F(SlowdownNow, RunsTheReferenceThatIsKnownBest) {
  keep(seldom_, seldom_, 0.004);
  keep(often_, often_, 0.0018);
  keep(seldom_, often_, 0.0022);
  EXPECT_NEAR(slowdown().value(), 0.003 / 0.002, 1e-12);
  EXPECT_EQ(asked_, model_hash(often_));
  EXPECT_EQ(rig_.paced, static_cast<int>(kLatestPaces));
}

TEST_F(SlowdownNow, IsUnknownWithoutAPaceInTheProfile) {
  EXPECT_FALSE(slowdown());
  keep(seldom_, often_, 0.002);
  EXPECT_FALSE(slowdown()) << "the reference itself is not in the profile";
  EXPECT_EQ(rig_.paced, 0);
}

TEST_F(SlowdownNow, IsUnknownWhenThePaceHasNoTime) {
  keep(often_, often_, 0.002);
  now_ = 0;
  EXPECT_FALSE(slowdown()) << "a host that takes no time was not looked at";
}

TEST_F(SlowdownNow, IsUnknownWhereTheRigCannotOrFails) {
  keep(often_, often_, 0.002);
  const auto pacer = rig_.pacer;
  rig_.pacer = nullptr;
  EXPECT_FALSE(slowdown()) << "this rig has no pace of its own";
  rig_.pacer = [](const Model&, const Model&) -> Pace { throw Error(ErrorCode::failed, "no"); };
  EXPECT_FALSE(slowdown());
  rig_.pacer = [](const Model&, const Model&) -> Pace { throw Error(ErrorCode::usage, "no"); };
  EXPECT_THROW(slowdown(), Error);
}

}  // namespace
}  // namespace ampere
