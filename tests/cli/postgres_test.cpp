// The program on a store of a PostgreSQL server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <regex>
#include <set>

#include "../support/postgres_server.h"
#include "ampere/store.h"
#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::Cli;
using testing_support::PostgresServer;
using testing_support::Ran;

class PostgresCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    AMPERE_NEEDS_POSTGRES();
    url_ = PostgresServer::shared().new_schema();
    cli_.environment["AMPERE_STORE"] = url_;
  }
  static PostgresServer& server() { return PostgresServer::shared(); }

  // The URL on localhost with its password, in the same schema.
  std::string with_password() const {
    std::string url = server().tcp();
    url.replace(url.find('@'), 0, ":" + server().password());
    return url + "?options=" + url_.substr(url_.find("-csearch_path"));
  }

  Cli cli_;
  std::string url_;
};

int measured(const Ran& ran) {
  const Json json = ran.json();
  return json.at("measured").get<int>() + json.value("timed", 0);
}

// Two real processes fill one profile at the same time. Whatever their pace, every point that the
// store has was measured by one of them.
TEST_F(PostgresCommand, TwoProfilesOfOneDeviceShareTheirPoints) {
  for (const char* method : {"dual", "ampere"}) {
    const std::string command =
        std::string("profile lenet5 --rig sim:xavier --points 6 --json --method ") + method;
    // What a process prints goes through a file in its home, so the other one has its own.
    Cli second;
    second.environment = cli_.environment;
    auto other = std::async(std::launch::async, [&] { return second.run(command); });
    const Ran one = cli_.run(command), two = other.get();
    ASSERT_EQ(one.status, 0) << one.err;
    ASSERT_EQ(two.status, 0) << two.err;
    const auto store = open_store(url_, Access::read);
    std::size_t points = 0;
    std::set<std::string> distinct;
    for (const ProfileRow& row : store->profiles()) {
      for (const Observation& each : store->find({.profile = row.id})) {
        // The reference network is repeated on purpose.
        ++points;
        distinct.insert(std::to_string(row.id) + each.kind + model_hash(each.model));
      }
      const auto timings = store->timings(row.id);
      std::set<std::pair<std::string, std::vector<std::int64_t>>> blocks;
      for (const BlockTiming& each : timings) blocks.insert({each.kind, each.features});
      EXPECT_EQ(blocks.size(), timings.size());
      points += timings.size();
    }
    EXPECT_EQ(measured(one) + measured(two), static_cast<int>(points)) << method;
    if (std::string(method) == "ampere") {
      EXPECT_EQ(distinct.size(), points);
    }
    const Ran again = cli_.run(command);
    EXPECT_EQ(measured(again), 0) << again.out;
    for (const ProfileRow& row : store->profiles()) open_store(url_)->remove_profile(row.id);
  }
}

