// Several processes that fill one profile on a server at the same time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <deque>
#include <set>
#include <thread>

#include "ampere/error.h"
#include "campaign/campaign.h"
#include "campaign/claims.h"
#include "campaign/profile_by.h"
#include "method/ampere/ampere_method.h"
#include "method/dual/dual_method.h"
#include "method/suggestion_list.h"
#include "rig/sim.h"
#include "store/child.h"
#include "support/code_of.h"
#include "support/postgres_server.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing_support::code_of;
using testing_support::PostgresServer;

const Setup kSetup;

Suggestion network(int width) {
  Suggestion suggestion;
  suggestion.model = open_model("lenet5:" + std::to_string(width) + ",4,8,16");
  return suggestion;
}

Suggestion block(int width) {
  Suggestion suggestion = network(width);
  suggestion.ask = Suggestion::Ask::time;
  suggestion.kind = "a kind";
  suggestion.features = {width};
  return suggestion;
}

// Makes its suggestions in any order.
class LooseList final : public Suggestions {
 public:
  explicit LooseList(std::deque<Suggestion> suggestions) : waiting_(std::move(suggestions)) {}
  std::optional<Suggestion> next() override {
    if (waiting_.empty()) return std::nullopt;
    last_ = waiting_.front();
    waiting_.pop_front();
    return last_;
  }
  void tell(const Finding& finding) override {
    told.push_back(finding.known ? "known " + last_.model.name() : last_.model.name());
  }
  bool postpone() override {
    if (!postponed_.insert(last_.model.name()).second) return false;
    waiting_.push_back(last_);
    return true;
  }
  Progress progress() const override { return {}; }

  std::vector<std::string> told;

 private:
  std::deque<Suggestion> waiting_;
  std::set<std::string> postponed_;
  Suggestion last_;
};

class SharedProfile : public testing::Test {
 protected:
  void SetUp() override {
    AMPERE_NEEDS_POSTGRES();
    url_ = PostgresServer::shared().new_schema();
  }

  Summary run(Store& store, Suggestions& plan, const Limits& limits = {}) {
    const auto rig = open_sim_rig("server", 1);
    Campaign campaign(*rig, "sim:server", store, kSetup, limits, StopToken(stop_), listener_);
    campaign.run(plan);
    return campaign.finish();
  }
  static std::int64_t profile_in(Store& store) {
    return store.open_profile(open_sim_rig("server", 1)->device(), kSetup, "sim:server");
  }

  std::string url_;
  Listener listener_;
  std::atomic<bool> stop_{false};
};

TEST_F(SharedProfile, IsMeasuredOnceBySeveralProcesses) {
  constexpr int kPoints = 20;
  const auto work = [&](int out) {
    std::vector<Suggestion> all;
    for (int i = 1; i <= kPoints; ++i) all.push_back(i % 2 ? network(i) : block(i));
    SuggestionList plan("points", all);
    std::string outcome;
    try {
      const Summary summary = run(*open_store(url_), plan);
      outcome = std::string(static_cast<std::size_t>(summary.measured + summary.timed), '.');
      if (plan.findings().size() != kPoints) outcome = "a finding is missing";
    } catch (const std::exception& error) {
      outcome = error.what();
    }
    if (write(out, outcome.data(), outcome.size()) < 0) _exit(1);
  };
  {
    Worker one(work), two(work), three(work);
    EXPECT_EQ(one.rest() + two.rest() + three.rest(), std::string(kPoints, '.'));
  }
  const auto store = open_store(url_, Access::read);
  const std::int64_t profile = store->profiles().at(0).id;
  EXPECT_EQ(store->find({.profile = profile}).size(), kPoints / 2u);
  EXPECT_EQ(store->timings(profile).size(), kPoints / 2u);
}

// How many points two processes measure in all that profile one network by this method.
std::string profile_twice(const std::string& url,
                          const std::function<std::unique_ptr<Method>()>& by) {
  const auto work = [&](int out) {
    std::string outcome;
    try {
      const auto rig = open_sim_rig("xavier", 1);
      const auto store = open_store(url);
      Listener quiet;
      ProfileOptions options;
      options.points = 6;
      const ProfileSummary summary =
          profile_by(*by(), {{open_model("lenet5")}, {}}, options,
                     Campaign(*rig, "sim:xavier", *store, kSetup, {}, {}, quiet));
      outcome = std::string(static_cast<std::size_t>(summary.measured + summary.timed), '.');
    } catch (const std::exception& error) {
      outcome = error.what();
    }
    if (write(out, outcome.data(), outcome.size()) < 0) _exit(1);
  };
  Worker one(work), two(work);
  return one.rest() + two.rest();
}

