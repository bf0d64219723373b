#include "store/sql_store.h"

#include <fmt/format.h>

#include <utility>

#include "ampere/error.h"
#include "base/text.h"
#include "record/record_json.h"
#include "setup/general_setup.h"
#include "sql/sql.h"
#include "store/sql_models.h"
#include "store/sql_observations.h"
#include "store/sql_timings.h"
#include "store/storable.h"

namespace ampere {
namespace {

class SqlClaim final : public Claim {
 public:
  SqlClaim(SqlDatabase& database, std::string what) : database_(database), what_(std::move(what)) {}
  // A claim that cannot be given back ends with the connection.
  ~SqlClaim() override {
    try {
      database_.unlock(what_);
    } catch (const Error&) {
    }
  }
  bool look_again() const override { return database_.engine() == SqlEngine::postgresql; }
  SqlClaim(const SqlClaim&) = delete;
  SqlClaim& operator=(const SqlClaim&) = delete;

 private:
  SqlDatabase& database_;
  std::string what_;
};

class SqlStore final : public Store {
 public:
  explicit SqlStore(std::unique_ptr<SqlDatabase> database) : database_(std::move(database)) {}

  std::int64_t open_profile(const DeviceInfo& device, const Setup& setup,
                            const std::string& rig) override {
    const DeviceInfo own_device = storable(device);
    const std::string setup_text = json_text(profile_setup_json(storable(setup)));
    require_utf8(rig, "the rig");
    if (const auto known = profile_of(own_device, setup_text)) return *known;
    std::int64_t id = 0;
    change([&] { id = make_profile(own_device, setup_text, rig); });
    return id;
  }

  std::vector<ProfileRow> profiles() const override {
    const auto row =
        rows(*database_,
             "SELECT p.id, d.json, p.setup, p.rig, p.updated_at, "
             "(SELECT count(*) FROM series WHERE profile = p.id AND purpose = ?1), "
             "(SELECT sum(observations) FROM series WHERE profile = p.id AND enters_fits = 1), "
             "(SELECT sum(failures) FROM series WHERE profile = p.id AND enters_fits = 1), "
             "(SELECT sum(observations) FROM series WHERE profile = p.id AND enters_fits = 0) "
             "FROM profile p JOIN device d ON d.id = p.device ORDER BY p.touched DESC",
             to_string(Purpose::variant));
    std::vector<ProfileRow> profiles;
    while (row->next()) {
      const std::int64_t id = row->integer(0);
      profiles.push_back({.id = id,
                          .device = parse_device(row->text(1), id),
                          .setup = parse_setup(row->text(2), id),
                          .rig = row->text(3),
                          .kinds = row->integer(5),
                          .observations = row->integer(6),
                          .failures = row->integer(7),
                          .tests = row->integer(8),
                          .updated_at = row->text(4)});
    }
    return profiles;
  }

  void remove_profile(std::int64_t id) override {
    change([&] {
      require_profile(id);
      run(*database_, "DELETE FROM profile WHERE id = ?1", id);
      remove_unused_models(*database_);
      run(*database_,
          "DELETE FROM device WHERE NOT EXISTS "
          "(SELECT 1 FROM profile WHERE profile.device = device.id)");
    });
  }

  void add(std::int64_t profile, const Observation& observation) override {
    const Observation own = storable(observation);
    change([&] {
      const Owner owner = owner_of(profile);
      require_member(own, owner.device, owner.setup);
      insert_observation(*database_, profile, own);
      touch(profile);
    });
  }

  std::vector<Observation> find(const Query& query) const override {
    const Owner owner = owner_of(query.profile);
    Observation like;
    like.device = owner.device;
    like.setup = owner.setup;
    return select_observations(*database_, query, like);
  }

  void add(std::int64_t profile, const std::vector<BlockTiming>& timings) override {
    const std::vector<BlockTiming> own = storable(timings);
    change([&] {
      require_profile(profile);
      insert_timings(*database_, profile, own);
      touch(profile);
    });
  }

