// A store on a PostgreSQL server: several writers at once, writers and servers that die, and
// versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "../support/postgres_server.h"
#include "child.h"
#include "samples.h"
#include "store/sql_store.h"

namespace ampere {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using testing_support::PostgresServer;

class PostgresStore : public ::testing::Test {
 protected:
  void SetUp() override {
    AMPERE_NEEDS_POSTGRES();
    url_ = server().new_schema();
  }
  static PostgresServer& server() { return PostgresServer::shared(); }

  std::string url_;
};

// Recognised again by its energy.
Observation numbered(int i) { return sample_observation("conv", 1 + i % 5, 1.0 + i); }

// Adds observations from `first` on, and writes a byte for each one that add() has acknowledged.
void add_some(const std::string& url, int first, int count, int out) {
  try {
    const auto store = open_store(url);
    const std::int64_t profile = open_sample_profile(*store);
    for (int i = first; i < first + count; ++i) {
      store->add(profile, numbered(i));
      if (write(out, ".", 1) != 1) return;
    }
  } catch (const std::exception& error) {
    const std::string what = error.what();
    if (write(out, what.data(), what.size()) < 0) return;
  }
}

// How often each of them is there.
std::map<std::string, int> occurrences(const std::string& url) {
  const auto store = open_store(url, Access::read);
  std::map<std::string, int> times;
  for (const Observation& each : store->find(all_of(store->profiles().at(0).id)))
    ++times[text_of(each)];
  return times;
}

void expect_each_once(const std::string& url, int count) {
  const std::map<std::string, int> times = occurrences(url);
  EXPECT_THAT(times, SizeIs(count));
  for (int i = 0; i < count; ++i) {
    const auto found = times.find(text_of(numbered(i)));
    EXPECT_EQ(found == times.end() ? 0 : found->second, 1) << i;
  }
  EXPECT_EQ(open_store(url, Access::read)->profiles().at(0).observations, count);
}

TEST_F(PostgresStore, TakesEightWritersAtOnceWithoutLosingOrDoublingAnything) {
  constexpr int kWriters = 8, kEach = 20;
  {
    std::vector<std::unique_ptr<Worker>> writers;
    for (int i = 0; i < kWriters; ++i)
      writers.push_back(
          std::make_unique<Worker>([&, i](int out) { add_some(url_, i * kEach, kEach, out); }));
    for (const auto& writer : writers) EXPECT_EQ(writer->rest(), std::string(kEach, '.'));
  }
  expect_each_once(url_, kWriters * kEach);
  EXPECT_THAT(open_store(url_)->profiles(), SizeIs(1));
}

TEST_F(PostgresStore, LosesNothingThatWasAcknowledgedBeforeAKill) {
  Worker writer([&](int out) { add_some(url_, 0, 1 << 20, out); });
  std::size_t acknowledged = writer.read(30).size();
  writer.kill();
  acknowledged += writer.rest().size();
  const auto store = open_store(url_);
  const std::vector<Observation> found = store->find(all_of(open_sample_profile(*store)));
  ASSERT_GE(found.size(), acknowledged);
  ASSERT_LE(found.size(), acknowledged + 1);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(text_of(found[i]), text_of(numbered(static_cast<int>(i))));
}

TEST_F(PostgresStore, GoesOnExactlyWhereItWasWhenTheServerIsKilledAndStartedAgain) {
  constexpr int kCount = 150;
  Worker first([&](int out) { add_some(url_, 0, kCount, out); });
  Worker second([&](int out) { add_some(url_, kCount, kCount, out); });
  std::size_t acknowledged = 0;
  for (int round = 0; round < 2; ++round) {
    acknowledged += first.read(25).size();
    server().kill();
    server().start();
  }
  EXPECT_EQ(first.rest(), std::string(kCount - acknowledged, '.'));
  EXPECT_EQ(second.rest(), std::string(kCount, '.'));
  expect_each_once(url_, 2 * kCount);
}

TEST_F(PostgresStore, StopsPastItsPatienceWithEverythingKept) {
  std::vector<std::string> told;
  const StoreWait wait{
      {}, [&](const std::string& text) { told.push_back(text); }, std::chrono::milliseconds(2500)};
  const auto store = open_store(url_, Access::write, wait);
  const std::int64_t profile = open_sample_profile(*store);
  store->add(profile, numbered(0));
  server().kill();
  const Thrown thrown = thrown_by([&] { store->add(profile, numbered(1)); });
  EXPECT_EQ(thrown.code, ErrorCode::failed);
  EXPECT_THAT(thrown.message, HasSubstr("check that the server runs"));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("waiting for the server"));
  server().start();
  store->add(profile, numbered(1));
  expect_each_once(url_, 2);
}

