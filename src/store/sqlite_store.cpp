#include "store/sqlite_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "ampere/error.h"
#include "base/text.h"
#include "record/record_json.h"
#include "setup/general_setup.h"
#include "store/sqlite_db.h"
#include "store/sqlite_file.h"
#include "store/sqlite_models.h"
#include "store/sqlite_timings.h"
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

constexpr std::int64_t kNoLimit = -1;  // as SQLite has it

// What is not asked for is bound in any case, as an empty text.
std::string series_sql(const Query& query) {
  const std::string of = std::string("(SELECT id FROM series WHERE profile = ?1") +
                         (query.purpose ? " AND purpose = ?2" : " AND ?2 = ''") +
                         (query.kind ? " AND kind = ?3)" : " AND ?3 = '')");
  // A single series is read in the order of its index, and no further than the limit.
  return (query.purpose && query.kind ? "o.series = " : "o.series IN ") + of;
}

// The most selective index is named: without statistics SQLite would rather walk the profile.
std::string find_sql(const Query& query) {
  const std::string select =
      "SELECT o.id, s.purpose, s.kind, o.model, o.features, o.round_widths, o.body "
      "FROM observation o INDEXED BY observation_by_";
  const std::string join = " JOIN series s ON s.id = o.series WHERE ";
  const bool of_series = query.purpose || query.kind;
  std::string from;
  if (query.model_hash)
    from = "model" + join + "o.model IN (SELECT id FROM model WHERE hash = ?4) AND o.profile = ?1";
  else
    from = (of_series ? "series" : "profile") + join + "o.profile = ?1 AND ?4 = ''";
  return select + from + (of_series ? " AND " + series_sql(query) : " AND ?2 = '' AND ?3 = ''") +
         " ORDER BY o.id LIMIT ?5";
}

