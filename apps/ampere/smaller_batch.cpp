#include "smaller_batch.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "decide/standing.h"

namespace ampere {

std::optional<SmallerBatch> batch_that_fits(const Model& model, const Setup& setup,
                                            std::int64_t memory_bytes) try {
  Setup smaller = setup;
  while (smaller.batch % 2 == 0) {
    smaller.batch /= 2;
    smaller.options.accumulation *= 2;
    const auto peak = peak_memory(lower(model, smaller));
    if (!peak) return std::nullopt;
    if (standing_of_memory(peak->bytes, memory_bytes) == Standing::inside)
      return SmallerBatch{smaller.batch, smaller.options.accumulation};
  }
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;  // no rules for this network
}

void warn_of_smaller_batch(const Model& model, const Setup& setup, const DeviceInfo& device,
                           Estimate& estimate) {
  const auto memory = memory_of(device);
  if (!memory || !estimate.iteration || !estimate.iteration->peak_bytes ||
      *estimate.iteration->peak_bytes <= *memory)
    return;
  if (const auto smaller = batch_that_fits(model, setup, *memory))
    estimate.warnings.push_back(
        fmt::format("--batch {} --accumulate {} would fit, with as many samples per update",
                    smaller->batch, smaller->accumulation));
}

}  // namespace ampere
