// Both sides of a comparison, trained in turns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/stats.h"
#include "method/operations/program_estimate.h"
#include "session/at_hand.h"

namespace ampere {
namespace {

Step trained_step(const DiffSide& side, const Setup& setup) {
  Step step = step_of(side, setup);
  if (std::holds_alternative<std::monostate>(step))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is a traced iteration, which nothing can be trained from; "
                            "comparing it with a measurement needs the network or the script",
                            side.name));
  return step;
}

void add(const Measurement& measured, DiffCheck::Rounds& rounds, DiffCheck& check) {
  rounds.energy_j.push_back(measured.energy_j.mean);
  rounds.time_s.push_back(measured.time_s.mean);
  check.source = std::max(check.source, measured.source);
  for (const std::string& note : measured.notes)
    if (std::ranges::find(check.notes, note) == check.notes.end()) check.notes.push_back(note);
}

// Of the mean of what each round differs by, with Student's t.
Interval mean_difference(const std::vector<double>& before, const std::vector<double>& after,
                         double confidence) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(after[i] - before[i]);
  const auto count = static_cast<double>(differences.size());
  const double middle = mean(differences);
  const double reach = student_quantile((1 + confidence) / 2, count - 1) *
                       standard_deviation(differences).value() / std::sqrt(count);
  return {middle, middle - reach, middle + reach, confidence};
}

bool is_inside(const std::optional<Interval>& estimated, double value) {
  return estimated && estimated->low <= value && value <= estimated->high;
}

}  // namespace

// The one that comes first in a round comes second in the next, so that neither is always measured
// on the warmer device.
DiffCheck Session::check(const DiffSide& before, const DiffSide& after, const Diff& diff,
                         const ProfileQuery& query, const Precision& precision, int rounds,
                         const NamedRig& rig) const {
  constexpr int kLeastRounds = 2;
  if (rounds < kLeastRounds)
    throw Error(
        ErrorCode::usage,
        fmt::format("{} rounds: a difference has no error of its own before the second", rounds));
  const Step first = trained_step(before, query.setup), second = trained_step(after, query.setup);
  DiffCheck check;
  require_same_device(diff.after.profile.row, rig.rig.device(), check.notes);
  for (int round = 0; round < rounds; ++round) {
    const bool turned = round % 2 == 1;
    const auto measure = [&](const Step& step, DiffCheck::Rounds& rounds_of) {
      add(measure_step(step, precision, rig.rig).value(), rounds_of, check);
    };
    if (!turned) measure(first, check.before);
    measure(second, check.after);
    if (turned) measure(first, check.before);
  }
  const double confidence = diff.energy_j ? diff.energy_j->confidence : kUsualConfidence;
  check.energy_j = mean_difference(check.before.energy_j, check.after.energy_j, confidence);
  check.time_s = mean_difference(check.before.time_s, check.after.time_s, confidence);
  check.energy_inside = is_inside(diff.energy_j, check.energy_j.mean);
  check.time_inside = is_inside(diff.time_s, check.time_s.mean);
  return check;
}

}  // namespace ampere
