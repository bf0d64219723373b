// A small evaluation of the dual method on a simulated GPU server, whose host a test may pace.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "ampere/store.h"
#include "support/evaluating.h"
#include "support/hooked_rig.h"

namespace ampere::testing_support {

class PacedEvaluation : public testing::Test {
 protected:
  explicit PacedEvaluation(int networks = 4) : task_(family_task("cnn5", networks, 1)) {
    options_.methods = {"dual"};
    options_.seed = 1;
    options_.profile.timings = 120;
    options_.profile.networks = 10;
  }

  bool is_test(const Model& model) const {
    return std::ranges::any_of(
        task_.tests, [&](const Model& test) { return model_hash(test) == model_hash(model); });
  }

  Evaluation run() {
    return evaluate(task_, options_, rig_, *store_);
  }

  const EvaluationTask task_;
  HookedRig rig_{open_rig("sim:server")};
  std::unique_ptr<Store> store_ = open_store("memory:");
  EvaluationOptions options_;
};

}  // namespace ampere::testing_support