  std::vector<BlockTiming> timings(std::int64_t profile,
                                   const std::vector<std::string>& kinds) const override {
    require_profile(profile);
    return select_timings(*database_, profile, kinds);
  }

  // The fit of a block kind belongs to the series of its variants, which may be empty.
  void put_fit(std::int64_t profile, const StoredFit& fit) override {
    require_utf8(fit.kind, "the key of a kind");
    require_utf8(fit.text, "a fit");
    change([&] {
      require_profile(profile);
      run(*database_,
          "INSERT INTO fit (series, text) VALUES (?1, ?2) "
          "ON CONFLICT (series) DO UPDATE SET text = excluded.text",
          count_in_series(*database_, profile, Purpose::variant, fit.kind, 0, 0), fit.text);
      touch(profile);
    });
  }

  std::vector<StoredFit> fits(std::int64_t profile,
                              const std::vector<std::string>& kinds) const override {
    require_profile(profile);
    std::vector<StoredFit> found;
    for (const std::string& kind : kinds) {
      const auto row = rows(*database_,
                            "SELECT f.text FROM series s JOIN fit f ON f.series = s.id "
                            "WHERE s.profile = ?1 AND s.purpose = ?2 AND s.kind = ?3",
                            profile, to_string(Purpose::variant), kind);
      if (row->next()) found.push_back({kind, row->text(0)});
    }
    return found;
  }

  std::vector<StoredFit> fits(std::int64_t profile) const override {
    require_profile(profile);
    const auto row = rows(*database_,
                          "SELECT s.kind, f.text FROM series s JOIN fit f ON f.series = s.id "
                          "WHERE s.profile = ?1 AND s.purpose = ?2 ORDER BY s.kind",
                          profile, to_string(Purpose::variant));
    std::vector<StoredFit> found;
    while (row->next()) found.push_back({row->text(0), row->text(1)});
    return found;
  }

  void put_document(std::int64_t profile, const StoredDocument& document) override {
    require_utf8(document.name, "the name of a document");
    require_utf8(document.text, "a document");
    change([&] {
      require_profile(profile);
      run(*database_,
          "INSERT INTO document (profile, name, text) VALUES (?1, ?2, ?3) "
          "ON CONFLICT (profile, name) DO UPDATE SET text = excluded.text",
          profile, document.name, document.text);
      touch(profile);
    });
  }

  std::optional<std::string> document(std::int64_t profile,
                                      const std::string& name) const override {
    require_profile(profile);
    const auto row = rows(*database_, "SELECT text FROM document WHERE profile = ?1 AND name = ?2",
                          profile, name);
    if (!row->next()) return std::nullopt;
    return row->text(0);
  }

  std::vector<StoredDocument> documents(std::int64_t profile) const override {
    require_profile(profile);
    const auto row = rows(
        *database_, "SELECT name, text FROM document WHERE profile = ?1 ORDER BY name", profile);
    std::vector<StoredDocument> found;
    while (row->next()) found.push_back({row->text(0), row->text(1)});
    return found;
  }

  std::unique_ptr<Claim> claim(std::int64_t profile, const std::string& point) override {
    std::string what = fmt::format("profile {} {}", profile, point);
    if (!database_->try_lock(what)) return nullptr;
    return std::make_unique<SqlClaim>(*database_, std::move(what));
  }

  void atomically(const std::function<void()>& changes) override { change(changes); }

 private:
  struct Owner {
    DeviceInfo device;
    Setup setup;
  };

  // All changes of a store take turns: every one of them touches its profile and its counters, so
  // that two at once would collide and one had to be repeated. Profiles are touched once per
  // transaction, however much of them changed: PostgreSQL keeps every version of a row until then.
  void change(const std::function<void()>& changes) {
    if (changing_) return database_->atomically(changes);
    const auto all = [&] {
      changing_ = true;
      touched_.clear();
      changes();
      for (const std::int64_t profile : touched_) write_touch(profile);
    };
    try {
      database_->atomically(all, "store");
    } catch (...) {
      changing_ = false;
      throw;
    }
    changing_ = false;
  }

