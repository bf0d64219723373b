// A simulated device that both methods have profiled, for reports to be made of.
#pragma once

#include "ampere/model.h"
#include "method/ampere/ampere_method.h"
#include "method/dual/dual_method.h"
#include "model/draw.h"
#include "report/report.h"
#include "support/profiling.h"

namespace ampere::testing_support {

inline const ReportHead kHead{"A title", "2026-01-31T12:00:00Z", "ampere 0", "ampere report"};

struct Known {
  std::unique_ptr<Rig> rig = open_rig("sim:xavier");
  std::unique_ptr<Store> store = open_store("memory:");

  ProfileRow row() const { return store->profiles().front(); }

  void profile_ampere(int points, int tests = 0) {
    ProfileOptions options;
    options.points = points;
    options.test_points = tests;
    const ProfileTask task{{open_model("cnn5")}, {}};
    const auto method = make_ampere_method();
    const TestBench bench{*rig, *store};
    const ProfileSummary summary = profile(*method, task, options, bench);
    if (const auto plan = method->tests(task, options, {*rig, *store, summary.profile, {}}))
      bench.campaign().run(*plan);
  }
  void profile_dual() {
    ProfileOptions options;
    options.timings = 120;
    options.networks = 12;
    profile(*make_dual_method(), {{open_model("cnn5")}, draw_networks("cnn5", 40, 1)}, options,
            {*rig, *store});
  }
};

}  // namespace ampere::testing_support
