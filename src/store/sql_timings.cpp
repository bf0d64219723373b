#include "store/sql_timings.h"

#include <fmt/format.h>

#include <map>

#include "base/json.h"
#include "base/or_null.h"
#include "record/record_json.h"
#include "sql/sql.h"
#include "store/storable.h"

namespace ampere {
namespace {

// By id, and so in the order they were added, whichever kind was asked for first.
using Found = std::map<std::int64_t, BlockTiming>;

const std::string kSelect =
    "SELECT id, kind, features, device_s, host_s, elapsed_s, failure, taken_at FROM timing ";

BlockTiming read_row(const SqlRows& row, const std::string& origin) {
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

void read_rows(const SqlDatabase& database, SqlRows& rows, Found& found) {
  while (rows.next()) {
    const std::int64_t id = rows.integer(0);
    found.emplace(id, read_row(rows, fmt::format("{}: timing {}", database.name(), id)));
  }
}

}  // namespace

void insert_timings(SqlDatabase& database, std::int64_t profile,
                    const std::vector<BlockTiming>& timings) {
  const std::optional<double> none;
  for (const BlockTiming& block : timings) {
    const std::optional<Timing>& timing = block.timing;
    run(database,
        "INSERT INTO timing (profile, kind, features, device_s, host_s, elapsed_s, failure, "
        "taken_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        profile, block.kind, json_text(block.features), timing ? timing->device_s : none,
        timing ? timing->host_s : none, timing ? timing->elapsed.count() : none, block.failure,
        block.taken_at);
  }
}

std::vector<BlockTiming> select_timings(SqlDatabase& database, std::int64_t profile,
                                        const std::vector<std::string>& kinds) {
  Found found;
  if (kinds.empty())
    read_rows(database, *rows(database, kSelect + "WHERE profile = ?1", profile), found);
  for (const std::string& kind : kinds)
    read_rows(database,
              *rows(database, kSelect + "WHERE profile = ?1 AND kind = ?2", profile, kind), found);
  std::vector<BlockTiming> timings;
  for (auto& [id, timing] : found) timings.push_back(std::move(timing));
  return timings;
}

}  // namespace ampere
