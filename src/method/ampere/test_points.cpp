#include "method/ampere/test_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/hash.h"
#include "method/ampere/observing.h"
#include "model/draw_number.h"

namespace ampere {
namespace {

using Features = std::vector<std::int64_t>;

// Of a kind: far more than there are tests, and looked through in a second where none is allowed.
constexpr std::size_t kMostDrawn = 20000;

std::int64_t choices(const PlannedKind& planned, std::size_t axis) {
  return std::max<std::int64_t>(1, planned.upper[axis] / planned.kind->features[axis].multiple_of);
}

// How many different features there are, as far as they are drawn.
std::size_t places(const PlannedKind& planned) {
  std::size_t product = 1;
  for (std::size_t axis = 0; axis < planned.upper.size(); ++axis) {
    const auto levels = static_cast<std::size_t>(choices(planned, axis));
    product = std::min(kMostDrawn, product * std::min(kMostDrawn, levels));
  }
  return product;
}

// Features of a kind in random order, none twice.
class Lottery {
 public:
  Lottery(const PlannedKind& planned, std::uint64_t seed)
      : planned_(planned),
        places_(places(planned)),
        random_(
            std::stoull(hash_text(fmt::format("{} {}", seed, planned.kind->key)), nullptr, 16)) {}

  // Nothing when there are no more.
  std::optional<Features> draw() {
    if (drawn_.size() >= places_) return std::nullopt;
    Features features;
    do features = anywhere();
    while (!drawn_.insert(features).second);
    return features;
  }

 private:
  Features anywhere() {
    Features features;
    for (std::size_t axis = 0; axis < planned_.upper.size(); ++axis)
      features.push_back(planned_.kind->features[axis].multiple_of *
                         draw_number(random_, 1, choices(planned_, axis)));
    return features;
  }

  const PlannedKind& planned_;
  std::size_t places_;
  std::mt19937_64 random_;
  std::set<Features> drawn_;
};

// Where a kind was measured, within what is planned.
struct Measured {
  std::set<Features> for_fit, for_test;  // what is in the first is not in the second
};

Measured measured_of(const PlannedKind& planned, const Store& store, std::int64_t profile) {
  const auto within = [&](const Features& features) {
    return std::ranges::equal(features, planned.upper, std::ranges::less_equal{});
  };
  Measured measured;
  for (const Observation& known :
       store.find({.profile = profile, .purpose = Purpose::variant, .kind = planned.kind->key}))
    if (within(known.features)) measured.for_fit.insert(known.features);
  for (const Observation& known :
       store.find({.profile = profile, .purpose = Purpose::test, .kind = planned.kind->key}))
    if (within(known.features) && !measured.for_fit.contains(known.features))
      measured.for_test.insert(known.features);
  return measured;
}

int missing_tests(const PlannedKind& planned, const Measured& measured, const TestWish& wish) {
  const auto free = static_cast<int>(places(planned)) - static_cast<int>(measured.for_fit.size());
  return std::max(0, std::min(wish.points, free) - static_cast<int>(measured.for_test.size()));
}

class Tester {
 public:
  Tester(std::span<const PlannedKind> plan, Rig& rig, const std::string& rig_name, Store& store,
         const Setup& setup, const ProfileOptions& options, const TestWish& wish,
         const std::function<void(const TestProgress&)>& progress)
      : plan_(plan),
        rig_(rig),
        store_(store),
        setup_(setup),
        options_(options),
        wish_(wish),
        progress_(progress),
        observing_(rig, rig_name, store, setup, options) {}

  ProfileSummary run() {
    for (const int missing : preview_tests(plan_, store_, observing_.profile(), wish_))
      at_most_ += missing;
    for (const PlannedKind& planned : plan_)
      if (!store_.fits(observing_.profile(), {planned.kind->key}).empty()) test_kind_of(planned);
    return observing_.finish();
  }

 private:
  void test_kind_of(const PlannedKind& planned) {
    const Measured measured = measured_of(planned, store_, observing_.profile());
    int missing = missing_tests(planned, measured, wish_);
    Lottery lottery(planned, wish_.seed);
    while (missing > 0) {
      const auto features = lottery.draw();
      if (!features) return;
      if (measured.for_fit.contains(*features) || measured.for_test.contains(*features) ||
          !is_possible(planned, *features))
        continue;
      if (!observing_.may_begin()) return;
      observing_.measure(planned, *features, Purpose::test);
      --missing;
      report(planned);
    }
  }

  bool is_possible(const PlannedKind& planned, const Features& features) const {
    const Model variant = make_variant(*planned.kind, features, planned.companions);
    return (!options_.allowed || options_.allowed(variant)) && rig_.can_measure(variant, setup_);
  }

  void report(const PlannedKind& planned) const {
    const int done = observing_.done();
    progress_({planned.kind->title, done, at_most_,
               observing_.elapsed() / done * std::max(0, at_most_ - done)});
  }

  std::span<const PlannedKind> plan_;
  Rig& rig_;
  Store& store_;
  const Setup& setup_;
  const ProfileOptions& options_;
  const TestWish& wish_;
  const std::function<void(const TestProgress&)>& progress_;
  Observing observing_;
  int at_most_ = 0;
};

}  // namespace

ProfileSummary measure_tests(std::span<const PlannedKind> plan, Rig& rig,
                             const std::string& rig_name, Store& store, const Setup& setup,
                             const ProfileOptions& options, const TestWish& wish,
                             const std::function<void(const TestProgress&)>& progress) {
  return Tester(plan, rig, rig_name, store, setup, options, wish, progress).run();
}

std::vector<int> preview_tests(std::span<const PlannedKind> plan, const Store& store,
                               std::optional<std::int64_t> profile, const TestWish& wish) {
  std::vector<int> missing;
  for (const PlannedKind& planned : plan)
    missing.push_back(
        missing_tests(planned, profile ? measured_of(planned, store, *profile) : Measured{}, wish));
  return missing;
}

}  // namespace ampere