TEST_F(PostgresStore, GrantsAClaimToOneAtATime) {
  const auto one = open_store(url_), two = open_store(url_);
  const std::int64_t profile = open_sample_profile(*one);
  auto claim = one->claim(profile, "a point");
  ASSERT_TRUE(claim);
  EXPECT_TRUE(claim->look_again());
  EXPECT_FALSE(two->claim(profile, "a point"));
  EXPECT_TRUE(two->claim(profile, "another point"));
  EXPECT_TRUE(two->claim(profile + 1, "a point"));
  EXPECT_TRUE(open_store(server().new_schema())->claim(profile, "a point"));
  claim.reset();
  EXPECT_TRUE(two->claim(profile, "a point"));
}

TEST_F(PostgresStore, TakesTheClaimsOfTheDead) {
  Worker claimer([&](int out) {
    const auto store = open_store(url_);
    const auto claim = store->claim(1, "a point");
    if (write(out, claim ? "y" : "n", 1) == 1) pause();
  });
  ASSERT_EQ(claimer.read(1), "y");
  const auto store = open_store(url_);
  EXPECT_FALSE(store->claim(1, "a point"));
  claimer.kill();
  std::unique_ptr<Claim> claim;
  for (int i = 0; i < 1000 && !claim; ++i, usleep(10'000)) claim = store->claim(1, "a point");
  EXPECT_TRUE(claim);
}

TEST_F(PostgresStore, KeepsItsClaimsWhenTheServerIsStartedAgain) {
  const auto one = open_store(url_);
  const std::int64_t profile = open_sample_profile(*one);
  const auto claim = one->claim(profile, "a point");
  server().kill();
  server().start();
  one->profiles();
  EXPECT_FALSE(open_store(url_)->claim(profile, "a point"));
}

TEST_F(PostgresStore, MigratesWithEverythingKept) {
  open_store(url_)->add(open_sample_profile(*open_store(url_)), numbered(0));
  const Migrations known = schema_migrations(SqlEngine::postgresql);
  std::vector<Migration> longer(known.begin(), known.end());
  longer.push_back(
      running("ALTER TABLE fit ADD COLUMN note TEXT; UPDATE profile SET rig = 'migrated'"));
  for (const Access access : {Access::read, Access::write}) {
    const auto store = open_sql_store(url_, access, {.migrations = longer});
    EXPECT_EQ(store->profiles().at(0).rig, "migrated");
    EXPECT_THAT(store->find(all_of(store->profiles()[0].id)), SizeIs(1));
  }
  for (const Access access : {Access::read, Access::write}) {
    const Thrown thrown = thrown_by([&] { open_store(url_, access); });
    EXPECT_EQ(thrown.code, ErrorCode::usage);
    EXPECT_THAT(thrown.message, HasSubstr("written by a newer ampere"));
  }
  EXPECT_THAT(open_sql_store(url_, Access::read, {.migrations = longer})->profiles(), SizeIs(1));
}

TEST_F(PostgresStore, IsNotMadeByReading) {
  EXPECT_EQ(thrown_by([&] { open_store(url_, Access::read); }).code, ErrorCode::unknown);
  EXPECT_THAT(open_store(url_)->profiles(), IsEmpty());
  EXPECT_THAT(open_store(url_, Access::read)->profiles(), IsEmpty());
}

TEST_F(PostgresStore, IsReadByARoleThatMayOnlyRead) {
  open_store(url_)->add(open_sample_profile(*open_store(url_)), numbered(0));
  const std::string schema = url_.substr(url_.rfind("%3D") + 3);
  server().sql("CREATE ROLE looker LOGIN; GRANT USAGE ON SCHEMA " + schema +
               " TO looker; GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO looker");
  std::string url = url_;
  url.replace(url.find("user=ampere"), 11, "user=looker");
  const auto store = open_store(url, Access::read);
  EXPECT_THAT(store->find(all_of(store->profiles().at(0).id)), SizeIs(1));
  const Thrown thrown = thrown_by([&] { open_store(url)->add(1, numbered(1)); });
  EXPECT_EQ(thrown.code, ErrorCode::permission);
  EXPECT_THAT(thrown.message, HasSubstr("permission denied"));
}

}  // namespace
}  // namespace ampere
