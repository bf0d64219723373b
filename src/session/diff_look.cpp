#include "session/diff_look.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/energy_look.h"
#include "method/operations/host_look.h"
#include "session/at_hand.h"
#include "session/scatter.h"

namespace ampere {
namespace {

constexpr std::size_t kTimedOfBoth = 60, kMeasuredOfBoth = 36;  // operations
constexpr Precision kOfBefore{.relative_error = 0.02, .time_limit = Seconds(3), .min_windows = 3};

// A comparison is made all the same where the rig cannot do something, fails, or is a recording
// that does not have it.
template <class Measure>
void try_to_measure(const char* what, const Measure& measure,
                    std::vector<std::string>& warnings) try {
  measure();
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::usage &&
      error.code() != ErrorCode::unknown)
    throw;
  warnings.push_back(fmt::format("{}: {}", what, error.what()));
}

}  // namespace

DiffLook::DiffLook(const LookedAt& before, const LookedAt& after, const GeneralProfile& profile,
                   Rig& rig)
    : before_{before, {}, {}}, after_{after, {}, {}}, profile_(profile), rig_(rig) {}

// The host is looked at before and after the rest, which takes some seconds in which a host that
// others use changes. A CPU has none apart, and its power hardly depends on the operation.
void DiffLook::take(std::vector<std::string>& warnings) {
  time_operations(warnings);
  if (!profile_.is_gpu) return;
  look_at_host(warnings);
  try_to_measure(
      "the energy of single operations was not measured", [&] { measure_energies(warnings); },
      warnings);
  look_at_host(warnings);
  try_to_measure(
      "what comes before the change could not be measured",
      [&] { measured_before_ = measure_step(before_.seen.step, kOfBefore, rig_); }, warnings);
  if (slowdowns().empty())
    warnings.emplace_back(
        "the host is that of the profile: only networks, and scripts with an argument batch, can "
        "show how fast the host of this machine is");
}

void DiffLook::time_operations(std::vector<std::string>& warnings) {
  const std::array programs{before_.seen.program, after_.seen.program};
  timed_ = ampere::time_operations(programs, profile_.fitted, rig_, kTimedOfBoth, warnings);
  for (Side* side : {&before_, &after_})
    side->composed =
        compose_program(side->seen.program, profile_.fitted, {.timed = timed_, .host_s = {}});
}

void DiffLook::look_at_host(std::vector<std::string>& warnings) {
  for (Side* side : {&before_, &after_})
    try_to_measure_host(
        [&] {
          const Program& program = side->seen.program;
          const auto host_s = host_alone(look_at_host_by(side->seen.step, rig_), program,
                                         side->composed.device.seconds);
          if (host_s) side->slowdowns.push_back(*host_s / waiting_s(program));
        },
        warnings);
}

void DiffLook::measure_energies(std::vector<std::string>& warnings) {
  if (!rig_.abilities().contains(Ability::operation_energy) || !rig_.can_idle())
    throw Error(ErrorCode::usage, rig_.device().name + ": this rig cannot do that");
  std::vector<WeighedOperation> weighed =
      weigh_operations(before_.seen.program, before_.composed, after_.seen.program, after_.composed,
                       kMeasuredOfBoth);
  // One that cannot even be timed alone could bring down the process that trains.
  std::erase_if(weighed, [](const WeighedOperation& each) { return !each.was_timed; });
  if (weighed.empty()) return;
  const double ready_w = look_at_ready_power(rig_);
  DrawnEnergies drawn = measure_operations(weighed, ready_w, profile_.fitted.laws.energy, rig_);
  drawn_j_ = std::move(drawn.joules);
  if (!drawn.failures.empty())
    warnings.push_back(
        fmt::format("the energy of {} of {} operations could not be measured, such as {}",
                    drawn.failures.size(), weighed.size(), drawn.failures.front()));
}

// How long an iteration takes that waits for the host of the profile.
double DiffLook::waiting_s(const Program& program) const {
  constexpr auto kHere = static_cast<std::size_t>(Knowledge::device);
  return profile_.fitted.laws.time[kHere].host_scale * host_by_law(program, profile_.fitted);
}

std::vector<double> DiffLook::slowdowns() const {
  std::vector<double> all = before_.slowdowns;
  all.insert(all.end(), after_.slowdowns.begin(), after_.slowdowns.end());
  return all;
}

// The looks at one program know its host, and those at both know it better if the law of the host
// has their ratio right. Neither is much better than the other, so that they count the same.
ProgramEvidence DiffLook::evidence(const Side& side) const {
  ProgramEvidence evidence;
  evidence.timed = timed_;
  evidence.drawn_j = drawn_j_;
  evidence.seen = was_seen_on(side.seen.program, profile_.device);
  const std::vector<double> all = slowdowns();
  if (all.empty()) return evidence;
  const double slower = side.slowdowns.empty()
                            ? geometric_mean(all)
                            : std::sqrt(geometric_mean(all) * geometric_mean(side.slowdowns));
  Scatter scatter;
  scatter.add(all);
  evidence.waiting = {slower * waiting_s(side.seen.program),
                      scatter.of_another(static_cast<double>(all.size()))};
  return evidence;
}

Diff::AtHand DiffLook::summary() const {
  const std::vector<double> all = slowdowns();
  Diff::AtHand summary;
  summary.timed_operations = timed_.size();
  summary.measured_operations = drawn_j_.size();
  summary.host_looks = static_cast<int>(all.size());
  if (!all.empty()) summary.host_slowdown = geometric_mean(all);
  if (measured_before_) {
    summary.before_energy_j = measured_before_->energy_j;
    summary.before_time_s = measured_before_->time_s;
  }
  return summary;
}

}  // namespace ampere
