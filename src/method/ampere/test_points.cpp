#include "method/ampere/test_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/hash.h"
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
class RandomDraw {
 public:
  RandomDraw(const PlannedKind& planned, std::uint64_t seed)
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

int missing_tests(const PlannedKind& planned, const Measured& measured,
                  const TestRequest& request) {
  const auto free = static_cast<int>(places(planned)) - static_cast<int>(measured.for_fit.size());
  return std::max(0, std::min(request.points, free) - static_cast<int>(measured.for_test.size()));
}

class TestSuggestions final : public Suggestions {
 public:
  TestSuggestions(std::vector<PlannedKind> plan, const Rig& rig, const Store& store,
                  std::int64_t profile, const Setup& setup, const KindOptions& options,
                  const TestRequest& request)
      : plan_(std::move(plan)),
        rig_(rig),
        store_(store),
        profile_(profile),
        setup_(setup),
        options_(options),
        request_(request) {
    for (const int missing : preview_tests(plan_, store_, profile_, request_)) at_most_ += missing;
  }

  std::optional<Suggestion> next() override {
    for (; index_ < plan_.size(); ++index_, draws_.reset()) {
      const PlannedKind& planned = plan_[index_];
      if (!draws_ && !begin(planned)) continue;
      if (auto suggestion = draw(planned)) return suggestion;
    }
    return std::nullopt;
  }

  void tell(const Finding&) override {
    ++done_;
    --missing_;
  }

  Progress progress() const override {
    Progress now;
    now.step = "test points";
    now.title = plan_[index_].kind->title;
    now.done = done_;
    now.of = at_most_;
    return now;
  }

  std::optional<std::int64_t> left() const override { return std::max(0, at_most_ - done_); }

 private:
  // False where the kind has no fit that could be tested.
  bool begin(const PlannedKind& planned) {
    if (store_.fits(profile_, {planned.kind->key}).empty()) return false;
    measured_ = measured_of(planned, store_, profile_);
    missing_ = missing_tests(planned, measured_, request_);
    draws_.emplace(planned, request_.seed);
    return true;
  }

  std::optional<Suggestion> draw(const PlannedKind& planned) {
    while (missing_ > 0) {
      const auto features = draws_->draw();
      if (!features) break;
      if (measured_.for_fit.contains(*features) || measured_.for_test.contains(*features)) continue;
      Suggestion suggestion =
          variant_of(planned, *features, Purpose::test, setup_, options_.precision);
      if (is_possible(suggestion.model)) return suggestion;
    }
    return std::nullopt;
  }

  bool is_possible(const Model& variant) const {
    return (!options_.allowed || options_.allowed(variant)) && rig_.can_measure(variant, setup_);
  }

  std::vector<PlannedKind> plan_;
  const Rig& rig_;
  const Store& store_;
  std::int64_t profile_;
  Setup setup_;
  KindOptions options_;
  TestRequest request_;
  int at_most_ = 0, done_ = 0;
  std::size_t index_ = 0;
  std::optional<RandomDraw> draws_;  // of the kind at index_, once it has begun
  Measured measured_;
  int missing_ = 0;
};

}  // namespace

std::unique_ptr<Suggestions> suggest_tests(std::vector<PlannedKind> plan, const Rig& rig,
                                           const Store& store, std::int64_t profile,
                                           const Setup& setup, const KindOptions& options,
                                           const TestRequest& request) {
  return std::make_unique<TestSuggestions>(std::move(plan), rig, store, profile, setup, options,
                                           request);
}

std::vector<int> preview_tests(std::span<const PlannedKind> plan, const Store& store,
                               std::optional<std::int64_t> profile, const TestRequest& request) {
  std::vector<int> missing;
  for (const PlannedKind& planned : plan)
    missing.push_back(missing_tests(
        planned, profile ? measured_of(planned, store, *profile) : Measured{}, request));
  return missing;
}

}  // namespace ampere
