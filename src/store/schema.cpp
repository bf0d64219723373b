#include "store/schema.h"

#include <fmt/format.h>

#include <vector>

#include "ampere/error.h"
#include "sql/sqlite_database.h"
#include "store/sqlite_purposes.h"

namespace ampere {
namespace {

// `kind` held counters; its key also told the purpose of an observation (see record/old_marks.h).
constexpr const char* kVersion1 = R"sql(
CREATE TABLE device (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  json TEXT NOT NULL
);
CREATE TABLE profile (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  device INTEGER NOT NULL REFERENCES device(id),
  setup TEXT NOT NULL,
  rig TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  touched INTEGER NOT NULL,
  UNIQUE (device, setup)
);
CREATE INDEX profile_by_touch ON profile(touched);
CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  json TEXT NOT NULL
);
CREATE INDEX model_by_hash ON model(hash);
CREATE TABLE kind (
  id INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  observations INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  UNIQUE (profile, key)
);
CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  kind INTEGER NOT NULL REFERENCES kind(id) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES model(id),
  features TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX observation_by_profile ON observation(profile);
CREATE INDEX observation_by_kind ON observation(kind);
CREATE INDEX observation_by_model ON observation(model, profile);
CREATE TABLE fit (
  kind INTEGER PRIMARY KEY REFERENCES kind(id) ON DELETE CASCADE,
  text TEXT NOT NULL
);
)sql";

constexpr const char* kVersion2 = R"sql(
CREATE TABLE document (
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (profile, name)
) WITHOUT ROWID;
)sql";

// The key of a kind stands here itself: what was only timed is not among a profile's kinds.
constexpr const char* kVersion3 = R"sql(
CREATE TABLE timing (
  id INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  features TEXT NOT NULL,
  device_s REAL,
  host_s REAL,
  elapsed_s REAL,
  failure TEXT NOT NULL,
  taken_at TEXT NOT NULL
);
CREATE INDEX timing_by_kind ON timing(profile, kind);
)sql";

// The same as SQLite's version 4. Names sort by their bytes, as there.
constexpr const char* kPostgres1 = R"sql(
CREATE TABLE device (
  id $ID,
  fingerprint TEXT NOT NULL UNIQUE,
  json TEXT NOT NULL
);
CREATE TABLE profile (
  id $ID,
  device BIGINT NOT NULL REFERENCES device(id),
  setup TEXT NOT NULL,
  rig TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  touched BIGINT NOT NULL,
  UNIQUE (device, setup)
);
CREATE INDEX profile_by_touch ON profile(touched);
CREATE TABLE model (
  id $ID,
  hash TEXT NOT NULL,
  size BIGINT NOT NULL,
  content $BLOB NOT NULL
);
CREATE INDEX model_by_hash ON model(hash);
CREATE TABLE series (
  id $ID,
  profile BIGINT NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  enters_fits BIGINT NOT NULL,
  observations BIGINT NOT NULL DEFAULT 0,
  failures BIGINT NOT NULL DEFAULT 0,
  UNIQUE (profile, purpose, kind)
);
CREATE TABLE observation (
  id $ID,
  profile BIGINT NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  series BIGINT NOT NULL REFERENCES series(id) ON DELETE CASCADE,
  model BIGINT NOT NULL REFERENCES model(id),
  features TEXT NOT NULL,
  round_widths BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX observation_by_profile ON observation(profile, id);
CREATE INDEX observation_by_series ON observation(series, id);
CREATE INDEX observation_by_model ON observation(model, profile);
CREATE TABLE fit (
  series BIGINT PRIMARY KEY REFERENCES series(id) ON DELETE CASCADE,
  text TEXT NOT NULL
);
CREATE TABLE document (
  profile BIGINT NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (profile, name)
);
CREATE TABLE timing (
  id $ID,
  profile BIGINT NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  features TEXT NOT NULL,
  device_s $REAL,
  host_s $REAL,
  elapsed_s $REAL,
  failure TEXT NOT NULL,
  taken_at TEXT NOT NULL
);
CREATE INDEX timing_by_kind ON timing(profile, kind);
)sql";

const std::string kComponent = "store";

// A file of SQLite carries the version of its store in its header.
std::size_t version_of_file(SqlDatabase& database, Migrations migrations) {
  const auto row = rows(database, "PRAGMA user_version");
  const std::int64_t version = row->next() ? row->integer(0) : 0;
  if (version < 0 || version > static_cast<std::int64_t>(migrations.size()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: written by a newer ampere (its version is {}, this program knows "
                            "{}): update ampere or choose another store",
                            database.name(), version, migrations.size()));
  return static_cast<std::size_t>(version);
}

void migrate_file(SqlDatabase& database, Migrations migrations) {
  database.atomically([&] {
    // Another process may have been faster while this one waited.
    const std::size_t version = version_of_file(database, migrations);
    if (version == migrations.size()) return;
    for (const Migration& migration : migrations.subspan(version)) migration(database);
    database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 kApplicationId, migrations.size()));
  });
}

}  // namespace

Migrations schema_migrations(SqlEngine engine) {
  static const std::vector<Migration> sqlite = {running(kVersion1), running(kVersion2),
                                                running(kVersion3), migrate_to_purposes};
  static const std::vector<Migration> postgresql = {running(kPostgres1)};
  return engine == SqlEngine::sqlite ? sqlite : postgresql;
}

SchemaAge schema_age(SqlDatabase& database, Migrations migrations) {
  const std::size_t version = database.engine() == SqlEngine::sqlite
                                  ? version_of_file(database, migrations)
                                  : version_of(database, kComponent, migrations);
  if (version == migrations.size()) return SchemaAge::current;
  return version == 0 ? SchemaAge::none : SchemaAge::older;
}

void migrate_store(SqlDatabase& database, Migrations migrations) {
  if (database.engine() == SqlEngine::sqlite)
    migrate_file(database, migrations);
  else
    migrate(database, kComponent, migrations);
}

}  // namespace ampere
