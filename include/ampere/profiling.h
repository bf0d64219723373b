// How a device is profiled, and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/measurement.h"
#include "ampere/program.h"
#include "ampere/progress.h"

namespace ampere {

enum class Guide { energy, time };

// For every method; each looks at its own. What is not set is the method's own default.
struct ProfileOptions {
  std::optional<double> measure_error;   // relative standard error to reach for each network
  std::optional<Seconds> point_seconds;  // longest time for measuring one network
  std::optional<Seconds> time_limit;     // for the whole profile; nothing new is begun after it
  bool steady = false;                   // on a machine that others use: see steadier()

  // dual
  int timings = 600;  // blocks timed alone, at most, beside those at round widths
  int networks = 30;  // whose energy is measured: half of them whole, half three blocks deep
  bool measure_originals = true;  // as they are and at half their widths; not where they are tests

  // ampere
  int points = 25;          // at most, for a kind with two features or more; a third of it for one
  double tolerance = 0.05;  // enough when the largest deviation is below this share of the mean
  Guide guide = Guide::energy;  // whose uncertainty chooses the next point
  int test_points = 0;          // of each kind, measured afterwards and never fitted to
  std::uint64_t seed = 0;       // of the test points

  // Baselines: nothing new is begun once so much measuring was used, what is known included.
  std::optional<Seconds> measuring_budget;

  bool only_answerable = false;  // keeps to what the rig has an answer for: a recording
};

// Of a general profile, which answers for every network and setup.
struct GeneralOptions {
  int operations = 10000;    // of the corpus that are timed alone, at most
  std::vector<Program> own;  // all operations of these are timed, too
  int programs = 14;         // measured for their energy
  Precision precision{.relative_error = 0.02, .time_limit = Seconds(2.5)};  // of each program
  std::optional<Seconds> time_limit = {};  // for the whole profile; nothing new is begun after it
};

// The precision of each measurement: as asked for, or else the method's own.
Precision precision_of(const ProfileOptions& options, Precision own);

// How far a method was from networks it had not seen, in cross-validation; errors as fractions.
struct CrossValidation {
  int networks = 0;
  double energy_mape = 0, time_mape = 0;
};

// A reference network measured at the start, between others and at the end: how much the device
// changed meanwhile.
struct Drift {
  int repeats = 0;  // how often the reference was measured
  // Change from the first to the last, relative, along a line; absent below two measurements.
  std::optional<double> energy, time;
  bool significant = false;  // more than its own scatter explains
};

struct ProfileSummary : Summary {
  std::string method;
  std::optional<CrossValidation> cross_validated;  // absent when there is too little to fit
  std::optional<Drift> drift;
  // Programs of other sittings with a device of this kind that count for the energy as well.
  int measured_elsewhere = 0;
};

// How well the fit of a kind predicts points that it was not fitted to.
struct TestedKind {
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> feature_names;
  int points = 0, failed = 0;
  int compared = 0;  // points with an observation above 0, in energy
  std::optional<double> energy_mape, time_mape;
  std::vector<std::int64_t> worst;         // features of the point furthest off, in energy
  std::optional<double> worst_difference;  // of it: estimate over observation, less 1
};

// What the published method knows of a kind: its points, after subtraction.
struct KindPoint {
  std::vector<std::int64_t> features;
  std::int64_t training_flops = 0;  // of the block alone, per iteration
  double energy_j = 0, energy_sd = 0, time_s = 0, time_sd = 0;
};
struct KindPoints {
  std::string kind;  // key
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> feature_names;
  std::vector<KindPoint> points;  // as they were fitted
};

// What a profile would measure.
struct PlannedKindWork {
  std::string title;
  Role role = Role::hidden;
  std::vector<Feature> features;
  std::vector<std::int64_t> upper;  // up to these values
  int known = 0, at_most = 0, at_most_tests = 0;
};
struct ProfilePreview {
  std::string method;
  int timings = 0, networks = 0;       // at most
  std::vector<PlannedKindWork> kinds;  // of the published method
  int points = 0, test_points = 0;     // over all kinds, at most
  int expected_points = 0;             // of these, about
  Seconds expected{};
};

}  // namespace ampere
