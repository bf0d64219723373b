// How many networks a judge judges in a second, on one core:
//   widths_bench [MODEL [BATCH]]
// For each judge: random networks met for the first time, the same networks again, and the
// estimator of the method asked for each of them; what ampere.cost answers; and what each search
// comes to.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "ampere/estimate.h"
#include "ampere/session.h"
#include "ampere/widths.h"
#include "campaign/profile_by.h"
#include "method/ampere/ampere_method.h"
#include "method/ampere/fit.h"
#include "method/ampere/profile.h"
#include "method/dual/dual.h"
#include "method/dual/dual_method.h"
#include "method/dual/dual_profile.h"
#include "method/proxies/proxies.h"
#include "model/draw.h"
#include "prune/search/width_search.h"
#include "rig/sim.h"
#include "widths/width_cost.h"

namespace ampere {
namespace {

constexpr int kNetworks = 100'000, kEstimates = 300, kGeneral = 300;
constexpr unsigned kSeed = 3;

using List = std::vector<std::vector<std::int64_t>>;

// Of this process, so that others on the machine do not count.
template <class Work>
double seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

List draw(const WidthSpace& space, int count) {
  std::mt19937_64 random(kSeed);
  List list;
  for (int i = 0; i < count; ++i) {
    std::vector<std::int64_t> widths;
    for (const WidthRange& range : space.widths)
      widths.push_back(range.choice(
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.choices()))));
    list.push_back(std::move(widths));
  }
  return list;
}

SharedDualModel profile_dual(const std::string& spec, const Setup& setup) {
  const auto rig = open_sim_rig("server", 1);
  const auto store = open_store("memory:");
  const Model model = open_model(spec);
  Listener silent;
  const ProfileSummary summary =
      profile_by(*make_dual_method(), {{model}, draw_narrower({&model, 1}, 60, kSeed)}, {},
                 Campaign(*rig, "sim", *store, setup, {}, {}, silent));
  return load_dual(*store, summary.profile);
}

Fits profile_blocks(const std::string& spec, const Setup& setup) {
  const auto rig = open_sim_rig("server", 1);
  const auto store = open_store("memory:");
  const Model model = open_model(spec);
  Listener silent;
  const ProfileSummary summary = profile_by(*make_ampere_method(), {{model}, {}}, {},
                                            Campaign(*rig, "sim", *store, setup, {}, {}, silent));
  return read_fits(store->fits(summary.profile));
}

void print_speed(const std::string& name, WidthJudge& judge, const Estimator* estimator,
                 const Model& original, const List& list) {
  double sum = 0;
  const auto judge_all = [&] {
    for (const auto& widths : list) sum += judge.judge(widths)->energy_j;
  };
  const double first = seconds(judge_all), again = seconds(judge_all);
  const auto count = static_cast<double>(list.size());
  fmt::print("{:<8}{:>12.0f}{:>12.0f}", name, count / first, count / again);
  if (estimator == nullptr) {
    fmt::print("\n");
    return;
  }
  const double estimates =
      kEstimates / seconds([&] {
        for (int i = 0; i < kEstimates; ++i)
          sum += estimator->estimate(with_widths(original, list[i]), {}).energy_j->mean;
      });
  fmt::print("{:>12.0f}{:>11.0f}×\n", estimates, count / again / estimates);
}

