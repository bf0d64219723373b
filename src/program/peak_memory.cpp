#include <algorithm>
#include <array>

#include "ampere/program.h"
#include "program/words.h"

namespace ampere {
namespace {

using ByKind = std::array<std::int64_t, kStorageKinds.size()>;

}  // namespace

std::optional<PeakMemory> peak_memory(const Program& program) {
  if (program.storages.empty()) return std::nullopt;
  // By how much each kind grows when a step begins. What a step allocates is there while it runs;
  // what was freed before it is gone.
  std::vector<ByKind> changes(program.steps.size() + 1, ByKind{});
  for (const Storage& storage : program.storages) {
    const auto kind = static_cast<std::size_t>(storage.kind);
    changes[static_cast<std::size_t>(std::max(storage.born, 0))][kind] += storage.bytes;
    if (storage.freed) changes[static_cast<std::size_t>(*storage.freed)][kind] -= storage.bytes;
  }
  PeakMemory peak;
  peak.bytes = -1;
  ByKind now{};
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    std::int64_t total = 0;
    for (std::size_t kind = 0; kind < now.size(); ++kind) total += now[kind] += changes[step][kind];
    if (total <= peak.bytes) continue;
    peak = {total, static_cast<int>(step), {now.begin(), now.end()}};
  }
  return peak;
}

}  // namespace ampere
