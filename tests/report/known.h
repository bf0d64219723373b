// A simulated device that both methods have profiled, for reports to be made of.
#pragma once

#include "ampere/report.h"
#include "ampere/zoo.h"
#include "method/ampere/profile.h"
#include "method/ampere/test_points.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"

namespace ampere::testing_support {

inline const ReportHead kHead{"A title", "2026-01-31T12:00:00Z", "ampere 0", "ampere report"};

struct Known {
  std::unique_ptr<Rig> rig = open_rig("sim:xavier");
  std::unique_ptr<Store> store = open_store("memory:");

  ProfileRow row() const { return store->profiles().front(); }

  void profile_ampere(int points, int tests = 0) {
    ProfileOptions options;
    options.points = points;
    const std::vector<Model> models{open_model("cnn5")};
    const std::vector<PlannedKind> plan = plan_profile(models);
    run_profile(plan, *rig, "sim:xavier", *store, {}, options, [](const KindProgress&) {});
    measure_tests(plan, *rig, "sim:xavier", *store, {}, options, {tests, 0},
                  [](const TestProgress&) {});
  }
  void profile_dual() {
    DualProfileOptions options;
    options.timings = 120;
    options.networks = 12;
    run_dual_profile({{open_model("cnn5")}, draw_networks("cnn5", 40, 1)}, *rig, "sim:xavier",
                     *store, {}, options, [](const DualProgress&) {});
  }
};

}  // namespace ampere::testing_support
