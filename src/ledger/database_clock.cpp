#include "ledger/database_clock.h"

#include <chrono>

#include "base/utc.h"

namespace ampere {

const char* now_ms(SqlEngine engine) {
  return engine == SqlEngine::sqlite
             ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
             : "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
}

std::string utc_text(std::int64_t time_ms) {
  if (time_ms == 0) return "";
  return utc_text(UtcMoment(std::chrono::milliseconds(time_ms)));
}

}  // namespace ampere
