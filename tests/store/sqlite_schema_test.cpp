// Stores of other versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "model/model_json.h"
#include "record/record_json.h"
#include "samples.h"
#include "store/sql_store.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class SqliteSchema : public ::testing::Test {
 protected:
  SqliteSchema() : path_(folder_ / "store.db") {
    const auto store = open_store("sqlite:" + path_);
    store->add(open_sample_profile(*store), sample_observation());
  }

  // The store as a program would open it whose schema has one script more.
  std::unique_ptr<Store> open_with(const char* further, Access access) {
    std::vector<Migration> migrations(schema_migrations().begin(), schema_migrations().end());
    migrations.emplace_back([=](SqlDatabase& database) { database.execute(further); });
    SqlStoreOptions options;
    options.migrations = migrations;
    return open_sql_store("sqlite:" + path_, access, options);
  }

  std::int64_t version() { return run_sql(path_, "PRAGMA user_version"); }

  const std::int64_t known_ = static_cast<std::int64_t>(schema_migrations().size());
  TempFolder folder_;
  std::string path_;
};

// One observation of every mark there was, as they are today.
std::vector<Observation> old_observations() {
  Observation round = sample_observation("");
  round.round_widths = true;
  return {sample_failure(),
          round,
          sample_of(Purpose::check),
          sample_of(Purpose::test),
          sample_of(Purpose::kernel),
          sample_of(Purpose::fusion),
          sample_of(Purpose::overhead),
          sample_observation("")};
}

std::string old_kind(const Observation& observation) {
  switch (observation.purpose) {
    case Purpose::network:
    case Purpose::variant:
      return observation.kind;
    case Purpose::test:
      return "test of " + observation.kind;
    case Purpose::check:
      return "not learnt from";
    case Purpose::kernel:
      return "kernel " + observation.kind;
    case Purpose::fusion:
      return "fusion";
    case Purpose::overhead:
      return "overhead";
  }
  return "";
}

std::string old_body(const Observation& observation) {
  Json json = observation_json(observation);
  if (observation.round_widths)
    json["measurement"]["notes"].push_back("at round widths, for its profile");
  Json body;
  for (const char* key : {"taken_at", "failure", "measurement", "timing"}) body[key] = json[key];
  return body.dump();
}

// A store as the program of that time wrote it.
void make_old_store(const std::string& path, std::size_t version) {
  const auto opened = open_database("sqlite:" + path, Access::write);
  SqlDatabase& database = *opened;
  migrate_store(database, schema_migrations().first(version));
  const Observation any = sample_observation();
  run(database, "INSERT INTO device VALUES (1, ?, ?)", any.device.fingerprint,
      device_json(any.device).dump());
  run(database, "INSERT INTO profile VALUES (1, 1, ?, 'sim:bench', '2026-01-31T12:00:00Z', 1)",
      setup_json(any.setup).dump());
  run(database, "INSERT INTO model VALUES (1, ?, ?)", model_hash(any.model),
      model_json(any.model).dump());
  std::int64_t id = 0;
  for (const Observation& observation : old_observations()) {
    ++id;
    run(database, "INSERT INTO kind (id, profile, key) VALUES (?, 1, ?) ON CONFLICT DO NOTHING", id,
        old_kind(observation));
    run(database,
        "UPDATE kind SET observations = observations + 1, failures = failures + ? WHERE key = ?",
        std::int64_t{!observation.measurement}, old_kind(observation));
    run(database, "INSERT INTO observation SELECT ?, 1, id, 1, ?, ? FROM kind WHERE key = ?", id,
        Json(observation.features).dump(), old_body(observation), old_kind(observation));
  }
  run(database, "INSERT INTO fit VALUES (1, 'a fit')");
}

TEST_F(SqliteSchema, MarksTheFile) {
  EXPECT_EQ(run_sql(path_, "PRAGMA application_id"), 0x616d7072);
  EXPECT_EQ(version(), known_);
}