// Purposes without kinds have a single series, of the empty kind.
Query with_only_kind(Query query) {
  if (query.purpose && !query.kind && !has_kind(*query.purpose)) query.kind = "";
  return query;
}

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::int64_t open_profile(const DeviceInfo& device, const Setup& setup,
                            const std::string& rig) override {
    const DeviceInfo own_device = storable(device);
    const std::string setup_text = json_text(profile_setup_json(storable(setup)));
    require_utf8(rig, "the rig");
    if (const auto known = profile_of(own_device, setup_text)) return *known;
    Transaction transaction(*database_);
    if (const auto known = profile_of(own_device, setup_text)) return *known;
    run(*database_, "INSERT INTO device (fingerprint, json) VALUES (?, ?) ON CONFLICT DO NOTHING",
        own_device.fingerprint, json_text(device_json(own_device)));
    run(*database_,
        "INSERT INTO profile (device, setup, rig, updated_at, touched) "
        "VALUES ((SELECT id FROM device WHERE fingerprint = ?), ?, ?, '', 0)",
        own_device.fingerprint, setup_text, rig);
    const std::int64_t id = database_->last_insert();
    touch(id);
    transaction.commit();
    return id;
  }

  std::vector<ProfileRow> profiles() const override {
    Statement rows(
        *database_,
        "SELECT p.id, d.json, p.setup, p.rig, p.updated_at, "
        "(SELECT count(*) FROM series WHERE profile = p.id AND purpose = ?1), "
        "(SELECT sum(observations) FROM series WHERE profile = p.id AND enters_fits), "
        "(SELECT sum(failures) FROM series WHERE profile = p.id AND enters_fits), "
        "(SELECT sum(observations) FROM series WHERE profile = p.id AND NOT enters_fits) "
        "FROM profile p JOIN device d ON d.id = p.device ORDER BY p.touched DESC",
        to_string(Purpose::variant));
    std::vector<ProfileRow> profiles;
    while (rows.step()) {
      const std::int64_t id = rows.integer(0);
      profiles.push_back({.id = id,
                          .device = parse_device(rows.text(1), id),
                          .setup = parse_setup(rows.text(2), id),
                          .rig = rows.text(3),
                          .kinds = rows.integer(5),
                          .observations = rows.integer(6),
                          .failures = rows.integer(7),
                          .tests = rows.integer(8),
                          .updated_at = rows.text(4)});
    }
    return profiles;
  }

  void remove_profile(std::int64_t id) override {
    Transaction transaction(*database_);
    require_profile(id);
    run(*database_, "DELETE FROM profile WHERE id = ?", id);
    remove_unused_models(*database_);
    run(*database_,
        "DELETE FROM device WHERE NOT EXISTS "
        "(SELECT 1 FROM profile WHERE profile.device = device.id)");
    transaction.commit();
  }

  void add(std::int64_t profile, const Observation& observation) override {
    const Observation own = storable(observation);
    Transaction transaction(*database_);
    const Owner owner = owner_of(profile);
    require_member(own, owner.device, owner.setup);
    const std::int64_t series = series_id(profile, own.purpose, own.kind);
    run(*database_,
        "INSERT INTO observation (profile, series, model, features, round_widths, body) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        profile, series, insert_model(*database_, own.model), json_text(own.features),
        std::int64_t{own.round_widths}, body_text(own));
    run(*database_,
        "UPDATE series SET observations = observations + 1, failures = failures + ? WHERE id = ?",
        std::int64_t{own.measurement ? 0 : 1}, series);
    touch(profile);
    transaction.commit();
  }

  std::vector<Observation> find(const Query& asked) const override {
    const Query query = with_only_kind(asked);
    const Owner owner = owner_of(query.profile);
    std::map<std::int64_t, Model> models;
    std::vector<Observation> found;
    Statement rows(*database_, find_sql(query), query.profile,
                   query.purpose ? to_string(*query.purpose) : "", query.kind.value_or(""),
                   query.model_hash.value_or(""), query.most.value_or(kNoLimit));
    while (rows.step()) {
      const std::string origin =
          fmt::format("{}: observation {}", database_->path(), rows.integer(0));
      Observation observation;
      observation.device = owner.device;
      observation.setup = owner.setup;
      observation.purpose = parse_purpose(rows.text(1));
      observation.kind = rows.text(2);
      const std::int64_t model = rows.integer(3);
      if (!models.contains(model)) models.emplace(model, select_model(*database_, model));
      observation.model = models.at(model);
      observation.features =
          JsonField(parse_json(rows.text(4), origin), origin + ": features").integers();
      observation.round_widths = rows.integer(5) != 0;
      read_body({parse_json(rows.text(6), origin), origin + ": "}, observation);
      found.push_back(std::move(observation));
    }
    return found;
  }

  void add(std::int64_t profile, const std::vector<BlockTiming>& timings) override {
    const std::vector<BlockTiming> own = storable(timings);
    Transaction transaction(*database_);
    require_profile(profile);
    insert_timings(*database_, profile, own);
    touch(profile);
    transaction.commit();
  }

  std::vector<BlockTiming> timings(std::int64_t profile,
                                   const std::vector<std::string>& kinds) const override {
    require_profile(profile);
    return select_timings(*database_, profile, kinds);
  }

  void put_fit(std::int64_t profile, const StoredFit& fit) override {
    require_utf8(fit.kind, "the key of a kind");
    require_utf8(fit.text, "a fit");
    Transaction transaction(*database_);
    require_profile(profile);
    run(*database_,
        "INSERT INTO fit (series, text) VALUES (?, ?) "
        "ON CONFLICT (series) DO UPDATE SET text = excluded.text",
        series_id(profile, Purpose::variant, fit.kind), fit.text);
    touch(profile);
    transaction.commit();
  }

  std::vector<StoredFit> fits(std::int64_t profile,
                              const std::vector<std::string>& kinds) const override {
    require_profile(profile);
    std::vector<StoredFit> found;
    for (const std::string& kind : kinds) {
      Statement row(*database_,
                    "SELECT f.text FROM series s JOIN fit f ON f.series = s.id "
                    "WHERE s.profile = ? AND s.purpose = ? AND s.kind = ?",
                    profile, to_string(Purpose::variant), kind);
      if (row.step()) found.push_back({kind, row.text(0)});
    }
    return found;
  }

  std::vector<StoredFit> fits(std::int64_t profile) const override {
    require_profile(profile);
    Statement rows(*database_,
                   "SELECT s.kind, f.text FROM series s JOIN fit f ON f.series = s.id "
                   "WHERE s.profile = ? AND s.purpose = ? ORDER BY s.kind",
                   profile, to_string(Purpose::variant));
    std::vector<StoredFit> found;
    while (rows.step()) found.push_back({rows.text(0), rows.text(1)});
    return found;
  }

  void put_document(std::int64_t profile, const StoredDocument& document) override {
    require_utf8(document.name, "the name of a document");
    require_utf8(document.text, "a document");
    Transaction transaction(*database_);
    require_profile(profile);
    run(*database_,
        "INSERT INTO document (profile, name, text) VALUES (?, ?, ?) "
        "ON CONFLICT (profile, name) DO UPDATE SET text = excluded.text",
        profile, document.name, document.text);
    touch(profile);
    transaction.commit();
  }

  std::optional<std::string> document(std::int64_t profile,
                                      const std::string& name) const override {
    require_profile(profile);
    Statement row(*database_, "SELECT text FROM document WHERE profile = ? AND name = ?", profile,
                  name);
    if (!row.step()) return std::nullopt;
    return row.text(0);
  }

  std::vector<StoredDocument> documents(std::int64_t profile) const override {
    require_profile(profile);
    Statement rows(*database_, "SELECT name, text FROM document WHERE profile = ? ORDER BY name",
                   profile);
    std::vector<StoredDocument> found;
    while (rows.step()) found.push_back({rows.text(0), rows.text(1)});
    return found;
  }

  void atomically(const std::function<void()>& changes) override {
    Transaction transaction(*database_);
    changes();
    transaction.commit();
  }

 private:
  struct Owner {
    DeviceInfo device;
    Setup setup;
  };

  DeviceInfo parse_device(const std::string& text, std::int64_t profile) const {
    const std::string origin = fmt::format("{}: profile {}", database_->path(), profile);
    return read_device({parse_json(text, origin), origin + ": device"});
  }

  Setup parse_setup(const std::string& text, std::int64_t profile) const {
    const std::string origin = fmt::format("{}: profile {}", database_->path(), profile);
    return read_profile_setup({parse_json(text, origin), origin + ": setup"});
  }

  std::optional<std::int64_t> profile_of(const DeviceInfo& device, const std::string& setup) const {
    Statement row(*database_,
                  "SELECT p.id FROM device d JOIN profile p ON p.device = d.id "
                  "WHERE d.fingerprint = ? AND p.setup = ?",
                  device.fingerprint, setup);
    if (!row.step()) return std::nullopt;
    return row.integer(0);
  }

  void require_profile(std::int64_t id) const {
    if (!Statement(*database_, "SELECT 1 FROM profile WHERE id = ?", id).step())
      throw_no_profile(id);
  }

  Owner owner_of(std::int64_t profile) const {
    Statement row(*database_,
                  "SELECT d.json, p.setup FROM profile p JOIN device d ON d.id = p.device "
                  "WHERE p.id = ?",
                  profile);
    if (!row.step()) throw_no_profile(profile);
    return {parse_device(row.text(0), profile), parse_setup(row.text(1), profile)};
  }

  std::int64_t series_id(std::int64_t profile, Purpose purpose, const std::string& kind) {
    run(*database_,
        "INSERT INTO series (profile, purpose, kind, enters_fits) VALUES (?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        profile, to_string(purpose), kind, std::int64_t{enters_fits(purpose)});
    Statement row(*database_,
                  "SELECT id FROM series WHERE profile = ? AND purpose = ? AND kind = ?", profile,
                  to_string(purpose), kind);
    row.step();
    return row.integer(0);
  }

  void touch(std::int64_t profile) {
    run(*database_,
        "UPDATE profile SET updated_at = ?, touched = 1 + (SELECT max(touched) FROM profile) "
        "WHERE id = ?",
        utc_now(), profile);
  }

  std::unique_ptr<Database> database_;
};

