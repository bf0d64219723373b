// The timings of blocks in a database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/store.h"

namespace ampere {

class SqlDatabase;

// Inside a transaction of the caller.
void insert_timings(SqlDatabase& database, std::int64_t profile,
                    const std::vector<BlockTiming>& timings);

// In the order they were added; of all kinds when none is given.
std::vector<BlockTiming> select_timings(SqlDatabase& database, std::int64_t profile,
                                        const std::vector<std::string>& kinds);

}  // namespace ampere
