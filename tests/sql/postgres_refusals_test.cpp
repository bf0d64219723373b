// What is said when a server refuses, and what to do about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "ampere/error.h"
#include "sql/sql.h"
#include "support/postgres_server.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::PostgresServer;

class PostgresRefusals : public ::testing::Test {
 protected:
  void SetUp() override {
    AMPERE_NEEDS_POSTGRES();
    // No password file or setting of the user's own may help.
    setenv("PGPASSFILE", "/nonexistent", 1);
    setenv("HOME", "/nonexistent", 1);
    unsetenv("PGPASSWORD");
  }

  static PostgresServer& server() { return PostgresServer::shared(); }

  static std::string outcome(const std::string& url, Access access = Access::write) {
    try {
      const auto database = open_database(url, access);
      database->atomically([&] { database->execute("CREATE TABLE trial (x BIGINT)"); });
      return "it works";
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.what();
    }
  }

  static std::string with_password(const std::string& password) {
    std::string url = server().tcp();
    return url.replace(url.find('@'), 0, ":" + password);
  }
};

TEST_F(PostgresRefusals, AdmitTheRightPassword) {
  PostgresServer::sql(server().url(), "DROP TABLE IF EXISTS trial");
  EXPECT_EQ(outcome(with_password(server().password())), "it works");
  PostgresServer::sql(server().url(), "DROP TABLE trial");
  setenv("PGPASSWORD", server().password().c_str(), 1);
  EXPECT_EQ(outcome(server().tcp()), "it works");
  PostgresServer::sql(server().url(), "DROP TABLE trial");
  unsetenv("PGPASSWORD");
}

TEST_F(PostgresRefusals, SayThatThePasswordIsWrongAndNotWhatItIs) {
  EXPECT_THAT(outcome(with_password("wr0ng-one")),
              AllOf(StartsWith("permission: postgresql://ampere:***@localhost"),
                    HasSubstr("password authentication failed"),
                    HasSubstr("check user and password"), Not(HasSubstr("wr0ng"))));
}

TEST_F(PostgresRefusals, SayWhereAPasswordBelongs) {
  EXPECT_THAT(outcome(server().tcp()), AllOf(StartsWith("permission: "), HasSubstr("PGPASSFILE")));
}

TEST_F(PostgresRefusals, NameAMissingDatabaseAndAMissingRole) {
  std::string url = server().url();
  url.replace(url.find("/postgres?"), 10, "/nowhere?");
  EXPECT_THAT(outcome(url), AllOf(StartsWith("usage: "), HasSubstr("\"nowhere\" does not exist"),
                                  HasSubstr("createdb")));
  url = server().url();
  url.replace(url.find("user=ampere"), 11, "user=nobody_here");
  EXPECT_THAT(outcome(url), AllOf(StartsWith("usage: "), HasSubstr("nobody_here")));
}

TEST_F(PostgresRefusals, SayAtOnceThatNobodyListens) {
  EXPECT_THAT(outcome("postgresql://ana:s3cret@127.0.0.1:1/db"),
              AllOf(StartsWith("failed: postgresql://ana:***@127.0.0.1:1/db"), HasSubstr("refused"),
                    HasSubstr("check that the server runs")));
  EXPECT_THAT(outcome("postgresql:///db?host=/nonexistent"),
              AllOf(StartsWith("failed: "), HasSubstr("/nonexistent")));
  EXPECT_THAT(outcome("postgresql://no-such-host.invalid/db"),
              AllOf(StartsWith("failed: "), HasSubstr("check the name of the host")));
}

TEST_F(PostgresRefusals, SayWhatIsWrongWithAUrl) {
  for (const char* url : {"postgresql://host:port/db", "postgresql:///db?colour=red",
                          "postgresql:///db?sslmode=maybe", "postgresql:///db?host",
                          "postgresql:///db?service=nowhere", "postgresql://[::1/db"})
    EXPECT_THAT(outcome(url), StartsWith("usage: ")) << url;
}

TEST_F(PostgresRefusals, CheckTheCertificateWhenTold) {
  const std::string url = with_password(server().password());
  EXPECT_THAT(outcome(url + "?sslmode=verify-full&sslrootcert=/nonexistent"),
              AllOf(StartsWith("permission: "), HasSubstr("sslrootcert")));
  const std::string checked = "?sslmode=verify-full&sslrootcert=" + server().certificate();
  EXPECT_EQ(outcome(url + checked), "it works");
  PostgresServer::sql(server().url(), "DROP TABLE trial");
  std::string by_number = url + checked;
  by_number.replace(by_number.find("localhost"), 9, "127.0.0.1");
  EXPECT_THAT(outcome(by_number), AllOf(StartsWith("permission: "), HasSubstr("certificate"),
                                        Not(HasSubstr(server().password()))));
}

TEST_F(PostgresRefusals, SayThatTlsIsNotOfferedThroughASocketOnly) {
  EXPECT_THAT(outcome("postgresql://ampere@127.0.0.1:1/db?sslmode=require"),
              StartsWith("failed: "));
}

TEST_F(PostgresRefusals, NameMissingRights) {
  server().sql("CREATE ROLE reader LOGIN");
  std::string url = server().url();
  url.replace(url.find("user=ampere"), 11, "user=reader");
  EXPECT_THAT(outcome(url), AllOf(StartsWith("permission: "), HasSubstr("permission denied"),
                                  HasSubstr("docs/store.md")));
  server().sql("ALTER ROLE reader NOLOGIN");
  EXPECT_THAT(outcome(url), AllOf(StartsWith("permission: "), HasSubstr("may log in")));
  server().sql("DROP ROLE reader");
}

TEST_F(PostgresRefusals, NameASchemaThatIsNotThere) {
  EXPECT_THAT(outcome(server().url() + "&options=-csearch_path%3Dnowhere"),
              AllOf(StartsWith("permission: "), HasSubstr("search_path")));
}

}  // namespace
}  // namespace ampere