TEST_F(SqliteSchema, RefusesANewerVersionUntouched) {
  run_sql(path_, "PRAGMA user_version = 1000");
  const std::string before = bytes_of(path_);
  for (const Access access : {Access::read, Access::write}) {
    const Thrown thrown = thrown_by([&] { open_store("sqlite:" + path_, access); });
    EXPECT_EQ(thrown.code, ErrorCode::usage);
    EXPECT_THAT(thrown.message, HasSubstr("written by a newer ampere"));
    EXPECT_THAT(thrown.message, HasSubstr(path_));
  }
  EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(SqliteSchema, MigratesWithEverythingKept) {
  const char* rename = "ALTER TABLE fit ADD COLUMN note TEXT; UPDATE profile SET rig = 'migrated'";
  for (const Access access : {Access::write, Access::read}) {
    const auto store = open_with(rename, access);
    ASSERT_THAT(store->profiles(), SizeIs(1));
    EXPECT_EQ(store->profiles()[0].rig, "migrated");
    EXPECT_THAT(store->find({.profile = store->profiles()[0].id}), SizeIs(1));
  }
  EXPECT_EQ(version(), known_ + 1);
}

TEST_F(SqliteSchema, MigratesFromEveryVersionThereWas) {
  for (const std::size_t old : {1, 2, 3}) {
    const std::string path = folder_ / ("version" + std::to_string(old) + ".db");
    make_old_store(path, old);
    ASSERT_EQ(run_sql(path, "PRAGMA user_version"), static_cast<std::int64_t>(old));
    const auto store = open_store("sqlite:" + path);
    const std::int64_t profile = open_sample_profile(*store);
    EXPECT_EQ(texts_of(store->find(all_of(profile))), texts_of(old_observations()));
    const ProfileRow row = store->profiles().at(0);
    EXPECT_EQ(row.kinds, 1);
    EXPECT_EQ(row.observations, 6);
    EXPECT_EQ(row.failures, 1);
    EXPECT_EQ(row.tests, 2);
    ASSERT_THAT(store->fits(profile), SizeIs(1));
    EXPECT_EQ(store->fits(profile)[0].text, "a fit");
    store->add(profile, {sample_timing()});
    store->put_document(profile, {"evaluation", "{}"});
    EXPECT_THAT(store->timings(profile), SizeIs(1));
    EXPECT_EQ(run_sql(path, "PRAGMA user_version"), known_);
  }
}

// Observations were stored without a timing before there were any.
TEST_F(SqliteSchema, ReadsObservationsThatSayNothingOfATiming) {
  run_sql(path_, "UPDATE observation SET body = json_remove(body, '$.timing')");
  const auto store = open_store("sqlite:" + path_);
  const auto found = store->find({.profile = open_sample_profile(*store)});
  EXPECT_EQ(texts_of(found), texts_of({sample_observation()}));
}

TEST_F(SqliteSchema, MigratesOnTheWayToReading) {
  const auto store = open_with("CREATE TABLE further (x)", Access::read);
  EXPECT_THAT(store->profiles(), SizeIs(1));
  EXPECT_EQ(version(), known_ + 1);
}

TEST_F(SqliteSchema, RunsEachScriptOnce) {
  open_with("CREATE TABLE further (x)", Access::write);
  open_with("CREATE TABLE further (x)", Access::write);
  EXPECT_EQ(version(), known_ + 1);
}

TEST_F(SqliteSchema, TakesAFailedMigrationBack) {
  const char* half =
      "CREATE TABLE further (x); DELETE FROM observation; INSERT INTO nowhere VALUES (1)";
  const Thrown thrown = thrown_by([&] { open_with(half, Access::write); });
  EXPECT_EQ(thrown.code, ErrorCode::failed);
  EXPECT_THAT(thrown.message, HasSubstr(path_));
  EXPECT_EQ(version(), known_);
  EXPECT_EQ(run_sql(path_, "SELECT count(*) FROM sqlite_schema WHERE name = 'further'"), 0);
  EXPECT_EQ(run_sql(path_, "SELECT count(*) FROM observation"), 1);
}

TEST_F(SqliteSchema, KeepsEveryModelOnceAndOnlyWhileItIsUsed) {
  const auto store = open_store("sqlite:" + path_);
  const std::int64_t profile = open_sample_profile(*store);
  const std::int64_t other = store->open_profile(sample_device("b"), sample_setup(), "local");
  store->add(profile, sample_observation());
  store->add(profile, sample_observation("conv", 9));
  store->add(profile, {sample_timing()});
  store->add(other, {sample_timing()});
  Observation shared = sample_observation();
  shared.device = sample_device("b");
  store->add(other, shared);
  const auto count = [&](const std::string& table) {
    return run_sql(path_, "SELECT count(*) FROM " + table);
  };
  EXPECT_EQ(count("model"), 2);
  EXPECT_EQ(count("device"), 2);
  store->remove_profile(profile);
  EXPECT_EQ(count("model"), 1);
  EXPECT_EQ(count("device"), 1);
  EXPECT_EQ(count("observation"), 1);
  EXPECT_EQ(count("timing"), 1);
  store->remove_profile(other);
  for (const char* table : {"model", "device", "observation", "series", "fit", "timing", "profile"})
    EXPECT_EQ(count(table), 0) << table;
}

}  // namespace
}  // namespace ampere
