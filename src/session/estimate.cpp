#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "ampere/error.h"
#include "ampere/session.h"
#include "campaign/campaign.h"
#include "method/registry.h"
#include "method/suggestion_list.h"

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
      : store_(store), profile_(std::move(profile)), network_(network) {
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
  std::vector<Candidate> candidates_;  // the best first
};

class StoredAnswerer final : public Answerer {
 public:
  StoredAnswerer(const Store& store, const std::vector<ChosenProfile>& profiles,
                 const std::string& method, const Model* network) {
    for (const ChosenProfile& profile : profiles)
      profiles_.emplace_back(store, profile, method, network);
  }

  const ChosenProfile& profile() const override { return profiles_.front().profile(); }

  Answer answer(const Model& model, const Workload& workload) const override {
    Answer first = profiles_.front().answer(model, workload);
    if (first.estimate.uncovered.empty()) return first;
    for (ProfileAnswers& other : profiles_ | std::views::drop(1))
      if (Answer answer = other.answer(model, workload); answer.estimate.uncovered.empty())
        return answer;
    return first;
  }

 private:
  mutable std::vector<ProfileAnswers> profiles_;  // the best first
};

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
  return ProfileAnswers(*store_, profile, method, &model).answer(model, workload);
}

std::unique_ptr<Estimator> Session::estimator(const ProfileRow& profile, const std::string& method,
                                              const Model* network) const {
  return candidates_of(*store_, profile, method).front()->load(*store_, profile, network);
}

Answer Session::refine(const Model& model, const ProfileQuery& query, const Workload& workload,
                       const NamedRig& rig) {
  ProfileQuery of_device = query;
  if (query.profile.empty()) of_device.profile = rig.rig.device().fingerprint;
  of_device.rig.clear();
  Answer answer;
  answer.profile = choose(of_device);
  const ProfileRow& row = answer.profile.row;
  const Method& method = find_method(query.method.empty() ? "dual" : query.method, row.setup.phase);
  answer.method = method.name();
  if (!method.answers(*store_, row))
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} has no {} model to refine; profile by that method first",
                            row.id, method.name()),
                Remedy::profile, method.name());
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
  if (answer.host_slowdown) estimator = estimator->on_host(*answer.host_slowdown);
  answer.estimate = estimator->estimate(model, workload);
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
  suggestion.purpose = learning == Learning::yes ? Purpose::network : Purpose::check;
  suggestion.visit.reset();
  SuggestionList plan("networks measured", {std::move(suggestion)});
  campaign.run(plan);
  const Observation& observation = plan.findings().at(0).observation.value();
  if (!observation.measurement) throw Error(ErrorCode::failed, observation.failure);
  if (learning == Learning::yes) learn_from(model, campaign);
  return *observation.measurement;
}

Check Session::check(const Model& model, const Answer& answer, const Workload& workload,
                     const Precision& precision, const NamedRig& rig, Learning learning) {
  Check check{run(model, answer.profile.row.setup, precision, rig, learning), {}, {}, {}, {}};
  const auto compare = [&](const std::optional<Interval>& estimated, const Quantity& measured,
                           std::optional<double>& difference, std::optional<bool>& inside) {
    if (!estimated) return;
    const double total = measured.mean * static_cast<double>(workload.iterations);
    difference = estimated->mean / total - 1;
    inside = estimated->low <= total && total <= estimated->high;
  };
  compare(answer.estimate.energy_j, check.measured.energy_j, check.energy_difference,
          check.energy_inside);
  compare(answer.estimate.time_s, check.measured.time_s, check.time_difference, check.time_inside);
  return check;
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
