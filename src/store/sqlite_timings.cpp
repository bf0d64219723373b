#include "store/sqlite_timings.h"

#include <fmt/format.h>

#include <map>

#include "base/json.h"
#include "base/or_null.h"
#include "record/record_json.h"
#include "store/sqlite_db.h"
#include "store/storable.h"

namespace ampere {
namespace {

// By id, and so in the order they were added, whichever kind was asked for first.
using Found = std::map<std::int64_t, BlockTiming>;

const std::string kSelect =
    "SELECT id, kind, features, device_s, host_s, elapsed_s, failure, taken_at FROM timing ";

BlockTiming read_row(const Statement& row, const std::string& origin) {
  BlockTiming timing;
  timing.kind = row.text(1);
  timing.features = JsonField(parse_json(row.text(2), origin), origin + ": features").integers();
  if (const auto device_s = row.number(3)) {
    const Json columns{{"device_s", *device_s},
                       {"host_s", or_null(row.number(4))},
                       {"elapsed_s", or_null(row.number(5))}};
    timing.timing = read_timing({columns, origin + ": "});
  }
  timing.failure = row.text(6);
  timing.taken_at = row.text(7);
  return timing;
}

void read_rows(const Database& database, Statement& rows, Found& found) {
  while (rows.step()) {
    const std::int64_t id = rows.integer(0);
    found.emplace(id, read_row(rows, fmt::format("{}: timing {}", database.path(), id)));
  }
}

}  // namespace

void insert_timings(Database& database, std::int64_t profile,
                    const std::vector<BlockTiming>& timings) {
  const std::optional<double> none;
  for (const BlockTiming& block : timings) {
    const std::optional<Timing>& timing = block.timing;
    run(database,
        "INSERT INTO timing (profile, kind, features, device_s, host_s, elapsed_s, failure, "
        "taken_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        profile, block.kind, json_text(block.features), timing ? timing->device_s : none,
        timing ? timing->host_s : none, timing ? timing->elapsed.count() : none, block.failure,
        block.taken_at);
  }
}

std::vector<BlockTiming> select_timings(Database& database, std::int64_t profile,
                                        const std::vector<std::string>& kinds) {
  Found found;
  if (kinds.empty()) {
    Statement rows(database, kSelect + "WHERE profile = ?", profile);
    read_rows(database, rows, found);
  }
  for (const std::string& kind : kinds) {
    Statement rows(database, kSelect + "WHERE profile = ? AND kind = ?", profile, kind);
    read_rows(database, rows, found);
  }
  std::vector<BlockTiming> timings;
  for (auto& [id, timing] : found) timings.push_back(std::move(timing));
  return timings;
}

}  // namespace ampere
