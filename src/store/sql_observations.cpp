#include "store/sql_observations.h"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "record/record_json.h"
#include "sql/sql.h"
#include "store/sql_models.h"
#include "store/storable.h"

namespace ampere {
namespace {

// What of an observation is not in a column of its own.
std::string body_text(const Observation& observation) {
  return json_text(
      {{"taken_at", observation.taken_at},
       {"failure", observation.measurement ? Json(nullptr) : Json(observation.failure)},
       {"measurement",
        observation.measurement ? measurement_json(*observation.measurement) : Json(nullptr)},
       {"timing", observation.timing ? timing_json(*observation.timing) : Json(nullptr)},
       {"pace", observation.pace ? pace_json(*observation.pace) : Json(nullptr)}});
}

void read_body(const JsonField& body, Observation& observation) {
  observation.taken_at = body.at("taken_at").text();
  observation.failure = body.text_or("failure", "");
  if (body.has("measurement")) observation.measurement = read_measurement(body.at("measurement"));
  if (body.has("timing")) observation.timing = read_timing(body.at("timing"));
  if (body.has("pace")) observation.pace = read_pace(body.at("pace"));
}

// What is not asked for is bound in any case, as an empty text.
std::string series_sql(const Query& query) {
  const std::string of = std::string("(SELECT id FROM series WHERE profile = ?1") +
                         (query.purpose ? " AND purpose = ?2" : " AND ?2 = ''") +
                         (query.kind ? " AND kind = ?3)" : " AND ?3 = '')");
  // A single series is read in the order of its index, and no further than the limit.
  return (query.purpose && query.kind ? "o.series = " : "o.series IN ") + of;
}

// The most selective index is named: without statistics SQLite would rather walk the profile.
// PostgreSQL has statistics, and no such words.
std::string by_index(SqlEngine engine, const char* index) {
  return engine == SqlEngine::sqlite ? fmt::format(" INDEXED BY observation_by_{}", index) : "";
}

std::string find_sql(SqlEngine engine, const Query& query) {
  const std::string select =
      "SELECT o.id, s.purpose, s.kind, o.model, o.features, o.round_widths, o.body "
      "FROM observation o";
  const std::string join = " JOIN series s ON s.id = o.series WHERE ";
  const bool of_series = query.purpose || query.kind;
  std::string from;
  if (query.model_hash)
    from = by_index(engine, "model") + join +
           "o.model IN (SELECT id FROM model WHERE hash = ?4) AND o.profile = ?1";
  else
    from = by_index(engine, of_series ? "series" : "profile") + join + "o.profile = ?1 AND ?4 = ''";
  return select + from + (of_series ? " AND " + series_sql(query) : " AND ?2 = '' AND ?3 = ''") +
         " ORDER BY o.id LIMIT ?5";
}

// Purposes without kinds have a single series, of the empty kind.
Query with_only_kind(Query query) {
  if (query.purpose && !query.kind && !has_kind(*query.purpose)) query.kind = "";
  return query;
}

void read_row(const SqlRows& row, const std::string& origin, Observation& observation) {
  observation.purpose = parse_purpose(row.text(1));
  observation.kind = row.text(2);
  observation.features =
      JsonField(parse_json(row.text(4), origin), origin + ": features").integers();
  observation.round_widths = row.integer(5) != 0;
  read_body({parse_json(row.text(6), origin), origin + ": "}, observation);
}

}  // namespace

std::int64_t count_in_series(SqlDatabase& database, std::int64_t profile, Purpose purpose,
                             const std::string& kind, std::int64_t observations,
                             std::int64_t failures) {
  const auto row =
      rows(database,
           "INSERT INTO series (profile, purpose, kind, enters_fits, observations, failures) "
           "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (profile, purpose, kind) DO UPDATE "
           "SET observations = series.observations + excluded.observations, "
           "failures = series.failures + excluded.failures RETURNING id",
           profile, to_string(purpose), kind, std::int64_t{enters_fits(purpose)}, observations,
           failures);
  row->next();
  return row->integer(0);
}

void insert_observation(SqlDatabase& database, std::int64_t profile,
                        const Observation& observation) {
  const std::int64_t failures = observation.measurement ? 0 : 1;
  const std::int64_t series =
      count_in_series(database, profile, observation.purpose, observation.kind, 1, failures);
  run(database,
      "INSERT INTO observation (profile, series, model, features, round_widths, body) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      profile, series, insert_model(database, observation.model), json_text(observation.features),
      std::int64_t{observation.round_widths}, body_text(observation));
}

std::vector<Observation> select_observations(SqlDatabase& database, const Query& asked,
                                             const Observation& like) {
  const Query query = with_only_kind(asked);
  std::map<std::int64_t, Model> models;
  std::vector<Observation> found;
  const auto row = rows(database, find_sql(database.engine(), query), query.profile,
                        query.purpose ? to_string(*query.purpose) : "", query.kind.value_or(""),
                        query.model_hash.value_or(""),
                        query.most.value_or(std::numeric_limits<std::int64_t>::max()));
  while (row->next()) {
    Observation observation = like;
    read_row(*row, fmt::format("{}: observation {}", database.name(), row->integer(0)),
             observation);
    if (query.with_models) {
      const std::int64_t model = row->integer(3);
      auto known = models.find(model);
      if (known == models.end()) known = models.emplace(model, select_model(database, model)).first;
      observation.model = known->second;
    }
    found.push_back(std::move(observation));
  }
  return found;
}

}  // namespace ampere
