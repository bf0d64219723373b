#include "method/ampere/ampere_method.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ampere/block.h"
#include "ampere/error.h"
#include "base/steady_now.h"
#include "method/ampere/ampere_page.h"
#include "method/ampere/profile.h"
#include "method/ampere/test_points.h"

namespace ampere {
namespace {

KindOptions kind_options(const ProfileOptions& options, const Rig& rig, const Setup& setup) {
  KindOptions own;
  own.points = options.points;
  own.tolerance = options.tolerance;
  own.guide = options.guide;
  own.precision = precision_of(options, {});
  own.in_turns = options.time_limit.has_value();
  if (options.only_answerable)
    own.allowed = [&rig, setup](const Model& variant) { return rig.can_measure(variant, setup); };
  return own;
}

TestRequest test_request(const ProfileOptions& options) {
  return {options.test_points, options.seed};
}

std::vector<Observation> points_of(const Store& store, std::int64_t profile,
                                   std::span<const PlannedKind> plan) {
  std::vector<Observation> points;
  for (const PlannedKind& planned : plan)
    std::ranges::move(
        store.find({.profile = profile, .purpose = Purpose::variant, .kind = planned.kind->key}),
        std::back_inserter(points));
  return points;
}

TestedKind tested_kind(const KindFit& fit, const KindTests& tests) {
  TestedKind kind;
  kind.title = fit.title;
  kind.role = fit.role;
  kind.feature_names = fit.features;
  kind.points = static_cast<int>(tests.points.size());
  kind.failed = tests.failed;
  if (const auto score = score_tests(tests)) {
    kind.compared = score->compared;
    kind.energy_mape = score->energy_mape;
    kind.time_mape = score->time_mape;
    kind.worst = score->worst.features;
    kind.worst_difference = energy_difference(score->worst);
  }
  return kind;
}

class AmpereMethod final : public Method {
 public:
  const std::string& name() const override {
    static const std::string name = "ampere";
    return name;
  }
  const std::string& description() const override {
    static const std::string text = "the sum of the blocks' Gaussian processes, as published";
    return text;
  }
  bool serves(Phase) const override { return true; }

  bool answers(const Store&, const ProfileRow& profile) const override {
    return profile.kinds > 0 && profile.observations > profile.failures;
  }

  std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile,
                                  const Model* network,
                                  const std::set<std::string>&) const override {
    if (!answers(store, profile))
      throw Error(
          ErrorCode::unknown,
          "no kind of block was measured in variants on this device with this setup; profile "
          "a network by the method ampere",
          Remedy::profile, "ampere");
    return make_ampere_estimator(
        read_fits(network != nullptr ? store.fits(profile.id, kinds_of(*network))
                                     : store.fits(profile.id)),
        profile.setup);
  }

  MeasuringCost cost(const Store& store, const ProfileRow& profile,
                     const ProfileTask& task) const override {
    return cost_of(points_of(store, profile.id, plan_profile(task.originals)));
  }

  std::unique_ptr<Suggestions> plan(const ProfileTask& task, const ProfileOptions& options,
                                    const ProfileBench& bench) const override {
    return suggest_points(plan_profile(task.originals), bench.store, bench.profile, bench.setup,
                          kind_options(options, bench.rig, bench.setup));
  }

  ProfilePreview preview(const ProfileTask& task, const ProfileOptions& options, Rig& rig,
                         const Store& store, std::optional<std::int64_t> profile,
                         const Setup& setup) const override {
    const std::vector<PlannedKind> plan = plan_profile(task.originals);
    ProfilePreview preview;
    preview.method = name();
    preview.kinds = preview_profile(plan, store, profile, kind_options(options, rig, setup));
    const std::vector<int> tests = preview_tests(plan, store, profile, test_request(options));
    for (std::size_t i = 0; i < preview.kinds.size(); ++i) {
      preview.kinds[i].at_most_tests = tests[i];
      preview.points += preview.kinds[i].at_most;
    }
    preview.test_points = std::accumulate(tests.begin(), tests.end(), 0);
    if (preview.points == 0 && preview.test_points == 0) return preview;
    const Trial trial =
        try_kind(plan, preview.kinds, kind_options(options, rig, setup), rig, setup);
    preview.expected_points = static_cast<int>(std::lround(trial.share * preview.points));
    preview.expected = (preview.expected_points + preview.test_points) *
                       known_or(trial.per_point, store, profile, plan);
    return preview;
  }

