// What PostgresDatabase makes of a connection that breaks at any moment, shown on a server that is
// not there: every answer of it is written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "ampere/error.h"
#include "sql/postgres_database.h"

namespace ampere {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class OneRow final : public SqlRows {
 public:
  explicit OneRow(std::string value) : value_(std::move(value)) {}
  bool next() override { return !std::exchange(done_, true); }
  std::int64_t integer(int) const override { return std::atoll(value_.c_str()); }
  std::optional<double> number(int) const override { return std::nullopt; }
  std::string text(int) const override { return value_; }
  std::string blob(int) const override { return value_; }

 private:
  std::string value_;
  bool done_ = false;
};

// Fails where it is told to, once each.
struct Server {
  struct Trouble {
    std::string at;  // a statement that contains this
    std::string sqlstate;
    bool connected = false;
  };
  std::deque<Trouble> troubles;
  int refusals = 0;           // of the next connections
  int first_connections = 1;  // that are not refused
  std::string refusal = "Connection refused";
  std::string state = "committed";  // of every transaction
  int connections = 0, commits = 0;
  std::vector<std::string> statements;

  void hear(const std::string& sql) {
    statements.push_back(sql);
    if (!troubles.empty() && sql.find(troubles.front().at) != std::string::npos) {
      const Trouble trouble = troubles.front();
      troubles.pop_front();
      throw PostgresFailure("trouble", trouble.sqlstate, trouble.connected);
    }
    if (sql.starts_with("COMMIT")) ++commits;
  }
};

class FakeLink final : public PostgresLink {
 public:
  explicit FakeLink(Server& server) : server_(server) {}
  std::unique_ptr<SqlRows> run(const std::string& sql, const std::vector<SqlValue>&) override {
    server_.hear(sql);
    if (sql.find("txid_status") != std::string::npos)
      return std::make_unique<OneRow>(server_.state);
    if (sql.find("pg_terminate_backend") != std::string::npos) {
      auto none = std::make_unique<OneRow>("");
      none->next();
      return none;
    }
    return std::make_unique<OneRow>("42");
  }
  void run_script(const std::string& script) override { server_.hear(script); }

 private:
  Server& server_;
};

class ExactlyOnce : public ::testing::Test {
 protected:
  std::unique_ptr<SqlDatabase> open(const std::string& url = "postgresql://ana:s3cret@db/x") {
    return open_postgres(url, Access::write, wait_, [this](const std::string&) {
      ++server_.connections;
      if (server_.connections > server_.first_connections && server_.refusals-- > 0)
        throw PostgresFailure(server_.refusal, "", false);
      return std::make_unique<FakeLink>(server_);
    });
  }
  // How often the changes ran.
  int change(SqlDatabase& database) {
    int times = 0;
    database.atomically([&] {
      ++times;
      run(database, "INSERT INTO item VALUES (1)");
    });
    return times;
  }
  std::string error_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.what();
    }
    return "no error";
  }

  Server server_;
  std::vector<std::string> told_;
  StoreWait wait_{{},
                  [this](const std::string& text) { told_.push_back(text); },
                  std::chrono::milliseconds(300)};
};

TEST_F(ExactlyOnce, RunsOnceWhenNothingHappens) {
  const auto database = open();
  EXPECT_EQ(change(*database), 1);
  EXPECT_EQ(server_.commits, 1);
}

TEST_F(ExactlyOnce, RunsAgainWhenTheConnectionBreaksBeforeTheCommit) {
  for (const char* moment : {"BEGIN", "INSERT", "txid_current_if_assigned"}) {
    const auto database = open();
    server_.troubles = {{moment, ""}};
    EXPECT_EQ(change(*database), std::string(moment) == "BEGIN" ? 1 : 2) << moment;
  }
  EXPECT_EQ(server_.commits, 3);
}

TEST_F(ExactlyOnce, DoesNotRunAgainWhatWasCommittedWithoutAnAnswer) {
  const auto database = open();
  server_.troubles = {{"COMMIT", ""}};
  server_.state = "committed";
  EXPECT_EQ(change(*database), 1);
  EXPECT_EQ(server_.connections, 2);
}

TEST_F(ExactlyOnce, RunsAgainWhatWasNotCommitted) {
  const auto database = open();
  server_.troubles = {{"COMMIT", ""}};
  server_.state = "aborted";
  EXPECT_EQ(change(*database), 2);
  EXPECT_EQ(server_.commits, 1);
}

TEST_F(ExactlyOnce, AsksAgainWhenTheConnectionBreaksWhileItAsks) {
  const auto database = open();
  server_.troubles = {{"COMMIT", ""}, {"txid_status", ""}, {"txid_status", "57P01"}};
  EXPECT_EQ(change(*database), 1);
  EXPECT_EQ(server_.connections, 4);
}

