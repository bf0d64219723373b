// One cluster with profiles of all its kinds, shared by all tests that need no cluster of their
// own.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "cluster.h"

namespace ampere::testing_support {

inline constexpr int kWatts = 170;

class FleetCluster : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cluster = std::make_unique<Cluster>(kWatts);
    if (!cluster->missing().empty()) return;
    cli = cluster->new_cli();
    const Ran profiled = cli->run("fleet profile cnn5 --wait");
    ASSERT_EQ(profiled.status, 0) << profiled.out << profiled.err;
  }
  static void TearDownTestSuite() {
    cli.reset();
    cluster.reset();
  }
  void SetUp() override {
    if (!cluster->missing().empty()) GTEST_SKIP() << cluster->missing();
  }

  // A file of one job beside the example's.
  static std::string one_job(const std::string& list, const std::string& fields) {
    const std::string file = list + ".toml";
    cli->write(file, "name = \"" + list +
                         "\"\n[[jobs]]\nname = \"a\"\nmodel = \"cnn5:4,8,16,32\"\n" +
                         "iterations = 2000\n" + fields + "\n");
    return file;
  }

  // Grants an account of that name, and returns the field of a job that names it.
  static std::string pay_from(const std::string& account) {
    EXPECT_EQ(cli->run("fleet grant " + account + " 50kJ").status, 0);
    return "accounts = [\"" + account + "\"]\n";
  }

  static void submit(const std::string& arguments) {
    const Ran ran = cli->run("fleet submit " + arguments);
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  static Json status(const std::string& list, const std::string& options = "") {
    return cli->run("fleet status " + list + " --json " + options).json();
  }
  // Once all jobs of the list have ended.
  static Json ended(const std::string& list) {
    const Ran watched = cli->run("fleet watch " + list + " --interval 0.2");
    EXPECT_EQ(watched.status, 0) << watched.err;
    return status(list).at("jobs");
  }

  // The account has booked what these jobs say they spent, and the journal agrees.
  static void expect_books_balance(const std::string& account, const Json& jobs) {
    const Json ledger = cli->run("fleet ledger --json").json();
    EXPECT_TRUE(ledger.at("audit").at("adds_up").get<bool>()) << ledger;
    double spent = 0;
    for (const Json& job : jobs) spent += job.at("spent_j").get<double>();
    for (const Json& each : ledger.at("accounts")) {
      if (each.at("account") != account) continue;
      EXPECT_NEAR(each.at("spent_j").get<double>(), spent, 1e-3 * static_cast<double>(jobs.size()));
      EXPECT_EQ(each.at("reserved_j").get<double>(), 0) << each;
    }
  }

  static inline std::unique_ptr<Cluster> cluster;
  static inline std::unique_ptr<Cli> cli;
};

}  // namespace ampere::testing_support
