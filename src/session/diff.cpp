// What a change of a network costs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/stats.h"
#include "estimate/part_differences.h"
#include "method/operations/device_look.h"
#include "method/operations/operations_method.h"
#include "method/operations/program_difference.h"
#include "method/operations/program_origin.h"
#include "program/tf32.h"
#include "session/at_hand.h"
#include "session/diff_look.h"

namespace ampere {
namespace {

// Of the energy: networks that share less have nothing in common.
constexpr double kLeastCommon = 0.05;

Interval interval_of(const Quantity& difference, double confidence) {
  const double reached = normal_quantile((1 + confidence) / 2) * assumed_error(difference);
  return {difference.mean, difference.mean - reached, difference.mean + reached, confidence};
}

void set_difference(const CostDifference& cost, double confidence, double wider, Diff& diff) {
  const auto scaled = [&](const Quantity& each) {
    return Quantity{each.mean, wider * assumed_error(each)};
  };
  diff.energy_j = interval_of(scaled(cost.energy_j), confidence);
  diff.time_s = interval_of(scaled(cost.time_s), confidence);
}

Answer answer_of(const ChosenProfile& profile, const std::string& method, Estimate estimate) {
  Answer answer{method, profile, std::move(estimate), {}};
  answer.estimate.source = std::max(answer.estimate.source, profile.row.device.source);
  std::ranges::copy(profile.warnings, std::back_inserter(answer.estimate.warnings));
  return answer;
}

bool is_complete(const Diff& diff) {
  return diff.before.estimate.energy_j_per_iteration && diff.after.estimate.energy_j_per_iteration;
}

std::optional<std::int64_t> memory_of(const Program& program) {
  const auto peak = peak_memory(program);
  return peak ? std::optional(peak->bytes) : std::nullopt;
}

constexpr const char* kNoAllocations = "the program does not say what it allocates";

// The memory of a network is that of the program it becomes.
void set_memory(const Model& before, const Model& after, const Setup& setup, Diff& diff) try {
  diff.memory_before = memory_of(lower(before, setup));
  diff.memory_after = memory_of(lower(after, setup));
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage) throw;
  diff.memory_before.reset();
  diff.no_memory = error.what();
}

// Where the first of both was measured, the second is that and the estimated difference.
void start_from_measured(Diff& diff) {
  Estimate &before = diff.before.estimate, &after = diff.after.estimate;
  const auto start = [](const std::optional<Quantity>& measured,
                        const std::optional<Interval>& difference, std::optional<Quantity>& first,
                        std::optional<Quantity>& second) {
    if (!measured || !difference || !first || !second) return;
    first = measured;
    const double deviation = (difference->high - difference->mean) / reach(difference->confidence);
    second = Quantity{measured->mean + difference->mean,
                      std::hypot(deviation, assumed_error(*measured))};
  };
  start(diff.at_hand->before_energy_j, diff.energy_j, before.energy_j_per_iteration,
        after.energy_j_per_iteration);
  start(diff.at_hand->before_time_s, diff.time_s, before.time_s_per_iteration,
        after.time_s_per_iteration);
}

bool have_common_part(const std::vector<PartDifference>& parts) {
  return std::ranges::any_of(parts, [](const PartDifference& part) {
    return part.change == PartChange::same || part.change == PartChange::changed;
  });
}

// By the energy of modules that both have, and of equal operations. Every program has a module "",
// and most have a last layer of the same name.
bool are_related(const Diff& diff) {
  double before_j = 0, after_j = 0, shared_before_j = 0, shared_after_j = 0, same_j = 0;
  for (const PartDifference& part : diff.parts) {
    before_j += part.energy_before_j, after_j += part.energy_after_j;
    if (part.name.empty() || part.calls_before == 0 || part.calls_after == 0) continue;
    shared_before_j += part.energy_before_j, shared_after_j += part.energy_after_j;
  }
  for (const PartDifference& part : diff.operations)
    if (part.change == PartChange::same) same_j += part.energy_after_j;
  return (shared_before_j > kLeastCommon * before_j && shared_after_j > kLeastCommon * after_j) ||
         same_j > kLeastCommon * after_j;
}

// Both as programs, from one general profile.
class ProgramSides {
 public:
  ProgramSides(const Store& store, ChosenProfile profile, Setup setup)
      : profile_(std::move(profile)),
        setup_(std::move(setup)),
        general_(load_general_profile(store, profile_.row)) {}

