// Passwords in URLs, and what is said of them.
#include "sql/postgres_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "sql/sql.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PostgresUrl, IsKnownByItsScheme) {
  EXPECT_TRUE(is_database_url("postgresql://host/db"));
  EXPECT_TRUE(is_database_url("postgres:///db"));
  EXPECT_TRUE(is_database_url("sqlite:a.db"));
  EXPECT_FALSE(is_database_url("postgresql:db"));
  EXPECT_FALSE(is_database_url("mysql://host/db"));
}

TEST(PostgresUrl, IsShownWithoutPassword) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"postgresql://host/db", "postgresql://host/db"},
      {"postgresql:///db", "postgresql:///db"},
      {"postgresql://ana@host:5432/db", "postgresql://ana@host:5432/db"},
      {"postgresql://ana:pw@host:5432/db", "postgresql://ana:***@host:5432/db"},
      {"postgresql://ana:p%40w@host/db?sslmode=require",
       "postgresql://ana:***@host/db?sslmode=require"},
      {"postgresql://ana:p@w@host/db", "postgresql://ana:***@host/db"},
      {"postgresql://ana:p/w@host/db", "postgresql://ana:***@host/db"},
      {"postgresql://ana:@host/db", "postgresql://ana:***@host/db"},
      {"postgresql://ana@[::1]:5432/db", "postgresql://ana@[::1]:5432/db"},
      {"postgresql://:pw@host/db", "postgresql://:***@host/db"},
      {"postgresql:///db?user=a&password=pw&host=h", "postgresql:///db?user=a&password=***&host=h"},
      {"postgresql:///db?p%61ssword=pw", "postgresql:///db?p%61ssword=***"},
      {"postgresql://a:b@h/db?sslpassword=x", "postgresql://a:***@h/db?sslpassword=***"},
      {"postgresql://h1:1,h2:2/db", "postgresql://h1:1,h2:2/db"},
      {"sqlite:/a:b@c", "sqlite:/a:b@c"}};
  for (const auto& [url, shown] : cases) EXPECT_EQ(masked_url(url), shown);
}

TEST(PostgresUrl, KeepsPasswordsOutOfForeignMessages) {
  const std::string url = "postgresql://ana:p%2Fw%21@host/db?sslpassword=key";
  const std::string text = without_passwords("tried 'p/w!' and \"p%2Fw%21\" and key", url);
  EXPECT_THAT(text, Not(HasSubstr("p/w!")));
  EXPECT_THAT(text, Not(HasSubstr("p%2Fw%21")));
  EXPECT_THAT(text, Not(HasSubstr("key")));
}

// libpq would take "ana" for the host and quote the rest as the port.
TEST(PostgresUrl, RefusesAPasswordThatWouldBeCut) {
  for (const char* url : {"postgresql://ana:s3c/ret@host/db", "postgresql://ana:s3c@ret@host/db"}) {
    try {
      open_database(url, Access::write);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_THAT(error.what(), Not(HasSubstr("s3c")));
      EXPECT_THAT(error.what(), HasSubstr("%40"));
    }
  }
}

}  // namespace
}  // namespace ampere
