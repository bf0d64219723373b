// What both engines promise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <limits>

#include "ampere/error.h"
#include "sql/sql.h"
#include "store/child.h"
#include "support/postgres_server.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::PostgresServer;
using testing_support::TempFolder;

// Four processes do this at the same time, and none of them fails.
void in_four_processes(const std::function<void()>& action) {
  const auto work = [&](int out) {
    std::string outcome = "done.";
    try {
      action();
    } catch (const std::exception& error) {
      outcome = error.what();
    }
    if (write(out, outcome.data(), outcome.size()) < 0) _exit(1);
  };
  Worker first(work), second(work), third(work), fourth(work);
  for (Worker* worker : {&first, &second, &third, &fourth}) EXPECT_EQ(worker->rest(), "done.");
}

class SqlContract : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("postgresql")) {
      AMPERE_NEEDS_POSTGRES();
      url_ = PostgresServer::shared().new_schema();
    } else {
      url_ = "sqlite:" + (folder_ / "data.db");
    }
  }

  std::unique_ptr<SqlDatabase> open(Access access = Access::write) const {
    return open_database(url_, access);
  }
  std::unique_ptr<SqlDatabase> open_with_table() const {
    auto database = open();
    migrate(*database, "test", kList);
    return database;
  }
  static std::int64_t count(SqlDatabase& database) {
    const auto row = rows(database, "SELECT count(*) FROM item");
    row->next();
    return row->integer(0);
  }
  static void insert(SqlDatabase& database, std::int64_t number) {
    run(database, "INSERT INTO item (number) VALUES (?1)", number);
  }

  static inline const std::vector<Migration> kList = {
      running("CREATE TABLE item (id $ID, number BIGINT, ratio $REAL, name TEXT, content $BLOB)")};
  TempFolder folder_;
  std::string url_;
};

TEST_P(SqlContract, GivesBackEveryValueExactly) {
  const auto database = open_with_table();
  const std::string awkward("a\0b\1c\2 ?1 $1 'quoted' \"Gerät\" \n\\", 34), empty;
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  using Limits = std::numeric_limits<std::int64_t>;
  database->atomically([&] {
    for (const std::int64_t number : {Limits::min(), std::int64_t{0}, Limits::max()})
      run(*database, "INSERT INTO item (number, ratio, name, content) VALUES (?1, ?2, ?3, ?4)",
          number, 0.1 + 0.2, awkward, Blob{bytes});
    run(*database, "INSERT INTO item (number, ratio, name, content) VALUES (?1, ?2, ?3, ?4)",
        std::int64_t{7}, 4.9e-324, empty, Blob{""});
  });
  const auto row = rows(*database, "SELECT number, ratio, name, content FROM item ORDER BY id");
  for (const std::int64_t number : {Limits::min(), std::int64_t{0}, Limits::max()}) {
    ASSERT_TRUE(row->next());
    EXPECT_EQ(row->integer(0), number);
    EXPECT_EQ(row->number(1), 0.1 + 0.2);
    EXPECT_EQ(row->text(2), awkward);
    EXPECT_EQ(row->blob(3), bytes);
  }
  ASSERT_TRUE(row->next());
  EXPECT_EQ(row->number(1), 4.9e-324);
  EXPECT_EQ(row->text(2), "");
  EXPECT_EQ(row->blob(3), "");
  EXPECT_FALSE(row->next());
}

TEST_P(SqlContract, TellsNothingFromZero) {
  const auto database = open_with_table();
  const std::optional<double> nothing;
  database->atomically([&] { run(*database, "INSERT INTO item (ratio) VALUES (?1)", nothing); });
  const auto row = rows(*database, "SELECT ratio, number, name, content FROM item");
  ASSERT_TRUE(row->next());
  EXPECT_EQ(row->number(0), std::nullopt);
  EXPECT_EQ(row->number(1), std::nullopt);
  EXPECT_EQ(row->integer(1), 0);
  EXPECT_EQ(row->text(2), "");
  EXPECT_EQ(row->blob(3), "");
}

TEST_P(SqlContract, RunsOneStatementInsideItself) {
  const auto database = open_with_table();
  database->atomically([&] {
    for (int i = 0; i < 3; ++i) insert(*database, i);
  });
  const std::string sql = "SELECT number FROM item ORDER BY number";
  std::int64_t pairs = 0;
  for (const auto outer = rows(*database, sql); outer->next();)
    for (const auto inner = rows(*database, sql); inner->next();) ++pairs;
  EXPECT_EQ(pairs, 9);
}

TEST_P(SqlContract, TakesBackWhatDidNotEnd) {
  const auto database = open_with_table();
  const auto half = [&] {
    insert(*database, 1);
    throw std::runtime_error("on the way");
  };
  EXPECT_THROW(database->atomically(half), std::runtime_error);
  EXPECT_EQ(count(*database), 0);
  database->atomically([&] { insert(*database, 2); });
  EXPECT_EQ(count(*database), 1);
}

