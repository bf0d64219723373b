#include <fmt/format.h>

#include <algorithm>

#include "ampere/decide.h"
#include "setup/asked_setup.h"

namespace ampere {
namespace {

template <class Value>
void check_list(const std::vector<Value>& values, const char* what) {
  if (values.empty())
    throw Error(ErrorCode::usage, fmt::format("there is no {} to choose from", what));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(ErrorCode::usage, fmt::format("a {} occurs twice", what));
}

void check_batches(const std::vector<std::int64_t>& values, const char* what) {
  check_list(values, what);
  for (const std::int64_t value : values)
    if (value < 1 || value > kLargestBatch)
      throw Error(ErrorCode::usage,
                  fmt::format("a {} of {} is not between 1 and {}", what, value, kLargestBatch));
}

void check(const SetupGrid& grid) {
  check_batches(grid.batches, "batch size");
  check_list(grid.precisions, "number format");
  check_list(grid.optimizers, "optimizer");
  check_batches(grid.accumulations, "number of accumulated batches");
  check_list(grid.fused, "implementation of the optimizer");
  check_list(grid.compiled, "way to compile");
  check_list(grid.channels_last, "order in memory");
  if (grid.samples_per_update) check_batches({*grid.samples_per_update}, "number of samples");
  std::size_t count = 1;
  for (const std::size_t size :
       {grid.batches.size(), grid.precisions.size(), grid.optimizers.size(),
        grid.samples_per_update ? 1 : grid.accumulations.size(), grid.fused.size(),
        grid.compiled.size(), grid.channels_last.size()}) {
    if (size > kMostCandidates / count)
      throw Error(
          ErrorCode::usage,
          fmt::format("these are more than {} combinations; name fewer values", kMostCandidates));
    count *= size;
  }
}

Candidate candidate_of(Setup setup, const std::optional<std::int64_t>& samples_per_update) {
  if (samples_per_update) {
    if (*samples_per_update % setup.batch != 0)
      return {to_string(setup), setup,
              fmt::format("{} samples per update are no multiple of a batch of {}",
                          *samples_per_update, setup.batch)};
    setup.options.accumulation = *samples_per_update / setup.batch;
  }
  return {to_string(setup), setup};
}

}  // namespace

std::vector<Candidate> candidates_of(const SetupGrid& grid) {
  check(grid);
  const std::vector<std::int64_t> once{1};
  const std::vector<std::int64_t>& accumulations =
      grid.samples_per_update ? once : grid.accumulations;
  std::vector<Candidate> candidates;
  for (const bool compiled : grid.compiled)
    for (const bool channels_last : grid.channels_last)
      for (const bool fused : grid.fused)
        for (const Optimizer optimizer : grid.optimizers)
          for (const std::string& precision : grid.precisions)
            for (const std::int64_t accumulation : accumulations)
              for (const std::int64_t batch : grid.batches) {
                Setup setup{batch, optimizer, parse_number_format(precision)};
                setup.options = grid.common;
                setup.options.compiled = compiled;
                setup.options.channels_last = channels_last;
                setup.options.fused = fused;
                setup.options.accumulation = accumulation;
                candidates.push_back(candidate_of(std::move(setup), grid.samples_per_update));
              }
  return candidates;
}

}  // namespace ampere