// Points of ampere.cost: whole ones at random, whole ones near the original as a search asks for
// them, ones between whole widths, and those with gradients. A general profile is asked less.
void print_cost(const std::string& name, const Estimator& estimator, const WidthSpace& space,
                int count) {
  std::vector<std::unique_ptr<WidthJudge>> judges;
  judges.push_back(estimator.judge(space.original));
  WidthCost cost(space.original, std::move(judges));
  std::mt19937_64 random(kSeed);
  std::vector<double> anywhere, near, between;
  for (const auto& widths : draw(space, count))
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const WidthRange& range = space.widths[i];
      const std::int64_t steps = std::min<std::int64_t>(range.choices(), 5);
      anywhere.push_back(static_cast<double>(widths[i]));
      near.push_back(static_cast<double>(
          range.most -
          range.step * static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps))));
      between.push_back(std::max(static_cast<double>(range.least), near.back() - 0.5));
    }
  const auto rate = [&](const std::vector<double>& points, bool gradients) {
    const auto some = std::span(points).first(points.size() / (gradients ? 10 : 1));
    const double time = seconds([&] { cost.at(some, {.gradients = gradients}); });
    return static_cast<double>(some.size() / space.widths.size()) / time;
  };
  const double first = rate(anywhere, false), again = rate(anywhere, false);
  const double search = rate(near, false), inside = rate(between, false);
  const double gradients = rate(between, true);
  fmt::print("{:<12}{:>12.0f}{:>12.0f}{:>12.0f}{:>12.0f}{:>12.0f}\n", name, first, again, search,
             inside, gradients);
}

// Of the shipped profile of an H200.
std::unique_ptr<Estimator> general_estimator(const Setup& setup) {
  const Session session(open_store("memory:"));
  ProfileQuery query;
  query.setup = setup;
  query.device = "h200";
  return session.estimator(session.choose(query).row, "operations");
}

void print_search(const WidthSpace& space, WidthJudge& judge, SearchKind kind, double share) {
  const double original_j = judge.judge(original_widths(space))->energy_j;
  SearchResult result;
  const double time = seconds([&] {
    result =
        search_widths(space, judge, {share * original_j}, worth_of_counts(space), {.kind = kind});
  });
  if (result.best.empty()) {
    fmt::print("{:<14}{:>6.0f} %  nothing inside; the floor is {:.0f} %\n", to_string(kind),
               100 * share, 100 * result.floor->upper_j / original_j);
    return;
  }
  fmt::print("{:<14}{:>6.0f} %{:>10.3f}{:>10}{:>8.2f} s\n", to_string(kind), 100 * share,
             result.best.front().worth, result.judged, time);
}

void run(const std::string& spec, std::int64_t batch) {
  Setup setup;
  setup.batch = batch;
  const WidthSpace space = make_space(open_model(spec));
  const List list = draw(space, kNetworks);
  const SharedDualModel dual = profile_dual(spec, setup);
  const Fits fits = profile_blocks(spec, setup);
  const auto dual_estimator = make_dual_estimator(dual);
  const auto ampere_estimator = make_ampere_estimator(fits, setup);
  const auto by_dual = dual_estimator->judge(space.original);
  const auto by_ampere = ampere_estimator->judge(space.original);
  fmt::print("{}, batch {}: networks judged in a second\n{:<8}{:>12}{:>12}{:>12}{:>12}\n", spec,
             batch, "judge", "first", "again", "estimator", "ratio");
  print_speed("dual", *by_dual, dual_estimator.get(), space.original, list);
  print_speed("ampere", *by_ampere, ampere_estimator.get(), space.original, list);
  print_speed("flops", *make_flops_judge(space.original, batch, 1), nullptr, space.original, list);
  fmt::print("\n{:<12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "ampere.cost", "anywhere", "again", "near",
             "between", "gradients");
  print_cost("dual", *dual_estimator, space, kNetworks);
  print_cost("ampere", *ampere_estimator, space, kNetworks / 4);
  print_cost("operations", *general_estimator(setup), space, kGeneral);
  fmt::print("\n{:<14}{:>8}{:>10}{:>10}\n", "search", "budget", "worth", "judged");
  for (const double share : {0.7, 0.5, 0.3})
    for (const SearchKind kind : {SearchKind::random, SearchKind::greedy, SearchKind::evolutionary})
      print_search(space, *by_dual, kind, share);
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) try {
  ampere::run(argc > 1 ? argv[1] : "cnn5", argc > 2 ? std::atoll(argv[2]) : 128);
} catch (const std::exception& error) {
  fmt::print(stderr, "widths_bench: {}\n", error.what());
  return 1;
}
