#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "ampere/error.h"
#include "ampere/evaluate.h"
#include "ampere/session.h"
#include "campaign/campaign.h"
#include "method/registry.h"
#include "method/suggestion_list.h"
#include "session/earlier_runs.h"
#include "session/empty_profile.h"
#include "session/profile_text.h"
#include "session/shipped_store.h"

namespace ampere {
namespace {

// The method that was asked for or, without one, all that the profile can answer by. Throws
// Error(unknown) where that is none.
std::vector<const Method*> candidates_of(const Store& store, const ProfileRow& profile,
                                         const std::string& method) {
  const Phase phase = profile.setup.phase;
  if (!method.empty()) return {&find_method(method, phase)};
  std::vector<const Method*> methods = methods_of(store, profile);
  if (methods.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("nothing can be estimated from profile {} ({}) yet: {}", profile.id,
                            profile.device.name,
                            phase == Phase::inference ? "measure kernels first"
                                                      : "profile a network first"),
                phase == Phase::inference ? Remedy::survey : Remedy::profile);
  return methods;
}

// The methods of one profile, loaded when they are first asked.
class ProfileAnswers {
 public:
  // For one network alone when it is given: only what concerns it is loaded.
  ProfileAnswers(const Store& store, ChosenProfile profile, const std::string& method,
                 const Model* network)
      : store_(store),
        profile_(std::move(profile)),
        network_(network),
        earlier_(store_, profile_.row.id, network) {
    for (const Method* candidate : candidates_of(store, profile_.row, method))
      candidates_.push_back({candidate, nullptr});
  }

  const ChosenProfile& profile() const { return profile_; }

  Answer answer(const Model& model, const Workload& workload) {
    Answer answer;
    answer.profile = profile_;
    for (Candidate& candidate : candidates_) {
      if (!candidate.estimator)
        candidate.estimator = candidate.method->load(store_, profile_.row, network_);
      answer.method = candidate.method->name();
      answer.estimate = candidate.estimator->estimate(model, workload);
      if (answer.estimate.uncovered.empty()) break;
    }
    earlier_.lean(model, workload, answer.estimate);
    // Where nothing is covered the method cannot tell.
    answer.estimate.source = std::max(answer.estimate.source, profile_.row.device.source);
    std::ranges::copy(profile_.warnings, std::back_inserter(answer.estimate.warnings));
    return answer;
  }

 private:
  struct Candidate {
    const Method* method;
    std::unique_ptr<Estimator> estimator;
  };

  const Store& store_;
  ChosenProfile profile_;
  const Model* network_;
  EarlierRuns earlier_;
  std::vector<Candidate> candidates_;  // the best first
};

std::string energy_text(const Answer& answer) {
  const Interval& energy = answer.estimate.energy_j.value();
  return fmt::format("{} by {}: {:.3g} J, {:.0f} % interval {:.3g} to {:.3g} J",
                     profile_text(answer.profile.row), answer.method, energy.mean,
                     100 * energy.confidence, energy.low, energy.high);
}

// At inference the look at the host is all that refining does.
constexpr const char* kNoLook =
    "the host was not looked at: the survey has no pace of a host apart from its device, or this "
    "rig cannot take one";

// How wide the interval of the energy is beside its mean; nothing for a point, or without energy.
std::optional<double> relative_width(const Answer& answer) {
  const std::optional<Interval>& energy = answer.estimate.energy_j;
  if (!energy || energy->confidence == 0 || !(energy->mean > 0)) return std::nullopt;
  return (energy->high - energy->low) / energy->mean;
}

// Both intervals come from cross-validation, so that the narrower one is of the better estimate.
Answer narrower(Answer special, Answer general) {
  const auto special_width = relative_width(special), general_width = relative_width(general);
  if (!special_width || !general_width) return special;
  const bool takes_general = *general_width < *special_width;
  const Answer& other = takes_general ? special : general;
  std::string note =
      fmt::format("{} by {} answers, since its interval is narrower; {}: name a method to choose",
                  profile_text((takes_general ? general : special).profile.row),
                  (takes_general ? general : special).method, energy_text(other));
  Answer answer = takes_general ? std::move(general) : std::move(special);
  answer.estimate.warnings.push_back(std::move(note));
  return answer;
}

// What the host was looked at with while a profile was taken; nothing where that depends on a task.
std::optional<Model> reference_of(const Store& store, std::int64_t profile, const Setup& setup) {
  const Method& method = find_method(at_hand_method(setup.phase), setup.phase);
  if (const auto host = method.usual_host(store, profile, {})) return host->reference;
  return std::nullopt;
}

class StoredAnswerer final : public Answerer {
 public:
  StoredAnswerer(const Store& store, const std::vector<ChosenProfile>& profiles,
                 const std::string& method, const Model* network) {
    for (const ChosenProfile& profile : profiles)
      profiles_.emplace_back(profile.row.shipped.empty() ? store : shipped_store(), profile, method,
                             network);
  }

