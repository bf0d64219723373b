#include "store/sql_models.h"

#include <fmt/format.h>

#include <optional>

#include "ampere/error.h"
#include "model/model_json.h"
#include "sql/sql.h"
#include "store/storable.h"
#include "store/text_blob.h"

namespace ampere {
namespace {

std::string origin_of(const SqlDatabase& database, std::int64_t id) {
  return fmt::format("{}: model {}", database.name(), id);
}

// Blobs are compared by what is in them: other versions of zlib pack otherwise.
std::optional<std::int64_t> find_model(SqlDatabase& database, const std::string& hash,
                                       const std::string& json) {
  const auto known =
      rows(database, "SELECT id, size, content FROM model WHERE hash = ?1 AND size = ?2", hash,
           static_cast<std::int64_t>(json.size()));
  while (known->next()) {
    const std::int64_t id = known->integer(0);
    if (unpack_text(known->blob(2), known->integer(1), origin_of(database, id)) == json) return id;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t insert_model(SqlDatabase& database, const Model& model) {
  const std::string hash = model_hash(model), json = json_text(model_json(model));
  if (const auto known = find_model(database, hash, json)) return *known;
  const auto row =
      rows(database, "INSERT INTO model (hash, size, content) VALUES (?1, ?2, ?3) RETURNING id",
           hash, static_cast<std::int64_t>(json.size()), Blob{pack_text(json)});
  row->next();
  return row->integer(0);
}

void insert_model(SqlDatabase& database, std::int64_t id, const std::string& hash,
                  const std::string& json) {
  run(database, "INSERT INTO model (id, hash, size, content) VALUES (?1, ?2, ?3, ?4)", id, hash,
      static_cast<std::int64_t>(json.size()), Blob{pack_text(json)});
}

Model select_model(SqlDatabase& database, std::int64_t id) {
  const std::string origin = origin_of(database, id);
  const auto row = rows(database, "SELECT size, content FROM model WHERE id = ?1", id);
  if (!row->next())
    throw Error(ErrorCode::usage, fmt::format("{} is missing: the store is damaged", origin));
  const std::string json = unpack_text(row->blob(1), row->integer(0), origin);
  return read_model({parse_json(json, origin), origin + ": "});
}

void remove_unused_models(SqlDatabase& database) {
  run(database,
      "DELETE FROM model WHERE NOT EXISTS "
      "(SELECT 1 FROM observation WHERE observation.model = model.id)");
}

}  // namespace ampere
