#include "store/schema.h"

#include <fmt/format.h>

#include <array>

#include "ampere/error.h"
#include "store/sqlite_db.h"

namespace ampere {
namespace {

// Counters live in `kind`, of which a profile has dozens, so that listing profiles never touches
// the observations. A model is stored once however often it was measured; models of one hash may
// differ in name, so that the text decides.
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

constexpr std::array kScripts = {kVersion1, kVersion2, kVersion3};

std::size_t version_of(Database& database, SchemaScripts scripts) {
  const std::int64_t version = database.pragma("user_version");
  if (version < 0 || version > static_cast<std::int64_t>(scripts.size()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: written by a newer ampere (its version is {}, this program knows "
                            "{}): update ampere or choose another store",
                            database.path(), version, scripts.size()));
  return static_cast<std::size_t>(version);
}

}  // namespace

SchemaScripts schema_scripts() { return kScripts; }

SchemaAge schema_age(Database& database, SchemaScripts scripts) {
  return version_of(database, scripts) == scripts.size() ? SchemaAge::current : SchemaAge::older;
}

void migrate(Database& database, SchemaScripts scripts) {
  Transaction transaction(database);
  // Another process may have been faster while this one waited.
  const std::size_t version = version_of(database, scripts);
  if (version == scripts.size()) return;
  for (const char* script : scripts.subspan(version)) database.execute(script);
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                               kApplicationId, scripts.size()));
  transaction.commit();
}

}  // namespace ampere
