// Measuring kernels in rounds, each where the predictors of the one before were furthest off.
#pragma once

#include <memory>
#include <vector>

#include "method/kernels/survey/pool.h"
#include "method/suggestions.h"

namespace ampere {

// Chooses by what this very plan was told, whatever else the store has: so the same kernels come in
// the same order when it is begun again.
class RoundsPlan : public Suggestions {
 public:
  virtual int rounds() const = 0;  // begun so far
};
// Where the device has a host apart, all kernels are timed, too. Now and then the pace of one is
// taken against the reference (host_reference.h).
std::unique_ptr<RoundsPlan> plan_rounds(std::vector<TypePool> pools, const Setup& setup,
                                        const SurveyOptions& options, bool has_host_apart);

// A kernel's row of a table; nothing where it failed.
std::optional<TableRow> row_of(const Kernel& kernel, const Observation& observation);

}  // namespace ampere
