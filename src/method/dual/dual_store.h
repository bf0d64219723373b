// What a dual profile keeps in the store beside timings and observations.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ampere/store.h"

namespace ampere {

void put_idle(Store& store, std::int64_t profile, const Window& window);
std::optional<Window> find_idle(const Store& store, std::int64_t profile);

// Kind and features of every block that was timed, those that failed among them.
using TimedBlocks = std::set<std::pair<std::string, std::vector<std::int64_t>>>;
TimedBlocks timed_blocks(const Store& store, std::int64_t profile);

// By kind, in place of those that are stored.
void put_maps(Store& store, std::int64_t profile, const std::map<std::string, std::string>& maps);

// Networks measured while the device changed, as it was in the middle: the line through the
// repeated measurements of one network is taken out of all, where it is more than scatter. Networks
// whose pace is known need none of it.
std::vector<Observation> without_drift(std::vector<Observation> networks);

}  // namespace ampere
