#include "evaluate/used_seconds.h"

#include <gtest/gtest.h>

#include <thread>

#include "rig/sim.h"

namespace ampere {
namespace {

// A plan of one measurement that takes a while.
class SlowPlan final : public Suggestions {
 public:
  std::optional<Suggestion> next() override { return Suggestion{}; }
  void tell(const Finding&) override { std::this_thread::sleep_for(Seconds(0.4)); }
  Progress progress() const override { return {}; }
};

// Whoever is killed has no time to say what was used: it is there already.
TEST(UsedSeconds, AreInTheStoreWhileTheyGrow) {
  const auto store = open_store("memory:");
  const std::int64_t profile =
      store->open_profile(open_sim_rig("server", 1)->device(), {}, "sim:server");
  const auto stored = [&] { return UsedSeconds(*store, profile, "seconds").before().count(); };
  SlowPlan plan;
  {
    UsedSeconds used(*store, profile, "seconds");
    EXPECT_EQ(used.before().count(), 0);
    CountedSuggestions counted(plan, used);
    counted.tell({});
    EXPECT_EQ(stored(), 0) << "not with each measurement";
    counted.tell({});
    counted.tell({});
    EXPECT_GE(stored(), 1.0);
  }
  const double first = stored();
  UsedSeconds again(*store, profile, "seconds");
  EXPECT_EQ(again.before().count(), first);
  again.keep();
  EXPECT_GE(stored(), first) << "what another run uses comes on top";
}

}  // namespace
}  // namespace ampere