  const ChosenProfile& profile() const override { return profiles_.front().profile(); }

  Answer answer(const Model& model, const Workload& workload) const override {
    Answer first = profiles_.front().answer(model, workload);
    if (first.estimate.uncovered.empty()) return against_general(std::move(first), model, workload);
    for (ProfileAnswers& other : profiles_ | std::views::drop(1))
      if (Answer answer = other.answer(model, workload); answer.estimate.uncovered.empty())
        return against_general(std::move(answer), model, workload);
    return first;
  }

 private:
  // The better of this answer and that of a general profile of the same device, where there is one
  // that covers the network.
  Answer against_general(Answer answer, const Model& model, const Workload& workload) const {
    if (answer.profile.general) return answer;
    for (ProfileAnswers& other : profiles_) {
      if (!other.profile().general || !is_same_device(other.profile().row, answer.profile.row))
        continue;
      Answer general = other.answer(model, workload);
      if (general.estimate.uncovered.empty())
        return narrower(std::move(answer), std::move(general));
    }
    return answer;
  }

  mutable std::vector<ProfileAnswers> profiles_;  // the best first
};

Check compare(Measurement measurement, const Answer& answer, const Workload& workload) {
  Check check{std::move(measurement), {}, {}, {}, {}};
  const auto compare_one = [&](const std::optional<Interval>& estimated, const Quantity& measured,
                               std::optional<double>& difference, std::optional<bool>& inside) {
    if (!estimated) return;
    const double total = measured.mean * static_cast<double>(workload.iterations);
    difference = estimated->mean / total - 1;
    inside = estimated->low <= total && total <= estimated->high;
  };
  compare_one(answer.estimate.energy_j, check.measured.energy_j, check.energy_difference,
              check.energy_inside);
  compare_one(answer.estimate.time_s, check.measured.time_s, check.time_difference,
              check.time_inside);
  return check;
}

}  // namespace

std::unique_ptr<Answerer> Session::answerer(const ProfileQuery& query) const {
  return std::make_unique<StoredAnswerer>(*store_, candidates(query), query.method, nullptr);
}

Answer Session::estimate(const Model& model, const ProfileQuery& query,
                         const Workload& workload) const {
  return StoredAnswerer(*store_, candidates(query), query.method, &model).answer(model, workload);
}

Answer Session::estimate(const Model& model, const ChosenProfile& profile,
                         const std::string& method, const Workload& workload) const {
  return ProfileAnswers(store_of(profile.row), profile, method, &model).answer(model, workload);
}

std::unique_ptr<Estimator> Session::estimator(const ProfileRow& profile, const std::string& method,
                                              const Model* network) const {
  const Store& store = store_of(profile);
  return candidates_of(store, profile, method).front()->load(store, profile, network);
}

Answer Session::refine(const Model& model, const ProfileQuery& query, const Workload& workload,
                       const NamedRig& rig) {
  ProfileQuery of_device = query;
  if (query.profile.empty() && query.device.empty())
    of_device.profile = rig.rig.device().fingerprint;
  of_device.rig.clear();
  Answer answer;
  answer.profile = choose(of_device);
  const ProfileRow& row = answer.profile.row;
  if (answer.profile.general) return refine_by_operations(model, of_device, workload, rig);
  const bool of_inference = row.setup.phase == Phase::inference;
  const Method& method = find_method(
      query.method.empty() ? at_hand_method(row.setup.phase) : query.method, row.setup.phase);
  answer.method = method.name();
  if (!method.answers(*store_, row))
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no {} model to refine; profile by that method first",
                            row.id, method.name()),
                of_inference ? Remedy::survey : Remedy::profile,
                of_inference ? rig.spec : method.name());
  if (rig.rig.device().fingerprint != row.device.fingerprint)
    throw Error(ErrorCode::usage, fmt::format("profile {} is of {}, and the rig is {}", row.id,
                                              row.device.name, rig.rig.device().name));
  Campaign campaign(rig.rig, rig.spec, *store_, row.setup, {}, stop_, *listener_);
  const ProfileBench bench{rig.rig, *store_, row.id, row.setup};
  // Where a part of the network is unknown, timing the rest would not help.
  if (const auto plan = method.refinement(model, bench)) {
    campaign.run(*plan);
    method.remember(*store_, row.id, model);
    answer.host_slowdown = method.host_slowdown(bench, stop_);
  }
  std::unique_ptr<Estimator> estimator = method.load(*store_, row, &model);
  std::unique_ptr<Estimator> now;
  if (answer.host_slowdown) now = estimator->on_host(*answer.host_slowdown);
  if (now)
    estimator = std::move(now);
  else
    answer.host_slowdown.reset();
  answer.estimate = estimator->estimate(model, workload);
  if (of_inference && !answer.host_slowdown) answer.estimate.warnings.push_back(kNoLook);
  EarlierRuns(*store_, row.id, &model).lean(model, workload, answer.estimate);
  answer.estimate.source = std::max(answer.estimate.source, row.device.source);
  std::ranges::copy(answer.profile.warnings, std::back_inserter(answer.estimate.warnings));
  return answer;
}