std::unique_ptr<Database> open_for_writing(const std::string& path, FileState state,
                                           const SqliteOptions& options) {
  if (state == FileState::absent) make_parent_folders(path);
  auto database = std::make_unique<Database>(path, DatabaseMode::write,
                                             DatabaseWait{options.patience, options.wait});
  // The tables come before WAL: so the mark of a store is in the file itself from its first page
  // on.
  if (schema_age(*database, options.migrations) == SchemaAge::older)
    migrate(*database, options.migrations);
  database->prefer_wal();
  return database;
}

std::unique_ptr<Database> open_for_reading(const std::string& path, const SqliteOptions& options) {
  const auto mode =
      read_mode(path) == ReadMode::shared ? DatabaseMode::read : DatabaseMode::read_immutable;
  auto database =
      std::make_unique<Database>(path, mode, DatabaseWait{options.patience, options.wait});
  if (schema_age(*database, options.migrations) == SchemaAge::current) return database;
  database.reset();
  open_for_writing(path, FileState::store, options);
  return open_for_reading(path, options);
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string file = std::filesystem::absolute(path, error).string();
  if (error)
    throw Error(ErrorCode::usage,
                fmt::format("{}: the current folder is gone: {}", path, error.message()));
  return file;
}

}  // namespace

void check_sqlite_store_can_be_written(const std::string& path) {
  const std::string file = absolute_path(path);
  check_place_of_store(file, inspect_store_file(file));
}

std::unique_ptr<Store> open_sqlite_store(const std::string& path, Access access,
                                         const SqliteOptions& options) {
  const std::string file = absolute_path(path);
  const FileState state = inspect_store_file(file);
  if (access == Access::write)
    return std::make_unique<SqliteStore>(open_for_writing(file, state, options));
  if (state != FileState::store)
    throw Error(ErrorCode::unknown, fmt::format("no store at {}: profile a network first", file),
                Remedy::profile);
  if (needs_recovery(file)) open_for_writing(file, state, options);
  return std::make_unique<SqliteStore>(open_for_reading(file, options));
}

}  // namespace ampere
