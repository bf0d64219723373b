#include "method/ampere/profile.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "method/ampere/kind_search.h"

namespace ampere {
namespace {

// For each kind of the plan, how many points it takes at most.
std::vector<int> most_points(std::span<const PlannedKind> plan, const KindOptions& options) {
  std::vector<int> most;
  for (const PlannedKind& planned : plan)
    most.push_back(KindSearch(planned, options, {}, {}).limit());
  return most;
}

int points_left(const KindSearch& search) {
  return search.suggest() ? search.limit() - search.points() : 0;
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

class PointSuggestions final : public Suggestions {
 public:
  PointSuggestions(std::vector<PlannedKind> plan, Store& store, std::int64_t profile,
                   const Setup& setup, const KindOptions& options)
      : plan_(std::move(plan)),
        store_(store),
        profile_(profile),
        setup_(setup),
        options_(options),
        left_(most_points(plan_, options)),
        fits_(read_fits(store.fits(profile))) {}

  std::optional<Suggestion> next() override {
    if (std::exchange(told_, false) && options_.in_turns) go_on();
    for (; finished_ < plan_.size(); ++finished_, go_on()) {
      const PlannedKind& planned = plan_[index_];
      if (!search_ && !begin(planned)) continue;
      if (const auto features = search_->suggest()) {
        if (options_.in_turns) look_at_all_again();
        return variant_of(planned, *features, Purpose::variant, setup_, options_.precision);
      }
      if (!search_->fit())
        warnings_.push_back(fmt::format("'{}' could not be measured at all", planned.kind->title));
    }
    return std::nullopt;
  }

  void tell(const Finding& finding) override {
    search_->tell(finding.observation.value());
    left_[index_] = points_left(*search_);
    keep_fit();
    told_ = true;
  }

  Progress progress() const override {
    Progress now;
    now.step = fmt::format("[{}/{}]", index_ + 1, plan_.size());
    now.title = plan_[index_].kind->title;
    now.done = search_->points();
    now.of = search_->limit();
    now.uncertainty = search_->uncertainty();
    now.finished = !search_->suggest();
    return now;
  }

  std::optional<std::int64_t> left() const override {
    return std::accumulate(left_.begin(), left_.end(), std::int64_t{0});
  }

  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  void go_on() {
    search_.reset();
    index_ = (index_ + 1) % plan_.size();
  }

  // The point that is measured next may be what another kind lacked.
  void look_at_all_again() {
    finished_ = 0;
    warnings_.clear();
  }

  // False where the kind cannot be isolated. The fits of its companions may have changed since it
  // was begun before.
  bool begin(const PlannedKind& planned) {
    left_[index_] = 0;
    if (const auto reason = missing_companion(planned, fits_)) {
      warnings_.push_back(*reason);
      return false;
    }
    search_.emplace(planned, options_, usable_observations(store_, profile_, *planned.kind, fits_),
                    fits_);
    left_[index_] = points_left(*search_);
    keep_fit();
    return true;
  }

  void keep_fit() {
    if (!search_->fit()) return;
    const KindFit& fit = *search_->fit();
    store_.put_fit(profile_, {fit.kind, to_text(fit)});
    fits_.insert_or_assign(fit.kind, fit);
  }

  std::vector<PlannedKind> plan_;
  Store& store_;
  std::int64_t profile_;
  Setup setup_;
  KindOptions options_;
  std::vector<int> left_;  // points of each kind, at most
  Fits fits_;
  std::size_t index_ = 0;
  std::size_t finished_ = 0;          // kinds in a row, up to index_, that want no point
  bool told_ = false;                 // since the last suggestion
  std::optional<KindSearch> search_;  // of the kind at index_, once it has begun
  std::vector<std::string> warnings_;
};

}  // namespace

Fits read_fits(const std::vector<StoredFit>& stored) {
  Fits fits;
  for (const StoredFit& fit : stored) fits.emplace(fit.kind, parse_fit(fit.text));
  return fits;
}

std::unique_ptr<Suggestions> suggest_points(std::vector<PlannedKind> plan, Store& store,
                                            std::int64_t profile, const Setup& setup,
                                            const KindOptions& options) {
  return std::make_unique<PointSuggestions>(std::move(plan), store, profile, setup, options);
}

Suggestion variant_of(const PlannedKind& planned, const std::vector<std::int64_t>& features,
                      Purpose purpose, const Setup& setup, const Precision& precision) {
  Suggestion suggestion;
  suggestion.model = make_variant(*planned.kind, features, planned.companions);
  suggestion.setup = setup;
  suggestion.title = fmt::format("'{}' at one point", planned.kind->title);
  suggestion.precision = precision;
  suggestion.purpose = purpose;
  suggestion.kind = planned.kind->key;
  suggestion.features = features;
  return suggestion;
}

std::vector<PlannedKindWork> preview_profile(std::span<const PlannedKind> plan, const Store& store,
                                             std::optional<std::int64_t> profile,
                                             const KindOptions& options) {
  std::vector<PlannedKindWork> work;
  Fits fits = profile ? read_fits(store.fits(*profile)) : Fits{};
  for (const PlannedKind& planned : plan) {
    std::vector<Observation> known;
    if (profile) known = usable_observations(store, *profile, *planned.kind, fits);
    const KindSearch search(planned, options, std::move(known), fits);
    work.push_back({planned.kind->title, planned.kind->role, planned.kind->features, planned.upper,
                    search.points(), points_left(search), 0});
    if (search.fit()) fits.insert_or_assign(planned.kind->key, *search.fit());
  }
  return work;
}

}  // namespace ampere
