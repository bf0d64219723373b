#include "method/ampere/profile.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "method/ampere/kind_search.h"
#include "method/ampere/observing.h"

namespace ampere {
namespace {

// For each kind of the plan, how many points those behind it take at most.
std::vector<int> most_points_after(std::span<const PlannedKind> plan,
                                   const ProfileOptions& options) {
  std::vector<int> after(plan.size(), 0);
  for (std::size_t i = plan.size(); i > 1; --i)
    after[i - 2] = after[i - 1] + KindSearch(plan[i - 1], options, {}, {}).limit();
  return after;
}

// Kinds are shared between networks, their companions need not be: what was measured for another
// network is understood through the fits that it left in the store.
std::vector<Observation> usable_observations(const Store& store, std::int64_t profile,
                                             const BlockKind& kind, const Fits& fits) {
  std::vector<Observation> found =
      store.find({.profile = profile, .purpose = Purpose::variant, .kind = kind.key});
  std::erase_if(
      found, [&](const Observation& observation) { return !can_isolate(kind, observation, fits); });
  return found;
}

// Why `planned` cannot be isolated, when one of its companions failed everywhere.
std::optional<std::string> missing_companion(const PlannedKind& planned, const Fits& fits) {
  for (const auto& companion : {planned.companions.input, planned.companions.output})
    if (companion && !fits.contains(companion->key))
      return fmt::format("'{}' was not measured: its companion '{}' could not be",
                         planned.kind->title, companion->title);
  return std::nullopt;
}

class Profiler {
 public:
  Profiler(std::span<const PlannedKind> plan, Rig& rig, const std::string& rig_name, Store& store,
           const Setup& setup, const ProfileOptions& options,
           const std::function<void(const KindProgress&)>& progress)
      : plan_(plan),
        store_(store),
        options_(options),
        progress_(progress),
        most_after_(most_points_after(plan, options)),
        observing_(rig, rig_name, store, setup, options) {}

  ProfileSummary run() {
    fits_ = read_fits(store_.fits(observing_.profile()));
    for (std::size_t index = 0; index < plan_.size(); ++index) {
      const auto reason = missing_companion(plan_[index], fits_);
      if (!reason)
        profile_kind(index);
      else if (!observing_.out_of_time())
        observing_.warn(*reason);
    }
    return observing_.finish();
  }

 private:
  void profile_kind(std::size_t index) {
    const PlannedKind& planned = plan_[index];
    KindSearch search(planned, options_,
                      usable_observations(store_, observing_.profile(), *planned.kind, fits_),
                      fits_);
    keep_fit(search);
    while (const auto features = search.suggest()) {
      if (!observing_.may_begin()) break;
      search.tell(observing_.measure(planned, *features, Purpose::variant));
      keep_fit(search);
      report(index, search, false);
    }
    if (!search.fit() && !observing_.out_of_time())
      observing_.warn(fmt::format("'{}' could not be measured at all", planned.kind->title));
    report(index, search, true);
  }

  // Stored after every point, so that whatever ends the profile, estimates use all that is known.
  void keep_fit(const KindSearch& search) {
    if (!search.fit()) return;
    store_.put_fit(observing_.profile(), {search.fit()->kind, to_text(*search.fit())});
    fits_.insert_or_assign(search.fit()->kind, *search.fit());
  }

  void report(std::size_t index, const KindSearch& search, bool finished) {
    KindProgress now;
    now.index = index;
    now.kinds = plan_.size();
    now.title = plan_[index].kind->title;
    now.points = search.points();
    now.limit = search.limit();
    now.failures = search.failures();
    now.uncertainty = search.uncertainty();
    now.finished = finished;
    const int done = std::max(1, observing_.done());
    const int left = most_after_[index] + (finished ? 0 : now.limit - now.points);
    now.left = observing_.elapsed() / done * left;
    progress_(now);
  }

  std::span<const PlannedKind> plan_;
  Store& store_;
  const ProfileOptions& options_;
  const std::function<void(const KindProgress&)>& progress_;
  const std::vector<int> most_after_;
  Observing observing_;
  Fits fits_;
};

}  // namespace

Fits read_fits(const std::vector<StoredFit>& stored) {
  Fits fits;
  for (const StoredFit& fit : stored) fits.emplace(fit.kind, parse_fit(fit.text));
  return fits;
}

ProfileSummary run_profile(std::span<const PlannedKind> plan, Rig& rig, const std::string& rig_name,
                           Store& store, const Setup& setup, const ProfileOptions& options,
                           const std::function<void(const KindProgress&)>& progress) {
  return Profiler(plan, rig, rig_name, store, setup, options, progress).run();
}

std::vector<PlannedWork> preview_profile(std::span<const PlannedKind> plan, const Store& store,
                                         std::optional<std::int64_t> profile,
                                         const ProfileOptions& options) {
  std::vector<PlannedWork> work;
  Fits fits = profile ? read_fits(store.fits(*profile)) : Fits{};
  for (const PlannedKind& planned : plan) {
    std::vector<Observation> known;
    if (profile) known = usable_observations(store, *profile, *planned.kind, fits);
    const KindSearch search(planned, options, std::move(known), fits);
    const int more = search.suggest() ? search.limit() - search.points() : 0;
    work.push_back({planned.kind->title, planned.kind->role, planned.kind->features, planned.upper,
                    search.points(), more});
    if (search.fit()) fits.insert_or_assign(planned.kind->key, *search.fit());
  }
  return work;
}

}  // namespace ampere