  std::unique_ptr<Suggestions> tests(const ProfileTask& task, const ProfileOptions& options,
                                     const ProfileBench& bench) const override {
    if (options.test_points == 0) return nullptr;
    return suggest_tests(plan_profile(task.originals), bench.rig, bench.store, bench.profile,
                         bench.setup, kind_options(options, bench.rig, bench.setup),
                         test_request(options));
  }

  Json page(const Store& store, const ProfileRow& profile, WindowShelf& windows) const override {
    return kinds_content(store, profile, windows);
  }

  std::vector<TestedKind> tested(const Store& store, std::int64_t profile,
                                 const ProfileTask& task) const override {
    std::vector<TestedKind> kinds;
    const Fits fits = read_fits(store.fits(profile));
    for (const PlannedKind& planned : plan_profile(task.originals))
      if (const auto fit = fits.find(planned.kind->key); fit != fits.end())
        kinds.push_back(tested_kind(fit->second, kind_tests(store, profile, fits, fit->first)));
    return kinds;
  }

 private:
  static Seconds known_or(Seconds tried, const Store& store, std::optional<std::int64_t> profile,
                          std::span<const PlannedKind> plan) {
    constexpr int kEnough = 5;  // of the profile's own, to go by them
    if (!profile) return tried;
    const MeasuringCost known = cost_of(points_of(store, *profile, plan));
    return known.points < kEnough ? tried : known.seconds / known.points;
  }

  struct Trial {
    Seconds per_point{};
    double share = 1;  // of the points that a kind may have, until its fit is good enough
  };

  // The kind that may have the fewest points, on the device itself: how many it needs depends on
  // how much the device scatters. Nothing of it is kept.
  static Trial try_kind(std::span<const PlannedKind> plan, std::span<const PlannedKindWork> work,
                        const KindOptions& options, Rig& rig, const Setup& setup) {
    constexpr int kMostTried = 10;
    constexpr Seconds kLongestTrial{20};
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < work.size(); ++i)
      if (work[i].at_most > 0 &&
          (work[chosen].at_most == 0 || work[i].at_most < work[chosen].at_most))
        chosen = i;
    const auto scratch = open_store("memory:");
    const std::int64_t profile = scratch->open_profile(rig.device(), setup, "");
    const auto points = suggest_points({plan[chosen]}, *scratch, profile, setup, options);
    Trial trial;
    Seconds spent{};
    int tried = 0;
    const auto is_enough = [&] { return tried >= kMostTried || spent > kLongestTrial; };
    for (auto next = points->next(); next && !is_enough(); next = points->next(), ++tried) {
      const auto measure = [&] { return observe(rig, next->model, next->setup, next->precision); };
      if (tried == 0) measure();  // pays for starting the device
      const Seconds begin = steady_now();
      Finding finding;
      finding.observation = measure();
      spent += steady_now() - begin;
      finding.observation->purpose = next->purpose;
      finding.observation->kind = next->kind;
      finding.observation->features = next->features;
      scratch->add(profile, *finding.observation);
      points->tell(finding);
    }
    const int allowed = work[chosen].known + work[chosen].at_most;
    if (tried > 0 && !is_enough())
      trial.share = std::min(1.0, static_cast<double>(tried) / allowed);
    if (tried > 0) trial.per_point = spent / static_cast<double>(tried);
    return trial;
  }
};

}  // namespace

std::unique_ptr<Method> make_ampere_method() { return std::make_unique<AmpereMethod>(); }

}  // namespace ampere
