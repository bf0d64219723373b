#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "method/dual/dual.h"
#include "method/proxies/proxies.h"
#include "profiles.h"
#include "prune/search/width_search.h"

namespace ampere {
namespace {

constexpr SearchKind kKinds[] = {SearchKind::random, SearchKind::greedy, SearchKind::evolutionary};

struct Case {
  const char *device, *spec;
  std::int64_t batch;
};
constexpr Case kCases[] = {{"server", "cnn5", 128},
                           {"xavier", "cnn5", 10},
                           {"xavier", "lenet5", 32},
                           {"server", "resnet18", 16},
                           {"server", "transformer", 32}};

struct Task {
  WidthSpace space;
  std::unique_ptr<WidthJudge> judge;
  WidthWorth worth;
  double original_j;

  SearchResult search(double share, const SearchOptions& options, double confidence = 0.95) {
    return search_widths(space, *judge, {share * original_j, confidence}, worth, options);
  }
};

Task task_of(const Case& of, const SpaceOptions& options = {}) {
  Task task{make_space(open_model(of.spec), options), {}, {}, 0};
  task.judge =
      make_dual_estimator(dual_profile(of.device, of.spec, of.batch))->judge(task.space.original);
  task.worth = worth_of_counts(task.space);
  task.original_j = task.judge->judge(original_widths(task.space))->energy_j;
  return task;
}

// Something between the cheapest network and the original.
double feasible_share(Task& task) {
  const SearchResult floor = task.search(1e-6, {.kind = SearchKind::greedy});
  const double least = floor.floor->upper_j / task.original_j;
  return least + 0.4 * (1 - least);
}

TEST(SearchWidths, EveryNetworkIsInsideAndInTheSpace) {
  for (const Case& of : kCases) {
    Task task = task_of(of, {.min_width = 4, .align = 4});
    const double share = feasible_share(task);
    for (const SearchKind kind : kKinds) {
      SCOPED_TRACE(std::string(of.spec) + " " + to_string(kind));
      const SearchResult result = task.search(share, {.kind = kind, .draws = 2000});
      ASSERT_FALSE(result.best.empty());
      EXPECT_LE(result.best.size(), 10u);
      EXPECT_GE(result.judged, result.inside);
      std::set<std::vector<std::int64_t>> seen;
      double worth = 0;
      for (const WidthCandidate& candidate : result.best) {
        EXPECT_LE(candidate.upper_j, share * task.original_j);
        EXPECT_NEAR(candidate.upper_j, upper_j(candidate.cost, 0.95), 1e-12);
        EXPECT_EQ(candidate.cost.energy_j, task.judge->judge(candidate.widths)->energy_j);
        EXPECT_TRUE(seen.insert(candidate.widths).second) << "twice";
        EXPECT_EQ(candidate.worth, task.worth(candidate.widths));
        EXPECT_LE(candidate.worth, worth) << "worth most first";
        worth = candidate.worth;
        for (std::size_t i = 0; i < candidate.widths.size(); ++i) {
          const WidthRange& range = task.space.widths[i];
          EXPECT_GE(candidate.widths[i], std::min<std::int64_t>(4, range.most));
          EXPECT_TRUE(candidate.widths[i] == range.most ||
                      (candidate.widths[i] - range.least) % range.step == 0);
        }
        EXPECT_NO_THROW(with_widths(task.space.original, candidate.widths));
      }
    }
  }
}

TEST(SearchWidths, GreedyBeatsRandomAndEvolutionaryBoth) {
  for (const Case& of : kCases) {
    SCOPED_TRACE(std::string(of.device) + " " + of.spec);
    Task task = task_of(of);
    const double share = feasible_share(task);
    double worth[3];
    for (int i = 0; i < 3; ++i)
      worth[i] = task.search(share, {.kind = kKinds[i], .draws = 3000}).best.front().worth;
    EXPECT_GE(worth[1], worth[0]);
    EXPECT_GE(worth[2], worth[1]);
  }
}

TEST(SearchWidths, EqualSeedsGiveEqualResults) {
  const Case of{"server", "cnn5", 128};
  for (const SearchKind kind : kKinds) {
    Task first = task_of(of), second = task_of(of);
    const SearchOptions options{.kind = kind, .draws = 1500, .seed = 7};
    const SearchResult a = first.search(0.7, options);
    second.judge->judge(std::vector<std::int64_t>(4, 5));  // what was asked before plays no part
    const SearchResult b = second.search(0.7, options);
    ASSERT_EQ(a.best.size(), b.best.size());
    for (std::size_t i = 0; i < a.best.size(); ++i)
      EXPECT_EQ(a.best[i].widths, b.best[i].widths) << to_string(kind);
    EXPECT_EQ(a.judged, b.judged);
  }
  Task task = task_of(of);
  const auto widths = [&](unsigned seed) {
    return task.search(0.7, {.kind = SearchKind::random, .draws = 200, .seed = seed})
        .best.front()
        .widths;
  };
  EXPECT_NE(widths(1), widths(2));
}

TEST(SearchWidths, ABudgetThatCannotBeMetGivesTheFloorAndItsCause) {
  Task task = task_of({"server", "lenet5", 10});
  for (const SearchKind kind : kKinds) {
    const SearchResult result = task.search(0.05, {.kind = kind, .draws = 500});
    EXPECT_TRUE(result.best.empty());
    EXPECT_EQ(result.inside, 0);
    EXPECT_GT(result.floor->upper_j, 0.05 * task.original_j);
    EXPECT_LE(result.floor->upper_j, result.original->upper_j);
    EXPECT_NEAR(result.floor->upper_j, upper_j(result.floor->cost, 0.95), 1e-12);
    const std::vector<std::int64_t> narrowest(task.space.widths.size(), 1);
    EXPECT_LE(result.floor->upper_j, upper_j(*task.judge->judge(narrowest), 0.95));
    EXPECT_GT(result.floor_causes.waiting_share.value(), 0.1);
    EXPECT_FALSE(result.floor_causes.parts.empty());
  }
}

TEST(SearchWidths, TheFloorItselfIsABudgetThatCanBeMet) {
  Task task = task_of({"server", "lenet5", 10});
  const double floor = task.search(0.01, {.kind = SearchKind::greedy}).floor->upper_j;
  for (const SearchKind kind : kKinds)
    EXPECT_FALSE(
        search_widths(task.space, *task.judge, {floor}, task.worth, {.kind = kind, .draws = 300})
            .best.empty())
        << to_string(kind);
}

TEST(SearchWidths, ALooseBudgetReturnsTheOriginal) {
  Task task = task_of({"server", "cnn5", 128});
  for (const SearchKind kind : kKinds) {
    const SearchResult result = task.search(2, {.kind = kind, .draws = 300});
    ASSERT_FALSE(result.best.empty());
    EXPECT_EQ(result.best.front().widths, original_widths(task.space));
    EXPECT_EQ(result.original->widths, original_widths(task.space));
  }
}

TEST(SearchWidths, MoreConfidenceAllowsLess) {
  Task task = task_of({"xavier", "cnn5", 10});
  const double share = feasible_share(task) + 0.1;
  const auto worth = [&](double confidence) {
    return task.search(share, {.draws = 1000}, confidence).best.front().worth;
  };
  EXPECT_GT(worth(0.5), worth(0.99));
}

TEST(SearchWidths, ImportancesSayWhereToCut) {
  const WidthSpace space = make_space(open_model("cnn5"));
  const auto judge = make_flops_judge(space.original, 1, 1);
  std::vector<std::vector<double>> importances(space.widths.size());
  importances[2].assign(static_cast<std::size_t>(space.widths[2].most), 0);
  std::fill_n(importances[2].begin(), 4, 1.0);  // all but four channels of it are worth nothing
  const auto width = [&](const WidthWorth& worth) {
    return search_widths(space, *judge, {0.4}, worth, {.draws = 2000}).best.front().widths[2];
  };
  EXPECT_LT(width(worth_of_importances(space, importances)), width(worth_of_counts(space)));
}

TEST(SearchWidths, WhatIsLeftAloneStays) {
  const Case of{"server", "cnn5", 128};
  const std::string name = make_space(open_model("cnn5")).widths[1].name;
  Task task = task_of(of, {.leave_alone = {name}});
  const SearchResult result = task.search(0.8, {.draws = 500});
  ASSERT_FALSE(result.best.empty());
  for (const WidthCandidate& candidate : result.best)
    EXPECT_EQ(candidate.widths[1], task.space.widths[1].most);
}

TEST(SearchWidths, NetworksThatCannotBeJudgedAreNotInside) {
  struct Silent : WidthJudge {
    std::optional<Judgement> judge(std::span<const std::int64_t>) override { return {}; }
    CostCauses causes(std::span<const std::int64_t>) override { return {}; }
  } silent;
  struct Broken : Silent {
    std::optional<Judgement> judge(std::span<const std::int64_t>) override {
      return Judgement{NAN, 0, {}, false};
    }
  } broken;
  const WidthSpace space = make_space(open_model("cnn5"));
  for (WidthJudge* judge : {static_cast<WidthJudge*>(&silent), static_cast<WidthJudge*>(&broken)})
    for (const SearchKind kind : kKinds) {
      const SearchResult result =
          search_widths(space, *judge, {1}, worth_of_counts(space), {.kind = kind, .draws = 100});
      EXPECT_TRUE(result.best.empty());
      EXPECT_FALSE(result.floor);
    }
}

TEST(SearchWidths, SenselessQuestionsAreRefused) {
  const WidthSpace space = make_space(open_model("cnn5"));
  const auto judge = make_flops_judge(space.original, 1, 1);
  const WidthWorth worth = worth_of_counts(space);
  const auto refused = [&](const EnergyBudget& budget, const WidthWorth& of,
                           const SearchOptions& options) {
    try {
      search_widths(space, *judge, budget, of, options);
      return false;
    } catch (const Error& error) {
      return error.code() == ErrorCode::usage;
    }
  };
  for (const double joules : {0.0, -1.0, double{NAN}, double{INFINITY}})
    EXPECT_TRUE(refused({joules}, worth, {})) << joules;
  for (const double confidence : {0.0, 0.49, 1.0, 2.0, double{NAN}})
    EXPECT_TRUE(refused({1, confidence}, worth, {})) << confidence;
  EXPECT_TRUE(refused({1}, worth, {.draws = 0}));
  EXPECT_TRUE(refused({1}, worth, {.keep = 0}));
  EXPECT_TRUE(refused({1}, {}, {}));
  WidthWorth shorter = worth;
  shorter.values[0].pop_back();
  EXPECT_TRUE(refused({1}, shorter, {}));
}

TEST(SearchWidths, TellsHowFarItIsAndStopsWhenAsked) {
  const WidthSpace space = make_space(open_model("cnn5"));
  const auto judge = make_flops_judge(space.original, 1, 1);
  std::set<std::string> told;
  const auto search = [&] {
    search_widths(space, *judge, {0.5}, worth_of_counts(space), {.draws = 5000},
                  [&](const SearchProgress& progress) {
                    told.insert(progress.what);
                    EXPECT_GT(progress.done, 0);
                  });
  };
  search();
  EXPECT_THAT(told, testing::IsSupersetOf({"drawn", "bred"}));
  const auto stop = [](const SearchProgress&) { throw Error(ErrorCode::interrupted, "stop"); };
  EXPECT_THROW(search_widths(space, *judge, {0.5}, worth_of_counts(space), {.draws = 5000}, stop),
               Error);
}

TEST(SearchKind, IsReadByName) {
  for (const SearchKind kind : kKinds) EXPECT_EQ(parse_search(to_string(kind)), kind);
  try {
    parse_search("gredy");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'greedy'"));
  }
}

}  // namespace
}  // namespace ampere