TEST_P(SqlContract, TakesBackAnInnerOneAlone) {
  const auto database = open_with_table();
  database->atomically([&] {
    insert(*database, 1);
    const auto inner = [&] {
      insert(*database, 2);
      run(*database, "INSERT INTO nowhere (x) VALUES (1)");
    };
    EXPECT_THROW(database->atomically(inner), Error);
    database->atomically([&] { insert(*database, 3); });
  });
  EXPECT_EQ(count(*database), 2);
}

// A transaction in which a statement failed cannot be committed by half, or without a word.
TEST_P(SqlContract, NeverCommitsSilentlyLessThanWasAsked) {
  const auto database = open_with_table();
  bool committed = true;
  try {
    database->atomically([&] {
      insert(*database, 1);
      try {
        run(*database, "INSERT INTO nowhere (x) VALUES (1)");
      } catch (const Error&) {
      }
    });
  } catch (const Error&) {
    committed = false;
  }
  EXPECT_EQ(count(*database), committed ? 1 : 0);
}

TEST_P(SqlContract, ChangesNothingThatWasOpenedForReading) {
  open_with_table();
  const auto database = open(Access::read);
  EXPECT_EQ(count(*database), 0);
  try {
    database->atomically([&] { insert(*database, 1); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::permission);
  }
  EXPECT_THROW(insert(*database, 1), Error);
  EXPECT_EQ(count(*database), 0);
}

TEST_P(SqlContract, SaysWhichStatementTheServerDidNotLike) {
  const auto database = open();
  try {
    rows(*database, "SELECT * FROM nowhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("nowhere"));
    EXPECT_THAT(error.what(), HasSubstr(database->name()));
  }
}

TEST_P(SqlContract, MigratesWhatAnOlderProgramMade) {
  const auto database = open_with_table();
  database->atomically([&] { insert(*database, 5); });
  std::vector<Migration> longer = kList;
  longer.push_back(running("ALTER TABLE item ADD COLUMN colour TEXT"));
  longer.push_back([](SqlDatabase& db) { run(db, "UPDATE item SET colour = ?1", "red"); });
  migrate(*database, "test", longer);
  migrate(*database, "test", longer);
  EXPECT_EQ(version_of(*database, "test", longer), 3U);
  EXPECT_EQ(version_of(*database, "other", longer), 0U);
  const auto row = rows(*database, "SELECT number, colour FROM item");
  ASSERT_TRUE(row->next());
  EXPECT_EQ(row->integer(0), 5);
  EXPECT_EQ(row->text(1), "red");
}

TEST_P(SqlContract, RefusesWhatANewerProgramMadeUntouched) {
  const auto database = open_with_table();
  const std::vector<Migration> newer = {kList[0], running("CREATE TABLE later (x BIGINT)")};
  migrate(*database, "test", newer);
  try {
    migrate(*database, "test", kList);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("newer ampere"));
  }
  EXPECT_EQ(version_of(*database, "test", newer), 2U);
}

TEST_P(SqlContract, TakesAFailedMigrationBack) {
  const auto database = open_with_table();
  const std::vector<Migration> broken = {
      kList[0], running("CREATE TABLE later (x BIGINT); INSERT INTO nowhere VALUES (1)")};
  EXPECT_THROW(migrate(*database, "test", broken), Error);
  EXPECT_EQ(version_of(*database, "test", kList), 1U);
  EXPECT_THROW(rows(*database, "SELECT x FROM later"), Error);
}

TEST_P(SqlContract, LetsManyProcessesMigrateAtOnce) {
  // A script that fails when it runs twice.
  const std::vector<Migration> list = {running("CREATE TABLE one (x BIGINT)"),
                                       running("INSERT INTO one VALUES (1)")};
  in_four_processes([&] { migrate(*open(), "race", list); });
  const auto database = open();
  const auto row = rows(*database, "SELECT count(*) FROM one");
  row->next();
  EXPECT_EQ(row->integer(0), 1);
}

// Every transaction reads what it then changes, as an account that is drawn upon.
TEST_P(SqlContract, LosesNoUpdateOfManyProcesses) {
  constexpr int kEach = 25;
  {
    const auto database = open_with_table();
    database->atomically([&] { insert(*database, 0); });
  }
  in_four_processes([&] {
    const auto database = open();
    for (int i = 0; i < kEach; ++i)
      database->atomically([&] {
        const auto row = rows(*database, "SELECT number FROM item");
        row->next();
        run(*database, "UPDATE item SET number = ?1", row->integer(0) + 1);
      });
  });
  const auto database = open();
  const auto row = rows(*database, "SELECT number FROM item");
  row->next();
  EXPECT_EQ(row->integer(0), 4 * kEach);
}

std::string engine_name(const ::testing::TestParamInfo<const char*>& param_info) {
  return param_info.param;
}
INSTANTIATE_TEST_SUITE_P(Engines, SqlContract, ::testing::Values("sqlite"), engine_name);
INSTANTIATE_TEST_SUITE_P(Postgres, SqlContract, ::testing::Values("postgresql"), engine_name);

}  // namespace
}  // namespace ampere
