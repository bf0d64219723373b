// What every way, method, baseline and peer says of the steps of a suite.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/evaluate.h"

namespace ampere {

struct SuiteAnswer {
  std::optional<Interval> energy_j, time_s;  // of confidence 0 where only a number is known
};

struct SuiteAnswers {
  std::string name;
  std::vector<SuiteAnswer> steps;  // one per result; empty where the step was not measured
};

// In the order of the scores; those that answer for no step are left out.
std::vector<SuiteAnswers> suite_answers(const std::vector<SuiteResult>& results,
                                        std::span<const SuitePeer> peers = {});

// One row per step: what was measured, then every answer with its ends.
std::string suite_csv(const std::vector<SuiteResult>& results, Source source,
                      std::span<const SuitePeer> peers = {});

}  // namespace ampere