  DeviceInfo parse_device(const std::string& text, std::int64_t profile) const {
    const std::string origin = fmt::format("{}: profile {}", database_->name(), profile);
    return read_device({parse_json(text, origin), origin + ": device"});
  }

  Setup parse_setup(const std::string& text, std::int64_t profile) const {
    const std::string origin = fmt::format("{}: profile {}", database_->name(), profile);
    return read_profile_setup({parse_json(text, origin), origin + ": setup"});
  }

  std::optional<std::int64_t> profile_of(const DeviceInfo& device, const std::string& setup) const {
    const auto row = rows(*database_,
                          "SELECT p.id FROM device d JOIN profile p ON p.device = d.id "
                          "WHERE d.fingerprint = ?1 AND p.setup = ?2",
                          device.fingerprint, setup);
    if (!row->next()) return std::nullopt;
    return row->integer(0);
  }

  std::int64_t make_profile(const DeviceInfo& device, const std::string& setup,
                            const std::string& rig) {
    // Another process may have been faster.
    if (const auto known = profile_of(device, setup)) return *known;
    run(*database_, "INSERT INTO device (fingerprint, json) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        device.fingerprint, json_text(device_json(device)));
    const auto row = rows(*database_,
                          "INSERT INTO profile (device, setup, rig, updated_at, touched) VALUES "
                          "((SELECT id FROM device WHERE fingerprint = ?1), ?2, ?3, '', 0) "
                          "RETURNING id",
                          device.fingerprint, setup, rig);
    row->next();
    const std::int64_t id = row->integer(0);
    touch(id);
    return id;
  }

  void require_profile(std::int64_t id) const {
    if (!rows(*database_, "SELECT 1 FROM profile WHERE id = ?1", id)->next()) throw_no_profile(id);
  }

  Owner owner_of(std::int64_t profile) const {
    const auto row = rows(*database_,
                          "SELECT d.json, p.setup FROM profile p JOIN device d ON d.id = p.device "
                          "WHERE p.id = ?1",
                          profile);
    if (!row->next()) throw_no_profile(profile);
    return {parse_device(row->text(0), profile), parse_setup(row->text(1), profile)};
  }

  void touch(std::int64_t profile) {
    std::erase(touched_, profile);
    touched_.push_back(profile);
  }

  void write_touch(std::int64_t profile) {
    run(*database_,
        "UPDATE profile SET updated_at = ?1, touched = 1 + (SELECT max(touched) FROM profile) "
        "WHERE id = ?2",
        utc_now(), profile);
  }

  std::unique_ptr<SqlDatabase> database_;
  bool changing_ = false;              // inside a transaction
  std::vector<std::int64_t> touched_;  // profiles that it changed, the last one last
};

}  // namespace

std::unique_ptr<Store> open_sql_store(const std::string& url, Access access,
                                      const SqlStoreOptions& options) {
  auto database = open_database(url, access, options.wait);
  const Migrations migrations = options.migrations.value_or(schema_migrations(database->engine()));
  const SchemaAge age = schema_age(*database, migrations);
  if (age != SchemaAge::current && database->writable()) {
    migrate_store(*database, migrations);
  } else if (age == SchemaAge::none) {
    throw Error(ErrorCode::unknown,
                fmt::format("no store at {}: profile a network first", database->name()),
                Remedy::profile);
  } else if (age == SchemaAge::older) {
    database.reset();
    migrate_store(*open_database(url, Access::write, options.wait), migrations);
    database = open_database(url, access, options.wait);
  }
  return std::make_unique<SqlStore>(std::move(database));
}

}  // namespace ampere