  // With a rig, the device at hand is asked first.
  Diff diff(const DiffSide& before, const DiffSide& after, const Workload& workload,
            Rig* rig = nullptr) const {
    Diff diff;
    const std::optional<Program> a = program(before, diff.before);
    const std::optional<Program> b = program(after, diff.after);
    if (!a || !b) {
      if (a) diff.before = answer(before, *a, {}, workload);
      if (b) diff.after = answer(after, *b, {}, workload);
      return diff;
    }
    std::vector<std::string> warnings;
    ProgramEvidence evidence_a, evidence_b;
    evidence_a.seen = was_seen_on(*a, general_.device);
    evidence_b.seen = was_seen_on(*b, general_.device);
    if (rig != nullptr) {
      require_same_device(profile_.row, rig->device(), warnings);
      const LookedAt first{*a, step_of(before, setup_)}, second{*b, step_of(after, setup_)};
      DiffLook look(first, second, general_, *rig);
      look.take(warnings);
      evidence_a = look.evidence_before(), evidence_b = look.evidence_after();
      diff.at_hand = look.summary();
    }
    diff.before = answer(before, *a, evidence_a, workload);
    diff.after = answer(after, *b, evidence_b, workload);
    std::ranges::move(warnings, std::back_inserter(diff.after.estimate.warnings));
    diff.parameters_before = a->parameters, diff.parameters_after = b->parameters;
    diff.memory_before = memory_of(*a), diff.memory_after = memory_of(*b);
    if (!diff.memory_before || !diff.memory_after) diff.no_memory = kNoAllocations;
    const ComposedProgram of_a = compose_program(*a, general_.fitted, evidence_a),
                          of_b = compose_program(*b, general_.fitted, evidence_b);
    const std::size_t foreign = std::max(foreign_ways(before, *a), foreign_ways(after, *b));
    const std::size_t unmeasured =
        std::max(differences_of_use(*a, general_).size(), differences_of_use(*b, general_).size());
    set_difference(program_difference(*a, of_a, *b, of_b, general_.fitted), workload.confidence,
                   wider_by(foreign, unmeasured), diff);
    diff.parts = module_differences(*a, of_a, *b, of_b);
    diff.operations = operation_differences(*a, of_a, *b, of_b);
    if (diff.at_hand) start_from_measured(diff);
    diff.related = are_related(diff);
    return diff;
  }

 private:
  // In how many ways a program was not made for this device; a network is lowered for it.
  std::size_t foreign_ways(const DiffSide& side, const Program& program) const {
    if (std::holds_alternative<Model>(side.what)) return 0;
    return differences_of_origin(program.origin, general_).size();
  }

  // Nothing where the network cannot be lowered; then the answer says why.
  std::optional<Program> program(const DiffSide& side, Answer& answer) const {
    if (const auto* traced = std::get_if<Program>(&side.what))
      return general_.is_gpu ? *traced : without_tf32(*traced);
    const Model& model = std::get<Model>(side.what);
    MadeProgram made = make_program(model, setup_, general_);
    if (!made.program)
      answer = answer_of(profile_, kOperationsMethod, uncovered(model, made.why_not));
    return std::move(made.program);
  }

  Answer answer(const DiffSide& side, const Program& program, const ProgramEvidence& evidence,
                const Workload& workload) const {
    Program here = program;
    if (std::holds_alternative<Model>(side.what))
      here.origin.framework.clear();  // it was lowered for this very device
    return answer_of(profile_, kOperationsMethod,
                     estimate_of_program(here, general_, evidence, workload));
  }

  ChosenProfile profile_;
  Setup setup_;
  GeneralProfile general_;
};

Diff diff_by_blocks(const Model& before, const Model& after, const ChosenProfile& profile,
                    const std::string& method, const Estimator& estimator,
                    const Workload& workload) {
  Diff diff;
  diff.before = answer_of(profile, method, estimator.estimate(before, workload));
  diff.after = answer_of(profile, method, estimator.estimate(after, workload));
  if (!is_complete(diff)) return diff;
  if (const auto cost = estimator.difference(before, after))
    set_difference(*cost, workload.confidence, 1, diff);
  const Setup& setup = profile.row.setup;
  diff.parameters_before = count(before, setup.batch).parameters;
  diff.parameters_after = count(after, setup.batch).parameters;
  set_memory(before, after, setup, diff);
  diff.parts = part_differences(before, diff.before.estimate, after, diff.after.estimate);
  diff.related = have_common_part(diff.parts);
  return diff;
}

}  // namespace

Diff Session::diff(const DiffSide& before, const DiffSide& after, const ProfileQuery& query,
                   const Workload& workload) const {
  const Model *a = std::get_if<Model>(&before.what), *b = std::get_if<Model>(&after.what);
  if (a == nullptr || b == nullptr) {
    const ChosenProfile profile = program_candidates(query).front();
    return ProgramSides(store_of(profile.row), profile, query.setup).diff(before, after, workload);
  }
  std::optional<Diff> first;  // which says what it does not cover, where nothing covers both
  for (const ChosenProfile& profile : candidates(query)) {
    std::vector<std::string> methods = methods_of(profile.row);
    if (!query.method.empty()) methods = {query.method};
    for (const std::string& method : methods) {
      Diff diff =
          method == kOperationsMethod
              ? ProgramSides(store_of(profile.row), profile, query.setup)
                    .diff(before, after, workload)
              : diff_by_blocks(*a, *b, profile, method, *estimator(profile.row, method), workload);
      if (is_complete(diff)) return diff;
      if (!first) first = std::move(diff);
    }
  }
  // Nothing was profiled yet: an estimate says what to do.
  if (!first) {
    estimate(*a, query, workload);
    throw Error(ErrorCode::unknown, "no profile answers for these networks", Remedy::profile);
  }
  return *std::move(first);
}

Diff Session::refine_diff(const DiffSide& before, const DiffSide& after, const ProfileQuery& query,
                          const Workload& workload, const NamedRig& rig) const {
  const ChosenProfile profile = program_candidates(query_at_hand(query, rig.rig)).front();
  return ProgramSides(store_of(profile.row), profile, query.setup)
      .diff(before, after, workload, &rig.rig);
}

}  // namespace ampere
