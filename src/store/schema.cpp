#include "store/schema.h"

#include <fmt/format.h>

#include <vector>

#include "ampere/error.h"
#include "store/migrate_purposes.h"
#include "store/sqlite_db.h"

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

Migration running(const char* script) {
  return [script](Database& database) { database.execute(script); };
}

std::size_t version_of(Database& database, Migrations migrations) {
  const std::int64_t version = database.pragma("user_version");
  if (version < 0 || version > static_cast<std::int64_t>(migrations.size()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: written by a newer ampere (its version is {}, this program knows "
                            "{}): update ampere or choose another store",
                            database.path(), version, migrations.size()));
  return static_cast<std::size_t>(version);
}

}  // namespace

Migrations schema_migrations() {
  static const std::vector<Migration> migrations = {running(kVersion1), running(kVersion2),
                                                    running(kVersion3), migrate_to_purposes};
  return migrations;
}

SchemaAge schema_age(Database& database, Migrations migrations) {
  return version_of(database, migrations) == migrations.size() ? SchemaAge::current
                                                               : SchemaAge::older;
}

void migrate(Database& database, Migrations migrations) {
  Transaction transaction(database);
  // Another process may have been faster while this one waited.
  const std::size_t version = version_of(database, migrations);
  if (version == migrations.size()) return;
  for (const Migration& migration : migrations.subspan(version)) migration(database);
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                               kApplicationId, migrations.size()));
  transaction.commit();
}

}  // namespace ampere