TEST_F(ExactlyOnce, SaysWhenNobodyKnows) {
  const auto database = open();
  server_.troubles = {{"COMMIT", ""}};
  server_.state = "in progress";
  EXPECT_THAT(error_of([&] { change(*database); }), HasSubstr("does not say whether it was"));
}

TEST_F(ExactlyOnce, RunsAgainAfterACollision) {
  const auto database = open();
  server_.troubles = {
      {"INSERT", "40001", true}, {"COMMIT", "40001", true}, {"INSERT", "40P01", true}};
  EXPECT_EQ(change(*database), 4);
  EXPECT_EQ(server_.connections, 1);
  EXPECT_THAT(server_.statements, Contains("ROLLBACK"));
}

TEST_F(ExactlyOnce, GivesUpOnCollisionsPastItsPatience) {
  const auto database = open();
  for (int i = 0; i < 1000; ++i) server_.troubles.push_back({"INSERT", "40001", true});
  EXPECT_THAT(error_of([&] { change(*database); }), HasSubstr("keeps changing the same"));
}

TEST_F(ExactlyOnce, RunsAgainFromTheOutermost) {
  const auto database = open();
  server_.troubles = {{"inner", ""}};
  int outer = 0, inner = 0;
  database->atomically([&] {
    ++outer;
    database->atomically([&] {
      ++inner;
      run(*database, "INSERT INTO inner VALUES (1)");
    });
  });
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(server_.commits, 1);
}

TEST_F(ExactlyOnce, DoesNotRunAgainWhatTheCallerThrows) {
  const auto database = open();
  int times = 0;
  EXPECT_THROW(database->atomically([&] {
    ++times;
    throw std::runtime_error("mine");
  }),
               std::runtime_error);
  EXPECT_EQ(times, 1);
  EXPECT_EQ(server_.commits, 0);
}

TEST_F(ExactlyOnce, WaitsForAServerThatRestarts) {
  const auto database = open();
  server_.troubles = {{"INSERT", "57P01", true}};
  server_.refusals = 4;
  EXPECT_EQ(change(*database), 2);
  EXPECT_EQ(server_.connections, 6);
}

TEST_F(ExactlyOnce, StopsPastItsPatienceAndNamesTheServerWithoutItsPassword) {
  const auto database = open();
  server_.troubles = {{"INSERT", ""}};
  server_.refusals = 1 << 20;
  server_.refusal = "connection to \"db\" with s3cret failed: Connection refused";
  const std::string error = error_of([&] { change(*database); });
  EXPECT_THAT(error, HasSubstr("failed: postgresql://ana:***@db/x"));
  EXPECT_THAT(error, HasSubstr("Connection refused"));
  EXPECT_THAT(error, Not(HasSubstr("s3cret")));
}

TEST_F(ExactlyOnce, StopsWhenItIsAskedTo) {
  std::atomic<bool> stop = false;
  wait_.stop = StopToken(stop);
  wait_.patience = std::chrono::hours(1);
  const auto database = open();
  server_.troubles = {{"INSERT", ""}};
  server_.refusals = 1 << 20;
  stop = true;
  EXPECT_THAT(error_of([&] { change(*database); }), HasSubstr("interrupted"));
}

TEST_F(ExactlyOnce, ReadsAgainWhenTheConnectionBreaks) {
  const auto database = open();
  server_.troubles = {{"SELECT number", ""}, {"SELECT number", "57P01"}};
  const auto row = rows(*database, "SELECT number FROM item WHERE id = ?1", std::int64_t{1});
  ASSERT_TRUE(row->next());
  EXPECT_EQ(row->integer(0), 42);
  EXPECT_EQ(server_.connections, 3);
}

TEST_F(ExactlyOnce, TakesItsLocksAgainInANewConnection) {
  const auto database = open();
  ASSERT_TRUE(database->try_lock("a point"));
  server_.troubles = {{"SELECT number", ""}};
  rows(*database, "SELECT number FROM item");
  const auto taken = [](const std::string& sql) {
    return sql.find("pg_try_advisory_lock") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(server_.statements, taken), 2);
  database->unlock("a point");
  server_.troubles = {{"SELECT number", ""}};
  rows(*database, "SELECT number FROM item");
  EXPECT_EQ(std::ranges::count_if(server_.statements, taken), 2);
}

TEST_F(ExactlyOnce, EndsItsFormerSession) {
  const auto database = open();
  server_.troubles = {{"SELECT number", ""}};
  rows(*database, "SELECT number FROM item");
  EXPECT_THAT(server_.statements, Contains(HasSubstr("pg_terminate_backend")));
}

}  // namespace
}  // namespace ampere