TEST_F(SharedProfile, IsMeasuredOnceByTwoProcessesWithEveryMethodThatMeasures) {
  for (const auto& make : {make_dual_method, make_ampere_method}) {
    url_ = PostgresServer::shared().new_schema();
    const std::size_t measured = profile_twice(url_, make).size();
    const auto store = open_store(url_, Access::read);
    std::size_t points = 0;
    std::set<std::string> networks;
    for (const ProfileRow& row : store->profiles()) {
      std::set<std::pair<std::string, std::vector<std::int64_t>>> blocks;
      for (const BlockTiming& each : store->timings(row.id))
        EXPECT_TRUE(blocks.insert({each.kind, each.features}).second) << "timed twice";
      points += blocks.size();
      for (const Observation& each : store->find({.profile = row.id})) {
        ++points;
        networks.insert(std::to_string(row.id) + each.kind + model_hash(each.model));
      }
    }
    EXPECT_GT(points, 10u);
    EXPECT_EQ(measured, points);
    if (make == make_ampere_method) {  // the other one repeats a reference on purpose
      EXPECT_EQ(networks.size(), points);
    }
    EXPECT_EQ(profile_twice(url_, make), "");
  }
}

TEST_F(SharedProfile, TakesOverWhatAnotherProcessMeasured) {
  const auto other = open_store(url_);
  const std::int64_t profile = profile_in(*other);
  auto claim = try_claim(*other, profile, network(3));
  ASSERT_TRUE(claim);
  std::thread measuring([&] {
    usleep(200'000);
    const auto rig = open_sim_rig("server", 1);
    other->add(profile, observe(*rig, network(3).model, kSetup, {}));
    claim.reset();
  });
  SuggestionList plan("networks", {network(3)});
  const Summary summary = run(*open_store(url_), plan);
  measuring.join();
  EXPECT_EQ(summary.measured, 0);
  EXPECT_EQ(summary.known, 1);
  ASSERT_EQ(plan.findings().size(), 1u);
  EXPECT_TRUE(plan.findings()[0].observation.has_value());
}

TEST_F(SharedProfile, MeasuresWhatAnotherProcessClaimedAndDidNotMeasure) {
  const auto other = open_store(url_);
  auto claim = try_claim(*other, profile_in(*other), network(3));
  std::thread giving_up([&] {
    usleep(100'000);
    claim.reset();
  });
  SuggestionList plan("networks", {network(3)});
  EXPECT_EQ(run(*open_store(url_), plan).measured, 1);
  giving_up.join();
}

TEST_F(SharedProfile, GoesOnWithOtherPointsWhereThePlanAllowsIt) {
  const auto other = open_store(url_);
  auto claim = try_claim(*other, profile_in(*other), network(1));
  LooseList plan({network(1), network(2), network(3)});
  std::thread giving_up([&] {
    while (other->find({.profile = profile_in(*other)}).size() < 2) usleep(1000);
    claim.reset();
  });
  EXPECT_EQ(run(*open_store(url_), plan).measured, 3);
  giving_up.join();
  EXPECT_THAT(plan.told, ElementsAre(network(2).model.name(), network(3).model.name(),
                                     network(1).model.name()));
}

TEST_F(SharedProfile, CanBeStoppedWhileItWaits) {
  const auto other = open_store(url_);
  const auto claim = try_claim(*other, profile_in(*other), network(3));
  std::thread stopping([&] {
    usleep(100'000);
    stop_ = true;
  });
  SuggestionList plan("networks", {network(3)});
  EXPECT_EQ(code_of([&] { run(*open_store(url_), plan); }), ErrorCode::interrupted);
  stopping.join();
}

TEST_F(SharedProfile, KeepsItsTimeLimitWhileItWaits) {
  const auto other = open_store(url_);
  const auto claim = try_claim(*other, profile_in(*other), network(3));
  SuggestionList plan("networks", {network(3)});
  const Summary summary = run(*open_store(url_), plan, {Seconds{0.2}});
  EXPECT_TRUE(summary.stopped_by_time_limit);
  EXPECT_EQ(summary.measured, 0);
}

}  // namespace
}  // namespace ampere
