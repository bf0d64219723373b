// Runs a suite against the general profile of the rig's device.
#pragma once

#include "ampere/evaluate.h"
#include "ampere/progress.h"
#include "ampere/store.h"
#include "method/method.h"

namespace ampere {

// Where a suite is run, and who is told. The profile is the general one of the rig's device.
struct SuiteBench {
  Rig& rig;
  Store& store;
  std::int64_t profile = 0;
  StopToken stop;
  Listener& listener;
  std::vector<const Method*> methods;  // asked beside the general profile
};

// The result of every entry, in order. Those in the store are not measured again. Throws
// Error(unknown) when nothing is in the profile, and Error(interrupted) when asked to stop, with
// everything kept.
std::vector<SuiteResult> run_suite(const Suite& suite, const SuiteOptions& options,
                                   const SuiteBench& bench);

}  // namespace ampere
