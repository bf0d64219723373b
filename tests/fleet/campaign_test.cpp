// Whatever dies, the books add up, and every job comes to its end once. A longer campaign:
//
//   AMPERE_CAMPAIGN_SEED=7 AMPERE_CAMPAIGN_JOBS=60 AMPERE_CAMPAIGN_KILLS=500
//   build/bin/fleet_campaign_test
#include "campaign.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>

#include "../support/each_database.h"

namespace ampere {
namespace {

using ::testing::IsEmpty;

int variable(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

class KillCampaign : public testing_support::EachDatabase {};
INSTANTIATE_FOR_EACH_DATABASE(KillCampaign);

TEST_P(KillCampaign, EveryJobEndsOnceAndEveryJouleIsAccountedFor) {
  testing_support::CampaignOptions options;
  options.url = url_;
  options.seed = static_cast<unsigned>(variable("AMPERE_CAMPAIGN_SEED", 1));
  options.jobs = variable("AMPERE_CAMPAIGN_JOBS", 6);
  options.kills = variable("AMPERE_CAMPAIGN_KILLS", 15);
  database_.reset();
  if (std::string(GetParam()) == "postgresql") {
    // A process that is frozen inside a transaction must not keep its locks.
    testing_support::PostgresServer::shared().sql(
        "ALTER SYSTEM SET idle_in_transaction_session_timeout = '3s'");
    testing_support::PostgresServer::shared().sql("SELECT pg_reload_conf()");
    options.kill_server = [] { testing_support::PostgresServer::shared().kill(); };
    options.start_server = [] { testing_support::PostgresServer::shared().start(); };
  }
  const testing_support::CampaignResult result = testing_support::run_campaign(options);
  std::cout << "seed " << options.seed << ": " << result.text() << std::endl;
  EXPECT_THAT(result.faults, IsEmpty());
  EXPECT_GT(result.killed_executors, 0);
}

}  // namespace
}  // namespace ampere
