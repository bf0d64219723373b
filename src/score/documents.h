// What a profile of the store says of scores: which machine and delegate it is, or cells of others.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ampere/score.h"
#include "ampere/store.h"

namespace ampere {

// One machine run one way, as a profile has it. A profile may be several delegates: with a single
// core, one thread is all threads.
struct ScoredDelegate {
  std::string device, delegate;
  std::map<std::string, std::string> networks;  // hashes by name
};
void put_scored(Store& store, std::int64_t profile, const ScoredDelegate& scored);  // replaces
std::vector<ScoredDelegate> read_scored(const Store& store, std::int64_t profile);

// Cells of others, of one device.
void put_imported(Store& store, std::int64_t profile, const std::vector<ScoreCell>& cells);
std::vector<ScoreCell> read_imported(const Store& store, const ProfileRow& profile);

std::vector<ProfileRow> oldest_first(const Store& store);

}  // namespace ampere
