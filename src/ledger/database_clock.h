// The clock of the database: the one clock that all machines of a fleet share.
#pragma once

#include <cstdint>
#include <string>

#include "sql/sql.h"

namespace ampere {

// An SQL expression: milliseconds since 1970, now.
const char* now_ms(SqlEngine engine);

std::string utc_text(std::int64_t time_ms);  // "2026-01-31T12:00:00.250Z"; empty for 0

}  // namespace ampere
