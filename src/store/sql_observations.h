// The observations of a store in a database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/store.h"

namespace ampere {

class SqlDatabase;

// A series is what was observed for one purpose and kind in one profile, and counts it. Returns its
// id; it is made when it is not there yet, and these counts are added to its own. Inside a
// transaction of the caller, as the next one.
std::int64_t count_in_series(SqlDatabase& database, std::int64_t profile, Purpose purpose,
                             const std::string& kind, std::int64_t observations,
                             std::int64_t failures);

void insert_observation(SqlDatabase& database, std::int64_t profile,
                        const Observation& observation);

// In the order they were added, each with the device and the setup of `like`, which belong to the
// profile. Throws Error(usage) when one is damaged.
std::vector<Observation> select_observations(SqlDatabase& database, const Query& query,
                                             const Observation& like);

}  // namespace ampere
