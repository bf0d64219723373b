#include "store/sqlite_purposes.h"

#include <fmt/format.h>

#include <vector>

#include "record/old_marks.h"
#include "record/record_json.h"
#include "sql/sql.h"
#include "store/sql_models.h"
#include "store/storable.h"

namespace ampere {
namespace {

// Dropping a table deletes what refers to it, so that the old tables make room under other names
// and are dropped, children first, when everything has been copied.
//
// A series is what was observed for one purpose and kind in one profile. It holds the counters, of
// which a profile has dozens, so that listing profiles never touches the observations. The fit of a
// block kind belongs to the series of the kind's variants, which may be empty.
//
// A model is stored once however often it was measured. Its hash says what it costs, and models of
// one hash may differ in their names; what was added has to come back with its own names, so that
// each naming is a row. `content` is the model's JSON, packed by zlib, and `size` the length of it
// unpacked.
constexpr const char* kNewTables = R"sql(
ALTER TABLE fit RENAME TO old_fit;
ALTER TABLE observation RENAME TO old_observation;
ALTER TABLE kind RENAME TO old_kind;
ALTER TABLE model RENAME TO old_model;
DROP INDEX model_by_hash;
DROP INDEX observation_by_profile;
DROP INDEX observation_by_kind;
DROP INDEX observation_by_model;
CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  content BLOB NOT NULL
);
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  kind TEXT NOT NULL,
  enters_fits INTEGER NOT NULL,
  observations INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  UNIQUE (profile, purpose, kind)
);
CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  profile INTEGER NOT NULL REFERENCES profile(id) ON DELETE CASCADE,
  series INTEGER NOT NULL REFERENCES series(id) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES model(id),
  features TEXT NOT NULL,
  round_widths INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE TABLE fit (
  series INTEGER PRIMARY KEY REFERENCES series(id) ON DELETE CASCADE,
  text TEXT NOT NULL
);
)sql";

// Old kinds become series of the same id.
constexpr const char* kCopy = R"sql(
INSERT INTO observation (id, profile, series, model, features, round_widths, body)
  SELECT id, profile, kind, model, features, 0, body FROM old_observation;
INSERT INTO fit (series, text) SELECT kind, text FROM old_fit;
DROP TABLE old_fit;
DROP TABLE old_observation;
DROP TABLE old_kind;
DROP TABLE old_model;
CREATE INDEX model_by_hash ON model(hash);
CREATE INDEX observation_by_profile ON observation(profile);
CREATE INDEX observation_by_series ON observation(series);
CREATE INDEX observation_by_model ON observation(model, profile);
)sql";

void pack_models(SqlDatabase& database) {
  const auto old = rows(database, "SELECT id, hash, json FROM old_model");
  while (old->next()) insert_model(database, old->integer(0), old->text(1), old->text(2));
}

void make_series(SqlDatabase& database) {
  const auto old = rows(database, "SELECT id, profile, key, observations, failures FROM old_kind");
  while (old->next()) {
    const OldKind kind = read_old_kind(old->text(2));
    run(database,
        "INSERT INTO series (id, profile, purpose, kind, enters_fits, observations, failures) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        old->integer(0), old->integer(1), to_string(kind.purpose), kind.kind,
        std::int64_t{enters_fits(kind.purpose)}, old->integer(3), old->integer(4));
  }
}

// Returns the body without the note, or nothing when the text is part of something else.
std::optional<std::string> without_note(const std::string& text, const std::string& origin) {
  Json body = parse_json(text, origin);
  const JsonField field(body, origin + ": ");
  if (!field.has("measurement")) return std::nullopt;
  Measurement measurement = read_measurement(field.at("measurement"));
  if (!take_old_round_widths(measurement.notes)) return std::nullopt;
  body["measurement"]["notes"] = measurement.notes;
  return json_text(body);
}

void mark_round_widths(SqlDatabase& database) {
  const auto marked = rows(database, "SELECT id, body FROM observation WHERE instr(body, ?1) > 0",
                           std::string(kOldRoundWidthsNote));
  std::vector<std::pair<std::int64_t, std::string>> bodies;
  while (marked->next()) {
    const std::int64_t id = marked->integer(0);
    if (auto body =
            without_note(marked->text(1), fmt::format("{}: observation {}", database.name(), id)))
      bodies.emplace_back(id, std::move(*body));
  }
  for (const auto& [id, body] : bodies)
    run(database, "UPDATE observation SET round_widths = 1, body = ?1 WHERE id = ?2", body, id);
}

}  // namespace

void migrate_to_purposes(SqlDatabase& database) {
  database.execute(kNewTables);
  pack_models(database);
  make_series(database);
  database.execute(kCopy);
  mark_round_widths(database);
}

}  // namespace ampere
