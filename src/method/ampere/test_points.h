// Points of a kind that nothing is fitted to: how far its fit is off where it was not measured.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/ampere/fit.h"
#include "method/ampere/profile.h"

namespace ampere {

struct TestRequest {
  int points = 0;          // of each kind; those in the store count, failed ones among them
  std::uint64_t seed = 0;  // equal seeds give equal points, and fewer are the first of more
};

// Variants of every kind of the plan that has a fit, at features drawn from the smallest to the
// planned ones: none that its fit or a test has, and only what is allowed and the rig can measure.
// There are fewer where there are not so many. They are kept apart from all that fits are made of.
// The rig and the store must outlive the suggestions.
std::unique_ptr<Suggestions> suggest_tests(std::vector<PlannedKind> plan, const Rig& rig,
                                           const Store& store, std::int64_t profile,
                                           const Setup& setup, const KindOptions& options,
                                           const TestRequest& request);

// For each kind of the plan how many suggest_tests would take at most, beside what is there.
std::vector<int> preview_tests(std::span<const PlannedKind> plan, const Store& store,
                               std::optional<std::int64_t> profile, const TestRequest& request);

// What was observed is the kind's own cost: the variant's, less what its companions are known to.
struct TestPoint {
  std::vector<std::int64_t> features;
  double energy_j = 0, energy_sd = 0, time_s = 0, time_sd = 0;  // observed, an iteration
  Quantity estimated_j, estimated_s;
  Measurement measurement;  // of the whole variant
  std::string taken_at;
};

// Estimate less observation as a share of the observation; absent where that is not positive.
std::optional<double> energy_difference(const TestPoint& point);
std::optional<double> time_difference(const TestPoint& point);

struct KindTests {
  std::vector<TestPoint> points;  // in the order they were measured
  int failed = 0;
  bool more = false;  // there are more than were asked for
};

// Those of a kind at which it was not fitted since. `fits` are all that the profile has, this
// kind's among them; `most` bounds how many observations are read.
KindTests kind_tests(const Store& store, std::int64_t profile, const Fits& fits,
                     const std::string& kind, std::optional<std::int64_t> most = std::nullopt);

// Over the points that have a difference; absent where none has.
struct KindScore {
  int compared = 0;  // in energy
  double energy_mape = 0;
  std::optional<double> time_mape;
  TestPoint worst;  // in energy
};
std::optional<KindScore> score_tests(const KindTests& tests);

}  // namespace ampere