TEST_F(PostgresCommand, AProfileGoesOnWhenTheServerIsKilledAndStartedAgain) {
  const std::string command = "profile lenet5 --rig sim:xavier --method ampere --points 8 --json";
  auto running = std::async(std::launch::async, [&] { return cli_.run(command); });
  // In the middle: some points are there.
  const auto some = [&] {
    try {
      return server().sql(url_, "SELECT count(*) > 3 FROM observation") == "t";
    } catch (const std::exception&) {
      return false;  // no table yet
    }
  };
  while (!some() && running.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    continue;
  server().kill();
  server().start();
  const Ran ran = running.get();
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto store = open_store(url_, Access::read);
  EXPECT_EQ(static_cast<int>(store->find({.profile = store->profiles().at(0).id}).size()),
            measured(ran));
}

TEST_F(PostgresCommand, EstimatesAndListsWhatItProfiled) {
  ASSERT_EQ(cli_.run("profile lenet5 --rig sim:xavier --method ampere --points 6").status, 0);
  EXPECT_EQ(cli_.run("estimate lenet5 --iterations 10 --rig sim:xavier --json").status, 0);
  EXPECT_THAT(cli_.run("profiles").out, HasSubstr("simulated Jetson Xavier"));
  EXPECT_THAT(cli_.run("doctor").out, HasSubstr("1 profile"));
}

TEST_F(PostgresCommand, NeverShowsAPassword) {
  const std::string secret = server().password(), url = with_password();
  const auto expect_hidden = [&](const Ran& ran) {
    EXPECT_THAT(ran.out, Not(HasSubstr(secret)));
    EXPECT_THAT(ran.err, Not(HasSubstr(secret)));
  };
  cli_.environment["AMPERE_STORE"] = url;
  ASSERT_EQ(cli_.run("profile lenet5 --rig sim:xavier --method ampere --points 6").status, 0);
  for (const char* command :
       {"profiles --json", "profiles --help", "doctor", "doctor --json", "profiles export 1",
        "estimate nowhere", "report evaluate --help", "report prune", "profiles remove 77",
        "estimate lenet5 --iterations 10 --rig sim:xavier --json"})
    expect_hidden(cli_.run(command));
  expect_hidden(cli_.run("store copy '" + url + "' sqlite:copy.db --json"));
  expect_hidden(cli_.run("store copy '" + url + "' '" + url + "'"));
  expect_hidden(cli_.run("report profile 1 --output page.html --store='" + url + "'"));
  EXPECT_THAT(cli_.read("page.html"), AllOf(Not(HasSubstr(secret)), HasSubstr("ampere:***@")));
  server().sql("ALTER ROLE ampere PASSWORD 'another'");
  const Ran refused = cli_.run("profiles");
  server().sql("ALTER ROLE ampere PASSWORD '" + secret + "'");
  expect_hidden(refused);
  EXPECT_EQ(refused.status, 4);
  EXPECT_THAT(refused.err, HasSubstr("check user and password"));
}

TEST_F(PostgresCommand, CopiesAFileToTheServerAndBack) {
  cli_.environment.erase("AMPERE_STORE");
  ASSERT_EQ(
      cli_.run("profile lenet5 --rig sim:xavier --method ampere --points 6 --store sqlite:a.db")
          .status,
      0);
  const Json there = cli_.run("store copy sqlite:a.db '" + url_ + "' --json").json();
  const Json back = cli_.run("store copy '" + url_ + "' sqlite:b.db --json").json();
  ASSERT_EQ(there.at("profiles").size(), 1U);
  EXPECT_GT(there.at("profiles").at(0).at("added").at("observations"), 0);
  EXPECT_EQ(there.at("profiles").at(0).at("digest"),
            there.at("profiles").at(0).at("target_digest"));
  EXPECT_EQ(there.at("profiles").at(0).at("digest"), back.at("profiles").at(0).at("target_digest"));
  const std::string estimate = "estimate lenet5 --iterations 10 --rig sim:xavier --json --store ";
  EXPECT_EQ(cli_.run(estimate + "sqlite:a.db").out, cli_.run(estimate + "sqlite:b.db").out);
}

// Without a server.
TEST(StoreCopy, PrintsWhatItCopied) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:ideal --method ampere --points 6 --store sqlite:a.db")
                .status,
            0);
  const Ran ran = cli.run("store copy sqlite:a.db sqlite:b.db");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::string out = std::regex_replace(ran.out, std::regex("[0-9a-f]{16}"), "DIGEST");
  out = std::regex_replace(out, std::regex("[0-9]+"), "#");
  out = std::regex_replace(out, std::regex(" +"), " ");
  const std::string path = std::string(AMPERE_GOLDEN) + "/store_copy.txt";
  if (std::getenv("AMPERE_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << out;
  EXPECT_EQ(out, read_text_file(path));
  const Ran same = cli.run("store copy sqlite:a.db sqlite:./a.db");
  EXPECT_EQ(same.status, 2);
  EXPECT_THAT(same.err, HasSubstr("the same store"));
}

}  // namespace
}  // namespace ampere