Measurement Session::run(const Model& model, const Setup& setup, const Precision& precision,
                         const NamedRig& rig, Learning learning) {
  Campaign campaign(rig.rig, rig.spec, *store_, setup, {}, stop_, *listener_);
  Suggestion suggestion;
  suggestion.model = model;
  suggestion.setup = setup;
  suggestion.precision = precision;
  suggestion.with_times = true;
  if (learning == Learning::yes)
    suggestion.reference = reference_of(*store_, campaign.profile(), setup);
  suggestion.purpose = learning == Learning::yes ? Purpose::network : Purpose::check;
  suggestion.visit.reset();
  SuggestionList plan("networks measured", {std::move(suggestion)});
  without_empty_profile(*this, rig.rig.device(), setup, [&] { campaign.run(plan); });
  const Observation& observation = plan.findings().at(0).observation.value();
  if (!observation.measurement) throw Error(ErrorCode::failed, observation.failure);
  if (learning == Learning::yes) learn_from(model, campaign);
  return *observation.measurement;
}

Check Session::check(const Model& model, const Answer& answer, const Workload& workload,
                     const Precision& precision, const NamedRig& rig, Learning learning) {
  return compare(run(model, answer.profile.row.setup, precision, rig, learning), answer, workload);
}

Check Session::check(const Script& script, const Answer& answer, const Workload& workload,
                     const Precision& precision, const NamedRig& rig) const {
  ScriptMeasurement measured = rig.rig.measure(script, precision);
  std::ranges::move(measured.script.notes, std::back_inserter(measured.measurement.notes));
  return compare(std::move(measured.measurement), answer, workload);
}

// A network's own blocks are timed with it: where it is wider than what was profiled, its energy
// alone would say little.
void Session::learn_from(const Model& model, Campaign& campaign) {
  const ProfileRow row = find_profile(std::to_string(campaign.profile()));
  for (const Method* method : ampere::methods_of(*store_, row)) {
    if (const auto plan = method->refinement(
            model, {campaign.rig(), *store_, campaign.profile(), campaign.setup()})) {
      campaign.run(*plan);
      method->remember(*store_, campaign.profile(), model);
    }
    ProfileSummary ignored;
    method->conclude(
        {*store_, campaign.profile(), campaign.setup(), campaign.stop(), campaign.listener()}, {},
        ignored);
  }
}

}  // namespace ampere
