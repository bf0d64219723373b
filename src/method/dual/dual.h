// Our own method, for devices that work beside their host: host time, device time and dynamic
// energy modelled apart and composed. docs/estimators.md derives it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/model.h"
#include "ampere/profiling.h"
#include "ampere/store.h"
#include "ampere/widths.h"

namespace ampere {

// What a dual model is fitted to: blocks timed alone, networks whose energy was measured, and a
// window of the device doing nothing with its clocks up.
struct DualEvidence {
  Setup setup;
  std::vector<BlockTiming> timings;
  std::vector<Observation> networks;  // those that failed are passed over
  std::optional<Window> idle;
};

struct DualModel;
using SharedDualModel = std::shared_ptr<const DualModel>;

// Throws Error(unknown) when there is too little to fit.
SharedDualModel fit_dual(const DualEvidence& evidence);
const CrossValidation& check_of(const DualModel& model);

// As it is stored: the laws in one text, every kind's map in one of its own, so that an estimate
// reads only those it needs. Reading throws Error(usage).
struct DualText {
  std::string laws;
  std::map<std::string, std::string> maps;  // by kind key
};
DualText to_text(const DualModel& model);
SharedDualModel parse_dual(const DualText& text);

// The same model, knowing the device time of these blocks from having timed them.
SharedDualModel with_timings(const DualModel& model, std::span<const BlockTiming> timings);

// Whether a host hands work to the device, so that its speed is a matter of its own.
bool has_host(const DualModel& model);
// The same model with a host that takes `slowdown` times as long as while it was profiled.
SharedDualModel with_host(const DualModel& model, double slowdown);

std::unique_ptr<Estimator> make_dual_estimator(SharedDualModel model);

}  // namespace ampere
