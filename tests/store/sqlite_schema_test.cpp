// Stores of other versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "samples.h"
#include "store/sqlite_store.h"

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
    std::vector<const char*> scripts(schema_scripts().begin(), schema_scripts().end());
    scripts.push_back(further);
    SqliteOptions options;
    options.scripts = scripts;
    return open_sqlite_store(path_, access, options);
  }

  std::int64_t version() { return run_sql(path_, "PRAGMA user_version"); }

  const std::int64_t known_ = static_cast<std::int64_t>(schema_scripts().size());
  TempFolder folder_;
  std::string path_;
};

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
    EXPECT_THAT(store->find({store->profiles()[0].id, std::nullopt, std::nullopt}), SizeIs(1));
  }
  EXPECT_EQ(version(), known_ + 1);
}

TEST_F(SqliteSchema, MigratesFromEveryVersionThereWas) {
  for (const std::size_t old : {1, 2}) {
    const std::string path = folder_ / ("version" + std::to_string(old) + ".db");
    SqliteOptions options;
    options.scripts = schema_scripts().first(old);
    {
      const auto store = open_sqlite_store(path, Access::write, options);
      store->add(open_sample_profile(*store), sample_observation());
    }
    ASSERT_EQ(run_sql(path, "PRAGMA user_version"), static_cast<std::int64_t>(old));
    const auto store = open_store("sqlite:" + path);
    const std::int64_t profile = open_sample_profile(*store);
    EXPECT_EQ(texts_of(store->find({profile, std::nullopt, std::nullopt})),
              texts_of({sample_observation()}));
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
  const auto found = store->find({open_sample_profile(*store), std::nullopt, std::nullopt});
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
  for (const char* table : {"model", "device", "observation", "kind", "fit", "timing", "profile"})
    EXPECT_EQ(count(table), 0) << table;
}

}  // namespace
}  // namespace ampere
