#include "method/ampere/ampere_method.h"

#include <numeric>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/ampere/ampere_page.h"
#include "method/ampere/profile.h"
#include "method/ampere/test_points.h"

namespace ampere {
namespace {

// Until something was measured on a device, a point is taken to last as long as three windows and
// their warm-up usually do.
constexpr Seconds kPerPoint{1.5};

KindOptions kind_options(const ProfileOptions& options, const Rig& rig, const Setup& setup) {
  KindOptions own;
  own.points = options.points;
  own.tolerance = options.tolerance;
  own.guide = options.guide;
  own.precision = precision_of(options, {});
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
    preview.expected = (preview.points + preview.test_points) * per_point(store, profile, plan);
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
  static Seconds per_point(const Store& store, std::optional<std::int64_t> profile,
                           std::span<const PlannedKind> plan) {
    if (!profile) return kPerPoint;
    const MeasuringCost known = cost_of(points_of(store, *profile, plan));
    return known.points == 0 ? kPerPoint : known.seconds / known.points;
  }
};

}  // namespace

std::unique_ptr<Method> make_ampere_method() { return std::make_unique<AmpereMethod>(); }

}  // namespace ampere
