// A store that the program wrote when version 3 of the schema was the latest, most of it measured
// on a real device. tests/data/store says how it was made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "../support/gunzip.h"
#include "samples.h"
#include "store/sql_store.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using testing_support::gunzip;

const std::string kData = AMPERE_TEST_DATA "/store/";

class Version3 : public ::testing::Test {
 protected:
  Version3() : path_(folder_ / "store.db") { write_bytes(path_, gunzip(kData + "version3.db.gz")); }

  std::unique_ptr<Store> open(Access access = Access::write) const {
    return open_store("sqlite:" + path_, access);
  }
  std::int64_t version() const { return run_sql(path_, "PRAGMA user_version"); }

  TempFolder folder_;
  std::string path_;
};

TEST_F(Version3, KeepsEveryObservationUnderItsPurpose) {
  ASSERT_EQ(version(), 3);
  const auto store = open();
  EXPECT_EQ(version(), 4);
  const std::map<std::pair<std::int64_t, Purpose>, std::size_t> known = {
      {{1, Purpose::network}, 32}, {{1, Purpose::variant}, 20}, {{2, Purpose::network}, 8},
      {{3, Purpose::network}, 8},  {{4, Purpose::network}, 4},  {{5, Purpose::network}, 11},
      {{5, Purpose::variant}, 22}, {{5, Purpose::test}, 16},    {{5, Purpose::check}, 1},
      {{6, Purpose::network}, 4},  {{6, Purpose::kernel}, 40},  {{6, Purpose::fusion}, 6},
      {{6, Purpose::overhead}, 2}};
  for (const ProfileRow& row : store->profiles())
    for (const Purpose purpose : {Purpose::network, Purpose::variant, Purpose::test, Purpose::check,
                                  Purpose::kernel, Purpose::fusion, Purpose::overhead}) {
      const auto count = known.find({row.id, purpose});
      EXPECT_THAT(store->find({.profile = row.id, .purpose = purpose}),
                  SizeIs(count == known.end() ? 0 : count->second))
          << row.id << " " << to_string(purpose);
    }
  std::size_t round = 0;
  for (const Observation& network : store->find({.profile = 5, .purpose = Purpose::network})) {
    round += network.round_widths ? 1 : 0;
    EXPECT_THAT(network.measurement.value().notes, Not(Contains(HasSubstr("round widths"))));
  }
  EXPECT_EQ(round, 2U);
}

TEST_F(Version3, CountsOnlyBlocksAsKinds) {
  std::map<std::int64_t, ProfileRow> rows;
  for (const ProfileRow& row : open()->profiles()) rows[row.id] = row;
  ASSERT_THAT(rows, SizeIs(6));
  EXPECT_EQ(rows[1].kinds, 6);
  EXPECT_EQ(rows[1].observations, 52);
  EXPECT_EQ(rows[5].kinds, 8) << "not also what was not learnt from";
  EXPECT_EQ(rows[5].observations, 33);
  EXPECT_EQ(rows[5].tests, 16 + 1);
  EXPECT_EQ(rows[6].kinds, 0) << "kernels and fused neighbours are none";
  EXPECT_EQ(rows[6].observations, 52);
}

// Version 1 of exported profiles has the same marks as version 3 of the schema.
TEST_F(Version3, HoldsWhatItsOwnProgramExported) {
  const auto store = open();
  for (const std::int64_t profile : {5, 6}) {
    const auto other = open_store("memory:");
    const std::string name = "profile" + std::to_string(profile) + ".json";
    const std::int64_t same = import_profile(*other, gunzip(kData + name + ".gz"), name);
    EXPECT_EQ(texts_of(store->find(all_of(profile))), texts_of(other->find(all_of(same))));
    EXPECT_EQ(export_profile(*store, profile), export_profile(*other, same));
    EXPECT_EQ(import_profile(*store, gunzip(kData + name + ".gz"), name), profile);
    EXPECT_EQ(store->find(all_of(profile)).size(), other->find(all_of(same)).size())
        << "nothing is added twice";
  }
}

TEST_F(Version3, TravelsToAnotherStore) {
  const auto store = open();
  const auto other = open_store("sqlite:" + (folder_ / "other.db"));
  for (const ProfileRow& row : store->profiles()) {
    const std::string document = export_profile(*store, row.id);
    EXPECT_EQ(export_profile(*other, import_profile(*other, document, "profile.json")), document);
  }
}

TEST_F(Version3, IsMigratedOnTheWayToReading) {
  EXPECT_THAT(open(Access::read)->profiles(), SizeIs(6));
  EXPECT_EQ(version(), 4);
}

TEST_F(Version3, StoresEveryModelOnceAndSmaller) {
  const std::int64_t models = run_sql(path_, "SELECT count(*) FROM model"),
                     bytes = run_sql(path_, "SELECT sum(length(json)) FROM model");
  open();
  EXPECT_EQ(run_sql(path_, "SELECT count(*) FROM model"), models);
  EXPECT_EQ(run_sql(path_, "SELECT sum(size) FROM model"), bytes);
  EXPECT_LT(run_sql(path_, "SELECT sum(length(content)) FROM model"), bytes / 2);
}

// Whatever stops it: an error at the end of it, or an observation that cannot be understood.
TEST_F(Version3, StaysAsItWasWhenTheMigrationFails) {
  std::vector<Migration> migrations(schema_migrations().begin(), schema_migrations().end());
  migrations.back() = [](SqlDatabase& database) {
    schema_migrations().back()(database);
    throw Error(ErrorCode::failed, "stopped half-way");
  };
  SqlStoreOptions options;
  options.migrations = migrations;
  const std::string before = bytes_of(path_);
  for (const Access access : {Access::write, Access::read}) {
    EXPECT_EQ(thrown_by([&] { open_sql_store("sqlite:" + path_, access, options); }).message,
              "stopped half-way");
    EXPECT_TRUE(bytes_of(path_) == before);
  }
  EXPECT_THAT(open()->find(all_of(5)), SizeIs(50)) << "and is migrated when it is opened again";
}

TEST_F(Version3, StaysAsItWasWhenAnObservationIsDamaged) {
  run_sql(path_,
          "UPDATE observation SET body = replace(body, '\"notes\":[', '\"notes\":[,') "
          "WHERE instr(body, 'at round widths') > 0");
  const Thrown thrown = thrown_by([&] { open(); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr(path_));
  EXPECT_THAT(thrown.message, HasSubstr("observation"));
  EXPECT_EQ(version(), 3);
  EXPECT_EQ(run_sql(path_, "SELECT count(*) FROM sqlite_schema WHERE name = 'series'"), 0);
  EXPECT_EQ(run_sql(path_, "SELECT sum(observations) FROM kind"),
            run_sql(path_, "SELECT count(*) FROM observation"));
}

}  // namespace
}  // namespace ampere
